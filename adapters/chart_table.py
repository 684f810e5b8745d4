"""A plain table drawn on a canvas, from its text boxes. Merged and wrapped cells are not understood."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from adapters.board_table import Cell, Table
from adapters.chart_boxes import rows_of
from adapters.errors import FormatError, SchemaDrift
from adapters.ocr import TextBox

__all__ = ["drawn_table"]


def drawn_table(boxes: Sequence[TextBox], title: str | None, headers: Collection[str]) -> Table:
    """The table whose header row holds the most of `headers`; what stands above it is no part of it.

    Raises SchemaDrift when no row holds any of them, FormatError when a row has a cell too many or too few.
    """
    rows = rows_of(boxes)
    wanted = {_bare(h) for h in headers}
    scores = [sum(_bare(b.text) in wanted for b in row) for row in rows]
    if not rows or max(scores) == 0:
        seen = "、".join(b.text for b in rows[0]) if rows else "(no text)"
        raise SchemaDrift(
            f"drawn table {title or ''}: missing headers: {'、'.join(headers)}; present: {seen}"
        )
    start = scores.index(max(scores))
    rows = rows[start:]
    columns = _columns(rows)
    head, *body = [_placed(row, columns, title) for row in rows]
    for number, line in enumerate(body, 1):
        for cell, header in zip(line, head, strict=True):
            if cell is None:
                name = header.text if header else "a column without header"
                raise FormatError(f"drawn table {title or ''}: row {number} shows nothing under {name}")
    return Table(
        title,
        tuple(c.text if c else "" for c in head),
        tuple(tuple(c for c in line if c is not None) for line in body),
    )


def _columns(rows: Sequence[Sequence[TextBox]]) -> list[tuple[float, float]]:
    """Connected x-intervals of the full rows: those with the most boxes."""
    full = max(len(row) for row in rows)
    spans = sorted((b.left, b.right) for row in rows if len(row) == full for b in row)
    out: list[tuple[float, float]] = []
    for left, right in spans:
        if out and left <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], right))
        else:
            out.append((left, right))
    return out


def _placed(
    row: Sequence[TextBox], columns: Sequence[tuple[float, float]], title: str | None
) -> list[Cell | None]:
    line: list[Cell | None] = [None] * len(columns)
    for box in row:
        overlaps = [min(box.right, right) - max(box.left, left) for left, right in columns]
        at = overlaps.index(max(overlaps))
        if line[at] is not None:
            raise FormatError(f"drawn table {title or ''}: two texts in one cell, {box.text!r} is the second")
        line[at] = Cell(box.text, score=box.score)
    return line


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()
