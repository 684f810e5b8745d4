"""A trained adapter read back from its GGUF file, to go on training from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planner.errors import PlannerError
from planner.training.gemma import ADAPTED, LAYERS

__all__ = ["read_adapter"]


def read_adapter(path: Path) -> dict[str, Any]:
    """Float32 tensors by the names of `gemma.Gemma.adapter`, as `export.export` took them.

    Raises PlannerError on a file that is no such adapter."""
    import torch
    from gguf import GGUFReader

    try:
        held = {t.name: torch.from_numpy(t.data.copy()).float() for t in GGUFReader(path).tensors}
        found = {}
        for layer in range(LAYERS):
            for group, members in ADAPTED.items():
                names = [f"blk.{layer}.{member}.weight" for member, _ in members]
                found[f"blk.{layer}.{group}.down"] = torch.cat([held[f"{n}.lora_a"] for n in names])
                found[f"blk.{layer}.{group}.up"] = torch.cat([held[f"{n}.lora_b"] for n in names])
    except (OSError, ValueError, KeyError) as error:
        raise PlannerError(f"{path} is no adapter of this planner: {error}") from error
    return found
