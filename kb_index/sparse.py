"""BM25 as sparse vectors: a passage's side in the store, the question's side (IDF) computed from the
index's own document frequencies, so that every backend scores alike.

Score of passage d for question q: sum over shared tokens t of idf(t) * tf*(k+1) / (tf + k*(1-b + b*|d|/avg)),
Robertson and Zaragoza 2009, with idf = ln(1 + (N - n + 0.5) / (n + 0.5)).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kb_index.asking import ALSO
from kb_index.words import question_tokens, token_id, tokens

__all__ = ["Frequencies", "passage_weights"]

K = 1.2
B = 0.75


def passage_weights(words: Sequence[str], average: float) -> dict[int, float]:
    """The passage's sparse vector. `average`: tokens per passage in the whole index."""
    size = K * (1 - B + B * len(words) / max(average, 1.0))
    out: dict[int, float] = {}
    for token, n in Counter(words).items():
        key = token_id(token)
        out[key] = out.get(key, 0.0) + n * (K + 1) / (n + size)
    return out


@dataclass(slots=True)
class Frequencies:
    """In how many passages each token stands."""

    passages: int = 0
    total: int = 0  # tokens of all passages
    counts: Counter[int] = field(default_factory=Counter)

    def add(self, words: Iterable[str]) -> None:
        listed = list(words)
        self.passages += 1
        self.total += len(listed)
        self.counts.update({token_id(t) for t in listed})

    @property
    def average(self) -> float:
        return self.total / self.passages if self.passages else 1.0

    def idf(self, key: int) -> float:
        n = self.counts.get(key, 0)
        return math.log(1 + (self.passages - n + 0.5) / (n + 0.5))

    def question(self, text: str) -> dict[int, float]:
        """The question's sparse vector: each distinct telling token with its IDF."""
        return {key: self.idf(key) for key in (token_id(t) for t in question_tokens(text))}

    def widened(self, question: Mapping[int, float], also: Iterable[str]) -> dict[int, float]:
        """The question's vector with the tokens of further words that the index knows, at `ALSO` of their IDF."""
        out = dict(question)
        for key in {token_id(t) for words in also for t in tokens(words)}:
            if key not in out and self.counts.get(key):
                out[key] = ALSO * self.idf(key)
        return out

    def coverage(self, question: dict[int, float], passage: str) -> float:
        """The share of the question's IDF whose tokens stand in the passage, 0..1. A token that no passage of
        the index holds counts in full against it."""
        whole = sum(question.values())
        if not whole:
            return 0.0
        there = {token_id(t) for t in tokens(passage)}
        return sum(v for k, v in question.items() if k in there) / whole

    def knows_none(self, words: Sequence[str]) -> bool:
        """There are words, and no passage holds any of them."""
        return bool(words) and not any(self.counts.get(token_id(w)) for w in words)

    def save(self, path: Path) -> None:
        import numpy as np

        keys = np.fromiter(self.counts.keys(), np.uint32, len(self.counts))
        values = np.fromiter(self.counts.values(), np.uint32, len(self.counts))
        with path.open("wb") as f:
            np.savez(f, keys=keys, values=values, size=np.array([self.passages, self.total], np.int64))

    @classmethod
    def load(cls, path: Path) -> Frequencies:
        import numpy as np

        with np.load(path) as f:
            counts = Counter(dict(zip(f["keys"].tolist(), f["values"].tolist(), strict=True)))
            passages, total = f["size"].tolist()
        return cls(passages, total, counts)
