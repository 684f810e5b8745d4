"""A safetensors file read with numpy, a tensor or some of its rows at a time, through a memory map."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Tensors"]

_TYPES = {"F32": np.float32, "F16": np.float16}


class Tensors:
    """Raises OSError where the file cannot be read, ValueError where it is none of this kind. `about` is its metadata;
    the prefix `bert.` of names is left out."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length < 100_000_000:
                raise ValueError(f"{path} is no safetensors file")
            header: dict[str, Any] = json.loads(file.read(length))
        self.about: dict[str, str] = header.pop("__metadata__", {})
        self._bytes = np.memmap(path, np.uint8, mode="r", offset=8 + length)
        self._header = {n.removeprefix("bert."): h for n, h in header.items()}

    @property
    def names(self) -> list[str]:
        return list(self._header)

    def _mapped(self, name: str) -> npt.NDArray[Any]:
        told = self._header[name]
        if told["dtype"] not in _TYPES:
            raise ValueError(f"{name}: {told['dtype']} is not read here; float32 or float16 is needed")
        start, end = told["data_offsets"]
        return self._bytes[start:end].view(_TYPES[told["dtype"]]).reshape(told["shape"])

    def read(self, name: str) -> npt.NDArray[np.float32]:
        return np.array(self._mapped(name), np.float32)

    def rows(self, name: str, which: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """[*which.shape, columns]: only the pages of these rows are read."""
        return np.asarray(self._mapped(name)[which], np.float32)
