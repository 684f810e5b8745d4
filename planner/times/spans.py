"""`TimeSpan`: a stretch of time that a question names, and its form as a filter on a field of any type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from planner.times.errors import TimeError
from planner.times.periods import Unit, add_months, last_complete, month_end, running, shift

__all__ = ["Kind", "TimeSpan"]

Kind = Literal["span", "compared", "each", "yoy", "pop", "same", "last_year"]
_BUCKET: dict[str, Unit] = {
    "month": "month", "quarter": "quarter", "date": "day", "datetime": "day", "integer": "year", "number": "year",
    "text": "year",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """`text` is question[start:end]. `first`/`last` are inclusive days; None is an open side.

    kind: "span" is fixed by the question; "compared" is the baseline that 同比, 环比 or "a year earlier" adds to
    another span; "each" only groups (各季度); "yoy"/"pop" is a comparison whose periods the field's type decides
    (the last complete one and the one before); "same" is 同期, the period of the other item; "last_year"
    occurs only while spans are put together.
    `running`: the span is the period that holds today, so its end is open. `ends` are the two ends of "from A to B",
    which some questions mean as two points.
    """

    text: str
    start: int
    end: int
    unit: Unit
    first: date | None
    last: date | None
    kind: Kind
    today: date
    running: bool = False
    ends: tuple[TimeSpan, TimeSpan] | None = None

    @property
    def dated(self) -> bool:
        return self.kind in ("span", "compared")

    def moved(self, unit: Unit, count: int, kind: Kind = "compared") -> TimeSpan:
        """The same stretch `count` units later."""
        if self.first is None or self.last is None:
            first = (
                None
                if self.first is None
                else add_months(self.first, 12 * count)
                if unit == "year"
                else self.first
            )
            return replace(self, first=first, kind=kind, running=False, ends=None)
        first, last = shift(unit, self.first, self.last, count)
        return replace(self, first=first, last=last, kind=kind, running=False, ends=None)

    def as_filter(self, field_type: str) -> Any:
        """A literal, a list of two (yoy, pop) or {"from", "to"} in the field's own terms.

        Raises TimeError when the span has no dates or the type holds no time."""
        bucket = _BUCKET.get(field_type)
        if bucket is None:
            raise TimeError(f"{self.text!r} cannot be a filter on a {field_type} field")
        if self.kind in ("yoy", "pop"):
            return [span.as_filter(field_type) for span in self.resolved(bucket)]
        if not self.dated:
            raise TimeError(f"{self.text!r} names no period of its own")
        whole = self.first and self.last and _label(bucket, self.first, field_type) == _label(
            bucket, self.last, field_type
        )  # fmt: skip
        if whole and self.first is not None:
            return _label(bucket, self.first, field_type)
        return {
            "from": None if self.first is None else _label(bucket, self.first, field_type),
            "to": None if self.last is None or self.running else _label(bucket, self.last, field_type),
        }

    def resolved(self, bucket: Unit) -> list[TimeSpan]:
        """A comparison without dates, as its two periods: the last complete one, then its baseline."""
        unit: Unit = "month" if bucket == "day" else bucket
        if bucket == "year":
            first, last = running("year", self.today)
        else:
            first, last = last_complete(unit, self.today)
        base = replace(self, first=first, last=last, unit=unit, kind="span")
        return [base, base.moved("year" if self.kind == "yoy" else unit, -1)]


def _label(bucket: Unit, day: date, field_type: str) -> Any:
    if bucket == "month":
        return f"{day.year:04d}-{day.month:02d}"
    if bucket == "quarter":
        return f"{day.year:04d}-Q{(day.month + 2) // 3}"
    if bucket == "year":
        return str(day.year) if field_type == "text" else day.year
    return day.isoformat()


def whole_months(span: TimeSpan) -> bool:
    """Whether the span starts on a first of a month and ends on a last."""
    return (
        span.first is not None
        and span.last is not None
        and span.first.day == 1
        and span.last == month_end(span.last.year, span.last.month)
    )
