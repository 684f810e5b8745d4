"""Holidays that fall on the same date every year, with a word that says the day is meant: 双11当天, 国庆七天, "on Christmas Day".

Without such a word the name may be a sale, a product or a mood, and is no time."""

from __future__ import annotations

import re
from datetime import date, timedelta

from planner.times.atoms import Atom
from planner.times.builders import Build, relative_year
from planner.times.numerals import number
from planner.times.periods import period

__all__ = ["RULES", "without_explained"]

_DATES = {
    "元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "三八": (3, 8), "五一": (5, 1), "劳动节": (5, 1), "六一": (6, 1),
    "儿童节": (6, 1), "618": (6, 18), "六一八": (6, 18), "国庆": (10, 1), "十一": (10, 1), "双11": (11, 11), "双十一": (11, 11),
    "双12": (12, 12), "双十二": (12, 12), "平安夜": (12, 24), "圣诞": (12, 25), "跨年夜": (12, 31),
    "new year's day": (1, 1), "new years day": (1, 1), "valentine's day": (2, 14), "valentines day": (2, 14), "singles' day": (11, 11),
    "singles day": (11, 11), "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "boxing day": (12, 26),
    "new year's eve": (12, 31), "new years eve": (12, 31), "halloween": (10, 31), "may day": (5, 1),
}  # fmt: skip
_NAMES_ZH = "|".join(sorted((n for n in _DATES if not n.isascii() or n.isdigit()), key=len, reverse=True))
_NAMES_EN = "|".join(sorted((n for n in _DATES if n.isascii() and not n.isdigit()), key=len, reverse=True))
_DAYS_EN = "|".join(n for n in _NAMES_EN.split("|") if n.endswith((" day", " eve")))
_BY = re.compile(r"\b(?:before|by|until|till)\s*(?:the )?$")
_BEFORE_ZH = re.compile(r"\s*(?:之|以)?前")


def _year(m: re.Match[str], today: date, month: int, day: int) -> int:
    """The latest that has begun; of a deadline the nearest."""
    groups = m.groupdict()
    latest = today.year - ((month, day) > (today.month, today.day))
    if groups.get("y"):
        return int(groups["y"])
    said = (groups.get("ry") or groups.get("ry2") or "").strip()
    if said == "前一年":
        return latest - 1
    if said == "last" and groups.get("ry"):  # "last Christmas" is the latest one
        return latest
    if said:
        return relative_year(said, today)
    if _BY.search(m.string[: m.start()]) or _BEFORE_ZH.match(m.string[m.end() :]):
        return min((latest, latest + 1), key=lambda y: abs(date(y, month, day) - today))
    return latest


def _feast(m: re.Match[str], today: date) -> Atom:
    month, day = _DATES[m["f"]]
    first = period("day", _year(m, today, month, day), month, day)[0]
    count = m.groupdict().get("n")
    last = first + timedelta(days=number(count) - 1) if count else first
    return Atom(m.start(), m.end(), "day", first, last, role="feast", gives_year=False, closed=bool(count))


def without_explained(atoms: list[Atom], folded: str) -> list[Atom]:
    """国庆七天（10.2-10.8）: dates in brackets behind a holiday count, and the holiday does not."""
    out = []
    for i, atom in enumerate(atoms):
        after = atoms[i + 1] if i + 1 < len(atoms) else None
        if atom.role == "feast" or (atom.role == "pop" and atom.unit == "day"):
            if after is not None and re.fullmatch(r"\s*[(（]\s*", folded[atom.end : after.start]):
                continue
            atom.role = "time" if atom.role == "feast" else atom.role
        out.append(atom)
    return out


_L, _R = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_Y_ZH = r"(?:(?:(?<!\d)(?P<y>20\d\d)\s*年|(?P<ry>今年|去年|前年|前一年))的?)"
_NAME_ZH = rf"(?<![\d元块号第半])(?P<f>{_NAMES_ZH})"
_STANDS = r"节?(?:大促|促销)?(?:那一?天|当天|当日|这天|那日|正日子)"
RULES: list[tuple[str, Build]] = [
    (rf"{_Y_ZH}?{_NAME_ZH}{_STANDS}", _feast),
    (rf"{_Y_ZH}?{_NAME_ZH}节?(?:假期|长假|黄金周)?[这那]?(?P<n>[两三四五六七八1-9])天", _feast),
    (rf"{_Y_ZH}{_NAME_ZH}(?![月国庆])节?(?!期间|假期|长假|小长假|黄金周|前后|那几天|那一?周|活动|大促|促销|款|专)", _feast),
    (rf"(?:(?<=从)|(?<=自)){_NAME_ZH}节?(?=\s*(?:到|至|起|开始|以来))", _feast),
    (rf"(?<![\d双二]){_NAME_ZH}节?(?=到现在|至今|以来)", _feast),
    (rf"{_L}(?:on )?(?:(?P<ry>last|this) )?(?P<f>{_DAYS_EN})(?: (?:of )?(?:(?P<y>20\d\d)|(?P<ry2>last year|this year)))?{_R}", _feast),
    (rf"(?:(?<=\bbefore )|(?<=\bby )|(?<=\bsince )|(?<=\bafter ))(?P<f>christmas|halloween){_R}(?! (?:cards?|party|sale|menu|stock|orders?))", _feast),
]  # fmt: skip
