"""What PDFium reads is what pdfminer reads: the same characters in the same places, the same rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pdfplumber
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from kb_index.fast_page import FastFile
from kb_index.lines import segments_of, upright
from tests.kb_index.conftest import line

NEAR = 0.5  # points


@contextmanager
def both(path: Path, page: int = 0) -> Iterator[tuple[Any, Any]]:
    """The page as PDFium and as pdfminer read it."""
    with pdfplumber.open(path) as pdf, FastFile(path) as fast:
        yield fast.page(pdf.pages[page]), pdf.pages[page]


def places(page: Any) -> list[tuple[str, float, float, float, float]]:
    found = [c for c in page.chars if not c["text"].isspace()]
    return sorted(
        (c["text"], round(c["x0"]), round(c["top"]), c["x1"] - c["x0"], c["size"]) for c in found
    )  # fmt: skip


@pytest.mark.parametrize(
    "name", ["two-columns.pdf", "ruled.pdf", "unruled.pdf", "bookmarks.pdf", "chinese.pdf"]
)
def test_characters_stand_where_pdfminer_sees_them(pdfs: Path, name: str) -> None:
    with both(pdfs / name) as (fast, slow):
        assert type(fast) is not type(slow)
        ours, theirs = places(fast), places(slow)
        assert [p[0] for p in ours] == [p[0] for p in theirs]
        for (_, x, top, wide, size), (_, x_, top_, wide_, size_) in zip(ours, theirs, strict=True):
            assert abs(x - x_) <= 1
            assert abs(top - top_) <= 1
            assert abs(wide - wide_) <= NEAR
            assert abs(size - size_) <= NEAR
        assert [s.text for s in segments_of(upright(fast)[0])] == [
            s.text for s in segments_of(upright(slow)[0])
        ]


def edges(page: Any) -> list[tuple[str, float, float, float, float]]:
    return sorted(
        (str(e["orientation"]), *(round(e[k]) for k in ("x0", "top", "x1", "bottom"))) for e in page.edges
    )


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    path = tmp_path / "drawn.pdf"
    c = Canvas(str(path), pagesize=A4, invariant=True)
    c.rect(60, 500, 200, 100)
    c.line(60, 550, 260, 550)
    c.setLineWidth(0.5)
    c.line(100, 500, 100, 600)
    c.rect(300, 500, 50, 40, stroke=0, fill=1)
    c.beginForm("box")
    c.rect(0, 0, 30, 20)
    c.endForm()
    c.saveState()
    c.translate(400, 300)
    c.scale(2, 1)
    c.doForm("box")
    c.restoreState()
    clip = c.beginPath()
    clip.rect(50, 50, 400, 700)
    c.clipPath(clip, stroke=0, fill=0)  # shapes what is seen, and is not seen itself
    c.circle(200, 300, 40)
    line(c, 60, 700, "words in a box")
    c.save()
    return path


def test_rules_are_the_same_within_forms_too(drawn: Path) -> None:
    with both(drawn) as (fast, slow):
        straight = [e for e in edges(slow) if e[0] != "None"]
        assert [e for e in edges(fast) if e[0] != "None"] == straight
        assert len([e for e in straight if e[0] == "h"]) >= 7


def test_one_glyph_for_two_characters_gives_both_once(tmp_path: Path) -> None:
    path = tmp_path / "ligature.pdf"
    _one_glyph(path, "0066006C")  # the glyph of "A" is said to show "fl"
    with both(path) as (fast, _):
        assert "".join(c["text"] for c in fast.chars).replace(" ", "") == "flB"
        assert [s.text for s in segments_of(upright(fast)[0])] == ["flB"]


def test_a_character_outside_the_basic_plane_is_one(tmp_path: Path) -> None:
    path = tmp_path / "plane.pdf"
    _one_glyph(path, "D83DDE00")
    with both(path) as (fast, _):
        assert fast.chars[0]["text"] == "\U0001f600"


def test_a_page_that_stands_on_its_side_is_left_to_pdfminer(pdfs: Path) -> None:
    with both(pdfs / "rotated.pdf") as (fast, slow):
        assert [c["text"] for c in fast.chars] == [c["text"] for c in slow.chars]


def _one_glyph(path: Path, shown: str) -> None:
    """A file that shows "AB" in Helvetica, whose map says that A stands for other characters (UTF-16, hexadecimal)."""
    content = b"BT /F 20 Tf 60 700 Td (AB) Tj ET"
    told = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def "
        "1 begincodespacerange <00> <FF> endcodespacerange "
        f"2 beginbfchar <41> <{shown}> <42> <0042> endbfchar endcmap end end"
    ).encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(told), told),
    ]
    out, at = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        at.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % a for a in at)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    path.write_bytes(out)
