"""The encoder's trained weights as a checkpoint, to go on training from."""

from __future__ import annotations

import json
from pathlib import Path

from planner.errors import PlannerError

__all__ = ["begin_with"]


def begin_with(weights: Path, out: Path) -> None:
    """Writes `out/checkpoint.pt` from what `encoder_export.export` wrote. Raises PlannerError on another file."""
    import torch
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(weights, framework="pt") as file:
            tensors = {n: file.get_tensor(n).float() for n in file.keys()}  # noqa: SIM118 - no mapping
            about = json.loads(file.metadata()["encoder"])
            shapes, size = about["shapes"], about["size"]
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise PlannerError(f"{weights} holds no weights of the encoder: {error}") from error
    # a shape more than training has: it then begins with an optimiser of its own
    kept = {"weights": tensors, "average": {n: t.clone() for n, t in tensors.items()}, "optimiser": {}}
    out.mkdir(parents=True, exist_ok=True)
    torch.save({**kept, "steps": 0, "shapes": [*shapes, ""], "size": size}, out / "checkpoint.pt")
