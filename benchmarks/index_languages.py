"""How well questions find their passages, dense, by words and fused, on mixed Chinese and English collections.

    python -m benchmarks.index_languages [FILE...]

FILE (YAML): `passages`, each with its `text` and a question in other words (`paraphrase`), in its own few words
(`keyword`) and in the other language (`cross`); `nothing`: questions that no passage answers; `distractors`: further
passages. By default the set that weights and floors were chosen on, and one by another author that nothing was chosen on.
Prints hit@1 for each kind, and what the floor keeps.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from kb_index.asking import read_glossary
from kb_index.centring import LanguageMeans, Means
from kb_index.embed import Embedder, embedder
from kb_index.fusion import fuse
from kb_index.language import language_of
from kb_index.search import QUESTION_FLOOR
from kb_index.settings import IndexSettings
from kb_index.sparse import Frequencies, passage_weights
from kb_index.store import Match
from kb_index.words import tokens

__all__ = ["KINDS", "Collection", "hits", "read_collection"]

ROOT = Path(__file__).resolve().parents[1]
SETS = (
    ROOT / "tests" / "kb_index" / "data" / "retrieval.yaml",
    ROOT / "benchmarks" / "data" / "languages.yaml",
)
KINDS = ("paraphrase", "keyword", "cross")


@dataclass
class Collection:
    """Passages in memory, asked as an index asks its store. `passages` have questions; the distractors come after them."""

    passages: list[dict[str, str]]
    texts: list[str]
    nothing: list[str]
    dense: Callable[[str], Any]
    frequencies: Frequencies
    weights: list[dict[int, float]]

    def words(self, question: str) -> Any:
        """BM25 of each passage, shape (passages,)."""
        q = self.searched(question)
        return np.array([sum(v * w.get(k, 0.0) for k, v in q.items()) for w in self.weights])

    def searched(self, question: str) -> dict[int, float]:
        asked = read_glossary().asked(question)
        return self.frequencies.widened(self.frequencies.question(asked.text), asked.also)

    def fused(self, question: str) -> int:
        cosines, scores = self.dense(question), self.words(question)
        dense = [Match(str(i), float(c), {}) for i, c in enumerate(cosines)]
        words = [Match(str(i), float(s), {}) for i, s in enumerate(scores) if s > 0]
        return int(fuse(dense, words, sum(self.searched(question).values()))[0].match.id)

    def hit_at_1(self, kind: str, rank: Callable[[str], int]) -> float:
        return sum(rank(p[kind]) == i for i, p in enumerate(self.passages)) / len(self.passages)

    def passes(self, question: str) -> bool:
        """The floor lets the question through: some passage bears on it."""
        floor, share = QUESTION_FLOOR
        q = self.frequencies.question(question)
        covered = max(self.frequencies.coverage(q, t) for t in self.texts)
        return bool(self.dense(question).max() >= floor or covered >= share)


def read_collection(path: Path, model: Embedder) -> Collection:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    texts = [p["text"] for p in data["passages"]] + data.get("distractors", [])
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
    meant = [read_glossary().asked(q).meant for q in asked]
    vectors = dict(zip(asked, model.questions(meant), strict=True))

    def dense(question: str) -> Any:
        return centred @ means.centre_question(vectors[question], question)

    return Collection(data["passages"], texts, data["nothing"], dense, frequencies, weights)


def hits(collection: Collection) -> dict[str, dict[str, float]]:
    """way -> kind -> hit@1."""
    ways: dict[str, Callable[[str], int]] = {
        "dense": lambda q: int(collection.dense(q).argmax()),
        "words": lambda q: int(collection.words(q).argmax()),
        "fused": collection.fused,
    }
    return {way: {kind: collection.hit_at_1(kind, rank) for kind in KINDS} for way, rank in ways.items()}


def main(files: Sequence[Path]) -> None:
    home = ROOT / ".assay"
    model = embedder(IndexSettings(home=str(home)), home / "index" / "x")
    for path in files:
        collection = read_collection(path, model)
        asked = [p[kind] for p in collection.passages for kind in KINDS]
        print(f"{path.name}: {len(asked)} questions on {len(collection.texts)} passages")
        for way, figures in hits(collection).items():
            print(f"  {way:6}", "  ".join(f"{kind} {v:.3f}" for kind, v in figures.items()))
        kept = sum(map(collection.passes, asked)) / len(asked)
        through = sum(map(collection.passes, collection.nothing)) / len(collection.nothing)
        print(
            f"  floor: {kept:.3f} of the questions kept, {through:.3f} of {len(collection.nothing)} that nothing answers let through"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", type=Path, nargs="*", default=[p for p in SETS if p.is_file()])
    main(parser.parse_args().files)
