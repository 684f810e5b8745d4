"""Blocks into chunks: passages of one section, small enough for the embedding model, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from kb_index.blocks import Document, Heading, Paragraph, TableBlock
from kb_index.language import is_cjk, width

__all__ = ["Chunk", "chunks_of"]

CELL = " | "
_SENTENCE_END = re.compile(r"(?<=[。！？；!?;])|(?<=[.])(?=\s)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage. `text` is the document's words; `section_path` the headings above it, outermost first."""

    text: str
    page_from: int
    page_to: int
    section_path: tuple[str, ...]
    kind: Literal["text", "table"]
    table_id: str | None = None

    def context(self, title: str) -> str:
        """What is embedded and searched: the passage under its title and headings."""
        above = [t for t in dict.fromkeys((title, *self.section_path)) if t and t not in self.text]
        return "\n".join([" > ".join(above), self.text]) if above else self.text

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Chunk:
        return cls(**{**data, "section_path": tuple(data["section_path"])})


def chunks_of(document: Document, limit: int) -> list[Chunk]:
    """`limit`: the width a chunk aims at; one sentence or table row longer than it is cut."""
    out: list[Chunk] = []
    path: list[tuple[int, str]] = []
    waiting: list[Paragraph] = []
    titled = False  # the first of `waiting` is its section's heading

    def flush() -> None:
        out.extend(_prose(waiting, tuple(t for _, t in path), limit))
        waiting.clear()

    for block in document.blocks:
        if isinstance(block, Paragraph):
            waiting.append(block)
            continue
        if len(waiting) > titled:
            flush()
        waiting.clear()  # a heading with nothing under it lives on in the paths below it
        titled = isinstance(block, Heading)
        if isinstance(block, Heading):
            while path and path[-1][0] >= block.level:
                path.pop()
            path.append((block.level, block.text))
            waiting.append(Paragraph(block.text, block.page, block.page))
        else:
            out.extend(_table(block, tuple(t for _, t in path), limit))
    if len(waiting) > titled or (waiting and not out):
        flush()
    return out


def _prose(paragraphs: list[Paragraph], path: tuple[str, ...], limit: int) -> Iterator[Chunk]:
    """Paragraphs packed up to `limit`; a small rest goes with the one before it."""
    packed: list[list[Paragraph]] = []
    size = 0.0
    for paragraph in (p for whole in paragraphs for p in _cut(whole, limit)):
        w = width(paragraph.text)
        if packed and size + w <= limit:
            packed[-1].append(paragraph)
            size += w
        else:
            packed.append([paragraph])
            size = w
    if len(packed) > 1 and size < limit / 5:
        rest = packed.pop()
        packed[-1].extend(rest)
    for group in packed:
        text = "\n".join(p.text for p in group)
        yield Chunk(text, min(p.page for p in group), max(p.page_to for p in group), path, "text")


def _cut(paragraph: Paragraph, limit: int) -> Iterator[Paragraph]:
    """A paragraph wider than `limit`, between sentences, or between words where a sentence is too wide."""
    if width(paragraph.text) <= limit:
        yield paragraph
        return
    piece = ""
    for sentence in (s for whole in _SENTENCE_END.split(paragraph.text) for s in _hard_cut(whole, limit)):
        if piece and width(piece) + width(sentence) > limit:
            yield Paragraph(piece.strip(), paragraph.page, paragraph.page_to)
            piece = ""
        piece += sentence
    if piece.strip():
        yield Paragraph(piece.strip(), paragraph.page, paragraph.page_to)


def _hard_cut(text: str, limit: int) -> Iterator[str]:
    while width(text) > limit:
        at, size = 0, 0.0
        while at < len(text) and size < limit:
            size += 2.5 if is_cjk(text[at]) else 1
            at += 1
        space = text.rfind(" ", at // 2, at)
        at = space + 1 if space > 0 else at
        yield text[:at]
        text = text[at:]
    if text:
        yield text


def _table(block: TableBlock, path: tuple[str, ...], limit: int) -> Iterator[Chunk]:
    """One chunk, or several cut between rows with the caption and the header rows in each."""
    lines = [CELL.join(row) for row in block.rows]
    head = ([block.caption] if block.caption else []) + lines[: block.header]
    body = lines[block.header :]
    room = limit - sum(width(line) for line in head)
    if room < limit / 4:  # a header as long as a chunk is repeated nowhere
        head, body, room = ([block.caption] if block.caption else []), lines, float(limit)
    groups: list[list[str]] = [[]]
    size = 0.0
    for line in body:
        w = width(line)
        if groups[-1] and size + w > room:
            groups.append([])
            size = 0.0
        groups[-1].append(line)
        size += w
    for group in groups:
        text = "\n".join(head + group)
        if text.strip(" |\n"):
            yield Chunk(text, block.page, block.page_to, path, "table", block.id)
