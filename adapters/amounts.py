"""Reads numbers, money and percentages as sources write them.

Thousands separators, currency signs, 万 and 亿, k and M, accounting brackets and full-width digits are
understood. A decimal comma is not: "1,5" would be fifteen to one reader and one and a half to another.
"""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal

from adapters.errors import FormatError

__all__ = ["read_amount"]

_CURRENCY = r"(?:rmb|cny|usd|eur|gbp|hkd|jpy|us\$|hk\$|[¥$€£]|人民币|美元|欧元|港元|港币|元|块)"
_COUNTED = "个件台次场单人户天条份家套只笔项名位辆箱"  # measure words that may follow a count: 12 场
_SCALE = {
    "": 1, "百": 100, "千": 1_000, "万": 10_000, "百万": 1_000_000, "千万": 10_000_000, "亿": 100_000_000,
    "万亿": 10**12, "k": 1_000, "m": 1_000_000, "mn": 1_000_000, "b": 10**9, "bn": 10**9,
}  # fmt: skip
_NUMBER = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-+])?\s*{_CURRENCY}?\s*(?P<sign2>[-+])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?(?:e[-+]?\d{1,3})?|\.\d+)"
    r"\s*(?P<scale>万亿|千万|百万|[百千万亿]|mn|bn|[kmb])?"
    rf"\s*(?:(?P<per>%|‰|pp|个百分点|个点)|{_CURRENCY}|[{_COUNTED}])?\s*(?P<close>\))?",
    re.I,
)


def read_amount(raw: object, kind: str) -> float | int:
    """`raw` as a number of type `kind` (number money integer percent; a percent as a fraction).

    A percent without its sign is taken as the fraction it is. Raises FormatError.
    """
    if isinstance(raw, bool):
        raise FormatError(f"cannot read {raw} as a {kind}")
    value = Decimal(str(raw)) if isinstance(raw, int | float | Decimal) else _parse(str(raw), kind)
    if not value.is_finite():
        raise FormatError(f"cannot read {raw!r} as a {kind}")
    if kind == "integer":
        if value != value.to_integral_value():
            raise FormatError(f"cannot read {str(raw)[:60]!r} as a whole number")
        return int(value)
    number = float(value)
    if math.isinf(number):
        raise FormatError(f"cannot read {str(raw)[:60]!r} as a {kind}: too large")
    return number


def _parse(text: str, kind: str) -> Decimal:
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").strip()
    raised = any(unicodedata.category(c) == "No" for c in text)  # NFKC would make 10² a hundred and two
    found = _NUMBER.fullmatch(plain) if len(plain) <= 80 and not raised else None
    if found is None or bool(found["open"]) != bool(found["close"]) or (found["sign"] and found["sign2"]):
        raise FormatError(f"cannot read {text[:60]!r} as a {kind}")
    value = Decimal(found["digits"].replace(",", "")) * _SCALE[(found["scale"] or "").lower()]
    per = (found["per"] or "").lower()
    if per:
        value /= 1000 if per == "‰" else 100
    if found["open"] or "-" in (found["sign"], found["sign2"]):
        value = -value
    return value
