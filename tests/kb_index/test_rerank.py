"""A cross-encoder by path: a real one, tiny and untrained but for one weight, laid out by the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.index_corpus import SETTINGS, give_vectors, write_entry
from kb_index.build import build
from kb_index.errors import NoModel
from kb_index.rerank import reranker
from kb_index.search import Index

pytestmark = pytest.mark.slow
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "ledger", "entry", "amber", "birch", "cedar"]


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of one layer and eight numbers a token, as transformers saves it; what it thinks is of no matter."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder = tmp_path_factory.mktemp("cross")
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, num_labels=1,
        initializer_range=2.0,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_the_first_passages_stand_as_the_cross_encoder_says(tmp_path: Path, cross_encoder: Path) -> None:
    folder = tmp_path / "docs"
    for name in ("amber", "birch", "cedar"):
        write_entry(folder / f"{name}.docx", f"ledger entry {name}")
    give_vectors(sorted(folder.iterdir()), tmp_path / "index" / "default")
    build([folder], tmp_path / "index" / "default", settings=SETTINGS)
    settings = {**_as_dict(), "reranker": str(cross_encoder)}
    with Index.open(tmp_path / "index" / "default", settings) as index:
        hits = index.search("ledger", by="words")
    assert {h.document for h in hits} == {"amber.docx", "birch.docx", "cedar.docx"}
    texts = [f"{' > '.join(h.section_path)}\n{h.text}" for h in hits]
    expected = reranker(str(cross_encoder)).scores("ledger", texts)
    assert [h.score for h in hits] == pytest.approx([round(s, 4) for s in expected], abs=1e-4)
    assert expected == sorted(expected, reverse=True)
    assert len(set(expected)) == 3


def test_a_folder_without_a_model_is_named() -> None:
    with pytest.raises(NoModel, match="no-such-model"):
        reranker("/nowhere/no-such-model")


def _as_dict() -> dict[str, object]:
    from dataclasses import asdict

    return asdict(SETTINGS)
