"""Small numbers and month names in words, Chinese and English."""

from __future__ import annotations

__all__ = ["MONTH_NAME", "NUMBER", "month_number", "number"]

_ZH = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_EN = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_WORDS = {word: i for i, word in enumerate(_EN)} | {
    "a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3, "thirty": 30, "sixty": 60, "ninety": 90,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "几": 3,
}  # fmt: skip
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_ABBREVIATED = {name[:3]: i for i, name in enumerate(_MONTHS, 1)} | {"sept": 9}

NUMBER = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3}|" + "|".join(
    sorted((w for w in _WORDS if w not in ("first", "second", "third", "fourth", "1st", "2nd", "3rd", "4th")),
           key=len, reverse=True)
) + ")"  # fmt: skip
MONTH_NAME = "(?:" + "|".join([*_MONTHS, "sept", *(m[:3] for m in _MONTHS if m != "may")]) + ")"


def number(text: str) -> int:
    """'12', '十二', 'twelve', 'first' → 12 or 1; raises KeyError on anything else."""
    text = " ".join(text.split())
    if text.isdecimal():
        return int(text)
    if text in _WORDS:
        return _WORDS[text]
    if "十" in text:
        tens, _, units = text.partition("十")
        return (_ZH[tens] if tens else 1) * 10 + (_ZH[units] if units else 0)
    value = 0
    for character in text:
        value = value * 10 + _ZH[character]
    return value


def month_number(name: str) -> int:
    return _ABBREVIATED[name[:4] if name.startswith("sept") and len(name) == 4 else name[:3]]
