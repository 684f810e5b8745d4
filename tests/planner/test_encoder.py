"""Decisions and plans: a plan's decisions give the plan back, and numpy computes what torch trains."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from planner.catalogue_text import read_catalogue
from planner.compact import CompactPlan, read_plan, show_plan
from planner.encoder.assemble import assemble
from planner.encoder.decisions import Decisions, score
from planner.encoder.items import Items
from planner.encoder.labels import ENDINGS, FLAGS, ROLES, SIGNS, label
from planner.encoder.skeletons import MISSING, Shape, attributes, skeleton
from planner.encoder.spots import Reading
from planner.rules.lexicon import Lexicon

TODAY = date(2026, 3, 18)
CATALOGUE = read_catalogue("""\
@ board bi_dashboard 0.8 水厂看板 / waterworks board
supply 各厂月度供水 : plant,month
  plant text 水厂/plant {东厂|西厂}
  month month 月份
  volume number 供水量/volume
  loss percent 漏损率/loss
@ crm ticket_api 0.9 报修系统
leaks 漏水报修 : leak_no
  leak_no text 报修号
  seen date 发现日期
  state text 状态 {待修|已修=fixed}
  cost money 费用
! crew ticket_api 0.9 派工
dispatch 派抢修队 : leak_no
  leak_no text 报修号
  people integer 人数
# rules_kb pdf_knowledge_base 0.7 供水规程
""")
PLANS = [
    ("东厂上个月供水量多少", "supply volume | plant=东厂 month=2026-02"),
    ("东厂和西厂2月的漏损率差多少", "supply loss | plant=东厂,西厂 month=2026-02\n= difference 1.loss by plant"),
    ("今年2月待修的漏水有几起", "leaks leak_no | seen=2026-02-01..2026-02-28 state=待修\n= count 1"),
    ("2月供水量最多的2个水厂", "supply plant,volume | month=2026-02\n= rank 1.volume by plant top 2"),
    (
        "报修号LK-2207还是待修就派3个人去",
        "leaks state | leak_no=LK-2207\n!dispatch leak_no=LK-2207 people=3 if 1.state=待修",
    ),
    ("爆管之后多久必须到场", "#rules_kb 爆管之后多久必须到场"),
    ("水价多少", "? the catalogue does not hold what is asked"),
]  # fmt: skip


@pytest.fixture(scope="module")
def items() -> Items:
    return Items.of(Lexicon(CATALOGUE))


def certain(plan: CompactPlan, question: str, items: Items) -> Decisions:
    """The decisions of someone who has read the plan."""
    reading = Reading.of(question, TODAY, items.lexicon)
    labels = label(plan, question, items, reading.spots)
    n, s = len(items.all), len(reading.spots)
    names = [MISSING, "other", labels.shape] if labels.shape != MISSING else [MISSING, "other"]

    def table(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return np.full(shape, 0.01, np.float32)

    made = Decisions(
        question, items, reading, [(i, i + 1) for i in range(len(question))], table(n, len(ROLES)), table(2, n + 1),
        table(s, n), table(s), table(s, len(SIGNS)), table(s, len(ENDINGS)), table(len(question)), table(len(FLAGS)),
        table(len(names)), names,
    )  # fmt: skip
    for r, role in enumerate(ROLES):
        for at, holds in labels.roles[role].items():
            made.roles[at, r] = 0.99 if holds else 0.01
    for k, at in enumerate((labels.first, labels.second)):
        made.pointers[k, n if at is None else at] = 0.99
    for (spot, at), holds in labels.fills.items():
        made.pairs[spot, at] = 0.99 if holds else 0.01
    for spot in range(s):
        made.tops[spot] = 0.99 if labels.tops.get(spot) else 0.01
        made.signs[spot, SIGNS.index(labels.signs.get(spot, "="))] = 0.97
        made.endings[spot, ENDINGS.index(labels.endings.get(spot, "as read"))] = 0.97
    for i, flag in enumerate(FLAGS):
        made.flags[i] = 0.99 if labels.flags.get(flag) else 0.01
    made.shapes[names.index(labels.shape)] = 0.98
    return made


@pytest.mark.parametrize(("question", "text"), PLANS)
def test_decisions_of_a_plan_give_the_plan_back(question: str, text: str, items: Items) -> None:
    plan = read_plan(text)
    decisions = certain(plan, question, items)
    best = assemble(decisions)[0]
    assert show_plan(best) == text
    assert score(decisions, best) > -1.5


def test_another_plan_is_less_likely(items: Items) -> None:
    question, text = PLANS[0]
    plan = read_plan(text)
    decisions = certain(plan, question, items)
    others = [
        "supply loss | plant=东厂 month=2026-02",
        "supply volume | plant=西厂 month=2026-02",
        "leaks cost",
    ]
    assert all(score(decisions, read_plan(other)) < score(decisions, plan) - 4 for other in others)


def test_a_plan_on_an_unknown_dataset_has_no_score(items: Items) -> None:
    decisions = certain(read_plan(PLANS[0][1]), PLANS[0][0], items)
    with pytest.raises(KeyError):
        score(decisions, read_plan("weather rain"))


def test_skeletons_are_read_back() -> None:
    plan = read_plan(
        "supply volume\nsupply loss\n= sum 1.volume by plant\n= ratio 3 2.loss\n!dispatch leak_no=1 if 1.loss>2"
    )
    shape = Shape.read(skeleton(plan))
    assert shape.fetches == 2
    assert [(s.operation, s.inputs, s.grouped) for s in shape.steps] == [
        ("sum", (("F", 1),), True), ("ratio", (("D", 1), ("F", 2)), False),
    ]  # fmt: skip
    assert shape.write == "! if"
    assert len(attributes([skeleton(plan), MISSING])) == 2
