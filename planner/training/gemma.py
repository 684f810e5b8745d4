"""Gemma-3-270M with a low-rank adapter, over one packed sequence: a prefix and the branches that continue it.

A branch sees the prefix and itself, at the positions it would have alone, so the loss is that of unpacked
prompts. Every sixth layer attends to everything, the others to the last 512 positions (RoPE base 10,000
instead of 1,000,000): https://arxiv.org/abs/2503.19786. Weights go by their GGUF names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

__all__ = ["ADAPTED", "ALPHA", "RANK", "Gemma", "Layout"]

RANK, ALPHA = 16, 32.0
LAYERS, WIDTH, HEADS, HEAD, WINDOW = 18, 640, 4, 256, 512
# what shares an input shares one product
ADAPTED: dict[str, tuple[tuple[str, int], ...]] = {
    "qkv": (("attn_q", 1024), ("attn_k", 256), ("attn_v", 256)),
    "out": (("attn_output", 640),),
    "gate_up": (("ffn_gate", 2048), ("ffn_up", 2048)),
    "down": (("ffn_down", 640),),
}


@dataclass(frozen=True, slots=True)
class Layout:
    """Of N tokens the first `prefix` are shared; `lengths` are those of the branches, in their order."""

    prefix: int
    lengths: tuple[int, ...]

    def positions(self) -> Tensor:
        """[N]"""
        starts = [torch.arange(self.prefix, self.prefix + n) for n in self.lengths]
        return torch.cat([torch.arange(self.prefix), *starts])

    def padded(self) -> tuple[Tensor, Tensor]:
        """([branches, longest] rows among the branch tokens, 0 where none; [tokens] the places of theirs)."""
        longest = max(self.lengths)
        rows = torch.zeros(len(self.lengths), longest, dtype=torch.long)
        places, start = [], 0
        for i, n in enumerate(self.lengths):
            rows[i, :n] = torch.arange(start, start + n)
            places.append(torch.arange(i * longest, i * longest + n))
            start += n
        return rows, torch.cat(places)


class _Adapted(torch.autograd.Function):
    """x·Wᵀ where W holds the adapter already; the gradient reaches x and the adapter, not the base."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, merged: Tensor, down: Tensor, up: Tensor, sizes: list[int]) -> Tensor:
        ctx.save_for_backward(x, merged, down, up)
        ctx.sizes = sizes
        return x @ merged.T

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, merged, down, up = ctx.saved_tensors
        scale = ALPHA / RANK
        inner = x @ down.T
        pieces, parts = torch.split(grad, ctx.sizes, 1), torch.split(up, ctx.sizes, 0)
        back = torch.cat([g @ u for g, u in zip(pieces, parts, strict=True)], 1)
        up_grad = torch.cat([g.T @ h for g, h in zip(pieces, torch.split(inner, RANK, 1), strict=True)], 0)
        x_grad = grad @ merged if ctx.needs_input_grad[0] else None
        return x_grad, None, scale * (back.T @ x), scale * up_grad, None


class Gemma:
    """`weights` by GGUF name. `adapter` holds `blk.N.GROUP.down` [16·members, in] and `.up` [out, 16].

    Call `merge` after every change of the adapter."""

    def __init__(
        self, weights: dict[str, Tensor], *, seed: int = 0, device: str = "cpu", layers: int = LAYERS
    ) -> None:
        self.device, self.layers = device, layers
        self.dtype = torch.bfloat16 if device == "cuda" else torch.float32
        self.embedding = weights["token_embd.weight"].to(device)
        self.norms = {n: w.to(device) for n, w in weights.items() if "norm" in n}
        self.base: dict[str, Tensor] = {}
        self.adapter: dict[str, Tensor] = {}
        self.sizes = {g: [size for _, size in members] for g, members in ADAPTED.items()}
        noise = torch.Generator().manual_seed(seed)
        for layer in range(layers):
            for group, members in ADAPTED.items():
                name = f"blk.{layer}.{group}"
                base = torch.cat([weights[f"blk.{layer}.{m}.weight"] for m, _ in members])
                width = base.shape[1]
                down = torch.randn(RANK * len(members), width, generator=noise) * width**-0.5
                self.base[name] = base.to(device)
                self.adapter[f"{name}.down"] = down.to(device).requires_grad_()
                self.adapter[f"{name}.up"] = torch.zeros(base.shape[0], RANK, device=device).requires_grad_()
        self.merged = {n: w.to(self.dtype).clone() for n, w in self.base.items()}

    def parameters(self) -> Iterator[Tensor]:
        yield from self.adapter.values()

    @torch.no_grad()
    def merge(self) -> None:
        """Folds the adapter into the weights that the products use."""
        for name, base in self.base.items():
            down, up = self.adapter[f"{name}.down"], self.adapter[f"{name}.up"]
            sizes = self.sizes[name.rsplit(".", 1)[1]]
            start = 0
            for i, size in enumerate(sizes):
                rows = slice(start, start + size)
                delta = torch.addmm(base[rows], up[rows], down[i * RANK : (i + 1) * RANK], alpha=ALPHA / RANK)
                self.merged[name][rows].copy_(delta)
                start += size

    def _product(self, x: Tensor, name: str) -> Tensor:
        a = self.adapter
        sizes = self.sizes[name.rsplit(".", 1)[1]]
        down, up = a[f"{name}.down"].to(self.dtype), a[f"{name}.up"].to(self.dtype)
        product: Tensor = _Adapted.apply(x, self.merged[name], down, up, sizes)  # type: ignore[no-untyped-call]
        return product

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return functional.rms_norm(x, x.shape[-1:], self.norms[f"{name}.weight"].to(x.dtype), 1e-6)

    def hidden(self, tokens: Tensor, layout: Layout, wanted: Tensor) -> Tensor:
        """[wanted, 640] after the last norm; `wanted` are indices into the N tokens, all of branches."""
        x = (self.embedding[tokens] * WIDTH**0.5).to(self.dtype)
        turns = {base: _turns(layout.positions(), base, self.device, self.dtype) for base in (1e4, 1e6)}
        attention = _Attention(layout, self.device)
        for layer in range(self.layers):
            name = f"blk.{layer}"
            everywhere = layer % 6 == 5
            packed = self._product(self._norm(x, f"{name}.attn_norm"), f"{name}.qkv")
            q, k, v = torch.split(packed, self.sizes["qkv"], 1)
            turn = turns[1e6 if everywhere else 1e4]
            q = _turned(
                self._norm(q.view(-1, HEADS, HEAD), f"{name}.attn_q_norm"), turn[0][:, None], turn[1][:, None]
            )
            k = _turned(self._norm(k, f"{name}.attn_k_norm"), *turn)
            seen = attention(q, k, v, windowed=not everywhere)
            if layer == self.layers - 1:
                seen, x = seen[wanted], x[wanted]
            x = x + self._norm(self._product(seen, f"{name}.out"), f"{name}.post_attention_norm")
            gate, up = self._product(self._norm(x, f"{name}.ffn_norm"), f"{name}.gate_up").chunk(2, 1)
            inner = functional.gelu(gate, approximate="tanh") * up
            x = x + self._norm(self._product(inner, f"{name}.down"), f"{name}.post_ffw_norm")
        return self._norm(x, "output_norm")

    def logits(self, hidden: Tensor, vocabulary: Tensor | None = None) -> Tensor:
        """Over the whole vocabulary, or over these token numbers only."""
        rows = self.embedding if vocabulary is None else self.embedding[vocabulary]
        return hidden @ rows.to(hidden.dtype).T


def _turns(positions: Tensor, base: float, device: str, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    angles = positions[:, None].float() * base ** (-torch.arange(0, HEAD, 2).float() / HEAD)
    both = torch.cat([angles, angles], 1)
    return both.cos().to(device, dtype), both.sin().to(device, dtype)


def _turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    low, high = x.chunk(2, -1)
    return x * cos + torch.cat([-high, low], -1) * sin


class _Attention:
    """One key and value head for four of queries; masks are made once a sequence."""

    def __init__(self, layout: Layout, device: str) -> None:
        self.prefix = p = layout.prefix
        rows, places = layout.padded()
        self.rows, self.places = rows.to(device), places.to(device)
        longest = rows.shape[1]
        row, column = torch.arange(p)[:, None], torch.arange(p)[None]
        own = torch.arange(longest)
        later = own[None] > own[:, None]
        self.first = {w: ((column > row) | (w & (row - column >= WINDOW))).to(device) for w in (False, True)}
        self.start = {False: 0, True: max(0, p - WINDOW + 1)}
        self.own: dict[bool, Tensor] = {}
        for windowed in (False, True):
            earlier = torch.arange(self.start[windowed], p)
            far = windowed & (p + own[:, None] - earlier[None] >= WINDOW)
            masked = torch.cat([far, later], 1)
            self.own[windowed] = masked.repeat_interleave(HEADS, 0).to(device)  # [longest·4, keys]

    def __call__(self, q: Tensor, k: Tensor, v: Tensor, *, windowed: bool) -> Tensor:
        """q [N, 4, 256], k and v [N, 256] → [N, 1024]"""
        p, scale = self.prefix, HEAD**-0.5
        q = q * scale
        first = q[:p].transpose(0, 1)  # [4, p, 256]
        scores = (first @ k[:p].T).masked_fill(self.first[windowed], float("-inf"))
        seen = (scores.softmax(-1) @ v[:p]).transpose(0, 1).reshape(p, -1)
        start = self.start[windowed]
        branches, longest = self.rows.shape
        keys, values = k[p:][self.rows], v[p:][self.rows]  # [branches, longest, 256]
        asked = q[p:][self.rows].reshape(branches, longest * HEADS, HEAD)
        earlier = asked.view(-1, HEAD) @ k[start:p].T
        scores = torch.cat([earlier.view(branches, longest * HEADS, -1), asked @ keys.transpose(1, 2)], 2)
        weights = scores.masked_fill(self.own[windowed], float("-inf")).softmax(-1)
        before, itself = torch.split(weights, [p - start, longest], 2)
        mixed = (before.reshape(branches * longest * HEADS, -1) @ v[start:p]).view_as(asked) + itself @ values
        return torch.cat([seen, mixed.reshape(branches * longest, HEADS * HEAD)[self.places]])
