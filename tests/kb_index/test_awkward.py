"""Files that are made badly, or oddly: each gives what a reader would see, or says in one line why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from kb_index.errors import UnreadableFile
from kb_index.parse import parse
from tests.kb_index.conftest import HEIGHT, PROSE, ROOT, SONG, WIDTH, line

WORDS = [
    "The movie opens with a news report",
    "advertising the way of life in this future,",
    "which is far from ideal.",
]


@pytest.mark.parametrize(
    "stands",
    [(1, 0, 0, 1), (-1, 0, 0, 1), (-1, 0, 0, -1), (1, 0, 0, -1), (0, -1, 1, 0), (0, 1, 1, 0), (0, 1, -1, 0), (0, -1, -1, 0)],
)  # fmt: skip
def test_however_a_page_stands_it_is_read_upright(tmp_path: Path, stands: tuple[int, int, int, int]) -> None:
    a, b, c, d = stands
    path = tmp_path / "turned.pdf"
    canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=True)
    middle = (WIDTH / 2, HEIGHT / 2)
    canvas.transform(a, b, c, d, middle[0] - 250 * a - 250 * c, middle[1] - 250 * b - 250 * d)
    canvas.setFont("Helvetica", 11)
    for n, text in enumerate(WORDS):
        canvas.drawString(60, 400 - 15 * n, text)
    canvas.save()
    (chunk,) = parse(path, 1000).chunks
    assert " ".join(chunk.text.split()) == " ".join(WORDS)


def test_characters_without_a_meaning_are_no_text(tmp_path: Path) -> None:
    """A font whose codes no map explains: its page is a picture to us."""
    path = tmp_path / "cid.pdf"
    c = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=True)
    c.setFont("Helvetica", 11)
    c.drawString(60, 700, "placeholder")
    c.save()
    writer = PdfWriter(clone_from=PdfReader(path))
    page = writer.pages[0]
    fonts = page["/Resources"]["/Font"]  # type: ignore[index]
    descendant = {
        NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/CIDFontType2"),
        NameObject("/BaseFont"): NameObject("/Nobody"),
    }  # fmt: skip
    system = DictionaryObject({
        NameObject("/Registry"): TextStringObject("Adobe"), NameObject("/Ordering"): TextStringObject("Identity"),
        NameObject("/Supplement"): NumberObject(0),
    })  # fmt: skip
    descendant[NameObject("/CIDSystemInfo")] = system  # type: ignore[assignment]
    font = DictionaryObject({
        NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type0"),
        NameObject("/BaseFont"): NameObject("/Nobody"), NameObject("/Encoding"): NameObject("/Identity-H"),
        NameObject("/DescendantFonts"): ArrayObject([writer._add_object(DictionaryObject(descendant))]),
    })  # fmt: skip
    fonts[NameObject("/F9")] = writer._add_object(font)
    stream = StreamObject()
    codes = "".join(f"{n:04X}" for n in range(2, 60))
    stream.set_data(f"BT /F9 11 Tf 60 700 Td <{codes}> Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    writer.write(path)
    with pytest.raises(UnreadableFile, match="needs OCR"):
        parse(path, 1000)


def test_vertical_chinese_is_read_column_by_column(tmp_path: Path) -> None:
    """Set character by character from the top, columns from the right."""
    pdfmetrics.registerFont(UnicodeCIDFont(SONG))
    path = tmp_path / "vertical.pdf"
    c = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=True)
    columns = [
        "签收后七天内商品完好可以无理由退货",
        "退款按原支付方式返回到账需三个工作日",
        "整机保修一年电机与压缩机保修三年整",
    ]
    c.setFont(SONG, 14)
    for n, column in enumerate(columns):
        for k, character in enumerate(column):
            c.drawString(480 - 24 * n, 760 - 15 * k, character)
    c.save()
    text = "".join("".join(x.text.split()) for x in parse(path, 1000).chunks)
    assert text == "".join(columns)


def test_a_truncated_file_gives_what_is_left_or_one_line(tmp_path: Path) -> None:
    whole = tmp_path / "whole.pdf"
    c = Canvas(str(whole), pagesize=(WIDTH, HEIGHT), invariant=True)
    for n in range(20):
        line(c, 60, 80, f"{PROSE} {n}")
        c.showPage()
    c.save()
    data = whole.read_bytes()
    for share in (0.3, 0.6, 0.95):
        path = tmp_path / f"cut-{share}.pdf"
        path.write_bytes(data[: int(len(data) * share)])
        said = _text_or_reason(path)
        assert PROSE[:20] in said or (path.name in said and "\n" not in said)


def _text_or_reason(path: Path) -> str:
    try:
        return parse(path, 1000).chunks[0].text
    except UnreadableFile as e:
        return str(e)


def test_a_page_whose_box_does_not_begin_at_zero(tmp_path: Path) -> None:
    path = tmp_path / "moved.pdf"
    c = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=True)
    for n, text in enumerate(WORDS):
        line(c, 60, 80 + 15 * n, text)
    c.save()
    writer = PdfWriter(clone_from=PdfReader(path))
    page = writer.pages[0]
    page[NameObject("/MediaBox")] = ArrayObject(
        [FloatObject(v) for v in (-100, -50, WIDTH - 100, HEIGHT - 50)]
    )
    writer.write(path)
    (chunk,) = parse(path, 1000).chunks
    assert " ".join(chunk.text.split()) == " ".join(WORDS)


MEMORY = """
import sys
from pathlib import Path
from kb_index.parse import parse
parsed = parse(Path(sys.argv[1]), 1000)
# not getrusage: its peak is the parent's, too, as this process was forked from it
(peak,) = [row.split()[1] for row in open("/proc/self/status") if row.startswith("VmHWM")]
print(len(parsed.pages), int(peak) // 1024)
"""


@pytest.mark.slow
def test_six_hundred_pages_take_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    c = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=True)
    for n in range(600):
        for k in range(8):
            line(c, 60, 60 + 90 * k, f"{PROSE} {n} {k}", 9)
        c.showPage()
    c.save()
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(path)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    pages, mebibytes = map(int, done.stdout.split())
    assert pages == 600
    assert mebibytes <= 400
