"""Every form of a time expression, as patterns over folded text with the function that reads each.

The longest match wins at a place; of two equally long the one listed first."""

from __future__ import annotations

import re

from planner.times import builders as b
from planner.times.colloquial import RULES as TALK
from planner.times.feasts import RULES as FEASTS
from planner.times.monthdays import RULES as DAYS
from planner.times.numerals import MONTH_NAME, NUMBER, month_number, number
from planner.times.periods import last_complete, running, shift
from planner.times.weekdays import RULES as WEEKDAYS

__all__ = ["PATTERNS"]

_YEAR = r"(?P<y>(?:19|20)\d\d)"
_L, _R = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_MONTH_DOT = MONTH_NAME + r"\.?"
# 5月3号线 is a line of May, not the third of May
_RI = r"\s*(?:日|号(?![线机楼店车仓门井炉船桥厂塔馆厅窗柜库泵站地棚池罐风变锅矿床房栋舱岗队组台]))"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_ORD = r"(?:first|second|third|fourth|1st|2nd|3rd|4th)"
_FY = r"(?:fy|fiscal|fiscal year|cy)?\s*'?"
_ZH_ORD = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4, "上": 1, "下": 2}
_RY = r"(?P<ry>今年|本年度?|去年|上年度?|上一年|前年|大前年|明年)"
_RY_WORDS = r"今年|本年度?|去年|上年度?|上一年|前年"
_YEAR2 = r"(?P<y2>(?:19|20)\d\d)"
_N12 = r"(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])"
_RY_EN = r"(?P<ry>(?:this|last|next|(?:the )?previous) (?:year|yr))(?:'s)?"
_PER = r"\s*(?:的|度|,)?\s*"
_IN = r"(?:\s*,?\s*(?:of|in)?\s*)"

_RULES: list[tuple[str, b.Build]] = [
    # days
    (rf"{_L}{_YEAR}[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?:t\d\d:\d\d\S*)?{_R}",
     lambda m, t: b.iso_day(m)),
    (rf"{_L}{_YEAR}\s*年\s*(?P<m>\d{{1,2}})\s*月\s*(?P<d>\d{{1,2}}){_RI}",
     lambda m, t: b.numbered("day", m, int(m["m"]), int(m["d"]))),
    (rf"{_RY}\s*(?P<m>\d{{1,2}})\s*月\s*(?P<d>\d{{1,2}}){_RI}",
     lambda m, t: b.in_year("day", m, t, int(m["m"]), int(m["d"]))),
    (rf"(?<![\d年])(?P<m>\d{{1,2}})\s*月\s*(?P<d>\d{{1,2}}){_RI}",
     lambda m, t: b.numbered("day", m, int(m["m"]), int(m["d"]))),
    (rf"{_L}(?P<m>{_MONTH_DOT})\s+{_DAY}(?:\s*,)?\s+{_YEAR}{_R}",
     lambda m, t: b.english_day(m)),
    (rf"{_L}(?:the )?{_DAY}\s+(?:of\s+)?(?P<m>{_MONTH_DOT})\s*,?\s+{_YEAR}{_R}",
     lambda m, t: b.english_day(m)),
    (rf"{_L}(?P<m>{_MONTH_DOT})\s+{_DAY}{_R}(?!\s*(?:%|percent|units|days))",
     lambda m, t: b.english_day(m)),
    (rf"{_L}(?:the )?{_DAY}\s+(?:of\s+)?(?P<m>{_MONTH_DOT}){_R}",
     lambda m, t: b.english_day(m)),
    (rf"今[天日]|{_L}today{_R}", b.day_of(0)),
    (rf"明[天日]|{_L}tomorrow{_R}", b.day_of(-1)),
    (rf"昨[天日]|{_L}yesterday{_R}", b.day_of(1)),
    (rf"前天|{_L}the day before yesterday{_R}", b.day_of(2)),
    (rf"{_L}(?P<y>20\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01]){_R}", lambda m, t: b.loose("day", m, int(m["m"]), int(m["d"]))),
    (rf"(?:(?:{_L}{_YEAR}\s*年|{_RY})\s*)?(?<![\d年])(?P<m>\d{{1,2}})\s*月\s*(?P<d>\d{{1,2}})\s*[日号]?\s*[-~到至]\s*(?P<e>\d{{1,2}})\s*[日号]",
     b.days),
    (rf"(?P<n>{NUMBER})\s*(?!月)个?(?P<u>天|日|周|星期|礼拜|月)(?:之|以)?前(?!的?同期)|{_L}(?P<n2>{NUMBER}) (?P<u2>days?|weeks?|months?) ago{_R}", b.ago),
    # years in two digits
    (rf"{_L}(?P<yy>\d\d)\s*年\s*(?P<m>\d{{1,2}})\s*月份?(?!\s*\d{{1,2}}{_RI})", lambda m, t: b.short("month", m, int(m["m"]))),
    (rf"{_L}(?P<yy>[12]\d)\s*年\s*第?(?P<q>[一二三四1-4])\s*季度?", lambda m, t: b.short("quarter", m, number(m["q"]))),
    (rf"{_L}(?P<yy>[12]\d)\s*年\s*(?P<h>[上下])半年", lambda m, t: b.short("half", m, _ZH_ORD[m["h"]])),
    (rf"{_L}(?P<yy>[12]\d)\s*年?\s*q(?P<q>[1-4]){_R}", lambda m, t: b.short("quarter", m, int(m["q"]))),
    (rf"{_L}q(?P<q>[1-4])\s*(?:fy\s*|')(?P<yy>\d\d){_R}|{_L}(?P<q2>[1-4])q\s*'?(?P<yy2>\d\d){_R}",
     lambda m, t: b.short("quarter", m, int(m["q"] or m["q2"]))),
    (rf"{_L}(?P<q>[1-4])q\s*{_YEAR}{_R}", lambda m, t: b.numbered("quarter", m, int(m["q"]))),
    (rf"{_L}h(?P<h>[12])\s*'?(?P<yy>\d\d){_R}", lambda m, t: b.short("half", m, int(m["h"]))),
    (rf"{_L}(?P<m>{_MONTH_DOT})\s*'(?P<yy>\d\d){_R}", lambda m, t: b.short("month", m, month_number(m["m"]))),
    (rf"{_L}fy\s*'?(?P<yy>\d\d){_R}|{_L}(?P<yy2>[12]\d)\s*(?:年度|财年|全年|年全年)|{_L}(?P<yy3>[12]\d)\s*年(?![前以来期内龄级的份之后]|多|左右|一共)",
     lambda m, t: b.short("year", m)),
    # weeks
    (rf"{_L}{_YEAR}[- ]?w(?P<w>\d{{1,2}}){_R}", lambda m, t: b.numbered("week", m, int(m["w"]))),
    (rf"{_L}week (?P<w>\d{{1,2}})(?: (?:of )?{_YEAR})?{_R}", lambda m, t: b.loose("week", m, int(m["w"]))),
    (rf"(?:{_YEAR}\s*年)?第\s*(?P<w>\d{{1,2}})\s*周", lambda m, t: b.numbered("week", m, int(m["w"]))),
    # several numbers before one unit
    (rf"(?:(?:{_L}{_YEAR}\s*年|{_RY})\s*的?|(?<![\da-z]))(?P<a>{_N12})\s*月?\s*(?P<to>[-~到至、,和与及])\s*(?P<b>{_N12})\s*"
     r"(?:(?P<to2>[、,和与及])\s*(?P<c>" + _N12 + r")\s*)?(?P<u>月)份?(?!\s*\d{1,2}" + _RI + ")", b.several),
    (rf"(?:(?:{_L}{_YEAR}\s*年|{_RY})\s*的?)?第?(?P<a>[一二三四1-4])\s*季?度?(?P<to>[-~到至、,和与及])?\s*第?(?P<b>[一二三四2-4])\s*(?P<u>季度)",
     b.several),
    (rf"{_L}(?:{_YEAR}\s*年?\s*|(?P<ry>{_RY_WORDS})\s*的?)?q(?P<a>[1-4])\s*(?P<to>[-~到至])\s*q?(?P<b>[1-4])(?:\s+{_YEAR2})?{_R}",
     b.several),
    # months
    (rf"{_L}{_YEAR}-(?P<m>\d{{2}}){_R}(?![-/]\d)", lambda m, t: b.numbered("month", m, int(m["m"]))),
    (rf"{_L}{_YEAR}/(?P<m>0[1-9]|1[0-2]){_R}(?![-/]\d)", lambda m, t: b.numbered("month", m, int(m["m"]))),
    (rf"{_L}{_YEAR}\s*年\s*(?P<m>\d{{1,2}})\s*月份?(?!\s*\d{{1,2}}{_RI})",
     lambda m, t: b.numbered("month", m, int(m["m"]))),
    (rf"{_L}{_YEAR}\s*年\s*(?P<m>[一二三四五六七八九十]{{1,3}})\s*月份?",
     lambda m, t: b.numbered("month", m, number(m["m"]))),
    (rf"{_RY}{_PER}(?P<m>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})\s*月份?(?!\s*\d{{1,2}}{_RI})",
     lambda m, t: b.in_year("month", m, t, number(m["m"]))),
    (rf"(?P<m>(?<![\d年个])\d{{1,2}}|(?<![年一二三四五六七八九十个])[一二三四五六七八九十]{{1,2}})\s*月份?(?!\s*\d{{1,2}}{_RI})",
     lambda m, t: b.lone_numbered_month(m)),
    (rf"{_L}(?P<m>{_MONTH_DOT}){_IN}{_YEAR}{_R}", lambda m, t: b.numbered("month", m, month_number(m["m"]))),
    (rf"{_L}(?P<m>{_MONTH_DOT}){_IN}{_RY_EN}{_R}", lambda m, t: b.in_year("month", m, t, month_number(m["m"]))),
    (rf"{_L}last (?P<m>{_MONTH_DOT}){_R}", b.last_named_month),
    (rf"{_L}this (?P<m>{_MONTH_DOT}){_R}", b.this_named_month),
    (rf"{_L}(?P<m>{_MONTH_DOT})(?:'s)?{_R}", lambda m, t: b.lone_month(m)),
    (rf"{_L}(?:{_YEAR}\s*年?|{_RY})\s*年?(?P<edge>[底末初])", b.year_end),
    # quarters
    (rf"{_L}{_FY}{_YEAR}\s*(?:年|-|/)?\s*q(?P<q>\d){_R}", lambda m, t: b.numbered("quarter", m, int(m["q"]))),
    (rf"{_L}q(?P<q>\d)\s*(?:,|of|in|-|/)?\s*{_FY}{_YEAR}{_R}", lambda m, t: b.numbered("quarter", m, int(m["q"]))),
    (rf"{_L}q(?P<q>\d){_IN}{_RY_EN}{_R}", lambda m, t: b.in_year("quarter", m, t, int(m["q"]))),
    (rf"{_RY}{_PER}q(?P<q>\d){_R}", lambda m, t: b.in_year("quarter", m, t, int(m["q"]))),
    (rf"{_L}q(?P<q>\d){_R}", lambda m, t: b.loose("quarter", m, int(m["q"]))),
    (rf"{_L}{_YEAR}\s*年?{_PER}第?(?P<q>[一二三四五六七八九1-9](?=\s*个?季度)|[一二三四1-4])\s*个?季度?",
     lambda m, t: b.numbered("quarter", m, number(m["q"]))),
    (rf"{_RY}{_PER}第?(?P<q>[一二三四五六七八九1-9](?=\s*个?季度)|[一二三四1-4])\s*个?季度?",
     lambda m, t: b.in_year("quarter", m, t, number(m["q"]))),
    (r"第(?P<q>[一二三四五六七八九1-9](?=\s*个?季度)|[一二三四1-4])\s*个?季度?|(?:(?<![一二三四五六七八九十前近后])(?P<q2>[一二三四五六七八九])|(?<![\d前近后])(?P<q3>[1-9]))\s*季度",
     lambda m, t: b.numbered("quarter", m, number(m["q"] or m["q2"] or m["q3"]))),
    (rf"{_L}(?:the )?(?P<q>{_ORD}) quarter{_IN}{_YEAR}{_R}", lambda m, t: b.numbered("quarter", m, number(m["q"]))),
    (rf"{_L}(?:the )?(?P<q>{_ORD}) quarter{_IN}{_RY_EN}{_R}",
     lambda m, t: b.in_year("quarter", m, t, number(m["q"]))),
    (rf"{_L}(?:the )?(?P<q>{_ORD}) quarter{_R}", lambda m, t: b.numbered("quarter", m, number(m["q"]))),
    # halves
    (rf"{_L}{_YEAR}\s*年?{_PER}(?P<h>[上下])半年", lambda m, t: b.numbered("half", m, _ZH_ORD[m["h"]])),
    (rf"{_RY}{_PER}(?P<h>[上下])半年", lambda m, t: b.in_year("half", m, t, _ZH_ORD[m["h"]])),
    (r"(?P<h>[上下])半年", lambda m, t: b.numbered("half", m, _ZH_ORD[m["h"]])),
    (rf"{_L}{_YEAR}\s*h(?P<h>\d){_R}", lambda m, t: b.numbered("half", m, int(m["h"]))),
    (rf"{_L}h(?P<h>[12])\s*(?:of|in|-)?\s*{_YEAR}{_R}", lambda m, t: b.numbered("half", m, int(m["h"]))),
    (rf"{_L}h(?P<h>[12]){_IN}{_RY_EN}{_R}", lambda m, t: b.in_year("half", m, t, int(m["h"]))),
    (rf"{_L}h(?P<h>[12]){_R}", lambda m, t: b.numbered("half", m, int(m["h"]))),
    (rf"{_L}(?:the )?(?P<h>first|second|1st|2nd) half(?: of)?(?: the year)?{_IN}{_YEAR}{_R}",
     lambda m, t: b.numbered("half", m, number(m["h"]))),
    (rf"{_L}(?:the )?(?P<h>first|second|1st|2nd) half(?: of)?{_IN}{_RY_EN}{_R}",
     lambda m, t: b.in_year("half", m, t, number(m["h"]))),
    (rf"{_L}(?:the )?(?P<h>first|second|1st|2nd) half(?: of the year)?{_R}",
     lambda m, t: b.numbered("half", m, number(m["h"]))),
    (rf"{_L}(?P<a>(?:19|20)\d\d)\s*年?\s*[-~到至]\s*(?P<b>(?:19|20)\d\d)\s*(?:年|{_R})", b.years),
    # years
    (rf"{_L}{_YEAR}\s*(?:财年|年度|全年|整年|年全年|年整年|年)(?!前)", lambda m, t: b.numbered("year", m)),
    (rf"{_L}(?:fy|fiscal year|fiscal|calendar year|cy)\s*{_YEAR}{_R}", lambda m, t: b.numbered("year", m)),
    (rf"{_L}(?:all|the whole|whole|the year|year|full[- ]year)(?: of)? {_YEAR}{_R}",
     lambda m, t: b.numbered("year", m)),
    (rf"{_L}(?<![-_./#$¥€£,]){_YEAR}{_R}(?![-_,.]\d|/(?:0|1[0-2])|\s*(?:以内|以下|以上|左右|多|元|块|件|个|台|份|人|吨|箱|瓶|[%$€]))",
     lambda m, t: b.bare_year(m, t)),
    (rf"{_RY}(?:全年|整年|一整年|一年)?", b.whole_year),
    (rf"{_L}(?:all(?: of)? )?{_RY_EN}{_R}", b.whole_year),
    # running and previous periods
    (r"(?P<u>本|这一?个?|当)(?P<w>月份?|季度|财季|周|星期|礼拜)",
     lambda m, t: b.atom(m, b.unit_of(m["w"]), running(b.unit_of(m["w"]), t), open_end=b.unit_of(m["w"]) == "quarter")),
    (rf"{_L}(?:this|the current|current) (?P<u>week|month|quarter){_R}", b.this),
    (r"(?P<again>上*)上一?个?(?P<u>季度|财季|月份|月|周|星期|礼拜)(?!同期)", b.back),
    (rf"{_L}(?:last|the last|the previous|previous|the past|the prior|prior) (?P<u>week|month|quarter|fortnight)(?:'s)?{_R}",
     b.back),
    (rf"{_L}the (?P<u>month|quarter|year) before last{_R}",
     lambda m, t: b.atom(m, b.unit_of(m["u"]), shift(b.unit_of(m["u"]), *running(b.unit_of(m["u"]), t), -2))),
    (r"下一?个?(?P<u>季度|财季|月份|月|周|星期|礼拜)(?![旬初底])", b.ahead),
    (rf"{_L}(?:next|the next|the coming|coming|upcoming|the upcoming) (?P<u>week|month|quarter|year){_R}", b.ahead),
    (r"(?:未来|今后|接下来|往后)的?(?P<n>" + NUMBER + r")\s*个?(?P<u>年|季度|月|周|星期|礼拜|天|日)(?:内|里|之内)?", b.coming),
    (rf"{_L}(?:over |in |during |for |within )?(?:the )?(?:next|coming|following) (?P<n>{NUMBER})[ -](?P<u>days?|weeks?|months?|quarters?|years?){_R}",
     b.coming),
    # seasons: summer is June to August; winter begins in December
    (rf"(?:{_L}{_YEAR}\s*年?|{_RY})?\s*的?(?P<s>春|夏|秋|冬)(?:天|季|季节)", b.season),
    (rf"{_L}(?:the |(?P<rel>this |last ))?(?P<s>spring|summer|autumn|winter)(?: of)?(?: {_YEAR})?{_R}", b.season),
    # rolling and leading windows
    (r"(?:过去|最近|近|之前|此前|这)的?(?P<n>半|" + NUMBER + r")\s*个?(?P<u>年|季度|月|周|星期|礼拜|天|日)(?:内|里|以来|间)?",
     lambda m, t: b.rolling(m, t) if m["n"] != "半" else b.atom(m, "month", last_complete("month", t, 6))),
    (r"(?<![之以])前(?!一)(?P<n>" + NUMBER + r")\s*个(?P<u>月|季度|周|星期)", lambda m, t: b.rolling(m, t)),
    (rf"{_L}(?:over |in |during |for |within )?(?:the )?(?:last|past|previous|trailing|most recent|preceding) "
     rf"(?P<n>{NUMBER})[ -](?P<u>days?|weeks?|months?|quarters?|years?){_R}", b.rolling),
    (rf"{_L}(?:over |in |during |for |within )?the past (?P<n>)(?P<u>year|month|quarter|week){_R}", b.rolling),
    (rf"{_L}(?:the )?(?:last|past) half[- ]year{_R}|{_L}(?:the )?(?:last|past) half (?:a|of a) year{_R}",
     lambda m, t: b.atom(m, "month", last_complete("month", t, 6))),
    (rf"(?:{_L}{_YEAR}\s*年|{_RY})\s*的?[前头](?P<n>{NUMBER})\s*个?(?P<u>季度|月)", b.first_n),
    (r"[前头](?P<n>[二两三四2-4])(?P<u>季度)", b.first_n),
    (rf"{_L}(?:the )?first (?P<n>{NUMBER}) (?P<u>months|quarters){_IN}(?:{_YEAR}|{_RY_EN}|the year){_R}", b.first_n),
    # the year so far
    (r"(?:今年|本年|年初|今年年初)(?:至今|以来|到现在|到目前|到今天|迄今|截至目前|截止目前|起)|自?今年初?以来|年初至今",
     b.year_to_date),
    (rf"{_L}(?:so far this year|this year so far|year[- ]to[- ]date|ytd|this year to date|since the (?:start|beginning) of"
     rf" (?:the|this) year|since new year|since january this year){_R}", b.year_to_date),
    # groupings
    (rf"(?:{_L}{_YEAR}\s*年|{_RY}){_PER}(?:各个?|每一?个?|分|逐|按)(?P<u>季度|月份|月|周|天|日|季)度?", b.each_in_year),
    (r"(?:各个?|每一?个?|分|逐|按)(?P<u>季度|月份|月|周|星期|天|日|年度|年|季)度?", b.each),
    (rf"{_L}(?:by|per|each|every|for each) (?P<u>day|week|month|quarter|year){_R}", b.each),
    (rf"{_L}(?P<u>day|week|month|quarter|year)[- ](?:by|to|after)[- ](?P=u){_R}", b.each),
    (rf"{_L}(?P<u>daily|weekly|monthly|quarterly|yearly|annually){_R}", b.each),
    # comparisons
    (rf"同比|(?:去年|上年|上一年|前一年|前年)的?(?:同期|同月|同季度?|同一?时期|同一?季度|同一?个?月|这个时候|这时候)|"
     rf"{_L}y/y{_R}|{_L}yoy{_R}|{_L}year[- ](?:over|on)[- ]year{_R}|"
     rf"{_L}(?:the )?same (?:period|quarter|month|time|week|half|stretch|months)(?: of| in)?(?: the)? (?:last|previous|prior|past) year{_R}|"
     rf"{_L}(?:the )?same (?:period|quarter|month|time|week|half|months)(?: of| in)? (?:a|the|one) year (?:ago|earlier|before){_R}|"
     rf"{_L}(?:a|one|the) year (?:ago|earlier|before){_R}", b.named("yoy")),
    (rf"环比|{_L}(?:the )?(?:month|quarter|period|week) before{_R}|前一个?(?:月|季度|周)|"
     rf"{_L}(?:the )?(?:preceding|prior) (?:month|quarter|period){_R}|"
     rf"{_L}(?:month|quarter|week)[- ](?:over|on)[- ](?:month|quarter|week){_R}|{_L}(?:mom|qoq|m/m|q/q|wow){_R}|上期|前期|"
     rf"{_L}(?:the )?previous period{_R}", b.named("pop")),
    (rf"同期|同一时期|同一个?月|同一个?季度|{_L}(?:over |in |during |for )?(?:the )?same (?:period|month|quarter|time|year|week|months|stretch){_R}",
     b.named("same")),
]  # fmt: skip

PATTERNS = [(re.compile(text), build) for text, build in [*DAYS, *FEASTS, *TALK, *_RULES, *WEEKDAYS]]
