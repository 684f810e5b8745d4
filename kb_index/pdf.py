"""A PDF into blocks: pages read by pdfplumber, tables by tabula and pdfplumber, headings over the whole document."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kb_index.blocks import Document, PageStatus
from kb_index.errors import NoJava, NoModel, UnreadableFile
from kb_index.fast_page import FastFile
from kb_index.furniture import without_furniture
from kb_index.headings import Bookmark, find_headings
from kb_index.lines import TABLE, Line, Segment, is_turned, join_text, lines_of, segments_of, upright
from kb_index.paragraphs import blocks_of, title_of
from kb_index.preflight import bookmarks_of, open_reader, page_status
from kb_index.scans import at_text_size, read_scan
from kb_index.table_grid import Grid
from kb_index.table_joins import table_blocks
from kb_index.tables import inside, tables_on
from kb_index.tabula import TabulaFile
from kb_index.tags import TaggedHeading, headings_of

__all__ = ["read_pdf", "tables_of"]


@dataclass(slots=True)
class _Pages:
    """What is kept of all pages while one after another is read; characters are not."""

    lines: list[list[Line]] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    tables: list[tuple[int, Grid]] = field(
        default_factory=list
    )  # page, grid; a TABLE line's text is the index
    statuses: list[PageStatus] = field(default_factory=list)
    tagged: list[Bookmark] = field(default_factory=list)


def read_pdf(path: Path, ocr_home: Path | None = None, seconds: float = 0.0) -> Document:
    """Raises EncryptedFile, UnreadableFile. A page that fails has its status and gives no blocks.

    `ocr_home`: the folder with OCR's models; None leaves pages without a text layer unread. `seconds`: looked at after
    each page; a file that takes longer is an UnreadableFile; 0 for never."""
    reader = open_reader(path)
    bookmarks = bookmarks_of(reader)
    metadata_title = _metadata_title(reader)
    tagged = headings_of(reader)
    reader.close()

    pages = _read_pages(path, tagged, ocr_home, seconds)
    lines = at_text_size([x for page in without_furniture(pages.lines, pages.heights) for x in page])
    words = [i for i, line in enumerate(lines) if line.font != TABLE]
    found = find_headings([lines[i] for i in words], bookmarks, pages.tagged, pages.heights)
    headings = {words[h.first]: (words[h.last], h) for h in found}
    title, title_at = title_of(lines, headings, metadata_title, path.stem)
    tables = table_blocks(pages.tables, lines)
    return Document(title, blocks_of(lines, headings, tables, title_at), pages.statuses)


def tables_of(path: Path) -> dict[int, list[Grid]]:
    """The tables of each page, by its number; pages without any too. Raises as `read_pdf`."""
    open_reader(path).close()
    pages = _read_pages(path, ())
    found: dict[int, list[Grid]] = {status.number: [] for status in pages.statuses}
    for number, grid in pages.tables:
        found[number].append(grid)
    return found


def _metadata_title(reader: Any) -> str:
    try:
        title = getattr(reader.metadata, "title", None)
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    return " ".join(str(title or "").split())


def _read_pages(
    path: Path, tagged: Sequence[TaggedHeading], ocr_home: Path | None = None, seconds: float = 0.0
) -> _Pages:
    import pdfplumber
    from pdfminer.pdfexceptions import PDFException
    from pdfminer.psexceptions import PSException
    from pdfplumber.utils.exceptions import PdfminerException

    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)  # one line per odd font, of use to nobody
    out = _Pages()
    begun = time.monotonic()
    try:
        with pdfplumber.open(path) as pdf, TabulaFile(path) as tabula, FastFile(path) as fast:
            for slow in pdf.pages:
                page = fast.page(slow)
                marked = [t for t in tagged if t.page == page.page_number]
                if not _read_page(page, tabula, marked, out):
                    _read_picture(page, ocr_home, out)
                page.close()
                if seconds and time.monotonic() - begun > seconds:
                    raise UnreadableFile(
                        path,
                        f"takes longer than {seconds:g} s (page {page.page_number} of {len(pdf.pages)}); given up",
                    )
    except (PDFException, PSException, PdfminerException) as e:
        raise UnreadableFile(path, f"page {len(out.statuses) + 1}: {e or type(e).__name__}") from None
    return out


def _read_page(page: Any, tabula: TabulaFile, tagged: Sequence[TaggedHeading], out: _Pages) -> bool:
    """False when the page has no text layer that means anything."""
    number = page.page_number
    all_chars, images = page.chars, page.images
    area = float(page.width) * float(page.height)
    status = page_status(number, all_chars, images, area)
    out.statuses.append(status)
    chars, width, height = upright(page)
    out.heights.append(height)
    if status.status != "text":
        out.lines.append([])
        return not status.failed
    segments = segments_of(chars)
    for one in tagged:
        text = ""
        for s in segments_of([c for c in chars if c.get("mcid") in one.marks]):
            text = join_text(text, s.text)
        out.tagged.append(Bookmark(text, one.level, number))
    turned = is_turned(chars)
    try:
        grids = tables_on(page, chars, segments, None if turned else tabula, turned)
    except (NoJava, UnreadableFile):  # pdfplumber alone still reads the page
        grids = tables_on(page, chars, segments, None, turned)
    out.lines.append(_lines(segments, grids, number, width, out))
    return True


def _read_picture(page: Any, ocr_home: Path | None, out: _Pages) -> None:
    """The last page of `out` once more, by OCR; it keeps its status where that cannot be."""
    if ocr_home is None:
        return
    try:
        scan = read_scan(page, ocr_home)
    except (NoModel, TimeoutError) as e:
        failed = out.statuses[-1]
        out.statuses[-1] = replace(failed, detail=f"{failed.detail}: {e}; then: assay index build --full")
        return
    out.statuses[-1] = scan.status
    out.heights[-1] = float(page.height)
    segments = list(scan.segments)
    grids = tables_on(page, (), segments, None, turned=True)
    out.lines[-1] = _lines(segments, grids, int(page.page_number), float(page.width), out)


def _lines(
    segments: Sequence[Segment], grids: Sequence[Grid], number: int, width: float, out: _Pages
) -> list[Line]:
    """The page's lines, with each table's place among them."""
    places = []
    for grid in grids:
        places.append(_place(grid, len(out.tables)))
        out.tables.append((number, grid))
    prose = [s for s in segments if not any(inside(s, g.box) for g in grids)]
    return lines_of([*prose, *places], number, width)


def _place(grid: Grid, index: int) -> Segment:
    x0, top, x1, bottom = grid.box
    return Segment(x0, top, x1, bottom, str(index), 0.0, False, TABLE)
