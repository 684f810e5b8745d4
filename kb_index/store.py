"""What the index asks of a vector store, and the choice of one. Scores are dot products: of unit vectors (the
cosine) for `dense`, of BM25 weights for `words`. Collections hold one version each and are written once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from kb_index.settings import IndexSettings

__all__ = [
    "EVERYONE",
    "Match",
    "Point",
    "Store",
    "Where",
    "alias_of",
    "create_store",
    "drop_store",
    "open_store",
    "publish",
]

EVERYONE = "*"  # in a point's `roles`: anybody may read it
KEYWORDS = ("document", "section", "kind", "roles", "table_id")  # payload keys that are filtered by value
NUMBERS = ("page_from", "page_to", "date")  # and by range


@dataclass(frozen=True, slots=True)
class Point:
    """One chunk. `id` is a UUID; `words` maps a token's hash (uint32) to its BM25 weight."""

    id: str
    dense: Sequence[float]
    words: Mapping[int, float]
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    id: str
    score: float
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Where:
    """Which points may be found. None means no condition; an empty tuple matches nothing.

    `roles`: the point's roles hold one of these, or EVERYONE. `pages`: the point touches this span, inclusive.
    `dates`: so is its document's date, as YYYYMMDD; a document without one is in no span.
    """

    documents: tuple[str, ...] | None = None
    sections: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    tables: tuple[str, ...] | None = None
    pages: tuple[int | None, int | None] | None = None
    dates: tuple[int | None, int | None] | None = None
    roles: tuple[str, ...] | None = None

    def any_of(self) -> list[tuple[str, list[str]]]:
        """(payload key, wanted values) of each keyword condition."""
        out = []
        keyed = {
            "document": self.documents,
            "section": self.sections,
            "kind": self.kinds,
            "table_id": self.tables,
        }
        for key, wanted in keyed.items():
            if wanted is not None:
                out.append((key, list(wanted)))
        if self.roles is not None:
            out.append(("roles", [EVERYONE, *self.roles]))
        return out

    def spans(self) -> list[tuple[str, int | None, int | None]]:
        """(payload key, at least, at most) of each range condition."""
        first, last = self.pages or (None, None)
        early, late = self.dates or (None, None)
        out = [("page_to", first, None), ("page_from", None, last), ("date", early, late)]
        return [span for span in out if span[1:] != (None, None)]

    @property
    def empty(self) -> bool:
        """Nothing can match."""
        return () in (self.documents, self.sections, self.kinds, self.tables)


class Store(Protocol):
    def upsert(self, points: Sequence[Point], /) -> None: ...

    def finish(self) -> None:
        """Indexes and makes durable what was upserted."""
        ...

    def dense(
        self, vector: Sequence[float], limit: int, where: Where, /, *, bare: bool = False
    ) -> list[Match]:
        """Best first. `bare`: without payloads, which cost more than the search itself (see `payloads`)."""
        ...

    def words(
        self, words: Mapping[int, float], limit: int, where: Where, /, *, bare: bool = False
    ) -> list[Match]:
        """Points that share at least one word, best first."""
        ...

    def payloads(self, ids: Sequence[str], /) -> dict[str, Mapping[str, Any]]:
        """Of the points that are there."""
        ...

    def count(self, where: Where | None = None, /) -> int: ...

    def close(self) -> None: ...


def create_store(settings: IndexSettings, folder: Path, name: str, dimension: int) -> Store:
    """An empty store for one version: in `folder`, or as collection `name` of the server."""
    if settings.store == "edge":
        from kb_index.store_edge import EdgeStore

        return EdgeStore.create(folder / "edge", dimension)
    from kb_index.store_client import ClientStore

    return ClientStore.create(_location(settings, folder), name, dimension)


def open_store(settings: IndexSettings, folder: Path, name: str) -> Store:
    """An existing store, for reading. Raises IndexBroken when it is not there."""
    if settings.store == "edge":
        from kb_index.store_edge import EdgeStore

        return EdgeStore.load(folder / "edge")
    from kb_index.store_client import ClientStore

    return ClientStore.load(_location(settings, folder), name)


def alias_of(index_dir: Path) -> str:
    """The name under which a server's other clients find an index's current version."""
    return f"assay-{index_dir.name}"


def publish(settings: IndexSettings, alias: str, name: str) -> None:
    """On a server: `alias` names this version's collection from now on, in one step. Elsewhere nothing."""
    if settings.store == "server":
        from kb_index.store_client import switch_alias

        switch_alias(settings.server, alias, name)


def drop_store(settings: IndexSettings, name: str) -> None:
    """On a server: removes a version's collection. Elsewhere its folder holds all there is."""
    if settings.store == "server":
        from kb_index.store_client import drop

        drop(settings.server, name)


def _location(settings: IndexSettings, folder: Path) -> str:
    return settings.server if settings.store == "server" else str(folder / "qdrant")
