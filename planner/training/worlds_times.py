"""Spans of time as people say them, with their value on a field by month or by day."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass

__all__ = ["Span", "a_quarter", "a_span"]

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NUMERALS = "一二三四"


@dataclass(frozen=True, slots=True)
class Span:
    """`last` None: open, up to now. Words in both languages, English ones with their preposition."""

    first: dt.date
    last: dt.date | None
    zh: tuple[str, ...]
    en: tuple[str, ...]

    def value(self, kind: str) -> str:
        """As it stands in a compact plan, for a field of type `month` or `date`."""
        cut = 7 if kind == "month" else 10
        first = self.first.isoformat()[:cut]
        last = self.last.isoformat()[:cut] if self.last else ""
        return first if first == last else f"{first}..{last}"


def a_span(today: dt.date, rng: random.Random, kind: str) -> Span:
    """Of months for a `month` field; days and weeks too for a `date` field."""
    makers = [_last_month, _named_month, _dated_month, _this_year, _last_quarter, _last_year, _range]
    if kind == "date":
        makers += [_yesterday, _last_week, _a_day]
    return rng.choice(makers)(today, rng)


def a_quarter(today: dt.date, rng: random.Random) -> tuple[Span, Span]:
    """A quarter that is over and the same one a year before, in words that take no preposition."""
    q = rng.randrange(1, 5)
    year = today.year if dt.date(today.year, 3 * q, 1) < today.replace(day=1) else today.year - 1
    return _quarter(year, q, today), _quarter(year - 1, q, today)


def _quarter(year: int, q: int, today: dt.date) -> Span:
    zh = [f"{year}年{_NUMERALS[q - 1]}季度", f"{year}年Q{q}"]
    en = [f"Q{q} {year}"]
    if year == today.year:
        zh, en = [*zh, f"今年{_NUMERALS[q - 1]}季度"], [*en, f"Q{q} this year"]
    if year == today.year - 1:
        zh, en = [*zh, f"去年{_NUMERALS[q - 1]}季度"], [*en, f"Q{q} last year"]
    return Span(dt.date(year, 3 * q - 2, 1), _end(year, 3 * q), tuple(zh), tuple(en))


def _end(year: int, month: int) -> dt.date:
    return dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(days=1)


def _month(year: int, month: int, zh: tuple[str, ...], en: tuple[str, ...]) -> Span:
    return Span(dt.date(year, month, 1), _end(year, month), zh, en)


def _last_month(today: dt.date, rng: random.Random) -> Span:
    before = today.replace(day=1) - dt.timedelta(days=1)
    return _month(before.year, before.month, ("上个月", "上月"), ("last month",))


def _named_month(today: dt.date, rng: random.Random) -> Span:
    """A month of this year that is over; in January, last month."""
    if today.month == 1:
        return _last_month(today, rng)
    m = rng.randrange(1, today.month)
    return _month(today.year, m, (f"{m}月", f"{m}月份", f"今年{m}月"), (f"in {_MONTHS[m - 1]}",))


def _dated_month(today: dt.date, rng: random.Random) -> Span:
    year, m = today.year - rng.randrange(1, 3), rng.randrange(1, 13)
    return _month(year, m, (f"{year}年{m}月",), (f"in {_MONTHS[m - 1]} {year}",))


def _this_year(today: dt.date, rng: random.Random) -> Span:
    return Span(dt.date(today.year, 1, 1), None, ("今年以来",), ("so far this year", "since the start of the year"))  # fmt: skip


def _last_quarter(today: dt.date, rng: random.Random) -> Span:
    q = (today.month - 1) // 3
    year, q = (today.year, q) if q else (today.year - 1, 4)
    return Span(dt.date(year, 3 * q - 2, 1), _end(year, 3 * q), ("上个季度", "上季度"), ("last quarter",))


def _last_year(today: dt.date, rng: random.Random) -> Span:
    year = today.year - 1
    return Span(dt.date(year, 1, 1), dt.date(year, 12, 31), ("去年", "去年全年"), ("last year", f"in {year}"))


def _range(today: dt.date, rng: random.Random) -> Span:
    year, first = today.year - 1, rng.randrange(1, 9)
    last = first + rng.randrange(2, 5)
    return Span(
        dt.date(year, first, 1), _end(year, last), (f"{year}年{first}月到{last}月", f"去年{first}到{last}月"),
        (f"from {_MONTHS[first - 1]} to {_MONTHS[last - 1]} {year}",),
    )  # fmt: skip


def _yesterday(today: dt.date, rng: random.Random) -> Span:
    day = today - dt.timedelta(days=1)
    return Span(day, day, ("昨天", "昨日"), ("yesterday",))


def _last_week(today: dt.date, rng: random.Random) -> Span:
    monday = today - dt.timedelta(days=today.weekday() + 7)
    return Span(monday, monday + dt.timedelta(days=6), ("上周", "上星期"), ("last week",))


def _a_day(today: dt.date, rng: random.Random) -> Span:
    day = today - dt.timedelta(days=rng.randrange(20, 300))
    return Span(
        day, day, (f"{day.year}年{day.month}月{day.day}日",), (f"on {day.day} {_MONTHS[day.month - 1]} {day.year}",)
    )  # fmt: skip
