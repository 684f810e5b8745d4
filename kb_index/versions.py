"""An index's folder: versions beside each other, a `current` pointer, and the lock that one build holds.

<index>/current                 the version that readers open; replaced in one step
<index>/versions/<id>/          manifest.json, frequencies.npz, means.npz, edge/ or qdrant/
<index>/versions/.building-<id> a build under way, or the rest of one that died
<index>/parsed/                 parsed files by content hash
<index>/build.lock
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kb_index.errors import BuildRunning, IndexBroken, NoIndex

__all__ = ["IndexedFile", "Manifest", "Versions"]

BUILDING = ".building-"


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A document of a version. `sections`: each section path once, joined with ' > '. A file that could not be
    read stays here with its `failure`, so that it is named until it changes."""

    document: str
    path: str
    sha: str
    roles: tuple[str, ...]
    title: str = ""
    pages: int = 0
    chunks: int = 0
    sections: tuple[str, ...] = ()
    failure: str = ""
    failed_pages: str = ""
    date: int = 0  # YYYYMMDD; 0: the document says none
    ocr_pages: int = 0  # read from their pictures


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a version holds and what made it."""

    version: str
    built: str  # ISO 8601, UTC
    pipeline: str
    model: str
    store: str
    roots: tuple[str, ...]
    files: tuple[IndexedFile, ...] = field(default=())

    @property
    def chunks(self) -> int:
        return sum(f.chunks for f in self.files)

    def save(self, folder: Path) -> None:
        _write_durably(folder / "manifest.json", json.dumps(asdict(self), ensure_ascii=False, indent=1))

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Raises IndexBroken."""
        path = folder / "manifest.json"
        try:
            data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            files = tuple(
                IndexedFile(**{**f, "roles": tuple(f["roles"]), "sections": tuple(f["sections"])})
                for f in data.pop("files")
            )
            return cls(**{**data, "roots": tuple(data["roots"])}, files=files)
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise IndexBroken(f"{path}: not a readable manifest ({e}); run: assay index build") from None


class Versions:
    def __init__(self, index_dir: Path) -> None:
        self.folder = index_dir
        self.parsed = index_dir / "parsed"
        self._versions = index_dir / "versions"

    def current(self) -> str:
        """The version that readers open. Raises NoIndex."""
        try:
            name = (self.folder / "current").read_text(encoding="ascii").strip()
        except (FileNotFoundError, NotADirectoryError):
            raise NoIndex(f"no knowledge index in {self.folder}; run: assay index build") from None
        if not name or "/" in name or name.startswith("."):
            raise IndexBroken(f"{self.folder / 'current'}: not a version's name; run: assay index build")
        return name

    def path(self, version: str) -> Path:
        return self._versions / version

    def manifest(self) -> Manifest | None:
        """The current version's; None when there is none or it cannot be read (it is then built anew)."""
        try:
            return Manifest.load(self.path(self.current()))
        except (NoIndex, IndexBroken):
            return None

    def complete(self) -> list[str]:
        """All whole versions, oldest first."""
        if not self._versions.is_dir():
            return []
        found = (p for p in self._versions.iterdir() if not p.name.startswith("."))
        return sorted(p.name for p in found if _is_whole(p))

    @contextmanager
    def building(self) -> Iterator[None]:
        """Holds the index's one build lock; it goes with the process. Raises BuildRunning."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "build.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BuildRunning(f"another build of {self.folder} is running; wait for it to end") from None
            yield

    def rests(self) -> list[str]:
        """The versions that builds which died left unfinished. Under the lock."""
        return sorted(p.name.removeprefix(BUILDING) for p in self._versions.glob(BUILDING + "*"))

    def clear(self, version: str) -> None:
        """Removes such a rest."""
        shutil.rmtree(self._versions / f"{BUILDING}{version}", ignore_errors=True)

    def begin(self) -> tuple[str, Path]:
        """A new version's name and its folder, not yet to be seen by readers."""
        version = (
            f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{uuid.uuid4().hex[:6]}"  # sorts by age, within a second too
        )
        folder = self._versions / f"{BUILDING}{version}"
        folder.mkdir(parents=True)
        return version, folder

    def publish(self, version: str, folder: Path) -> None:
        """The finished folder takes its name, then readers are sent to it."""
        os.rename(folder, self.path(version))
        self.switch(version)

    def switch(self, version: str) -> None:
        _write_durably(self.folder / "current", version + "\n")

    def prune(self, keep: int) -> list[str]:
        """Removes all but the current version and the `keep` newest whole others; returns the removed. Readers that
        still have one open keep their files until they close them."""
        current = self.current()
        whole = self.complete()
        others = [v for v in whole if v != current]
        broken = [p.name for p in self._versions.glob("[!.]*") if p.name not in {current, *whole}]
        gone = others[: max(len(others) - keep, 0)] + broken
        for version in gone:
            shutil.rmtree(self.path(version), ignore_errors=True)
        return gone


def _is_whole(folder: Path) -> bool:
    try:
        Manifest.load(folder)
    except IndexBroken:
        return False
    return True


def _write_durably(path: Path, text: str) -> None:
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    with aside.open("w", encoding="utf-8") as f:
        f.write(text)
        f.flush()
        os.fsync(f.fileno())
    os.replace(aside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
