"""Days of a month: "the 17th", 14号那天, "1-15 Sep", 10.1-10.7 in brackets, and parts of a month (上旬, "first week of October")."""

from __future__ import annotations

import re
from datetime import date

from planner.times.atoms import Atom
from planner.times.builders import Build, english_day, numbered, relative_year
from planner.times.errors import TimeError
from planner.times.numerals import MONTH_NAME, NUMBER, month_number, number
from planner.times.periods import add_months, month_end, running

__all__ = ["RULES", "within_month"]

# 14号线, 3号炉, 1号舍: what carries a number and is no day
NUMBERED_THINGS = (
    "线机楼店车仓门井炉船桥厂塔馆厅窗柜库泵站地棚池罐风变锅矿床房栋舱岗队组台舍圈栏窑磨釜坝闸堆院园区片段层室座"
    "铺档摊桌席位灯杆路街口码文案单件货卡员工客主副高氧电站箱盒瓶管阀槽塘田林场所坞公球选标样试模架轴辊枪刀服"
)
_L, _R = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_M = rf"(?P<m>{MONTH_NAME})\.?"
_D, _E = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?", r"(?P<e>\d{1,2})(?:st|nd|rd|th)?"
_TO_EN = r"\s*(?:-|to|through|thru|until|till)\s*(?:the )?"
_TO_ZH = r"\s*(?:到|至|-|~)\s*"
_Y_EN = r"(?:,?\s+(?:(?P<y>20\d\d)|(?P<ry>this year|last year)))?"
_Y_ZH = r"(?:(?:(?<!\d)(?P<y>20\d\d)\s*年|(?P<ry>今年|去年|前年))\s*的?)?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? (?:the )?)?"


def _days(m: re.Match[str], today: date, month: int, day: int, last_month: int, last_day: int) -> Atom | None:
    if not (1 <= month <= 12 and 1 <= last_month <= 12 and day <= 31 and 1 <= last_day <= 31):
        return None
    if last_month == month and 0 < last_day < day:
        return None
    groups = m.groupdict()
    year = int(groups["y"]) if groups.get("y") else None
    if groups.get("ry"):
        year = relative_year(groups["ry"], today)
    first = date(year, 1, 1) if year else None
    return Atom(m.start(), m.end(), "day", first, part=(month, day, last_month, last_day), role="days")


def _english(m: re.Match[str], today: date) -> Atom | None:
    month = month_number(m["m"])
    return _days(m, today, month, int(m["d"]), month, int(m["e"]))


def _two_days(m: re.Match[str], today: date) -> Atom | None:
    month, last_month = int(m["m"]), int(m["n"])
    if m.groupdict().get("ry") and "今年" in m.group()[2:] and last_month >= month:
        return None  # more than a year
    return _days(m, today, month, int(m["d"]), last_month, int(m["e"]))


_DATE_IN_BRACKETS = re.compile(r"[周天节假期月日旦庆一那年]\s*[(（]\s*$")


def _dotted(m: re.Match[str], today: date) -> Atom | None:
    """10.1-10.7 is days only in brackets behind a word of time, or behind 从."""
    before = m.string[: m.start()]
    if not (_DATE_IN_BRACKETS.search(before) or re.search(r"[从自]\s*$", before)):
        return None
    return _two_days(m, today)


def _day(m: re.Match[str], month: int, day: int) -> Atom | None:
    try:
        return numbered("day", m, month, day)
    except TimeError:
        return None


def _slashed(m: re.Match[str], today: date) -> Atom | None:
    """3/15 where it can be no fraction."""
    month, day = int(m["m"]), int(m["d"])
    said = re.search(
        r"(?:\b(?:on|since|from|dated|by|before|after|until|till)|[从自])\s*$", m.string[: m.start()]
    )
    return _day(m, month, day) if 1 <= month <= 12 and (day > 11 or said) else None


def _latest(day: int, today: date) -> date:
    """The latest day of this number up to today."""
    for back in range(14):
        month = add_months(today.replace(day=1), -back)
        if day <= month_end(month.year, month.month).day and month.replace(day=day) <= today:
            return month.replace(day=day)
    raise TimeError(f"there is no such day: {day}")


_DEADLINE = re.compile(
    r"\b(?:by|for|before|until|till)\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day )?(?:the )?$"
)


def _meant(m: re.Match[str], first: int, last: int, today: date) -> date:
    """The latest such day, the running month's for a range that holds today, the nearest for a deadline or some days ahead."""
    latest, days = _latest(last, today), month_end(today.year, today.month).day
    ahead = today.replace(day=last) if today.day < last <= days else None
    if ahead is None or (first < last and first <= today.day):
        return ahead or latest
    deadline = _DEADLINE.search(m.string[: m.start()]) or re.match(r"\s*(?:之|以)?前", m.string[m.end() :])
    near = ahead - today < today - latest if deadline else (ahead - today).days <= 3
    return ahead if near else latest


def _lone(m: re.Match[str], today: date) -> Atom | None:
    groups = m.groupdict()
    first, last = int(m["d"]), int(groups.get("e") or m["d"])
    if not 1 <= first <= last <= 31:
        return None
    if groups.get("u"):
        month = add_months(today.replace(day=1), -1 if groups["u"] in ("last", "上") else 0)
        if last > month_end(month.year, month.month).day:
            return None
        return Atom(
            m.start(), m.end(), "day", month.replace(day=first), month.replace(day=last), gives_year=True
        )
    end = _meant(m, first, last, today)
    if first > end.day:
        return None
    if groups.get("list") and last != first + 1:
        return None
    bare = "bare" in groups
    return Atom(
        m.start(), m.end(), "day", end.replace(day=first), end, role="maybe_day" if bare else "monthday"
    )


def within_month(atoms: list[Atom]) -> list[Atom]:
    """A lone day of the month is of the month of the day before it (11月30号…29号); one in brackets that repeats what stands before goes."""
    out: list[Atom] = []
    for atom in atoms:
        if atom.role not in ("monthday", "maybe_day") or atom.first is None or atom.last is None:
            out.append(atom)
            continue
        near = next(
            (a for a in reversed(out) if a.first and a.unit == "day" and a.gives_year and not a.closed), None
        )
        if near is not None and near.first is not None:
            year, month = near.first.year, near.first.month
            if atom.last.day <= month_end(year, month).day:
                first, last = atom.first.replace(year=year, month=month), atom.last
                atom.first, atom.last = first, last.replace(year=year, month=month)
        atom.role = "time"
        out.append(atom)
    return out


_PARTS = {"上旬": (1, 10), "中旬": (11, 20), "下旬": (21, 31), "上半月": (1, 15), "下半月": (16, 31)}
_SIZES = {"天": 1, "日": 1, "周": 7, "个星期": 7, "个礼拜": 7, "day": 1, "week": 7, "fortnight": 14}


def _span_of(edge: str, count: str | None, unit: str) -> tuple[int, int]:
    """First and last day; a first day of 0 or less counts from the month's end."""
    if unit in ("half", "半个月", "半月"):
        return (16, 31) if edge in ("second", "last", "后", "下") else (1, 15)
    length = (number(count) if count else 1) * _SIZES[unit.rstrip("s")]
    return (1 - length, 31) if edge in ("last", "final", "closing", "最后", "后") else (1, min(length, 31))


def _part_en(m: re.Match[str], today: date) -> Atom | None:
    edge, month = m["edge"], month_number(m["m"])
    if m["n"] is None and edge == "second" and m["u"] == "week":
        return _days(m, today, month, 8, month, 14)
    first, last = _span_of(edge, m["n"], m["u"])
    return _days(m, today, month, first, month, last)


def _part_zh(m: re.Match[str], today: date) -> Atom | None:
    if m["p"]:
        first, last = _PARTS[m["p"]]
    elif m["w"]:
        first = {"第一": 1, "首": 1, "第二": 8, "第三": 15, "第四": 22}[m["w"]]
        last = first + 6
    elif m["n"] is None and m["edge"] != "最后" and "半" not in m["u"]:
        return None
    else:
        first, last = _span_of(m["edge"], m["n"], m["u"])
    if m["r"]:
        month = add_months(running("month", today)[0], -1 if m["r"].startswith("上") else 0)
        atom = _days(m, today, month.month, first, month.month, last)
        if atom is not None:
            atom.first = date(month.year, 1, 1)
        return atom
    month_named = number(m["m"]) if m["m"] else today.month
    return _days(m, today, month_named, first, month_named, last)


_N12 = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_AFTER_HAO = rf"(?![{NUMBERED_THINGS}])(?!\s*(?:[、和与到至跟,~-]\s*\d{{1,2}}\s*号?)+\s*[{NUMBERED_THINGS}])"
_STANDS = r"(?:那一?天|当天|这天|那日|当日)"
RULES: list[tuple[str, Build]] = [
    # ranges
    (rf"(?<![a-z0-9-]){_WEEKDAY}{_D}{_TO_EN}{_WEEKDAY}{_E}\s+(?:of )?{_M}{_Y_EN}{_R}", _english),
    (rf"{_L}{_M}\s+{_D}{_TO_EN}{_E}{_Y_EN}{_R}(?!\s*(?:%|percent|units))", _english),
    (rf"{_Y_ZH}(?<![\d年])(?P<m>\d{{1,2}})\s*月\s*(?P<d>\d{{1,2}})\s*[日号]?{_TO_ZH}(?:今年)?(?P<n>\d{{1,2}})\s*月\s*(?P<e>\d{{1,2}})"
     r"(?:\s*[日号]|(?!\s*[\d个家件人台单条箱吨万千元份次.%]))", _two_days),
    (rf"(?<![\d.])(?P<m>\d{{1,2}})\.(?P<d>\d{{1,2}}){_TO_ZH}(?P<n>\d{{1,2}})\.(?P<e>\d{{1,2}})(?![\d.%])", _dotted),
    (rf"(?<![\d.月/第#-])(?P<d>\d{{1,2}})\s*[号日]?(?:{_TO_ZH}|(?P<list>[、和]))(?P<e>\d{{1,2}})\s*号{_AFTER_HAO}", _lone),
    # single days
    (rf"{_L}(?:the )?(?:first|1st) of {_M}(?: (?P<y>20\d\d))?{_R}", lambda m, t: numbered("day", m, month_number(m["m"]), 1)),
    (rf"{_L}(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? (?:the )?{_D}\s+(?:of )?{_M}{_Y_EN}{_R}",
     lambda m, t: english_day(m) if not m["ry"] else _days(m, t, month_number(m["m"]), int(m["d"]), month_number(m["m"]), int(m["d"]))),
    (rf"{_L}mid-?\s?{_M} \({_D}\)", lambda m, t: english_day(m)),
    (rf"(?<![\d年.])(?P<m>\d{{1,2}})\s*月\s*(?P<d>\d{{1,2}})(?=\s*(?:$|[,，。、;；:：?？!！)）比跟和与到至]|{_STANDS}))",
     lambda m, t: _day(m, int(m["m"]), int(m["d"]))),
    (r"(?<![\d/a-z.-])(?P<m>\d{1,2})/(?P<d>\d{1,2})(?![\d/a-z%-]|\.\d|\s*of\b|的)", _slashed),
    (rf"{_L}(?:on )?the (?P<d>\d{{1,2}})(?:st|nd|rd|th) of (?P<u>this|last|the|the current|the same) month{_R}", _lone),
    (rf"(?P<u>本|这个|上个?)月(?P<d>\d{{1,2}})\s*[号日]{_AFTER_HAO}", _lone),
    (rf"{_L}(?:on )?{_WEEKDAY}the (?P<d>\d{{1,2}})(?:st|nd|rd|th)(?=\s*(?:$|[,.;:?!)-]|(?:against|vs?|versus|and|to|compared|than|or|with|"
     r"please|pls|was|were|onwards?)\b))", _lone),
    (r"(?<=\()(?P<d>\d{1,2})(?:st|nd|rd|th)(?=\))", _lone),
    (rf"(?<![\d.月/第#-])(?P<d>\d{{1,2}})\s*[号日](?={_STANDS}|[那这]一?周|(?:算起|以来|起|开始|到现在|至今|之前|以前|之后|以后)(?![^\s,，。?？、]{{0,2}}[{NUMBERED_THINGS}]))", _lone),
    (rf"(?:(?<=[,，。、？?！!；;：:（(])|^)(?P<bare>\s*)(?P<d>\d{{1,2}})\s*号{_AFTER_HAO}(?![\s-]*(?:$|[a-z\d比]))", _lone),
    # parts
    (rf"{_L}(?:(?:over|in|during|for) )?(?:the )?(?P<edge>first|second|last|opening|final|closing) (?:(?P<n>{NUMBER}) )?"
     rf"(?P<u>days|weeks?|half|fortnight) (?:of|in) {_M}{_Y_EN}{_R}", _part_en),
    (rf"{_Y_ZH}(?:(?<![\d个])(?P<m>{_N12})\s*月份?|(?P<r>上个?月|本月|这个月))的?(?:(?P<p>[上中下]旬|[上下]半月)|(?P<w>第[一二三四]|首)(?:个?周|个星期)|"
     rf"(?P<edge>[前头上后下]|最后)(?P<n>{NUMBER})?(?P<u>半个?月|天|日|周|个星期|个礼拜))", _part_zh),
]  # fmt: skip
