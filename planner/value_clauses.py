"""Clauses on what stands in the rows: comparisons, in, between, any, type, fresh."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from planner.comparison import all_of, any_of, compare, member, negate, value_at
from planner.judgement import EXAMPLES, Data, Judgement, absent, brief, distinct, jsonable, no_column
from planner.periods import Period, read_time
from planner.validation_tree import Between, Compare, In, RowTest, TypeName

__all__ = ["any_row", "every_row", "fresh", "type_is"]


def _tester(test: RowTest) -> Callable[[Any], bool | None]:
    match test:
        case Compare(_, operator, literal):
            return lambda value: compare(value, operator, literal)
        case In(_, values, negated):
            return lambda value: negate(member(value, values)) if negated else member(value, values)
        case Between(_, low, high):
            return lambda value: all_of((compare(value, ">=", low), compare(value, "<=", high)))


def every_row(kind: str, test: RowTest, data: Data) -> Judgement:
    if not data.rows:
        return Judgement(kind, None, {"rows": 0}, "there are no rows")
    if absent(test.name, data):
        return no_column(kind, test.name, None, {"rows": len(data.rows)})
    values = [value_at(row, test.name) for row in data.rows]
    outcomes = list(map(_tester(test), values))
    failed = [v for v, o in zip(values, outcomes, strict=True) if o is False]
    unknown = [v for v, o in zip(values, outcomes, strict=True) if o is None]
    measured = {
        "rows": len(values),
        "failed": len(failed),
        "unknown": len(unknown),
        "examples": [jsonable(v) for v in distinct(failed or unknown)[:EXAMPLES]],
    }
    parts = [f"{len(failed)} of {len(values)} rows fail, first {brief(failed[0])}"] if failed else []
    parts += (
        [f"{len(unknown)} of {len(values)} rows cannot be told, first {brief(unknown[0])}"] if unknown else []
    )
    return Judgement(kind, all_of(outcomes), measured, "; ".join(parts) or f"all {len(values)} rows")


def any_row(test: RowTest, data: Data) -> Judgement:
    if data.rows and absent(test.name, data):
        return no_column("any", test.name, None, {"rows": len(data.rows)})
    outcomes = [_tester(test)(value_at(row, test.name)) for row in data.rows]
    held, unknown = outcomes.count(True), outcomes.count(None)
    measured = {"rows": len(outcomes), "held": held, "unknown": unknown}
    detail = f"{held} of {len(outcomes)} rows" + (f", {unknown} cannot be told" if unknown else "")
    return Judgement("any", any_of(outcomes), measured, detail)


def type_is(name: str, type_name: TypeName, data: Data) -> Judgement:
    if absent(name, data):
        return no_column("type", name, None)
    values = [v for row in data.rows if (v := value_at(row, name)) is not None]
    other = [v for v in values if not _is_type(v, type_name)]
    measured = {
        "values": len(values),
        "other": len(other),
        "examples": [jsonable(v) for v in other[:EXAMPLES]],
    }
    if not values:
        return Judgement("type", None, measured, f"{name} has no value")
    detail = (
        f"{len(other)} of {len(values)} values are not {type_name}, first {brief(other[0])}" if other else ""
    )
    return Judgement("type", not other, measured, detail or f"all {len(values)} values")


def _is_type(value: Any, type_name: TypeName) -> bool:
    """An instant can be read as a date; a date is not a month; "12" is text."""
    match type_name:
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "bool":
            return isinstance(value, bool)
        case "text":
            return isinstance(value, str)
        case "date" | "month":
            period = read_time(value) if isinstance(value, str) else None
            length = (period.end - period.start).days if isinstance(period, Period) else None
            return length == 0 if type_name == "date" else length is not None and 27 <= length <= 30


def fresh(name: str, days: int, data: Data, today: date) -> Judgement:
    """Age in days from the newest value's last day to `today`; a day to come is younger than 0."""
    if absent(name, data):
        return no_column("fresh", name, None)
    values = [v for row in data.rows if (v := value_at(row, name)) is not None]
    periods = [p for v in values if isinstance(v, str) and isinstance(p := read_time(v), Period)]
    if not periods:
        return Judgement("fresh", None, None, f"{name} has no date")
    newest = max(p.end for p in periods).date()
    age = (today - newest).days
    holds = True if age <= days else False if len(periods) == len(values) else None
    detail = f"newest is {newest.isoformat()}, {age} days before {today.isoformat()}"
    if holds is None:
        detail += f"; {len(values) - len(periods)} values are no dates"
    return Judgement("fresh", holds, {"newest": newest.isoformat(), "days": age}, detail)
