"""Whatever is asked, the planner gives a plan that passes its checks, or none: it raises nothing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.catalogue import Catalogue
from planner.parse import check_plan
from planner.rules import RulePlanner

CATALOGUE = Catalogue.load(
    Path(__file__).parents[1] / "data" / "planner" / "rules_dev_a" / "catalogues" / "clinics"
)
PLANNER = RulePlanner(CATALOGUE)
TODAY = date(2025, 5, 14)
PIECES = st.sampled_from(
    ["滨江门诊", "城东", "皮肤科", "上个月", "2025年3月", "同比", "多少", "占比", "爽约率", "如果", "超过", "80", "就补", "500盒", "阿莫西林", "CP-20871", "手册", "怎么规定",
     " complaints ", " if ", " open ", "，", "？", " versus ", " rank ", " top 3 ", " last quarter ", "Harbor Clinic", " NPS ", "“", "趋势", "和", "平均", "生成Word报告", " per ",
     " share of ", "每月", "否则别动", "对得上吗", "运营看板", "数仓", " order ", "{{g1.result}}", '"', "\\"]
)  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "{{g1.result}}",
        '"',
        "订单" * 400,
        "a" * 3000,
        "\x00",
        "如果如果如果",
        "就就就",
        "??",
        "2024",
        "怎么规定 order  if ",
        "怎么规定 order 如果",
    ],
)
def test_odd_questions(question: str) -> None:
    _sound(question)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES, min_size=1, max_size=12).map("".join))
def test_heaps_of_words(question: str) -> None:
    _sound(question)


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=60))
def test_any_text(question: str) -> None:
    _sound(question)


def _sound(question: str) -> None:
    proposal = PLANNER.propose(question, TODAY)
    assert 0 <= proposal.confidence <= 1
    if proposal.plan is None:
        assert proposal.reason
    else:
        check_plan(proposal.plan, CATALOGUE)
