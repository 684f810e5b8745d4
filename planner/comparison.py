"""Compares a value of the data with a literal of the validation language: True, False, or None for unknown.

Nothing is coerced: text against a number is unknown, and "5" is text. Two strings compare as times when both
spell one, else as text, equal or not; only their order is unknown when just one of them spells a time.
Numbers within a relative 1e-9 are equal, so that 0.1 + 0.2 is 30%.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from planner.periods import read_time, relation
from planner.validation_tree import Literal, Operator

__all__ = ["all_of", "any_of", "compare", "member", "negate", "plain", "value_at"]


def value_at(row: Mapping[str, Any], name: str) -> Any:
    """The plain value of a column literally so named, else at the dotted path through nested mappings, else None."""
    if name in row:
        return plain(row[name])
    value: Any = row
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return plain(value)


def plain(value: Any) -> Any:
    """A value as canonical data has it: dates as ISO text, decimals as floats, NaN absent."""
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, Decimal):
        return None if value.is_nan() else float(value)
    if isinstance(value, date):
        return value.isoformat()
    return value


def compare(value: Any, operator: Operator, literal: Literal) -> bool | None:
    """Whether `value operator literal` holds. An absent value is equal to null only, and otherwise unknown."""
    if literal.kind == "null":
        return (value is None) == (operator == "==")
    match literal.kind:
        case "bool" if isinstance(value, bool):
            return (value is literal.value) == (operator == "==")
        case "number" if isinstance(value, int | float) and not isinstance(value, bool):
            return _holds(_order(value, literal.value), operator)
        case "time" if isinstance(value, str):
            return _times(value, operator, str(literal.value))
        case "text" if isinstance(value, str):
            return _texts(value, operator, str(literal.value))
    return None


def member(value: Any, literals: Iterable[Literal]) -> bool | None:
    """Whether `value` is one of the literals. In a list `[Q1]` and `["Q1"]` are the same."""
    return any_of(compare(value, "==", Literal("text", x.value) if x.kind == "time" else x) for x in literals)


def _times(value: str, operator: Operator, literal: str) -> bool | None:
    left, right = read_time(value), read_time(literal)
    return None if left is None or right is None else relation(left, operator, right)


def _texts(value: str, operator: Operator, literal: str) -> bool | None:
    left, right = read_time(value), read_time(literal)
    if value != literal and left is not None and right is not None:
        return relation(left, operator, right)
    if operator in ("==", "!="):
        return (value == literal) == (operator == "==")
    if (left is None) != (right is None):
        return None
    return _holds((value > literal) - (value < literal), operator)


def _order(left: Any, right: Any) -> int:
    """-1, 0 or 1. Exact for integers of any size; a float and its neighbour within 1e-9 count as equal."""
    if left == right:
        return 0
    small = abs(left) < 1e300 and abs(right) < 1e300
    if (
        small
        and isinstance(left, float) | isinstance(right, float)
        and math.isclose(left, right, rel_tol=1e-9)
    ):
        return 0
    return 1 if left > right else -1


def _holds(order: int, operator: Operator) -> bool:
    match operator:
        case "==":
            return order == 0
        case "!=":
            return order != 0
        case ">":
            return order > 0
        case ">=":
            return order >= 0
        case "<":
            return order < 0
        case "<=":
            return order <= 0


def all_of(values: Iterable[bool | None]) -> bool | None:
    """Kleene's conjunction: False beats unknown."""
    seen = set(values)
    return False if False in seen else None if None in seen else True


def any_of(values: Iterable[bool | None]) -> bool | None:
    """Kleene's disjunction: True beats unknown."""
    seen = set(values)
    return True if True in seen else None if None in seen else False


def negate(value: bool | None) -> bool | None:
    """Unknown stays unknown."""
    return None if value is None else not value
