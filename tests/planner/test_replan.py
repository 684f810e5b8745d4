"""Only the rest is planned anew: done steps keep their ids, what failed is out of sight, references go across."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from planner.catalogue import Catalogue
from planner.catalogue_text import read_catalogue
from planner.compact import expand, read_plan
from planner.errors import PlanError
from planner.grafting import graft
from planner.plan import Plan
from planner.planners import Planner, make_planner
from planner.remote import RemotePlanner
from planner.replan import plan_rest
from planner.rules import RulePlanner
from planner.unfinished import Failure, Unfinished
from tests.planner.test_remote import endpoint

TODAY = date(2025, 6, 18)
QUESTION = "K1窑2025年5月破损率与合格率的差"
CATALOGUE = read_catalogue("""
@ kiln_board bi_dashboard 0.8 窑炉看板
firing 各窑月度烧成 : kiln,month
  kiln text 窑 {K1|K2}
  month month 月份
  breakage percent 破损率
quality 各窑月度质检 : kiln,month
  kiln text 窑 {K1|K2}
  month month 月份
  passed percent 合格率
@ archive sql 0.5 历史台账
inspections 质检归档 : kiln,month
  kiln text 窑 {K1|K2}
  month month 月份
  passed percent 合格率
! desk ticket_api 0.9 维修工单
open_repair 报修 : kiln
  kiln text 窑 {K1|K2}
""")
FIRST = """firing breakage | kiln=K1 month=2025-05
quality passed | kiln=K1 month=2025-05
= difference 1.breakage 2.passed"""


def plan_of(text: str, catalogue: Catalogue = CATALOGUE) -> Plan:
    return expand(read_plan(text), QUESTION, catalogue)


def unfinished(text: str, done: set[str], *failures: Failure, taken: set[str] | None = None) -> Unfinished:
    plan = plan_of(text)
    kept = tuple(g for g in plan.sub_goals if g.id in done)
    ids = frozenset(g.id for g in plan.sub_goals) | (taken or set())
    return Unfinished(plan, kept, failures, ids)


QUALITY_OUT = Failure("g2", "kiln_board", "quality", "schema_drift")
BOARD_OUT = Failure("g2", "kiln_board", "quality", "timeout", whole_source=True)


def test_what_failed_is_not_in_the_smaller_catalogue_and_what_was_read_is() -> None:
    left = unfinished(FIRST, {"g1"}, BOARD_OUT)
    seen = left.catalogue(CATALOGUE)
    assert [d.name for d in seen.sources["kiln_board"].datasets] == ["firing"]
    assert set(seen.sources) == {"kiln_board", "archive", "desk"}
    assert set(left.catalogue(CATALOGUE, with_done=False).sources) == {"archive", "desk"}
    one = unfinished(FIRST, set(), QUALITY_OUT).catalogue(CATALOGUE)
    assert [d.name for d in one.sources["kiln_board"].datasets] == ["firing"]


def test_alternatives_never_lead_to_what_is_gone() -> None:
    sources = {
        **CATALOGUE.sources,
        "archive": CATALOGUE.sources["archive"].model_copy(update={"alternatives": ("kiln_board", "desk")}),
    }
    seen = unfinished(FIRST, set(), BOARD_OUT).catalogue(Catalogue(sources=sources))
    assert seen.sources["archive"].alternatives == ("desk",)


def test_a_done_step_is_found_again_and_the_rest_refers_to_it() -> None:
    left = unfinished(FIRST, {"g1"}, QUALITY_OUT, taken={"g2.2", "g4"})
    other = plan_of("""inspections passed | kiln=K1 month=2025-05
firing breakage | kiln=K1 month=2025-05
= difference 2.breakage 1.passed""")
    made = graft(other, left, CATALOGUE)
    assert [g.id for g in made.sub_goals] == ["g1", "g5", "g6"]
    assert made.sub_goals[0] == left.done[0]
    assert made.sub_goals[2].params["inputs"] == ["{{g1.result.breakage}}", "{{g5.result.passed}}"]
    assert made.sub_goals[2].depends_on == ("g1", "g5")
    assert made.question == QUESTION


def test_conditions_and_quoted_words_keep_their_meaning() -> None:
    left = unfinished(FIRST, {"g1"}, QUALITY_OUT)
    other = plan_of("""inspections passed | kiln=K1 month=2025-05
firing breakage | kiln=K1 month=2025-05
!open_repair kiln=K1 if 2.breakage>0.05 and 1.passed<0.9""")
    made = graft(other, left, CATALOGUE)
    assert made.sub_goals[-1].when == "g1.breakage > 0.05 and g4.passed < 0.9"
    quoted = other.sub_goals[2].model_copy(update={"when": 'g2.breakage > 0.05 and g1.passed != "g2.x"'})
    again = graft(other.model_copy(update={"sub_goals": (*other.sub_goals[:2], quoted)}), left, CATALOGUE)
    assert again.sub_goals[-1].when == 'g1.breakage > 0.05 and g4.passed != "g2.x"'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FIRST, "has failed in this run"),
        ("firing breakage | kiln=K1 month=2025-05", "nothing else is read"),
        ("firing breakage | kiln=K1 month=2025-05\n= max 1.breakage", "nothing else is read"),
    ],
)
def test_a_plan_that_asks_again_or_drops_what_failed_is_refused(text: str, why: str) -> None:
    with pytest.raises(PlanError, match=why):
        graft(plan_of(text), unfinished(FIRST, {"g1"}, QUALITY_OUT), CATALOGUE)


def test_what_was_written_is_not_written_again_in_another_way() -> None:
    begun = "!open_repair kiln=K1\nquality passed | kiln=K1 month=2025-05"
    left = unfinished(begun, {"g1"}, QUALITY_OUT)
    rest = "inspections passed | kiln=K1 month=2025-05"
    assert [g.id for g in graft(plan_of(f"!open_repair kiln=K1\n{rest}"), left, CATALOGUE).sub_goals] == ["g1", "g3"]  # fmt: skip
    with pytest.raises(PlanError, match="was written to"):
        graft(plan_of(f"!open_repair kiln=K2\n{rest}"), left, CATALOGUE)


def rules(catalogue: Catalogue, _: Unfinished) -> Planner:
    return RulePlanner(catalogue)


def test_the_rules_plan_the_rest() -> None:
    found = plan_rest(rules, unfinished(FIRST, {"g1"}, QUALITY_OUT), CATALOGUE, TODAY)
    assert found.plan is not None, found.reason
    assert [(g.id, g.params.get("dataset")) for g in found.plan.sub_goals] == [
        ("g1", "firing"), ("g4", "inspections"), ("g5", None),
    ]  # fmt: skip
    assert found.planner == "rules"


def test_where_the_measure_is_nowhere_else_there_is_no_plan() -> None:
    left = unfinished(FIRST, {"g1"}, QUALITY_OUT, Failure("g2.2", "archive", "inspections", "format_error"))
    found = plan_rest(rules, left, CATALOGUE, TODAY)
    assert found.plan is None
    assert found.reason


class Unsure:
    """Every plan of the rules, held for as likely as is said."""

    def __init__(self, catalogue: Catalogue, confidence: float, unused: tuple[str, ...] = ()) -> None:
        self.rules, self.confidence, self.unused = RulePlanner(catalogue), confidence, unused

    def propose(self, question: str, today: date) -> Any:
        return dataclasses.replace(
            self.rules.propose(question, today),
            confidence=self.confidence,
            calibrated=True,
            unused=self.unused,
        )


@pytest.mark.parametrize(
    ("confidence", "unused", "taken"),
    [(0.6, (), True), (0.4, (), False), (0.6, ("K1窑",), False), (0.6, ("known",), True)],
)
def test_it_must_be_as_sure_as_the_first_plan_and_use_its_words(
    confidence: float, unused: tuple[str, ...], taken: bool
) -> None:
    left = unfinished(FIRST, {"g1"}, QUALITY_OUT)
    found = plan_rest(
        lambda c, _: Unsure(c, confidence, unused), left, CATALOGUE, TODAY, unused=["known"], threshold=0.5
    )
    assert (found.plan is not None) == taken


def test_a_remote_model_reads_what_is_done_and_writes_the_rest_only() -> None:
    left = unfinished(FIRST, {"g1"}, QUALITY_OUT)
    rest = plan_of("""firing breakage | kiln=K1 month=2025-05
inspections passed | kiln=K1 month=2025-05
= difference 1.breakage 2.passed""").model_dump(mode="json")
    rest["sub_goals"] = [
        {**g, "id": f"r{n}", "depends_on": [d.replace("g2", "r1") for d in g["depends_on"]],
         "params": json.loads(json.dumps(g["params"]).replace("g2.", "r1."))}
        for n, g in enumerate(rest["sub_goals"][1:], 1)
    ]  # fmt: skip
    with endpoint(lambda n, body: (200, json.dumps(rest))) as (where, seen):
        found = plan_rest(lambda c, u: RemotePlanner(c, where, u), left, CATALOGUE, TODAY)
    assert found.plan is not None, found.reason
    assert [g.id for g in found.plan.sub_goals] == ["g1", "g4", "g5"]
    assert found.plan.sub_goals[2].params["inputs"] == ["{{g1.result.breakage}}", "{{g4.result.passed}}"]
    said = seen[0]["messages"][0]["content"]
    assert "kiln_board.quality: schema_drift" in said
    assert '"id": "g1"' in said
    assert "quality 各窑月度质检" not in said


def test_a_name_makes_a_planner_for_the_rest(tmp_path: Path) -> None:
    left = unfinished(FIRST, {"g1"}, QUALITY_OUT)
    with endpoint(lambda n, body: (500, "")) as (where, _):
        found = plan_rest(lambda c, u: make_planner("remote", c, tmp_path, where, u), left, CATALOGUE, TODAY)
    assert found.plan is not None, found.reason
    assert "planned here because" in found.reason
