"""How well questions find their passages, dense, by words and fused, on a mixed Chinese and English collection.

`python -m benchmarks.index_languages` prints the figures that kb_index/fusion.py, centring.py and search.py cite.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.index_languages import KINDS, Collection, hits, read_collection
from kb_index.embed import embedder
from kb_index.settings import IndexSettings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def collection(e5_home: Path) -> Collection:
    model = embedder(IndexSettings(home=str(e5_home)), e5_home / "index" / "x")
    return read_collection(Path(__file__).parent / "data" / "retrieval.yaml", model)


def test_hit_at_1(collection: Collection) -> None:
    found = hits(collection)
    assert found["fused"]["keyword"] == 1.0
    assert found["fused"]["paraphrase"] >= 0.8
    assert found["fused"]["cross"] >= 0.75
    assert found["words"]["cross"] < 0.2  # what words alone cannot do


def test_nonsense_stays_below_the_floor_and_questions_above(collection: Collection) -> None:
    asked = [p[kind] for p in collection.passages for kind in KINDS]
    kept = sum(map(collection.passes, asked)) / len(asked)
    let_through = sum(map(collection.passes, collection.nothing)) / len(collection.nothing)
    assert kept >= 0.93
    assert let_through <= 0.15
