"""Pages without a text layer that means anything, read by OCR into the segments that any page gives.

OCR tells where a line of text stands and how sure it is, not which font it is set in: sizes are those of the boxes, brought
together where they nearly agree, so that style may still show a heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from kb_index.blocks import PageStatus
from kb_index.lines import TABLE, Line, Segment
from kb_index.ocr import TextBox, read_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FONT", "Scan", "at_text_size", "read_scan"]

FONT = "OCR"
DPI = 200
LONGEST = 2200  # pixels of a page's longer side: a poster is not rendered at 200 dpi
SURE = 0.6  # what OCR is less sure of is left out
GLYPH = 0.72  # of a box's height is the size of its type
SAME = 0.2  # sizes that differ by less, as a share, are one
SECONDS = 120.0  # for one page


@dataclass(frozen=True, slots=True)
class Scan:
    """`segments` in points from the page's top left, as it is shown; none when there is nothing to read."""

    segments: tuple[Segment, ...]
    status: PageStatus


def read_scan(page: Any, home: Path) -> Scan:
    """`page` is pdfplumber's. Raises NoModel when OCR is not set up, TimeoutError."""
    scale = min(DPI / 72, LONGEST / max(float(page.width), float(page.height), 1.0))
    boxes = read_text(_picture(page, scale), home, SECONDS)
    sure = [b for b in boxes if b.score >= SURE]
    number = int(page.page_number)
    if not sure:
        return Scan((), PageStatus(number, "empty", "an image; OCR finds no text in it"))
    detail = f"read by OCR: {len(sure)} lines, mean score {fmean(b.score for b in sure):.2f}"
    if len(boxes) > len(sure):
        detail += f"; {len(boxes) - len(sure)} unsure ones left out"
    return Scan(tuple(_segments(sure, scale)), PageStatus(number, "ocr", detail))


def _picture(page: Any, scale: float) -> NDArray[np.uint8]:
    import numpy as np

    image = page.to_image(resolution=72 * scale, antialias=True).original.convert("RGB")
    return np.ascontiguousarray(np.asarray(image, dtype=np.uint8)[:, :, ::-1])


def _segments(boxes: Sequence[TextBox], scale: float) -> list[Segment]:
    sizes = _sizes([(b.height / scale * GLYPH, len(b.text)) for b in boxes])
    out = []
    for box, size in zip(boxes, sizes, strict=True):
        middle = box.y / scale
        out.append(
            Segment(
                box.left / scale,
                middle - size / 2,
                box.right / scale,
                middle + size / 2,
                box.text.strip(),
                size,
                False,
                FONT,
            )
        )
    return sorted(out, key=lambda s: (s.bottom, s.x0))


def _sizes(measured: Sequence[tuple[float, int]]) -> list[float]:
    """Of each (size, characters): the page's own size of text where it nearly agrees with it, else the median of those that
    it nearly agrees with, in half points."""
    text = median(size for size, characters in measured for _ in range(characters))
    out = []
    for size, _ in measured:
        middle = text if _same(size, text) else median(m for m, _ in measured if _same(m, size))
        out.append(round(middle * 2) / 2)
    return out


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * other


def at_text_size(lines: Sequence[Line]) -> list[Line]:
    """The lines with OCR's sizes in proportion to those of the pages with a text layer: what most of the text is set in is of
    one size in both."""
    read = [line for line in lines if line.font == FONT]
    typed = [line for line in lines if line.font not in (FONT, TABLE)]
    if not read or not typed:
        return list(lines)
    factor = _most(typed) / _most(read)
    return [replace(x, size=round(x.size * factor * 2) / 2) if x.font == FONT else x for x in lines]


def _most(lines: Sequence[Line]) -> float:
    counted: Counter[float] = Counter()
    for line in lines:
        counted[line.size] += len(line.text)
    return counted.most_common(1)[0][0]
