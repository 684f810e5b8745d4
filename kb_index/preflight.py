"""Before a PDF is parsed: can it be opened, and what is each page made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kb_index.blocks import PageStatus
from kb_index.errors import EncryptedFile, UnreadableFile
from kb_index.headings import Bookmark

__all__ = ["bookmarks_of", "open_reader", "page_status"]

GARBLED = 0.2  # of a page's characters without a meaning
IMAGE = 0.3  # of a page's area covered by images, with no text: a scan
FEW = 10  # characters; a scanned page may carry a stamped number
_LOST = re.compile(r"\(cid:\d+\)|[\ufffd\ue000-\uf8ff]")


def open_reader(path: Path) -> Any:
    """pypdf's reader. Raises EncryptedFile when the empty password does not open it, UnreadableFile."""
    import logging

    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its complaints become ours, once, by exception
    if path.stat().st_size == 0:
        raise UnreadableFile(path, "an empty file")
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise EncryptedFile(path)
        len(reader.pages)
    except DependencyError:
        raise EncryptedFile(path) from None
    except (PyPdfError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
        raise UnreadableFile(path, f"not a readable PDF: {e}") from None
    return reader


def bookmarks_of(reader: Any) -> list[Bookmark]:
    """The outline, flattened; entries that point nowhere are left out."""
    from pypdf.errors import PyPdfError

    out: list[Bookmark] = []

    def walk(entries: Sequence[Any], level: int) -> None:
        for entry in entries:
            if isinstance(entry, list):
                walk(entry, level + 1)
                continue
            try:
                page = reader.get_destination_page_number(entry)
            except (PyPdfError, ValueError, KeyError, TypeError, AttributeError):
                continue
            if page is not None and page >= 0 and entry.title:
                out.append(Bookmark(str(entry.title).strip(), level, page + 1))

    try:
        walk(reader.outline, 1)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []  # a broken outline is no reason to lose the text
    return out


def page_status(
    number: int, chars: Sequence[dict[str, Any]], images: Sequence[Any], area: float
) -> PageStatus:
    """`chars`, `images` are pdfplumber's of one page, `area` its area in square points."""
    text = "".join(c["text"] for c in chars).strip()
    if len(text) < FEW:
        covered = sum((i["x1"] - i["x0"]) * (i["bottom"] - i["top"]) for i in images)
        if covered >= IMAGE * area:
            return PageStatus(number, "scanned", "an image without a text layer: needs OCR")
        if not text:
            return PageStatus(number, "empty")
    whole = sum(not c["text"].isspace() for c in chars)
    lost = sum(bool(_LOST.search(c["text"])) for c in chars)
    if whole and lost >= GARBLED * whole:
        return PageStatus(
            number, "garbled", f"{lost} of {whole} characters have no meaning (broken font): needs OCR"
        )
    return PageStatus(number, "text")
