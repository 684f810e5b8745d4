from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from typing import Any

import docx
import matplotlib.image
import pytest
from lxml import html

from adapters.base import Evidence
from adapters.derive import Operand, derive
from adapters.errors import ConfigurationError
from adapters.report_chart import cjk_font, draw
from adapters.report_document import MAX_TABLE_ROWS, Section, write_report


def table(types: dict[str, str], *rows: tuple[Any, ...], **more: Any) -> Evidence:
    records = tuple(dict(zip(types, r, strict=True)) for r in rows)
    return Evidence("table", "warehouse", "sales", tuple(types), records, types=types, **more)


SALES = table(
    {"产品线": "text", "quarter": "quarter", "revenue": "money"},
    ("扫地机", "2023-Q1", 1_000_000.0), ("扫地机", "2024-Q1", 1_300_000.0),
    ("吸尘器", "2023-Q1", 500_000.0), ("吸尘器", "2024-Q1", 450_000.0),
    summary="四行", notes=("read by OCR, score 0.97",),
)  # fmt: skip
GROWTH = derive("growth", [Operand("g1", SALES)], value="revenue", order="desc")
PASSAGES = Evidence(
    "text", "handbook", "documents", ("doc", "section", "page", "text"),
    ({"doc": "政策.pdf", "section": "退货", "page": 3, "text": "七天无理由 <b>退货</b> & more\x07"},),
)  # fmt: skip
SECTIONS = [
    Section("营收增长率", GROWTH, "g2", labels={"value": "增长率"}),
    Section("Revenue & <sources>", SALES, "g1"),
    Section("依据", PASSAGES, "g3"),
]


def test_word(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.docx"
    evidence = write_report("docx", "2023Q1 与 2024Q1 各产品线营收", SECTIONS, path)
    assert evidence.rows[0]["path"] == str(path)
    assert evidence.rows[0]["sections"] == 3
    assert evidence.locate(0, "path").inputs == ("g2", "g1", "g3")  # type: ignore[union-attr]
    document = docx.Document(str(path))
    said = [p.text for p in document.paragraphs]
    assert "2023Q1 与 2024Q1 各产品线营收" in said
    assert "营收增长率" in said
    assert "read by OCR, score 0.97" in said
    assert any("七天无理由 <b>退货</b> & more" in s for s in said)
    assert any("政策.pdf · 退货 · p. 3" in s for s in said)
    first = [[c.text for c in row.cells] for row in document.tables[0].rows]
    assert first == [
        ["产品线", "增长率", "left", "right"],
        ["扫地机", "30%", "1,300,000", "1,000,000"],
        ["吸尘器", "-10%", "450,000", "500,000"],
    ]
    assert len(document.inline_shapes) == 2
    assert [p.name for p in path.parent.iterdir()] == ["report.docx"]


def test_html_is_one_file_and_escapes_what_sources_say(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    write_report("html", "<script>alert(1)</script>", SECTIONS, path)
    text = path.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "<b>" not in text
    page = html.fromstring(text)
    assert page.xpath("//h1/text()") == ["<script>alert(1)</script>"]
    assert page.xpath("(//table)[1]/tbody/tr[1]/td/text()")[:2] == ["扫地机", "30%"]
    sources = page.xpath("//img/@src")
    assert len(sources) == 2
    for source in sources:
        image = matplotlib.image.imread(io.BytesIO(base64.b64decode(source.partition(",")[2])))
        assert image.shape[0] > 300
    assert not re.search(r"(src|href)=\"(?!data:)", text)


def test_long_tables_say_what_is_left_out(tmp_path: Path) -> None:
    long = table({"k": "text", "v": "number"}, *((str(n), n) for n in range(MAX_TABLE_ROWS + 5)))
    write_report(
        "docx",
        "t",
        [Section("s", long, "g1"), Section("none", table({"k": "text"}), "g2")],
        tmp_path / "r.docx",
    )
    document = docx.Document(str(tmp_path / "r.docx"))
    assert len(document.tables[0].rows) == MAX_TABLE_ROWS + 1
    assert "… 5 more rows" in [p.text for p in document.paragraphs]


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="docx or html, not 'pdf'"):
        write_report("pdf", "t", [], tmp_path / "r.pdf")
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_report("html", "t", [], tmp_path / "file" / "r.html")


MONTHS = table(
    {"region": "text", "month": "month", "v": "percent"},
    *((r, f"2024-0{m}", m / 100) for r in ("东", "$x$") for m in (1, 2, 3)),
)


@pytest.mark.parametrize("evidence", [SALES, GROWTH, MONTHS])
def test_charts(evidence: Evidence) -> None:
    image = draw(evidence, "标题 $5")
    assert image is not None
    assert image.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "evidence",
    [PASSAGES, table({"k": "text"}, ("a",), ("b",)), table({"k": "text", "v": "number"}, ("a", 1.0)),
     table({"k": "text", "v": "number"}, *((str(n), n) for n in range(99)))],
)  # fmt: skip
def test_nothing_to_draw(evidence: Evidence) -> None:
    assert draw(evidence, "t") is None


def test_without_a_chinese_font_labels_become_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    import adapters.report_chart

    monkeypatch.setattr(adapters.report_chart, "_FAMILIES", ())
    cjk_font.cache_clear()
    try:
        assert (
            draw(SALES, "标题") is not None
        )  # a glyph that is missing would be a warning, and so an error here
    finally:
        cjk_font.cache_clear()
