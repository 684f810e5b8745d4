"""Headings and columns as people set them; each page is drawn and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from kb_index.blocks import Heading, Paragraph
from kb_index.headings import is_caption
from kb_index.pdf import read_pdf
from kb_index.tags import headings_of

HEIGHT = A4[1]
PROSE = "This sentence fills the line so that the page holds ordinary running text for its reader."
HALF = "a line of this column, about as wide as it is"


def say(c: Any, x: float, y: float, text: str, size: float = 10, font: str = "Helvetica") -> None:
    """`y` from the page's top."""
    c.setFont(font, size)
    c.drawString(x, HEIGHT - y, text)


def headings(path: Path) -> list[str]:
    return [b.text for b in read_pdf(path).blocks if isinstance(b, Heading)]


def tagged(path: Path, kinds: list[tuple[str, str]], roles: dict[str, str] | None = None) -> None:
    """A page of lines, all in one style; each is a marked piece of its kind."""
    writer = PdfWriter()
    page = writer.add_blank_page(width=A4[0], height=HEIGHT)
    font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"), NameObject("/BaseFont"): NameObject("/Helvetica")})  # fmt: skip
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})})  # fmt: skip
    drawn = [
        f"{kind} <</MCID {i}>> BDC BT /F1 10 Tf 60 {700 - 14 * i} Td ({text}) Tj ET EMC"
        for i, (kind, text) in enumerate(kinds)
    ]
    stream = StreamObject()
    stream.set_data("\n".join(drawn).encode("latin-1"))
    page[NameObject("/Contents")] = writer._add_object(stream)
    kids = ArrayObject(
        writer._add_object(DictionaryObject({
            NameObject("/S"): NameObject(kind), NameObject("/Pg"): page.indirect_reference, NameObject("/K"): NumberObject(i),
        }))
        for i, (kind, _) in enumerate(kinds)
    )  # fmt: skip
    tree = DictionaryObject({NameObject("/Type"): NameObject("/StructTreeRoot"), NameObject("/K"): kids})
    if roles:
        tree[NameObject("/RoleMap")] = DictionaryObject(
            {NameObject(k): NameObject(v) for k, v in roles.items()}
        )
    writer.root_object[NameObject("/StructTreeRoot")] = writer._add_object(tree)
    writer.write(path)


def test_tags_name_headings_that_look_like_text(tmp_path: Path) -> None:
    path = tmp_path / "tagged.pdf"
    lines = [
        ("/H1", "Harbour"),
        ("/P", PROSE),
        ("/H2", "Pilots"),
        ("/P", PROSE),
        ("/Topic", "Tugs"),
        ("/P", PROSE),
    ]
    tagged(path, lines, {"/Topic": "/H2"})
    found = [b for b in read_pdf(path).blocks if isinstance(b, Heading)]
    assert [(b.text, b.level) for b in found if b.text != "Harbour"] == [("Pilots", 2), ("Tugs", 2)]
    assert [(t.level, t.page, t.marks) for t in headings_of(PdfReader(path))] == [
        (1, 1, {0}),
        (2, 1, {2}),
        (2, 1, {4}),
    ]


def test_a_broken_tree_of_tags_is_no_reason_to_fail(tmp_path: Path) -> None:
    path = tmp_path / "loop.pdf"
    writer = PdfWriter()
    writer.add_blank_page(width=200, height=200)
    node = DictionaryObject({NameObject("/S"): NameObject("/Sect")})
    reference = writer._add_object(node)
    node[NameObject("/K")] = reference  # its own child
    writer.root_object[NameObject("/StructTreeRoot")] = reference
    writer.write(path)
    assert headings_of(PdfReader(path)) == []


def test_two_columns_below_a_full_width_summary(tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    c = Canvas(str(path), pagesize=A4, invariant=True)
    for i in range(16):
        say(c, 60, 80 + 13 * i, PROSE)
    for i in range(12):
        say(c, 60, 320 + 14 * i, f"left {i} {HALF}", 9)
        say(c, 310, 322 + 14 * i, f"right {i} {HALF}", 9)
    c.save()
    text = " ".join(b.text for b in read_pdf(path).blocks if isinstance(b, Paragraph))
    assert text.index("left 11") < text.index("right 0")


def test_labels_of_a_figure_are_no_headings(tmp_path: Path) -> None:
    path = tmp_path / "figure.pdf"
    c = Canvas(str(path), pagesize=A4, invariant=True)
    say(c, 60, 80, "Growth of the plants", 14, "Helvetica-Bold")
    for i in range(6):
        say(c, 60, 104 + 14 * i, PROSE)
    for i, label in enumerate(("Root", "Stem", "Leaf", "Bud")):
        say(c, 200, 240 + 40 * i, label, 13, "Helvetica-Bold")
    c.save()
    assert headings(path) in ([], ["Growth of the plants"])  # the first may be taken for the document's title


def test_a_large_abstract_is_a_paragraph(tmp_path: Path) -> None:
    path = tmp_path / "abstract.pdf"
    c = Canvas(str(path), pagesize=A4, invariant=True)
    for i in range(6):
        say(c, 60, 90 + 17 * i, "What was found is said here in larger letters than below", 13)
    for i in range(20):
        say(c, 60, 220 + 14 * i, PROSE)
    c.save()
    assert headings(path) == []


def test_italic_lines_above_their_paragraphs_are_headings(tmp_path: Path) -> None:
    path = tmp_path / "handbook.pdf"
    c = Canvas(str(path), pagesize=A4, invariant=True)
    y = 60.0
    for title in ("Boots Self-Locking Nut", "Elastic Stop Nut"):
        say(c, 60, y, title, font="Helvetica-Oblique")
        for n in range(4):
            say(c, 60, y + 14 + 12 * n, PROSE)
        y += 90
    say(c, 60, y, "Stressed Words in the middle", font="Helvetica-Oblique")  # no paragraph begins below it
    say(c, 60, y + 40, "The end.")
    c.save()
    assert headings(path) == ["Boots Self-Locking Nut", "Elastic Stop Nut"]


def test_one_italic_line_is_only_stressed(tmp_path: Path) -> None:
    path = tmp_path / "note.pdf"
    c = Canvas(str(path), pagesize=A4, invariant=True)
    say(c, 60, 60, "Said by the Harbour Master", font="Helvetica-Oblique")
    for n in range(6):
        say(c, 60, 74 + 12 * n, PROSE)
    c.save()
    assert headings(path) == []


def test_steps_and_syntax_are_no_headings(tmp_path: Path) -> None:
    path = tmp_path / "manual.pdf"
    c = Canvas(str(path), pagesize=A4, invariant=True)
    say(c, 60, 30, "Tables for everyone", 22, "Helvetica-Bold")  # the document's title
    say(c, 60, 60, "2 Making a table", 14, "Helvetica-Bold")
    for n in range(3):
        say(c, 60, 84 + 12 * n, PROSE)
    say(c, 60, 150, "CREATE TABLE <table name>", 12, "Helvetica-Bold")
    for n in range(3):
        say(c, 60, 174 + 12 * n, PROSE)
    say(c, 60, 240, "1. Run the statements that stand in Example 3-10.", 10, "Helvetica-Bold")
    for n in range(3):
        say(c, 60, 264 + 12 * n, PROSE)
    c.save()
    assert headings(path) == ["2 Making a table"]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("Table 3 Rates", True), ("TABLE IV", True), ("Fig. 2. A pump", True), ("表3 退货率", True), ("Exhibit A", True),
     ("Tables for everyone", False), ("TABLES", False), ("Chart of accounts", False), ("CHART OF ACCOUNTS", False), ("表格", False)],
)  # fmt: skip
def test_a_caption_has_a_number_or_a_letter(text: str, is_one: bool) -> None:
    assert is_caption(text) is is_one
