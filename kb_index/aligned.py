"""Tables without ruling lines: rows whose segments stand under each other."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from kb_index.language import width
from kb_index.lines import BASELINE, Segment, join_text
from kb_index.table_grid import NUMERIC, Box, Rows, clean

__all__ = ["aligned_rows", "aligned_tables", "beside"]

_BULLET = re.compile(r"[\W_]{1,2}|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4}|[一二三四五六七八九十]{1,2})[).、．]?")
_LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|·{4,}")
_SIGNS = re.compile(r"[=∑∂𝜕√∫∏≈]|\(cid:\d+\)")
PROSE = 45  # a segment this wide (see `language.width`) is a line of text, not a cell
ROWS = 3
RUN, LINE, EDGE = 4, 30, 2.5  # justified text: lines at least, their width, points that edges may differ
FILLED = 0.4  # of a table's cells
LEADING = 0.25  # gaps within cells and between rows differ by so many ems at least
SHARED, APART = 0.6, 8  # a column outside the rules: in this share of rows, at most so many ems away


def aligned_tables(segments: Sequence[Segment]) -> list[tuple[Box, Rows]]:
    """Each table's place and rows; `segments` are those outside ruled tables, top to bottom."""
    out = []
    runs = _paragraphs(segments)
    prose = {id(s) for run in runs for s in run}
    for whole in _blocks(_rows([s for s in segments if id(s) not in prose])):
        for block in _beside_text(whole, runs):
            found = _grid(block)
            if found:
                out.append(found)
    return out


def _beside_text(block: list[list[Segment]], runs: list[list[Segment]]) -> list[list[list[Segment]]]:
    """The block without what stands in a column of text beside it: a formula, a paragraph's last line."""
    top, bottom = min(s.top for s in block[0]), max(s.bottom for s in block[-1])
    columns = [
        (min(s.x0 for s in run) - EDGE, max(s.x1 for s in run) + EDGE)
        for run in runs
        if run[0].top < bottom and run[-1].bottom > top
    ]
    kept = [s for row in block for s in row if not any(x0 <= s.x0 and s.x1 <= x1 for x0, x1 in columns)]
    return _blocks(_rows(kept)) if columns else [block]


def _paragraphs(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Runs of lines of justified text: one column's, though rows of a table may stand beside it."""
    by_edge: dict[int, list[Segment]] = defaultdict(list)
    for long in segments:
        if width(long.text) >= LINE:
            by_edge[round(long.x0 / EDGE)].append(long)
    found: list[list[Segment]] = []
    for edge in by_edge:
        column = sorted((s for k in (edge, edge + 1) for s in by_edge.get(k, ())), key=lambda s: s.top)
        run: list[Segment] = []
        for s in [*column, None]:
            if s is not None and (not run or (_gap([run[-1]], [s]) < 1 and s.size == run[-1].size)):
                run.append(s)
                continue
            right = max((r.x1 for r in run), default=0)
            flush = sum(right - r.x1 < EDGE for r in run)
            if len(run) >= RUN and flush * 5 >= len(run) * 3:
                found.append(run)
            run = [s] if s is not None else []
    return found


def aligned_rows(segments: Sequence[Segment]) -> Rows | None:
    """The rows of one table that these segments are, all of them; None where they do not stand under each other."""
    found = _grid(_rows(segments)) if segments else None
    return found[1] if found else None


def beside(box: Box, segments: Sequence[Segment]) -> Box:
    """The box with the columns that stand left and right of it, outside its rules: short cells in most of its rows."""
    x0, top, x1, bottom = box
    rows = [
        r
        for r in _rows([s for s in segments if top <= s.middle <= bottom])
        if any(_within(s, box) for s in r)
    ]
    left = [max((s for s in r if s.x1 <= x0 + 2), key=lambda s: s.x1, default=None) for r in rows]
    right = [min((s for s in r if s.x0 >= x1 - 2), key=lambda s: s.x0, default=None) for r in rows]
    near = [s for s in left if s and width(s.text) < PROSE and x0 - s.x1 < APART * s.size]
    if len(near) >= SHARED * len(rows):
        x0 = min(s.x0 for s in near) - 1
    near = [s for s in right if s and width(s.text) < PROSE and s.x0 - x1 < APART * s.size]
    if len(near) >= SHARED * len(rows):
        x1 = max(s.x1 for s in near) + 1
    return x0, top, x1, bottom


def _within(s: Segment, box: Box) -> bool:
    return box[0] <= (s.x0 + s.x1) / 2 <= box[2]


def _rows(segments: Sequence[Segment]) -> list[list[Segment]]:
    rows: list[list[Segment]] = []
    for s in sorted(segments, key=lambda s: (s.bottom, s.x0)):
        if rows and abs(rows[-1][0].bottom - s.bottom) <= BASELINE * max(s.size, 1):
            rows[-1].append(s)
        else:
            rows.append([s])
    return [sorted(r, key=lambda s: s.x0) for r in rows]


def _blocks(rows: list[list[Segment]]) -> list[list[list[Segment]]]:
    """Runs of rows of several short segments; a single short segment between two such rows (a cell's second
    line, a group's name) belongs to the run."""
    blocks: list[list[list[Segment]]] = []
    run: list[list[Segment]] = []
    waiting: list[list[Segment]] = []
    for row in rows:
        near = not run or _gap((waiting or run)[-1], row) <= 2.2
        if not near:
            blocks.append(run)
            run, waiting = [], []
        if _is_tabular(row):
            run.extend([*waiting, row])
            waiting = []
        elif run and len(row) == 1 and width(row[0].text) < PROSE and len(waiting) < 3:
            waiting.append(row)
        elif run:
            blocks.append(run)
            run, waiting = [], []
    blocks.append(run)
    return [b for b in blocks if sum(_is_tabular(r) for r in b) >= ROWS]


def _gap(above: list[Segment], below: list[Segment]) -> float:
    """White space between two rows, in ems."""
    size = max(above[0].size, below[0].size, 1)
    return (min(s.top for s in below) - max(s.bottom for s in above)) / size


def _is_tabular(row: list[Segment]) -> bool:
    if len(row) < 2 or any(_LEADER.search(s.text) for s in row):
        return False
    if all(NUMERIC.fullmatch(s.text) for s in row[1:]) and not _BULLET.fullmatch(row[0].text):
        return True  # however long the name of what is counted
    return sum(width(s.text) >= PROSE for s in row) * 2 < len(row)


def _grid(block: list[list[Segment]]) -> tuple[Box, Rows] | None:
    several = [r for r in block if len(r) > 1]
    edges = _columns(several)
    if len(edges) < 2:
        return None
    cells = [_placed(row, edges) for row in _unwrapped(block, edges)]
    rows = clean(cells)
    if (
        len(rows) < ROWS
        or len(rows[0]) < 2
        or _is_list(rows)
        or _is_prose(rows)
        or _is_sparse(rows)
        or _is_formula(rows)
    ):
        return None
    everything = [s for r in block for s in r]
    box = (
        min(s.x0 for s in everything) - 1,
        min(s.top for s in everything) - 1,
        max(s.x1 for s in everything) + 1,
        max(s.bottom for s in everything) + 1,
    )
    return box, rows


def _placed(row: list[Segment], edges: list[tuple[float, float]]) -> list[str]:
    """A segment goes to the column that it shares most with; numbers that ran together to a column each."""
    line = [""] * len(edges)
    for s in row:
        under = _under(s, edges)
        words = s.text.split()
        if len(under) > 1 and len(words) == len(under) and all(NUMERIC.fullmatch(w) for w in words):
            for i, word in zip(under, words, strict=True):
                line[i] = join_text(line[i], word)
            continue
        at = _column_of(s, edges)
        line[at] = join_text(line[at], s.text)
    return line


def _under(s: Segment, edges: list[tuple[float, float]]) -> list[int]:
    """The columns of which it covers more than half."""
    return [i for i, (x0, x1) in enumerate(edges) if min(s.x1, x1) - max(s.x0, x0) > 0.5 * (x1 - x0)]


def _column_of(s: Segment, edges: list[tuple[float, float]]) -> int:
    return max(range(len(edges)), key=lambda i: min(s.x1, edges[i][1]) - max(s.x0, edges[i][0]))


def _unwrapped(block: list[list[Segment]], edges: list[tuple[float, float]]) -> list[list[Segment]]:
    """Lines that are one row because their cells are wrapped: nearer to each other than rows are, and the lines below
    fill fewer columns."""
    gaps = [_gap(a, b) for a, b in itertools.pairwise(block)]
    near = _leading(gaps)
    if near is None:
        return block
    made = [block[0]]
    for gap, row in zip(gaps, block[1:], strict=True):
        if gap <= near and _continues(made[-1], row, edges):
            made[-1] = [*made[-1], *row]
        else:
            made.append(row)
    return made


def _leading(gaps: list[float]) -> float | None:
    """What parts the gaps within cells from those between rows; None where they are of one size."""
    if len(gaps) < 3:
        return None
    order = sorted(gaps)
    jumps = [(b - a, (a + b) / 2) for a, b in itertools.pairwise(order)]
    widest, middle = max(jumps)
    below = sum(g <= middle for g in gaps)
    return middle if widest >= LEADING and below >= 2 and len(gaps) - below >= 2 else None


def _continues(above: list[Segment], row: list[Segment], edges: list[tuple[float, float]]) -> bool:
    if any(len(_under(s, edges)) > 1 for s in (*above, *row)):
        return False  # a heading over several columns has its own row
    first, second = ({_column_of(s, edges) for s in r} for r in (above, row))
    counted = [{_column_of(s, edges) for s in r if NUMERIC.fullmatch(s.text)} for r in (above, row)]
    full = len(first) == len(second) == len(edges)
    return not (counted[0] | counted[1] if full else counted[0] & counted[1])


def _columns(rows: list[list[Segment]]) -> list[tuple[float, float]]:
    """x spans that are occupied in more than a seventh of the full rows, at least half an em apart. A heading over several
    columns stands in no full row."""
    rows = _full(rows)
    if not rows:
        return []
    left = int(min(s.x0 for r in rows for s in r))
    right = int(max(s.x1 for r in rows for s in r)) + 1
    taken = [0] * (right - left + 1)
    for row in rows:
        for s in row:
            for x in range(int(s.x0) - left, int(s.x1) - left + 1):
                taken[x] += 1
    few = 0.15 * len(rows)
    apart = 0.5 * median(s.size for r in rows for s in r)
    spans: list[tuple[float, float]] = []
    start: int | None = None
    for x, n in enumerate([*taken, 0]):
        if n > few and start is None:
            start = x
        elif n <= few and start is not None:
            if spans and start + left - spans[-1][1] < apart:
                spans[-1] = (spans[-1][0], float(x + left))
            else:
                spans.append((float(start + left), float(x + left)))
            start = None
    return spans


def _full(rows: list[list[Segment]]) -> list[list[Segment]]:
    """Those with as many cells as most of the long ones have, or more."""
    counts = Counter(len(r) for r in rows)
    usual = max(counts, key=lambda n: (counts[n] * n, n), default=0)
    return [r for r in rows if len(r) >= usual - (usual > 4)]


def _is_list(rows: Rows) -> bool:
    return len(rows[0]) == 2 and sum(bool(_BULLET.fullmatch(r[0])) for r in rows if r[0]) * 10 >= 7 * len(
        rows
    )


def _is_sparse(rows: Rows) -> bool:
    """The labels of a chart."""
    return sum(bool(c) for r in rows for c in r) < FILLED * len(rows) * len(rows[0])


def _is_formula(rows: Rows) -> bool:
    """Pieces of equations: signs and single letters."""
    cells = [c for r in rows for c in r if c]
    return sum(
        bool(_SIGNS.search(c)) or (len(c) == 1 and c.isalpha() and c.isascii()) for c in cells
    ) * 4 > len(cells)


def _is_prose(rows: Rows) -> bool:
    """Columns of running text: most cells are as wide as a line, in two columns or more."""
    wide = [median(width(r[i]) for r in rows) for i in range(len(rows[0]))]
    return sum(w >= PROSE * 0.8 for w in wide) >= 2
