"""A small PDF writer on reportlab: headings (also as bookmarks), paragraphs, ruled tables, page breaks.

The font is STSong-Light, one of the CID fonts that every PDF reader knows and that is not embedded: no font file is
needed to make the documents, and their text can be extracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

__all__ = ["PdfDocument"]

_FONT = "STSong-Light"
_SIZES = {1: 20, 2: 14.5, 3: 12}  # points, by heading level


class PdfDocument:
    """Parts are added in order, then written by `save`. Unless `footer` is false, one on each page bears the title and
    the page's number."""

    def __init__(self, title: str, *, footer: bool = True) -> None:
        from reportlab.lib.styles import ParagraphStyle
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.cidfonts import UnicodeCIDFont

        pdfmetrics.registerFont(UnicodeCIDFont(_FONT))
        self.title = title
        self._footer = footer
        self._parts: list[Any] = []
        plain: dict[str, Any] = {"fontName": _FONT, "wordWrap": "CJK"}
        self._body = ParagraphStyle("body", fontSize=10.5, leading=17, spaceAfter=6, **plain)
        self._cell = ParagraphStyle("cell", fontSize=10, leading=14, **plain)
        self._latin = ParagraphStyle("latin", parent=self._body, wordWrap=None)
        self._headings = {
            level: ParagraphStyle(
                f"heading{level}", fontSize=size, leading=size * 1.5, spaceBefore=10, spaceAfter=6, **plain
            )
            for level, size in _SIZES.items()
        }

    def heading(self, text: str, level: int = 1) -> None:
        from reportlab.platypus import Paragraph

        part = Paragraph(text, self._headings[level])
        part.outline = (level, text)
        self._parts.append(part)

    def text(self, *paragraphs: str) -> None:
        from reportlab.platypus import Paragraph

        for text in paragraphs:
            self._parts.append(Paragraph(text, self._latin if text.isascii() else self._body))

    def items(self, texts: Iterable[str]) -> None:
        self.text(*(f"{n}. {text}" for n, text in enumerate(texts, 1)))

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[float]) -> None:
        """A ruled table; `widths` in centimetres."""
        from reportlab.lib import colors
        from reportlab.lib.units import cm
        from reportlab.platypus import Paragraph, Spacer, Table

        cells = [[Paragraph(text, self._cell) for text in row] for row in (head, *rows)]
        made = Table(cells, [w * cm for w in widths], repeatRows=1)
        made.setStyle(
            [
                ("GRID", (0, 0), (-1, -1), 0.6, colors.black),
                ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#e6edf2")),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ]
        )
        self._parts += [made, Spacer(1, 0.3 * cm)]

    def new_page(self) -> None:
        from reportlab.platypus import PageBreak

        self._parts.append(PageBreak())

    def save(self, path: Path) -> None:
        from reportlab.lib.pagesizes import A4
        from reportlab.lib.units import cm
        from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

        class Template(BaseDocTemplate):  # type: ignore[misc]
            def afterFlowable(self, part: Any) -> None:  # noqa: N802 - reportlab's name
                if hasattr(part, "outline"):
                    level, text = part.outline
                    key = f"h{self.page}-{text}"
                    self.canv.bookmarkPage(key)
                    self.canv.addOutlineEntry(text, key, level - 1)

        def footer(canvas: Any, document: Any) -> None:
            if not self._footer:
                return
            canvas.setFont(_FONT, 8.5)
            canvas.drawString(2.2 * cm, 1.2 * cm, f"明禾电器　{self.title}")
            canvas.drawRightString(A4[0] - 2.2 * cm, 1.2 * cm, str(document.page))

        document = Template(
            str(path), pagesize=A4, title=self.title, author="明禾电器", invariant=1, lang="zh-CN"
        )
        frame = Frame(2.2 * cm, 2 * cm, A4[0] - 4.4 * cm, A4[1] - 4 * cm, 0, 0, 0, 0)
        document.addPageTemplates(PageTemplate("page", [frame], onPage=footer))
        document.build(self._parts)
