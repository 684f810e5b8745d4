"""Calendar periods: a unit with its first and last day, both inclusive, and moving between periods."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Literal

from planner.times.errors import TimeError

__all__ = ["Unit", "add_months", "last_complete", "month_end", "period", "running", "shift"]

Unit = Literal["day", "week", "month", "quarter", "half", "year"]
MONTHS_IN: dict[str, int] = {"month": 1, "quarter": 3, "half": 6, "year": 12}
_PARTS: dict[str, int] = {"month": 12, "quarter": 4, "half": 2}


def month_end(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def add_months(day: date, months: int) -> date:
    """`day` moved by months; the 31st becomes the last day of a shorter month."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        raise TimeError("a time outside the calendar")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def period(unit: Unit, year: int, *part: int, text: str = "") -> tuple[date, date]:
    """First and last day of a numbered period: ("month", 2024, 3), ("day", 2024, 3, 5), ("week", 2024, 12)."""
    shown = text or "-".join(str(x) for x in (year, *part))
    if unit == "day":
        try:
            day = date(year, part[0], part[1])
        except ValueError:
            raise TimeError(f"there is no such day: {shown}") from None
        return day, day
    if unit == "week":
        try:
            monday = date.fromisocalendar(year, part[0], 1)
            return monday, monday + timedelta(days=6)
        except (ValueError, OverflowError):
            raise TimeError(f"there is no such week: {shown}") from None
    if not 1 <= year <= 9998:
        raise TimeError(f"there is no such year: {shown}")
    if unit == "year":
        return date(year, 1, 1), date(year, 12, 31)
    number, size = part[0], MONTHS_IN[unit]
    if not 1 <= number <= _PARTS[unit]:
        raise TimeError(f"there is no such {unit}: {shown}")
    first = date(year, (number - 1) * size + 1, 1)
    return first, month_end(year, first.month + size - 1)


def running(unit: Unit, today: date) -> tuple[date, date]:
    """The period that holds `today`."""
    if unit == "day":
        return today, today
    if unit == "week":
        monday = today - timedelta(days=today.weekday())
        return monday, monday + timedelta(days=6)
    size = MONTHS_IN[unit]
    first = date(today.year, (today.month - 1) // size * size + 1, 1)
    return first, month_end(today.year, first.month + size - 1)


def shift(unit: Unit, first: date, last: date, count: int) -> tuple[date, date]:
    """The same-sized period `count` units later; whole months stay whole months."""
    try:
        if unit in ("day", "week"):
            step = timedelta(days=count * (7 if unit == "week" else 1))
            return first + step, last + step
    except OverflowError:
        raise TimeError("a time outside the calendar") from None
    months = count * MONTHS_IN[unit]
    whole = last == month_end(last.year, last.month)
    start, end = add_months(first, months), add_months(last, months)
    return start, month_end(end.year, end.month) if whole else end


def last_complete(unit: Unit, today: date, count: int = 1) -> tuple[date, date]:
    """The last `count` periods that ended before the running one; for days they end today."""
    if unit == "day":
        return shift("day", today, today, 1 - count)[0], today
    first, last = running(unit, today)
    return shift(unit, first, last, -count)[0], shift(unit, first, last, -1)[1]
