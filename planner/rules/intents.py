"""What the question wants computed: operations by their words, outside the catalogue's own terms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from planner.rules.choose import Evidence
from planner.rules.vocabulary import DESCENDING_BAD, OPERATIONS, REPORT, REPORT_ANY, pattern
from planner.times.numerals import number

__all__ = ["Intents", "read_intents"]

_TOP = re.compile(
    r"(?:\btop|\bbottom|前|最[高低多少好差大小]的?|\bbest|\bworst|\bhighest|\blowest|\bbiggest|\blargest)\s*(?P<n>\d{1,2}|[二两三四五六七八九十]|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?!\s*(?:月|季|年|天|周|months?|quarters?|weeks?|days?|years?|个月|个季))"
)


_WHICH_TIME = re.compile(
    r"哪[一几]?个?(?P<zh>月|季度|年|天|周|星期)|\b(?:which|what|in which|best|worst|busiest|peak) (?P<en>month|quarter|year|week|day)s?\b"
)
_FREQUENT = pattern(
    r"高频|最常(?:见|出现|发生|被|遇)|常见的?(?:问题|原因|投诉|故障)|频繁出现|出现最多|最多的?(?:问题|原因|投诉|抱怨|故障|诉求)|集中在哪|主要(?:问题|原因|投诉|抱怨|故障|诉求)|都?(?:抱怨|投诉)(?:些|了)?(?:什么|啥)",
    "most (?:common|frequent|often) | most frequently | commonest | top \\d* ?(?:complaints?|issues?|problems?|reasons?|causes?|topics?|faults?) | recurring | (?:main|biggest|usual) (?:complaints?|issues?|problems?|reasons?|causes?) | "
    "keeps? coming up | comes? up most | (?:complain|complaining|complained) about (?:most|the most)",
)
_BUCKET_ZH = {"月": "month", "季度": "quarter", "年": "year", "天": "day", "周": "week", "星期": "week"}


@dataclass(slots=True)
class Intents:
    """`at` is where each operation's word stands; `bucket` the grouping in time that was asked (每月, monthly)."""

    at: dict[str, tuple[int, int]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    order: str = "desc"
    top: int | None = None
    bucket: str | None = None
    report: str | None = None
    which_time: bool = False
    frequent: bool = False  # what comes up most: 高频问题, top complaints
    planned: bool = False  # what came out is compared with what was planned

    def __contains__(self, operation: str) -> bool:
        return operation in self.at


def read_intents(evidence: Evidence) -> Intents:
    text = evidence.text
    named = [
        (m.start, m.end)
        for m in evidence.mentions
        if m.weight >= 0.75 and len(m.text) > 1 and (m.of("field") or m.of("value"))
    ]
    times = [
        (s.start, s.end)
        for s in evidence.spans
        if s.kind not in ("yoy", "pop", "compared") or s.unit == "day"
    ]
    masked = text.masked(times)
    outside = evidence.stretches or [(0, 0)]
    intents = Intents()
    for operation, words in OPERATIONS.items():
        for match in words.finditer(masked):
            inside = any(a <= match.start() and match.end() <= b for a, b in named)
            if match.group().strip() and not inside and any(a <= match.start() < b for a, b in outside):
                intents.at[operation] = match.span()
                intents.words[operation] = match.group()
                break
    if "rank" in intents and (worst := DESCENDING_BAD.search(masked)) and evidence.inside(worst.start()):
        intents.order = "asc"
    if top := _TOP.search(text.folded):
        intents.top = number(top["n"])
        intents.at.setdefault("rank", top.span())
    if when := _WHICH_TIME.search(text.folded):
        intents.which_time = True
        intents.bucket = _BUCKET_ZH.get(when["zh"] or "", when["en"])
    if (often := _FREQUENT.search(masked)) and evidence.inside(often.start()):
        intents.frequent = True
        intents.at.setdefault("rank", often.span())
    each = [s for s in evidence.spans if s.kind == "each"]
    if each:
        intents.bucket = each[0].unit
    for name, words in REPORT.items():
        if words.search(text.folded):
            intents.report = name
    if intents.report is None and REPORT_ANY.search(text.folded):
        intents.report = "docx"
    return intents
