"""The trained adapter as a GGUF file that llama.cpp loads beside the base model.

python -m planner.training.export CHECKPOINT.pt planner/weights/planner-lora.gguf"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from planner.training.gemma import ADAPTED, ALPHA, LAYERS, RANK

__all__ = ["export"]


def export(adapter: Mapping[str, Any], path: Path) -> None:
    """Writes float16 tensors `blk.N.attn_q.weight.lora_a` [16, in] and `.lora_b` [out, 16], through a temporary
    file. `adapter` is that of `gemma.Gemma`."""
    import numpy as np
    from gguf import GGUFWriter

    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    writer = GGUFWriter(part, "gemma3")
    writer.add_string("general.type", "adapter")
    writer.add_string("general.name", "Assay planner adapter")
    writer.add_string("general.license", "gemma")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", ALPHA)
    for layer in range(LAYERS):
        for group, members in ADAPTED.items():
            down, up = (
                adapter[f"blk.{layer}.{group}.{side}"].detach().cpu().float().numpy()
                for side in ("down", "up")
            )
            start = 0
            for i, (member, size) in enumerate(members):
                name = f"blk.{layer}.{member}.weight"
                first, second = down[i * RANK : (i + 1) * RANK], up[start : start + size]
                writer.add_tensor(f"{name}.lora_a", np.ascontiguousarray(first, dtype=np.float16))
                writer.add_tensor(f"{name}.lora_b", np.ascontiguousarray(second, dtype=np.float16))
                start += size
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(path)


def main() -> None:
    import torch

    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    export(torch.load(source, weights_only=True)["adapter"], target)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
