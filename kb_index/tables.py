"""A page's tables: ruled and unruled regions, for each the engine whose grid scores best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kb_index.aligned import aligned_rows, aligned_tables, beside
from kb_index.lines import Segment, join_text, segments_of
from kb_index.table_grid import Box, Grid, Rows, clean, overlap, score
from kb_index.tabula import TabulaFile

__all__ = ["inside", "tables_on"]

ENOUGH = 0.5  # a grid that scores less is not a table
PREFERRED = 0.05  # rules are believed unless the text's own columns score this much more
MANY_EDGES = 4000  # a drawing, not rules
LONGEST_CELL = 600


def tables_on(
    page: Any,
    chars: Sequence[dict[str, Any]],
    segments: Sequence[Segment],
    tabula: TabulaFile | None,
    turned: bool = False,
) -> list[Grid]:
    """Top to bottom. `page` is pdfplumber's; `chars` and `segments` are upright and without duplicates.

    `tabula` None: without it (no Java). `turned`: the characters were, the page's rules were not.
    """
    number = int(page.page_number)
    found = [] if turned else _ruled(page, chars, segments, tabula, number)
    outside = [s for s in segments if not any(inside(s, g.box) for g in found)]
    for box, rows in aligned_tables(outside):
        if any(overlap(box, g.box) > 0 for g in found):
            continue
        words = _words(outside, box)
        grids = [Grid(box, rows, "aligned", score(rows, words))]
        if tabula is not None and grids[0].score < 0.9:
            for _, other in tabula.stream(number, box):
                grids.append(Grid(box, other, "stream", score(other, words)))
        best = max(grids, key=lambda g: g.score - PREFERRED * (g.engine != "aligned"))
        if best.score >= ENOUGH:
            found.append(best)
    return sorted(found, key=lambda g: (g.box[1], g.box[0]))


def inside(segment: Segment, box: Box) -> bool:
    """The segment's middle lies in the box."""
    x = (segment.x0 + segment.x1) / 2
    return box[0] <= x <= box[2] and box[1] <= segment.middle <= box[3]


def _ruled(
    page: Any,
    chars: Sequence[dict[str, Any]],
    segments: Sequence[Segment],
    tabula: TabulaFile | None,
    number: int,
) -> list[Grid]:
    edges = page.edges
    ways = {e["orientation"] for e in edges}
    if not {"h", "v"} <= ways or len(edges) > MANY_EDGES:
        return []
    ruled: list[tuple[Box, Rows]] = []
    for table in page.find_tables():
        x0, top, x1, bottom = table.bbox
        rows = _filled(table, chars)
        if _plausible(rows):
            ruled.append(((float(x0), float(top), float(x1), float(bottom)), rows))
    found: list[Grid] = []
    for box, rows in ruled:
        others = [other for other, _ in ruled if other != box]
        near = [s for s in segments if not any(inside(s, other) for other in others)]
        found.append(_best_of(box, rows, chars, near))
    if found and tabula is not None and any(g.score < 0.95 for g in found):
        for box, rows in tabula.lattice(number):
            at = max(range(len(found)), key=lambda i: overlap(found[i].box, box))
            if overlap(found[at].box, box) >= 0.5:
                other = Grid(found[at].box, rows, "lattice", score(rows, _words_of(chars, found[at].box)))
                if other.score > found[at].score:
                    found[at] = other
    return [g for g in found if g.score >= ENOUGH]


def _best_of(box: Box, ruled: Rows, chars: Sequence[dict[str, Any]], segments: Sequence[Segment]) -> Grid:
    """Rules may be drawn round groups of rows, or without the outer columns: then the text's own columns and rows say more."""
    whole = beside(box, segments)
    words = _words_of(chars, whole)
    best = Grid(box, ruled, "lines", score(ruled, words))
    rows = aligned_rows([s for s in segments if inside(s, whole)])
    if rows is not None:
        other = Grid(whole, rows, "aligned", score(rows, words))
        if other.score > best.score + PREFERRED:
            return other
    return best


def _plausible(rows: Rows) -> bool:
    """Two rows and columns at least, and no cell that is a page of prose (a frame drawn round the text)."""
    return len(rows) >= 2 and len(rows[0]) >= 2 and max(len(c) for r in rows for c in r) <= LONGEST_CELL


def _filled(table: Any, chars: Sequence[dict[str, Any]]) -> Rows:
    """Each cell's text by our own lines: spaces relative to the font, none between Han characters."""
    x0, top, x1, bottom = table.bbox
    own = [
        c
        for c in chars
        if x0 <= (c["x0"] + c["x1"]) / 2 <= x1 and top <= (c["top"] + c["bottom"]) / 2 <= bottom
    ]
    rows: list[list[str]] = []
    for row in table.rows:
        line = []
        of_row = _within(own, (x0, row.bbox[1], x1 + 1, row.bbox[3]))
        for cell in row.cells:
            text = ""
            for s in _in_reading_order(segments_of(_within(of_row, cell))) if cell else ():
                text = join_text(text, s.text)
            line.append(text)
        rows.append(line)
    return clean(rows)


def _in_reading_order(segments: Sequence[Segment]) -> list[Segment]:
    """Row by row, where a bullet of another size stands lower than its text."""
    rows: list[list[Segment]] = []
    for s in sorted(segments, key=lambda s: s.middle):
        if rows and _share_a_row(rows[-1][-1], s):
            rows[-1].append(s)
        else:
            rows.append([s])
    return [s for row in rows for s in sorted(row, key=lambda s: s.x0)]


def _share_a_row(a: Segment, b: Segment) -> bool:
    both = min(a.bottom, b.bottom) - max(a.top, b.top)
    return both > 0.6 * min(a.bottom - a.top, b.bottom - b.top)


def _within(chars: Sequence[dict[str, Any]], box: Box) -> list[dict[str, Any]]:
    return [
        c
        for c in chars
        if box[0] <= (c["x0"] + c["x1"]) / 2 < box[2] and box[1] <= (c["top"] + c["bottom"]) / 2 < box[3]
    ]


def _words_of(chars: Sequence[dict[str, Any]], box: Box) -> str:
    return "".join(c["text"].strip() for c in _within(chars, box))


def _words(segments: Sequence[Segment], box: Box) -> str:
    return "".join("".join(s.text.split()) for s in segments if inside(s, box))
