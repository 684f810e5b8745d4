"""What a parsed document is made of, whichever format it came from: headings, paragraphs and tables in reading
order, and a status for each page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Block", "Document", "Heading", "PageStatus", "Paragraph", "TableBlock", "table_id"]

Status = Literal["text", "ocr", "empty", "scanned", "garbled"]


@dataclass(frozen=True, slots=True)
class PageStatus:
    """`number` counts from 1. ocr: read from its picture; scanned: an image without a text layer; garbled: text whose
    characters are lost."""

    number: int
    status: Status
    detail: str = ""

    @property
    def failed(self) -> bool:
        return self.status in ("scanned", "garbled")


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int  # 1 is the outermost
    page: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    page: int
    page_to: int


@dataclass(frozen=True, slots=True)
class TableBlock:
    """`rows` are of equal length; the first `header` of them are repeated when the table is cut."""

    rows: tuple[tuple[str, ...], ...]
    page: int
    page_to: int
    id: str
    caption: str = ""
    header: int = 1


Block = Heading | Paragraph | TableBlock


@dataclass(slots=True)
class Document:
    title: str
    blocks: list[Block] = field(default_factory=list)
    pages: list[PageStatus] = field(default_factory=list)


def table_id(page: int, ordinal: int, rows: tuple[tuple[str, ...], ...]) -> str:
    """The same as long as the table's words and its place (page, number on the page) stay."""
    content = "\x1e".join("\x1f".join(row) for row in rows)
    return f"p{page}-t{ordinal}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
