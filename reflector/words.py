"""Words of a text for matching it with a query: CJK bigrams, and runs of letters and digits (V2.3.1 is one)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

__all__ = ["Relevance", "words"]

_RUN = re.compile(r"[\u3400-\u9fff]+|[a-z0-9]+(?:[.\-_][a-z0-9]+)*")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "for",
        "from",
        "how",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "was",
        "what",
        "when",
        "which",
        "who",
        "with",
        "do",
        "does",
    ]
)


def words(text: str) -> list[str]:
    """Folded to lower case and half width; English function words are left out."""
    out: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text).lower()):
        if run[0] >= "\u3400":
            out += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        elif run not in _STOP:
            out.append(run[:-1] if len(run) > 3 and run.endswith("s") and run.isalpha() else run)
    return out


class Relevance:
    """Scores texts against a query by the words they share; a word that most of the texts have counts little."""

    def __init__(self, query: str, texts: Sequence[str]) -> None:
        self.query = query
        self._wanted = set(words(query))
        self._texts = max(1, len(texts))
        self._common = Counter(w for t in texts for w in set(words(t)))

    def score(self, text: str, title: str = "") -> float:
        """Inverse document frequencies of the shared words, summed; the title's count for half."""
        return self._sum(words(text)) + self._sum(words(title)) / 2

    def _sum(self, found: Iterable[str]) -> float:
        return sum(math.log(1 + self._texts / (1 + self._common[w])) for w in set(found) & self._wanted)
