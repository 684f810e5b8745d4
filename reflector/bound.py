"""A bound on a price in the words of a question: "2000以内", "不超过3千元", "under 500"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from adapters.amounts import read_amount
from adapters.errors import FormatError

__all__ = ["Bound", "amount_in", "find_bound"]

_NUMBER = r"(?:[¥$€£]\s*)?\d[\d,]*(?:\.\d+)?\s*(?:万|千|k)?\s*(?:元|块|rmb|yuan|usd)?"
_BOUND = (
    re.compile(rf"(?P<n>{_NUMBER})\s*(?:以内|以下|之内|内|封顶)", re.I),
    re.compile(rf"(?:不超过|不高于|低于|不到|最多|预算(?:是|为|在)?|至多|少于)\s*(?P<n>{_NUMBER})", re.I),
    re.compile(
        rf"(?:under|below|at most|no more than|less than|up to|within|not more than|max(?:imum)?|budget(?: of)?)\s*"
        rf"(?P<n>{_NUMBER})",
        re.I,
    ),
)
_AMOUNT = re.compile(_NUMBER, re.I)
_NO_PRICE = re.compile(r"\s*(?:个?月|天|日|年|小时|分钟|%|％|days?|months?|years?|hours?)")


@dataclass(frozen=True, slots=True)
class Bound:
    """`text` is the question's own words."""

    limit: float
    text: str


def find_bound(question: str) -> Bound | None:
    """The first bound on an amount; one on days, months or per cent is none."""
    for pattern in _BOUND:
        for m in pattern.finditer(question):
            if _NO_PRICE.match(question, m.end("n")):
                continue
            limit = amount_in(m["n"])
            if limit is not None and limit > 0:
                return Bound(limit, m.group().strip())
    return None


def amount_in(text: str) -> float | None:
    """The amount that a cell shows; None when it shows none, or several."""
    found = _AMOUNT.findall(text)
    if len(found) != 1:
        return None
    try:
        return float(read_amount(found[0].strip(), "money"))
    except FormatError:
        return None
