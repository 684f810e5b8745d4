"""Token ids as Hugging Face's library gives them from the same file, at a fifth of the memory."""

from __future__ import annotations

import itertools
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from planner.encoder.tokens import LONGEST, tokenize
from planner.training.triples import read_worlds

HOME = Path(__file__).parents[2] / ".assay"
DATA = Path(__file__).parents[2] / "planner" / "training" / "data"
ODD = [
    "", " ", "a", "a  b\tc\n d", "ｆｕｌｌ　ｗｉｄｔｈ１２３", "㈱①②", "😀👍🏽 ok", "한국어 조사", "\u200bzero", "ﬁle ﬀ", "½ ℃", "x\x01y", "▁a▁b",
    "对比A产品在华东区2024年1月的退货率与B产品", "What share of 2024-Q1 revenue?", "trailing  ", "word " * 300,
]  # fmt: skip


@pytest.fixture(scope="module")
def model() -> Path:
    from kb_index.model import lay_out

    lay_out(HOME)
    return HOME / "models" / "e5"


@pytest.fixture(scope="module")
def reference(model: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def test_odd_texts(model: Path, reference: Tokenizer) -> None:
    for text, ours in zip(ODD, tokenize(ODD, model), strict=True):
        theirs = reference.encode(text)
        assert (ours.ids, ours.offsets) == (theirs.ids, theirs.offsets), text


def test_questions_of_all_authors(model: Path, reference: Tokenizer) -> None:
    questions = [
        t.question
        for author in sorted(DATA.iterdir())
        if author.is_dir()
        for w in itertools.islice(read_worlds(author), 2)
        for t in w.triples
    ]
    assert len(questions) > 1000
    for text, ours in zip(questions, tokenize(questions, model), strict=True):
        theirs = reference.encode(text)
        assert (ours.ids, ours.offsets) == (theirs.ids, theirs.offsets), text


def test_what_combines_is_one_place(model: Path) -> None:
    (found,) = tokenize(["e\u0301 ok"], model)
    assert found.offsets[1] == (0, 2)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_offsets_lie_in_the_text_in_order(model: Path, text: str) -> None:
    (found,) = tokenize([text], model)
    assert len(found.ids) == len(found.offsets) <= LONGEST
    assert (found.ids[0], found.ids[-1]) == (0, 2)
    inner = found.offsets[1:-1]
    assert all(0 <= a < b <= len(text) for a, b in inner)
    assert [a for a, _ in inner] == sorted(a for a, _ in inner)
    assert found.ids == tokenize([unicodedata.normalize("NFC", text)], model)[0].ids
