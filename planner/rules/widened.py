"""Periods that the plan could only take wider than the question says: a month asked of a quarterly dataset."""

from __future__ import annotations

from collections.abc import Iterable

from planner.catalogue import Catalogue
from planner.plan import SubGoal
from planner.times import TimeSpan
from planner.times.spans import whole_months

__all__ = ["widened"]

_TIMES = ("month", "quarter", "date", "datetime")


def widened(spans: Iterable[TimeSpan], goals: Iterable[SubGoal], catalogue: Catalogue) -> tuple[str, ...]:
    """The words of those periods, so that the answer can tell. An open or running period is as wide as it says."""
    types = set()
    for goal in goals:
        dataset = catalogue.dataset(goal.data_source, str(goal.params.get("dataset")))
        for name in goal.params.get("filters") or ():
            field = dataset.field(name) if dataset else None
            if field is not None and field.type in _TIMES:
                types.add(field.type)
    if not types or types & {"date", "datetime"}:
        return ()
    return tuple(s.text for s in spans if s.dated and not s.running and not any(_fits(s, t) for t in types))


def _fits(span: TimeSpan, field_type: str) -> bool:
    if span.first is None or span.last is None:
        return True
    whole = whole_months(span)
    return whole and (field_type == "month" or (span.first.month % 3 == 1 and span.last.month % 3 == 0))
