"""Search over the current version of an index; a new version is picked up at the next question."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from kb_index.asking import read_glossary
from kb_index.centring import Means
from kb_index.embed import embedder
from kb_index.errors import IndexBroken, NoIndex
from kb_index.filters import FILTERS, Names, where_of
from kb_index.fusion import Fused, fuse, rank
from kb_index.points import point_id
from kb_index.rerank import FIRST, reranker
from kb_index.settings import IndexSettings, read_settings
from kb_index.span import span_in
from kb_index.sparse import Frequencies
from kb_index.store import EVERYONE, Store, open_store
from kb_index.versions import Manifest, Versions
from kb_index.words import identifiers, token_id

if TYPE_CHECKING:
    from kb_index.centring import Vectors

__all__ = ["FILTERS", "Hit", "Index"]

CANDIDATES = 100
# (cosine, share of the question's IDF) of which the best passage must reach one, or nothing bears on the question;
# and each further passage, to be shown beside it. Measured in tests/kb_index/test_retrieval.py.
QUESTION_FLOOR = (0.21, 0.5)
PASSAGE_FLOOR = (0.10, 0.25)


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage, with all that is needed to find it in the file. `score` is fused, 0..1, for ranking alone;
    pages count from 1; `path` is the file as it was when the index was built; `order` counts the document's passages from 0;
    `span` are the characters of `text` that bear on the question most: a sentence, or a row of a table."""

    document: str
    page_from: int
    page_to: int
    section_path: tuple[str, ...]
    table_id: str | None
    kind: Literal["text", "table"]
    text: str
    score: float
    path: str = ""
    title: str = ""
    order: int = 0
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class _Open:
    """A version's parts, as a reader holds them."""

    manifest: Manifest
    store: Store
    frequencies: Frequencies
    means: Means
    names: Names


class Index:
    """Thread-safe. Use as a context manager, or call `close`."""

    def __init__(self, index_dir: Path, settings: IndexSettings) -> None:
        self._versions = Versions(index_dir)
        self._settings = settings
        self._lock = threading.RLock()
        self._opened: _Open | None = None

    @classmethod
    def open(cls, index_dir: Path, settings: IndexSettings | Mapping[str, Any] | None = None) -> Index:
        """Raises NoIndex, IndexBroken, BadSettings."""
        index = cls(index_dir, read_settings(settings))
        index._current()
        return index

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            if self._opened:
                self._opened.store.close()
                self._opened = None

    @property
    def version(self) -> str:
        return self._current().manifest.version

    def search(
        self,
        text: str,
        *,
        limit: int = 8,
        filters: Mapping[str, Any] | None = None,
        roles: Sequence[str] = (),
        by: Literal["both", "words"] = "both",
        vector: Vectors | None = None,
    ) -> list[Hit]:
        """The passages that bear on the question, best first; none when nothing does.

        `filters`: doc, section (names, titles or parts of them), page (a number, a list, or {"from", "to"}), kind,
        table_id, date (a year, month or day, a list, or {"from", "to"}). `roles`: the asker's; a passage that is
        not open to one of them, or to everyone, does not exist. `by`: words alone need no model. `vector`: the
        question's, as the model gave it, where that is known already.
        Raises BadSettings for another filter, NoModel, IndexBroken.
        """
        if not text.strip():
            return []
        with self._lock:  # one question at a time: the model would take all threads anyway
            opened = self._current()
            where = where_of(opened.names, filters or {}, roles)
            asked = read_glossary(self._settings.glossary).asked(text)
            question = opened.frequencies.question(asked.text)
            widened = opened.frequencies.widened(question, asked.also)
            names = identifiers(asked.text)
            if self._settings.floor and opened.frequencies.knows_none(names):
                return []  # about a version or part that no document names
            named = opened.store.words({token_id(n): 1.0 for n in names}, CANDIDATES, where, bare=True)
            dense = []
            if by == "both":
                if vector is None:
                    vector = embedder(self._settings, self._versions.folder).question(asked.meant)
                moved = opened.means.centre_question(vector, asked.text)
                dense = opened.store.dense(moved.tolist(), CANDIDATES, where, bare=True)
            fused = fuse(
                dense,
                opened.store.words(widened, CANDIDATES, where, bare=True),
                sum(widened.values()),
                {m.id for m in named},
            )
            near = _told(opened.store, fused, max(2 * limit, FIRST if self._settings.reranker else 0))
            near = self._read_again(asked.text, near)
        if not any(self._reaches(QUESTION_FLOOR, f, question, opened.frequencies) for f in near):
            return []
        shown = [f for f in near if self._reaches(PASSAGE_FLOOR, f, question, opened.frequencies)][:limit]
        return [_hit(f.match.payload, f.score, span_in(str(f.match.payload["text"]), widened)) for f in shown]

    def neighbours(
        self, hit: Hit, before: int = 1, after: int = 1, *, roles: Sequence[str] = ()
    ) -> list[Hit]:
        """The passages round a hit in its document, in order, without itself; those that `roles` may not read are left out.
        Raises IndexBroken."""
        places = [hit.order + n for n in range(-before, after + 1) if n and hit.order + n >= 0]
        with self._lock:
            found = self._current().store.payloads([point_id(hit.document, n) for n in places])
        open_to = {EVERYONE, *roles}
        told = [p for p in found.values() if open_to & set(p["roles"])]
        return [_hit(p, 0.0, (0, len(str(p["text"])))) for p in sorted(told, key=lambda p: int(p["order"]))]

    def _read_again(self, question: str, near: list[Fused]) -> list[Fused]:
        """Ordered by the cross-encoder, where there is one. Raises NoModel."""
        if not self._settings.reranker or not near:
            return near
        first, rest = near[:FIRST], near[FIRST:]
        texts = [f"{' > '.join(f.match.payload['section_path'])}\n{f.match.payload['text']}" for f in first]
        scores = reranker(self._settings.reranker).scores(question, texts)
        first = [replace(f, score=score) for f, score in zip(first, scores, strict=True)]
        return [*sorted(first, key=rank), *(replace(f, score=0.0) for f in rest)]

    def _reaches(
        self,
        floor: tuple[float, float],
        found: Fused,
        question: Mapping[int, float],
        frequencies: Frequencies,
    ) -> bool:
        cosine, share = (v * self._settings.floor for v in floor)
        if found.cosine is not None and found.cosine >= cosine:
            return True
        payload = found.match.payload
        context = "\n".join([str(payload.get("title", "")), *payload["section_path"], str(payload["text"])])
        return frequencies.coverage(dict(question), context) >= share

    def _current(self) -> _Open:
        """The current version, opened; anew when `current` names another one than before."""
        with self._lock:
            for attempt in range(5):
                version = self._versions.current()
                if self._opened and self._opened.manifest.version == version:
                    return self._opened
                try:
                    opened = self._open(version)
                except (IndexBroken, NoIndex):
                    # two builds may have ended since `current` was read, and removed that version
                    if attempt == 4 or self._versions.current() == version:
                        raise
                    continue
                if self._opened:
                    self._opened.store.close()
                self._opened = opened
                return opened
        raise IndexBroken(f"{self._versions.folder}: versions change faster than they can be opened")

    def _open(self, version: str) -> _Open:
        folder = self._versions.path(version)
        manifest = Manifest.load(folder)
        if manifest.store != self._settings.store:
            raise IndexBroken(
                f"{self._versions.folder}: built with store {manifest.store}, the settings say {self._settings.store}; "
                "run: assay index build"
            )
        if manifest.model != self._settings.model_key:
            raise IndexBroken(
                f"{self._versions.folder}: built with another embedding model than the settings name; "
                "run: assay index build"
            )
        try:
            frequencies = Frequencies.load(folder / "frequencies.npz")
            means = Means.load(folder / "means.npz")
        except (OSError, ValueError, KeyError) as e:
            raise IndexBroken(f"{folder}: {e}; run: assay index build") from None
        store = open_store(self._settings, folder, version)
        return _Open(manifest, store, frequencies, means, Names(manifest))


def _told(store: Store, fused: Sequence[Fused], limit: int) -> list[Fused]:
    """The first `limit`, with their payloads; those that score equal stand by name and place, as `rank` says."""
    if not fused:
        return []
    last = round(fused[:limit][-1].score, 5)
    first = [f for n, f in enumerate(fused) if n < limit or round(f.score, 5) == last]
    payloads = store.payloads([f.match.id for f in first])
    told = [
        replace(f, match=replace(f.match, payload=payloads[f.match.id]))
        for f in first
        if f.match.id in payloads
    ]
    return sorted(told, key=rank)[:limit]


def _hit(p: Mapping[str, Any], score: float, span: tuple[int, int]) -> Hit:
    return Hit(
        document=str(p["document"]),
        page_from=int(p["page_from"]),
        page_to=int(p["page_to"]),
        section_path=tuple(p["section_path"]),
        table_id=p.get("table_id"),
        kind=p["kind"],
        text=str(p["text"]),
        score=round(score, 4),
        path=str(p.get("path", "")),
        title=str(p.get("title", "")),
        order=int(p.get("order", 0)),
        span=span,
    )
