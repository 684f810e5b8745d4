"""Texts as token ids of the encoder's own tokenizer: normalised, cut into words, and each word into pieces by SentencePiece.

The ids are those of `tokenizer.json` under Hugging Face's library, which would keep 220 MB more for them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from planner.encoder.pieces_file import pieces_file

__all__ = ["LONGEST", "Tokens", "tokenize"]

LONGEST = 160  # tokens of a question; more than that is cut
BEGIN, END = 0, 2
KEPT = 50_000  # words whose pieces are remembered
SPACE = "▁"
# control characters go, other white space and unseen characters are spaces, as the model was trained
_GONE = re.compile(r"[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]")
_SPACES = re.compile(r"[\t\n\x0c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]")
_WORDS = re.compile(f"{SPACE}[^{SPACE}]*")


@dataclass(frozen=True, slots=True)
class Tokens:
    """`offsets` are characters of the text, (0, 0) for the two special tokens at the ends."""

    ids: list[int]
    offsets: list[tuple[int, int]]


def tokenize(texts: list[str], model: Path) -> list[Tokens]:
    """`model` is the folder that holds `tokenizer.json`. Raises OSError."""
    words = _Words.of(model)
    return [_tokens(text, words) for text in texts]


class _Words:
    """Pieces (id, characters) of each word, as they were asked for."""

    def __init__(self, path: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        self._processor: Any = SentencePieceProcessor(model_file=str(path))
        self._known: dict[str, tuple[tuple[int, int], ...]] = {}

    @staticmethod
    @lru_cache(maxsize=2)
    def of(model: Path) -> _Words:
        return _Words(pieces_file(model))

    def pieces(self, word: str) -> tuple[tuple[int, int], ...]:
        found = self._known.get(word)
        if found is None:
            texts = self._processor.encode(word, out_type=str)
            ids = self._processor.piece_to_id(texts)
            if len(self._known) >= KEPT:
                self._known.clear()
            found = self._known[word] = tuple((i, len(t)) for i, t in zip(ids, texts, strict=True))
        return found


def _tokens(text: str, words: _Words) -> Tokens:
    plain, places = _normalised(text)
    ids, offsets = [BEGIN], [(0, 0)]
    for word in _WORDS.finditer(plain):
        at = word.start()
        for piece, size in words.pieces(word[0]):
            ids.append(piece)
            offsets.append((places[at][0], places[at + size - 1][1]))
            at += size
        if len(ids) >= LONGEST:
            break
    return Tokens([*ids[: LONGEST - 1], END], [*offsets[: LONGEST - 1], (0, 0)])


def _normalised(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text as the model's words and, of each of its characters, the characters of `text` that it stands for."""
    out: list[str] = []
    places: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        shown = unicodedata.normalize("NFKC", _SPACES.sub(" ", _GONE.sub("", text[start:end])))
        for ch in shown:
            if ch == " " and out and out[-1] == SPACE:
                places[-1] = (start, end)
                continue
            out.append(SPACE if ch in (" ", SPACE) else ch)
            places.append((start, end))
    if out and out[0] != SPACE:
        out.insert(0, SPACE)
        places.insert(0, places[0])
    return "".join(out), places


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Pieces of the text that are normalised by themselves: a character and what combines with it."""
    if text.isascii():
        yield from ((i, i + 1) for i in range(len(text)))
        return
    start = 0
    for i in range(1, len(text) + 1):
        if i == len(text) or not _combines(text[i]):
            yield start, i
            start = i


def _combines(ch: str) -> bool:
    return ch > "\u02ff" and (
        unicodedata.combining(ch) != 0 or "\u1160" <= ch <= "\u11ff" or ch in "\uff9e\uff9f"
    )
