from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.base import Evidence
from adapters.operand import DeriveError, Operand
from adapters.reconcile import differ, reconcile

TYPES = {"product": "text", "month": "month", "rate": "percent", "status": "text", "n": "integer"}


def said(source: str, *rows: tuple[Any, ...], **types: str) -> Operand:
    kinds = types or TYPES
    table = tuple(dict(zip(kinds, r, strict=True)) for r in rows)
    return Operand(source, Evidence("table", source, "d", tuple(kinds), table, types=kinds))


def test_within_the_tolerance_the_most_trusted_value_stands() -> None:
    a, b = said("a", ("A", "2024-01", 0.0520, "ok", 10)), said("b", ("A", "2024-01", 0.0530, "ok", 10))
    e = reconcile([a, b], [0.6, 0.9], {"rate": 0.05})
    assert e.rows[0]["rate"] == 0.0530
    assert e.notes == ()


def test_beyond_it_the_weighted_mean_and_both_are_named() -> None:
    a, b = said("a", ("A", "2024-01", 0.052, "ok", 10)), said("b", ("A", "2024-01", 0.063, "ok", 20))
    e = reconcile([a, b], [0.85, 0.70], {"rate": 0.05, "n": 0.05})
    assert e.rows[0]["rate"] == pytest.approx((0.052 * 0.85 + 0.063 * 0.70) / 1.55)
    assert e.rows[0]["n"] == 15  # a count stays whole
    assert e.notes[0].startswith("A · 2024-01 · ok rate: a 5.2% (0.85), b 6.3% (0.7) → ")
    assert e.columns == a.evidence.columns
    assert e.types == TYPES
    place = e.locate(0, "rate")
    assert place is not None
    assert (place.kind, place.operation, place.inputs) == ("derived", "reconcile", ("a", "b"))


def test_of_texts_the_most_trusted_stands_though_it_is_no_measure() -> None:
    a, b = said("a", ("A", "2024-01", 0.05, "open", 1)), said("b", ("A", "2024-01", 0.05, "closed", 1))
    e = reconcile([a, b], [0.5, 0.9], {})
    assert e.rows[0]["status"] == "closed"
    assert "status: b closed (0.9), a open (0.5) → closed" in e.notes[0]


def test_rows_are_matched_by_key_and_gaps_are_filled() -> None:
    a = said("a", ("A", "2024-01", None, "ok", 1), ("B", "2024-01", 0.1, "ok", 1))
    b = said("b", ("C", "2024-01", 0.7, "ok", 1), ("A", "2024-01", 0.2, "ok", 1))
    e = reconcile([a, b], [0.9, 0.5], {"rate": 0.05})
    assert [(r["product"], r["rate"]) for r in e.rows] == [("A", 0.2), ("B", 0.1)]
    assert e.notes == ()


def test_three_sources() -> None:
    rows = [said(s, ("A", "2024-01", v, "ok", 1)) for s, v in (("a", 0.10), ("b", 0.101), ("c", 0.2))]
    assert reconcile(rows, [1, 1, 2], {"rate": 0.05}).rows[0]["rate"] == pytest.approx(0.15025)


@pytest.mark.parametrize(
    ("inputs", "weights", "match"),
    [
        ([], [], "0 inputs"),
        ([said("a")], [1, 2], "1 inputs and 2 weights"),
        ([said("a", ("A", "2024-01", 1, "x", 1)), said("b", ("B", "2024-02", 1, "y", 1))], [1, 1], "no row of b agrees"),
        ([said("a", ("A", "2024-01", 1, "x", 1)), said("b", *[("A", "2024-01", v, "x", 1) for v in (1, 2)])], [1, 1],
         "b has several rows for one product, month, status"),
    ],
)  # fmt: skip
def test_what_cannot_be_reconciled(inputs: list[Operand], weights: list[float], match: str) -> None:
    with pytest.raises(DeriveError, match=match):
        reconcile(inputs, weights, {})


@settings(deadline=None)
@given(*[st.floats(min_value=0.001, max_value=1e6)] * 2, *[st.floats(min_value=0.01, max_value=1)] * 2)
def test_what_stands_lies_between_what_was_said(x: float, y: float, v: float, w: float) -> None:
    kinds = {"k": "text", "m": "number"}
    e = reconcile([said("a", ("k", x), **kinds), said("b", ("k", y), **kinds)], [v, w], {"m": 0.05})
    value = e.rows[0]["m"]
    assert isinstance(value, float)
    assert min(x, y) * (1 - 1e-9) <= value <= max(x, y) * (1 + 1e-9)
    assert bool(e.notes) == differ(x, y, 0.05)


@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [(1, 1.04, False), (1, 1.06, True), (0, 0, False), ("x", "y", True), (None, 1, False)],
)
def test_differ(a: Any, b: Any, apart: bool) -> None:
    assert differ(a, b, 0.05) is apart
    assert differ(b, a, 0.05) is apart
