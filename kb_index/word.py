"""A Word file into the same blocks as a PDF, in document order.

Word has no pages until it is printed: a page is counted at each explicit page break, section break and
`lastRenderedPageBreak` (where Word broke the page when it last saved the file). A file without any is page 1.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb_index.blocks import Block, Document, Heading, PageStatus, Paragraph, TableBlock, table_id
from kb_index.errors import EncryptedFile, UnreadableFile
from kb_index.headings import is_caption
from kb_index.table_grid import clean

__all__ = ["read_word"]

_OLE = b"\xd0\xcf\x11\xe0"  # an encrypted .docx, or an old .doc renamed
_HEADING = re.compile(r"(?:heading|标题|überschrift|titre)\s*(\d)", re.IGNORECASE)
_TITLE = re.compile(r"title|标题|文档标题", re.IGNORECASE)


def read_word(path: Path) -> Document:
    """Raises EncryptedFile, UnreadableFile."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    if path.stat().st_size == 0:
        raise UnreadableFile(path, "an empty file")
    with path.open("rb") as f:
        if f.read(4) == _OLE:
            raise EncryptedFile(path)
    try:
        document = docx.Document(str(path))
    except (PackageNotFoundError, zipfile.BadZipFile, KeyError, ValueError, SyntaxError) as e:
        raise UnreadableFile(path, f"not a readable Word file: {e or type(e).__name__}") from None
    reading = _Reading()
    blocks = _with_captions(list(reading.blocks(document.element.body, document)))
    title = reading.title or " ".join((document.core_properties.title or "").split())
    if not title:
        first = next((b for b in blocks if isinstance(b, Heading)), None)
        title = first.text if first and first.level == 1 and blocks[0] is first else path.stem
    pages = [PageStatus(n, "text" if blocks else "empty") for n in range(1, reading.page + 1)]
    return Document(title, blocks, pages)


@dataclass(slots=True)
class _Reading:
    page: int = 1
    title: str = ""
    tables: dict[int, int] = field(default_factory=dict)  # page -> tables so far
    counters: dict[tuple[str, int], int] = field(default_factory=dict)

    def blocks(self, parent: Any, document: Any) -> Iterator[Block]:
        from docx.oxml.ns import qn
        from docx.table import Table
        from docx.text.paragraph import Paragraph as WordParagraph

        for element in parent.iterchildren():
            if element.tag == qn("w:p"):
                yield from self._paragraph(WordParagraph(element, document))
            elif element.tag == qn("w:tbl"):
                block = self._table(Table(element, document))
                if block:
                    yield block
            elif element.tag == qn("w:sdt"):  # a content control: its content stands as if it were not there
                content = element.find(qn("w:sdtContent"))
                if content is not None:
                    yield from self.blocks(content, document)

    def _paragraph(self, paragraph: Any) -> Iterator[Block]:
        from docx.oxml.ns import qn

        element = paragraph._p
        start = self.page
        text, before = "", True
        for node in element.iter():
            if node.tag == qn("w:lastRenderedPageBreak") or (
                node.tag == qn("w:br") and node.get(qn("w:type")) == "page"
            ):
                self.page += 1
                if before:
                    start = self.page
            elif node.tag == qn("w:t"):
                text += node.text or ""
                before = before and not text.strip()
            elif node.tag in (qn("w:tab"), qn("w:br"), qn("w:cr")):
                text += " "
        text = " ".join(text.split())
        section = element.find(f"{qn('w:pPr')}/{qn('w:sectPr')}")
        if text:
            yield self._block(paragraph, text, start)
        if section is not None:
            kind = section.find(qn("w:type"))
            if kind is None or kind.get(qn("w:val")) != "continuous":
                self.page += 1

    def _block(self, paragraph: Any, text: str, start: int) -> Block:
        style = paragraph.style.name if paragraph.style is not None else ""
        level = _level(paragraph, style or "")
        if level is None and _TITLE.fullmatch(style or "") and not self.title:
            self.title = text
        number = self._number(paragraph)
        if level is not None:
            return Heading(f"{number}{text}", level, start)
        return Paragraph(f"{number}{text}", start, self.page)

    def _number(self, paragraph: Any) -> str:
        """The number Word paints before a list item or heading; bullets give a dash. Decimal alone."""
        from docx.oxml.ns import qn

        ppr = paragraph._p.find(qn("w:pPr"))
        numpr = ppr.find(qn("w:numPr")) if ppr is not None else None
        if numpr is None and paragraph.style is not None:
            style_ppr = paragraph.style.element.find(qn("w:pPr"))
            numpr = style_ppr.find(qn("w:numPr")) if style_ppr is not None else None
        if numpr is None:
            return ""
        id_node, level_node = numpr.find(qn("w:numId")), numpr.find(qn("w:ilvl"))
        if id_node is None or id_node.get(qn("w:val")) in (None, "0"):
            return ""
        key, level = (
            str(id_node.get(qn("w:val"))),
            int(level_node.get(qn("w:val")) if level_node is not None else 0),
        )
        form, pattern = _number_format(paragraph, key, level)
        if form == "bullet":
            return "- "
        if form != "decimal":
            return ""
        self.counters[(key, level)] = self.counters.get((key, level), 0) + 1
        for other in [k for k in self.counters if k[0] == key and k[1] > level]:
            del self.counters[other]
        shown = re.sub(r"%(\d)", lambda m: str(self.counters.get((key, int(m[1]) - 1), 1)), pattern)
        return f"{shown} " if shown else ""

    def _table(self, table: Any) -> TableBlock | None:
        start = self.page
        rows = clean(list(_rows(table)))
        self.page += len(table._tbl.xpath(".//w:lastRenderedPageBreak"))
        if not rows:
            return None
        self.tables[start] = self.tables.get(start, 0) + 1
        marked = len(table._tbl.xpath("./w:tr[w:trPr/w:tblHeader]"))
        return TableBlock(
            rows,
            start,
            self.page,
            table_id(start, self.tables[start], rows),
            "",
            min(max(marked, 1), len(rows)),
        )


def _level(paragraph: Any, style: str) -> int | None:
    from docx.oxml.ns import qn

    if match := _HEADING.match(style):
        return max(int(match[1]), 1)
    outline = paragraph._p.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
    if outline is not None and str(outline.get(qn("w:val"))).isdigit():
        value = int(outline.get(qn("w:val")))
        return value + 1 if value < 9 else None  # 9 is body text
    return None


def _number_format(paragraph: Any, number_id: str, level: int) -> tuple[str, str]:
    """(numFmt, lvlText) of a list's level; empty when the file does not define it."""
    try:
        root = paragraph.part.numbering_part.element
    except (KeyError, NotImplementedError, AttributeError):
        return "", ""
    found = root.xpath(f'./w:num[@w:numId="{number_id}"]/w:abstractNumId/@w:val')
    if not found:
        return "", ""
    at = f'./w:abstractNum[@w:abstractNumId="{found[0]}"]/w:lvl[@w:ilvl="{level}"]'
    form = root.xpath(f"{at}/w:numFmt/@w:val")
    text = root.xpath(f"{at}/w:lvlText/@w:val")
    return (str(form[0]) if form else ""), (str(text[0]) if text else "")


def _rows(table: Any) -> Iterator[list[str]]:
    """Merged cells hold their text once, where they begin; a nested table's rows stand in its cell."""
    from docx.oxml.ns import qn

    for tr in table._tbl.iterchildren(qn("w:tr")):
        row: list[str] = []
        for tc in tr.iter(qn("w:tc")):
            if next(tc.iterancestors(qn("w:tr"))) is not tr:
                continue
            properties = tc.find(qn("w:tcPr"))
            span, continued = 1, False
            if properties is not None:
                grid = properties.find(qn("w:gridSpan"))
                span = int(grid.get(qn("w:val"), "1")) if grid is not None else 1
                merge = properties.find(qn("w:vMerge"))
                continued = merge is not None and merge.get(qn("w:val")) != "restart"
            row.append("" if continued else _cell_text(tc))
            row.extend([""] * (span - 1))
        yield row


def _cell_text(tc: Any) -> str:
    from docx.oxml.ns import qn

    lines = []
    for p in tc.iter(qn("w:p")):
        lines.append("".join(t.text or "" for t in p.iter(qn("w:t"))))
    return " ".join(line for line in lines if line.strip())


def _with_captions(blocks: list[Block]) -> list[Block]:
    """A caption directly above or below a table goes into it."""
    out: list[Block] = []
    i = 0
    while i < len(blocks):
        block = blocks[i]
        if isinstance(block, TableBlock):
            before = out[-1] if out else None
            after = blocks[i + 1] if i + 1 < len(blocks) else None
            caption = ""
            if isinstance(before, Paragraph) and is_caption(before.text):
                caption = before.text
                out.pop()
            elif isinstance(after, Paragraph) and is_caption(after.text):
                caption = after.text
                i += 1
            block = TableBlock(block.rows, block.page, block.page_to, block.id, caption, block.header)
        out.append(block)
        i += 1
    return out
