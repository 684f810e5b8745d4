"""Missing years: an atom takes that of a neighbour, else the latest one that has begun."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from planner.times.atoms import Atom
from planner.times.periods import month_end, period

__all__ = ["AGAINST", "TO", "give_years", "is_between"]

TO = re.compile(
    r"^[\s?]*(?:(?:一直|一路|直)?[看算查拉]?(?:到|至)|-+|~|直到|to|through|thru|until|till|up to|up until|up through)"
    r"\s*(?:the )?(?:end of )?(?:the )?$"
)
_AND = re.compile(r"^\s*(?:and|与|和|跟)\s*$")
_BETWEEN = re.compile(r"(?:between|介于|在)\s*(?:the )?$")
_JOINED = re.compile(
    r"^\s*(?:,|、|/|&|\+|与|和|跟|同|及|以及|或|比|对比|相比|相较于?|vs?\.?|versus|and|or|to|against|than|"
    r"compared (?:to|with)|over|through|until|-+|~|到|至)\s*(?:in |the )?$"
)
AGAINST = re.compile(
    r"(?:比|较|跟|和|与|同|相比|相较|对比|相对于?|\bvs?\.?|\bversus|\bthan|\bwith|\bto|\bagainst|\bon|\bfrom|\bover|\band|\bdown|\bup)"
    r"\s*(?:in |that of |the )?$"
)
# what is only said of days to come; "expired" and 已过期 are past
_TO_COME = re.compile(
    r"\b(?:expir(?:e|es|ing)|lapse|lapses|lapsing|due|departs?|departing|run(?:s|ning)? (?:out|off)|(?:go|going) out of date|"
    r"coming (?:up|to)|upcoming|free slots?|sailing|target|forecast|renewals?)\b|(?<!已)(?<!已经)(?:到期|过期)|将|即将|要出|要交|预约"
)
_YEAR_FIRST = re.compile(r"(?:今年|去年|前年|上年)")
_BEFORE = re.compile(r"\bbefore (?:the )?(?:end of )?$")
_BEFORE_SUFFIX = re.compile(r"\s*[底末]?(?:之前|以前|前)(?![\d一二两三四五六七八九十几])")
_SOON = timedelta(days=31)


def give_years(atoms: list[Atom], folded: str, today: date) -> list[Atom]:
    """Every atom on the calendar, lists of months one by one."""
    out = list(atoms)
    for i in range(len(out) - 1, -1, -1):  # "Q3 and Q4 2023": the year comes from the right
        atom = out[i]
        if not atom.part or atom.first or i + 1 == len(out):
            continue
        after = out[i + 1]
        if after.gives_year and after.first and _JOINED.match(folded[atom.end : after.start]):
            end_unit_year = after.last.year if after.last else after.first.year
            moved = _placed(atom, end_unit_year)
            is_range = TO.match(folded[atom.end : after.start]) or is_between(folded, atom, after)
            if not is_range and _YEAR_FIRST.match(folded, after.start):  # 一季度和去年四季度
                continue
            if moved.first and moved.first > after.first and is_range:
                moved = _placed(atom, end_unit_year - 1)
            if (moved.first, moved.last) != (after.first, after.last):  # "October over October last year"
                out[i] = moved
    known: Atom | None = None
    stated = False
    for i, atom in enumerate(out):
        had = atom.first is not None
        if atom.part and atom.first:  # a list or range that names its year
            out[i] = _placed(atom, atom.first.year)
        elif atom.part:
            beside = known if known and (stated or _is_range(known, atom, folded)) else None
            out[i] = _after(beside, atom, folded, today)
        baseline = atom.role == "last_year" and AGAINST.search(folded[: atom.start])
        if out[i].gives_year and out[i].first is not None and not baseline:
            known, stated = out[i], had or stated
    return [one for atom in out for one in _spread(atom)]


def is_between(folded: str, a: Atom, b: Atom) -> bool:
    return bool(_AND.match(folded[a.end : b.start]) and _BETWEEN.search(folded[: a.start]))


def _is_range(known: Atom, atom: Atom, folded: str) -> bool:
    return bool(TO.match(folded[known.end : atom.start])) or is_between(folded, known, atom)


def _after(known: Atom | None, atom: Atom, folded: str, today: date) -> Atom:
    if atom.part == (2, 29) and atom.unit == "day":
        return _placed(atom, today.year - today.year % 4)
    if known is None or known.first is None:
        return _latest(atom, folded, today)
    placed = _placed(atom, known.first.year)
    if placed.first and _is_range(known, atom, folded) and placed.first < known.first:
        placed = _placed(atom, known.first.year + 1)
    return placed


def _latest(atom: Atom, folded: str, today: date) -> Atom:
    """The latest that has begun; the next one where it is some days ahead, or half a year and said to come."""
    placed = _placed(atom, today.year)
    if placed.first is None or placed.first <= today:
        following = _placed(atom, today.year + 1)
        over = (
            placed.last is not None
            and placed.last < today
            and not TO.match(folded[atom.end : atom.end + 6].split(" ")[0])
        )
        to_come = over and _TO_COME.search(folded[max(0, atom.start - 60) : atom.end + 12])
        return following if to_come and _ahead(following, folded, today) else placed
    return placed if _ahead(placed, folded, today) else _placed(atom, today.year - 1)


def _ahead(atom: Atom, folded: str, today: date) -> bool:
    if atom.first is None:
        return False
    if atom.unit == "day" and atom.role != "range" and atom.first - today <= _SOON:
        return True
    deadline = _BEFORE.search(folded[: atom.start]) or _BEFORE_SUFFIX.match(folded, atom.end)
    if deadline and atom.unit in ("day", "month") and atom.first - today <= timedelta(days=92):
        return True
    return atom.first - today <= timedelta(days=184) and bool(_TO_COME.search(folded))


def _placed(atom: Atom, year: int) -> Atom:
    if (
        atom.role == "days"
    ):  # (month, day, last month, last day); a day of 0 or less counts from the month's end
        month, day, last_month, last_day = atom.part
        end = month_end(year, month).day
        first = period("day", year, month, min(day, end) if day > 0 else end + day)[0]
        year += last_month < month
        last = period("day", year, last_month, min(last_day, month_end(year, last_month).day))[1]
        return replace(atom, first=first, last=last, gives_year=True)
    if atom.role in ("range", "list"):
        first = period(atom.unit, year, atom.part[0])[0]
        end_year = year + (atom.part[-1] < atom.part[0])
        return replace(atom, first=first, last=period(atom.unit, end_year, atom.part[-1])[1], gives_year=True)
    first, last = period(atom.unit, year, *atom.part)
    return replace(atom, first=first, last=last, part=(), gives_year=True)


def _spread(atom: Atom) -> list[Atom]:
    """7、8月 → two atoms; 12月和1月 goes over the new year."""
    if atom.role != "list" or atom.first is None:
        ranged = atom.role in ("range", "days")
        return [replace(atom, role="time", part=(), closed=True)] if ranged else [atom]
    year, out = atom.first.year, []
    for before, number in zip((0, *atom.part), atom.part, strict=False):
        year += 1 if number < before and before == 12 else 0
        first, last = period(atom.unit, year, number)
        out.append(replace(atom, first=first, last=last, part=(), role="time"))
    return out
