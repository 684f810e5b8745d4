"""From a match of the grammar to an atom: one function a kind of expression. Each takes the match and `today`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from planner.times.atoms import Atom
from planner.times.errors import TimeError
from planner.times.numerals import month_number, number
from planner.times.periods import Unit, add_months, last_complete, month_end, period, running, shift

Build = Callable[[re.Match[str], date], Atom | None]
_UNIT_ZH: dict[str, Unit] = {
    "年": "year", "季度": "quarter", "季": "quarter", "财季": "quarter", "月": "month", "周": "week", "星期": "week",
    "礼拜": "week", "天": "day", "日": "day", "月份": "month", "年度": "year", "财年": "year",
}  # fmt: skip
_UNIT_EN = {unit: unit for unit in ("day", "week", "month", "quarter", "year")} | {"fortnight": "week"}


def atom(m: re.Match[str], unit: Unit, span: tuple[date, date] | None, **more: object) -> Atom:
    first, last = span or (None, None)
    return Atom(m.start(), m.end(), unit, first, last, **more)  # type: ignore[arg-type]


def numbered(unit: Unit, m: re.Match[str], *part: int) -> Atom:
    """With the year the match may hold; without one the parts are checked against a leap year now."""
    year = m.groupdict().get("y")
    if (
        unit == "day"
        and part[1] in (29, 30, 31)
        and (_UP_TO.search(m.string[: m.start()]) or _BY_THEN.match(m.string[m.end() :]))
    ):
        part = (part[0], min(part[1], month_end(int(year or 2024), min(part[0], 12)).day))
    if year is not None:
        return atom(m, unit, period(unit, int(year), *part, text=m.group()), gives_year=True)
    period(unit, 2024, *part, text=m.group())
    return atom(m, unit, None, part=part)


# the end of a range may be given as the 31st of any month: its last day is meant
_UP_TO = re.compile(r"(?:到|至|截止|[-~]|\bto|\bthrough|\buntil|\band|\bby)\s*(?:the )?$")
_BY_THEN = re.compile(r"\s*(?:之?前|以前|为止|止|截止)")


def relative_year(word: str, today: date) -> int:
    back = {
        "今年": 0, "本年": 0, "本年度": 0, "当年": 0, "去年": 1, "上年": 1, "上一年": 1, "上年度": 1, "前年": 2,
        "明年": -1, "大前年": 3, "this year": 0, "last year": 1, "previous year": 1, "the previous year": 1,
        "next year": -1, "of this year": 0, "of last year": 1, "this year's": 0, "last year's": 1,
    }  # fmt: skip
    return today.year - back[re.sub(r"\byr\b", "year", word.strip())]


def in_year(unit: Unit, m: re.Match[str], today: date, *part: int) -> Atom:
    year = relative_year(" ".join(m["ry"].split()), today)
    return atom(m, unit, period(unit, year, *part, text=m.group()), gives_year=True)


def whole_year(m: re.Match[str], today: date) -> Atom:
    word = " ".join(m["ry"].split())
    year = relative_year(word, today)
    role = "last_year" if year == today.year - 1 else "time"
    is_open = year == today.year and "全年" not in m.group()
    return atom(m, "year", period("year", year), role=role, open_end=is_open, gives_year=True)


def this(m: re.Match[str], today: date) -> Atom:
    unit = unit_of(m["u"])
    return atom(m, unit, running(unit, today), open_end=unit in ("quarter", "year", "half"))


def back(m: re.Match[str], today: date) -> Atom:
    """上个季度, last month, 上上个月: the period that many steps before the running one."""
    unit = unit_of(m["u"])
    count = len(m.groupdict().get("again") or "") + 1
    step = 2 if m["u"] == "fortnight" else count
    role = "last_year" if unit == "year" and count == 1 else "time"
    return atom(m, unit, shift(unit, *running(unit, today), -step), role=role)


def rolling(m: re.Match[str], today: date) -> Atom:
    unit = unit_of(m["u"])
    count = number(m["n"]) if m["n"] else 1
    if unit == "year":  # "past year" moves with the months; only "last year" means the calendar's
        return atom(m, "month", last_complete("month", today, 12 * count))
    return atom(m, unit, last_complete(unit, today, count))


def ahead(m: re.Match[str], today: date) -> Atom:
    unit = unit_of(m["u"])
    return atom(m, unit, shift(unit, *running(unit, today), 1))


def coming(m: re.Match[str], today: date) -> Atom:
    """未来三个月: the next whole periods; days and weeks count from today."""
    unit, count = unit_of(m["u"]), number(m["n"])
    if unit in ("day", "week"):
        return atom(m, "day", (today, shift(unit, today, today, count)[1]))
    first, last = running(unit, today)
    return atom(m, unit, (shift(unit, first, last, 1)[0], shift(unit, first, last, count)[1]))


_SEASON = {"春": 3, "夏": 6, "秋": 9, "冬": 12, "spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def season(m: re.Match[str], today: date) -> Atom:
    month, groups = _SEASON[m["s"]], m.groupdict()
    if groups.get("y"):
        year = int(m["y"])
    elif groups.get("ry"):
        year = relative_year(m["ry"], today)
    else:
        year = today.year if date(today.year, month, 1) <= today else today.year - 1
        ended = add_months(date(year, month, 1), 3) <= today
        year -= 1 if (groups.get("rel") or "").strip() == "last" and not ended else 0
    first = date(year, month, 1)
    return atom(m, "month", (first, add_months(first, 3) - timedelta(days=1)))


def unit_of(word: str) -> Unit:
    word = word.strip()
    return _UNIT_ZH[word] if word in _UNIT_ZH else _UNIT_EN[word.rstrip("s")]  # type: ignore[return-value]


def first_n(m: re.Match[str], today: date) -> Atom | None:
    """2024年前五个月, first two quarters of 2024, 前三季度: the first n of a year."""
    unit, count = unit_of(m["u"]), number(m["n"])
    groups = m.groupdict()
    if groups.get("ry"):
        year = relative_year(" ".join(m["ry"].split()), today)
    else:
        year = int(m["y"]) if groups.get("y") else today.year
    if unit not in ("month", "quarter"):
        return None
    first, _ = period(unit, year, 1)
    return atom(m, unit, (first, period(unit, year, count, text=m.group())[1]), gives_year=True)


def year_to_date(m: re.Match[str], today: date) -> Atom:
    return atom(m, "year", period("year", today.year), open_end=True, gives_year=True)


def last_named_month(m: re.Match[str], today: date) -> Atom:
    """'last June': the latest June that is over."""
    month = month_number(m["m"])
    year = today.year if month < today.month else today.year - 1
    others = m.string[: m.start()] + m.string[m.end() :]
    if re.search(rf"\b{re.escape(m['m'].rstrip('.'))}\b", others):  # "May against last May"
        year = today.year - (1 if month <= today.month else 2)
    return atom(m, "month", period("month", year, month))


_MONTH_BEFORE = re.compile(
    r"(?:\b(?:in|of|for|since|from|to|and|or|by|until|till|between|during|through|vs\.?|versus|than|before|after|late|early|"
    r"with|against|this|last|mid)|[-,/&(])\s*$"
)
_MONTH_AFTER = re.compile(
    r"\s*(?:$|[-,/&?.)]|(?:and|or|to|vs\.?|versus|through|until|was|were|orders|sales|figures|numbers)\b|'s)"
)


def loose(unit: Unit, m: re.Match[str], *part: int) -> Atom | None:
    """Without a year, "March 45" or "Q7" is no time at all rather than a wrong one."""
    try:
        return numbered(unit, m, *part)
    except TimeError:
        return None


def short(unit: Unit, m: re.Match[str], *part: int) -> Atom:
    """A year in two digits: 24年3月, Q1'24."""
    groups = m.groupdict()
    year = 2000 + int(groups.get("yy") or groups.get("yy2") or groups.get("yy3") or 0)
    return atom(m, unit, period(unit, year, *part, text=m.group()), gives_year=True)


def days(m: re.Match[str], today: date) -> Atom:
    """5月1-15日: days of one month, of the latest such month that has begun unless the year is given."""
    groups, month = m.groupdict(), int(m["m"])
    year: int | None = None
    if groups.get("y") or groups.get("ry"):
        year = int(m["y"]) if groups.get("y") else relative_year(m["ry"], today)
    period("day", year or 2024, month, int(m["d"]), text=m.group())
    part = (month, int(m["d"]), month, int(m["e"]))
    return Atom(m.start(), m.end(), "day", date(year, 1, 1) if year else None, part=part, role="days")


def years(m: re.Match[str], today: date) -> Atom | None:
    if int(m["a"]) > int(m["b"]):
        return None
    return atom(m, "year", (period("year", int(m["a"]))[0], period("year", int(m["b"]))[1]))


def ago(m: re.Match[str], today: date) -> Atom:
    unit = unit_of(m["u"] or m["u2"])
    return atom(m, unit, shift(unit, *running(unit, today), -number(m["n"] or m["n2"])))


def iso_day(m: re.Match[str]) -> Atom | None:
    """2024-02-30 is refused; 2024-45-12 is somebody's number."""
    return numbered("day", m, int(m["m"]), int(m["d"])) if 1 <= int(m["m"]) <= 12 else None


def english_day(m: re.Match[str]) -> Atom | None:
    """'30 February' is refused; in 'line 45 March 2024' the number is no day."""
    return numbered("day", m, month_number(m["m"]), int(m["d"])) if 1 <= int(m["d"]) <= 31 else None


def lone_numbered_month(m: re.Match[str]) -> Atom | None:
    """5月; 24月龄 is an age."""
    value = number(m["m"])
    if value > 12 and re.match(r"龄|大|生|期|内|多", m.string[m.end() :]):
        return None
    return numbered("month", m, value)


def lone_month(m: re.Match[str]) -> Atom | None:
    """'may' and 'march' are verbs too: they need a preposition before them, or a joint behind and nothing before."""
    if m["m"] in ("may", "march", "mar"):
        before, after = m.string[: m.start()], m.string[m.end() :]
        if not _MONTH_BEFORE.search(before) and not (m["m"] != "may" and _MONTH_AFTER.match(after)):
            return atom(m, "month", None, part=(month_number(m["m"]),), role="doubtful")
    return numbered("month", m, month_number(m["m"]))


def this_named_month(m: re.Match[str], today: date) -> Atom:
    return atom(m, "month", period("month", today.year, month_number(m["m"])))


def year_end(m: re.Match[str], today: date) -> Atom:
    groups = m.groupdict()
    year = int(m["y"]) if groups.get("y") else relative_year(m["ry"], today)
    return atom(m, "month", period("month", year, 1 if m["edge"] in ("初", "start") else 12), gives_year=True)


def day_of(back: int) -> Build:
    def build(m: re.Match[str], today: date) -> Atom:
        day = today - timedelta(days=back)
        return atom(m, "day", (day, day))

    return build


def named(role: str, unit: Unit = "month") -> Build:
    return lambda m, today: atom(m, unit, None, role=role)


def each(m: re.Match[str], today: date) -> Atom:
    word = m["u"]
    unit: Unit = _EACH_EN[word] if word in _EACH_EN else unit_of(word)
    return atom(m, unit, None, role="each")


def each_in_year(m: re.Match[str], today: date) -> Atom:
    """2023年各季度: the year, seen in quarters."""
    groups = m.groupdict()
    year = int(m["y"]) if groups.get("y") else relative_year(m["ry"], today)
    unit = unit_of(m["u"])
    is_open = year == today.year
    return atom(m, unit, period("year", year), gives_year=True, open_end=is_open)


def several(m: re.Match[str], today: date) -> Atom | None:
    """1-3月, 7、8月, 一二季度, Q1-Q3 2024: a range or a list of numbered months or quarters."""
    groups = m.groupdict()
    unit: Unit = "month" if groups.get("u") == "月" else "quarter"
    part = tuple(number(groups[k]) for k in ("a", "b", "c") if groups.get(k))
    if len({groups[k].isdecimal() for k in ("a", "b", "c") if groups.get(k)}) > 1:
        return None  # 前十，2月
    for one in part:
        period(unit, 2024, one, text=m.group())
    role = "range" if groups["to"] and groups["to"] in "-~到至" and len(part) == 2 else "list"
    atom = Atom(m.start(), m.end(), unit, part=part, role=role)
    year = groups.get("y") or groups.get("y2")
    if year is None and groups.get("ry") is None:
        return atom
    atom.first = date(int(year) if year else relative_year(groups["ry"], today), 1, 1)
    return atom


_EACH_EN: dict[str, Unit] = {
    "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year",
    "annually": "year", "annual": "year",
}  # fmt: skip
_BEFORE_YEAR = re.compile(r"(?:under|over|above|below|than|about|around|budget|order|no\.?|#|第)\s*$")


def bare_year(m: re.Match[str], today: date) -> Atom | None:
    """A lone 2024 is a year only near today's; 2000 may be a price."""
    year = int(m["y"])
    if not today.year - 12 <= year <= today.year + 3 or _BEFORE_YEAR.search(m.string[: m.start()]):
        return None
    return numbered("year", m)
