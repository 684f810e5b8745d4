"""Each operation's meaning in words, computed by the real steps on real rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.reflector.world import Outcome, World, assert_grounded, derive, fetch

LINE = {"name": "product_line", "type": "text", "synonyms": ["产品线", "product line"]}
QUARTER = {"name": "quarter", "type": "quarter", "synonyms": ["季度"]}
REVENUE = {"name": "revenue", "type": "money", "synonyms": ["营收", "revenue"]}
TIER = {"name": "tier", "type": "text", "synonyms": ["客户等级"]}
RATE = {"name": "repurchase_rate", "type": "percent", "synonyms": ["复购率", "repurchase rate"]}
EVENTS = {"name": "events", "type": "integer", "synonyms": ["活动场次"]}
QUARTERS = ["2023-Q1", "2023-Q2", "2023-Q3", "2023-Q4"]


@pytest.fixture
def shop(world: World) -> World:
    sales = [
        ("清洁", "2023-Q1", 100.0),
        ("清洁", "2024-Q1", 125.0),
        ("厨房", "2023-Q1", 200.0),
        ("厨房", "2024-Q1", 194.0),
    ]
    world.sql("warehouse", "sales", [LINE, QUARTER, REVENUE], sales, grain=("product_line", "quarter"))
    rates = [("VIP", q, r) for q, r in zip(QUARTERS, (0.312, 0.335, 0.368, 0.41), strict=True)]
    world.sql("board", "repurchase", [TIER, QUARTER, RATE], rates, grain=("tier", "quarter"))
    world.sql(
        "events",
        "campaigns",
        [QUARTER, EVENTS],
        list(zip(QUARTERS, (4, 6, 9, 13), strict=True)),
        grain=("quarter",),
    )
    return world


def cited_texts(outcome: Outcome, value: object) -> set[str | None]:
    """What stands at the places cited for the finding of that value."""
    (found,) = [f for f in outcome.answer.findings if f.value == pytest.approx(value)]
    places = {c.id: c.locator for c in outcome.answer.citations}
    assert all(places[i].kind != "derived" for i in found.evidence)
    return {places[i].text for i in found.evidence}


def test_growth_of_two_periods_ranked(shop: World) -> None:
    out = shop.run(
        "各产品线营收增长率",
        fetch("g1", "warehouse", "sales", {"quarter": ["2023-Q1", "2024-Q1"]}),
        derive("g2", "growth", "g1", value="revenue", by=["product_line"], order="desc"),
    )
    assert_grounded(out)
    assert out.answer.status == "answered"
    first, second = (f.statement for f in out.answer.findings[:2])
    assert first == "清洁 营收 由 100（2023-Q1）增至 125（2024-Q1），增长率 25.0%"
    assert second == "厨房 营收 由 200（2023-Q1）降至 194（2024-Q1），增长率 -3.0%"
    assert cited_texts(out, 0.25) == {"100.0", "125.0"}


def test_share(shop: World) -> None:
    out = shop.run(
        "What share of 2024-Q1 revenue came from each product line?",
        fetch("g1", "warehouse", "sales", {"quarter": "2024-Q1"}),
        derive("g2", "share", "g1", value="revenue", by=["product_line"]),
    )
    assert_grounded(out)
    assert "厨房: revenue 194, a share of 60.8%" in out.answer.text
    assert cited_texts(out, 194 / 319) == {"194.0"}


def test_trend_and_correlation(shop: World) -> None:
    out = shop.run(
        "2023年各季度VIP复购率变化趋势，关联活动场次",
        fetch(
            "g1",
            "board",
            "repurchase",
            {"tier": "VIP"},
            "has_columns: [quarter, repurchase_rate] AND rows >= 1",
        ),
        fetch("g2", "events", "campaigns"),
        derive("g3", "trend", "g1", value="repurchase_rate"),
        derive("g4", "correlate", "g1.result.repurchase_rate", "g2.result.events"),
    )
    assert_grounded(out)
    text = out.answer.text
    assert "复购率 由 31.2% 变为 41.0%，总体上升" in text
    assert "复购率 与 活动场次 的相关系数 r = 1.00（n = 4），强正相关；样本很少" in text
    for shown in ("31.2%", "33.5%", "36.8%", "41.0%"):
        assert shown in text
    r = next(f for f in out.answer.findings if "r = " in f.statement)
    assert len(r.evidence) == 8


def test_rank_sum_and_formula(shop: World) -> None:
    out = shop.run(
        "2024-Q1营收排名、合计、之比",
        fetch("g1", "warehouse", "sales", {"quarter": "2024-Q1"}),
        derive("g2", "rank", "g1", value="revenue", by=["product_line"]),
        derive("g3", "sum", "g1", value="revenue"),
        fetch("g4", "warehouse", "sales", {"quarter": "2023-Q1", "product_line": "清洁"}),
        fetch("g5", "warehouse", "sales", {"quarter": "2024-Q1", "product_line": "厨房"}),
        derive("g6", "ratio", "g4.result.revenue", "g5.result.revenue", description="计算营收比"),
        derive("g7", "count", "g1", by=["quarter"]),
    )
    assert_grounded(out)
    text = out.answer.text
    assert "第 1：厨房 营收 194" in text
    assert "营收 合计 319" in text
    assert "营收比：" in text
    assert "51.55%" in text
    assert "2024-Q1：2 条" in text


def test_two_items_with_the_difference_in_points(two_boards: World) -> None:
    out = two_boards.run(
        "A产品华东与B产品华北2024年1月的退货率对比",
        fetch("g1", "sales", "returns", {"product": "A", "region": "华东", "month": "2024-01"}),
        fetch("g2", "sales", "returns", {"product": "B", "region": "华北", "month": "2024-01"}),
        derive("g3", "difference", "g1", "g2", value="return_rate"),
    )
    assert_grounded(out)
    kept = (0.052 * 0.85 + 0.061 * 0.75) / 1.6
    assert out.rules == ["reconcile_numbers", "reconcile_numbers", "conclude"]
    (conflict,) = out.answer.conflicts
    assert conflict.kept == pytest.approx(kept)
    assert [(c.source, c.value, c.weight) for c in conflict.values] == [
        ("sales", 0.052, 0.85),
        ("support", 0.061, 0.75),
    ]
    assert all(c.citation for c in conflict.values)
    assert "2024-01 A产品 华东 退货率 5.62%，比 B产品 华北（3.8%）高 1.82 个百分点" in out.answer.text
    assert cited_texts(out, kept - 0.038) == {"0.052", "0.061", "0.038"}


@pytest.mark.parametrize("asked", [["A", "B"], ["B", "A"]])
@pytest.mark.parametrize("stored", [("A", "B"), ("B", "A")])
def test_two_items_of_one_input_keep_their_values(
    world: World, asked: list[str], stored: tuple[str, str]
) -> None:
    product = {"name": "product", "type": "text", "synonyms": ["产品"]}
    region = {"name": "region", "type": "text", "synonyms": ["区域"]}
    rows = {"A": ("A", "华东", "2024-Q1", 0.3), "B": ("B", "华北", "2024-Q1", 0.2)}
    world.sql("board", "rates", [product, region, QUARTER, RATE], [rows[p] for p in stored])
    out = world.run(
        "A产品与B产品复购率对比",
        fetch("g1", "board", "rates", {"product": asked}),
        derive("g2", "difference", "g1", value="repurchase_rate"),
    )
    assert_grounded(out)
    statement = out.answer.findings[0].statement
    higher = "A产品 华东 复购率 30.0%，比 B产品 华北（20.0%）高 10 个百分点"
    lower = "B产品 华北 复购率 20.0%，比 A产品 华东（30.0%）低 10 个百分点"
    assert statement.removeprefix("2024-Q1 ") in (higher, lower)


def test_a_rank_of_growth_tells_the_growth_once(shop: World) -> None:
    out = shop.run(
        "各产品线营收按增长率排序",
        fetch("g1", "warehouse", "sales", {"quarter": ["2023-Q1", "2024-Q1"]}),
        derive("g2", "growth", "g1", value="revenue", by=["product_line"]),
        derive("g3", "rank", "g2", order="desc"),
    )
    assert_grounded(out)
    text = out.answer.text
    assert "第 1：清洁 营收 由 100（2023-Q1）增至 125（2024-Q1），增长率 25.0%" in text
    assert text.count("清洁 营收") == 1
    assert [f.value for f in out.answer.findings if f.statement.startswith("第")] == [0.25, -0.03]


def test_the_difference_of_two_counts(world: World) -> None:
    ticket = [
        {"name": "ticket_id", "type": "text", "synonyms": ["工单号"]},
        {"name": "category", "type": "text", "synonyms": ["类别"]},
        {"name": "created", "type": "date"},
    ]
    rows = [(f"CS-{n}", "服务" if n % 3 else "质量", f"2024-0{1 + n % 2}-1{n % 9}") for n in range(9)]
    world.sql("desk", "complaints", ticket, rows, grain=("ticket_id",))
    out = world.run(
        "服务与质量投诉各多少",
        fetch("g1", "desk", "complaints", {"category": "服务"}),
        fetch("g2", "desk", "complaints", {"category": "质量"}),
        derive("g3", "count", "g1", by=["created:month"]),
        derive("g4", "count", "g2"),
    )
    assert_grounded(out)
    assert "2024-01：3 条" in out.answer.text
    (total,) = [f for f in out.answer.findings if f.value == 3 and f.statement == "complaints：3 条"]
    assert len(total.evidence) == 3


def test_a_cause_is_asked_for_and_what_happened_at_the_time_is_told(two_boards: World) -> None:
    from executor.state import ExecutionState, StepResult
    from planner.plan import Plan
    from reflector.answer import compose
    from tests.reflector.world import TODAY, Settings, cells

    out = two_boards.run(
        "A产品华东2024年1月退货率高的原因",
        fetch("g1", "sales", "returns", {"product": "A"}),
    )
    carrier = {"name": "carrier", "type": "text", "synonyms": ["物流服务商"]}
    two_boards.sql("tickets", "changes", [carrier], [])
    changes = cells(
        "support", "returns", {"region": "text", "changed": "date", "carrier": "text"},
        [
            ["华东", "2024-01-03", "迅达"], ["华东", "2023-12-10", "安捷"], ["华东", "2023-10-01", "中联"],
            ["华北", "2023-10-05", "远航"],
        ],
        "records",
    )  # fmt: skip
    plan = Plan(
        question=out.answer.question,
        route="plan",
        sub_goals=(*out.state.plan.sub_goals, fetch("g2", "support", "returns", description="变更")),
    )
    state = ExecutionState.of("r", plan, TODAY)
    state.results |= {"g1": out.state.results["g1"], "g2": StepResult("g2", "success", evidence=changes)}
    answer = compose(state, two_boards.catalogue, [], {}, Settings())
    near = [f for f in answer.findings if "时间相近不等于因果" in f.statement]
    assert [f.value for f in near] == ["2024-01-03", "2023-12-10"]
    assert (
        "（2024-01-03，华东：物流服务商 迅达）发生在 A产品 华东 退货率所属期间（2024-01）内"
        in near[0].statement
    )
    assert "所属期间（2024-01）之前一个月内" in near[1].statement
    cited = {c.id: c.locator for c in answer.citations}
    assert {cited[i].field for i in near[0].evidence} == {"changed", "carrier", "return_rate"}
    assert_grounded(Outcome(answer, state, []))


def test_nothing_happened_near_a_measure(two_boards: World) -> None:
    from reflector.coincidence import coincidences
    from reflector.writing import Writing

    change = [
        {"name": "ticket_id", "type": "text"},
        {"name": "region", "type": "text"},
        {"name": "changed", "type": "date"},
        {"name": "carrier", "type": "text", "synonyms": ["承运商"]},
    ]
    two_boards.sql("desk", "changes", change, [("L-1", "华北", "2023-10-05", "远航")], grain=("ticket_id",))
    out = two_boards.run(
        "B产品华北2024年1月退货率的原因",
        fetch("g1", "sales", "returns", {"product": "B", "month": "2024-01"}),
        fetch("g2", "desk", "changes"),
    )
    evidence = out.state.results["g2"].evidence
    assert evidence is not None
    out.state.results["g2"] = replace(out.state.results["g2"], evidence=replace(evidence, kind="records"))
    (found,) = coincidences(Writing.of(out.state, two_boards.catalogue))
    assert "B产品 华北 退货率所属期间（2024-01）及此前一个月内没有相关记录，最近一条是" in found.statement
    assert "2023-10-05，华北：" in found.statement
    assert "承运商 远航" in found.statement


@pytest.mark.parametrize(
    ("description", "told"),
    [
        ("计算负债率：负债 / 收入", "负债率：用户 U1 负债 40 ÷ 收入 780 = 5.13%"),
        ("计算比值：debt_amount / income", "负债率：用户 U1 负债 40 ÷ 收入 780 = 5.13%"),
    ],
)
def test_a_ratio_in_the_words_of_the_question(world: World, description: str, told: str) -> None:
    user = {"name": "user_id", "type": "text", "synonyms": ["用户"]}
    month = {"name": "month", "type": "month", "synonyms": ["月份"]}
    income = {"name": "income", "type": "money", "synonyms": ["收入"]}
    debt = {"name": "debt_amount", "type": "money", "synonyms": ["负债"]}
    world.sql("core", "debts", [user, debt], [("U1", 40.0)], grain=("user_id",))
    rows = [("U1", f"2024-{m:02d}", 58.5 + m) for m in range(1, 13)]
    world.sql("pay", "income", [user, month, income], rows, grain=("user_id", "month"))
    out = world.run(
        "用户U1的负债率",
        fetch("g1", "core", "debts"),
        fetch("g2", "pay", "income", description="获取收入流水（user_id = U1）"),
        derive("g3", "ratio", "g1.result.debt_amount", "g2.result.income", description=description),
    )
    assert_grounded(out)
    text = out.answer.text
    assert out.answer.findings[0].statement == told
    assert len(out.answer.findings[0].evidence) == 12
    assert "等 13 条" in text
    assert (
        "收入流水（用户 = U1）：共 12 行，收入最低 59.5、最高 70.5，2024-01 为 59.5，2024-12 为 70.5" in text
    )
    assert text.count("\n- ") <= 5
    assert "收入取 12 行（各月份）的合计" in text
    assert "income" not in text
    assert "debt" not in text


def test_counts_in_groups_with_their_totals(world: World) -> None:
    ticket = [
        {"name": "ticket_id", "type": "text", "synonyms": ["工单号"]},
        {"name": "quarter", "type": "quarter"},
        {"name": "version", "type": "text", "synonyms": ["版本"]},
    ]
    split = [("2023-Q3", "V2.2.0", 2), ("2023-Q3", "V2.3.0", 7), ("2023-Q4", "V2.3.1", 19)]
    rows = [(f"T{q}{v}{n}", q, v) for q, v, count in split for n in range(count)]
    world.sql("desk", "complaints", ticket, rows, grain=("ticket_id",))
    out = world.run(
        "各季度各版本投诉数",
        fetch("g1", "desk", "complaints"),
        derive("g2", "count", "g1", by=["quarter", "version"]),
    )
    assert_grounded(out)
    counts = [f.statement for f in out.answer.findings if "条" in f.statement][:5]
    assert counts == [
        "2023-Q3 V2.2.0：2 条", "2023-Q3 V2.3.0：7 条", "2023-Q4 V2.3.1：19 条", "2023-Q3 合计：9 条", "合计：28 条",
    ]  # fmt: skip
    assert all(len(f.evidence) <= 12 for f in out.answer.findings)
    assert "等 19 条" in out.answer.text


def test_the_first_few_of_a_growth_are_the_only_list(shop: World) -> None:
    out = shop.run(
        "营收增长最快的产品线",
        fetch("g1", "warehouse", "sales", {"quarter": ["2023-Q1", "2024-Q1"]}),
        derive("g2", "growth", "g1", value="revenue", by=["product_line"]),
        derive("g3", "rank", "g2", order="desc", top=1),
    )
    assert_grounded(out)
    computed = [f.statement for f in out.answer.findings if "增长率" in f.statement]
    assert computed == ["第 1：清洁 营收 由 100（2023-Q1）增至 125（2024-Q1），增长率 25.0%"]
    assert "厨房" not in out.answer.text.split("依据")[0]
