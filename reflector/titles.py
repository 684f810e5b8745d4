"""The word that a step's description gives to what it computes: "计算负债率：负债 / 收入" computes the 负债率."""

from __future__ import annotations

import re

__all__ = ["own_word"]

_VERB = re.compile(r"^(?:计算|算出|算|求|核算|得出|compute|calculate|work out)\s*(?:the\s+)?", re.I)
_TAIL = re.compile(r"[：:（(=＝].*$|\s+of\s+.*$", re.S)
# names of operations, which say nothing of what is measured
_PLAIN = frozenset(
    {"比值", "比率", "比例", "乘积", "积", "差值", "差", "差异", "合计", "总和", "和", "平均", "平均值", "计数", "数量", "增长率", "占比",
     "相关性", "相关系数", "排序", "排名", "趋势", "最大值", "最小值", "结果", "ratio", "product", "difference", "sum", "total", "mean",
     "average", "count", "growth", "share", "correlation", "rank", "trend", "minimum", "maximum", "result"}
)  # fmt: skip
_LONGEST = 24  # characters; more is a sentence


def own_word(description: str) -> str:
    """Empty where the description names but the operation, or fields, or is a sentence."""
    verb = _VERB.match(description)
    word = _TAIL.sub("", description[verb.end() :] if verb else description).strip()
    titled = verb is not None or word != description.strip()
    plain = word.casefold() in _PLAIN or "_" in word or "/" in word or len(word) > _LONGEST
    return "" if plain or not titled else word
