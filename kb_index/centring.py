"""Vectors centred per language.

e5 places texts of one language near each other whatever they say. Subtracting each language's mean vector from
passages and questions, and normalising again, takes that away. The means belong to an index version; a
language with few passages leans on the mean of ordinary sentences, since the mean of three passages is mostly
their subject. Questions lean too: their mean is half the passages' and half that of ordinary questions, which
ranks as well and tells nonsense from questions better (AUC 0.99 against 0.93 on a small index).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kb_index.language import language_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

__all__ = ["LanguageMeans", "Means"]

PRIOR = (
    20  # the ordinary sentences weigh as much as this many passages; of 5 to 200, best on the mixed test set
)


@dataclass(frozen=True, slots=True)
class Means:
    """language -> mean vector of its passages, of its questions; "" is for any other language.

    The same shape holds a model's prior: the means of ordinary sentences and of ordinary questions.
    """

    passages: Mapping[str, Vectors]
    questions: Mapping[str, Vectors]

    def centre(self, vectors: Vectors, languages: Sequence[str]) -> Vectors:
        """Passages' vectors (n, dimension) less their language's mean, of unit length again."""
        return _centre(vectors, languages, self.passages)

    def centre_question(self, vector: Vectors, text: str) -> Vectors:
        """The same for one question's vector (dimension,)."""
        (moved,) = _centre(vector[None, :], [language_of(text)], self.questions)
        return cast("Vectors", moved)

    def save(self, path: Path) -> None:
        import numpy as np

        named: dict[str, Any] = {f"p{name}": v for name, v in self.passages.items()}
        named.update({f"q{name}": v for name, v in self.questions.items()})
        with path.open("wb") as f:
            np.savez(f, **named)

    @classmethod
    def load(cls, path: Path) -> Means:
        """Raises OSError, ValueError."""
        import numpy as np

        with np.load(path) as f:
            found = {name: f[name] for name in f.files}
        return cls(
            {name[1:]: v for name, v in found.items() if name[0] == "p"},
            {name[1:]: v for name, v in found.items() if name[0] == "q"},
        )


class LanguageMeans:
    """Sums passages' vectors by language, a file at a time, and gives the means that an index version keeps."""

    def __init__(self) -> None:
        self._sums: dict[str, Any] = {}
        self._counts: Counter[str] = Counter()

    def add(self, vectors: Vectors, languages: Sequence[str]) -> None:
        """`vectors` (n, dimension) is parallel to `languages`."""
        for vector, language in zip(vectors, languages, strict=True):
            self._sums[language] = self._sums.get(language, 0.0) + vector.astype("float64")
            self._counts[language] += 1

    def means(self, prior: Means) -> Means:
        """Drawn towards the prior."""
        import numpy as np

        own = [self._sums[name] / n for name, n in self._counts.items()]
        overall = np.mean([*prior.passages.values(), *own], axis=0)
        asked = np.mean(list(prior.questions.values()), axis=0)
        passages: dict[str, Vectors] = {"": overall.astype(np.float32)}
        for name in {*self._sums, *prior.passages}:
            weighted = self._sums.get(name, 0.0) + PRIOR * prior.passages.get(name, overall)
            passages[name] = (weighted / (self._counts[name] + PRIOR)).astype(np.float32)
        questions = {
            name: ((mean + prior.questions.get(name, asked)) / 2).astype(np.float32)
            for name, mean in passages.items()
        }
        return Means(passages, questions)


def _centre(vectors: Vectors, languages: Sequence[str], means: Mapping[str, Vectors]) -> Vectors:
    import numpy as np

    away = np.stack([means.get(language, means[""]) for language in languages])
    moved = vectors - away
    length = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.asarray(moved / np.maximum(length, 1e-9), dtype=np.float32)
