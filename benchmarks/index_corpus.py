"""Small Word files in changing states, and their vectors given, so that a build needs no model: what is measured is the
build and its processes, not the embedding."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kb_index.centring import Means
from kb_index.parse import parse
from kb_index.parsed import ParsedFiles
from kb_index.prepare import content_hash
from kb_index.settings import IndexSettings

if TYPE_CHECKING:
    from kb_index.centring import Vectors

__all__ = ["DIMENSION", "SETTINGS", "give_vectors", "write_entry"]

DIMENSION = 16
SETTINGS = IndexSettings(model="given-vectors")  # no such model: loading it would end the build


def write_entry(path: Path, words: str, paragraphs: int = 1) -> None:
    """A Word file of one section that says `words`."""
    import docx

    document = docx.Document()
    document.add_heading(f"Ledger {path.stem}", level=1)
    for n in range(paragraphs):
        document.add_paragraph(f"{words} paragraph {n}" if n else words)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}")
    document.save(str(aside))
    aside.replace(path)


def give_vectors(files: Sequence[Path], index_dir: Path, settings: IndexSettings = SETTINGS) -> None:
    """Keeps vectors for the files' contents, and none of their parsed forms: the next build has to read them."""
    kept = ParsedFiles.of(index_dir, settings)
    for file in files:
        sha = content_hash(file)
        vectors = _vectors(parse(file, settings.chunk).contexts())
        kept.save_vectors(sha, settings.model_key, vectors)
    prior = index_dir / "parsed" / f"prior~{settings.model_key}.npz"
    if not prior.is_file():
        (mean,) = _vectors(["ordinary"])
        Means({"en": mean * 0.1}, {"en": mean * 0.1}).save(prior)


def _vectors(texts: Sequence[str]) -> Vectors:
    import numpy as np

    out = np.empty((len(texts), DIMENSION), np.float32)
    for i, text in enumerate(texts):
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        out[i] = np.random.default_rng(seed).normal(size=DIMENSION)
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), dtype=np.float32)
