"""`when`: the validation language over earlier results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from planner.condition import parse_condition
from planner.errors import ValidationSyntaxError

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('g2.status == "已签收"', "pass"),
        ('g2.status != "已签收"', "fail"),
        ("g3.value > 3", "fail"),
        ("g3.value > 1", "unknown"),  # one of its rows has none
        ("any(g3.value > 3)", "pass"),
        ("g3.2.value == 1", "pass"),
        ('g2.status == "已签收" AND any(g3.value > 3)', "pass"),
        ('NOT (g2.status == "已签收" OR g9.x == 1)', "fail"),
        ("g2.status in [已签收, 已完成]", "pass"),
        ("g2.status not in [已签收]", "fail"),
        ("any(g3.value between 4 and 6)", "pass"),
        ("g2.order.id == 5", "pass"),
        ("g9.x == 1", "unknown"),
        ("g9.x == 1 OR g3.2.value == 1", "pass"),
        ("g2.nothing == 1", "unknown"),
        ("g3.rows >= 3", "pass"),
        ("g3.rows > 3", "fail"),
        ("g4.rows > 0", "fail"),
        ("g4.value > 0", "unknown"),
        ("g5.rows == 7", "pass"),  # a column of that name is the column
        ("type(g3.value) is number", "pass"),
        ("has_columns: [g2.status, g2.order]", "pass"),
        ("has_field: g2.order.id", "pass"),
        ("covers: g3.value [5]", "pass"),
        ('"g2.status" == "已签收"', "pass"),
        ("fresh(g6.day) <= 7d", "pass"),
    ],
)
def test_condition(table: Make, text: str, expected: str) -> None:
    results = {
        "g2": table({"status": "已签收", "order": {"id": 5}}),
        "g3": table({"value": 5}, {"value": 2}, {"value": None}),
        "g3.2": table({"value": 1}),
        "g4": table(columns=("value",)),
        "g5": table({"rows": 7}),
        "g6": table({"day": "2024-07-10"}),
    }
    condition = parse_condition(text)
    assert condition.check(results, "2024-07-15") == expected
    assert parse_condition(str(condition)) == condition


def test_steps_and_fields() -> None:
    condition = parse_condition('NOT g2.status == "x" AND (any(g3.2.a.b > 1) OR g10.rows > 0)')
    assert condition.steps == {"g2", "g3.2", "g10"}
    assert condition.fields == {("g2", "status"), ("g3.2", "a.b"), ("g10", "rows")}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("status == 1", "names no step"),
        ("rows > 0", "rows of which step"),
        ("len(data) > 0", "rows of which step"),
        ("状态.x == 1", "names no step"),
        ("has_columns: [g1.a, g2.b]", "one step"),
        ("g1.a == g2.b", "does not belong"),
        ("g1 > 3", "names no step"),
        ("如果已签收", "ends too early"),
    ],
)
def test_refuses(text: str, says: str) -> None:
    with pytest.raises(ValidationSyntaxError, match=says):
        parse_condition(text)
