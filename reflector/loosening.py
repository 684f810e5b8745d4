"""A validation string without the clauses that bind one field's values: a widened question cannot keep them."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["conjuncts", "without_bounds_on"]

_TOKEN = re.compile(r"""'[^']*'|"[^"]*"|[\[(]|[\])]|\b(?:AND|OR)\b|[\w.]+|.""", re.I | re.S)
_ABOUT_SHAPE = re.compile(
    r"\s*(has_columns?|has_fields?|not_null|unique|type|fresh|rows|len)\b", re.I
)  # these hold or fail whatever span of time was asked for


def conjuncts(validation: str) -> list[str]:
    """The parts joined by AND at the top; one part when the top is an OR."""
    parts, current, depth, has_or = [], "", 0, False
    for token in _TOKEN.findall(validation):
        depth += (token in "[(") - (token in "])")
        if depth == 0 and token.upper() == "AND":
            parts.append(current.strip())
            current = ""
            continue
        has_or = has_or or (depth == 0 and token.upper() == "OR")
        current += token
    parts.append(current.strip())
    return [validation.strip()] if has_or else [p for p in parts if p]


def without_bounds_on(field: str, validation: str) -> str:
    """`validation` without `covers` and comparisons of `field`; never empty: at least `rows >= 1`."""
    kept = [p for p in conjuncts(validation) if _ABOUT_SHAPE.match(p) or field not in set(_names(p))]
    return " AND ".join(kept) or "rows >= 1"


def _names(part: str) -> Iterator[str]:
    return (t.strip("'\"") for t in _TOKEN.findall(part) if t.strip())
