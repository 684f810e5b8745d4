"""Days, months, quarters and instants as periods, so that times of different grain compare.

A value stands in a relation to a literal when all of its period does: `change_date <= 2024-01` holds on
31 January, `month >= 2024-01-01` holds for 2024-01, and `month == 2024-01-15` cannot be told.
A bare `Q1` is the first quarter of whatever year: only the quarter's number is compared.
An instant's UTC offset is not applied: its date is the date as written.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import datetime, time
from functools import lru_cache

__all__ = ["Period", "YearlyQuarter", "listed_periods", "normal_time", "read_time", "relation"]

_TIME = re.compile(
    r"(?:(?P<year>[0-9]{4})-(?:(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2})"
    r"(?:[T ](?P<clock>[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?)\s*(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?)?)"
    r"|(?:(?P<qyear>[0-9]{4})-?)?Q(?P<quarter>[1-4]))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to `end`, both inclusive, without offset."""

    start: datetime
    end: datetime

    @property
    def quarter(self) -> int | None:
        """The quarter's number when all of the period lies in one."""
        first, last = ((t.year, (t.month + 2) // 3) for t in (self.start, self.end))
        return first[1] if first == last else None


@dataclass(frozen=True, slots=True)
class YearlyQuarter:
    """A quarter without a year."""

    number: int


@lru_cache(maxsize=4096)
def read_time(text: str) -> Period | YearlyQuarter | None:
    """The time that `text` spells as a whole, None when it spells none (2024-02-30 does not)."""
    m = _TIME.fullmatch(text.strip())
    if m is None:
        return None
    try:
        if m["quarter"]:
            number = int(m["quarter"])
            if not m["qyear"]:
                return YearlyQuarter(number)
            year = int(m["qyear"])
            return Period(datetime(year, 3 * number - 2, 1), _month_end(year, 3 * number))
        year, month = int(m["year"]), int(m["month"])
        if not m["day"]:
            return Period(datetime(year, month, 1), _month_end(year, month))
        if m["clock"]:
            at = datetime.fromisoformat(
                f"{m['year']}-{m['month']}-{m['day']}T{m['clock'].replace(',', '.')[:15]}"
            )
            return Period(at, at)
        day = datetime(year, month, int(m["day"]))
        return Period(day, datetime.combine(day, time.max))
    except ValueError:
        return None


def _month_end(year: int, month: int) -> datetime:
    return datetime.combine(datetime(year, month, monthrange(year, month)[1]), time.max)


def normal_time(text: str) -> str:
    """The canonical spelling of what `read_time` reads: 2024q1 → 2024-Q1."""
    if "q" not in text.lower():
        return text
    text = text.upper()
    return text if len(text) == 2 or "-" in text else f"{text[:4]}-{text[4:]}"


def relation(value: Period | YearlyQuarter, operator: str, literal: Period | YearlyQuarter) -> bool | None:
    """Whether `value` stands in that relation to `literal`; None when it cannot be told."""
    if isinstance(value, Period) and isinstance(literal, Period):
        return _between_spans(value.start, value.end, operator, literal.start, literal.end)
    if isinstance(literal, Period):
        return None  # "Q1" against 2023-Q1: of which year?
    number = value.number if isinstance(value, YearlyQuarter) else value.quarter
    if number is None:
        return None
    n = literal.number
    return {
        "==": number == n,
        "!=": number != n,
        ">": number > n,
        ">=": number >= n,
        "<": number < n,
        "<=": number <= n,
    }[operator]


def _between_spans(
    start: datetime, end: datetime, operator: str, first: datetime, last: datetime
) -> bool | None:
    match operator:
        case ">=":
            return _told(start >= first, end < first)
        case "<=":
            return _told(end <= last, start > last)
        case ">":
            return _told(start > last, end <= last)
        case "<":
            return _told(end < first, start >= first)
    equal = _told(first <= start and end <= last, end < first or start > last)
    return equal if operator == "==" or equal is None else not equal


def _told(holds: bool, fails: bool) -> bool | None:
    return True if holds else False if fails else None


_LISTED = re.compile(r"([0-9]{4})-(Q?)([0-9]{1,2})", re.IGNORECASE)


def listed_periods(first: str, last: str) -> list[str] | None:
    """Every month from 2024-01 to 2024-03, every quarter from 2024-Q1 to 2024-Q3, both inclusive; None for other ends."""
    ends = [_LISTED.fullmatch(text) for text in (first, last)]
    if ends[0] is None or ends[1] is None or bool(ends[0][2]) != bool(ends[1][2]):
        return None
    width = 4 if ends[0][2] else 12
    start, end = (int(m[1]) * width + int(m[3]) - 1 for m in ends if m)
    mark = "Q" if width == 4 else ""
    return [f"{n // width}-{mark}{n % width + 1:0{1 if mark else 2}d}" for n in range(start, end + 1)]
