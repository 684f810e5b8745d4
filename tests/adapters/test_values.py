from __future__ import annotations

import datetime as dt
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.dates import GRANULARITIES, bucket, granularity, ordinal, time_after
from adapters.errors import FormatError
from adapters.values import canonical, matches, place_in_filters, show

TYPES = ["text", "number", "percent", "money", "integer", "bool", "date", "month", "quarter", "datetime"]


@pytest.mark.parametrize(
    ("raw", "kind", "value"),
    [
        ("5.2%", "percent", 0.052),
        ("１２％", "percent", 0.12),
        ("52‰", "percent", 0.052),
        ("1.4 pp", "percent", 0.014),
        ("1.4个百分点", "percent", 0.014),
        (0.052, "percent", 0.052),
        ("-3.5%", "percent", -0.035),
        ("−3.5%", "percent", -0.035),
        ("1,599元", "money", 1599.0),
        ("¥1,599.50", "money", 1599.5),
        ("人民币 1599", "money", 1599.0),
        ("USD 1,000,000", "money", 1e6),
        ("-$5", "money", -5.0),
        ("(1,234.5)", "money", -1234.5),
        ("1.2万元", "money", 12000.0),
        ("3亿", "number", 3e8),
        ("136k", "number", 136_000.0),
        ("1.5e3", "number", 1500.0),
        ("12 场", "integer", 12),
        ("1,024", "integer", 1024),
        (3.0, "integer", 3),
        ("是", "bool", True),
        ("No", "bool", False),
        (0, "bool", False),
        ("2024-01-15", "date", "2024-01-15"),
        ("2024/1/5", "date", "2024-01-05"),
        ("2024年1月5日", "date", "2024-01-05"),
        ("Jan 5, 2024", "date", "2024-01-05"),
        ("5th January 2024", "date", "2024-01-05"),
        ("20240105", "date", "2024-01-05"),
        (20240105, "date", "2024-01-05"),
        (1704412800000, "date", "2024-01-05"),
        (1704412800, "month", "2024-01"),
        ("2024-01-15T23:00:00.000+0800", "date", "2024-01-15"),
        ("2024-01-15 23:00", "datetime", "2024-01-15T23:00:00"),
        ("2024-01-15T23:00:00Z", "datetime", "2024-01-15T23:00:00+00:00"),
        ("Mon, 15 Jan 2024 10:00:00 GMT", "datetime", "2024-01-15T10:00:00+00:00"),
        ("2024-01-15", "datetime", "2024-01-15T00:00:00"),
        (dt.date(2024, 1, 5), "date", "2024-01-05"),
        (dt.datetime(2024, 1, 5, 7), "month", "2024-01"),
        ("2024年1月", "month", "2024-01"),
        ("2024-1", "month", "2024-01"),
        ("202401", "month", "2024-01"),
        ("Sept 2024", "month", "2024-09"),
        ("2024-01-31", "month", "2024-01"),
        ("2024Q1", "quarter", "2024-Q1"),
        ("2024-Q1", "quarter", "2024-Q1"),
        ("Q1 2024", "quarter", "2024-Q1"),
        ("1Q2024", "quarter", "2024-Q1"),
        ("2024年第一季度", "quarter", "2024-Q1"),
        ("2024年Q3", "quarter", "2024-Q3"),
        ("2024-05", "quarter", "2024-Q2"),
        ("2024-12-31", "quarter", "2024-Q4"),
        ("  A产品 ", "text", "A产品"),
        (88231, "text", "88231"),
        (88231.0, "text", "88231"),
        (True, "text", "true"),
        ("-", "text", "-"),
    ],
)
def test_what_sources_write(raw: object, kind: str, value: object) -> None:
    assert canonical(raw, kind) == value
    assert type(canonical(raw, kind)) is type(value)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("raw", [None, "", "  ", math.nan])
def test_nothing_is_none(raw: object, kind: str) -> None:
    assert canonical(raw, kind) is None


@pytest.mark.parametrize("raw", ["-", "—", "N/A", "null"])
def test_words_for_nothing(raw: str) -> None:
    assert canonical(raw, "money") is None
    assert canonical(raw, "month") is None


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("1,5", "number"),  # fifteen, or one and a half?
        ("1.234,56", "money"),
        ("10²", "number"),
        ("12,34", "integer"),
        ("3.5", "integer"),
        (3.5, "integer"),
        ("(5", "number"),
        ("- -5", "number"),
        ("about 5", "number"),
        ("5% or so", "percent"),
        (math.inf, "number"),
        ("1e999", "number"),
        (True, "number"),
        ("1/2/2024", "date"),  # January or February?
        ("1月", "month"),  # of which year?
        ("2024", "month"),
        ("2024-13", "month"),
        ("2024-02-30", "date"),
        ("2024-Q5", "quarter"),
        ("2024-Q1", "month"),
        ("2024-01", "date"),
        ("25:00", "datetime"),
        ("2024-01-01 25:00", "datetime"),
        ("May be 2024", "month"),
        (17, "date"),
        ("maybe", "bool"),
        ([1], "number"),
        ({"a": 1}, "text"),
        (["a"], "text"),
        ("x", "colour"),
    ],
)
def test_what_cannot_be_read_in_one_way_is_an_error(raw: object, kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        canonical(raw, kind)
    assert "\n" not in str(caught.value)


raws = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=40),
    st.dates(),
    st.datetimes(),
    st.from_regex(r"[-+(¥$]{0,2}[0-9,.]{1,12}[%万亿kM元)e]{0,3}", fullmatch=True),
    st.from_regex(r"[0-9]{1,4}[-/年.Q ]{1,2}[0-9Q]{1,2}[-/月季度T: ]{0,2}[0-9]{0,2}.{0,6}", fullmatch=True),
)


@settings(deadline=None)
@given(raws, st.sampled_from(TYPES))
def test_anything_is_read_or_refused_and_reading_twice_changes_nothing(raw: object, kind: str) -> None:
    try:
        value = canonical(raw, kind)
    except FormatError:
        return
    assert value is None or isinstance(value, str | int | float | bool)
    assert canonical(value, kind) == value
    assert isinstance(show(value, kind), str)
    if value is not None:
        assert matches({"f": value}, {"f": value}, {"f": kind})
        assert matches({"f": value}, {"f": [value]}, {"f": kind})
        assert matches({"f": value}, {"f": {"from": value, "to": value}}, {"f": kind})


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from("ab"), raws),
    st.dictionaries(st.sampled_from("ab"), raws),
    st.sampled_from(TYPES),
)
def test_matching_anything_holds_or_refuses(
    row: dict[str, object], filters: dict[str, object], kind: str
) -> None:
    try:
        read = {k: canonical(v, kind) for k, v in row.items()}
        assert matches(read, filters, dict.fromkeys("ab", kind)) in (True, False)
    except FormatError:
        return


@settings(deadline=None)
@given(st.floats(min_value=-1e9, max_value=1e9))
def test_a_shown_percentage_is_read_back(x: float) -> None:
    assert canonical(show(x, "percent"), "percent") == pytest.approx(x, abs=5.1e-5)


@pytest.mark.parametrize(
    ("value", "wanted", "kind", "holds"),
    [
        ("A", "a", "text", True),
        ("Ａ", "A", "text", True),
        ("A", "B", "text", False),
        ("88231", 88231, "text", True),
        ("A", ["B", "A"], "text", True),
        ("A", [], "text", False),
        (0.052, "5.2%", "percent", True),
        (0.1 + 0.2, 0.3, "number", True),
        (1500.0, {"from": None, "to": 2000}, "money", True),
        (2000.0, {"from": None, "to": 2000}, "money", True),
        (2000.01, {"to": "2,000元"}, "money", False),
        (None, {"from": None, "to": None}, "money", False),
        (None, None, "text", True),
        (None, "A", "text", False),
        ("A", None, "text", False),
        ("2024-01-15", "2024-01", "date", True),
        ("2024-01-15", "2024-Q1", "date", True),
        ("2024-01-15", "2024年1月", "month", False),
        ("2024-01", "2024年1月", "month", True),
        ("2024-01-31T23:59:59+08:00", {"from": "2024-01-01", "to": "2024-01-31"}, "datetime", True),
        ("2024-02-01T00:00:00", {"to": "2024-01-31"}, "datetime", False),
        ("2024-01-01T07:00:00+08:00", "2023-12-31T23:00:00+00:00", "datetime", True),
        ("2024-02", {"from": "2024-01-15", "to": "2024-03-15"}, "month", True),
        ("2024-Q2", {"from": "2024-01", "to": "2024-06"}, "quarter", True),
        (True, "yes", "bool", True),
    ],
)
def test_filters(value: object, wanted: object, kind: str, holds: bool) -> None:
    assert matches({"f": value}, {"f": wanted}, {"f": kind}) is holds  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("filters", "match"),
    [
        ({"g": 1}, "rows have no such field"),
        ({"f": "soon"}, "filter on 'f'"),
        ({"f": {"from": "x"}}, "filter on 'f'"),
        ({"f": {"since": 1}}, "from and to"),
    ],
)
def test_a_filter_that_cannot_be_checked_does_not_pass(filters: dict[str, object], match: str) -> None:
    with pytest.raises(FormatError, match=match):
        matches({"f": 1.0}, filters, {"f": "number"})


def test_rows_come_in_the_order_of_the_filter() -> None:
    rows = [{"r": "b"}, {"r": "c"}, {"r": "A"}]
    ordered = sorted(rows, key=lambda r: place_in_filters(r, {"r": ["a", "c"]}, {"r": "text"}))
    assert [r["r"] for r in ordered] == ["A", "c", "b"]


@pytest.mark.parametrize(
    ("value", "kind", "shown"),
    [
        (0.052, "percent", "5.2%"),
        (0.12345, "percent", "12.35%"),
        (12.0, "percent", "1,200%"),
        (1599.0, "money", "1,599"),
        (1599.5, "money", "1,599.5"),
        (2024, "integer", "2024"),
        (12345, "integer", "12,345"),
        (0.98271, "number", "0.9827"),
        (0.00012345, "number", "0.0001234"),
        (-0.0, "money", "0"),
        (None, "money", "—"),
        ("2024-Q1", "quarter", "2024-Q1"),
        (True, "bool", "true"),
    ],
)
def test_shown(value: object, kind: str, shown: str) -> None:
    assert show(value, kind) == shown  # type: ignore[arg-type]


@settings(deadline=None)
@given(
    st.dates(min_value=dt.date(1000, 1, 1)),
    st.sampled_from(["year", "quarter", "month", "week", "date"]),
    st.integers(-50, 50),
)
def test_times_step_and_count_alike(day: dt.date, grain: str, steps: int) -> None:
    start = bucket(day.isoformat(), grain)
    assert granularity(start) == grain
    try:
        end = time_after(start, grain, steps)
    except (ValueError, OverflowError):
        return  # beyond the calendar
    if granularity(end) == grain:
        assert ordinal(end, grain) - ordinal(start, grain) == steps


@settings(deadline=None)
@given(st.dates(), st.sampled_from(GRANULARITIES[:-1]), st.sampled_from(GRANULARITIES[:-1]))
def test_a_bucket_of_a_bucket(day: dt.date, fine: str, coarse: str) -> None:
    try:
        assert bucket(bucket(day.isoformat(), fine), coarse) == bucket(day.isoformat(), coarse)
    except FormatError:
        assert GRANULARITIES.index(fine) < GRANULARITIES.index(coarse) or "week" in (fine, coarse)
