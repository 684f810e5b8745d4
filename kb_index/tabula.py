"""tabula's two engines, called as Java classes in this process: page numbers and places are kept, and no
process is started per page. `lattice` follows ruling lines, `stream` the gaps between words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from kb_index.errors import UnreadableFile
from kb_index.java import java_class
from kb_index.table_grid import Box, Rows, clean

__all__ = ["TabulaFile"]


class TabulaFile:
    """One PDF, opened by tabula at the first question. Raises NoJava; UnreadableFile when PDFBox refuses it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._document: Any = None
        self._extractor: Any = None
        self._pages: dict[int, Any] = {}

    def __enter__(self) -> TabulaFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None
    ) -> None:
        if self._document is not None:
            self._document.close()

    def lattice(self, page: int) -> list[tuple[Box, Rows]]:
        engine = java_class("technology.tabula.extractors.SpreadsheetExtractionAlgorithm")()
        return list(self._tables(engine, page, None))

    def stream(self, page: int, box: Box) -> list[tuple[Box, Rows]]:
        engine = java_class("technology.tabula.extractors.BasicExtractionAlgorithm")()
        return list(self._tables(engine, page, box))

    def _tables(self, engine: Any, number: int, box: Box | None) -> Iterable[tuple[Box, Rows]]:
        error = java_class("java.lang.Exception")
        try:
            page = self._page(number)
            if box:
                page = page.getArea(box[1], box[0], box[3], box[2])
            tables = list(engine.extract(page))
        except error as e:
            raise UnreadableFile(self._path, f"page {number}: tabula cannot read it: {e}") from None
        for t in tables:
            rows = clean([[str(cell.getText()) for cell in row] for row in t.getRows()])
            left, top = float(t.getLeft()), float(t.getTop())
            yield (left, top, left + float(t.getWidth()), top + float(t.getHeight())), rows

    def _page(self, number: int) -> Any:
        if self._document is None:
            document = java_class("org.apache.pdfbox.pdmodel.PDDocument")
            self._document = document.load(java_class("java.io.File")(str(self._path)))
            self._extractor = java_class("technology.tabula.ObjectExtractor")(self._document)
        if number not in self._pages:
            self._pages.clear()  # pages come in order; one is kept
            self._pages[number] = self._extractor.extract(number)
        return self._pages[number]
