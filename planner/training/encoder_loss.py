"""Minus the log-likelihood of a plan's decisions, summed over each question."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from planner.training.encoder_batches import Targets
from planner.training.encoder_network import Outputs

__all__ = ["losses"]


def losses(out: Outputs, want: Targets, mask: Tensor) -> dict[str, Tensor]:
    """Each a mean over the questions of sums over their decisions; `mask` [B, T] are the tokens."""
    b = len(want.shapes)

    def binary(logits: Tensor, target: Tensor, decided: Tensor) -> Tensor:
        return (
            functional.binary_cross_entropy_with_logits(logits, target, reduction="none") * decided
        ).sum() / b

    def choice(logits: Tensor, target: Tensor) -> Tensor:
        flat = target.reshape(-1)
        return (
            functional.cross_entropy(logits.reshape(len(flat), -1), flat, ignore_index=-1, reduction="sum")
            / b
        )

    made = {
        role: binary(out.roles[..., r], want.roles[..., r], want.roles_mask[..., r])
        for r, role in enumerate(
            ("used", "twice", "filtered", "wanted", "grouped", "condition", "written", "referenced")
        )
    }
    made["pairs"] = binary(out.pairs, want.pairs, want.pairs_mask)
    made["tops"] = binary(out.tops, want.tops, want.tops_mask)
    made["flags"] = binary(out.flags, want.flags, want.flags_mask)
    made["tags"] = binary(out.tags, want.tags, mask.float())
    made["pointers"] = choice(out.pointers, want.pointers)
    made["signs"] = choice(out.signs, want.signs)
    made["endings"] = choice(out.endings, want.endings)
    made["shapes"] = choice(out.shapes, want.shapes)
    return made


def total(parts: dict[str, Tensor]) -> Tensor:
    return torch.stack(list(parts.values())).sum()
