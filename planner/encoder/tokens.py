"""Texts as token ids of the encoder's own tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer

__all__ = ["LONGEST", "Tokens", "tokenize"]

LONGEST = 160  # tokens of a question; more than that is cut


@dataclass(frozen=True, slots=True)
class Tokens:
    """`offsets` are characters of the text, (0, 0) for the two special tokens at the ends."""

    ids: list[int]
    offsets: list[tuple[int, int]]


@lru_cache(maxsize=2)
def _tokenizer(model: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def tokenize(texts: list[str], model: Path) -> list[Tokens]:
    """`model` is the folder that holds `tokenizer.json`."""
    return [Tokens(e.ids, e.offsets) for e in _tokenizer(model).encode_batch(texts)]
