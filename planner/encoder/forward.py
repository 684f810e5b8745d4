"""The encoder with numpy alone: e5 with the trained top layers, and the joint head, as `planner.training.encoder_network`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from planner.encoder.features import Features
from planner.encoder.items import KINDS
from planner.encoder.labels import ENDINGS, SIGNS
from planner.encoder.relations import RELATIONS
from planner.encoder.shape import HEADS, Dimensions
from planner.encoder.tensors import Tensors

__all__ = ["Network", "Outputs", "Trunk", "below", "text_vectors"]

Floats = npt.NDArray[np.float32]
_E5_HEADS = 12
_PARTS = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "out": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense",
}  # fmt: skip


@dataclass(slots=True)
class Outputs:
    """Logits of one question; shapes as in `planner.training.encoder_network.Outputs` without the batch."""

    roles: Floats
    pointers: Floats
    pairs: Floats
    tops: Floats
    signs: Floats
    endings: Floats
    tags: Floats
    flags: Floats
    shapes: Floats


class Trunk:
    """e5's layers below `layer`, which no training changed: what several networks have in common."""

    def __init__(self, model: Path, layer: int) -> None:
        """`model` is e5's folder. Raises OSError."""
        self.base = Tensors(model / "model.safetensors")
        self.layers = [_plain_layer(model, i) for i in range(layer)]

    def states(self, ids: list[list[int]]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Token states [B, T, 384] of several texts, and where there are tokens [B, T]."""
        x, mask = self.embedded(ids)
        return _through(self.layers, x, mask), mask

    def embedded(self, ids: list[list[int]]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Below the first layer."""
        longest = max(map(len, ids))
        mask = np.array([[k < len(one) for k in range(longest)] for one in ids])
        padded = np.array([one + [1] * (longest - len(one)) for one in ids])
        base = self.base
        x = base.rows("embeddings.word_embeddings.weight", padded)
        x = x + base.rows("embeddings.position_embeddings.weight", np.arange(longest))
        x += base.rows("embeddings.token_type_embeddings.weight", np.zeros(1, np.int64))[0]
        x = _norm(x, base.read("embeddings.LayerNorm.weight"), base.read("embeddings.LayerNorm.bias"), 1e-12)
        return x, mask


def below(trunks: Iterable[Trunk], ids: list[list[int]]) -> dict[Trunk, tuple[Floats, npt.NDArray[np.bool_]]]:
    """`states` of several trunks of one model; the layers that they have in common are gone through once."""
    made: dict[Trunk, tuple[Floats, npt.NDArray[np.bool_]]] = {}
    done = 0
    for trunk in sorted(set(trunks), key=lambda t: len(t.layers)):
        x, mask = made[next(reversed(made))] if made else trunk.embedded(ids)
        made[trunk] = (_through(trunk.layers[done:], x, mask), mask)
        done = len(trunk.layers)
    return made


def text_vectors(networks: Sequence[Network], ids: list[list[int]]) -> list[Floats]:
    """Of each network the means over each text's tokens [B, 384], 32 texts of about one length at a time."""
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    made: list[Floats] = [np.zeros((len(ids), 384), np.float32) for _ in networks]
    for at in range(0, len(order), 32):
        some = order[at : at + 32]
        states = below((n.trunk for n in networks), [ids[i] for i in some])
        for network, vectors in zip(networks, made, strict=True):
            x, mask = states[network.trunk]
            x = network.above(x, mask)
            vectors[some] = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return made


@lru_cache(maxsize=12)
def _plain_layer(model: Path, i: int) -> dict[str, Floats]:
    """One for all trunks that have it."""
    return bert_layer(Tensors(model / "model.safetensors"), {}, i)


@lru_cache(maxsize=2)
def trunk(model: Path, layer: int) -> Trunk:
    """One for all networks that begin at the same layer."""
    return Trunk(model, layer)


def bert_layer(base: Tensors, tuned: dict[str, Floats], i: int) -> dict[str, Floats]:
    """Layer `i` of the base, its projections merged with what LoRA `tuned` has for them."""
    at, made = f"encoder.layer.{i}.", {}
    for short, name in _PARTS.items():
        weight = base.read(f"{at}{name}.weight").T
        low = f"top.layers.{i}.{short}."
        if low + "a" in tuned:
            weight = weight + tuned[low + "a"] @ tuned[low + "b"]
        made[short] = np.ascontiguousarray(weight)
        made[f"{short}.bias"] = base.read(f"{at}{name}.bias")
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        for end in ("weight", "bias"):
            made[f"{name}.{end}"] = base.read(f"{at}{name}.{end}")
    return made


@dataclass(slots=True)
class Network:
    """`tuned` is what was trained, float32; `layers` the upper ones of e5, merged with their LoRA on loading."""

    trunk: Trunk
    layers: list[dict[str, Floats]]
    tuned: dict[str, Floats]
    size: Dimensions
    names: list[str]

    @classmethod
    def load(cls, model: Path, weights: Path) -> Network:
        """`model` is e5's folder, `weights` the file of the trained part. Raises OSError."""
        file = Tensors(weights)
        about = json.loads(file.about["encoder"])
        size = Dimensions(**about["size"])
        tuned = {n: file.read(n) for n in file.names}
        common = trunk(model, size.layer)
        count = 1 + max(int(n.split(".")[2]) for n in common.base.names if n.startswith("encoder.layer."))
        layers = [bert_layer(common.base, tuned, i) for i in range(size.layer, count)]
        return cls(common, layers, tuned, size, about["shapes"])

    def states(self, ids: list[list[int]]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Token states [B, T, 384] of several texts, and where there are tokens [B, T]."""
        x, mask = self.trunk.states(ids)
        return self.above(x, mask), mask

    def above(self, x: Floats, mask: npt.NDArray[np.bool_]) -> Floats:
        """The trunk's states through the trained layers."""
        return _through(self.layers, x, mask)

    def decide(
        self, tokens: Floats, items: Floats, kinds: npt.NDArray[np.int64], parents: npt.NDArray[np.int64],
        facts: Features, within: Floats, links: Floats, relations: Floats,
    ) -> Outputs:  # fmt: skip
        """tokens [T, 384], items [N, 384], within [S, T], links [T, N], relations [4, N, N]."""
        t, s = len(tokens), len(facts.spots)
        kind = self.tuned["head.kind.weight"]
        alike, near = _similarities(tokens, items, kinds)
        x_items = self._line("item", items) + self._line("above", items[parents]) + kind[kinds]
        x_items = x_items + self._mlp("item_facts", np.concatenate([facts.items, near], 1))
        x_tokens = self._line("token", tokens) + kind[len(KINDS)]
        inside = (within @ tokens) / np.maximum(within.sum(1, keepdims=True), 1)
        x_spots = self._line("spot", inside) + self._mlp("spot_facts", facts.spots) + kind[len(KINDS) + 1]
        whole = (
            self._line("mean", tokens.mean(0)) + self._mlp("whole_facts", facts.whole) + kind[len(KINDS) + 2]
        )
        h = np.concatenate([whole[None], x_tokens, x_spots, x_items])
        length = len(h)
        made: Floats = np.zeros((len(RELATIONS), length, length), np.float32)
        a, b, c = slice(1, 1 + t), slice(1 + t, 1 + t + s), slice(1 + t + s, None)
        made[:4, c, c] = relations
        for r, (rows, columns, values) in enumerate(
            (
                (a, c, links),
                (a, b, within.T),
                (b, c, facts.pairs[..., 0]),
                (b, c, facts.pairs[..., 2]),
                (a, c, alike),
            ),
            4,
        ):
            made[r, rows, columns] = values
            made[r, columns, rows] = values.T
        bias = np.tensordot(self.tuned["head.relation"].T, made, 1).reshape(
            self.size.blocks, HEADS, length, length
        )
        for i in range(self.size.blocks):
            h = self._block(f"blocks.{i}", h, bias[i])
        h = self._normed("norm", h)
        whole, x_tokens, x_spots, x_items = h[0], h[a], h[b], h[c]
        roles = self._line("roles", x_items)
        told = self._line("spots", x_spots)
        fitting = self._line("left", x_spots) @ self._line("right", x_items).T / np.float32(8)
        pairs: Floats = (fitting + self._line("pair", facts.pairs)[..., 0]).astype(np.float32)
        return Outputs(
            roles[:, :-2],
            np.concatenate([roles[:, -2:], self._line("none", whole)[None]]).T,
            pairs,
            told[:, 0],
            told[:, 1 : 1 + len(SIGNS)],
            told[:, 1 + len(SIGNS) : 1 + len(SIGNS) + len(ENDINGS)],
            self._line("tag", x_tokens)[:, 0],
            self._mlp("flags", whole),
            self._mlp("shapes", whole),
        )

    def _line(self, name: str, x: Floats) -> Floats:
        return x @ self.tuned[f"head.{name}.weight"].T + self.tuned[f"head.{name}.bias"]

    def _mlp(self, name: str, x: Floats) -> Floats:
        return self._line(f"{name}.2", _gelu(self._line(f"{name}.0", x)))

    def _normed(self, name: str, x: Floats) -> Floats:
        return _norm(x, self.tuned[f"head.{name}.weight"], self.tuned[f"head.{name}.bias"], 1e-5)

    def _block(self, name: str, x: Floats, bias: Floats) -> Floats:
        length, d = x.shape
        q, k, v = (
            self._line(f"{name}.qkv", self._normed(f"{name}.norm1", x))
            .reshape(length, 3, HEADS, -1)
            .transpose(1, 2, 0, 3)
        )
        a = _attention(q, k, v, bias).transpose(1, 0, 2).reshape(length, d)
        x = x + self._line(f"{name}.out", a)
        return x + self._line(
            f"{name}.down", _gelu(self._line(f"{name}.up", self._normed(f"{name}.norm2", x)))
        )


def _through(layers: list[dict[str, Floats]], x: Floats, mask: npt.NDArray[np.bool_]) -> Floats:
    bias = np.where(mask, 0.0, -1e9).astype(np.float32)[:, None, None]
    for layer in layers:
        x = _bert(layer, x, bias)
    return x


def _bert(w: dict[str, Floats], x: Floats, bias: Floats) -> Floats:
    b, t, d = x.shape
    x = x.reshape(b * t, d)  # one large product is quicker than one a text
    q, k, v = (
        (x @ w[n] + w[f"{n}.bias"]).reshape(b, t, _E5_HEADS, -1).transpose(0, 2, 1, 3)
        for n in ("query", "key", "value")
    )
    a = _attention(q, k, v, bias).transpose(0, 2, 1, 3).reshape(b * t, d)
    norm = "attention.output.LayerNorm"
    x = _norm(x + a @ w["out"] + w["out.bias"], w[f"{norm}.weight"], w[f"{norm}.bias"], 1e-12)
    h = _gelu(x @ w["up"] + w["up.bias"]) @ w["down"] + w["down.bias"]
    return _norm(x + h, w["output.LayerNorm.weight"], w["output.LayerNorm.bias"], 1e-12).reshape(b, t, d)


def _attention(q: Floats, k: Floats, v: Floats, bias: Floats) -> Floats:
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1]) + bias
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return (scores / scores.sum(-1, keepdims=True)) @ v  # type: ignore[no-any-return]


def _norm(x: Floats, weight: Floats, bias: Floats, least: float) -> Floats:
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + least) * weight + bias  # type: ignore[no-any-return]


def _gelu(x: Floats) -> Floats:
    """With the error function of Abramowitz and Stegun 7.1.26, exact to 1.5e-7."""
    z = np.abs(x) * np.float32(1 / math.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    made: Floats = (0.5 * x * (1 + np.sign(x) * (1 - series * np.exp(-z * z)))).astype(np.float32)
    return made


def _similarities(tokens: Floats, items: Floats, kinds: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Token–item cosines [T, N] and each item's best and mean one [N, 2], standardised over groups of kinds."""
    mean = tokens.sum(0)
    mean = mean / max(float(np.linalg.norm(mean)), 1e-12)
    tokens = tokens / np.maximum(np.linalg.norm(tokens, axis=1, keepdims=True), 1e-12)
    vectors = items / np.maximum(np.linalg.norm(items, axis=1, keepdims=True), 1e-12)
    cosines = tokens @ vectors.T
    raw = np.stack([cosines.max(0), vectors @ mean], 1)
    alike, near = np.zeros_like(cosines), np.zeros_like(raw)
    group = np.where(kinds < 4, 0, np.where(kinds == len(KINDS) - 1, 2, 1))
    for g in range(3):
        inside = group == g
        if inside.sum() > 1:
            part = raw[inside]
            near[inside] = (part - part.mean(0)) / (part.std(0) + 1e-2)
            part = cosines[:, inside]
            alike[:, inside] = (part - part.mean()) / (part.std() + 1e-2)
    return alike, near
