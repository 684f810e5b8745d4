"""From atoms to time spans: missing years, ranges, open sides and comparisons."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from planner.times.atoms import Atom, find_atoms, fold
from planner.times.bare_months import is_month
from planner.times.compare import compare
from planner.times.errors import TimeError
from planner.times.feasts import without_explained
from planner.times.monthdays import within_month
from planner.times.spans import TimeSpan
from planner.times.weekdays import settle
from planner.times.weeks import weeks
from planner.times.years import TO, give_years, is_between

__all__ = ["find_times"]

_FROM = re.compile(r"(?:\bfrom|\bbetween|从|自|由)\s*(?:the )?$")
_TO_NOW = re.compile(
    r"^\s*(?:以来|至今|(?:一直|看|直)?(?:到|至)\s*(?:现在|目前|如今|今天|今日|今)|迄今|起|开始|往后|以后|之后|后(?![续来])|"
    r"(?:to|until|till|up to|through) (?:now|today|date|the present|present)|onwards?\b|and (?:later|after)|forward)"
)
_AFTER_SUFFIX = re.compile(r"^\s*(?:之后|后(?![续来]))")
_BEFORE_SUFFIX = re.compile(r"^\s*(?:以前|之前|前(?![\d一二两三四五六七八九十几]))")
_SINCE = re.compile(
    r"(?:\bsince|\bever since|\bstarting(?: in| from)?|\bbeginning(?: in)?|自从|自|从|打)\s*(?:about |early |the |in |the start of "
    r"|the beginning of |start of )?$"
)
_AFTER = re.compile(r"(?:\bafter|\blater than)\s*(?:the end of |the )?$")
_BEFORE = re.compile(r"(?:(?<!\bon or )\bbefore|\bprior to|\bearlier than|\bolder than)\s*(?:the )?$|早于$")
_UNTIL = re.compile(
    r"(?:\buntil|\btill|\bup to|\bas of|\bby the end of|\bno later than|\bon or before|\bup through|截至|截止到?|截止至|到)\s*(?:the )?$"
)
_YEAR = re.compile(r"\d{4}")


def find_times(question: str, today: date) -> list[TimeSpan]:
    """Every time expression, in the order of the text. Raises TimeError on what reads as a time and is none."""
    folded = fold(question)
    try:
        atoms = [
            a for a in find_atoms(folded, today) if a.role != "doubtful" or is_month(question, a.start, a.end)
        ]
        atoms = without_explained(settle(atoms, folded), folded)
        atoms = weeks(within_month(give_years(atoms, folded, today)), folded)
        return compare(_join(atoms, question, folded, today), folded)
    except (OverflowError, ValueError) as error:  # dates outside year 1..9999
        raise TimeError("a time outside the calendar") from error


def _join(atoms: list[Atom], question: str, folded: str, today: date) -> list[TimeSpan]:
    spans: list[TimeSpan] = []
    i = 0
    while i < len(atoms):
        atom = atoms[i]
        span = _span(atom, question, today)
        if atom.first is None:
            spans.append(span)
            i += 1
            continue
        before = folded[atoms[i - 1].end if i else 0 : atom.start]
        if i + 1 < len(atoms) and atoms[i + 1].first is not None and atoms[i + 1].start >= atom.end:
            gap, other = folded[atom.end : atoms[i + 1].start], atoms[i + 1]
            is_range = TO.match(gap) or is_between(folded, atom, other)
            stated = _YEAR.search(folded[other.start : other.end]) and _FROM.search(before)
            ordered = other.first is not None and (atom.first <= other.first or stated)
            if is_range and ordered and other.role in ("time", "last_year", "weekday"):
                spans.append(_range(span, _span(other, question, today), question))
                i += 2
                continue
        follows = folded[atom.end : atoms[i + 1].start if i + 1 < len(atoms) else len(folded)]
        spans.append(_opened(atom, span, before, follows, question))
        if len(spans) > 1 and (whole := _closed(spans[-2], spans[-1], question)):
            spans[-2:] = [whole]
        i += 1
    return spans


def _closed(opened: TimeSpan, ended: TimeSpan, question: str) -> TimeSpan | None:
    """'since 14 Sept, up to yesterday', 从9月1号算起到昨天: one stretch with two ends."""
    if opened.last is not None or ended.first is not None or ended.last is None or opened.first is None:
        return None
    gap = question[opened.end : ended.start]
    if opened.first > ended.last or not re.fullmatch(r"[\s,，、?？]*(?:算起|开始|起|一路|一直|看)?", gap):
        return None
    text = question[opened.start : ended.end]
    return replace(opened, text=text, end=ended.end, last=ended.last, unit=opened.unit, running=False)


def _span(atom: Atom, question: str, today: date) -> TimeSpan:
    kind = atom.role if atom.role in ("each", "yoy", "pop", "same", "last_year") else "span"
    return TimeSpan(
        question[atom.start : atom.end], atom.start, atom.end, atom.unit, atom.first, atom.last, kind, today,  # type: ignore[arg-type]
        running=atom.open_end,
    )  # fmt: skip


def _range(a: TimeSpan, b: TimeSpan, question: str) -> TimeSpan:
    a, b = replace(a, kind="span"), replace(b, kind="span")
    if a.first and b.first and b.first < a.first and _YEAR.search(a.text) and _YEAR.search(b.text):
        raise TimeError(f"{question[a.start : b.end]!r} ends before it begins")
    is_open = b.first is not None and b.first == b.last == b.today and a.unit != "day"
    return replace(
        a, text=question[a.start : b.end], end=b.end, last=b.last, running=b.running or is_open,
        unit=a.unit if a.unit == b.unit else "day", ends=None if a.unit == "day" or is_open else (a, b),
    )  # fmt: skip


def _opened(atom: Atom, span: TimeSpan, before: str, follows: str, question: str) -> TimeSpan:
    """since, after, before, until: the side that the words around the span leave open."""
    first, last = span.first, span.last
    head, tail = span.start, span.end
    if due := _due(span, before, follows):
        first = span.today if span.last and span.last >= span.today else None
        head, tail = head - due[0], tail + due[1]
        return replace(
            span, first=first, start=head, end=tail, text=question[head:tail], kind="span", running=False
        )
    if match := _AFTER.search(before):
        first, last, head = _next(span), None, span.start - (len(before) - match.start())
    elif (match := _SINCE.search(before)) and not atom.closed:
        last, head = None, span.start - (len(before) - match.start())
        if closing := _TO_NOW.match(follows):
            tail += closing.end()
    elif match := _AFTER_SUFFIX.match(follows):
        first, last, tail = _next(span), None, span.end + match.end()
    elif match := _TO_NOW.match(follows):
        last, tail = None, span.end + match.end()
    elif span.first is not None and (match := _BEFORE_SUFFIX.match(follows)):
        first, last, tail = None, _eve(span.first), span.end + match.end()
    elif span.first is not None and (match := _BEFORE.search(before)):
        first, last, head = None, _eve(span.first), span.start - (len(before) - match.start())
    elif (match := _UNTIL.search(before)) and not span.running:
        first, head = None, span.start - (len(before) - match.start())
    else:
        return span
    return replace(span, first=first, last=last, start=head, end=tail, text=question[head:tail], kind="span")


_DUE = re.compile(r"\b(?:before|until|till|prior to)\s*(?:the )?end of (?:the )?$")
_DUE_SUFFIX = re.compile(r"^\s*[底末](?:之前|以前|前)")


def _due(span: TimeSpan, before: str, follows: str) -> tuple[int, int] | None:
    """Characters before and behind that make the end of a period a deadline, as of the day on which it is asked: 6月底前."""
    if span.last is None or span.unit == "day":
        return None
    if match := _DUE.search(before):
        return len(before) - match.start(), 0
    suffix = _DUE_SUFFIX.match(follows)
    return (0, suffix.end()) if suffix else None


def _eve(day: date) -> date:
    return day - timedelta(days=1)


def _next(span: TimeSpan) -> date | None:
    """'after a day' counts from that day on; 'after a longer period' from the day behind it."""
    if span.unit == "day" or span.last is None:
        return span.first
    return span.last + timedelta(days=1)
