"""The frozen lower layers of e5 over all texts of a world, once, so that training runs only the upper ones."""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from planner.encoder.tokens import tokenize
from planner.training.encoder_network import TopLayers

__all__ = ["Base", "States"]


class States:
    """Token states of several texts, one after the other; float16 [all tokens, 384]."""

    def __init__(self, states: Tensor, lengths: list[int], offsets: list[list[tuple[int, int]]]) -> None:
        self.states, self.lengths, self.offsets = states, lengths, offsets
        self.starts = [0]
        for length in lengths:
            self.starts.append(self.starts[-1] + length)

    def padded(self, which: list[int]) -> tuple[Tensor, Tensor]:
        """[B, T, 384] and its mask."""
        longest = max(self.lengths[i] for i in which)
        x = torch.zeros(len(which), longest, self.states.shape[1])
        mask = torch.zeros(len(which), longest, dtype=torch.bool)
        for row, i in enumerate(which):
            length = self.lengths[i]
            x[row, :length] = self.states[self.starts[i] : self.starts[i] + length].float()
            mask[row, :length] = True
        return x, mask


class Base:
    """e5's weights; `states` runs its layers below `layer`."""

    def __init__(self, model: Path, layer: int) -> None:
        self.model, self.layer = model, layer
        weights = load_file(model / "model.safetensors")
        self.weights = {n.removeprefix("bert."): w.float() for n, w in weights.items()}
        self.lower = TopLayers(self.weights, list(range(layer)), 0)
        self.total = 1 + max(int(n.split(".")[2]) for n in self.weights if n.startswith("encoder.layer."))

    def states(self, texts: list[str], cache: Path | None) -> States:
        """Kept under `cache` by the content of the texts; without one they stay float32."""
        key = hashlib.sha256(f"{self.layer}\0{chr(0).join(texts)}".encode()).hexdigest()[:24]
        kept = cache / f"{key}.pt" if cache is not None else None
        tokens = tokenize(texts, self.model)
        lengths, offsets = [len(t.ids) for t in tokens], [t.offsets for t in tokens]
        if kept is not None and kept.is_file():
            return States(torch.load(kept), lengths, offsets)
        parts: dict[int, Tensor] = {}
        order = sorted(range(len(texts)), key=lambda i: lengths[i])
        with torch.no_grad():
            for at in range(0, len(order), 32):
                some = order[at : at + 32]
                longest = max(lengths[i] for i in some)
                ids = torch.tensor([tokens[i].ids + [1] * (longest - lengths[i]) for i in some])
                mask = torch.arange(longest)[None] < torch.tensor([lengths[i] for i in some])[:, None]
                x = self.lower(self._embedded(ids), mask)
                for row, i in enumerate(some):
                    parts[i] = x[row, : lengths[i]].clone()
        made = torch.cat([parts[i] for i in range(len(texts))])
        if kept is not None:
            made = made.half()
            kept.parent.mkdir(parents=True, exist_ok=True)
            torch.save(made, kept)
        return States(made, lengths, offsets)

    def _embedded(self, ids: Tensor) -> Tensor:
        """Positions of a BERT: from 0."""
        w = self.weights
        x = (
            w["embeddings.word_embeddings.weight"][ids]
            + w["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + w["embeddings.token_type_embeddings.weight"][0]
        )
        norm = w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"]
        return torch.nn.functional.layer_norm(x, (x.shape[-1],), *norm, 1e-12)
