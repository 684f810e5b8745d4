"""One catalogue and several of its questions as one sequence of tokens; `gemma.Gemma` keeps them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from planner.training.gemma import Layout

__all__ = ["BEGIN", "Encoder", "Pack"]

BEGIN = 2  # the begin token that stands before every prompt
FREE = 0.15  # weight of a token of free text
_FREE = re.compile(r"(?:(?<= ; )|^)#\S+( .*?)(?= ; |\n)|^\?(.*)")


@dataclass(frozen=True, slots=True)
class Pack:
    """tokens [N]; at the rows `wanted` [W] of these the tokens `targets` [W] are to be foretold, which count for as
    much as `weights` [W] say: free text, such as what to look for in documents, for less."""

    tokens: Tensor
    layout: Layout
    wanted: Tensor
    targets: Tensor
    weights: Tensor


class Encoder:
    """Text to token numbers, as llama.cpp reads a prompt."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    def ids(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)

    def pack(self, prefix: str, pairs: Sequence[tuple[str, str]]) -> Pack:
        """`pairs` are (branch, target). Line feeds at the end of the prefix go to the branches: two of them side by
        side are one token."""
        shared = prefix.rstrip("\n")
        tokens = [BEGIN, *self.ids(shared)]
        first = len(tokens)
        lengths: list[int] = []
        wanted: list[int] = []
        targets: list[int] = []
        weights: list[float] = []
        for branch, target in pairs:
            read, written = self.ids(prefix[len(shared) :] + branch), self.ids(target)
            weights += self._weights(target)
            wanted += range(len(tokens) + len(read) - 1, len(tokens) + len(read) + len(written) - 1)
            targets += written
            tokens += [*read, *written[:-1]]
            lengths.append(len(read) + len(written) - 1)
        layout = Layout(first, tuple(lengths))
        return Pack(
            torch.tensor(tokens), layout, torch.tensor(wanted), torch.tensor(targets), torch.tensor(weights)
        )

    def _weights(self, target: str) -> list[float]:
        """One for each token of the target."""
        free = [m.span(1 if m[1] else 2) for m in _FREE.finditer(target)]
        offsets = self.tokenizer.encode(target, add_special_tokens=False).offsets
        return [FREE if any(a <= start < b for a, b in free) else 1.0 for start, _ in offsets]

    def basic(self) -> Tensor:
        """Numbers of the tokens that spell anything: single characters and bytes, ascending."""
        found = [
            n
            for text, n in self.tokenizer.get_vocab().items()
            if len(text) == 1 or (len(text) == 6 and text.startswith("<0x"))
        ]
        return torch.tensor(sorted(found))
