"""Orders the text boxes that OCR found in a chart: rows, and the scales at its sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from adapters.ocr import TextBox

__all__ = ["Scale", "find_scales", "rows_of"]

SAME_ROW = 0.6  # of the median height of text; 205 of 206 cells of real boards fell into their row
LINEAR = 0.02  # a scale's marks stray less than this share of its span


def rows_of(boxes: Sequence[TextBox]) -> list[list[TextBox]]:
    """Boxes in rows from top to bottom, each from left to right."""
    if not boxes:
        return []
    reach = SAME_ROW * median(b.height for b in boxes)
    rows: list[list[TextBox]] = []
    for box in sorted(boxes, key=lambda b: b.y):
        if rows and abs(box.y - sum(b.y for b in rows[-1]) / len(rows[-1])) <= reach:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row, key=lambda b: b.x) for row in rows]


@dataclass(frozen=True, slots=True)
class Scale:
    """A value axis at the side: value = `zero` + `per_pixel` × y."""

    marks: tuple[TextBox, ...]
    zero: float
    per_pixel: float

    def at(self, y: float) -> float:
        return self.zero + self.per_pixel * y

    @property
    def span(self) -> float:
        values = [self.at(m.y) for m in self.marks]
        return max(values) - min(values)


def find_scales(boxes: Sequence[TextBox], number: Callable[[TextBox], float | None]) -> list[Scale]:
    """The value axes among boxes that stand beside the plot: at least three numbers flush at one edge whose
    values are linear in their height."""
    found: list[Scale] = []
    for edge in ("right", "left"):
        groups: list[list[TextBox]] = []
        for box in sorted(boxes, key=lambda b: float(getattr(b, edge))):
            if any(box in scale.marks for scale in found):
                continue
            if groups and getattr(box, edge) - getattr(groups[-1][-1], edge) <= SAME_ROW * box.height:
                groups[-1].append(box)
            else:
                groups.append([box])
        for group in groups:
            scale = _fitted(group, number)
            if scale is not None:
                found.append(scale)
    return found


def _fitted(group: Sequence[TextBox], number: Callable[[TextBox], float | None]) -> Scale | None:
    points = [(box.y, value) for box in group if (value := number(box)) is not None]
    if len(points) < 3 or len(points) < len(group):
        return None
    mean_y = sum(y for y, _ in points) / len(points)
    mean_v = sum(v for _, v in points) / len(points)
    spread = sum((y - mean_y) ** 2 for y, _ in points)
    if spread == 0:
        return None
    slope = sum((y - mean_y) * (v - mean_v) for y, v in points) / spread
    zero = mean_v - slope * mean_y
    span = max(v for _, v in points) - min(v for _, v in points)
    if span == 0 or any(abs(zero + slope * y - v) > LINEAR * span for y, v in points):
        return None
    return Scale(tuple(group), zero, slope)
