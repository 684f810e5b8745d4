"""Pages that are pictures, through real OCR."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from assay.provision import _first_chinese_font
from kb_index.build import build
from kb_index.errors import UnreadableFile
from kb_index.parse import failed_pages, parse
from kb_index.search import Index
from kb_index.settings import IndexSettings
from tests.kb_index.conftest import HEIGHT, PROSE, ROOT, WIDTH, line

pytestmark = pytest.mark.slow
HOME = ROOT / ".assay"
CHINESE = ["签收后七天内商品完好可以无理由退货", "运费由顾客承担", "整机保修一年"]
ENGLISH = ["Returns are accepted within seven days of delivery", "The customer pays for the transport"]


def picture(lines: list[str], title: str = "") -> Image.Image:
    """A page as a scanner gives it: A4 at 150 dpi, black on white."""
    image = Image.new("L", (1240, 1754), 255)
    pen = ImageDraw.Draw(image)
    font = _first_chinese_font()
    assert font, "make setup installs one"
    y = 120
    if title:
        pen.text((120, y), title, 0, ImageFont.truetype(font, 60))
        y += 130
    for text in lines:
        pen.text((120, y), text, 0, ImageFont.truetype(font, 30))
        y += 56
    return image


def scanned(path: Path, *pages: Image.Image, words: str = "") -> Path:
    """Each picture fills a page; `words` stand on a page of their own before them."""
    c = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=True)
    if words:
        line(c, 60, 80, words)
        c.showPage()
    for image in pages:
        c.drawImage(ImageReader(image), 0, 0, WIDTH, HEIGHT)
        c.showPage()
    c.save()
    return path


def test_a_scan_is_read_in_both_languages_with_its_heading(tmp_path: Path) -> None:
    path = scanned(tmp_path / "scan.pdf", picture([*CHINESE, *ENGLISH], "退货政策"), words=PROSE)
    parsed = parse(path, 1000, HOME)
    assert [p.status for p in parsed.pages] == ["text", "ocr"]
    assert "mean score" in parsed.pages[1].detail
    (policy,) = [c for c in parsed.chunks if c.section_path]
    assert (policy.section_path, policy.page_from, policy.page_to) == (("退货政策",), 2, 2)
    read = policy.text.replace(" ", "").replace("，", "")
    for text in (*CHINESE, *ENGLISH):
        assert text.replace(" ", "") in read
    assert failed_pages(parsed.pages) == ""


def test_a_picture_without_words_is_an_empty_page(tmp_path: Path) -> None:
    path = scanned(tmp_path / "photo.pdf", picture([]), words=PROSE)
    parsed = parse(path, 1000, HOME)
    assert [p.status for p in parsed.pages] == ["text", "empty"]
    assert "no text" in parsed.pages[1].detail


def test_without_ocr_the_page_is_named(tmp_path: Path) -> None:
    path = scanned(tmp_path / "scan.pdf", picture(CHINESE))
    with pytest.raises(UnreadableFile, match="needs OCR"):
        parse(path, 1000)


WITHOUT_WHEEL = """
import sys
from pathlib import Path
sys.modules["rapidocr"] = None  # as where it is not installed
from kb_index.parse import failed_pages, parse
print(failed_pages(parse(Path(sys.argv[1]), 1000, Path(sys.argv[2])).pages))
"""


def test_missing_weights_are_said_with_what_to_do(tmp_path: Path) -> None:
    path = scanned(tmp_path / "scan.pdf", picture(CHINESE), words=PROSE)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_WHEEL, str(path), str(tmp_path / "home")],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert "page 2 of 2: needs OCR" in done.stdout
    assert "pip install --no-deps rapidocr" in done.stdout
    assert "--full" in done.stdout


def test_a_question_finds_the_scanned_page(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    scanned(folder / "policy.pdf", picture(CHINESE, "退货政策"))
    settings = IndexSettings(home=str(HOME))
    report = build([folder], tmp_path / "index", settings=settings)
    assert (report.files, report.ocr_pages, report.failed) == (1, 1, [])
    assert "1 pages (1 by OCR)" in str(report)
    with Index.open(tmp_path / "index", settings) as index:
        (hit, *_) = index.search("七天无理由退货", by="words")
    assert (hit.document, hit.page_from) == ("policy.pdf", 1)
    other = IndexSettings(home=str(HOME), ocr=False)
    report = build([folder], tmp_path / "index", settings=other)
    assert report.files == 0
    assert "needs OCR" in report.failed[0][1]
