"""What an index holds, without loading the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kb_index.errors import IndexBroken, NoIndex
from kb_index.settings import IndexSettings, read_settings
from kb_index.store import alias_of, open_store, publish
from kb_index.versions import Manifest, Versions

__all__ = ["IndexStatus", "rollback", "status"]


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """`files`: those readable; `failed`: (path, reason); `versions`: all on disk, oldest first; `bytes`: on disk."""

    version: str
    built: str
    store: str
    files: int
    pages: int
    chunks: int
    documents: tuple[dict[str, Any], ...]
    failed: tuple[tuple[str, str], ...]
    versions: tuple[str, ...]
    bytes: int

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "failed": [{"path": p, "reason": r} for p, r in self.failed]}


def status(index_dir: Path) -> IndexStatus:
    """Raises NoIndex, IndexBroken."""
    versions = Versions(index_dir)
    manifest = Manifest.load(versions.path(versions.current()))
    good = [f for f in manifest.files if not f.failure]
    return IndexStatus(
        version=manifest.version,
        built=manifest.built,
        store=manifest.store,
        files=len(good),
        pages=sum(f.pages for f in good),
        chunks=manifest.chunks,
        documents=tuple(
            {
                "document": f.document,
                "title": f.title,
                "pages": f.pages,
                "ocr_pages": f.ocr_pages,
                "chunks": f.chunks,
                "roles": list(f.roles),
                "date": f.date or None,
            }
            for f in good
        ),
        failed=tuple(
            (f.path, f.failure or f.failed_pages) for f in manifest.files if f.failure or f.failed_pages
        ),
        versions=tuple(versions.complete()),
        bytes=sum(p.stat().st_size for p in index_dir.rglob("*") if p.is_file()),
    )


def rollback(index_dir: Path, settings: IndexSettings | Mapping[str, Any] | None = None) -> str:
    """Sends readers back to the version before the current one; returns its name. Raises NoIndex, BuildRunning, and
    IndexBroken when that version is not whole."""
    versions = Versions(index_dir)
    with versions.building():
        current = versions.current()
        older = [v for v in versions.complete() if v < current]
        if not older:
            raise NoIndex(f"{index_dir}: no version older than {current} is kept")
        version = older[-1]
        manifest = Manifest.load(versions.path(version))
        given = read_settings(settings)
        if given.store == manifest.store:
            store = open_store(given, versions.path(version), version)
            try:
                if (n := store.count()) != manifest.chunks:
                    raise IndexBroken(f"version {version} holds {n} chunks instead of {manifest.chunks}")
            finally:
                store.close()
        versions.switch(version)
        if given.store == manifest.store:
            publish(given, alias_of(index_dir), version)
    return version
