"""A page's characters, rules and images read by PDFium, in the shape that pdfplumber gives them.

PDFium reads a page some ten times faster than pdfminer. The page it makes is pdfplumber's own class, so that everything
of pdfplumber (edges, table finder) works on it; what PDFium tells otherwise than pdfminer, or not at all (turned
pages, vertical writing), is left to pdfminer. Coordinates are points, from the page's top left.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import pdfplumber.page
import pypdfium2
import pypdfium2.raw as pdfium
from pypdfium2 import PdfiumError

__all__ = ["FastFile"]

_HYPHEN = 0x02  # what PDFium gives for a hyphen at a line's end
_DEEPEST = 8  # forms within forms
_STRAIGHT = 0.01  # points by which a rule may lean
_pdfium = threading.RLock()  # it is not thread-safe

Matrix = tuple[float, float, float, float, float, float]
Thing = dict[str, Any]


class FastFile:
    """One PDF, opened by PDFium beside pdfplumber. Where PDFium does not open it, `page` gives pdfplumber's page back."""

    def __init__(self, path: Path) -> None:
        self._document: Any = None
        with _pdfium:
            try:
                self._document = pypdfium2.PdfDocument(path)
            except (PdfiumError, OSError):
                return

    def __enter__(self) -> FastFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None
    ) -> None:
        if self._document is not None:
            with _pdfium:
                self._document.close()

    def page(self, slow: Any) -> Any:
        """The same page as pdfplumber's `slow`, read by PDFium when its objects are first asked for."""
        at = slow.page_number - 1
        if self._document is None or slow.rotation or at >= len(self._document):
            return slow
        return _FastPage(self._document, slow)


class _FastPage(pdfplumber.page.Page):
    def __init__(self, document: Any, slow: Any) -> None:
        super().__init__(slow.pdf, slow.page_obj, slow.page_number, slow.initial_doctop)
        self._document = document

    def parse_objects(self) -> dict[str, list[Thing]]:
        with _pdfium:
            try:
                page = self._document[self.page_number - 1]
            except PdfiumError:
                return super().parse_objects()
            try:
                found = _Reading(page, self).objects()
            finally:
                page.close()
        return super().parse_objects() if found is None else found


@dataclass(slots=True)
class _Font:
    """`drop`: from the baseline to the foot of a character's box, in ems, downwards negative."""

    name: str
    drop: float
    face: Any = None
    widths: dict[int, float] = field(default_factory=dict)

    def advance(self, point: int) -> float:
        """How far the character moves on, in ems; 0 where the font does not say."""
        known = self.widths.get(point)
        if known is None:
            width = ctypes.c_float()
            told = self.face and pdfium.FPDFFont_GetGlyphWidth(self.face, point, 1.0, ctypes.byref(width))
            known = self.widths[point] = width.value if told else 0.0
        return known


_NO_FONT = _Font("", 0.0)


@dataclass(slots=True)
class _Style:
    """What the characters of one text object share. `wide`: points an em along the line; `size`: across it."""

    font: _Font
    wide: float
    size: float
    drop: float
    upright: bool
    matrix: Matrix
    mark: int | None


class _Reading:
    """One page, while it is read. Needs the lock."""

    def __init__(self, page: Any, shown: Any) -> None:
        self._page = page
        self._shown = shown
        self._height = float(shown.height)
        self._styles: dict[int | None, _Style] = {}
        self._fonts: dict[int | None, _Font] = {}

    def objects(self) -> dict[str, list[Thing]] | None:
        """None where pdfminer has to read the page."""
        chars = self._chars()
        if chars is None:
            return None
        out: dict[str, list[Thing]] = {"char": chars, "line": [], "rect": [], "curve": [], "image": []}
        for thing in self._drawn(self._page.raw, (1, 0, 0, 1, 0, 0), 0):
            out[thing["object_type"]].append(thing)
        return out

    def _chars(self) -> list[Thing] | None:
        textpage = pdfium.FPDFText_LoadPage(self._page.raw)
        if not textpage:
            return None
        try:
            return self._read_chars(textpage)
        finally:
            pdfium.FPDFText_ClosePage(textpage)

    def _read_chars(self, textpage: Any) -> list[Thing] | None:
        out: list[Thing] = []
        box, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
        at_box, at_x, at_y = ctypes.byref(box), ctypes.byref(x), ctypes.byref(y)
        number, height, top_of_document = (
            self._shown.page_number,
            self._height,
            float(self._shown.initial_doctop),
        )
        turned, owner_before, reach = 0, None, 0.0
        for i in range(pdfium.FPDFText_CountChars(textpage)):
            point = pdfium.FPDFText_GetUnicode(textpage, i)
            if point in (10, 13):
                continue
            if point == 32 and pdfium.FPDFText_IsGenerated(textpage, i) == 1:
                if out:  # whether it was typed or is a gap; PDFium does not say where it stands
                    out.append(out[-1] | {"text": " ", "x0": out[-1]["x1"], "width": 0.0})
                    owner_before = None
                continue
            owner = pdfium.FPDFText_GetTextObject(textpage, i)
            key = _address(owner)
            style = self._styles.get(key)
            if style is None:
                style = self._styles[key] = self._style(textpage, i, owner)
            if not pdfium.FPDFText_GetLooseCharBox(textpage, i, at_box):
                continue
            x0, x1 = box.left, box.right
            if style.upright:
                pdfium.FPDFText_GetCharOrigin(textpage, i, at_x, at_y)
                bottom = height - (y.value + style.drop)
                top = bottom - style.size
                x0 = x.value
                x1 = min(
                    x1, x0 + style.font.advance(point) * style.wide or x1
                )  # the box holds what overhangs, too
            else:
                turned += 1
                left, right, low, high = (ctypes.c_double() for _ in range(4))
                pdfium.FPDFText_GetCharBox(textpage, i, left, right, low, high)
                x0, x1, top, bottom = left.value, right.value, height - high.value, height - low.value
            text = _shown_as(textpage, i, point)
            if out and key == owner_before:
                last = out[-1]
                if last["x0"] == x0 and last["top"] == top:  # one glyph for several characters
                    last.update(text=_joined(last["text"], text), x1=box.right)
                    continue
                if (
                    last["x1"] < x0 <= reach + 0.1 * style.size
                ):  # a glyph wider than the character that it shows
                    last["x1"] = max(last["x1"], min(x0, reach))
            owner_before, reach = key, box.right
            out.append({
                "object_type": "char", "page_number": number, "text": text,
                "fontname": style.font.name, "size": style.size, "upright": style.upright, "matrix": style.matrix,
                "x0": x0, "x1": x1, "top": top, "bottom": bottom, "doctop": top_of_document + top,
                "width": x1 - x0, "height": bottom - top, "mcid": style.mark,
            })  # fmt: skip
        return None if turned * 4 > len(out) else out

    def _style(self, textpage: Any, i: int, owner: Any) -> _Style:
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(textpage, i, ctypes.byref(matrix))
        m = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        size = pdfium.FPDFText_GetFontSize(textpage, i)
        tall = math.hypot(m[2], m[3])
        upright = m[0] > 0 and m[3] > 0 and abs(m[1]) < m[0] and tall * size > 0
        font, mark = _NO_FONT, -1
        if owner:
            font = self._font(pdfium.FPDFTextObj_GetFont(owner))
            mark = pdfium.FPDFPageObj_GetMarkedContentID(owner)
        scale = size * tall
        return _Style(
            font,
            size * math.hypot(m[0], m[1]),
            scale,
            font.drop * scale,
            upright,
            m,
            mark if mark >= 0 else None,
        )

    def _font(self, face: Any) -> _Font:
        key = _address(face)
        if key not in self._fonts:
            length = pdfium.FPDFFont_GetBaseFontName(face, None, 0)
            room, depth = ctypes.create_string_buffer(max(length, 1)), ctypes.c_float()
            pdfium.FPDFFont_GetBaseFontName(face, room, length)
            known = pdfium.FPDFFont_GetDescent(face, 1.0, ctypes.byref(depth))
            self._fonts[key] = _Font(
                room.value.decode("utf-8", "replace"), depth.value if known else 0.0, face
            )
        return self._fonts[key]

    def _drawn(self, holder: Any, outer: Matrix, depth: int) -> Iterator[Thing]:
        form = depth > 0
        count = (pdfium.FPDFFormObj_CountObjects if form else pdfium.FPDFPage_CountObjects)(holder)
        get = pdfium.FPDFFormObj_GetObject if form else pdfium.FPDFPage_GetObject
        for i in range(count):
            thing = get(holder, i)
            kind = pdfium.FPDFPageObj_GetType(thing)
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                yield from self._path(thing, outer)
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                # an image is the unit square under its matrix
                m = _within(_matrix(thing), outer)
                yield self._thing("image", [_moved(m, *c) for c in ((0, 0), (1, 0), (1, 1), (0, 1))])
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
                yield from self._drawn(thing, _within(_matrix(thing), outer), depth + 1)

    def _path(self, path: Any, outer: Matrix) -> Iterator[Thing]:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(path, ctypes.byref(fill), ctypes.byref(stroke))
        if not fill.value and not stroke.value:
            return
        m = _within(_matrix(path), outer)
        x, y = ctypes.c_float(), ctypes.c_float()
        points: list[tuple[float, float]] = []
        straight, bent = True, 0
        for i in range(pdfium.FPDFPath_CountSegments(path)):
            segment = pdfium.FPDFPath_GetPathSegment(path, i)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if kind == pdfium.FPDF_SEGMENT_MOVETO and points:
                yield from self._shape(points, straight)
                points, straight, bent = [], True, 0
            pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
            if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
                straight, bent = False, bent + 1
                if bent % 3:  # two points that it is drawn towards, then the one that it reaches
                    continue
            points.append(_moved(m, x.value, y.value))
            if pdfium.FPDFPathSegment_GetClose(segment) and points[-1] != points[0]:
                points.append(points[0])
        yield from self._shape(points, straight)

    def _shape(self, points: Sequence[tuple[float, float]], straight: bool) -> Iterator[Thing]:
        if len(points) < 2:
            return
        closed = points[0] == points[-1]
        corners = points[:-1] if closed else points
        if straight and len(corners) == 2:
            yield self._thing("line", corners)
        elif straight and len(corners) == 4 and closed and _square(corners):
            yield self._thing("rect", corners)
        else:
            yield self._thing("curve", points)

    def _thing(self, kind: str, points: Sequence[tuple[float, float]]) -> Thing:
        placed = [(x, self._height - y) for x, y in points]
        if kind == "line":
            placed = _straightened(placed)
        xs, ys = [x for x, _ in placed], [y for _, y in placed]
        x0, x1, top, bottom = min(xs), max(xs), min(ys), max(ys)
        return {
            "object_type": kind, "page_number": self._shown.page_number, "pts": placed, "x0": x0, "x1": x1, "top": top,
            "bottom": bottom, "y0": self._height - bottom, "y1": self._height - top, "width": x1 - x0,
            "height": bottom - top, "doctop": float(self._shown.initial_doctop) + top,
        }  # fmt: skip


def _shown_as(textpage: Any, i: int, point: int) -> str:
    if point == _HYPHEN and pdfium.FPDFText_IsHyphen(textpage, i) == 1:
        return "-"
    if point == 0 or pdfium.FPDFText_HasUnicodeMapError(textpage, i) == 1:
        return f"(cid:{point})"
    return chr(point) if point < 0x110000 else "\ufffd"


def _joined(first: str, second: str) -> str:
    """Two pieces of one glyph; the halves of a character outside the basic plane become one."""
    return (first + second).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _address(pointer: Any) -> int | None:
    return ctypes.c_void_p.from_buffer(pointer).value


def _matrix(thing: Any) -> Matrix:
    m = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(thing, ctypes.byref(m)):
        return (1, 0, 0, 1, 0, 0)
    return (m.a, m.b, m.c, m.d, m.e, m.f)


def _within(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (
        a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u,
    )  # fmt: skip


def _moved(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


def _square(corners: Sequence[tuple[float, float]]) -> bool:
    """Four corners of a rectangle that stands straight."""
    near = [
        (abs(a[0] - b[0]) <= _STRAIGHT, abs(a[1] - b[1]) <= _STRAIGHT)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    return all(x or y for x, y in near) and all(
        near[i][0] == near[(i + 2) % 4][0] and near[i][1] == near[(i + 2) % 4][1] for i in range(2)
    )


def _straightened(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """A line that leans by less than what 32 bits lose is upright or level."""
    (x0, y0), (x1, y1) = points
    if abs(x0 - x1) <= _STRAIGHT:
        x1 = x0
    if abs(y0 - y1) <= _STRAIGHT:
        y1 = y0
    return [(x0, y0), (x1, y1)]
