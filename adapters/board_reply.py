"""What a board gave for one dataset, by whichever way, as readings of its fields."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.base import DatasetSpec
from adapters.board_mapping import Mapped
from adapters.board_network import NetworkReply
from adapters.board_table import Table
from adapters.board_visit import Drawn
from adapters.chart_reading import read_chart
from adapters.chart_table import drawn_table
from adapters.errors import FormatError
from adapters.ocr import TextBox, pixels_of
from adapters.reading import Reading

__all__ = ["BoardReply"]


@dataclass(frozen=True, slots=True)
class BoardReply:
    """`boxes`: what OCR read, where the dataset was only drawn."""

    found: NetworkReply | Table | Drawn
    boxes: Sequence[TextBox] = ()

    @property
    def method(self) -> str:
        if isinstance(self.found, NetworkReply):
            return "network"
        return "dom" if isinstance(self.found, Table) else "ocr"

    @property
    def title(self) -> str | None:
        return self.found.title

    def readings(self, dataset: DatasetSpec, way: Mapped, least_score: float) -> list[dict[str, Reading]]:
        """For each row, field → reading; constants left out.

        Raises SchemaDrift when headers or fields are missing, FormatError when a drawn chart cannot be read for
        sure or a label in it was read with less than `least_score`.
        """
        if isinstance(self.found, NetworkReply):
            return self.found.readings(way.network_rows, way.network_fields)
        if isinstance(self.found, Table):
            return self.found.readings(way.columns)
        if way.chart is None:
            table = drawn_table(self.boxes, self.title, list(way.columns.values()))
            rows = table.readings(way.columns)
        else:
            rows = read_chart(self.boxes, way.chart, dataset, pixels_of(self.found.png))
        for row in rows:
            for reading in row.values():
                if reading.score is not None and reading.score < least_score:
                    raise FormatError(
                        f"chart {self.title or ''}: the label {reading.text!r} was read with score "
                        f"{reading.score:.2f}, below {least_score:.2f}"
                    )
        return rows

    def snapshot(self, limit: int) -> str:
        """At most `limit` bytes of what was found, as JSON."""
        if isinstance(self.found, NetworkReply):
            content: object = {"url": self.found.url, "reply": self.found.document}
        elif isinstance(self.found, Table):
            rows = [
                [c.text if c.exact is None else [c.text, c.exact] for c in row] for row in self.found.rows
            ]
            content = {"title": self.title, "headers": self.found.headers, "rows": rows}
        else:
            content = {
                "title": self.title,
                "boxes": [
                    [b.text, round(b.score, 3), *(round(v) for v in (b.left, b.top, b.right, b.bottom))]
                    for b in self.boxes
                ],
            }
        text = json.dumps(content, ensure_ascii=False, default=str)
        return text.encode()[:limit].decode(errors="ignore")
