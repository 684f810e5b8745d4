"""The documents as a reader of PDF and Word gets them."""

from __future__ import annotations

from pathlib import Path

import pdfplumber
import pytest

from demo import files
from demo.company import CRM_RELEASES, EASY_VACUUM


def docs(home: Path) -> Path:
    return home / "demo" / "docs"


def test_v231_and_its_table_stand_on_page_17_of_20(home: Path) -> None:
    with pdfplumber.open(docs(home) / "CRM模块发布说明.pdf") as pdf:
        texts = [page.extract_text() for page in pdf.pages]
        (table,) = pdf.pages[16].extract_tables()
    assert len(texts) == 20
    assert [n for n, text in enumerate(texts, 1) if "V2.3.1" in text] == [17]
    assert texts[16].startswith("V2.3.1 发布说明")
    assert "2023-10-09" in texts[16]
    assert table[0] == ["变更", "模块", "工单"]
    assert ["来电按技能组分配，取代按区域分配", "来电路由", "CRM-2311"] in table
    for n, version in enumerate(CRM_RELEASES, 3):
        assert texts[n - 1].startswith(f"{version} 发布说明")


def test_the_buying_guide_has_its_table_of_models(home: Path) -> None:
    with pdfplumber.open(docs(home) / "扫地机选购指南.pdf") as pdf:
        (table,) = pdf.pages[0].extract_tables()
        elderly = pdf.pages[1].extract_text()
    assert table[0] == ["型号", "价格", "适合人群", "操作"]
    (easy,) = [row for row in table if row[0] == EASY_VACUUM]
    assert easy[1] == "1,599元"
    assert "一键启动" in str(easy[3])
    assert EASY_VACUUM in elderly


def test_the_lending_rules_state_their_limits(home: Path) -> None:
    with pdfplumber.open(docs(home) / "信贷审批制度.pdf") as pdf:
        rows = pdf.pages[0].extract_tables()[0]
    assert ["征信分", "不低于 650"] in [row[:2] for row in rows]
    assert ["负债率", "不超过 50 %"] in [row[:2] for row in rows]


def test_the_return_policy_in_two_languages(home: Path) -> None:
    from docx import Document

    document = Document(str(docs(home) / "退货政策.docx"))
    headings = [p.text for p in document.paragraphs if p.style.name == "Heading 1"]
    assert "二、七天无理由退货" in headings
    assert [c.text for c in document.tables[0].rows[0].cells] == ["情形", "期限", "运费承担", "处理方式"]
    with pdfplumber.open(docs(home) / "Return policy.pdf") as pdf:
        assert "within 7 days of delivery" in pdf.pages[0].extract_text()


def test_made_again_the_documents_are_the_same_bytes(home: Path, tmp_path: Path) -> None:
    files.make(tmp_path)
    for path in sorted(docs(home).iterdir()):
        assert (docs(tmp_path) / path.name).read_bytes() == path.read_bytes(), path.name


def test_what_is_current_is_not_written_again(home: Path) -> None:
    assert files.make(home) == []
    guide = docs(home) / "扫地机选购指南.pdf"
    untouched = docs(home) / "信贷审批制度.pdf"
    before = untouched.stat().st_mtime_ns
    guide.unlink()
    assert files.make(home) == [guide]
    (home / "demo" / "made-from").write_text("an earlier version\n")
    assert untouched not in files.make(home)
    assert untouched.stat().st_mtime_ns == before


@pytest.mark.parametrize("name", ["warehouse.sqlite", "core_bank.duckdb"])
def test_the_databases_are_there(home: Path, name: str) -> None:
    assert (home / "demo" / name).stat().st_size > 0
