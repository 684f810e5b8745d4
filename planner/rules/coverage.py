"""How much of the question a plan explains, and when the catalogue plainly cannot answer."""

from __future__ import annotations

import re

from planner.rules.choose import Choice, Evidence
from planner.rules.english import stem
from planner.rules.vocabulary import (
    DOCUMENT_ASK,
    DOCUMENT_NOUN,
    LOOKUP_STATUS,
    OPERATIONS,
    REPORT,
    REPORT_ANY,
)

__all__ = ["content_words", "explained", "is_analysis", "is_data_question"]

_FUNCTION_ZH = re.compile(
    r"[的了吗呢吧啊和与或在是有个这那我你他她它们们请帮给看查一下怎么样什么哪多少几为把被从到以及并且还也都就要能会去来说下上里中之其每各该本将让做想用其中各个情况分别目前现在当前帮我我们你们告诉知道数据结果问题分析可能原因]"
)
# words that ask or join, and verbs that only say that a record exists
_ASKING_ZH = re.compile(
    r"计算|核算|校验|核对|核实|审批|审核|另外|顺便|此外|同时|给出|得出|列出|查询|查看|获取|调取|申请|提交|结合|对比|比较|说明|总共|一共|发生|产生|收到|报告|汇总|统计|登记|记录"
)
_ASKING_EN = [
    "file", "filed", "logged", "raise", "raised", "receive", "received", "recorded", "registered", "reported", "opened", "placed",
    "submitted", "lodged", "happen", "happened", "occur", "occurred", "calculate", "compute", "check", "verify", "please", "show",
    "fetch", "also", "besides", "altogether",
]  # fmt: skip
_ASKING_STEMS = frozenset(stem(w) for w in _ASKING_EN)
_DATA = re.compile(
    r"多少|几[个条起笔天次]|是不是|数量|排|占|平均|最[高低多少]|how many|how much|number of|what(?:'s| is| was| were) the|price|rate|average|total"
)


def content_words(evidence: Evidence) -> list[tuple[str, int, int]]:
    """English content words and runs of Chinese that are no function words, times or words for operations."""
    text = evidence.text
    taken = [(s.start, s.end) for s in evidence.spans]
    for words in (
        *OPERATIONS.values(),
        DOCUMENT_ASK,
        DOCUMENT_NOUN,
        LOOKUP_STATUS,
        *REPORT.values(),
        REPORT_ANY,
        _ASKING_ZH,
    ):
        taken += [m.span() for m in words.finditer(text.folded)]
    folded = text.masked([(a, b) for a, b in taken if b > a])
    found = [
        (w.text, w.start, w.end)
        for w in text.words
        if w.content
        and len(w.text) > 1
        and w.stem not in _ASKING_STEMS
        and "\x00" not in folded[w.start : w.end]
    ]
    for run in re.finditer(r"[\u4e00-\u9fff]+", folded):
        start = run.start()
        for piece in re.finditer(r"[\u4e00-\u9fff]+", _FUNCTION_ZH.sub("\x00", run.group())):
            if len(piece.group()) > 1:
                found.append((piece.group(), start + piece.start(), start + piece.end()))
    return sorted(found, key=lambda f: f[1])


def explained(
    evidence: Evidence, choices: list[Choice], used: list[tuple[int, int]]
) -> tuple[float, list[tuple[str, int, int]]]:
    """Share of content words that the plan uses, and the words it does not, with their places."""
    words = content_words(evidence)
    spots = [*used]
    bags: set[str] = set()
    for choice in choices:
        spots += [
            (m.start, m.end) for m in evidence.mentions if any(t[1] == choice.table.key for t in m.targets)
        ]
        bags |= set(choice.table.bag)
    unused = []
    for word, start, end in words:
        if any(start < b and a < end for a, b in spots):
            continue
        if word.isascii():
            stems = {w.stem for w in evidence.text.words if w.start == start}
            if stems & bags:
                continue
        elif any(word[i : i + 2] in bags for i in range(len(word) - 1)):
            continue
        unused.append((word, start, end))
    total = sum(_weight(word) for word, _, _ in words)
    share = 1.0 if not words else 1 - sum(_weight(word) for word, _, _ in unused) / total
    return round(share, 3), unused


def _weight(word: str) -> float:
    """Chinese runs are not segmented: two characters count as a word."""
    return 1.0 if word.isascii() else max(1.0, len(word) / 2)


def is_data_question(evidence: Evidence) -> bool:
    """Asks for a figure: a time, a number word or an operation, and no word for rules or documents."""
    text = evidence.text.folded
    if DOCUMENT_NOUN.search(text) or DOCUMENT_ASK.search(text):
        return False
    return bool(evidence.spans) or _DATA.search(text) is not None


def is_analysis(evidence: Evidence) -> bool:
    """A ranking, a trend, a comparison: such a question is about figures that somebody keeps."""
    analytic = ("rank", "trend", "correlate", "share", "growth", "difference", "agree", "ratio")
    return any(OPERATIONS[o].search(evidence.text.folded) for o in analytic)
