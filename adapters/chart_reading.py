"""From the text boxes of a drawn chart to rows: value labels are paired with category labels by where they stand.

Only charts that write their values are read; the height of a bar is never measured to make a number, but it is used
to doubt one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from adapters.base import DatasetSpec
from adapters.chart_boxes import Scale, find_scales, rows_of
from adapters.chart_series import assign_series, colour_in
from adapters.errors import FormatError
from adapters.ocr import TextBox
from adapters.reading import Reading
from adapters.values import canonical

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Chart", "read_chart"]

STRAY = 0.15  # of the scale's span: a label further from its height than this is taken as misread


@dataclass(frozen=True, slots=True)
class Chart:
    """How a chart maps to fields. `form` is `upright` (bars or lines over categories), `sideways` (bars beside
    categories). `unit` is what the labels leave out ("%")."""

    x: str
    value: str
    series: str | None = None
    form: str = "upright"
    title: str | None = None
    unit: str = ""
    headers: Mapping[str, str] | None = None  # field → how it is called on the board


def read_chart(
    boxes: Sequence[TextBox],
    chart: Chart,
    dataset: DatasetSpec,
    pixels: NDArray[np.uint8] | None = None,
) -> list[dict[str, Reading]]:
    """One row a category and series, in the order of the axis.

    `pixels` (height × width × 3, BGR) helps to tell series apart by colour. Raises FormatError when labels and
    categories do not match in number, or when a label contradicts its height on the value axis.
    """
    reader = _Reader(chart, dataset)
    boxes = [b for b in boxes if not (chart.title and b.text.strip() == chart.title.strip())]
    if chart.form == "sideways":
        return reader.sideways(boxes)
    return reader.upright(boxes, pixels)


class _Reader:
    def __init__(self, chart: Chart, dataset: DatasetSpec) -> None:
        self.chart = chart
        self.x_type = dataset.field(chart.x).type
        self.x_values = frozenset(dataset.field(chart.x).values)
        self.value_type = dataset.field(chart.value).type
        self.series_values = frozenset(dataset.field(chart.series).values) if chart.series else frozenset()
        self.name = f"chart {chart.title}" if chart.title else "chart"

    def upright(self, boxes: Sequence[TextBox], pixels: NDArray[np.uint8] | None) -> list[dict[str, Reading]]:
        categories = self._categories(boxes)
        first, last = categories[0], categories[-1]
        floor = min(c.top for c in categories)
        above = [b for b in boxes if b not in categories and b.y < floor]
        numbers = [b for b in above if self._number(b) is not None]
        # by the middle: a line chart may begin on the axis itself, its first category under the scale's edge
        beside = [b for b in numbers if b.x < first.x - b.height / 2 or b.x > last.x + b.height / 2]
        scales = find_scales(beside, self._number)
        marks = {m for s in scales for m in s.marks}
        labels = [b for b in numbers if b not in marks]
        legend = self._legend([b for b in boxes if b not in categories and b not in numbers])
        groups = self._grouped(labels, categories, len(legend) or 1)
        self._doubt(labels, scales)
        if pixels is not None:
            self._look_beside(categories, scales, pixels)
        out = []
        for category, group in zip(categories, groups, strict=True):
            if not self.chart.series:
                out.append(self._row(category, group[0], None))
                continue
            told = assign_series(group, legend, pixels)
            if told is None:
                raise FormatError(
                    f"{self.name}: the series over {category.text} cannot be told apart ({_texts(group)})"
                )
            out.extend(self._row(category, told[name.text], name) for name in legend)
        return out

    def sideways(self, boxes: Sequence[TextBox]) -> list[dict[str, Reading]]:
        out = []
        for row in rows_of(boxes):
            names = [b for b in row if self._is_category(b)]
            if not names:
                continue  # the value axis, or the title
            numbers = [
                b for b in row if b not in names and b.left > names[0].x and self._number(b) is not None
            ]
            if len(numbers) != 1:
                raise FormatError(f"{self.name}: {names[0].text} has {len(numbers)} value labels, not one")
            out.append(self._row(names[0], numbers[0], None))
        if not out:
            raise FormatError(f"{self.name}: no category label was read; the picture says: {_texts(boxes)}")
        return out

    def _categories(self, boxes: Sequence[TextBox]) -> list[TextBox]:
        """The lowest row with the most category labels; of free texts the lowest row with two."""
        rows = [[b for b in row if self._is_category(b)] for row in rows_of(boxes)]
        most = max((len(row) for row in rows), default=0)
        if self.x_type == "text" and not self.x_values and most > 2:
            most = len(next(row for row in reversed(rows) if len(row) >= 2))
        if most == 0:
            raise FormatError(
                f"{self.name}: no category label of type {self.x_type} was read; the picture says: {_texts(boxes)}"
            )
        found = next(row for row in reversed(rows) if len(row) == most)
        known = [canonical(b.text, self.x_type) for b in found]
        if len(set(known)) != len(known):
            raise FormatError(f"{self.name}: a category stands twice: {_texts(found)}")
        return found

    def _is_category(self, box: TextBox) -> bool:
        text = box.text.strip()
        if self.x_type == "text":
            if self.x_values:
                return text in self.x_values
            return text not in self.series_values and self._number(box) is None
        try:
            return canonical(text, self.x_type) is not None
        except FormatError:
            return False

    def _legend(self, boxes: Sequence[TextBox]) -> list[TextBox]:
        """The series' names, from left to right (or top to bottom)."""
        if not self.chart.series:
            return []
        known = [b for b in boxes if b.text.strip() in self.series_values]
        if known:
            return sorted(known, key=lambda b: (round(b.y / max(b.height, 1)), b.x))
        rows = rows_of(boxes)
        found = max(rows, key=len, default=[])
        if not found:
            raise FormatError(f"{self.name}: no legend was read")
        return found

    def _grouped(
        self, labels: Sequence[TextBox], categories: Sequence[TextBox], series: int
    ) -> list[list[TextBox]]:
        gaps = [b.x - a.x for a, b in pairwise(categories)]
        reach = 0.5 * median(gaps) if gaps else float("inf")
        groups: list[list[TextBox]] = [[] for _ in categories]
        for label in labels:
            distance, at = min((abs(label.x - c.x), i) for i, c in enumerate(categories))
            if distance <= reach:
                groups[at].append(label)
            else:
                raise FormatError(f"{self.name}: the label {label.text!r} stands over no category")
        wrong = [
            f"{c.text}: {_texts(g) or 'none'}"
            for c, g in zip(categories, groups, strict=True)
            if len(g) != series
        ]
        if wrong:
            raise FormatError(
                f"{self.name}: {len(labels)} value labels were read for {len(categories)} categories"
                + (f" of {series} series" if self.chart.series else "")
                + f"; wrong at {'; '.join(wrong)}"
            )
        return groups

    def _doubt(self, labels: Sequence[TextBox], scales: Sequence[Scale]) -> None:
        """A label stands at one distance above its mark, so value and height agree for all but one misread.

        Says nothing where most labels do not agree (labels within stacked bars, several scales).
        """
        if len(scales) != 1 or len(labels) < 3:
            return
        scale = scales[0]
        off = [(self._number(b) or 0.0) - scale.at(b.y) for b in labels]
        usual = median(off)
        stray = [b for b, o in zip(labels, off, strict=True) if abs(o - usual) > STRAY * scale.span]
        if stray and len(stray) * 2 < len(labels):
            b = stray[0]
            raise FormatError(
                f"{self.name}: the label {b.text!r} (score {b.score:.2f}) does not fit its height on the value axis"
            )

    def _look_beside(
        self, categories: Sequence[TextBox], scales: Sequence[Scale], pixels: NDArray[np.uint8]
    ) -> None:
        """A bar at the edge whose category and value were both missed would make a part look like the whole."""
        if len(categories) < 2:
            return
        first, last = categories[0], categories[-1]
        reach = 0.6 * median(b.x - a.x for a, b in pairwise(categories))
        bottom = min(c.top for c in categories) - 0.3 * first.height
        marks = [m for s in scales for m in s.marks]
        left = max([m.right for m in marks if m.x < first.x], default=0.0)
        right = min([m.left for m in marks if m.x > last.x], default=float(pixels.shape[1]))
        for start, end, name in ((left, first.x - reach, first), (last.x + reach, right, last)):
            if end > start and colour_in(pixels, start, bottom - first.height, end, bottom):
                raise FormatError(f"{self.name}: beside {name.text} stands a bar whose category was not read")

    def _row(self, category: TextBox, label: TextBox, series: TextBox | None) -> dict[str, Reading]:
        row = {
            self.chart.x: self._reading(category, self.chart.x),
            self.chart.value: self._reading(label, self.chart.value, self.chart.unit),
        }
        if series is not None and self.chart.series:
            row[self.chart.series] = self._reading(series, self.chart.series)
        return row

    def _reading(self, box: TextBox, field: str, unit: str = "") -> Reading:
        header = (self.chart.headers or {}).get(field)
        return Reading(box.text.strip(), column=header, score=box.score, unit=unit)

    def _number(self, box: TextBox) -> float | None:
        try:
            value, _ = Reading(box.text.strip(), unit=self.chart.unit).understood(self.value_type)
        except FormatError:
            return None
        return float(value) if isinstance(value, int | float) else None


def _texts(boxes: Sequence[TextBox]) -> str:
    return "、".join(b.text for b in boxes[:12])
