"""Real files made once a session, and the embedding model where a test asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = A4
SONG = "STSong-Light"


@pytest.fixture(scope="session")
def e5_home() -> Path:
    """The repository's own home folder: the model is laid out there once for all tests and the demo."""
    from kb_index.model import lay_out

    home = ROOT / ".assay"
    lay_out(home)
    return home


@pytest.fixture(scope="session")
def pdfs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small PDFs, one per difficulty."""
    pdfmetrics.registerFont(UnicodeCIDFont(SONG))
    folder = tmp_path_factory.mktemp("pdfs")
    for name, draw in _DRAWINGS.items():
        canvas = Canvas(str(folder / name), pagesize=A4, invariant=True)
        draw(canvas)
        canvas.save()
    _encrypted(folder / "locked.pdf", "secret")
    _encrypted(folder / "owner-locked.pdf", "")
    (folder / "nothing.pdf").write_bytes(b"")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nthis is not a PDF\n%%EOF")
    return folder


def line(canvas: Any, x: float, y: float, text: str, size: float = 11, font: str = "Helvetica") -> None:
    """`y` from the page's top."""
    canvas.setFont(font, size)
    canvas.drawString(x, HEIGHT - y, text)


def grid(
    canvas: Any, x: float, y: float, rows: list[list[str]], wide: float, font: str = "Helvetica"
) -> None:
    """A fully ruled table, its top left at (x, y from the page's top)."""
    tall = 22
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            canvas.rect(x + j * wide, HEIGHT - y - (i + 1) * tall, wide, tall)
            line(canvas, x + j * wide + 5, y + i * tall + 15, cell, 10, font)


LEFT = [f"left column line {n} talks about apples and pears" for n in range(1, 15)]
RIGHT = [f"right column line {n} talks about ships and ports" for n in range(1, 15)]
PROSE = "This sentence fills the line so that the page holds ordinary running text for its reader."


def _two_columns(c: Any) -> None:
    line(
        c,
        60,
        70,
        "A title over both columns of the page, wide enough to cross the gutter",
        15,
        "Helvetica-Bold",
    )
    for i, (a, b) in enumerate(zip(LEFT, RIGHT, strict=True)):
        line(c, 60, 110 + 15 * i, a, 9)
        line(c, 310, 112 + 15 * i, b, 9)


def _ruled(c: Any) -> None:
    line(c, 60, 80, "Inventory of the northern warehouse", 18, "Helvetica-Bold")
    for i in range(5):
        line(c, 60, 120 + 15 * i, PROSE)
    line(c, 60, 220, "Table 1: Stock by product")
    grid(c, 60, 230, [["Product", "Stock", "Price"], ["Fan", "12", "99.00"], ["Lamp", "7", "35.50"]], 120)
    line(c, 60, 330, "The next count takes place in June.")


def _unruled(c: Any) -> None:
    line(c, 60, 80, "Quarterly figures", 18, "Helvetica-Bold")
    for i in range(4):
        line(c, 60, 110 + 15 * i, PROSE)
    rows = [
        ["Region", "2023", "2024"],
        ["North", "1,200", "1,350"],
        ["South", "980", "1,010"],
        ["West", "450", "-"],
    ]
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            line(c, 60 + 150 * j, 200 + 16 * i, cell)
    for i in range(3):
        line(c, 60, 300 + 15 * i, PROSE)


def _bookmarks(c: Any) -> None:
    for n, (title, level) in enumerate([("Alpha", 0), ("Beta", 1), ("Gamma", 0)]):
        c.bookmarkPage(title)
        c.addOutlineEntry(title, title, level)
        line(c, 60, 80, title, 11)  # in the body's own style: only the outline knows
        for i in range(6):
            line(c, 60, 110 + 15 * i, f"{PROSE} {n}")
        c.showPage()


def _doubled(c: Any) -> None:
    for dx in (0, 0.4):
        line(c, 60 + dx, 80, "Shadow printed heading", 18)
    for i in range(5):
        line(c, 60, 120 + 15 * i, PROSE)


def _chinese(c: Any) -> None:
    line(c, 60, 80, "退货管理办法", 20, SONG)
    sections = {
        "第一章 总则": "本办法适用于公司全部商品的退货",
        "第二章 期限": "签收后七天内可以无理由退货",
    }
    y = 130
    for title, body in sections.items():
        line(c, 60, y, title, 14, SONG)
        for i in range(4):
            line(c, 60, y + 25 + 16 * i, body, 10.5, SONG)
        y += 130
    grid(
        c,
        60,
        y,
        [["情形", "期限", "运费"], ["质量问题", "15天", "公司承担"], ["无理由", "7天", "顾客承担"]],
        110,
        SONG,
    )


def _furniture(c: Any) -> None:
    for n in range(1, 6):
        line(c, 60, 40, "Handbook of the company, third edition", 9)
        line(
            c, 60, 80, f"V1.{n} release", 16, "Helvetica-Bold"
        )  # differs in a number alone, and is no furniture
        for i in range(8):
            line(c, 60, 120 + 15 * i, f"{PROSE} {n}")
        line(c, 280, 810, f"Page {n} of 5", 9)
        c.showPage()


def _long_table(c: Any) -> None:
    for page in range(2):
        rows = [
            ["Code", "Name", "Weight"],
            *([f"C-{page}{i:02}", f"part {i}", f"{i * 3} g"] for i in range(32)),
        ]
        grid(c, 60, 50, rows, 150)
        c.showPage()


def _scanned(c: Any) -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    line(c, 60, 80, "This page has words of its own, and they can be read.")
    c.showPage()
    c.drawImage(ImageReader(Image.new("L", (200, 280), 220)), 0, 0, WIDTH, HEIGHT)
    c.showPage()
    c.showPage()  # an empty page is not a failure


def _rotated(c: Any) -> None:
    c.translate(WIDTH, 0)
    c.rotate(90)
    for i in range(8):
        c.setFont("Helvetica", 11)
        c.drawString(60, 500 - 15 * i, f"turned line {i} of a landscape page")


_DRAWINGS: dict[str, Callable[[Any], None]] = {
    "two-columns.pdf": _two_columns,
    "ruled.pdf": _ruled,
    "unruled.pdf": _unruled,
    "bookmarks.pdf": _bookmarks,
    "doubled.pdf": _doubled,
    "chinese.pdf": _chinese,
    "furniture.pdf": _furniture,
    "long-table.pdf": _long_table,
    "scanned.pdf": _scanned,
    "rotated.pdf": _rotated,
}


def _encrypted(path: Path, password: str) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    canvas = Canvas(
        str(path),
        pagesize=A4,
        encrypt=StandardEncryption(password, ownerPassword="owner", canPrint=0, strength=128),
    )
    line(canvas, 60, 80, "These words are locked away.")
    canvas.save()
