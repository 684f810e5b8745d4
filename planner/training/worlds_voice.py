"""How a question sounds: openings, endings, slips of the pen. What a plan takes from it (values, ids, times, measures) is marked
and stays as it is."""

from __future__ import annotations

import random
import re

__all__ = ["mark", "voiced"]

_OPEN, _CLOSE = "\x01", "\x02"
_PIECE = re.compile(f"({_OPEN}[^{_CLOSE}]*{_CLOSE})")
_BLANK = re.compile(
    r"(?<=[\u4e00-\u9fff\x02]) (?=[\x01]*\w)|(?<=\w) (?=[\u4e00-\u9fff])"
)  # beside a Chinese character
_WORD = re.compile(r"[A-Za-z]{5,}")
_BEFORE = {
    "zh": (
        "帮忙看下", "问一下，", "哎，", "老板在催，", "急！", "劳驾，", "那个，", "顺手查查", "想知道", "给我报一下",
        "不好意思打扰了，我这边正在写周报，就差这一个数：", "会上有人问起来我没答上，", "有空的话帮我捞一下，",
        "前面那个不用管了，换一个：", "我记得好像说过，但没找到，",
    ),
    "en": (
        "quick one: ", "hi, ", "morning! ", "boss is asking, ", "need this asap: ", "ok so, ", "for the record, ", "fyi I lost my notes - ",
        "Sorry to trouble you again, I am putting the monthly pack together and only this is left: ",
        "Someone asked me in the meeting and I had no answer: ", "when you get a minute, ", "scrap the last one. ", "one more: ",
    ),
}  # fmt: skip
_BEHIND = {
    "zh": ("？", "?", "", "", "呢", "啊", "，谢谢", "，急", "来着？", "，尽快", "。", "，麻烦了"),
    "en": ("?", "", "", "?", ", please", ", thanks", " - cheers", ".", "??", ", if you can"),
}
_SLIPS_ZH = (("的", "滴"), ("什么", "啥么"), ("是不是", "是不事"), ("多少", "多哨"), ("比", "毕"), ("这", "着"), ("没有", "妹有"), ("一下", "以下"))  # fmt: skip


def mark(text: str) -> str:
    """A piece that no slip may touch."""
    return f"{_OPEN}{text}{_CLOSE}"


def voiced(question: str, language: str, rng: random.Random) -> str:
    """The question as some person would type it; about four in ten as it is."""
    text, bare = question, rng.random() < 0.4
    if not bare and rng.random() < 0.5:
        text = rng.choice(_BEFORE[language]) + text
    if not bare and rng.random() < 0.25:
        text = _slipped(text, language, rng)
    if not bare and language == "en" and rng.random() < 0.35:
        text = "".join(p if p[:1] == _OPEN else p.lower() for p in _PIECE.split(text))
    if language == "zh" and rng.random() < 0.6:
        text = _BLANK.sub("", text)
    if text[-1] not in "?？。.!！":
        text += rng.choice(_BEHIND[language])
    return " ".join(text.replace(_OPEN, "").replace(_CLOSE, "").split())


def _slipped(text: str, language: str, rng: random.Random) -> str:
    """One slip outside the marked pieces, where there is room for one."""
    pieces = _PIECE.split(text)
    free = [i for i, p in enumerate(pieces) if p and p[0] != _OPEN]
    rng.shuffle(free)
    for i in free:
        slip = _zh(pieces[i], rng) if language == "zh" else _en(pieces[i], rng)
        if slip != pieces[i]:
            return "".join([*pieces[:i], slip, *pieces[i + 1 :]])
    return text


def _zh(piece: str, rng: random.Random) -> str:
    found = [(a, b) for a, b in _SLIPS_ZH if a in piece]
    if not found:
        return piece
    a, b = rng.choice(found)
    return piece.replace(a, b, 1)


def _en(piece: str, rng: random.Random) -> str:
    """Two letters swapped, one lost or one doubled, within a word of five letters or more."""
    words = list(_WORD.finditer(piece))
    if not words:
        return piece
    word = rng.choice(words)
    at = word.start() + rng.randrange(1, len(word.group()) - 2)
    a, b = piece[at], piece[at + 1]
    return piece[:at] + rng.choice((b + a, b, a + a + b)) + piece[at + 2 :]
