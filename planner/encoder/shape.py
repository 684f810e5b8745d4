"""Sizes of the encoder, as its weights' metadata keep them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["HEADS", "Dimensions"]

HEADS = 8


@dataclass(frozen=True, slots=True)
class Dimensions:
    """`width` of the head, its `blocks`, the number of `shapes`, and the first `layer` of e5 that was trained."""

    width: int = 192
    blocks: int = 2
    shapes: int = 0
    layer: int = 9
    rank: int = 16
