"""Typed references to earlier results."""

from __future__ import annotations

import pytest

from planner.references import Reference, find_references, looks_like_reference, parse_reference


@pytest.mark.parametrize(
    ("text", "step", "path", "field", "row"),
    [
        ("{{g1.result}}", "g1", ("result",), None, None),
        ("{{ g1.result }}", "g1", ("result",), None, None),
        (" {{g1.result.status}} ", "g1", ("result", "status"), "status", None),
        ("{{g1.rows[0].price}}", "g1", ("rows", 0, "price"), "price", 0),
        ("{{g3.2.result}}", "g3.2", ("result",), None, None),
        ("{{g3.2.rows[12].价格}}", "g3.2", ("rows", 12, "价格"), "价格", 12),
        ("{{g1.result.a.b}}", "g1", ("result", "a.b"), "a.b", None),
        ("{{g1.result.order id}}", "g1", ("result", "order id"), "order id", None),
        ("{{step_a.result.result}}", "step_a", ("result", "result"), "result", None),
    ],
)
def test_reads(text: str, step: str, path: tuple[str | int, ...], field: str | None, row: int | None) -> None:
    reference = parse_reference(text)
    assert reference == Reference(step, path)
    assert (reference.field, reference.row) == (field, row)
    assert parse_reference(str(reference)) == reference


@pytest.mark.parametrize(
    "text",
    [
        "", "g1.result", "{g1.result}", "{{g1}}", "{{g1.results}}", "{{g1.rows}}", "{{g1.rows[0]}}",
        "{{g1.rows[-1].a}}", "{{g1.rows[x].a}}", "{{1g.result}}", "{{g1.result.}}", "{{g1.result}} x",
        "see {{g1.result}}", "{{g1.result}}{{g2.result}}", "{{g1.result.a}b}}", "{{g1.rows[9999999].a}}",
        None, 3, ["{{g1.result}}"],
    ],
)  # fmt: skip
def test_is_no_reference(text: object) -> None:
    assert parse_reference(text) is None


def test_finds_each_once_wherever_it_stands() -> None:
    params = {
        "inputs": ["{{g1.result}}", "{{g2.result.a}}", "{{g1.result}}"],
        "filters": {"id": "{{g3.rows[0].id}}", "day": {"from": "{{g4.result.d}}", "to": None}, "n": 3},
    }
    assert [str(r) for r in find_references(params)] == [
        "{{g1.result}}", "{{g2.result.a}}", "{{g3.rows[0].id}}", "{{g4.result.d}}",
    ]  # fmt: skip


def test_what_looks_like_one() -> None:
    assert looks_like_reference("see {{g1.result}}")
    assert looks_like_reference("g1.result}}")
    assert not looks_like_reference("{a}")
    assert not looks_like_reference(3)
