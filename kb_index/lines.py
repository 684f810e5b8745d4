"""Characters of a page into lines in reading order, column by column.

Everything is relative to the font: a gap of `WORD_GAP` ems is a space, one of `CELL_GAP` ems ends a segment
(a column or a table's cell begins). Input characters are pdfplumber's dicts.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kb_index.language import is_cjk

__all__ = ["TABLE", "Line", "Segment", "is_turned", "join_text", "lines_of", "segments_of", "upright"]

TABLE = "#table"  # as `font`: not text but a table's place, `text` its number

WORD_GAP = 0.18
CJK_WORD_GAP = 0.6
CELL_GAP = 1.1
VERTICAL = 20  # characters, at least, of a page set in columns from the top
RUN = 4  # rows in two columns, at least
CELL = 16.0  # points: characters are looked up by cells of this size
BASELINE = 0.3  # baselines this near (ems) are one row
# what PDF fonts put in place of plain characters, and nobody typed: ligatures, radicals standing for whole Han
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text on one baseline without a wide gap. Points, from the page's top left."""

    x0: float
    top: float
    x1: float
    bottom: float
    text: str
    size: float
    bold: bool
    font: str

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Line(Segment):
    """A row of one column. `column` counts from 0 within a band of the page; `wide` is that column's width."""

    page: int
    column: int
    wide: float


def upright(page: Any) -> tuple[list[dict[str, Any]], float, float]:
    """The page's characters, duplicates dropped, as one reads them: those that stand as most do, turned (and mirrored) so that
    they run from left to right; and the page's width and height then."""
    chars = _distinct(page.chars)
    width, height = float(page.width), float(page.height)
    stands = [_stands(c["matrix"]) for c in chars]
    most = Counter(stands).most_common(1)[0][0] if chars else _UPRIGHT
    same = [c for c, own in zip(chars, stands, strict=True) if own == most]
    if most == _UPRIGHT:
        return _columns_as_lines(same, width, height) if _is_vertical(same) else (same, width, height)
    corners = [_along(most, x, y) for x in (0.0, width) for y in (0.0, height)]
    left, foot = min(u for u, _ in corners), min(v for _, v in corners)
    right, head = max(u for u, _ in corners), max(v for _, v in corners)
    out = []
    for c in same:
        ends = [_along(most, x, height - y) for x in (c["x0"], c["x1"]) for y in (c["top"], c["bottom"])]
        x0, x1 = min(u for u, _ in ends) - left, max(u for u, _ in ends) - left
        top, bottom = head - max(v for _, v in ends), head - min(v for _, v in ends)
        out.append({**c, "x0": x0, "x1": x1, "top": top, "bottom": bottom, "size": bottom - top})
    return out, right - left, head - foot


_UPRIGHT = (1, 0, 0, 1)
_DOWN = (0.0, -1.0, 1.0, 0.0, 0.0, 0.0)  # the matrix of lines that run down the page


def _is_vertical(chars: Sequence[dict[str, Any]]) -> bool:
    """Chinese or Japanese set from the top downwards: characters stand under each other, and few side by side."""
    han = [c for c in chars if is_cjk(c["text"][0])]
    if len(han) < VERTICAL or len(han) * 2 < sum(not c["text"].isspace() for c in chars):
        return False
    under = _neighbours(han, "x0", "top", 1.6)
    beside = _neighbours(han, "top", "x0", 1.3)
    return under >= 0.7 * len(han) and beside <= 0.3 * len(han)


def _neighbours(chars: Sequence[dict[str, Any]], across: str, along: str, ems: float) -> int:
    """How many have another after them on the same line, so many ems away at most."""
    size = max(Counter(c["size"] for c in chars).most_common(1)[0][0], 1)
    row = sorted(chars, key=lambda c: (round(c[across] / size), c[along]))
    return sum(
        round(a[across] / size) == round(b[across] / size) and 0.5 <= (b[along] - a[along]) / size <= ems
        for a, b in itertools.pairwise(row)
    )


def _columns_as_lines(
    chars: Sequence[dict[str, Any]], width: float, height: float
) -> tuple[list[dict[str, Any]], float, float]:
    """The columns, from the right, as lines from the top."""
    turned = [
        {
            **c,
            "x0": c["top"],
            "x1": c["bottom"],
            "top": width - c["x1"],
            "bottom": width - c["x0"],
            "matrix": _DOWN,
        }
        for c in chars
    ]
    return turned, height, width


def is_turned(chars: Sequence[dict[str, Any]]) -> bool:
    """The characters, as `upright` gives them, stood otherwise on the page: its rules and images still do."""
    return bool(chars) and _stands(chars[0]["matrix"]) != _UPRIGHT


def _stands(matrix: Sequence[float]) -> tuple[int, int, int, int]:
    """Where a character's line runs and where its head points, each as one of four directions (x, y upwards)."""
    a, b, c, d = matrix[:4]
    along = (1 if a > 0 else -1, 0) if abs(a) >= abs(b) else (0, 1 if b > 0 else -1)
    up = (0, 1 if d > 0 else -1) if along[1] == 0 else (1 if c > 0 else -1, 0)
    return (*along, *up)


def _along(stands: tuple[int, int, int, int], x: float, y: float) -> tuple[float, float]:
    a, b, c, d = stands
    return a * x + b * y, c * x + d * y


def _distinct(chars: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drops a character drawn again nearly where it stands (bold by overprinting, shadows)."""
    seen: dict[tuple[str, int, int], list[dict[str, Any]]] = defaultdict(list)
    out = []
    for c in chars:
        text, x, y = c["text"], c["x0"], c["top"]
        dx, dy = 0.35 * max(c["x1"] - x, 0.5), 0.25 * max(c["bottom"] - y, 0.5)
        columns = range(int((x - dx) // CELL), int((x + dx) // CELL) + 1)
        rows = range(int((y - dy) // CELL), int((y + dy) // CELL) + 1)
        if any(
            abs(o["x0"] - x) < dx and abs(o["top"] - y) < dy
            for column in columns
            for row in rows
            for o in seen.get((text, column, row), ())
        ):
            continue
        seen[text, int(x // CELL), int(y // CELL)].append(c)
        out.append(c)
    return out


def segments_of(chars: Sequence[dict[str, Any]]) -> list[Segment]:
    """The page's segments, top to bottom, left to right."""
    rows: list[list[dict[str, Any]]] = []
    level = 0.0
    for c in sorted(chars, key=lambda c: (c["bottom"], c["x0"])):
        if rows and abs(c["bottom"] - level) <= BASELINE * max(c["size"], 1):
            rows[-1].append(c)
            level += (c["bottom"] - level) / len(rows[-1])
        else:
            rows.append([c])
            level = c["bottom"]
    out: list[Segment] = []
    for row in rows:
        out.extend(_split(sorted(row, key=lambda c: c["x0"])))
    return sorted(_raised(out), key=lambda s: (s.bottom, s.x0))


def _split(row: list[dict[str, Any]]) -> Iterable[Segment]:
    run: list[dict[str, Any]] = []
    words: list[str] = []
    spaced = False
    for c in row:
        if c["text"].isspace():
            spaced = True
            continue
        if run:
            last = run[-1]
            em = max(min(c["size"], last["size"]), 1)
            gap = (c["x0"] - last["x1"]) / em
            if gap > CELL_GAP:
                yield _segment(run, words)
                run, words = [], []
            else:
                both = is_cjk(c["text"][0]) and is_cjk(last["text"][-1])
                if gap > (CJK_WORD_GAP if both else WORD_GAP) or (spaced and gap > (0.15 if both else 0.05)):
                    words.append(" ")
        run.append(c)
        words.append(c["text"])
        spaced = False
    if run:
        yield _segment(run, words)


def _segment(run: list[dict[str, Any]], words: list[str]) -> Segment:
    size = Counter(round(c["size"] * 2) / 2 for c in run).most_common(1)[0][0]
    font = Counter(c["fontname"] for c in run).most_common(1)[0][0]
    dark = sum(_is_bold(c["fontname"]) for c in run) * 2 > len(run)
    return Segment(
        run[0]["x0"],
        min(c["top"] for c in run),
        max(c["x1"] for c in run),
        max(c["bottom"] for c in run),
        _plain("".join(words)).strip(),
        size,
        dark,
        font,
    )


def _is_bold(font: str) -> bool:
    name = font.lower()
    return any(word in name for word in ("bold", "black", "heavy", "semibold", "simhei", "heiti", "-hei"))


def _plain(text: str) -> str:
    import unicodedata

    out = []
    for ch in text:
        point = ord(ch)
        if point in _LIGATURES:
            out.append(_LIGATURES[point])
        elif 0x2E80 <= point <= 0x2FDF:
            out.append(unicodedata.normalize("NFKC", ch))
        elif ch == "\xa0" or (point < 32):
            out.append(" ")
        elif point not in (0xAD, 0x200B, 0xFEFF):
            out.append(ch)
    return "".join(out)


def _raised(segments: list[Segment]) -> list[Segment]:
    """Superscripts and subscripts go back to the segment they touch."""
    small = [s for s in segments if len(s.text) <= 3]
    if not small:
        return segments
    gone: set[int] = set()
    grown: dict[int, Segment] = {}
    big = sorted((s for s in segments if len(s.text) > 3), key=lambda s: s.top)
    for s in small:
        for b in big:
            if b.top > s.bottom:
                break
            b = grown.get(id(b), b)
            beside = -0.1 * b.size <= s.x0 - b.x1 <= 0.2 * b.size
            if (
                beside
                and s.size < 0.85 * b.size
                and b.top - 0.4 * b.size < s.middle < b.bottom + 0.2 * b.size
            ):
                origin = next((k for k, v in grown.items() if v is b), id(b))
                grown[origin] = Segment(b.x0, b.top, s.x1, b.bottom, b.text + s.text, b.size, b.bold, b.font)
                gone.add(id(s))
                break
    return [grown.get(id(s), s) for s in segments if id(s) not in gone]


def lines_of(segments: Sequence[Segment], page: int, page_width: float) -> list[Line]:
    """Segments in reading order: down the left column, then the right, band by band between full-width rows."""
    if not segments:
        return []
    left = min(s.x0 for s in segments)
    right = max(s.x1 for s in segments)
    return list(_columns(list(segments), page, left, right, page_width, 0))


def _columns(
    segments: list[Segment], page: int, left: float, right: float, page_width: float, depth: int
) -> Iterable[Line]:
    gutter = _gutter(segments, left, right) if depth < 3 else None
    if gutter is None:
        yield from _rows(segments, page, right - left, depth)
        return
    band: list[Segment] = []
    for row in _by_row(segments):
        if any(s.x0 < gutter - 1 and s.x1 > gutter + 1 for s in row):
            yield from _band(band, page, left, gutter, right, page_width, depth)
            band = []
            yield from _rows(row, page, right - left, 0)
        else:
            band.extend(row)
    yield from _band(band, page, left, gutter, right, page_width, depth)


def _band(
    band: list[Segment], page: int, left: float, gutter: float, right: float, page_width: float, depth: int
) -> Iterable[Line]:
    first = [s for s in band if s.x1 <= gutter + 1]
    second = [s for s in band if s.x1 > gutter + 1]
    if first:
        yield from _columns(first, page, left, gutter, page_width, depth + 1)
    if second:
        yield from _columns(second, page, gutter, right, page_width, depth + 1)


def _gutter(segments: list[Segment], left: float, right: float) -> float | None:
    """An x between two columns of prose that runs of rows leave free; None when there is none. Full-width rows may stand
    above, below and between such runs.

    Columns of a table are not columns of prose: both sides must hold rows that fill their side.
    """
    span = right - left
    if span < 150 or len(segments) < 8:
        return None
    rows = _by_row(segments)
    best: tuple[float, float] | None = None
    step = max(span / 120, 2)
    x = left + span * 0.2
    while x < right - span * 0.2:
        first, second = _sides(rows, x)
        if len(first) >= 4 and len(second) >= 4:
            score = abs(x - (left + right) / 2) / span - 2 * min(len(first), len(second))
            shares = sorted((_filled(first, x - left), _filled(second, right - x)))
            if (best is None or score < best[0]) and shares[0] >= 0.3 and shares[1] >= 0.5:
                best = (score, x)
        x += step
    return best[1] if best else None


def _sides(rows: list[list[Segment]], x: float) -> tuple[list[Segment], list[Segment]]:
    """What stands left and right of x in runs of `RUN` rows and more that nothing crosses; nothing where the rows
    that are crossed cut most of the others into shorter runs."""
    first: list[Segment] = []
    second: list[Segment] = []
    short = 0
    run: list[list[Segment]] = []
    for row in [*rows, None]:
        if row is not None and not any(s.x0 < x < s.x1 for s in row):
            run.append(row)
            continue
        if len(run) >= RUN:
            first += [s for r in run for s in r if s.x1 <= x]
            second += [s for r in run for s in r if s.x0 >= x]
        else:
            short += sum(any(s.x0 >= x for s in r) for r in run)
        run = []
    return (first, second) if short * 2 <= len(second) else ([], [])


def _filled(side: list[Segment], room: float) -> float:
    """The share of its segments that are lines of text as wide as their side."""
    return sum(s.x1 - s.x0 >= 0.6 * room and len(s.text) >= 12 for s in side) / len(side)


def _by_row(segments: Iterable[Segment]) -> list[list[Segment]]:
    rows: list[list[Segment]] = []
    for s in sorted(segments, key=lambda s: (s.bottom, s.x0)):
        if rows and abs(rows[-1][0].bottom - s.bottom) <= BASELINE * max(s.size, 1):
            rows[-1].append(s)
        else:
            rows.append([s])
    return [sorted(row, key=lambda s: s.x0) for row in rows]


def _rows(segments: Iterable[Segment], page: int, wide: float, column: int) -> Iterable[Line]:
    for row in (part for whole in _by_row(segments) for part in _apart(whole)):
        widest = max(row, key=lambda s: len(s.text))
        yield Line(
            row[0].x0,
            min(s.top for s in row),
            max(s.x1 for s in row),
            max(s.bottom for s in row),
            " ".join(s.text for s in row),
            widest.size,
            all(s.bold for s in row),
            widest.font,
            page,
            column,
            wide,
        )


def _apart(row: list[Segment]) -> list[list[Segment]]:
    """A table's place is a row of its own."""
    words = [s for s in row if s.font != TABLE]
    return [*([words] if words else []), *([s] for s in row if s.font == TABLE)]


def join_text(first: str, second: str) -> str:
    """Two pieces of one paragraph: with a space, except between characters written without."""
    if not first or not second:
        return first or second
    if is_cjk(first[-1]) or is_cjk(second[0]):
        return first + second
    return f"{first} {second}"
