"""A page's grids into table blocks; a table that goes on over the page becomes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kb_index.blocks import TableBlock, table_id
from kb_index.lines import TABLE, Line
from kb_index.paragraphs import caption_beside
from kb_index.table_grid import Grid, Rows

__all__ = ["table_blocks"]


def table_blocks(grids: Sequence[tuple[int, Grid]], lines: Sequence[Line]) -> dict[int, TableBlock | None]:
    """A TABLE line's index -> its block; None for one that was joined to the table before it.

    `grids` are (page, grid); a TABLE line's text is the grid's index.
    """
    out: dict[int, TableBlock | None] = {}
    ordinals: Counter[int] = Counter()
    before: int | None = None
    for i, line in enumerate(lines):
        if line.font != TABLE:
            continue
        page, grid = grids[int(line.text)]
        ordinals[page] += 1
        last = out.get(before) if before is not None else None
        caption = caption_beside(lines, i)
        if before is not None and last and not caption and _goes_on(lines, before, i, last, grid):
            rows = last.rows + _without_header(grid.rows, last.rows)
            out[before] = TableBlock(rows, last.page, page, last.id, last.caption, last.header)
            out[i] = None
            continue
        out[i] = TableBlock(
            grid.rows, page, page, table_id(page, ordinals[page], grid.rows), caption, _header_rows(grid.rows)
        )
        before = i
    return out


def _goes_on(lines: Sequence[Line], before: int, at: int, table: TableBlock, grid: Grid) -> bool:
    """The first thing on the next page, as many columns, the same width; nothing after the one before."""
    between = [x for x in lines[before + 1 : at] if x.font != TABLE]
    if between or lines[at].page != table.page_to + 1 or grid.columns != len(table.rows[0]):
        return False
    a, b = lines[before], lines[at]
    return abs((a.x1 - a.x0) - (b.x1 - b.x0)) <= 0.05 * max(a.x1 - a.x0, 1)


def _without_header(rows: Rows, first: Rows) -> Rows:
    n = 0
    while n < min(3, len(rows), len(first)) and rows[n] == first[n]:
        n += 1
    return rows[n:]


def _header_rows(rows: Rows) -> int:
    """Rows before the first that holds a number where the header holds words; 1 to 3."""

    def numbers(row: tuple[str, ...]) -> int:
        return sum(any(ch.isdigit() for ch in cell) for cell in row)

    n = 1
    while n < min(3, len(rows) - 1) and numbers(rows[n]) == 0 and "" in rows[n - 1]:
        n += 1
    return n
