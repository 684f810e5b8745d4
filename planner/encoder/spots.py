"""What of a question may fill a field that lists no values: its time expressions, ids and names, numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from planner.catalogue import Field
from planner.compact.lines import Asked, Range
from planner.rules.free_values import FreeValue, find_free_values
from planner.rules.lexicon import Lexicon
from planner.rules.mentions import Mention, find_mentions
from planner.rules.numbers import find_comparison, find_numbers
from planner.rules.text import Text
from planner.times import TimeError, TimeSpan, find_times

__all__ = ["Reading", "Spot", "shown_number"]

_NUMERIC = ("number", "percent", "money", "integer")


@dataclass(frozen=True, slots=True)
class Spot:
    """question[start:end]. Exactly one of `span`, `text` and `number` is set; `sign` is the comparison beside a number."""

    start: int
    end: int
    span: TimeSpan | None = None
    text: str = ""
    kind: str = ""  # of a text: id, quoted, name
    number: float | None = None
    percent: bool = False
    sign: str = ""

    def fills(self, f: Field, ending: str = "as read", sign: str = "") -> Asked | None:
        """The filter on a field that this makes, None where its type cannot hold it.

        `ending` (as read, open, today, whole) is where a period that holds today ends; "start" is a week's or month's first day
        alone, by which some tables are keyed. `sign` (=, >=, <=) replaces the comparison read beside a number."""
        return _filled(self, f.type, bool(f.values), ending, sign)


@lru_cache(maxsize=8192)
def _filled(spot: Spot, kind: str, listed: bool, ending: str, sign: str) -> Asked | None:
    if spot.span is not None:
        return _period(spot.span, kind, ending)
    number, sign = spot.number, sign or spot.sign
    if number is None and kind in _NUMERIC and spot.text.isdigit() and len(spot.text) < 8:
        number = float(spot.text)
    if number is not None and (kind in _NUMERIC or spot.number is not None):
        if kind not in _NUMERIC:
            return None
        shown = shown_number(number, kind, percent=spot.percent)
        if sign.startswith(">"):
            return Range(shown, None)
        return Range(None, shown) if sign.startswith("<") else (shown,)
    if listed or not (kind == "text" or (kind == "integer" and spot.text.isdigit())):
        return None
    return (spot.text,)


def _period(span: TimeSpan, kind: str, ending: str) -> Asked | None:
    if ending == "start":
        if kind != "date" or span.unit not in ("week", "month") or span.first is None:
            return None
        span = replace(span, last=span.first, kind="span", running=False)
    elif ending != "as read":
        if span.first is None or not span.first <= span.today or (span.last and span.last < span.today):
            return None
        last = span.today if ending == "today" else span.last if ending == "whole" else None
        if ending == "whole" and last is None:
            return None
        span = replace(span, last=last, running=False)
    try:
        value = span.as_filter(kind)
    except TimeError:
        return None
    if isinstance(value, dict):
        low, high = value["from"], value["to"]
        return Range(None if low is None else str(low), None if high is None else str(high))
    return tuple(str(v) for v in value) if isinstance(value, list) else (str(value),)


def shown_number(value: float, kind: str, *, percent: bool) -> str:
    """A number as a filter on a field of this type: 15 of a percent field is 0.15."""
    if kind == "percent" and not percent and value >= 1:
        value /= 100
    return f"{value:.9f}".rstrip("0").rstrip(".")


@dataclass(slots=True)
class Reading:
    """A question as the rules read it before they decide anything."""

    text: Text
    spans: list[TimeSpan]
    mentions: list[Mention]
    frees: list[FreeValue]
    spots: list[Spot]

    @classmethod
    def of(cls, question: str, today: date, lexicon: Lexicon) -> Reading:
        """A time that cannot be read is left out."""
        text = Text.read(question)
        try:
            spans = find_times(question, today)
        except TimeError:
            spans = []
        taken = [(s.start, s.end) for s in spans if s.kind != "each"]
        mentions = find_mentions(text, lexicon, taken)
        frees = find_free_values(text, mentions, taken)
        spots = [Spot(s.start, s.end, span=s) for s in spans if s.dated or s.kind in ("yoy", "pop")]
        spots += [Spot(f.start, f.end, text=f.text, kind=f.kind) for f in frees]
        held = [(s.start, s.end) for s in spots if s.kind != "name"]
        for n in find_numbers(text.folded, 0, len(text.folded)):
            if not any(n.start < b and a < n.end for a, b in held):
                beside = find_comparison(text.folded, max(0, n.start - 24), min(len(text.folded), n.end + 10))
                own = beside is not None and beside.number.start == n.start
                sign = beside.sign if beside is not None and own else ""
                spots.append(Spot(n.start, n.end, number=n.value, percent=n.percent, sign=sign))
        return cls(text, spans, mentions, frees, spots)
