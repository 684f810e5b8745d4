"""A PDF into blocks: pages read by pdfplumber, tables by tabula and pdfplumber, headings over the whole document."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb_index.blocks import Document, PageStatus
from kb_index.errors import NoJava, UnreadableFile
from kb_index.fast_page import FastFile
from kb_index.furniture import without_furniture
from kb_index.headings import Bookmark, find_headings
from kb_index.lines import TABLE, Line, Segment, join_text, lines_of, segments_of, upright
from kb_index.paragraphs import blocks_of, title_of
from kb_index.preflight import bookmarks_of, open_reader, page_status
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


def read_pdf(path: Path) -> Document:
    """Raises EncryptedFile, UnreadableFile. A page that fails has its status and gives no blocks."""
    reader = open_reader(path)
    bookmarks = bookmarks_of(reader)
    metadata_title = _metadata_title(reader)
    tagged = headings_of(reader)
    reader.close()

    pages = _read_pages(path, tagged)
    lines = [line for page in without_furniture(pages.lines, pages.heights) for line in page]
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


def _read_pages(path: Path, tagged: Sequence[TaggedHeading]) -> _Pages:
    import pdfplumber
    from pdfminer.pdfexceptions import PDFException
    from pdfminer.psexceptions import PSException
    from pdfplumber.utils.exceptions import PdfminerException

    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)  # one line per odd font, of use to nobody
    out = _Pages()
    try:
        with pdfplumber.open(path) as pdf, TabulaFile(path) as tabula, FastFile(path) as fast:
            for slow in pdf.pages:
                page = fast.page(slow)
                _read_page(page, tabula, [t for t in tagged if t.page == page.page_number], out)
                page.close()
    except (PDFException, PSException, PdfminerException) as e:
        raise UnreadableFile(path, f"page {len(out.statuses) + 1}: {e or type(e).__name__}") from None
    return out


def _read_page(page: Any, tabula: TabulaFile, tagged: Sequence[TaggedHeading], out: _Pages) -> None:
    number = page.page_number
    all_chars, images = page.chars, page.images
    area = float(page.width) * float(page.height)
    status = page_status(number, all_chars, images, area)
    out.statuses.append(status)
    chars, width, height = upright(page)
    out.heights.append(height)
    if status.status != "text":
        out.lines.append([])
        return
    segments = segments_of(chars)
    for one in tagged:
        text = ""
        for s in segments_of([c for c in chars if c.get("mcid") in one.marks]):
            text = join_text(text, s.text)
        out.tagged.append(Bookmark(text, one.level, number))
    turned = (width, height) != (float(page.width), float(page.height))
    try:
        grids = tables_on(page, chars, segments, None if turned else tabula, turned)
    except (NoJava, UnreadableFile):  # pdfplumber alone still reads the page
        grids = tables_on(page, chars, segments, None, turned)
    places = []
    for grid in grids:
        places.append(_place(grid, len(out.tables)))
        out.tables.append((number, grid))
    prose = [s for s in segments if not any(inside(s, g.box) for g in grids)]
    out.lines.append(lines_of([*prose, *places], number, width))


def _place(grid: Grid, index: int) -> Segment:
    x0, top, x1, bottom = grid.box
    return Segment(x0, top, x1, bottom, str(index), 0.0, False, TABLE)
