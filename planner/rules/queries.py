"""What to search the documents for: a part of the question by its own content words, with the subject of the whole."""

from __future__ import annotations

import re

from planner.rules.bilingual import Bilingual
from planner.rules.mentions import Mention
from planner.rules.text import Text, is_cjk

__all__ = ["document_query", "segments"]

Spot = tuple[int, int]
_LONGEST = 5  # characters of a Chinese word that is looked up
_ENOUGH_ZH, _ENOUGH_EN = 6, 3  # characters or words of content with which a part stands alone
# words that ask, refer or join, and words for what is done with figures
_EMPTY = re.compile(
    r"请|请问|麻烦|帮|帮忙|帮我|给我|告诉|告诉我|我|我们|我家|你|你们|他|她|它|其|该|这|那|此|这个|那个|这些|那些|这里|那里|"
    r"一下|一个|看|看看|看一看|查|查看|查询|查找|检索|分析|说明|解释|给|给出|得出|得到|提供|输出|列出|算|算出|计算|核算|校验|"
    r"核对|核实|验证|检查|对比|比较|结合|参考|根据|依据|按照|按|关联|关联性|关系|相关|相关性|影响|有关|关于|对于|是否|有没有|"
    r"能否|可否|可以|能|会|要|想|需要|应该|应|是|有|在|的|地|得|了|着|过|吗|呢|吧|啊|呀|和|与|或|及|以及|并|并且|且|"
    r"也|还|还有|再|另|另外|同时|顺便|此外|然后|最后|之间|之后|之前|上|下|里|中|内|外|被|把|将|对|从|到|向|让|使|用|以|"
    r"为|为什么|为何|如何|怎么|怎么样|怎样|什么|哪|哪些|哪个|多少|几|可能|原因|情况|问题|结果|数据|两|两地|各|各个|每|每个|"
    r"都|就|才|又|更|最|很|不|没|没有|申请|用户|客户|需|出|做|进行|目前|现在|当前|同期|所|所有|全部|一些|一起|一并|一|家|"
    r"个|台|份|次|号|please|kindly|check|tell|show|find|give|look|see|pull|get|explain|analyse|analyze|compare|review|verify|"
    r"calculate|compute|work|figure|summarise|summarize|list|say|says|said|know|want|need|help|customer|user|application|"
    r"apply|thanks|thank|also|then|finally|related|relation|relationship|connection|link|tie"
)
_REFERS = re.compile(
    r"其(?![他它余中])|它|该(?!怎|如何|不该|走|找|先|干)|这(?:些|个|与|和)|那(?:些|个)|\b(?:it|its|they|them|their|this|that|those|these)\b"
)


def segments(text: Text, stretch: Spot, mentions: list[Mention], taken: list[Spot]) -> list[Spot]:
    """Runs of content words, in order; Chinese is cut by the longest words of a general dictionary and of the catalogue."""
    start, end = stretch
    known = {m.start: m.end for m in mentions if m.weight >= 0.6 and start <= m.start and m.end <= end}
    spots: list[Spot] = []
    at, joined = start, False
    while at < end:
        stop, content = _segment(text, at, end, known, taken)
        if content and joined and spots and is_cjk(text.folded[at:stop]):
            spots[-1] = (spots[-1][0], stop)
        elif content:
            spots.append((at, stop))
        joined, at = content, stop
    return [(a, b) for a, b in spots if b - a > 1]


def _segment(text: Text, at: int, end: int, known: dict[int, int], taken: list[Spot]) -> tuple[int, bool]:
    """Where the segment that begins at `at` ends, and whether it has content."""
    for a, b in taken:
        if a <= at < b:
            return min(b, end), False
    if at in known:
        return known[at], _EMPTY.fullmatch(text.folded[at : known[at]]) is None
    if "\u4e00" <= text.folded[at] <= "\u9fff":
        dictionary = Bilingual.shared()
        border = min([end, at + _LONGEST, *(a for a, _ in taken if a > at), *(a for a in known if a > at)])
        for stop in range(border, at, -1):
            word = text.folded[at:stop]
            empty = _EMPTY.fullmatch(word) is not None
            if stop == at + 1 or empty or dictionary.knows(word):
                return stop, not empty
    word_here = next((w for w in text.words if w.start == at), None)
    if word_here is None:
        return at + 1, False
    stop = min(word_here.end, end)
    while (
        re.match(r"[./-]\w", text.folded[stop : stop + 2]) and stop < end
    ):  # a version or a code stays whole
        stop = next((w.end for w in text.words if w.start == stop + 1), stop + 1)
    return stop, word_here.content and _EMPTY.fullmatch(word_here.text) is None


def document_query(
    text: Text, part: Spot, whole: list[Spot], mentions: list[Mention], taken: list[Spot]
) -> tuple[str, list[Spot]]:
    """The query for `part`, and the stretches of the question that it carries. A part that says what it is about and refers to
    nothing outside is searched as it stands; another by its content words, joined by those of `whole` when it has few."""
    zh = is_cjk(text.question)
    own = segments(text, part, mentions, taken)
    raw = text.question[slice(*part)].strip()
    size = sum(b - a for a, b in own) if zh else len(own)
    enough = size >= (_ENOUGH_ZH if zh else _ENOUGH_EN)
    if enough and not _REFERS.search(text.folded[slice(*part)]):
        return raw, [part]
    spots = list(own)
    if not enough:
        for stretch in whole:
            spots += [s for s in segments(text, stretch, mentions, taken) if s not in spots]
    words: list[str] = []
    for a, b in spots:
        word = text.question[a:b]
        if not any(word in w for w in words):
            words.append(word)
    return (" ".join(words) or raw), [part, *spots]
