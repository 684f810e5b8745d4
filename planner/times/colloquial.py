"""How people say days and periods in talk: 昨儿, "last nite", "YTD Sept", 从年初, "last full quarter", "by month end"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from planner.times.atoms import Atom
from planner.times.builders import (
    Build,
    atom,
    day_of,
    named,
    numbered,
    relative_year,
    rolling,
    short,
    unit_of,
    year_to_date,
)
from planner.times.numerals import MONTH_NAME, NUMBER, month_number, number
from planner.times.periods import add_months, last_complete, period, running, shift

__all__ = ["RULES"]

_L, _R = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_M = rf"(?P<m>{MONTH_NAME})\.?"
_YR = r"(?:year|yr)"
_FULL = r"(?:full|complete|completed|whole|entire|calendar)"
_END = r"(?=\s*(?:$|[,.;:?!)-]|(?:please|pls|in|for|by|up|down|growth|to)\b))"


def _next_days(m: re.Match[str], today: date) -> Atom:
    """明后两天."""
    return atom(m, "day", (today + timedelta(days=1), today + timedelta(days=2)))


def _complete(m: re.Match[str], today: date) -> Atom:
    unit = unit_of(m["u"])
    return atom(m, unit, last_complete(unit, today), role="time")


def _of_year(m: re.Match[str], year: int, month: int) -> Atom:
    return atom(m, "month", period("month", year, month), gives_year=True)


def _month_last(m: re.Match[str], today: date) -> Atom:
    """'Feb this year versus Feb last'."""
    return _of_year(m, today.year - 1, month_number(m["m"]))


def _month_before(m: re.Match[str], today: date) -> Atom:
    """'the January before', 'May of the year before': a year before the latest such month."""
    month = month_number(m["m"] or m["m2"])
    return _of_year(m, today.year - (1 if month <= today.month else 2), month)


_PAIR = re.compile(
    rf"\s*(?:vs?\.?|versus|against|over|on|than|compared (?:to|with))\s+(?P<m>{MONTH_NAME})\.?\s+(?P<yy>\d\d)(?!\d)"
)
_PAIR_BEFORE = re.compile(
    rf"(?P<m>{MONTH_NAME})\.?\s+(?P<yy>\d\d)\s*(?:vs?\.?|versus|against|over|on|than|compared (?:to|with))\s+$"
)


def _month_of_short_year(m: re.Match[str], today: date) -> Atom | None:
    """'Jan 27 v Jan 26' are years, if one of them is now and they follow each other; else days."""
    other = _PAIR.match(m.string[m.end() :]) or _PAIR_BEFORE.search(m.string[: m.start()])
    if other is None or month_number(other["m"]) != month_number(m["m"]):
        return None
    years = {int(m["yy"]), int(other["yy"])}
    if (
        date(2000 + max(years), month_number(m["m"]), 28) > today
        or max(years) - min(years) != 1
        or not 0 <= today.year % 100 - max(years) <= 1
    ):
        return None
    return short("month", m, month_number(m["m"]))


def _short_quarter(m: re.Match[str], today: date) -> Atom | None:
    if not today.year - 12 <= 2000 + int(m["yy"]) <= today.year + 2:
        return None
    return short("quarter", m, int(m["q"]))


def _ytd_month(m: re.Match[str], today: date) -> Atom:
    month = month_number(m["m"])
    year = today.year - (month > today.month)
    return atom(m, "month", (date(year, 1, 1), period("month", year, month)[1]), gives_year=True, closed=True)


def _first_months(m: re.Match[str], today: date) -> Atom:
    """头四个月, 前四月: of this year."""
    last = period("month", today.year, number(m["n"]), text=m.group())[1]
    return atom(m, "month", (date(today.year, 1, 1), last), gives_year=True)


def _first_quarters(m: re.Match[str], today: date) -> Atom:
    year = int(m["y"]) if m["y"] else today.year
    last = period("quarter", year, number(m["n"]), text=m.group())[1]
    return atom(m, "quarter", (date(year, 1, 1), last), gives_year=True)


def _quarters_of_year(m: re.Match[str], today: date) -> Atom:
    year = int(m["y"]) if m["y"] else relative_year(m["ry"], today)
    return atom(m, "quarter", period("year", year), gives_year=True, open_end=year == today.year)


def _months_in_a_row(m: re.Match[str], today: date) -> Atom | None:
    """五六月, 七八两个月."""
    first, last = number(m["a"]), number(m["b"])
    year = relative_year(m["ry"], today) if m["ry"] else int(m["y"]) if m["y"] else None
    if last != first + 1:
        return None
    start = date(year, 1, 1) if year else None
    return Atom(m.start(), m.end(), "month", start, part=(first, last), role="range")


def _deadline(m: re.Match[str], today: date) -> Atom:
    """'before month end', 年底前: from today to the end of the running period."""
    groups = m.groupdict()
    word = groups.get("u") or groups.get("u2") or groups.get("u3") or ""
    unit = {"月": "month", "年": "year", "季": "quarter", "季度": "quarter", "周": "week"}.get(word, word)
    return atom(m, "day", (today, running(unit, today)[1]), closed=True)  # type: ignore[arg-type]


def _at_end(m: re.Match[str], today: date) -> Atom:
    """'at year end': the last month of the last complete year."""
    last = last_complete(unit_of(m["u"]), today)[1]
    return atom(m, "month", (last.replace(day=1), last))


def _within(m: re.Match[str], today: date) -> Atom:
    """三个月内过期: from today on."""
    unit, count = unit_of(m["u"]), number(m["n"])
    last = (
        shift(unit, today, today, count)[1]
        if unit in ("day", "week")
        else add_months(today, count * (12 if unit == "year" else 1))
    )
    return atom(m, "day", (today, last), closed=True)


def _from_year_start(m: re.Match[str], today: date) -> Atom:
    return atom(m, "month", (date(today.year, 1, 1), date(today.year, 1, 31)), gives_year=True)


RULES: list[tuple[str, Build]] = [
    # days
    (r"今儿个?", day_of(0)),
    (rf"今(?:晚上?|早|晨|夜)|{_L}(?:tonight|tonite|this (?:morning|afternoon|evening)){_R}",
     lambda m, t: atom(m, "day", (t, t), role="weekday")),
    (rf"昨(?:儿个?|晚上?|夜|晨|早)|{_L}(?:yday|y'day|ystrday|yesterdays|yesterday's|last (?:night|nite)|yesterday (?:morning|afternoon|evening|night)){_R}",
     day_of(1)),
    (r"大前[天日]", day_of(3)),
    (r"(?<![之以目当提])前日(?![均常期产销活])|前儿个?", day_of(2)),
    (rf"明儿个?|明晚|{_L}(?:tomorow|tmrw|tomorrow (?:morning|afternoon|evening|night)){_R}", day_of(-1)),
    (r"(?<!大)后天", day_of(-2)),
    (r"大后天", day_of(-3)),
    (r"明后(?:两|二)?天", _next_days),
    (r"(?:(?<=between )|(?<=from ))now(?= (?:and|to|until|till)\b)", day_of(0)),
    (rf"{_L}from (?:now|today) on(?:wards?)?{_R}|从现在起|从今天起", lambda m, t: Atom(m.start(), m.end(), "day", t, None, closed=True)),
    # complete periods
    (rf"{_L}(?:over |in |during |for )?(?:the )?(?:last|latest|previous|past|most recent|prior) {_FULL} (?P<u>week|month|quarter|year){_R}", _complete),
    (rf"{_L}(?:over |in |during |for )?(?:the )?(?:last|past|previous|latest) (?P<n>{NUMBER}) {_FULL} (?P<u>weeks|months|quarters|years){_R}", rolling),
    (rf"{_L}(?:the )?(?P<u>week) before last{_R}", lambda m, t: atom(m, "week", shift("week", *running("week", t), -2))),
    # the year
    (rf"{_L}(?:so far this yr|this (?:yr|calendar year) so far|this calendar year|since (?:the )?new year)(?!\s*(?:20\d\d|['’]s)){_R}", year_to_date),
    (rf"{_L}ytd (?:to |through )?{_M}{_R}", _ytd_month),
    (r"(?:(?<=从)|(?<=自))年初(?=\s*(?:一直|看|算)*[到至])", _from_year_start),
    (r"(?:上半年的?|(?<!期))头(?P<n>[一二两三四五六七八九十]{1,2}|1?\d)个?月", _first_months),
    (r"(?<![\d一二三四五六七八九十之以目])前(?P<n>[二两三四五六七八九十]|十一)月(?![份底初])", _first_months),
    (rf"{_L}(?:(?P<y>20\d\d) )(?:the )?first (?P<n>two|three|2|3) quarters{_R}", _first_quarters),
    (rf"(?:{_L}(?P<y>20\d\d)\s*年?|(?P<ry>今年|去年|前年))的?(?:这|全部)?[四4]个季度", _quarters_of_year),
    (rf"{_L}over (?P<y>20[0-3]\d)(?=\s*(?:$|[?,;:()]|\.(?!\d)|(?:by|per|in|and how)\b))",
     lambda m, t: numbered("year", m) if 0 <= t.year - int(m["y"]) <= 12 else None),
    (rf"(?<=in )'(?P<yy>[12]\d){_R}", lambda m, t: short("year", m)),
    (rf"{_L}(?:the )?full[- ]year (?P<yy>[12]\d){_R}|(?:(?<=full year \d\d vs )|(?<=full year \d\d v ))(?P<yy2>[12]\d){_R}", lambda m, t: short("year", m)),
    (rf"(?:(?<=this year against )|(?<=this year versus )|(?<=this year vs )|(?<=this year and )|(?<=this year on )|(?<=this year over ))last{_END}",
     lambda m, t: atom(m, "year", period("year", t.year - 1), role="last_year", gives_year=True)),
    # months and quarters
    (rf"{_L}{_M} (?:last|of last){_END}", _month_last),
    (rf"{_L}q(?P<q>[1-4]) (?:last){_END}", lambda m, t: atom(m, "quarter", period("quarter", t.year - 1, int(m["q"])), gives_year=True)),
    (rf"{_L}the {_M} before{_END}|{_L}(?P<m2>{MONTH_NAME}) of (?:the )?{_YR} before{_R}", _month_before),
    (rf"{_L}{_M}\s+(?P<yy>\d\d){_R}", _month_of_short_year),
    (rf"{_L}q(?P<q>[1-4])\s+(?P<yy>[12]\d){_R}(?!\s*(?:%|percent|units|days|[-/.]\d))", _short_quarter),
    (rf"{_L}(?P<h>[12])h\s*'?(?P<yy>\d\d){_R}", lambda m, t: short("half", m, int(m["h"]))),
    (rf"{_L}quarter (?P<q>one|two|three|four|[1-4]){_R}", lambda m, t: numbered("quarter", m, number(m["q"]))),
    (rf"{_L}the (?:final|fourth) quarter{_R}(?! of)", lambda m, t: numbered("quarter", m, 4)),
    (r"(?:(?:(?<!\d)(?P<y>20\d\d)\s*年|(?P<ry>今年|去年|前年))的?)?(?<![十第一二三四五六七八九])(?P<a>[一二三四五六七八九])、?(?P<b>[二三四五六七八九])(?:两个)?月份?", _months_in_a_row),
    # deadlines
    (rf"{_L}(?:by|before|until|till) (?:the )?(?P<u>month|year|quarter)[- ]?end{_R}|{_L}(?:by|before) (?:the )?end of (?:the|this) (?P<u2>month|year|quarter|week){_R}|"
     rf"{_L}before (?:the|this) (?P<u3>month|year|quarter|week) is (?:out|over){_R}", _deadline),
    (r"(?:本|这个?|当)?(?P<u>月|年|季度)[底末](?:之|以)?前", _deadline),
    (rf"(?P<n>{NUMBER})\s*个?(?P<u>年|月|周|星期|天|日)(?:之|以)?内(?=.{{0,4}}(?:过期|到期|失效|届满|期满))", _within),
    (rf"{_L}at (?:the )?(?P<u>year|month|quarter)[- ]?end{_R}", _at_end),
    # comparisons
    (r"(?<![之以目当提\d])前月(?![份底初末])", named("pop")),
    (rf"前一[天日]|{_L}(?:on )?(?:the )?(?:day before|previous day){_R}", named("pop", "day")),
    (rf"前一周|上一周同期|{_L}(?:the|a) week (?:before that|earlier)|{_L}(?:the )?same day (?:a week (?:earlier|before|ago)|last week|the week before){_R}",
     named("pop", "week")),
    (rf"{_L}(?:the )?same (?:period|quarter|month|time|week|half|stretch|months|day)(?: of| in)?(?: the)? (?:last|previous|prior|past) {_YR}{_R}|"
     rf"{_L}(?:the )?same (?:period|quarter|month|time|week|half|months|day)(?: of| in)? (?:a|the|one) {_YR} (?:ago|earlier|before|back|prior){_R}|"
     rf"{_L}(?:a|one|the) {_YR} (?:ago|earlier|before|back|prior){_R}|{_L}(?:up |down |grow \w* ?)?on the year{_R}", named("yoy")),
    (rf"{_L}(?:the )?same (?:period|quarter|month|half|months) (?:of|in) 20\d\d{_R}|(?<!\d)20\d\d年的?(?:同期|同月|同季度?)", named("yoy")),
]  # fmt: skip
