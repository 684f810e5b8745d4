"""Documents: PDF and Word files, asked through the knowledge index.

The source's `connection` names the index's `collection` (default: `default`), which `assay index build` makes
under `<home>/index/<collection>`. Evidence is passages, best first, each with document, page, section and
table; nothing is returned for a question that no passage bears on.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.base import Evidence, Locator, Query, Raw, Resources, SourceSpec, Value
from adapters.errors import FormatError, Refused, Unavailable

if TYPE_CHECKING:
    from kb_index.search import Hit, Index

__all__ = ["COLUMNS", "PdfKnowledgeBase"]

COLUMNS = ("doc", "section", "page", "table_id", "score", "text")
TYPES = {
    "doc": "text",
    "section": "text",
    "page": "integer",
    "table_id": "text",
    "score": "number",
    "text": "text",
}
LIMIT = 8
SNAPSHOT = 64 * 1024
_COLLECTION = re.compile(r"[\w][\w.-]{0,63}")


class PdfKnowledgeBase:
    """Opens the index at the first question; a new version of it is used from the next question on."""

    def __init__(self, spec: SourceSpec, resources: Resources) -> None:
        self._spec = spec
        default = (resources.settings.get("knowledge") or {}).get("collection")
        self._collection = str(spec.connection.get("collection") or default or "default")
        if not _COLLECTION.fullmatch(self._collection):
            raise Refused(
                f"{spec.name}: connection.collection {self._collection!r} is not a plain name",
                source=spec.name,
            )
        self._folder: Path = resources.home / "index" / self._collection
        from kb_index.settings import of_installation

        self._settings = of_installation(resources.home, resources.settings.get("knowledge") or {})
        self._index: Index | None = None
        self._lock = threading.Lock()

    def query(self, query: Query) -> Raw:
        from kb_index.errors import BadSettings, EncryptedFile, KnowledgeIndexError

        if not query.text.strip():
            raise Refused(
                f"{self._spec.name}: a document source needs words to look for; give the step a query",
                source=self._spec.name,
            )
        try:
            index = self._open()
            hits = index.search(
                query.text, limit=query.limit or LIMIT, filters=query.filters, roles=query.roles
            )
            version = index.version
        except BadSettings as e:
            raise Refused(f"{self._spec.name}: {e}", source=self._spec.name) from None
        except EncryptedFile as e:
            raise FormatError(f"{self._spec.name}: {e}", source=self._spec.name) from None
        except KnowledgeIndexError as e:
            raise Unavailable(f"{self._spec.name}: {e}", source=self._spec.name) from None
        return Raw(
            query=query,
            payload=hits,
            url=self._folder.as_uri(),
            read_at=datetime.now(UTC).isoformat(timespec="seconds"),
            sent={"text": query.text, "filters": dict(query.filters), "version": version},
            snapshot="\n\n".join(f"[{h.document} p.{h.page_from}] {h.text}" for h in hits)[:SNAPSHOT],
        )

    def validate(self, raw: Raw) -> None:
        """Each passage has its document, a page and words, and pages are in order. Raises FormatError."""
        for hit in raw.payload:
            if not hit.document or not hit.text.strip() or not 1 <= hit.page_from <= hit.page_to:
                raise FormatError(
                    f"{self._spec.name}: the index gave a passage without its place "
                    f"({hit.document or '?'}, page {hit.page_from}); run: assay index build --full",
                    source=self._spec.name,
                    snapshot=raw.snapshot,
                )

    def normalise(self, raw: Raw) -> Evidence:
        hits: Sequence[Hit] = raw.payload
        rows = tuple(_row(hit) for hit in hits)
        documents = dict.fromkeys(hit.document for hit in hits)
        return Evidence(
            kind="text",
            source=self._spec.name,
            dataset=raw.query.dataset,
            columns=COLUMNS,
            rows=rows,
            locators=tuple({"": self._locator(hit, raw)} for hit in hits),
            types=TYPES,
            summary=f"{len(rows)} passages from {', '.join(documents)}" if rows else "no passage bears on it",
            read_at=raw.read_at,
        )

    def probe(self) -> Sequence[Query]:
        """One question a dataset, in the words of its description."""
        return [
            Query(name, text=dataset.description or self._spec.description or name, limit=1)
            for name, dataset in self._spec.datasets.items()
        ]

    def ping(self, timeout_s: float) -> None:
        """The index is there and opens; the model is not loaded for it."""
        from kb_index.errors import KnowledgeIndexError

        try:
            self._open()
        except KnowledgeIndexError as e:
            raise Unavailable(f"{self._spec.name}: {e}", source=self._spec.name) from None

    def close(self) -> None:
        with self._lock:
            if self._index is not None:
                self._index.close()
                self._index = None

    def _open(self) -> Index:
        from kb_index.search import Index

        with self._lock:
            if self._index is None:
                self._index = Index.open(self._folder, self._settings)
            return self._index

    def _locator(self, hit: Hit, raw: Raw) -> Locator:
        return Locator(
            kind="page",
            source=self._spec.name,
            dataset=raw.query.dataset,
            text=hit.text,
            url=f"{Path(hit.path).as_uri()}#page={hit.page_from}" if hit.path else None,
            read_at=raw.read_at,
            document=hit.document,
            page=hit.page_from,
            section=" > ".join(hit.section_path) or None,
            table_id=hit.table_id,
        )


def _row(hit: Hit) -> Mapping[str, Value]:
    return {
        "doc": hit.document,
        "section": " > ".join(hit.section_path) or None,
        "page": hit.page_from,
        "table_id": hit.table_id,
        "score": hit.score,
        "text": hit.text,
    }
