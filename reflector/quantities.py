"""Numbers and dates as people write them in a text, read into canonical values with the precision they show."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Moment", "Quantity", "moments", "names", "quantities"]

_SCALE = {"万": 1e4, "亿": 1e8, "千": 1e3, "百万": 1e6, "k": 1e3, "m": 1e6, "bn": 1e9, "b": 1e9}
_QUANTITY = re.compile(
    r"(?<![A-Za-z0-9_.#/-])(?P<sign>[-+−])?[¥$€£]?\s?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"\s?(?P<unit>%|％|‰|个百分点|percentage points?|pp\b|百万|[万亿千]|bn\b|[kmb]\b)?",
    re.I,
)
_MOMENT = re.compile(
    r"(?<![A-Za-z0-9_.])(?P<y>(?:19|20)\d\d)(?:"
    r"-Q(?P<q>[1-4])|-(?P<m>\d{2})(?:-(?P<d>\d{2})(?:T[\d:]+(?:[+-]\d{2}:\d{2}|Z)?)?)?"
    r"|\s?年(?:\s?第?(?P<zq>[一二三四1-4])季度?|\s?(?P<zm>\d{1,2})\s?月(?:份|\s?(?P<zd>\d{1,2})\s?[日号])?)?"
    r")(?!\d)",
    re.I,
)
_NAME = re.compile(
    r"(?<![A-Za-z0-9_.-])(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[A-Za-z0-9]+(?:[.\-_][A-Za-z0-9]+)*", re.ASCII
)
_MARK = re.compile(r"\[c\d+(?:–c\d+)?\]")
_FOUR = {"一": "1", "二": "2", "三": "3", "四": "4"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """`value` is canonical (5.2 % is 0.052); `half` is half a unit of the last digit shown, in the same terms."""

    text: str
    value: float
    half: float

    def agrees(self, other: float) -> bool:
        """Is `other`, rounded as this one is shown, this one? Signs are left to the words (lower by 3)."""
        return abs(abs(self.value) - abs(other)) <= self.half * (1 + 1e-9) + 1e-12


@dataclass(frozen=True, slots=True)
class Moment:
    """`value` is canonical: 2024, 2024-Q1, 2024-01 or 2024-01-03."""

    text: str
    value: str


def moments(text: str) -> list[Moment]:
    return [Moment(m.group(), _moment(m)) for m in _MOMENT.finditer(_plain(text))]


def _moment(m: re.Match[str]) -> str:
    quarter = m["q"] or m["zq"]
    if quarter:
        return f"{m['y']}-Q{_FOUR.get(quarter, quarter)}"
    month, day = m["m"] or m["zm"], m["d"] or m["zd"]
    return m["y"] + (f"-{int(month):02d}" if month else "") + (f"-{int(day):02d}" if day else "")


def quantities(text: str) -> list[Quantity]:
    """All numbers that are neither part of a date nor of a name such as LOG-157."""
    plain = _NAME.sub(_blank, _MOMENT.sub(_blank, _plain(text)))
    return list(_quantities(plain))


def _quantities(plain: str) -> Iterator[Quantity]:
    for m in _QUANTITY.finditer(plain):
        digits = m["digits"].replace(",", "")
        unit = (m["unit"] or "").lower()
        scale = (
            0.01
            if unit.startswith(("%", "％", "个百分点", "pp", "percentage"))
            else 0.001
            if unit == "‰"
            else _SCALE.get(unit, 1.0)
        )
        decimals = len(digits.partition(".")[2])
        value = float(digits) * scale * (-1 if m["sign"] in ("-", "−") else 1)
        yield Quantity(m.group().strip(), value, 0.5 * 10**-decimals * scale)


def names(text: str) -> list[str]:
    """Words that mix letters and digits: ticket keys, versions, models, ids."""
    plain = _MOMENT.sub(_blank, _plain(text))
    return [
        m.group()
        for m in _NAME.finditer(plain)
        if not re.fullmatch(r"\d+(?:\.\d+)?(?:k|m|b|bn|pp|s|h|d)", m.group(), re.I)
    ]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", _MARK.sub(" ", text))


def _blank(m: re.Match[str]) -> str:
    return " " * len(m.group())
