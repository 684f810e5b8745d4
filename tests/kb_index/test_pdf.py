from __future__ import annotations

from pathlib import Path

import pytest

from kb_index.blocks import Document, Heading, Paragraph, TableBlock
from kb_index.chunks import chunks_of
from kb_index.errors import EncryptedFile, UnreadableFile
from kb_index.parse import parse
from kb_index.pdf import read_pdf


def headings(document: Document) -> list[tuple[str, int, int]]:
    return [(b.text, b.level, b.page) for b in document.blocks if isinstance(b, Heading)]


def tables(document: Document) -> list[TableBlock]:
    return [b for b in document.blocks if isinstance(b, TableBlock)]


def prose(document: Document) -> str:
    return "\n".join(b.text for b in document.blocks if isinstance(b, Paragraph))


def test_columns_are_read_one_after_the_other(pdfs: Path) -> None:
    text = prose(read_pdf(pdfs / "two-columns.pdf"))
    assert text.index("left column line 14") < text.index("right column line 1 ")
    assert "line 3 talks about apples and pears right" not in text


def test_a_ruled_table_with_its_caption_is_not_again_in_the_prose(pdfs: Path) -> None:
    document = read_pdf(pdfs / "ruled.pdf")
    (table,) = tables(document)
    assert table.rows == (("Product", "Stock", "Price"), ("Fan", "12", "99.00"), ("Lamp", "7", "35.50"))
    assert table.caption == "Table 1: Stock by product"
    assert document.title == "Inventory of the northern warehouse"
    text = prose(document)
    assert "35.50" not in text
    assert "Table 1" not in text
    assert "The next count takes place in June." in text


def test_an_unruled_table_is_found_by_its_alignment(pdfs: Path) -> None:
    (table,) = tables(read_pdf(pdfs / "unruled.pdf"))
    assert table.rows[0] == ("Region", "2023", "2024")
    assert table.rows[2] == ("South", "980", "1,010")


def test_bookmarks_are_trusted_over_style(pdfs: Path) -> None:
    assert headings(read_pdf(pdfs / "bookmarks.pdf")) == [("Alpha", 1, 1), ("Beta", 2, 2), ("Gamma", 1, 3)]


def test_overprinted_characters_count_once(pdfs: Path) -> None:
    assert read_pdf(pdfs / "doubled.pdf").title == "Shadow printed heading"


def test_chinese_sections_and_table(pdfs: Path) -> None:
    document = read_pdf(pdfs / "chinese.pdf")
    assert document.title == "退货管理办法"
    assert [h[0] for h in headings(document)] == ["第一章 总则", "第二章 期限"]
    (table,) = tables(document)
    assert table.rows[1] == ("质量问题", "15天", "公司承担")
    assert "签收后七天内可以无理由退货签收后" in prose(document)  # lines of one paragraph, no blanks between


def test_furniture_goes_and_headings_that_differ_in_a_number_stay(pdfs: Path) -> None:
    document = read_pdf(pdfs / "furniture.pdf")
    assert [h[0] for h in headings(document)] == [f"V1.{n} release" for n in range(1, 6)]
    assert "Handbook" not in prose(document)
    assert "Page 3" not in prose(document)


def test_a_table_over_two_pages_is_one_and_its_pieces_repeat_the_header(pdfs: Path) -> None:
    document = read_pdf(pdfs / "long-table.pdf")
    (table,) = tables(document)
    assert (table.page, table.page_to, len(table.rows)) == (1, 2, 65)
    pieces = chunks_of(document, 300)
    assert len(pieces) > 3
    assert all(p.text.startswith("Code | Name | Weight\n") and p.table_id == table.id for p in pieces)
    assert sum(p.text.count("C-") for p in pieces) == 64


def test_pages_without_a_text_layer_are_reported(pdfs: Path) -> None:
    parsed = parse(pdfs / "scanned.pdf", 1000)
    assert [p.status for p in parsed.pages] == ["text", "scanned", "empty"]
    assert len(parsed.chunks) == 1


def test_turned_pages_are_read_upright(pdfs: Path) -> None:
    assert "turned line 0 of a landscape page" in prose(read_pdf(pdfs / "rotated.pdf"))


def test_the_empty_password_is_tried_before_a_file_counts_as_locked(pdfs: Path) -> None:
    assert "locked away" in prose(read_pdf(pdfs / "owner-locked.pdf"))
    with pytest.raises(EncryptedFile, match=r"locked\.pdf: encrypted"):
        read_pdf(pdfs / "locked.pdf")


@pytest.mark.parametrize("name", ["nothing.pdf", "broken.pdf"])
def test_what_is_no_pdf_is_named_in_one_line(pdfs: Path, name: str) -> None:
    with pytest.raises(UnreadableFile, match=name) as caught:
        parse(pdfs / name, 1000)
    assert "\n" not in str(caught.value)


def test_every_chunk_stands_on_its_pages(pdfs: Path) -> None:
    for path in sorted(pdfs.glob("*.pdf")):
        try:
            parsed = parse(path, 400)
        except UnreadableFile:
            continue
        for chunk in parsed.chunks:
            assert 1 <= chunk.page_from <= chunk.page_to <= len(parsed.pages)
            assert chunk.text.strip()
