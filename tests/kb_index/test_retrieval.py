"""How well questions find their passages, dense, by words and fused, on a mixed Chinese and English collection.

`python -m pytest tests/kb_index/test_retrieval.py -s` prints the figures that kb_index/fusion.py, centring.py and
search.py cite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from kb_index.centring import LanguageMeans, Means
from kb_index.embed import embedder
from kb_index.fusion import fuse
from kb_index.language import language_of
from kb_index.search import QUESTION_FLOOR
from kb_index.settings import IndexSettings
from kb_index.sparse import Frequencies, passage_weights
from kb_index.store import Match
from kb_index.words import tokens

pytestmark = pytest.mark.slow
KINDS = ("paraphrase", "keyword", "cross")


@dataclass
class Collection:
    passages: list[dict[str, str]]
    nothing: list[str]
    dense: Callable[[str], Any]
    words: Callable[[str], Any]
    frequencies: Frequencies

    def fused(self, question: str) -> int:
        cosines, scores = self.dense(question), self.words(question)
        dense = [Match(str(i), float(c), {}) for i, c in enumerate(cosines)]
        words = [Match(str(i), float(s), {}) for i, s in enumerate(scores) if s > 0]
        return int(fuse(dense, words, sum(self.frequencies.question(question).values()))[0].match.id)

    def hit_at_1(self, kind: str, rank: Callable[[str], int]) -> float:
        return sum(rank(p[kind]) == i for i, p in enumerate(self.passages)) / len(self.passages)


@pytest.fixture(scope="module")
def collection(e5_home: Path) -> Collection:
    path = Path(__file__).parent / "data" / "retrieval.yaml"
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    texts = [p["text"] for p in data["passages"]]
    model = embedder(IndexSettings(home=str(e5_home)), e5_home / "index" / "x")
    languages = [language_of(t) for t in texts]
    raw = model.passages(texts)
    sums = LanguageMeans()
    sums.add(raw, languages)
    means: Means = sums.means(model.prior())
    centred = means.centre(raw, languages)
    frequencies = Frequencies()
    for t in texts:
        frequencies.add(tokens(t))
    weights = [passage_weights(tokens(t), frequencies.average) for t in texts]
    asked = [p[k] for p in data["passages"] for k in KINDS] + data["nothing"]
    vectors = dict(zip(asked, model._encode(asked, "query"), strict=True))

    def dense(question: str) -> Any:
        return centred @ means.centre_question(vectors[question], question)

    def words(question: str) -> Any:
        q = frequencies.question(question)
        return np.array([sum(v * w.get(k, 0.0) for k, v in q.items()) for w in weights])

    return Collection(data["passages"], data["nothing"], dense, words, frequencies)


def test_hit_at_1(collection: Collection) -> None:
    ways: dict[str, Callable[[str], int]] = {
        "dense": lambda q: int(collection.dense(q).argmax()),
        "words": lambda q: int(collection.words(q).argmax()),
        "fused": collection.fused,
    }
    found = {way: {kind: collection.hit_at_1(kind, rank) for kind in KINDS} for way, rank in ways.items()}
    for way, figures in found.items():
        print(f"{way:6}", {kind: round(v, 3) for kind, v in figures.items()})
    assert found["fused"]["keyword"] == 1.0
    assert found["fused"]["paraphrase"] >= 0.8
    assert found["fused"]["cross"] >= 0.75
    assert found["words"]["cross"] < 0.2  # what words alone cannot do


def test_nonsense_stays_below_the_floor_and_questions_above(collection: Collection) -> None:
    floor, share = QUESTION_FLOOR

    def passes(question: str) -> bool:
        q = collection.frequencies.question(question)
        covered = max(collection.frequencies.coverage(q, p["text"]) for p in collection.passages)
        return bool(collection.dense(question).max() >= floor or covered >= share)

    asked = [p[kind] for p in collection.passages for kind in KINDS]
    kept = sum(map(passes, asked)) / len(asked)
    let_through = sum(map(passes, collection.nothing)) / len(collection.nothing)
    print(f"floor {floor}: questions kept {kept:.3f}, nonsense let through {let_through:.3f}")
    assert kept >= 0.93
    assert let_through <= 0.15
