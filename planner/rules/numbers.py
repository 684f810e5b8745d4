"""Numbers with their units in a text, and the comparison that stands before or after them."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Comparison", "Number", "find_comparison", "find_numbers"]

_SCALE = {"万": 10_000, "千": 1_000, "百": 100, "亿": 100_000_000, "k": 1_000, "m": 1_000_000, "thousand": 1_000, "million": 1_000_000,
          "grand": 1_000, "百万": 1_000_000, "": 1}  # fmt: skip
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_ONES = {w: i for i, w in enumerate(("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"))}  # fmt: skip
_SPOKEN = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(list(_ONES)[1:10])}))?|{'|'.join(sorted(_ONES, key=len, reverse=True))})(?: hundred)?"
_NUMERAL = "[零〇一二两三四五六七八九十百千]"
_NUMBER = re.compile(
    rf"(?<![a-z0-9_\-./])(?P<n>\d[\d,]*(?:\.\d+)?|{_NUMERAL}{{2,}}|{_NUMERAL}(?=[个成天万亿台张盒件箱人名元块镑吨条分])|{_SPOKEN}\b)\s*"
    r"(?P<scale>百万|万|千|百|亿|thousand\b|million\b|grand\b|k\b|m\b)?\s*(?P<percent>%|percent\b|per cent\b|个百分点|个点|成)?(?![a-z0-9\-])"
)
_ABOVE = r"超过|超出|大于|高于|多于|超|高过|高出|过了|突破|不止|above|over|more than|exceed(?:s|ed|ing)?|greater than|higher than|bigger than|north of|past|beyond|longer than|older than|>"
_AT_LEAST = r"不低于|不少于|不小于|至少|达到|达|满|at least|no less than|not less than|or more|reach(?:es|ed)?|hits?|>=|≥"
_BELOW = r"低于|不到|不足|少于|小于|低过|跌破|不够|没到|没有到|未达到?|below|under|less than|fewer than|lower than|short of|smaller than|south of|dips? below|<"
_AT_MOST = r"不超过|不高于|不大于|不多于|至多|at most|no more than|not more than|up to|or less|<=|≤"
_SIGNS = [(_AT_MOST, "<="), (_AT_LEAST, ">="), (_BELOW, "<"), (_ABOVE, ">")]
_BEFORE = [(re.compile(rf"(?:{words})\s*(?:了|a|an|the|about|even)?\s*$"), sign) for words, sign in _SIGNS]
_BEHIND = [
    (
        re.compile(
            r"^\s*[\u4e00-\u9fff]{0,2}(?:以上|及以上|or more|or above|or higher|and above|and up|plus\b)"
        ),
        ">=",
    ),
    (re.compile(r"^\s*[\u4e00-\u9fff]{0,2}(?:以下|以内|之内|or less|or below|or lower|or fewer)"), "<="),
]


@dataclass(frozen=True, slots=True)
class Number:
    start: int
    end: int
    value: float
    percent: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    number: Number
    sign: str


def find_numbers(folded: str, start: int, end: int) -> list[Number]:
    found = []
    for match in _NUMBER.finditer(folded, start, end):
        raw = match["n"]
        value = _read(raw)
        percent = match["percent"] is not None
        value *= _SCALE[match["scale"] or ""]
        if percent:
            value /= 10 if match["percent"] == "成" else 100
        found.append(Number(match.start(), match.end(), round(value, 9), percent))
    return found


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
_PLACE = {"十": 10, "百": 100, "千": 1000}


def _read(raw: str) -> float:
    """'1,200', '一百二十', '三千二' (3200), 'forty', 'twenty-five', 'two hundred'."""
    if raw[0].isdigit():
        return float(raw.replace(",", ""))
    if raw[0].isascii():
        words = raw.replace("-", " ").split()
        value = sum(_TENS.get(w, 0) + _ONES.get(w, 0) for w in words)
        return float(value * (100 if "hundred" in words else 1))
    value, digit, place = 0, 0, 1
    for character in raw:
        if character in _PLACE:
            place = _PLACE[character]
            value += (digit or 1) * place
            digit = 0
        else:
            digit = _ZH[character]
            place = 1 if character in "零〇" else place
    return float(value + digit * (place // 10 if place >= 100 else 1))


def find_comparison(folded: str, start: int, end: int) -> Comparison | None:
    """The first number in the stretch with a word of comparison beside it."""
    for number in find_numbers(folded, start, end):
        before, behind = folded[start : number.start], folded[number.end : end]
        for pattern, sign in _BEHIND:
            if pattern.match(behind):
                return Comparison(number, sign)
        for pattern, sign in _BEFORE:
            if pattern.search(before):
                return Comparison(number, sign)
    return None
