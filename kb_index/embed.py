"""Sentence vectors by SentenceTransformer on the CPU, one model a process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kb_index.centring import Means
from kb_index.errors import NoModel
from kb_index.model import lay_out
from kb_index.plain_sentences import ASKED, PLAIN
from kb_index.settings import IndexSettings

if TYPE_CHECKING:
    from kb_index.centring import Vectors

__all__ = ["Embedder", "embedder"]

BATCH = 16


class Embedder:
    """Thread-safe."""

    def __init__(self, model: str, threads: int) -> None:
        self._model = _load(model, threads)
        self._lock = threading.Lock()
        self._prior: Means | None = None

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors (n, dimension), as the model gives them."""
        return self._encode(texts, "passage")

    def question(self, text: str) -> Vectors:
        """One unit vector (dimension,)."""
        (vector,) = self.questions([text])
        return cast("Vectors", vector)

    def questions(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors (n, dimension)."""
        return self._encode(texts, "query")

    def prior(self) -> Means:
        """The means of ordinary sentences and questions under this model."""
        if self._prior is None:
            self._prior = self._measure_prior()
        return self._prior

    def _measure_prior(self) -> Means:
        return Means(
            {name: self._encode(texts, "passage").mean(axis=0) for name, texts in PLAIN.items()},
            {name: self._encode(texts, "query").mean(axis=0) for name, texts in ASKED.items()},
        )

    def _encode(self, texts: Sequence[str], prompt: str) -> Vectors:
        import numpy as np

        with self._lock:
            vectors = self._model.encode(
                list(texts),
                prompt_name=prompt if prompt in self._model.prompts else None,  # other models may have none
                batch_size=BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), -1)


_loading = threading.Lock()


def embedder(settings: IndexSettings, index_dir: Path) -> Embedder:
    """The model of these settings, loaded once a process. Raises NoModel."""
    with _loading:
        model = settings.model or str(lay_out(settings.home_of(index_dir)))
        return _embedder(model, settings.torch_threads)


@lru_cache(maxsize=2)
def _embedder(model: str, threads: int) -> Embedder:
    return Embedder(model, threads)


def _load(model: str, threads: int) -> Any:
    import torch
    import transformers
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
    try:
        return SentenceTransformer(model, device="cpu")
    except (OSError, ValueError) as e:
        first = str(e).strip().splitlines()[0] if str(e).strip() else type(e).__name__
        raise NoModel(f"the embedding model {model!r} cannot be loaded: {first}") from None
