"""The encoder as a torch module: LoRA on the top layers of e5, and a joint head over question, spots and items.

`planner.encoder.forward` computes the same with numpy; names of parameters are shared."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from planner.encoder.features import GLOBAL, ITEM, PAIR, SPOT
from planner.encoder.items import KINDS
from planner.encoder.labels import ENDINGS, FLAGS, ROLES, SIGNS
from planner.encoder.relations import RELATIONS
from planner.encoder.shape import HEADS, Dimensions

__all__ = ["Batch", "Head", "Outputs", "TopLayers"]


class Lora(nn.Module):
    """x W + b of the frozen model, plus x A B (nothing more at rank 0)."""

    weight: Tensor
    bias: Tensor

    def __init__(self, weight: Tensor, bias: Tensor, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", weight, persistent=False)
        self.register_buffer("bias", bias, persistent=False)
        self.a = nn.Parameter(torch.randn(weight.shape[1], rank) / weight.shape[1] ** 0.5)
        self.b = nn.Parameter(torch.zeros(rank, weight.shape[0]))

    def forward(self, x: Tensor) -> Tensor:
        plain = functional.linear(x, self.weight, self.bias)
        return plain + (x @ self.a) @ self.b if self.a.shape[1] else plain


class TopLayers(nn.Module):
    """The last layers of a BERT, each projection with a LoRA. `weights` are the model's own by name."""

    def __init__(self, weights: dict[str, Tensor], layers: list[int], rank: int, heads: int = 12) -> None:
        super().__init__()
        self.heads = heads
        self.layers = nn.ModuleDict()
        self.norms: dict[str, Tensor] = {}
        for i in layers:
            at = f"encoder.layer.{i}."
            self.layers[str(i)] = nn.ModuleDict(
                {
                    short: Lora(weights[f"{at}{name}.weight"], weights[f"{at}{name}.bias"], rank)
                    for short, name in (
                        ("query", "attention.self.query"), ("key", "attention.self.key"), ("value", "attention.self.value"),
                        ("out", "attention.output.dense"), ("up", "intermediate.dense"), ("down", "output.dense"),
                    )
                }
            )  # fmt: skip
            for name in ("attention.output.LayerNorm", "output.LayerNorm"):
                for end in ("weight", "bias"):
                    self.norms[f"{i}.{name}.{end}"] = weights[f"{at}{name}.{end}"]

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x [B, T, 384], mask [B, T] true where there is a token."""
        b, t, d = x.shape
        bias = torch.zeros(b, 1, 1, t).masked_fill(~mask[:, None, None], -1e9)
        for i, layer in self.layers.items():
            q, k, v = (
                layer[n](x).view(b, t, self.heads, -1).transpose(1, 2)  # type: ignore[index]
                for n in ("query", "key", "value")
            )
            a = (
                functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
                .transpose(1, 2)
                .reshape(b, t, d)
            )
            x = self._norm(x + layer["out"](a), f"{i}.attention.output.LayerNorm")  # type: ignore[index]
            h = layer["down"](functional.gelu(layer["up"](x)))  # type: ignore[index]
            x = self._norm(x + h, f"{i}.output.LayerNorm")
        return x

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return functional.layer_norm(
            x, (x.shape[-1],), self.norms[f"{name}.weight"], self.norms[f"{name}.bias"], 1e-12
        )


@dataclass(slots=True)
class Batch:
    """B questions of one catalogue: tokens [B, T, 384], item vectors [N, 384], the rest as in `Features`; an item that is
    masked out [B, N] is not in the catalogue."""

    tokens: Tensor
    token_mask: Tensor
    items: Tensor
    kinds: Tensor
    parents: Tensor
    item_features: Tensor
    spot_features: Tensor
    spot_mask: Tensor
    spot_tokens: Tensor
    pairs: Tensor
    whole: Tensor
    links: Tensor
    item_relations: Tensor
    item_mask: Tensor


@dataclass(slots=True)
class Outputs:
    """Logits: roles [B, N, 8], pointers [B, 2, N + 1] (the last is none), pairs [B, S, N], tops [B, S], signs [B, S, 3],
    endings [B, S, 4], tags [B, T], flags [B, 10], shapes [B, K]."""

    roles: Tensor
    pointers: Tensor
    pairs: Tensor
    tops: Tensor
    signs: Tensor
    endings: Tensor
    tags: Tensor
    flags: Tensor
    shapes: Tensor


def _mlp(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.GELU(), nn.Linear(hidden, outputs))


class Block(nn.Module):
    """A pre-norm transformer layer whose attention adds weighted relations."""

    def __init__(self, d: int, dropout: float) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """`bias` [B, H, L, L]."""
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, HEADS, d // HEADS).permute(2, 0, 3, 1, 4)
        a = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias).transpose(1, 2).reshape(b, t, d)
        x = x + self.dropout(self.out(a))
        out: Tensor = x + self.dropout(self.down(functional.gelu(self.up(self.norm2(x)))))
        return out


class Shared(nn.Linear):
    """Outputs that have attributes [K, A] in common learn from each other: each adds what its attributes give."""

    attributes: Tensor

    def __init__(self, inputs: int, attributes: Tensor) -> None:
        super().__init__(inputs, len(attributes))
        self.register_buffer("attributes", attributes, persistent=False)
        self.common = nn.Parameter(torch.zeros(attributes.shape[1], inputs))

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + functional.linear(x, self.common) @ self.attributes.T


class Head(nn.Module):
    """`attributes` [K, A] of the shapes."""

    def __init__(self, size: Dimensions, attributes: Tensor, dropout: float = 0.1) -> None:
        super().__init__()
        d = size.width
        self.size = size
        self.token, self.item = nn.Linear(384, d), nn.Linear(384, d)
        self.above = nn.Linear(384, d)
        self.spot, self.mean = nn.Linear(384, d), nn.Linear(384, d)
        self.kind = nn.Embedding(len(KINDS) + 3, d)  # then token, spot, whole
        self.item_facts = _mlp(ITEM + 2, d, d)
        self.spot_facts = _mlp(SPOT, d // 2, d)
        self.whole_facts = _mlp(GLOBAL, d, d)
        self.relation = nn.Parameter(torch.randn(len(RELATIONS), size.blocks * HEADS) * 0.3)
        self.blocks = nn.ModuleList(Block(d, dropout) for _ in range(size.blocks))
        self.norm = nn.LayerNorm(d)
        self.roles = nn.Linear(d, len(ROLES) + 2)
        self.none = nn.Linear(d, 2)
        self.left, self.right = nn.Linear(d, 64), nn.Linear(d, 64)
        self.pair = nn.Linear(PAIR, 1)
        self.spots = nn.Linear(d, 1 + len(SIGNS) + len(ENDINGS))
        self.tag = nn.Linear(d, 1)
        self.flags = _mlp(d, d, len(FLAGS))
        self.shapes = nn.Sequential(nn.Linear(d, d), nn.GELU(), Shared(d, attributes))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Batch) -> Outputs:
        b, t, _ = x.tokens.shape
        s = x.spot_features.shape[1]
        alike, near = similarities(x)
        facts = torch.cat([x.item_features, near], -1)
        base = self.item(x.items) + self.above(x.items[x.parents]) + self.kind(x.kinds)
        items = base[None] + self.item_facts(facts)
        tokens = self.token(x.tokens) + self.kind.weight[len(KINDS)]
        count = x.spot_tokens.sum(-1, keepdim=True).clamp(min=1)
        within = (x.spot_tokens @ x.tokens) / count
        spots = self.spot(within) + self.spot_facts(x.spot_features) + self.kind.weight[len(KINDS) + 1]
        weights = x.token_mask.float()
        mean = (x.tokens * weights[..., None]).sum(1) / weights.sum(1, keepdim=True)
        whole = self.mean(mean) + self.whole_facts(x.whole) + self.kind.weight[len(KINDS) + 2]
        h = self.dropout(torch.cat([whole[:, None], tokens, spots, items], 1))
        mask = torch.cat([torch.ones(b, 1, dtype=torch.bool), x.token_mask, x.spot_mask, x.item_mask], 1)
        length = h.shape[1]
        biases = (
            related(x, alike.detach()).reshape(b, len(RELATIONS), length * length).transpose(1, 2)
            @ self.relation
        )
        biases = biases.view(b, length, length, len(self.blocks), HEADS).masked_fill(
            ~mask[:, None, :, None, None], -1e9
        )
        for i, block in enumerate(self.blocks):
            h = block(h, biases[:, :, :, i].permute(0, 3, 1, 2))
        h = self.norm(h)
        whole, tokens, spots, items = h[:, 0], h[:, 1 : 1 + t], h[:, 1 + t : 1 + t + s], h[:, 1 + t + s :]
        roles = self.roles(items)
        pointers = torch.cat([roles[..., -2:], self.none(whole)[:, None]], 1).transpose(1, 2)
        pairs = self.left(spots) @ self.right(items).transpose(1, 2) / 8 + self.pair(x.pairs)[..., 0]
        told = self.spots(spots)
        return Outputs(
            roles[..., :-2],
            pointers,
            pairs,
            told[..., 0],
            told[..., 1 : 1 + len(SIGNS)],
            told[..., 1 + len(SIGNS) :],
            self.tag(tokens)[..., 0],
            self.flags(whole),
            self.shapes(whole),
        )


def similarities(x: Batch) -> tuple[Tensor, Tensor]:
    """Token–item cosines [B, T, N], standardised over each group of kinds; of each item the best token's and the
    question's own [B, N, 2]."""
    tokens, items = functional.normalize(x.tokens, dim=-1), functional.normalize(x.items, dim=-1)
    cosines = tokens @ items.T
    present = x.token_mask.float()[..., None]
    hidden = cosines.masked_fill(~x.token_mask[..., None], -1)
    mean = functional.normalize((x.tokens * present).sum(1), dim=-1)
    raw = torch.stack([hidden.amax(1), mean @ items.T], -1)
    near = torch.zeros_like(raw)
    alike = torch.zeros_like(cosines)
    group = torch.where(x.kinds < 4, 0, torch.where(x.kinds == len(KINDS) - 1, 2, 1))
    for g in range(3):
        inside = group == g
        count = int(inside.sum())
        if count > 1:
            near[:, inside] = _standard(raw[:, inside], torch.ones(1), (1,), count)
            total = present.sum(1, keepdim=True) * count
            alike[:, :, inside] = _standard(cosines[:, :, inside], present, (1, 2), total) * present
    return alike, near


def _standard(x: Tensor, present: Tensor, over: tuple[int, ...], count: Tensor | int) -> Tensor:
    mean = (x * present).sum(over, keepdim=True) / count
    spread = (((x - mean) * present) ** 2).sum(over, keepdim=True) / count
    return (x - mean) / (spread.sqrt() + 1e-2)


def related(x: Batch, alike: Tensor) -> Tensor:
    """[B, R, L, L] over whole, tokens, spots, items."""
    b, t, _ = x.tokens.shape
    n, s = len(x.items), x.spot_features.shape[1]
    made = torch.zeros(b, len(RELATIONS), 1 + t + s + n, 1 + t + s + n)
    tokens, spots, items = slice(1, 1 + t), slice(1 + t, 1 + t + s), slice(1 + t + s, None)
    made[:, :4, items, items] = x.item_relations
    for r, (rows, columns, values) in enumerate(
        (
            (tokens, items, x.links),
            (tokens, spots, x.spot_tokens.transpose(1, 2)),
            (spots, items, x.pairs[..., 0]),
            (spots, items, x.pairs[..., 2]),
            (tokens, items, alike),
        ),
        4,
    ):
        made[:, r, rows, columns] = values
        made[:, r, columns, rows] = values.transpose(1, 2)
    return made
