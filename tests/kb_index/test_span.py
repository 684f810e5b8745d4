"""What of a passage bears on the question, and what stands round it."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.index_corpus import SETTINGS, give_vectors
from kb_index.build import build
from kb_index.search import Index
from kb_index.span import span_in
from kb_index.sparse import Frequencies
from kb_index.words import tokens

TEXT = "Rates rose by 1.5 points. Churn fell in the north. 退货率在华东上升。物流商在三月更换。"
TABLE = "region | rate\nNorth | 3.1\nSouth | 4.7"


def asked(question: str, text: str) -> str:
    frequencies = Frequencies()
    for other in (text, "something else", "and more"):
        frequencies.add(tokens(other))
    start, end = span_in(text, frequencies.question(question))
    return text[start:end]


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("where did churn fall", TEXT, "Churn fell in the north."),
        ("rates by how many points", TEXT, "Rates rose by 1.5 points."),
        ("华东退货率", TEXT, "退货率在华东上升。"),
        ("物流商何时更换", TEXT, "物流商在三月更换。"),
        ("rate of the South", TABLE, "South | 4.7"),
        ("nothing of it", "白菜。豆腐。", "白菜。豆腐。"),
    ],
)
def test_the_sentence_or_row_that_holds_most(question: str, text: str, found: str) -> None:
    assert asked(question, text) == found


@given(st.text(alphabet="ab1. \n。！", max_size=40), st.text(alphabet="ab1 ", max_size=10))
def test_a_span_lies_in_its_text(text: str, question: str) -> None:
    frequencies = Frequencies()
    frequencies.add(tokens(text))
    start, end = span_in(text, frequencies.question(question))
    assert 0 <= start <= end <= len(text)


def test_neighbours_are_the_passages_round_a_hit(tmp_path: Path) -> None:
    folder, index_dir = tmp_path / "docs", tmp_path / "index" / "default"
    folder.mkdir()
    document = docx.Document()
    for name in ("amber", "birch", "cedar"):
        document.add_heading(f"On {name}", level=1)
        document.add_paragraph(f"The ledger of {name} is kept here. It holds {name} alone.")
    document.save(str(folder / "woods.docx"))
    give_vectors([folder / "woods.docx"], index_dir)
    build([folder], index_dir, settings=SETTINGS)
    with Index.open(index_dir, SETTINGS) as index:
        (hit, *_) = index.search("birch alone", by="words")
        assert hit.text[slice(*hit.span)] == "It holds birch alone."
        around = index.neighbours(hit)
        assert [h.section_path for h in around] == [("On amber",), ("On cedar",)]
        assert index.neighbours(around[0], before=3, after=0) == []
        assert [h.order for h in index.neighbours(around[0], before=0, after=5)] == [1, 2]
