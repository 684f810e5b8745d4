"""The rule planner on the catalogue in configs/: the questions that the demo must answer, and some that it cannot."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from planner.catalogue import Catalogue
from planner.parse import check_plan
from planner.plan import SubGoal
from planner.rules import RulePlanner

TODAY = date(2024, 7, 15)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue.load(Path(__file__).parents[2] / "configs" / "sources")


@pytest.fixture(scope="module")
def planner(catalogue: Catalogue) -> RulePlanner:
    return RulePlanner(catalogue)


def goals(planner: RulePlanner, catalogue: Catalogue, question: str) -> list[SubGoal]:
    proposal = planner.propose(question, TODAY)
    assert proposal.plan is not None, proposal.reason
    check_plan(proposal.plan, catalogue)
    return list(proposal.plan.sub_goals)


def fetched(steps: list[SubGoal]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (g.data_source, g.params["dataset"], g.params["filters"])
        for g in steps
        if "filters" in g.params and "query" not in g.params
    ]


def derived(steps: list[SubGoal]) -> list[dict[str, Any]]:
    return [g.params for g in steps if g.data_source == "derive"]


def test_two_rates_and_the_changes_in_both_regions(planner: RulePlanner, catalogue: Catalogue) -> None:
    question = "对比A产品在华东区2024年1月的退货率与B产品在华北区同期的退货率，并结合两地物流服务商变更记录分析可能原因"
    steps = goals(planner, catalogue, question)
    assert fetched(steps) == [
        ("bi_sales", "returns", {"month": "2024-01", "product": "A", "region": "华东"}),
        ("bi_sales", "returns", {"month": "2024-01", "product": "B", "region": "华北"}),
        ("tickets", "provider_changes", {"region": ["华东", "华北"]}),
    ]
    assert derived(steps) == [
        {"operation": "difference", "inputs": ["{{g1.result}}", "{{g2.result}}"], "value": "return_rate"}
    ]
    assert "return_rate" in steps[0].validation
    assert "service_provider" in steps[2].validation


def test_complaints_by_version_beside_the_release_notes(planner: RulePlanner, catalogue: Catalogue) -> None:
    steps = goals(
        planner,
        catalogue,
        "对比2023年Q3与Q4客户投诉中高频出现的服务类问题，并分析其与新上线的CRM模块版本号的关联性",
    )
    assert fetched(steps) == [
        ("tickets", "complaints", {"quarter": ["2023-Q3", "2023-Q4"], "category": "服务"})
    ]
    spread, frequent = derived(steps)
    assert spread["operation"] == "count"
    assert spread["by"] == ["quarter", "crm_version"]
    assert frequent == {
        "operation": "count", "inputs": ["{{g1.result}}"], "by": ["summary"], "order": "desc", "top": 5,
    }  # fmt: skip
    assert "covers: quarter [2023-Q3, 2023-Q4]" in steps[0].validation
    assert [g.data_source for g in steps if "query" in g.params] == ["handbook"]


def test_a_trend_tied_to_another_table(planner: RulePlanner, catalogue: Catalogue) -> None:
    steps = goals(
        planner, catalogue, "对比2023年各季度VIP客户复购率变化趋势，并关联同期市场部举办的线上活动场次"
    )
    year = {"from": "2023-Q1", "to": "2023-Q4"}
    assert fetched(steps) == [
        ("bi_sales", "repurchase", {"quarter": year, "tier": "VIP"}),
        ("bi_sales", "campaigns", {"quarter": year, "channel": "线上"}),
    ]
    assert [d["operation"] for d in derived(steps)] == ["trend", "correlate"]
    assert derived(steps)[0]["inputs"] == ["{{g1.result}}"]
    assert "covers: quarter [2023-Q1, 2023-Q2, 2023-Q3, 2023-Q4]" in steps[0].validation


def test_growth_ranked_in_a_word_file(planner: RulePlanner, catalogue: Catalogue) -> None:
    steps = goals(planner, catalogue, "对比2023Q1和2024Q1各产品线营收，按增长率排序，生成Word报告")
    assert fetched(steps) == [("warehouse", "sales", {"quarter": ["2023-Q1", "2024-Q1"]})]
    assert [d["operation"] for d in derived(steps)] == ["growth", "rank"]
    assert steps[-1].data_source == "report"
    assert steps[-1].params["format"] == "docx"


def test_advice_an_order_and_a_refund_that_waits_for_delivery(
    planner: RulePlanner, catalogue: Catalogue
) -> None:
    question = "我家老人想要一台扫地机，预算2000以内，要好操作的。另外帮我看看订单88231到了没，到了的话帮我把那台坏的退掉。"
    steps = goals(planner, catalogue, question)
    assert fetched(steps) == [("warehouse", "orders", {"order_id": "88231"})]
    (advice,) = [g for g in steps if "query" in g.params]
    assert "扫地机" in advice.params["query"]
    (refund,) = [g for g in steps if "values" in g.params]
    assert refund.params["values"] == {"order_id": "88231"}
    assert refund.when == 'g1.status == "已签收"'


def test_a_loan_is_weighed_by_debts_income_and_rules(planner: RulePlanner, catalogue: Catalogue) -> None:
    steps = goals(planner, catalogue, "用户U123申请贷款，请查征信、计算负债率、校验收入流水，并给出审批结论")
    assert sorted(d for _, d, _ in fetched(steps)) == ["debts", "income", "reports"]
    assert all(f == {"user_id": "U123"} for _, _, f in fetched(steps))
    (ratio,) = derived(steps)
    assert ratio["operation"] == "ratio"
    assert [i.split(".")[-1] for i in ratio["inputs"]] == ["debt_amount}}", "income}}"]
    assert [g.data_source for g in steps if "query" in g.params] == ["handbook"]
    assert not any("values" in g.params for g in steps), (
        "a conclusion that is asked for is not one that is written"
    )


@pytest.mark.parametrize(
    "question", ["退货政策是什么", "查找CRM模块V2.3.1的发布说明", "提前还款有没有违约金"]
)
def test_plain_knowledge(planner: RulePlanner, catalogue: Catalogue, question: str) -> None:
    proposal = planner.propose(question, TODAY)
    assert proposal.plan is not None
    assert proposal.plan.route == "workflow"
    assert [g.data_source for g in proposal.plan.sub_goals] == ["handbook"]


def test_share_and_count_in_english(planner: RulePlanner, catalogue: Catalogue) -> None:
    share = goals(planner, catalogue, "What share of 2024-Q1 revenue came from each product line?")
    assert fetched(share) == [("warehouse", "sales", {"quarter": "2024-Q1"})]
    assert derived(share)[0]["by"] == ["product_line"]
    count = goals(planner, catalogue, "How many quality complaints were filed between April and June 2024?")
    assert fetched(count) == [
        ("tickets", "complaints", {"category": "质量", "created": {"from": "2024-04-01", "to": "2024-06-30"}})
    ]
    assert [d["operation"] for d in derived(count)] == ["count"]


def test_an_unreadable_time_is_refused(planner: RulePlanner) -> None:
    proposal = planner.propose("2024年13月A产品的退货率", TODAY)
    assert proposal.plan is None
    assert "13月" in proposal.reason


def test_an_empty_question(planner: RulePlanner) -> None:
    assert planner.propose("  ", TODAY).plan is None


def test_a_period_that_could_only_be_widened_is_told(planner: RulePlanner) -> None:
    asked = planner.propose("2024年1月各产品线营收是多少", TODAY)
    assert asked.plan is not None
    assert asked.plan.sub_goals[0].params["filters"] == {"quarter": "2024-Q1"}
    assert "2024年1月" in asked.unused
    for exact in (
        "2024年一季度各产品线营收是多少",
        "2024年1月A产品在华东的退货率",
        "2024年上半年各产品线营收是多少",
    ):
        assert not any("2024" in word for word in planner.propose(exact, TODAY).unused), exact


def test_to_report_is_not_to_write_a_report(planner: RulePlanner, catalogue: Catalogue) -> None:
    assert [g.data_source for g in goals(planner, catalogue, "门禁卡遗失要在几天内报告")] == ["handbook"]
    steps = goals(planner, catalogue, "2024年一季度各产品线营收，要一份报告")
    assert [g.data_source for g in steps] == ["warehouse", "report"]


@pytest.mark.parametrize("order", ["申请订单88231退款", "查询2024年一季度各产品线营收，并申请订单88231退款"])
def test_an_order_in_a_clause_of_its_own_is_kept(
    planner: RulePlanner, catalogue: Catalogue, order: str
) -> None:
    last = goals(planner, catalogue, order)[-1]
    assert (last.data_source, last.params["values"]) == ("refunds", {"order_id": "88231"})


def test_asking_about_an_application_writes_nothing(planner: RulePlanner, catalogue: Catalogue) -> None:
    steps = goals(planner, catalogue, "申请退款需要什么材料")
    assert [g.data_source for g in steps] == ["handbook"]


@pytest.mark.parametrize("order", ["订单90417到了吗，到了就帮我退掉", "订单90417到了吗，到了的话帮我退掉"])
def test_a_consequence_without_an_if_still_waits_for_its_condition(
    planner: RulePlanner, catalogue: Catalogue, order: str
) -> None:
    last = goals(planner, catalogue, order)[-1]
    assert (last.data_source, last.when) == ("refunds", 'g1.status == "已签收"')
