"""A candidate table, cleaned and scored, so that engines can be compared on one region."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["NUMERIC", "Box", "Grid", "clean", "overlap", "score"]

Box = tuple[float, float, float, float]  # x0, top, x1, bottom; points from the page's top left
Rows = tuple[tuple[str, ...], ...]

NUMERIC = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d,. ]*\s?[%元万亿kKmM]?\)?|[-–—]|n/?a", re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"\d[\d,.]*%?\s+[-(]?[$€£¥]?\d[\d,.]*%?(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Grid:
    """`rows` are of equal length; `engine` says who made it; `score` is in 0..1."""

    box: Box
    rows: Rows
    engine: str
    score: float

    @property
    def columns(self) -> int:
        return len(self.rows[0]) if self.rows else 0


def clean(rows: Sequence[Sequence[str | None]]) -> Rows:
    """One line per cell, rows of equal length, rows and columns without any text dropped."""
    wide = max((len(r) for r in rows), default=0)
    cells = [[" ".join((c or "").split()) for c in r] + [""] * (wide - len(r)) for r in rows]
    cells = [r for r in cells if any(r)]
    kept = [i for i in range(wide) if any(r[i] for r in cells)]
    return tuple(tuple(r[i] for i in kept) for r in cells)


def score(rows: Rows, words: str) -> float:
    """How much a grid looks like a table. `words`: the region's characters, blanks taken out.

    The mean of: cells filled, rows that fill as many cells as most do, the region's text found again, and
    columns of one kind (numbers or words); less what two numbers in one cell (columns run together) say.
    """
    if len(rows) < 2 or len(rows[0]) < 2:
        return 0.0
    cells = [c for r in rows for c in r]
    fill = sum(bool(c) for c in cells) / len(cells)
    filled = Counter(sum(bool(c) for c in r) for r in rows)
    regular = filled.most_common(1)[0][1] / len(rows)
    text = "".join("".join(c.split()) for c in cells)
    coverage = min(len(text), len(words)) / max(len(text), len(words), 1)
    kinds = []
    for column in zip(*rows[1:], strict=True):
        there = [bool(NUMERIC.fullmatch(c)) for c in column if c]
        if there:
            kinds.append(max(there.count(True), there.count(False)) / len(there))
    pure = sum(kinds) / len(kinds) if kinds else 0.0
    run_together = sum(bool(_TWO_NUMBERS.search(c)) for c in cells) / len(cells)
    lengthy = sum(len(c) > 250 for c in cells) / len(cells)
    whole = 0.3 * fill + 0.2 * regular + 0.3 * coverage + 0.2 * pure - run_together - lengthy
    return max(0.0, min(1.0, whole))


def overlap(a: Box, b: Box) -> float:
    """Intersection over union."""
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    both = w * h
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)
