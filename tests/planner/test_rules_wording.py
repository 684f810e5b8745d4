"""What a reader is shown of a plan: descriptions in the question's language and checks that mean something."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from planner.catalogue import Catalogue, Dataset, Field
from planner.rules import RulePlanner
from planner.rules.wording import label, subject
from planner.validation import parse_validation

TODAY = date(2024, 7, 15)


@pytest.fixture(scope="module")
def planner() -> RulePlanner:
    return RulePlanner(Catalogue.load(Path(__file__).parents[2] / "configs" / "sources"))


def described(planner: RulePlanner, question: str) -> list[str]:
    plan = planner.propose(question, TODAY).plan
    assert plan is not None
    return [g.description for g in plan.sub_goals]


def checks(planner: RulePlanner, question: str) -> list[str]:
    plan = planner.propose(question, TODAY).plan
    assert plan is not None
    for goal in plan.sub_goals:
        parse_validation(goal.validation)
    return [g.validation for g in plan.sub_goals]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("A产品在华东区2024年1月的退货率", ["获取各产品各区域月度退货率（产品 A，区域 华东，月份 2024-01）"]),
        ("对比2023Q1和2024Q1各产品线营收，按增长率排序", ["按产品线计算营收增长率", "按营收增长率从高到低排序"]),
        ("2023年各季度VIP复购率的变化趋势，并关联同期线上活动场次", ["看复购率变化趋势", "复购率与活动场次的相关性"]),
        ("用户U123申请贷款，请查征信、计算负债率、校验收入流水，并给出审批结论", ["计算负债率：负债 / 收入"]),
        ("What share of 2024-Q1 revenue came from each product line?", ["Compute the share of revenue by product line"]),
        (
            "How many quality complaints were filed between April and June 2024?",
            ["Fetch customer complaints (category 质量, created 2024-04-01 to 2024-06-30)", "Count the rows"],
        ),
        ("退货政策是什么", ["在知识库检索：退货政策是什么"]),
        ("退货率自2024年3月起", ["获取各产品各区域月度退货率（月份 2024-03起）"]),
    ],
)  # fmt: skip
def test_steps_are_described_with_the_labels_of_the_catalogue(
    planner: RulePlanner, question: str, expected: list[str]
) -> None:
    shown = described(planner, question)
    assert [d for d in shown if d in expected] == expected, shown


def test_a_computed_figure_keeps_the_name_that_the_question_gives_it(planner: RulePlanner) -> None:
    shown = described(planner, "For customer U123, calculate the debt burden: debt relative to income")
    assert "Compute the debt burden: debt / income" in shown


def test_listed_values_and_closed_ranges_must_be_covered(planner: RulePlanner) -> None:
    (one,) = checks(planner, "A产品和B产品2024年1月到3月的退货率明细")[:1]
    assert "covers: product [A, B]" in one
    assert "covers: month [2024-01, 2024-02, 2024-03]" in one
    (changes,) = checks(planner, "华东和华北的物流服务商变更记录")
    assert "covers: region [华东, 华北]" in changes
    assert "previous_provider" not in changes


def test_only_a_count_may_be_of_nothing(planner: RulePlanner) -> None:
    fetch, count = checks(planner, "2024年4月有多少质量类投诉")
    assert "rows >= 0" in fetch
    assert "rows >= 1" in count
    (order,) = checks(planner, "订单88231的状态")
    assert "rows >= 1" in order


def test_a_description_of_the_other_language_gives_way_to_a_name() -> None:
    field = Field(name="month", type="month")
    assert label(field, zh=True) == "月份"
    assert label(field, zh=False) == "month"
    held = Dataset(name="stock_moves", description="出入库流水（按仓）", grain=("month",), fields=(field,))
    assert subject(held, zh=True) == "出入库流水"
    assert subject(held, zh=False) == "stock moves"
