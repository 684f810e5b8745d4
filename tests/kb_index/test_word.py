from __future__ import annotations

from pathlib import Path

import docx
import pytest
from docx.enum.text import WD_BREAK

from kb_index.blocks import Heading, Paragraph, TableBlock
from kb_index.errors import EncryptedFile, UnreadableFile
from kb_index.word import read_word


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    document = docx.Document()
    document.add_heading("员工手册", level=0)
    document.add_heading("第一章 考勤", level=1)
    document.add_paragraph("每天八点半上班。")
    document.add_paragraph("first", style="List Number")
    document.add_paragraph("second", style="List Number")
    document.add_paragraph("表1 假期")
    table = document.add_table(rows=3, cols=3)
    for i, row in enumerate([("种类", "天数", "备注"), ("年假", "5", ""), ("病假", "10", "需证明")]):
        for j, text in enumerate(row):
            table.cell(i, j).text = text
    table.cell(1, 2).merge(table.cell(2, 2))
    document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    document.add_heading("1.1 Overtime", level=2)
    document.add_paragraph("Overtime is paid at 1.5 times.")
    path = tmp_path / "handbook.docx"
    document.save(str(path))
    return path


def test_blocks_stand_in_document_order_with_pages(handbook: Path) -> None:
    document = read_word(handbook)
    assert document.title == "员工手册"
    assert [type(b).__name__ for b in document.blocks] == [
        "Paragraph", "Heading", "Paragraph", "Paragraph", "Paragraph", "TableBlock", "Heading", "Paragraph",
    ]  # fmt: skip
    first, second = (b for b in document.blocks if isinstance(b, Heading))
    assert (first.text, first.level, first.page) == ("第一章 考勤", 1, 1)
    assert (second.text, second.level, second.page) == ("1.1 Overtime", 2, 2)
    assert len(document.pages) == 2


def test_numbers_captions_and_merged_cells(handbook: Path) -> None:
    document = read_word(handbook)
    listed = [
        b.text for b in document.blocks if isinstance(b, Paragraph) and b.text.endswith(("first", "second"))
    ]
    assert listed == ["1. first", "2. second"]
    (table,) = (b for b in document.blocks if isinstance(b, TableBlock))
    assert table.caption == "表1 假期"
    assert table.rows == (("种类", "天数", "备注"), ("年假", "5", "需证明"), ("病假", "10", ""))


def test_what_is_no_word_file_is_named(tmp_path: Path) -> None:
    for name, data, error in (
        ("locked.docx", b"\xd0\xcf\x11\xe0 and more", EncryptedFile),
        ("empty.docx", b"", UnreadableFile),
        ("text.docx", b"plain text", UnreadableFile),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(error, match=name):
            read_word(path)
