"""Times as tags: `T1`, `T2` … for the time expressions of a question, so that no model has to do dates.

    month=T1          what the first expression is as a filter on this field's type
    month=T1,T2       a list; a comparison without dates of its own (同比) is two in one tag
    month=T1a,T1z     the first and the last day, month or quarter of T1, as points (from May to July: 5 月, 7 月)
    date=T1..T2       from the first day of T1 to the last of T2; `T1..` and `..T1` are open
    due=..T0          T0 is today

Only fields that hold a time take tags; everywhere else `T1` is a text like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NoReturn

from planner.catalogue import Catalogue, Field
from planner.compact.lines import Asked, CompactPlan, FetchLine, Line, Range, WriteLine, read_plan
from planner.errors import PlanError
from planner.rules.lexicon import Table
from planner.times import TimeError, TimeSpan, find_times

__all__ = ["read_times", "tag", "tag_fields", "taggable", "untag"]

_TIME = ("month", "quarter", "date", "datetime")
_TAG = re.compile(r"T(\d{1,2})([az]?)")
_CLAUSE = re.compile(r'(\b\d{1,2})\.([^\s=!<>()"]+)\s*(!=|>=|<=|=|>|<)\s*("?)([^\s()"]+)("?)')
Rewrite = Callable[[Asked, Field], Asked]


def read_times(question: str, today: date) -> tuple[TimeSpan, ...]:
    """The question's time expressions that can be tagged, T1 first; none where they cannot be read (a 30th of
    February)."""
    try:
        return taggable(find_times(question, today))
    except TimeError:
        return ()


def taggable(spans: Iterable[TimeSpan]) -> tuple[TimeSpan, ...]:
    """Those with dates, or whose dates the field's type decides: T1 is the first of them."""
    return tuple(s for s in spans if s.dated or s.kind in ("yoy", "pop"))


def tag_fields(field: Field) -> bool:
    """Whether tags stand for values of this field."""
    return field.type in _TIME or Table.is_year(field)


def tag(
    compact: CompactPlan | str, spans: Sequence[TimeSpan], today: date, catalogue: Catalogue
) -> CompactPlan:
    """The plan with tags for every time that one gives; other times stay as they are. `untag` gives it back."""
    plan = read_plan(compact) if isinstance(compact, str) else compact
    given = _Given(spans, today)
    return _rewritten(plan, catalogue, given.tagged)


def untag(
    compact: CompactPlan | str, spans: Sequence[TimeSpan], today: date, catalogue: Catalogue
) -> CompactPlan:
    """The plan with the times that its tags stand for. Raises PlanError on a tag that the question does not give,
    or that cannot be a value of its field."""
    plan = read_plan(compact) if isinstance(compact, str) else compact
    given = _Given(spans, today)
    return _rewritten(plan, catalogue, given.plain)


class _Given:
    """What a question's tags stand for, on a field of any type."""

    def __init__(self, spans: Sequence[TimeSpan], today: date) -> None:
        now = TimeSpan("", 0, 0, "day", today, today, "span", today)
        self.spans = (now, *taggable(spans))

    def asked(self, number: int, field: Field) -> Asked | None:
        """None where the tag is no value of such a field."""
        if number >= len(self.spans):
            return None
        try:
            value = self.spans[number].as_filter(field.type)
        except TimeError:
            return None
        return _asked(value)

    def ends(self, number: int, field: Field) -> tuple[str | None, str | None]:
        """The first and the last day, month, quarter or year of it; None where it is open, or is no value here."""
        if number >= len(self.spans):
            return None, None
        span = self.spans[number]
        try:
            if not span.dated:
                low, *_, high = sorted(map(str, span.as_filter(field.type)))
                return low, high
            return tuple(  # type: ignore[return-value]
                None
                if day is None
                else str(replace(span, first=day, last=day, running=False).as_filter(field.type))
                for day in (span.first, span.last)
            )
        except TimeError:
            return None, None

    def tagged(self, asked: Asked, field: Field) -> Asked:
        numbers = [*range(1, len(self.spans)), 0]
        known = {n: a for n in numbers if (a := self.asked(n, field)) is not None}
        for n, given in known.items():
            if given == asked:
                return (f"T{n}",)
        ends = {n: self.ends(n, field) for n in known}
        if isinstance(asked, Range):
            low = next((f"T{n}" for n, end in ends.items() if asked.low and end[0] == asked.low), asked.low)
            high = next(
                (f"T{n}" for n, end in ends.items() if asked.high and end[1] == asked.high), asked.high
            )
            return Range(low, high)
        names: dict[str, str] = {}
        for n, given in known.items():
            if isinstance(given, tuple) and len(given) == 1:
                names.setdefault(given[0], f"T{n}")
        for n, pair in ends.items():
            for end, letter in zip(pair, "az", strict=True):
                if end is not None:
                    names.setdefault(end, f"T{n}{letter}")
        return tuple(names.get(v, v) for v in asked)

    def plain(self, asked: Asked, field: Field) -> Asked:
        if isinstance(asked, Range):
            return Range(self._end(asked.low, field, 0), self._end(asked.high, field, 1))
        if len(asked) == 1 and _TAG.fullmatch(asked[0]):
            return self._meant(asked[0], field)
        out: list[str] = []
        for value in asked:
            meant = self._meant(value, field) if _TAG.fullmatch(value) else (value,)
            if isinstance(meant, Range):
                raise PlanError(f"{value} is a range here, which no list holds", key=field.name)
            out += meant
        return tuple(out)

    def _end(self, value: str | None, field: Field, which: int) -> str | None:
        tag = _TAG.fullmatch(value) if value else None
        if tag is None:
            return value
        end = self.ends(int(tag[1]), field)["az".index(tag[2]) if tag[2] else which]
        return end if end is not None else self._refuse(tag[0], field)

    def _meant(self, text: str, field: Field) -> Asked:
        tag = _TAG.fullmatch(text)
        number, letter = int(tag[1]) if tag else 0, tag[2] if tag else ""
        if letter:
            end = self.ends(number, field)["az".index(letter)]
            return (end if end is not None else self._refuse(text, field),)
        meant = self.asked(number, field)
        return meant if meant is not None else self._refuse(text, field)

    @staticmethod
    def _refuse(text: str, field: Field) -> NoReturn:
        raise PlanError(f"{text}: the question gives no such time for a {field.type} field", key=field.name)


def _asked(value: Any) -> Asked:
    if isinstance(value, dict):
        low, high = value["from"], value["to"]
        return Range(None if low is None else str(low), None if high is None else str(high))
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def _rewritten(plan: CompactPlan, catalogue: Catalogue, rewrite: Rewrite) -> CompactPlan:
    fields = [_fields(line, catalogue) for line in plan.lines]
    return replace(
        plan,
        lines=tuple(_line(line, own, fields, rewrite) for line, own in zip(plan.lines, fields, strict=True)),
    )


def _fields(line: Line, catalogue: Catalogue) -> dict[str, Field]:
    """The fields of the line's dataset that take tags."""
    if not isinstance(line, FetchLine | WriteLine):
        return {}
    wanted = line.source if isinstance(line, FetchLine) else None
    held = [
        dataset
        for source in catalogue.holders(line.dataset)
        if source.side_effect == isinstance(line, WriteLine) and wanted in (None, source.name)
        if (dataset := source.dataset(line.dataset)) is not None
    ]
    found: dict[str, Field] = {}
    for field in (f for dataset in held for f in dataset.fields):
        if tag_fields(field):
            found.setdefault(field.name, field)
    return found


def _line(line: Line, own: dict[str, Field], fields: list[dict[str, Field]], rewrite: Rewrite) -> Line:
    when = _condition(line.when, fields, rewrite) if line.when else None
    if isinstance(line, FetchLine):
        filters = {n: rewrite(a, own[n]) if n in own else a for n, a in line.filters.items()}
        return replace(line, filters=filters, when=when)
    if isinstance(line, WriteLine):
        values = {
            n: _single(v, rewrite((v,), own[n])) if n in own and isinstance(v, str) else v
            for n, v in line.values.items()
        }
        return replace(line, values=values, when=when)
    return replace(line, when=when)


def _single(before: str, after: Asked) -> str:
    """What is written is one value."""
    if isinstance(after, Range) or len(after) != 1:
        raise PlanError(f"{before} is more than one value, and one is written")
    return after[0]


def _condition(when: str, fields: list[dict[str, Field]], rewrite: Rewrite) -> str:
    def clause(match: re.Match[str]) -> str:
        step, name, sign, opened, value, closed = match.groups()
        known = fields[int(step) - 1] if 1 <= int(step) <= len(fields) else {}
        if name not in known:
            return match.group()
        return f"{step}.{name}{sign}{opened}{_single(value, rewrite((value,), known[name]))}{closed}"

    return _CLAUSE.sub(clause, when)
