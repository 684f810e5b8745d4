"""The trained part of the encoder as one float16 file: LoRA deltas, head, and what the head's outputs are named."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

from planner.encoder.skeletons import attributes

__all__ = ["export"]


def export(checkpoint: Path, weights: Path) -> None:
    """Writes the averaged weights of a checkpoint."""
    kept = torch.load(checkpoint)
    average = kept["average"]
    common = torch.tensor(attributes(kept["shapes"])) @ average.pop("head.shapes.2.common")
    average["head.shapes.2.weight"] = average["head.shapes.2.weight"] + common
    tensors = {n: t.half().contiguous() for n, t in average.items()}
    about = {"size": kept["size"], "shapes": kept["shapes"], "steps": kept["steps"]}
    weights.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, weights, metadata={"encoder": json.dumps(about, ensure_ascii=False)})


def main() -> None:
    import argparse

    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", type=Path, default=Path(".assay/training/encoder/checkpoint.pt"))
    parser.add_argument("--weights", type=Path, default=Path("planner/weights/encoder.safetensors"))
    asked = parser.parse_args()
    export(asked.checkpoint, asked.weights)


if __name__ == "__main__":
    main()
