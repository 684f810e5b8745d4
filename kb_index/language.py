"""A text's language as far as its script tells: the grain at which e5's vectors lean away from each other."""

from __future__ import annotations

import re

__all__ = ["is_cjk", "language_of", "width"]

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SCRIPTS = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af\u1100-\u11ff]"),
    "zh": re.compile(f"[{_HAN}]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "latin": re.compile("[A-Za-z\u00c0-\u024f]"),
}
_CJK = re.compile(f"[{_HAN}\u3000-\u30ff\uac00-\ud7af\uff00-\uffef]")
LETTERS_PER_HAN = 4  # a Chinese sentence that names an English product is still Chinese


def language_of(text: str) -> str:
    """zh, ja, ko, ru, ar or latin; digits and signs alone are latin."""
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS.items()}
    if counts["ja"] * 5 > counts["zh"] and counts["ja"]:  # kana beside kanji
        counts["ja"] += counts["zh"]
        counts["zh"] = 0
    for name in ("zh", "ja", "ko"):
        counts[name] *= LETTERS_PER_HAN
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else "latin"


def is_cjk(character: str) -> bool:
    """Written without spaces: Han, kana, hangul, and full-width signs."""
    return bool(_CJK.match(character))


def width(text: str) -> float:
    """Length in Latin letters' worth of e5 tokens: a CJK character counts 2.5 (about 0.7 and 0.27 tokens)."""
    wide = len(_CJK.findall(text))
    return 2.5 * wide + (len(text) - wide)
