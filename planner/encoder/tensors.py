"""A safetensors file read with numpy, a tensor or some of its rows at a time.

Not through a memory map: the system maps what lies round a row, too, and most of a vocabulary would count as resident.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Tensors"]

_TYPES: dict[str, type[np.floating[Any]]] = {"F32": np.float32, "F16": np.float16}


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
        self._path, self._begin = path, 8 + length
        self._header = {n.removeprefix("bert."): h for n, h in header.items()}

    @property
    def names(self) -> list[str]:
        return list(self._header)

    def _place(self, name: str) -> tuple[int, type[np.floating[Any]], list[int]]:
        """Where in the file the tensor begins, its numbers' type, its shape."""
        told = self._header[name]
        if told["dtype"] not in _TYPES:
            raise ValueError(f"{name}: {told['dtype']} is not read here; float32 or float16 is needed")
        return self._begin + int(told["data_offsets"][0]), _TYPES[told["dtype"]], list(told["shape"])

    def read(self, name: str) -> npt.NDArray[np.float32]:
        start, kind, shape = self._place(name)
        found = np.fromfile(self._path, kind, math.prod(shape), offset=start)
        return found.reshape(shape).astype(np.float32, copy=False)

    def rows(self, name: str, which: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """[*which.shape, columns]: only these rows are read, each once."""
        start, kind, (_, columns) = self._place(name)
        size = columns * np.dtype(kind).itemsize
        wanted, back = np.unique(which, return_inverse=True)
        with self._path.open("rb") as file:
            read = b"".join(os.pread(file.fileno(), size, start + int(row) * size) for row in wanted)
        table = np.frombuffer(read, kind).reshape(len(wanted), columns).astype(np.float32, copy=False)
        made: npt.NDArray[np.float32] = table[back].reshape(*which.shape, columns)
        return made
