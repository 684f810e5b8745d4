"""The shape of a filter's value: a literal, a list, or a range `{"from": …, "to": …}`, in the field's own type."""

from __future__ import annotations

import re
from typing import Any

from planner.catalogue import FieldType
from planner.periods import Period, read_time
from planner.references import parse_reference

__all__ = ["fault_of"]

_SPELLING = {
    "date": "2024-01-15",
    "month": "2024-01",
    "quarter": "2024-Q1",
    "datetime": "2024-01-15T10:30:00",
}
_SHAPES = {
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "month": re.compile(r"[0-9]{4}-[0-9]{2}"),
    "quarter": re.compile(r"[0-9]{4}-Q[1-4]"),
    "datetime": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:.*)?"),
}


def fault_of(value: Any, field_type: FieldType) -> str:
    """What is wrong with a filter's value, "" when nothing is. A reference is right anywhere a literal is.

    null asks for rows without a value. Time stands in the field's own type (a quarter asked of a month field is a
    range of months); numbers are numbers, 5 % is 0.05. A text field takes a number too, for ids.
    """
    if isinstance(value, list):
        if not value:
            return "an empty list takes nothing; leave the filter out"
        faults = ("a list within a list" if isinstance(v, list) else fault_of(v, field_type) for v in value)
        return next((f for f in faults if f), "")
    if isinstance(value, dict):
        return _range_fault(value, field_type)
    return _literal_fault(value, field_type)


def _range_fault(value: dict[str, Any], field_type: FieldType) -> str:
    if not value or set(value) - {"from", "to"}:
        return f"a range has the keys from and to, not {', '.join(value) or 'none'}"
    low, high = value.get("from"), value.get("to")
    if low is None and high is None:
        return "a range open at both ends takes everything; leave the filter out"
    if field_type == "bool":
        return "true and false have no range"
    for key, end in (("from", low), ("to", high)):
        fault = _literal_fault(end, field_type)
        if fault:
            return f"{key}: {fault}"
    return f"the range ends before it begins: {low} … {high}" if _reversed(low, high) else ""


def _reversed(low: Any, high: Any) -> bool:
    if isinstance(low, str) and isinstance(high, str):
        first, last = read_time(low), read_time(high)
        if isinstance(first, Period) and isinstance(last, Period):
            return first.start > last.end
        return False
    return isinstance(low, int | float) and isinstance(high, int | float) and low > high


def _literal_fault(value: Any, field_type: FieldType) -> str:
    if isinstance(value, list | dict):
        return "a plain value is needed"
    if value is None or parse_reference(value) is not None:
        return ""
    match field_type:
        case "text":
            return "" if isinstance(value, str | int | float) and value != "" else "text is needed"
        case "bool":
            return "" if isinstance(value, bool) else f"true or false is needed, not {_brief(value)}"
        case "date" | "month" | "quarter" | "datetime":
            return (
                ""
                if _is_time(value, field_type)
                else f"a {field_type} is needed ({_SPELLING[field_type]}), not {_brief(value)}"
            )
        case "integer":
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            return (
                ""
                if whole and not isinstance(value, bool)
                else f"a whole number is needed, not {_brief(value)}"
            )
        case "number" | "percent" | "money":
            right = isinstance(value, int | float) and not isinstance(value, bool)
            return "" if right else f"a number is needed, not {_brief(value)}"


def _is_time(value: Any, field_type: str) -> bool:
    if not isinstance(value, str) or not isinstance(read_time(value), Period):
        return False
    return _SHAPES[field_type].fullmatch(value) is not None


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
