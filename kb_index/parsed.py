"""Parsed files by content hash: their chunks, their pages' status, and, per model, their raw vectors.

Lies beside the versions, so that an unchanged, moved or copied file is neither parsed nor embedded again, and
a build that dies loses at most the files it was at. An entry appears whole or not at all. A file that gives nothing
has its reason here instead (`.failed`), and one that is being read the marks of those who try (`.tries`).
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kb_index.blocks import PageStatus
from kb_index.chunks import Chunk
from kb_index.settings import IndexSettings

if TYPE_CHECKING:
    from kb_index.centring import Vectors

__all__ = ["PIPELINE", "ParsedFile", "ParsedFiles"]

PIPELINE = 6  # raised when parsing, chunking or the embedded context changes: everything is done again


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """`date`: the document's own, as the number YYYYMMDD; 0 when it says none."""

    title: str
    chunks: tuple[Chunk, ...]
    pages: tuple[PageStatus, ...]
    date: int = 0

    def contexts(self) -> list[str]:
        return [chunk.context(self.title) for chunk in self.chunks]


class ParsedFiles:
    def __init__(self, folder: Path, chunk: int, ocr: bool = True) -> None:
        self._folder = folder
        self.pipeline = f"{PIPELINE}-{chunk}{'' if ocr else '-no-ocr'}"

    @classmethod
    def of(cls, index_dir: Path, settings: IndexSettings) -> ParsedFiles:
        return cls(index_dir / "parsed", settings.chunk, settings.ocr)

    def load(self, sha: str) -> ParsedFile | None:
        """None when the file was not parsed yet, or the entry is damaged (it is then parsed again)."""
        try:
            with gzip.open(self._path(sha), "rt", encoding="utf-8") as f:
                data = json.load(f)
            return ParsedFile(
                data["title"],
                tuple(Chunk.from_dict(c) for c in data["chunks"]),
                tuple(PageStatus(*p) for p in data["pages"]),
                data["date"],
            )
        except (FileNotFoundError, EOFError, ValueError, KeyError, TypeError, gzip.BadGzipFile):
            return None

    def save(self, sha: str, parsed: ParsedFile) -> None:
        data = {
            "title": parsed.title,
            "chunks": [c.as_dict() for c in parsed.chunks],
            "pages": [(p.number, p.status, p.detail) for p in parsed.pages],
            "date": parsed.date,
        }
        raw = json.dumps(data, ensure_ascii=False).encode()
        self._write(self._path(sha), gzip.compress(raw, compresslevel=3))

    def vectors(self, sha: str, model: str, count: int) -> Vectors | None:
        """(count, dimension) as the model gave them; None when they are not there."""
        import numpy as np

        try:
            found: Vectors = np.load(self._path(sha, model))
        except (FileNotFoundError, ValueError, EOFError):
            return None
        return found if len(found) == count else None

    def save_vectors(self, sha: str, model: str, vectors: Vectors) -> None:
        import io

        import numpy as np

        buffer = io.BytesIO()
        np.save(buffer, vectors)
        self._write(self._path(sha, model), buffer.getvalue())

    def has(self, sha: str) -> bool:
        return self._path(sha).is_file()

    def has_vectors(self, sha: str, model: str, count: int) -> bool:
        """Whether `vectors` would give them, without reading them."""
        import numpy as np

        try:
            return len(np.load(self._path(sha, model), mmap_mode="r")) == count
        except (FileNotFoundError, ValueError, EOFError):
            return False

    def failure(self, sha: str) -> str:
        """Why this content gave nothing; empty when that is not known."""
        try:
            return self._named(sha, ".failed").read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def save_failure(self, sha: str, reason: str) -> None:
        self._write(self._named(sha, ".failed"), reason.encode())

    def tries(self, sha: str) -> int:
        """How many processes began this file and neither ended it nor said why not: they died."""
        try:
            return len(self._named(sha, ".tries").read_text(encoding="ascii").splitlines())
        except FileNotFoundError:
            return 0

    @contextmanager
    def trying(self, sha: str) -> Iterator[None]:
        """Marks the file (host and process) while it is read; a mark that stays is that of a process which died."""
        path = self._named(sha, ".tries")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="ascii") as f:
            f.write(f"{platform.node().encode('ascii', 'replace').decode()} {os.getpid()}\n")
        try:
            yield
        finally:
            path.unlink(missing_ok=True)

    def forget_failures(self) -> None:
        """All files are tried again, also those given up."""
        for ending in ("failed", "tries"):
            for path in self._folder.glob(f"*/*.{ending}"):
                path.unlink(missing_ok=True)

    def keep(self, shas: Iterable[str]) -> None:
        """Forgets every other file, entries of other pipelines, and all marks of trying."""
        kept = {f"{sha}-{self.pipeline}" for sha in shas}
        for path in self._folder.glob("*/*"):
            name = path.name.removesuffix(".json.gz").removesuffix(".failed").split("~")[0]
            if name not in kept:
                path.unlink(missing_ok=True)

    def _path(self, sha: str, model: str = "") -> Path:
        return self._named(sha, f"~{model}.npy" if model else ".json.gz")

    def _named(self, sha: str, ending: str) -> Path:
        return self._folder / sha[:2] / f"{sha}-{self.pipeline}{ending}"

    def _write(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=".new-", dir=path.parent)
        with os.fdopen(handle, "wb") as f:
            f.write(data)
        os.replace(aside, path)
