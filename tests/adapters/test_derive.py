from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.base import Evidence
from adapters.derive import OPERATIONS, DeriveError, Operand, derive


def table(types: dict[str, str], *rows: tuple[Any, ...]) -> Evidence:
    return Evidence(
        "table", "s", "d", tuple(types), tuple(dict(zip(types, r, strict=True)) for r in rows), types=types
    )


def run(operation: str, *inputs: Evidence | Operand, **params: Any) -> Evidence:
    operands = [i if isinstance(i, Operand) else Operand(f"g{n}", i) for n, i in enumerate(inputs, 1)]
    return derive(operation, operands, **params)


def column(evidence: Evidence, name: str = "value") -> list[Any]:
    return [r[name] for r in evidence.rows]


RETURNS = {"product": "text", "region": "text", "month": "month", "return_rate": "percent"}
SALES = {"line": "text", "quarter": "quarter", "revenue": "money"}
A = table(RETURNS, ("A", "华东", "2024-01", 0.052))
B = table(RETURNS, ("B", "华北", "2024-01", 0.038))
REVENUE = table(
    SALES,
    ("x", "2023-Q1", 100.0), ("x", "2024-Q1", 130.0),
    ("y", "2023-Q1", 50.0), ("y", "2024-Q1", 45.0),
    ("z", "2023-Q1", 0.0), ("z", "2024-Q1", 10.0),
)  # fmt: skip


def test_two_single_values_of_different_items() -> None:
    e = run("difference", A, B, value="return_rate")
    assert e.rows == ({"month": "2024-01", "value": 0.014, "left": 0.052, "right": 0.038},)
    assert e.types["value"] == "percent"
    assert e.summary == "A 华东 2024-01 − B 华北 2024-01 return_rate = 1.4 pp"
    place = e.locate(0, "left")
    assert place is not None
    assert (place.kind, place.operation, place.inputs) == ("derived", "difference", ("g1", "g2"))
    assert place.row == "A · 华东 · 2024-01"
    assert e.locate(0, "right").row == "B · 华北 · 2024-01"  # type: ignore[union-attr]
    assert e.locate(0, "value").text == "1.4%"  # type: ignore[union-attr]
    assert (e.kind, e.source, e.dataset) == ("table", "derive", "difference")


@pytest.mark.parametrize("second", ["华北", "华南"])
def test_one_result_with_two_items_compares_first_with_second(second: str) -> None:
    both = table(RETURNS, ("A", "华东", "2024-01", 0.05), ("A", second, "2024-01", 0.04))
    assert run("difference", both).rows == (
        {"product": "A", "month": "2024-01", "value": 0.01, "left": 0.05, "right": 0.04},
    )


def test_the_dimension_that_by_names_is_compared_when_there_is_no_other() -> None:
    both = table(RETURNS, ("A", "华东", "2024-01", 0.05), ("A", "华北", "2024-01", 0.04))
    assert column(run("difference", both, value="return_rate", by=("region",))) == [pytest.approx(0.01)]
    assert column(run("ratio", both, value="return_rate", by=("region",))) == [pytest.approx(1.25)]


def test_items_of_several_months_are_matched_by_month() -> None:
    both = table(
        RETURNS,
        ("A", "e", "2024-01", 0.05), ("A", "e", "2024-02", 0.06), ("A", "w", "2024-01", 0.01), ("A", "w", "2024-02", 0.02),
    )  # fmt: skip
    e = run("difference", both, by=["month"])
    assert [(r["month"], r["value"]) for r in e.rows] == [("2024-01", 0.04), ("2024-02", 0.04)]


def test_growth_over_two_periods_later_first() -> None:
    e = run("growth", REVENUE, value="revenue", order="desc")
    assert [(r["line"], r["value"]) for r in e.rows] == [("x", 0.3), ("y", -0.1), ("z", None)]
    assert e.rows[0]["left"] == 130.0
    assert e.types == {"line": "text", "value": "percent", "left": "money", "right": "money"}
    assert e.notes == ("z: the second value is 0, so there is no growth",)
    assert e.summary.startswith("2023-Q1 → 2024-Q1 revenue = ")
    assert column(run("growth", REVENUE, order="desc", top=1), "line") == ["x"]


def test_growth_in_total_by_the_period_itself() -> None:
    e = run("growth", REVENUE, by=["quarter"])
    assert e.rows == (
        {"quarter": "2024-Q1", "value": pytest.approx(35 / 150), "left": 185.0, "right": 150.0},
    )


def test_growth_over_several_periods_is_each_on_the_one_before() -> None:
    e = run("growth", table(SALES, ("x", "2023-Q1", 10.0), ("x", "2023-Q2", 20.0), ("x", "2023-Q3", 10.0)))
    assert [(r["quarter"], r["value"]) for r in e.rows] == [("2023-Q2", 1.0), ("2023-Q3", -0.5)]


def test_months_of_two_years_are_matched_in_step() -> None:
    kinds = {"month": "month", "n": "integer"}
    now = table(kinds, *((f"2024-0{m}", 2 * m) for m in (1, 2, 3)))
    before = table(kinds, *((f"2023-0{m}", m) for m in (1, 2, 3)))
    e = run("growth", now, before)
    assert [(r["month"], r["value"]) for r in e.rows] == [
        ("2024-01", 1.0),
        ("2024-02", 1.0),
        ("2024-03", 1.0),
    ]


def test_ratio_of_two_measures_of_different_grain() -> None:
    debts = table({"user": "text", "debt": "money", "payment": "money"}, ("U1", 30_000.0, 1.0))
    income = table(
        {"user": "text", "month": "month", "income": "money"},
        *(("U1", f"2024-0{m}", 10_000.0) for m in range(1, 7)),
    )
    e = run("ratio", Operand("g1", debts, "debt"), Operand("g2", income, "income"))
    assert e.rows == ({"user": "U1", "value": 0.5, "left": 30_000.0, "right": 60_000.0},)
    assert e.types["value"] == "percent"
    assert e.notes == ("g2 income: sum of 6 rows over month",)


def test_two_measures_of_one_result_go_row_by_row() -> None:
    orders = table({"id": "text", "price": "money", "n": "integer"}, ("1", 2.5, 4), ("2", 3.0, None))
    e = run("product", Operand("g1", orders, "price"), Operand("g1", orders, "n"))
    assert column(e) == [10.0, None]
    assert e.types["value"] == "money"


def test_a_total_goes_with_every_row() -> None:
    whole = run("sum", table(SALES, ("x", "2024-Q1", 30.0), ("y", "2024-Q1", 10.0)))
    parts = table(SALES, ("x", "2024-Q1", 30.0), ("y", "2024-Q1", 10.0))
    for by in ([], ["line"]):
        assert [(r["line"], r["value"]) for r in run("ratio", parts, whole, by=by).rows] == [
            ("x", 0.75),
            ("y", 0.25),
        ]


def test_values_without_counterpart_are_named() -> None:
    a = table(SALES, ("x", "2024-Q1", 1.0), ("y", "2024-Q1", 2.0))
    b = table(SALES, ("y", "2024-Q1", 5.0), ("z", "2024-Q1", 6.0))
    e = run("difference", a, b)
    assert column(e) == [-3.0]
    assert len(e.notes) == 2
    assert all("have no counterpart" in n for n in e.notes)


def test_share_and_rank() -> None:
    e = run("share", REVENUE, by=["line"])
    assert [(r["line"], r["value"]) for r in e.rows] == [("x", 230.0), ("y", 95.0), ("z", 10.0)]
    assert sum(column(e, "share")) == pytest.approx(1)
    assert e.types["share"] == "percent"
    ties = table({"k": "text", "v": "number"}, ("a", 1.0), ("b", 3.0), ("c", 3.0), ("d", None))
    ranked = run("rank", ties)
    assert [(r["k"], r["rank"]) for r in ranked.rows] == [("b", 1), ("c", 1), ("a", 3)]
    assert ranked.notes == ("1 of 4 rows have no v",)
    assert column(run("rank", ties, top=1), "k") == ["b", "c"]
    assert column(run("rank", ties, order="asc"), "k") == ["a", "b", "c"]


TICKETS = table(
    {"id": "text", "kind": "text", "opened": "date"},
    ("1", "a", "2024-01-30"), ("2", "b", "2024-01-31"), ("3", "b", "2024-02-01"), ("4", None, "2023-12-31"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ([], [(4,)]),
        (["kind"], [("b", 2), ("a", 1), (None, 1)]),
        (["opened:month"], [("2023-12", 1), ("2024-01", 2), ("2024-02", 1)]),
        (["opened:week"], [("2023-W52", 1), ("2024-W05", 3)]),
        (["opened:quarter"], [("2023-Q4", 1), ("2024-Q1", 3)]),
        (["opened:year"], [("2023", 1), ("2024", 3)]),
    ],
)
def test_count(by: list[str], expected: list[tuple[Any, ...]]) -> None:
    e = run("count", TICKETS, by=by)
    assert [tuple(r[c] for c in [*by, "value"]) for r in e.rows] == expected
    assert column(e, "count") == column(e)
    assert column(run("count", TICKETS, by=by, order="desc", top=1)) == [max(x[-1] for x in expected)]


def test_count_of_a_field_leaves_out_the_empty() -> None:
    assert column(run("count", TICKETS, value="kind")) == [3]
    assert column(run("count", Operand("g1", TICKETS, "kind"))) == [3]
    assert column(run("count", table({"id": "text"}))) == [0]


@pytest.mark.parametrize(
    ("operation", "value"), [("sum", 335.0), ("mean", 335 / 6), ("min", 0.0), ("max", 130.0)]
)
def test_totals(operation: str, value: float) -> None:
    assert column(run(operation, REVENUE)) == [pytest.approx(value)]
    split = [table(SALES, tuple(r.values())) for r in REVENUE.rows]
    assert column(run(operation, *split, value="revenue")) == [pytest.approx(value)]


RATES = table(
    {"tier": "text", "quarter": "quarter", "rate": "percent"},
    *(("VIP", f"2023-Q{n}", r) for n, r in enumerate((0.21, 0.23, 0.25, 0.24), 1)),
)
EVENTS = table(
    {"channel": "text", "quarter": "quarter", "events": "integer"},
    *(("web", f"2023-Q{n}", r) for n, r in enumerate((3, 4, 6, 5), 1)),
)


def test_trend() -> None:
    e = run("trend", RATES)
    assert e.rows == ({"value": 0.03, "slope": 0.011, "first": 0.21, "last": 0.24},)
    assert e.notes == ("2023-Q1 … 2023-Q4, 4 points, slope per quarter",)
    gaps = table({"month": "month", "v": "number"}, ("2024-05", 5.0), ("2024-01", 1.0), ("2024-02", 2.0))
    assert column(run("trend", gaps), "slope") == [1.0]  # a missing month is a gap, not a step
    per_line = run("trend", REVENUE)
    assert [(r["line"], r["value"]) for r in per_line.rows] == [("x", 30.0), ("y", -5.0), ("z", 10.0)]
    daily = table(
        {"at": "date", "v": "number"}, ("2024-01-05", 1.0), ("2024-01-20", 1.0), ("2024-02-20", 5.0)
    )
    assert run("trend", daily, by=["at:month"]).rows[0]["first"] == 2.0


def test_correlate() -> None:
    e = run("correlate", RATES, EVENTS)
    assert e.rows[0]["n"] == 4
    assert e.rows[0]["value"] == e.rows[0]["r"] == pytest.approx(0.982708, abs=1e-6)
    flat = table({"quarter": "quarter", "v": "number"}, *((f"2023-Q{n}", 1.0) for n in range(1, 5)))
    assert run("correlate", RATES, flat).rows[0]["value"] is None
    two = Operand("g1", RATES, "rate"), Operand("g1", RATES, "rate")
    assert run("correlate", *two).rows[0]["r"] == 1.0


def test_months_are_put_into_quarters_to_be_compared() -> None:
    monthly = table({"month": "month", "n": "integer"}, *((f"2023-{m:02d}", m) for m in range(1, 13)))
    e = run("correlate", RATES, monthly)
    assert e.rows[0]["n"] == 4
    assert "sum of 12 rows" in e.notes[0]


def test_join() -> None:
    e = run("join", RATES, EVENTS)
    assert e.rows[1] == {
        "tier": "VIP",
        "quarter": "2023-Q2",
        "rate": 0.23,
        "channel": "web",
        "events": 4,
        "value": 0.23,
    }
    clash = run("join", REVENUE, table(SALES, ("x", "2024-Q1", 9.0)))
    assert clash.rows == (
        {"line": "x", "quarter": "2024-Q1", "revenue": 130.0, "revenue (g2)": 9.0, "value": 130.0},
    )
    assert "gave 1 that match" in clash.notes[0]


def test_results_can_be_inputs() -> None:
    growth = run("growth", REVENUE)
    e = run("rank", Operand("g2", growth, "value"))
    assert [(r["line"], r["rank"]) for r in e.rows] == [("x", 1), ("y", 2)]
    assert (
        column(run("rank", growth, value="revenue"))[0] == 0.3
    )  # the measure's own name stands for its value
    assert column(run("difference", run("mean", A), run("mean", B))) == [0.014]


@pytest.mark.parametrize("by", ["opened:month", "opened"])
def test_buckets_of_an_earlier_step_can_be_named(by: str) -> None:
    claims = table(
        {"claim": "text", "opened": "date"}, ("a", "2024-01-03"), ("b", "2024-02-03"), ("c", "2024-02-04")
    )
    counted = run("count", claims, by=("opened:month",))
    assert column(run("difference", counted, by=(by,))) == [1.0]
    assert [r["value"] for r in run("rank", counted, by=(by,)).rows] == [2.0, 1.0]


TEXT = Evidence("text", "s", "documents", ("doc", "text"), ({"doc": "a", "text": "b"},))


@pytest.mark.parametrize(
    ("operation", "inputs", "params", "match"),
    [
        ("median", [A], {}, "unknown operation 'median'"),
        ("sum", [], {}, "no input"),
        ("difference", [A], {}, "needs two values to compare; g1 holds 1 row"),
        ("difference", [A, B, A], {}, "one or two inputs"),
        ("difference", [A, B], {"value": "colour"}, "g1 has no field 'colour'; it has product"),
        ("difference", [Operand("g1", A, "region"), B], {}, "region is a text"),
        ("rank", [table({"a": "number", "b": "number"}, (1.0, 2.0))], {}, "several measures"),
        ("rank", [TICKETS], {}, "no measure"),
        ("rank", [table(SALES)], {}, "no rows"),
        ("growth", [table(SALES), REVENUE], {}, "g1 has no rows"),
        ("rank", [A], {"order": "up"}, "asc or desc"),
        ("count", [TICKETS], {"by": ["colour"]}, "no field 'colour' to group by"),
        ("count", [TICKETS], {"by": ["kind:month"]}, "a bucket is"),
        ("count", [TICKETS], {"by": ["opened:decade"]}, "a bucket is"),
        ("trend", [A], {}, "at least two periods; g1 holds 1 of month"),
        ("trend", [table({"v": "number"}, (1.0,), (2.0,))], {}, "no field of a time type"),
        ("correlate", [A, B], {}, "at least 3 pairs of values; g1 and g2 have 1"),
        ("correlate", [TICKETS], {}, "needs two measures"),
        ("sum", [TEXT], {}, "passages"),
        ("join", [A], {}, "at least two inputs"),
        ("join", [TICKETS, REVENUE], {}, "no value in common"),
        ("difference", [REVENUE, table(SALES, ("x", "2023-Q1", 1.0), ("w", "2024-Q1", 1.0))],
         {"by": ["line", "quarter"], "value": "x"}, "no field 'x'"),
    ],
)  # fmt: skip
def test_what_cannot_be_computed_is_said_in_one_line(
    operation: str, inputs: list[Any], params: dict[str, Any], match: str
) -> None:
    with pytest.raises(DeriveError, match=match) as caught:
        run(operation, *inputs, **params)
    assert "\n" not in str(caught.value)


numbers = st.floats(min_value=-1e6, max_value=1e6, allow_subnormal=False).map(lambda x: round(x, 4))
positive = st.floats(min_value=0.01, max_value=1e6).map(lambda x: round(x, 4))


def keyed(values: list[float | None], kind: str = "number") -> Evidence:
    return table({"k": "text", "v": kind}, *((f"k{i}", v) for i, v in enumerate(values)))


@settings(deadline=None, max_examples=20)
@given(st.lists(positive, min_size=1, max_size=12))
def test_shares_sum_to_one(values: list[float]) -> None:
    assert math.fsum(column(run("share", keyed(values)), "share")) == pytest.approx(1, abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.one_of(st.none(), numbers), min_size=1, max_size=12), st.sampled_from(["asc", "desc"]))
def test_a_rank_is_an_ordered_permutation(values: list[float | None], order: str) -> None:
    e = run("rank", keyed(values), order=order)
    present = [v for v in values if v is not None]
    assert sorted(column(e)) == sorted(present)
    assert column(e) == sorted(present, reverse=order == "desc")
    assert all(
        r["rank"] == 1 + sum((v > r["value"]) if order == "desc" else (v < r["value"]) for v in present)
        for r in e.rows
    )  # type: ignore[operator]


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=8))
def test_a_difference_turned_round_changes_its_sign(pairs: list[tuple[float, float]]) -> None:
    a, b = keyed([p[0] for p in pairs]), keyed([p[1] for p in pairs])
    assert column(run("difference", a, b)) == [-v for v in column(run("difference", b, a))]


@settings(deadline=None, max_examples=20)
@given(st.lists(numbers, min_size=1, max_size=12), st.permutations(range(12)))
def test_totals_do_not_depend_on_the_order(values: list[float], order: list[int]) -> None:
    shuffled = [values[i] for i in order if i < len(values)]
    for operation in ("sum", "mean", "min", "max", "count"):
        assert column(run(operation, keyed(values))) == pytest.approx(
            column(run(operation, keyed(shuffled))), rel=1e-9, abs=1e-9
        )


cells = st.one_of(st.none(), numbers, st.sampled_from(["a", "b", "2024-01", "2024-Q1"]))
kinds = st.sampled_from(["text", "number", "percent", "integer", "month", "quarter", "date", "money"])
frames = st.dictionaries(st.sampled_from("abcd"), kinds, max_size=4).flatmap(
    lambda types: st.lists(st.tuples(*[cells] * len(types)), max_size=5).map(lambda rows: table(types, *rows))
)


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(OPERATIONS),
    st.lists(frames, max_size=3),
    st.one_of(st.none(), st.sampled_from("abx")),
    st.lists(st.sampled_from(["a", "b", "c:month", "x", "d:"]), max_size=2, unique=True),
    st.one_of(st.none(), st.integers(1, 3)),
)
def test_anything_is_computed_or_refused(
    operation: str, inputs: list[Evidence], value: str | None, by: list[str], top: int | None
) -> None:
    try:
        e = run(operation, *inputs, value=value, by=by, top=top)
    except DeriveError:
        return
    assert all(tuple(r) == e.columns for r in e.rows)
    assert len(e.locators) == len(e.rows)
    assert not any(isinstance(v, float) and not math.isfinite(v) for r in e.rows for v in r.values())
