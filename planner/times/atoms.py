"""Single time expressions found in a text, before ranges, neighbours and comparisons are put together.

An atom either stands on the calendar (`first`, `last`) or lacks its year (`part` with `first` None), which its
neighbours or `today` give later. Text is scanned folded: one character for one character, lower case, half width.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from planner.times.periods import Unit

__all__ = ["Atom", "find_atoms", "fold"]


@dataclass(slots=True)
class Atom:
    """`role` is "time", "range"/"list" (numbers before one unit: 1-3月, 7、8月), "each" (a grouping such as 各季度), "yoy"/"pop" (a comparison without dates of its own),
    "same" (同期: the other item's period) "weekday"/"holiday" (talk, where other dates stand beside them)
    "days" (of one month or two: 5月1-15日), or "last_year" (去年, which may be the baseline of another atom).
    `closed`: it has two ends of its own, so that 从 before it opens nothing."""

    start: int
    end: int
    unit: Unit
    first: date | None = None
    last: date | None = None
    part: tuple[int, ...] = ()
    role: str = "time"
    open_end: bool = False
    gives_year: bool = False
    closed: bool = False


def fold(text: str) -> str:
    """Lower case and half width, never changing the length."""
    out = []
    for character in text:
        simple = unicodedata.normalize("NFKC", character).lower()
        out.append(simple if len(simple) == 1 else character)
    folded = "".join(out).replace("–", "-").replace("—", "-").replace("〜", "~")
    folded = _YEAR_ZH.sub(
        lambda m: "".join(str("〇一二三四五六七八九".index(c.replace("零", "〇"))) for c in m.group()), folded
    )
    folded = _FIRST_MONTH.sub("一", folded)
    return _YEAR_EN.sub(_year_in_words, folded)


_YEAR_ZH = re.compile(r"[一二][零〇九][零〇一二三四五六七八九]{2}(?=年)")
_FIRST_MONTH = re.compile(r"(?<![\d一二三四五六七八九十百千万亿几多美欧日公])元(?=月(?![租费供付薪结缴的]))")
_ONES = {w: i for i, w in enumerate("one two three four five six seven eight nine".split(), 1)}  # noqa: SIM905
_TEENS = {
    w: i
    for i, w in enumerate(
        [
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
        10,
    )
}
_YEAR_EN = re.compile(
    rf"\btwenty[ -](?:(?P<teen>{'|'.join(_TEENS)})|twenty(?:[ -](?P<one>{'|'.join(_ONES)}))?)\b"
)


def _year_in_words(m: re.Match[str]) -> str:
    """'twenty twenty-four' → '2024' and blanks, as long as before."""
    year = 2000 + (_TEENS[m["teen"]] if m["teen"] else 20 + _ONES.get(m["one"] or "", 0))
    return str(year).ljust(len(m.group()))


_TOKEN = re.compile(r"(?<![a-z0-9])(?=[a-z0-9/._-]*[a-z])(?=[a-z0-9/._-]*\d)[a-z0-9]+(?:[-_/.][a-z0-9]+)+")
_TIME_LETTERS = re.compile(
    r"[qhwt]|fy|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|mid|early|late|pre|post|to|st|nd|rd|th|ytd"
)


def _time_letters(token: str) -> bool:
    return all(_TIME_LETTERS.fullmatch(run) for run in re.findall(r"[a-z]+", token))


def find_atoms(folded: str, today: date) -> list[Atom]:
    """Longest match wins; earlier rules win ties. Raises TimeError for a month 13, a 30th of February, a Q5."""
    from planner.times.grammar import PATTERNS  # it needs Atom, and compiling it takes some 50 ms

    found: list[tuple[int, int, int, re.Match[str], Callable[[re.Match[str], date], Atom | None]]] = []
    ids = [m.span() for m in _TOKEN.finditer(folded) if not _time_letters(m.group())]
    for rank, (pattern, build) in enumerate(PATTERNS):
        for m in pattern.finditer(folded):
            if m.group() and not any(a <= m.start() and m.end() <= b for a, b in ids):
                found.append((m.start(), -len(m.group()), rank, m, build))
    atoms: list[Atom] = []
    reached = 0
    for start, _, _, match, build in sorted(found, key=lambda f: f[:3]):
        if start < reached:
            continue
        atom = build(match, today)
        if atom is not None:
            atoms.append(atom)
            reached = atom.end
    return atoms
