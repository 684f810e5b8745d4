"""The vocabulary of a Unigram tokenizer as a SentencePiece model file, made once from `tokenizer.json`.

The tokenizers library keeps some 280 MB for this vocabulary of 250,000 pieces, SentencePiece about a fifth of it. The file is written
by hand in protobuf's wire form: field 1 the pieces (text, score, type), 2 the trainer's and 3 the normaliser's settings, which leave
the text as it is: `tokens` normalises.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path

__all__ = ["pieces_file"]

NAME = "pieces.model"
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3
_SPECIAL = {"<s>": _CONTROL, "<pad>": _CONTROL, "</s>": _CONTROL, "<unk>": _UNKNOWN, "<mask>": _CONTROL}


def pieces_file(model: Path) -> Path:
    """The file beside `tokenizer.json` in that folder; written at the first call (about 2 s, 5 MB), safe when several processes do.
    Raises OSError."""
    path = model / NAME
    if path.is_file():
        return path
    vocabulary = json.loads((model / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    aside = model / f".{NAME}-{os.getpid()}"
    try:
        with aside.open("wb") as f:
            for piece, score in vocabulary:
                f.write(_field(1, b"".join(_piece(piece, float(score)))))
            # unigram; ids of unknown, begin, end and padding
            f.write(
                _field(2, _number(3, 1) + _number(40, 3) + _number(41, 0) + _number(42, 2) + _number(43, 1))
            )
            f.write(_field(3, _field(1, b"identity") + _number(3, 0) + _number(4, 0) + _number(5, 0)))
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
    return path


def _piece(piece: str, score: float) -> Iterator[bytes]:
    yield _field(1, piece.encode())
    yield bytes([2 << 3 | 5]) + struct.pack("<f", score)
    yield _number(3, _SPECIAL.get(piece, _NORMAL))


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
