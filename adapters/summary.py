"""One line that says what a piece of evidence holds, for progress, prompts and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adapters.base import Value
from adapters.values import MEASURES, show

__all__ = ["summarise"]


def summarise(
    rows: Sequence[Mapping[str, Value]], types: Mapping[str, str], grain: Sequence[str] = ()
) -> str:
    """Language-neutral: "A · 华东 · 2024-01: return_rate 5.2%" for one row, the span of each column for several."""
    if not rows:
        return "0 rows"
    dimensions = [n for n in types if types[n] not in MEASURES]
    measures = [n for n in types if types[n] in MEASURES]
    if len(rows) == 1:
        head = " · ".join(show(rows[0].get(n), types[n]) for n in (grain or dimensions) if n in rows[0])
        tail = ", ".join(f"{n} {show(rows[0].get(n), types[n])}" for n in measures)
        return ": ".join(p for p in (head, tail) if p)[:300]
    parts = [
        _span(n, [r.get(n) for r in rows], types[n])
        for n in [*(grain or dimensions[:3]), *measures[:3]]
        if n in types
    ]
    return f"{len(rows)} rows; {'; '.join(p for p in parts if p)}"[:300]


def _span(name: str, values: Sequence[Value], kind: str) -> str:
    present = [v for v in values if v is not None]
    if not present:
        return ""
    if kind in ("text", "bool"):
        distinct = list(dict.fromkeys(show(v, kind) for v in present))
        return f"{name} {', '.join(distinct)}" if len(distinct) <= 4 else f"{name} {len(distinct)} values"
    low, high = min(present), max(present)
    return f"{name} {show(low, kind)}" if low == high else f"{name} {show(low, kind)} … {show(high, kind)}"
