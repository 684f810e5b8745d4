"""Lines into blocks: headings where they were found, tables in their places, the rest into paragraphs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kb_index.blocks import Block, Heading, Paragraph, TableBlock
from kb_index.headings import Found, is_caption
from kb_index.lines import TABLE, Line, join_text

__all__ = ["blocks_of", "title_of"]

_ENDED = re.compile(r"[。！？!?.:：;；]['\"”’)）]?$")
_BULLET = re.compile(
    r"(?:[•●○■□▪◦‣·*–-]|\(?\d{1,2}[).、]|[（(][一二三四五六七八九十\d]{1,2}[)）]|[①-⑳])\s*\S"
)
_PLACEHOLDER = re.compile(
    r"untitled|anonymous|microsoft word|无标题|\.(?:docx?|pdf|indd|tex|qxd)\b", re.IGNORECASE
)

Headings = Mapping[int, tuple[int, Found]]  # first line's index -> (last line's index, heading)


def title_of(lines: Sequence[Line], headings: Headings, metadata: str, stem: str) -> tuple[str, int | None]:
    """The document's title, and the index of the heading that says it (which is then no section's name): the
    largest heading of the first page where nothing as large follows; else the metadata's; else the file's name."""
    first = [(at, found) for at, (_, found) in headings.items() if lines[at].page == 1]
    if first:
        at, found = max(first, key=lambda f: (lines[f[0]].size, -f[0]))
        larger = [i for i in headings if i != at and lines[i].size >= lines[at].size - 0.1]
        if not larger:
            return found.text, at
    if sum(ch.isalpha() for ch in metadata) >= 2 and not _PLACEHOLDER.search(metadata):
        return metadata, None
    return stem, None


def blocks_of(
    lines: Sequence[Line],
    headings: Headings,
    tables: Mapping[int, TableBlock | None],
    title_at: int | None,
) -> list[Block]:
    """`tables`: a TABLE line's index among `lines` -> its block, or None where it went on from the one before.

    A caption that stands beside its table is in the table's block and not again in the prose.
    """
    captions = {
        i + step
        for i, table in tables.items()
        for step in (-1, 1)
        if table and 0 <= i + step < len(lines) and table.caption and lines[i + step].text == table.caption
    }
    out: list[Block] = []
    open_lines: list[Line] = []

    def flush() -> None:
        if open_lines:
            text = ""
            for line in open_lines:
                text = join_text(text, line.text)
            out.append(Paragraph(text, open_lines[0].page, open_lines[-1].page))
            open_lines.clear()

    i = 0
    while i < len(lines):
        line = lines[i]
        if line.font == TABLE:
            table = tables.get(i)
            if table:
                flush()
                out.append(table)
        elif i in headings:
            flush()
            last, found = headings[i]
            if i == title_at:
                out.append(Paragraph(found.text, line.page, line.page))
            else:
                out.append(Heading(found.text, found.level, line.page))
            i = last
        elif i not in captions:
            if open_lines and _begins(open_lines, line):
                flush()
            open_lines.append(line)
        i += 1
    flush()
    return out


def _begins(before: list[Line], line: Line) -> bool:
    """This line begins a new paragraph."""
    last = before[-1]
    if _BULLET.match(line.text) or abs(line.size - last.size) > 0.6:
        return True
    if line.page != last.page or line.top < last.top:  # over a page or a column: goes on unless it had ended
        return bool(_ENDED.search(last.text)) or last.x1 < last.x0 + 0.6 * last.wide
    gap = (line.top - last.bottom) / max(line.size, 1)
    usual = (before[1].top - before[0].bottom) / max(line.size, 1) if len(before) > 1 else 0.6
    if gap > max(usual, 0) + 0.4:
        return True
    indented = line.x0 - last.x0 > 1.2 * line.size and len(before) > 1
    return (indented or last.x1 - last.x0 < 0.6 * last.wide) and bool(_ENDED.search(last.text))


def caption_beside(lines: Sequence[Line], at: int) -> str:
    """The caption directly above the table at index `at`, or directly below; empty when there is none."""
    for step in (-1, 1):
        i = at + step
        if 0 <= i < len(lines) and lines[i].font != TABLE and lines[i].page == lines[at].page:
            line, table = lines[i], lines[at]
            gap = table.top - line.bottom if step < 0 else line.top - table.bottom
            if gap <= 3 * max(line.size, 1) and is_caption(line.text):
                return line.text
    return ""
