"""Days of the week beside a week ("last Monday", 上周五, 上周末), and named holidays, whose dates no grammar holds.

A weekday alone is often talk ("see you on Monday") or a habit, so it is read only as the end of a range that
begins in a named week, or where a preposition or a comma sets it apart and no other date stands in the question.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise

from planner.times.atoms import Atom
from planner.times.builders import Build
from planner.times.errors import TimeError
from planner.times.periods import running
from planner.times.years import TO

__all__ = ["RULES", "settle"]

_DAYS_EN = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_EN = r"(?P<d>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
_FULL_DAY_EN = r"(?P<d>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_DAY2_EN = r"(?P<d2>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_WEEK_ZH = r"(?:周|星期|礼拜)"
# 上周一共, 上周日均 and 上周三条线 name no weekday
_DAY_ZH = r"(?P<d>[一二三四五六](?![共直起样些般下定并律整个万千百十家次点条台名位件笔单天人倍成度张份部辆批趟氧])|日(?![均产销活常])|天(?!天))"
_BEGINS = re.compile(
    rf"(?P<s>上+|本|这|下+)(?:一?个)?{_WEEK_ZH}[一二三四五六日天]\s*(?:到|至|-|~)\s*$|"
    r"\b(?P<w>last|this|next) (?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*(?:to|through|until|till|-)\s*$"
)


def _steps(word: str) -> int:
    """Weeks from the running one."""
    return {"上": -1, "下": 1, "last": -1, "past": -1, "this past": -1, "next": 1}.get(
        word[0] if word[0] in "上下" else word, 0
    ) * (len(word) if word[0] in "上下" else 1)


def _number(word: str) -> int:
    return _DAYS_EN.index(word[:3]) if word.isascii() else "一二三四五六日天".index(word) - (word == "天")


def _days(m: re.Match[str], first: date, last: date) -> Atom:
    return Atom(m.start(), m.end(), "day", first, last, role="weekday")


def _chinese(m: re.Match[str], today: date) -> Atom:
    day = running("week", today)[0] + timedelta(days=7 * _steps(m["s"]) + _number(m["d"]))
    return _days(m, day, day)


def _english(m: re.Match[str], today: date) -> Atom:
    """'last Friday' is the latest one before today, 'next' and 'this' are of next and this week."""
    number = _number(m["d"])
    if m["s"] == "last":
        day = today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    else:
        day = running("week", today)[0] + timedelta(days=7 * _steps(m["s"]) + number)
    return _days(m, day, day)


_TALK = re.compile(
    r"\b(?:see|meet|meeting|needs?|needed|wants?|wanted|present|presenting|due|leaves?|call|deadline|back|board|will)\b[^.?!;]*$"
)


def _last_past(m: re.Match[str], today: date) -> Atom | None:
    """'on Monday', 周六: the last one before today, unless the clause is about an appointment."""
    if m["d"].isascii() and _TALK.search(m.string[: m.start()]):
        return None
    day = today - timedelta(days=(today.weekday() - _number(m["d"]) - 1) % 7 + 1)
    return _days(m, day, day)


def _either(m: re.Match[str], today: date) -> Atom:
    day = today - timedelta(days=(today.weekday() - _number(m["d"] or m["d2"]) - 1) % 7 + 1)
    return _days(m, day, day)


def _weekend(m: re.Match[str], today: date) -> Atom:
    monday = running("week", today)[0] + timedelta(days=7 * _steps(m["s"]))
    return _days(m, monday + timedelta(days=5), monday + timedelta(days=6))


def _end_of_range(m: re.Match[str], today: date) -> Atom | None:
    begun = _BEGINS.search(m.string[: m.start()])
    if begun is None:
        return None
    day = running("week", today)[0] + timedelta(days=7 * _steps(begun["s"] or begun["w"]) + _number(m["d"]))
    return _days(m, day, day)


def _holiday(m: re.Match[str], today: date) -> Atom:
    return Atom(m.start(), m.end(), "day", role="holiday")


def settle(atoms: list[Atom], folded: str) -> list[Atom]:
    """Without the weekdays and holidays that other dates make plain: beside "in March", "she rang last Friday" is talk.

    Raises TimeError where a holiday is all that says when."""
    dated = [a for a in atoms if a.role not in ("weekday", "holiday", "each", "monthday", "maybe_day")]
    holiday = next((a for a in atoms if a.role == "holiday"), None)
    if holiday is not None and all(a.unit == "year" for a in dated):
        shown = folded[holiday.start : holiday.end]
        raise TimeError(f"the days of a holiday are not known here: {shown}; give its dates")
    return [
        a
        for i, a in enumerate(atoms)
        if a.role != "holiday" and not (dated and a.role == "weekday" and not _in_range(atoms, i, folded))
    ]


def _in_range(atoms: list[Atom], i: int, folded: str) -> bool:
    """Whether a weekday is an end of a range: 这周一到昨天."""
    gaps = [folded[a.end : b.start] for a, b in pairwise(atoms[max(0, i - 1) : i + 2])]
    return any(gap.strip() and TO.match(gap) for gap in gaps)


_L, _R = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_FEAST_ZH = (
    r"(?:春节|国庆|中秋|端午|清明|元宵|元旦|五一|十一|劳动节|圣诞|复活节|感恩节|斋月|双十一|双十二)节?"
)
_FEAST_EN = (
    r"(?:christmas|easter|thanksgiving|ramadan|diwali|eid|hanukkah|passover|halloween|"
    r"(?:lunar|chinese) new year|spring festival|golden week|black friday|cyber monday)"
)
RULES: list[tuple[str, Build]] = [
    (rf"(?P<s>上+|本|这|下+)(?:一?个)?{_WEEK_ZH}{_DAY_ZH}", _chinese),
    (rf"(?P<s>上+|本|这|下+)(?:一?个)?{_WEEK_ZH}末", _weekend),
    (rf"{_L}(?P<s>last|this|next) {_DAY_EN}{_R}", _english),
    (rf"{_L}(?:the )?(?P<s>last|this|next|this past|past) weekend{_R}", _weekend),
    (rf"{_WEEK_ZH}{_DAY_ZH}", _end_of_range),
    (rf"{_L}{_DAY_EN}{_R}", _end_of_range),
    (rf"(?:(?<=\bon )|(?<=since )|(?<=from )|(?<=, ))(?:the )?{_FULL_DAY_EN}(?=\s*(?:$|[,.?!;:)-]|(?:to|and|or|for|at|in|by|please|pls|than|that)\b))",
     _last_past),
    (rf"{_L}(?:on )?{_FULL_DAY_EN}(?='s (?:clos\w+|numbers|figures|sales|takings|totals?|intake|orders|price)\b)", _last_past),
    (rf"{_L}(?:on )?(?:this past|the past|the last|past) {_DAY_EN}{_R}|{_L}(?:on )?the {_DAY2_EN} just (?:gone|past){_R}", _either),
    (rf"(?<![一二两三四五六七八九十几\d每逢各到至半首次前后整双单小老大阿上下本这个末]){_WEEK_ZH}(?P<d>[一二三四五六](?![到至和、月共直起样些般下定并律整万千百十家次点条台名位件笔单天人倍成度张份部辆批趟氧鸣])|日(?![均产销活常到至和、]))"
     r"(?!之?前|以前|开会|[^,，。?？]{0,4}(?:会议|例会|晨会|早会|开会|汇报|要用|要交|上会|见)|要|得|用|交|给|上午|下午|的?会)", _last_past),
    (rf"{_FEAST_ZH}(?:期间|假期|长假|小长假|黄金周|当天|前后|那几天|那天|那一?周)", _holiday),
    (rf"{_L}(?:during|over|throughout|around) (?:the )?(?:last |this |past )?{_FEAST_EN}{_R}", _holiday),
]  # fmt: skip
