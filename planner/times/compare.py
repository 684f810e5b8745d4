"""Comparisons put against the dates of a question: 同比, 环比, "than last year"."""

from __future__ import annotations

import re
from dataclasses import replace

from planner.times.spans import TimeSpan
from planner.times.years import AGAINST

__all__ = ["compare"]


def compare(spans: list[TimeSpan], folded: str) -> list[TimeSpan]:
    """Resolve 同比, 环比 and 'than last year' against the spans that have dates."""
    spans = [
        s
        for i, s in enumerate(spans)
        if not (i and s.text.startswith("这") and s.start - spans[i - 1].end <= 1 and spans[i - 1].dated)
    ]
    spans = _implied([_baseline(span, i, spans, folded) for i, span in enumerate(spans)], folded)
    dated = [s for s in spans if s.dated]
    out: list[TimeSpan] = []
    for i, span in enumerate(spans):
        if span.kind not in ("yoy", "pop"):
            out.append(span)
            continue
        follower = spans[i + 1] if i + 1 < len(spans) else None
        if (
            span.kind == "yoy"
            and follower is not None
            and dated == [follower]
            and _names_baseline(span, follower, folded)
        ):
            out.append(
                replace(follower.moved("year", 1, "span"), start=span.start, end=span.end, text=span.text)
            )
            continue
        earlier = [s for s in dated if s.first is not None] or []
        if not earlier:
            if span.kind == "yoy" or span.unit not in ("day", "week"):
                out.append(span)
            continue
        for base in earlier:
            moved = _earlier(base, span)
            if not any((s.first, s.last) == (moved.first, moved.last) for s in dated) and not (
                len(earlier) > 1 and any(s.ends is None and _is_companion(base, s, span) for s in earlier)
            ):
                out.append(replace(moved, start=span.start, end=span.end, text=span.text))
    return [replace(s, kind="span") if s.kind == "last_year" else s for s in out]


def _earlier(base: TimeSpan, comparison: TimeSpan) -> TimeSpan:
    """The stretch that `comparison` names for `base`: 前年同月 is of the year before last, "same quarter in 2022" that year's."""
    if comparison.kind == "yoy" and base.first is not None:
        stated = re.search(r"20\d\d", comparison.text)
        year = int(stated.group()) if stated else base.first.year - 1
        if comparison.text.startswith("前年"):
            year = base.today.year - 2
        return base.moved("year", min(year - base.first.year, -1) if not stated else year - base.first.year)
    if comparison.kind == "yoy":
        return base.moved("year", -1)
    if comparison.unit in ("day", "week") and base.unit in ("day", "week"):
        return base.moved(comparison.unit, -1)
    return base.moved(base.unit, -1)


_THAN = re.compile(
    r"(?:比|较|相比于?|相较于?|对比|\bthan|\bversus|\bvs\.?|\bcompared (?:to|with)|\bagainst|\bup on|\bdown on)\s*(?:in |the )?$"
)


def _implied(spans: list[TimeSpan], folded: str) -> list[TimeSpan]:
    """'than last month' alone is about this month; beside 'in June' it is the month before June."""
    dated = [s for s in spans if s.dated]
    for i, span in enumerate(spans):
        previous = span.first is not None and span.last is not None and span.last < span.today
        than = _THAN.search(folded[: span.start]) or (
            re.search(r"[跟和与同]$", folded[: span.start]) and re.match(r"相?比", folded[span.end :])
        )
        if not previous or not span.dated or not than:
            continue
        if not re.search(r"上|去|last|previous|prior", span.text.lower()):
            continue
        unit = "year" if re.search(r"去年|上年|last year", span.text.lower()) else span.unit
        others = [s for s in dated if s is not span]
        if not others:
            moved = span.moved(unit, 1, "span")
            open_end = (
                moved.last is not None and moved.last >= span.today and span.unit in ("year", "quarter")
            )
            return [*spans[:i], replace(moved, running=open_end), span, *spans[i + 1 :]]
        if any((s.first, s.last) == (span.first, span.last) for s in others):
            spans[i] = replace(span, kind="pop", first=None, last=None)
    return spans


def _names_baseline(span: TimeSpan, follower: TimeSpan, folded: str) -> bool:
    """同比去年6月: the dates behind the comparison are its baseline, and this year's are asked about."""
    adjacent = not folded[span.end : follower.start].strip()
    return adjacent and follower.first is not None and follower.first.year < span.today.year


def _is_companion(base: TimeSpan, other: TimeSpan, comparison: TimeSpan) -> bool:
    """Whether `base` is itself the baseline of another span in the question."""
    moved = other.moved("year" if comparison.kind == "yoy" else other.unit, -1)
    return (moved.first, moved.last) == (base.first, base.last)


def _baseline(span: TimeSpan, i: int, spans: list[TimeSpan], folded: str) -> TimeSpan:
    """去年 after 比 is the same stretch a year earlier when another, finer span stands in the question."""
    if span.kind != "last_year":
        return span
    others = [s for j, s in enumerate(spans) if j != i and s.kind == "span" and s.unit != "year"]
    start = max((s.end for s in spans if s.end <= span.start), default=0)
    if others and AGAINST.search(folded[start : span.start]):
        return replace(span, kind="yoy", first=None, last=None)
    return replace(span, kind="span")
