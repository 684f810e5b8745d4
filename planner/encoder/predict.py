"""`Encoder`: the decisions of a question on one catalogue, whose items are encoded once and kept on disk by content.

It hears every trained network that lies in the folder of weights."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from planner.catalogue import Catalogue
from planner.compact import CompactPlan
from planner.encoder.decisions import Decisions
from planner.encoder.features import features
from planner.encoder.forward import Network, Outputs, below, text_vectors
from planner.encoder.items import KINDS, Items
from planner.encoder.relations import item_relations, token_links, token_spots
from planner.encoder.spots import Reading
from planner.encoder.threads import one_thread
from planner.encoder.tokens import tokenize
from planner.encoder.voices import heard
from planner.rules.lexicon import Lexicon

__all__ = ["WEIGHTS", "Encoder", "decided", "networks"]

Floats = npt.NDArray[np.float32]
WEIGHTS = Path(__file__).resolve().parent.parent / "weights"


def networks(weights: Path) -> list[Path]:
    """The files of trained networks in a folder. Raises FileNotFoundError where there is none."""
    found = sorted(weights.glob("encoder*.safetensors"))
    if not found:
        raise FileNotFoundError(f"no encoder*.safetensors in {weights}")
    return found


@lru_cache(maxsize=8)
def _network(model: Path, weights: Path) -> Network:
    return Network.load(model, weights)


@lru_cache(maxsize=8)
def _digest(weights: Path) -> str:
    return hashlib.sha256(weights.read_bytes()).hexdigest()[:16]


def _key(weights: Path, texts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join([_digest(weights), *texts]).encode()).hexdigest()[:32]


def _keep(path: Path | None, vectors: Floats) -> None:
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        np.save(file, vectors)
    part.replace(path)


class Encoder:
    """Reads the catalogue once; `read` keeps no state between questions.

    `models` is the folder that holds `e5`; `cache` the one in which item vectors are kept, None for nowhere; `weights` the
    folder of the trained networks. Raises OSError where a model file cannot be read."""

    def __init__(
        self, catalogue: Catalogue, models: Path, cache: Path | None = None, weights: Path = WEIGHTS
    ) -> None:
        self._model = models / "e5"
        self.lexicon = Lexicon(catalogue)
        self.items = Items.of(self.lexicon)
        files = networks(weights)
        with one_thread():
            self._networks = [_network(self._model, file) for file in files]
        self._kinds = np.array([KINDS.index(i.kind) for i in self.items.all])
        self._parents = np.array([i.parent for i in self.items.all])
        self._relations = item_relations(self.items)
        with one_thread():
            self._vectors = self._encoded(cache, files)

    def _encoded(self, cache: Path | None, weights: Sequence[Path]) -> list[Floats]:
        """Each network's vectors of the items."""
        texts = [i.text for i in self.items.all]
        kept = [cache / f"items-{_key(file, texts)}.npy" if cache is not None else None for file in weights]
        found: dict[int, Floats] = {
            n: np.load(path) for n, path in enumerate(kept) if path is not None and path.is_file()
        }
        new = [n for n in range(len(kept)) if n not in found]
        if new:
            unique = list(dict.fromkeys(texts))
            ids = [t.ids for t in tokenize(unique, self._model)]
            place = {t: i for i, t in enumerate(unique)}
            every = [place[t] for t in texts]
            for n, vectors in zip(new, text_vectors([self._networks[n] for n in new], ids), strict=True):
                found[n] = vectors[every]
                _keep(kept[n], found[n])
        return [found[n] for n in range(len(kept))]

    def read(self, question: str, today: date, draft: CompactPlan | None = None) -> Decisions:
        """`draft` is the rules' plan in compact lines, None where they made none: evidence like any other."""
        reading = Reading.of(question, today, self.lexicon)
        facts = features(question, today, self.items, reading, draft)
        (tokens,) = tokenize([question], self._model)
        within = token_spots(tokens.offsets, reading.spots)
        links = token_links(tokens.offsets, facts, len(self.items.all))
        said = []
        with one_thread():
            shared = below((n.trunk for n in self._networks), [tokens.ids])
            for network, vectors in zip(self._networks, self._vectors, strict=True):
                states = network.above(*shared[network.trunk])[0]
                said.append(
                    network.decide(
                        states, vectors, self._kinds, self._parents, facts, within, links, self._relations
                    )
                )
        known = [n.names for n in self._networks]
        alone = [
            decided(out, question, self.items, reading, tokens.offsets, names, draft)
            for out, names in zip(said, known, strict=True)
        ]
        if len(alone) == 1:
            return alone[0]
        out, names = heard(said, known)
        together = decided(out, question, self.items, reading, tokens.offsets, names, draft)
        return replace(together, voices=tuple(alone))


def decided(
    out: Outputs, question: str, items: Items, reading: Reading, offsets: list[tuple[int, int]], names: list[str],
    draft: CompactPlan | None,
) -> Decisions:  # fmt: skip
    """Logits as probabilities."""
    return Decisions(
        question, items, reading, offsets, _sigmoid(out.roles), _softmax(out.pointers), _sigmoid(out.pairs),
        _sigmoid(out.tops), _softmax(out.signs), _softmax(out.endings), _sigmoid(out.tags), _sigmoid(out.flags),
        _softmax(out.shapes), names, draft,
    )  # fmt: skip


def _sigmoid(x: Floats) -> Floats:
    return (1 / (1 + np.exp(-np.clip(x, -30, 30)))).astype(np.float32)


def _softmax(x: Floats) -> Floats:
    if not x.size:
        return x
    e = np.exp(x - x.max(-1, keepdims=True))
    made: Floats = (e / e.sum(-1, keepdims=True)).astype(np.float32)
    return made
