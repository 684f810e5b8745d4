"""The ladder of time: a day's month, a month's quarter, a quarter's year; and what widening does to a validation."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Mapping
from typing import Any

from adapters.dates import bucket, granularity
from adapters.errors import FormatError

__all__ = ["TIME_TYPES", "days_of", "widen"]

TIME_TYPES = frozenset({"date", "datetime", "month", "quarter"})
_RUNGS = ("month", "quarter", "year")


def widen(wanted: Any, field_type: str) -> dict[str, str | None] | None:
    """The next wider span of the ladder as a range of the field's own type, or None when there is none.

    A list of several periods is left alone: the question compares them, so they are its subject.
    """
    first, last = _ends(wanted)
    if first is None and last is None:
        return None
    try:
        for rung in _RUNGS:
            wider = {
                "from": _edge(first, rung, field_type, end=False),
                "to": _edge(last, rung, field_type, end=True),
            }
            if wider != {
                "from": _edge(first, None, field_type, end=False),
                "to": _edge(last, None, field_type, end=True),
            }:
                return wider
    except FormatError:
        return None
    return None


def _ends(wanted: Any) -> tuple[str | None, str | None]:
    if isinstance(wanted, Mapping):
        first, last = wanted.get("from"), wanted.get("to")
    elif isinstance(wanted, list | tuple):
        first = last = wanted[0] if len(wanted) == 1 else None
    else:
        first = last = wanted
    return tuple(v if isinstance(v, str) and granularity(v) else None for v in (first, last))  # type: ignore[return-value]


def _edge(value: str | None, rung: str | None, field_type: str, *, end: bool) -> str | None:
    """The first or last moment, in the field's type, of the rung that holds `value` (None: of `value` itself)."""
    if value is None:
        return None
    own = granularity(value)
    if own == "week":
        value, own = _days("week", value)[end], "date"
    if rung is not None and own is not None and _order(own) < _order(rung):
        value = bucket(value, rung)
    first, last = _days(granularity(value) or "", value)
    day = last if end else first
    if field_type == "datetime":
        return f"{day}T23:59:59" if end else f"{day}T00:00:00"
    return bucket(day, field_type)


def days_of(value: str) -> tuple[str, str]:
    """The first and last day of a canonical time. Raises FormatError for what is none."""
    return _days(granularity(value) or "", value)


def _order(grain: str) -> int:
    return ("datetime", "date", "week", "month", "quarter", "year").index(grain)


def _days(grain: str, value: str) -> tuple[str, str]:
    if grain == "week":
        monday = dt.date.fromisocalendar(int(value[:4]), int(value[6:]), 1)
        return monday.isoformat(), (monday + dt.timedelta(days=6)).isoformat()
    year = value[:4]
    if grain == "year":
        return f"{year}-01-01", f"{year}-12-31"
    if grain == "quarter":
        last = int(value[6]) * 3
        return f"{year}-{last - 2:02d}-01", f"{year}-{last:02d}-{calendar.monthrange(int(year), last)[1]}"
    if grain == "month":
        return f"{value}-01", f"{value}-{calendar.monthrange(int(year), int(value[5:7]))[1]}"
    if grain in ("date", "datetime"):
        return value[:10], value[:10]
    raise FormatError(f"cannot widen {value!r}")
