"""A cross-encoder over the first passages, where the settings name one: it reads question and passage together, which ranks
better than two vectors do and costs a forward pass each. None comes with Assay."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kb_index.errors import NoModel

__all__ = ["FIRST", "Reranker", "reranker"]

FIRST = 32  # passages that are read again
BATCH = 16
LONGEST = 512  # tokens of question and passage


class Reranker:
    """Thread-safe."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._lock = threading.Lock()

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers, 0 to 1."""
        import torch

        with self._lock:
            found = self._model.predict(
                [(question, passage) for passage in passages],
                batch_size=BATCH,
                show_progress_bar=False,
                activation_fn=torch.nn.Sigmoid(),
            )
        return [float(score) for score in found]


_loading = threading.Lock()


def reranker(model: str) -> Reranker:
    """The cross-encoder of this path or name, loaded once a process. Raises NoModel."""
    with _loading:
        return _loaded(model)


@lru_cache(maxsize=1)
def _loaded(model: str) -> Reranker:
    import transformers
    from sentence_transformers import CrossEncoder

    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        found = CrossEncoder(model, device="cpu", max_length=LONGEST)
    except (OSError, ValueError) as e:
        first = str(e).strip().splitlines()[0] if str(e).strip() else type(e).__name__
        raise NoModel(f"the cross-encoder {model!r} cannot be loaded: {first}") from None
    if found.config.num_labels != 1:
        raise NoModel(f"the cross-encoder {model!r} gives {found.config.num_labels} values, not one score")
    return Reranker(found)
