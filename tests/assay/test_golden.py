"""The questions that the product is for, asked on the demo company as a user asks them.

The values expected are worked out here from `demo.company`, which the sources are made from, never from Assay.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from demo import company
from demo.borrowers import BORROWERS, INCOME_MONTHS
from demo.complaints import COMPLAINTS as TICKETS
from demo.vacuums import EASY_VACUUM
from tests.assay.installation import Installation
from tests.assay.sources_opened import Sources

pytestmark = pytest.mark.slow

RETURNS = (
    "对比A产品在华东区2024年1月的退货率与B产品在华北区同期的退货率，并结合两地物流服务商变更记录分析可能原因"
)
COMPLAINTS = "对比2023年Q3与Q4客户投诉中高频出现的服务类问题，并分析其与新上线的CRM模块版本号的关联性"
REPURCHASE = "对比2023年各季度VIP客户复购率变化趋势，并关联同期市场部举办的线上活动场次"
REVENUE = "对比2023Q1和2024Q1各产品线营收，按增长率排序，生成Word报告"
VACUUM = "我家老人想要一台扫地机，预算2000以内，要好操作的。另外帮我看看订单88231到了没，到了的话帮我把那台坏的退掉。"
LOAN = "用户U123申请贷款，请查征信、计算负债率、校验收入流水，并给出审批结论"
POLICY = "退货政策是什么"
RELEASE = "查找CRM模块V2.3.1的发布说明"
SHARE = "What share of 2024-Q1 revenue came from each product line?"
COUNT = "How many quality complaints were filed between April and June 2024?"
UNANSWERABLE = "火星基地2024年的氧气消耗量是多少"

QUESTIONS = [RETURNS, COMPLAINTS, REPURCHASE, REVENUE, VACUUM, LOAN, POLICY, RELEASE, SHARE, COUNT]


@pytest.fixture(scope="module")
def ask(installation: Installation) -> Any:
    return cache(installation.ask)


def numbers(text: str) -> list[float]:
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def locators(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {c["id"]: c["locator"] for c in answer["answer"]["citations"]}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_json_has_the_promised_shape(ask: Any, question: str) -> None:
    answer = ask(question)
    assert list(answer)[:9] == [
        "run_id",
        "status",
        "route",
        "planner",
        "plan",
        "steps",
        "answer",
        "prompt",
        "seconds",
    ]
    assert set(answer["planner"]) >= {"name", "version", "confidence"}
    assert set(answer["answer"]) == {"text", "findings", "citations", "conflicts", "relaxations", "gaps"}
    for step in answer["steps"]:
        assert set(step) >= {"id", "status", "data_source", "attempts", "failure", "seconds"}
    cited = {c["id"] for c in answer["answer"]["citations"]}
    for finding in answer["answer"]["findings"]:
        assert set(finding) == {"statement", "value", "unit", "evidence"}
        assert finding["evidence"], finding
        assert set(finding["evidence"]) <= cited


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_citation_holds_its_value_when_the_source_is_opened(
    ask: Any, installation: Installation, question: str
) -> None:
    answer = ask(question)
    assert answer["answer"]["citations"]
    with Sources(installation) as sources:
        for citation in answer["answer"]["citations"]:
            assert sources.hold(citation), citation


def test_two_return_rates_the_conflict_and_the_provider_changes(ask: Any) -> None:
    answer = ask(RETURNS)
    assert (answer["status"], answer["exit_code"], answer["route"]) == ("answered", 0, "plan")
    a_sales = company.return_rate("sales", "A", "华东", "2024-01")
    a_support = company.return_rate("support", "A", "华东", "2024-01")
    (conflict,) = answer["answer"]["conflicts"]
    assert conflict["measure"] == "return_rate"
    assert {(v["source"], v["value"]) for v in conflict["values"]} == {
        ("bi_sales", a_sales),
        ("bi_support", a_support),
    }
    weights = {v["source"]: v["weight"] for v in conflict["values"]}
    kept = (a_sales * weights["bi_sales"] + a_support * weights["bi_support"]) / sum(weights.values())
    assert conflict["kept"] == pytest.approx(kept)
    b = company.return_rate("sales", "B", "华北", "2024-01")
    values = [f["value"] for f in answer["answer"]["findings"] if isinstance(f["value"], float)]
    for expected in (kept, b, kept - b):
        assert any(v == pytest.approx(expected) for v in values), (expected, values)
    assert f"{(kept - b) * 100:.2f}".rstrip("0") in answer["answer"]["text"]
    tickets = {loc["key"] for loc in locators(answer).values() if loc["kind"] == "ticket"}
    changes = [c for c in company.PROVIDER_CHANGES if c.region in ("华东", "华北")]
    assert tickets == {c.key for c in changes}
    for change in changes:
        assert change.key in answer["answer"]["text"] or change.date in answer["answer"]["text"]


def test_service_complaints_by_quarter_and_version(ask: Any) -> None:
    answer = ask(COMPLAINTS)
    assert answer["status"] == "answered"
    for quarter in ("2023-Q3", "2023-Q4"):
        total = sum(1 for c in TICKETS if c.category == "服务" and c.quarter == quarter)
        (other,) = {"2023-Q3", "2023-Q4"} - {quarter}
        said = [
            f
            for f in answer["answer"]["findings"]
            if quarter in f["statement"] and other not in f["statement"]
        ]
        by_version = [f["value"] for f in said if re.search(r"V\d", f["statement"])]
        assert total == sum(by_version), (quarter, total, said)
    versions = {
        c.crm_version for c in TICKETS if c.category == "服务" and c.quarter in ("2023-Q3", "2023-Q4")
    }
    assert all(v in answer["answer"]["text"] for v in versions if v)


def test_repurchase_rates_read_from_a_canvas(ask: Any) -> None:
    answer = ask(REPURCHASE)
    assert answer["status"] == "answered"
    read = {loc["row"]: loc for loc in locators(answer).values() if loc.get("method") == "ocr"}
    assert len(read) == 4
    text = answer["answer"]["text"]
    for quarter in ("2023-Q1", "2023-Q2", "2023-Q3", "2023-Q4"):
        rate = company.repurchase_rate("VIP", quarter)
        assert f"{rate * 100:.1f}%" in text.replace(" %", "%")
    assert "OCR" in text
    assert any(
        g["data_source"] == "derive" and g["params"]["operation"] == "correlate"
        for g in answer["plan"]["sub_goals"]
    )


def test_revenue_growth_as_a_word_report(ask: Any) -> None:
    from docx import Document

    answer = ask(REVENUE)
    assert answer["status"] == "answered"
    (report,) = [s for s in answer["steps"] if s["data_source"] == "report"]
    document = Document(report["artefact"])
    assert document.inline_shapes, "the report has no chart"
    lines = sorted(company.PRODUCT_LINES, key=lambda p: -company.growth(p, "2023-Q1", "2024-Q1"))
    rows = [[c.text for c in r.cells] for t in document.tables for r in t.rows]
    order = [next(p for p in lines if p in cells) for cells in rows if any(p in cells for p in lines)]
    assert order[: len(lines)] == lines
    for p in lines:
        assert f"{company.growth(p, '2023-Q1', '2024-Q1') * 100:.1f}%" in answer["answer"]["text"].replace(
            " %", "%"
        )


def test_a_recommendation_an_order_and_a_refund_that_waits(ask: Any, installation: Installation) -> None:
    from tests.assay.sources_opened import refunds

    answer = ask(VACUUM)
    assert (answer["status"], answer["exit_code"]) == ("partial", 3)
    assert "已签收" in answer["answer"]["text"]
    assert any("refunds" in str(g) and "--approve" in str(g) for g in answer["answer"]["gaps"])
    assert EASY_VACUUM in answer["answer"]["text"]
    assert refunds(installation) == []

    approved = installation.ask(VACUUM, "--approve", "refunds")
    assert (approved["status"], approved["exit_code"]) == ("answered", 0)
    (refund,) = refunds(installation)
    assert refund["order_id"] == "88231"
    assert refund["refund_id"] in approved["answer"]["text"]

    again = installation.ask(VACUUM, "--approve", "refunds")
    assert again["status"] == "answered"
    assert refunds(installation) == [refund]


def test_a_loan_is_checked_against_the_rules(ask: Any) -> None:
    answer = ask(LOAN)
    assert answer["status"] == "answered"
    borrower = BORROWERS["U123"]
    values = [f["value"] for f in answer["answer"]["findings"]]
    assert borrower.credit_score in values
    debt = sum(loan.balance for loan in borrower.loans)
    assert len(borrower.income) == len(INCOME_MONTHS) == 12
    ratio = debt / sum(i for i in borrower.income.values() if i is not None)
    assert any(isinstance(v, float) and v == pytest.approx(ratio) for v in values), (ratio, values)
    assert any(loc["kind"] == "page" for loc in locators(answer).values())
    assert "符合" in answer["answer"]["text"]


def test_the_return_policy(ask: Any) -> None:
    answer = ask(POLICY)
    assert (answer["status"], answer["route"]) == ("answered", "workflow")
    assert any("退货" in loc["document"] for loc in locators(answer).values())


def test_the_release_note_on_page_17(ask: Any) -> None:
    answer = ask(RELEASE)
    assert (answer["status"], answer["route"]) == ("answered", "workflow")
    pages = [loc for loc in locators(answer).values() if loc["page"] == 17]
    assert any(loc.get("table_id") for loc in pages)
    assert "V2.3.1" in answer["answer"]["text"]


def test_shares_of_revenue(ask: Any) -> None:
    answer = ask(SHARE)
    assert answer["status"] == "answered"
    total = sum(company.revenue(line, "2024-Q1") for line in company.PRODUCT_LINES)
    for line in company.PRODUCT_LINES:
        assert f"{company.revenue(line, '2024-Q1') / total * 100:.1f}%" in answer["answer"]["text"].replace(
            " %", "%"
        )


def test_a_count_of_complaints(ask: Any) -> None:
    answer = ask(COUNT)
    assert answer["status"] == "answered"
    expected = sum(
        1 for c in TICKETS if c.category == "质量" and "2024-04-01" <= c.created[:10] <= "2024-06-30"
    )
    assert expected in [f["value"] for f in answer["answer"]["findings"]]


@pytest.mark.parametrize(
    "question",
    [UNANSWERABLE, "What was the share price of our largest competitor last week?", "员工张三的工资是多少"],
)
def test_what_cannot_be_answered_is_said_without_a_number(ask: Any, question: str) -> None:
    answer = ask(question)
    assert (answer["status"], answer["exit_code"]) == ("insufficient", 3)
    assert re.search("数据不足|insufficient data", answer["answer"]["text"], re.I)
    assert answer["answer"]["gaps"]
    assert answer["answer"]["findings"] == []
    asked = numbers(question)
    assert [n for n in numbers(answer["answer"]["text"]) if n not in asked] == []
