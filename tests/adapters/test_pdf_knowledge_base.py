from __future__ import annotations

from pathlib import Path

import docx
import pytest

from adapters.base import Adapter, DatasetSpec, FieldSpec, Query, Resources, SourceSpec
from adapters.errors import FormatError, Refused, Unavailable
from adapters.pdf_knowledge_base import COLUMNS, PdfKnowledgeBase

ROOT = Path(__file__).resolve().parents[2]


def source(collection: str = "default") -> SourceSpec:
    fields = tuple(FieldSpec(name, "text") for name in COLUMNS)
    return SourceSpec(
        "handbook",
        "pdf_knowledge_base",
        {"documents": DatasetSpec("documents", fields, description="休假与退货的规定")},
        connection={"collection": collection},
    )


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    """A home with an index of one Word file; the model is the repository's own."""
    from kb_index.build import build
    from kb_index.model import lay_out

    home = tmp_path_factory.mktemp("home")
    document = docx.Document()
    document.add_heading("第一章 退货", level=1)
    document.add_paragraph("签收后七天内，商品完好可以无理由退货，运费由顾客承担。")
    document.add_heading("第二章 年假", level=1)
    table = document.add_table(rows=2, cols=2)
    for i, row in enumerate([("工龄", "天数"), ("满十年", "10")]):
        for j, text in enumerate(row):
            table.cell(i, j).text = text
    (home / "docs").mkdir()
    document.save(str(home / "docs" / "规定.docx"))
    model = str(lay_out(ROOT / ".assay"))
    build([home / "docs"], home / "index" / "default", settings={"model": model})
    return Resources(home, {"knowledge": {"model": model, "store": "edge"}})


@pytest.mark.slow
def test_passages_come_with_their_place(resources: Resources) -> None:
    adapter = PdfKnowledgeBase(source(), resources)
    assert isinstance(adapter, Adapter)
    raw = adapter.query(Query("documents", text="能不能无理由退货"))
    adapter.validate(raw)
    evidence = adapter.normalise(raw)
    assert (evidence.kind, evidence.columns) == ("text", COLUMNS)
    row, place = evidence.rows[0], evidence.locate(0, "text")
    assert row["doc"] == "规定.docx"
    assert row["section"] == "第一章 退货"
    assert row["page"] == 1
    assert place is not None
    assert (place.kind, place.document, place.page, place.section) == ("page", "规定.docx", 1, "第一章 退货")
    assert place.text == row["text"]
    assert "七天内" in evidence.text
    assert place.url is not None
    assert place.url.endswith("#page=1")
    adapter.close()


@pytest.mark.slow
def test_a_table_has_its_id_and_filters_hold(resources: Resources) -> None:
    adapter = PdfKnowledgeBase(source(), resources)
    evidence = adapter.normalise(
        adapter.query(Query("documents", {"section": "年假"}, text="满十年的年假天数"))
    )
    assert evidence.rows[0]["table_id"]
    assert "满十年 | 10" in str(evidence.rows[0]["text"])
    assert adapter.normalise(adapter.query(Query("documents", {"doc": "别的文件"}, text="年假"))).rows == ()
    assert adapter.normalise(adapter.query(Query("documents", text="how do vaccines work"))).rows == ()
    with pytest.raises(Refused, match="colour"):
        adapter.query(Query("documents", {"colour": "red"}, text="年假"))
    (probe,) = adapter.probe()
    assert adapter.query(probe).payload
    adapter.ping(1)
    adapter.close()


def test_no_index_says_how_to_make_one(tmp_path: Path) -> None:
    adapter = PdfKnowledgeBase(source(), Resources(tmp_path))
    with pytest.raises(Unavailable, match="run: assay index build"):
        adapter.query(Query("documents", text="anything"))
    with pytest.raises(Unavailable, match="run: assay index build"):
        adapter.ping(1)


def test_a_question_without_words_and_a_strange_collection_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="words to look for"):
        PdfKnowledgeBase(source(), Resources(tmp_path)).query(Query("documents", text=" "))
    with pytest.raises(Refused, match="plain name"):
        PdfKnowledgeBase(source("../other"), Resources(tmp_path))


def test_a_passage_without_a_place_is_a_format_error(tmp_path: Path) -> None:
    from adapters.base import Raw
    from kb_index.search import Hit

    adapter = PdfKnowledgeBase(source(), Resources(tmp_path))
    with pytest.raises(FormatError, match="without its place"):
        adapter.validate(
            Raw(Query("documents", text="x"), [Hit("a.pdf", 0, 0, (), None, "text", "words", 0.5)])
        )
