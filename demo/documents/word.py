"""Word files with the same bytes every time: fixed properties, and fixed times in the zip that a .docx is."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["new_document", "ruled_table", "save"]

_MADE = dt.datetime(2024, 1, 1)


def new_document(title: str) -> Any:
    """An empty document whose styles show Chinese in a Chinese font."""
    from docx import Document
    from docx.oxml.ns import qn

    document = Document()
    for name in ("Normal", "Title", "Heading 1", "Heading 2"):
        fonts = document.styles[name].element.get_or_add_rPr().get_or_add_rFonts()
        fonts.set(qn("w:eastAsia"), "宋体")
    document.add_heading(title, level=0)
    properties = document.core_properties
    properties.title, properties.author, properties.last_modified_by = title, "明禾电器", "明禾电器"
    properties.created = properties.modified = _MADE
    return document


def ruled_table(document: Any, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = document.add_table(rows=1, cols=len(head), style="Table Grid")
    for cells, texts in ((table.rows[0].cells, head), *((table.add_row().cells, row) for row in rows)):
        for cell, text in zip(cells, texts, strict=True):
            cell.text = text


def save(document: Any, path: Path) -> None:
    made = io.BytesIO()
    document.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            fixed = zipfile.ZipInfo(entry.filename, _MADE.timetuple()[:6])
            fixed.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(fixed, old.read(entry))
