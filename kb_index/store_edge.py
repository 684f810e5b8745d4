"""The embedded store: a Qdrant Edge shard in a folder, read by several processes at once.

Written without a write-ahead log: a version is written once, flushed, and only then published, so there is
nothing to recover; and a shard without a log can be loaded by many readers (one with a log cannot).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kb_index.errors import IndexBroken
from kb_index.store import KEYWORDS, NUMBERS, Match, Point, Where

__all__ = ["EdgeStore"]

BATCH = 500


class EdgeStore:
    def __init__(self, shard: Any) -> None:
        self._shard = shard
        self._lock = threading.Lock()

    @classmethod
    def create(cls, folder: Path, dimension: int) -> EdgeStore:
        import qdrant_edge as q

        folder.mkdir(parents=True)
        config = q.EdgeConfig(
            vectors={"dense": q.EdgeVectorParams(size=dimension, distance=q.Distance.Dot)},
            sparse_vectors={"words": q.EdgeSparseVectorParams()},
            wal_enabled=False,
        )
        return cls(q.EdgeShard.create(str(folder), config))

    @classmethod
    def load(cls, folder: Path) -> EdgeStore:
        import qdrant_edge as q

        if not folder.is_dir():
            raise IndexBroken(f"{folder}: the index's shard is gone; run: assay index build")
        try:
            return cls(q.EdgeShard.load(str(folder)))
        except Exception as e:  # the binding raises nothing narrower
            raise IndexBroken(
                f"{folder}: the index's shard cannot be read ({e}); run: assay index build"
            ) from None

    def upsert(self, points: Sequence[Point]) -> None:
        import qdrant_edge as q

        for start in range(0, len(points), BATCH):
            batch = [
                q.Point(
                    id=p.id,
                    vector={"dense": list(p.dense), "words": _sparse(p.words)},
                    payload=dict(p.payload),
                )
                for p in points[start : start + BATCH]
            ]
            with self._lock:
                self._shard.update(q.UpdateOperation.upsert_points(batch))

    def finish(self) -> None:
        import qdrant_edge as q

        with self._lock:
            for key in KEYWORDS:
                self._shard.update(q.UpdateOperation.create_field_index(key, q.PayloadSchemaType.Keyword))
            for key in NUMBERS:
                self._shard.update(q.UpdateOperation.create_field_index(key, q.PayloadSchemaType.Integer))
            self._shard.optimize()
            self._shard.flush()

    def dense(self, vector: Sequence[float], limit: int, where: Where, *, bare: bool = False) -> list[Match]:
        return self._search(list(vector), "dense", limit, where, bare)

    def words(
        self, words: Mapping[int, float], limit: int, where: Where, *, bare: bool = False
    ) -> list[Match]:
        return self._search(_sparse(words), "words", limit, where, bare) if words else []

    def payloads(self, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        with self._lock:
            found = self._shard.retrieve(list(ids), with_payload=True, with_vector=False)
        return {str(p.id): p.payload or {} for p in found}

    def count(self, where: Where | None = None) -> int:
        import qdrant_edge as q

        if where is not None and where.empty:
            return 0
        with self._lock:
            return int(self._shard.count(q.CountRequest(exact=True, filter=_filter(where or Where()))))

    def close(self) -> None:
        with self._lock:
            if self._shard is not None:
                self._shard.close()
                self._shard = None

    def _search(self, query: Any, using: str, limit: int, where: Where, bare: bool) -> list[Match]:
        import qdrant_edge as q

        if where.empty:
            return []
        request = q.QueryRequest(
            limit=limit,
            query=q.Query.Nearest(query, using=using),
            filter=_filter(where),
            with_payload=not bare,
        )
        with self._lock:
            found = self._shard.query(request)
        return [Match(str(p.id), float(p.score), p.payload or {}) for p in found]


def _sparse(words: Mapping[int, float]) -> Any:
    import qdrant_edge as q

    return q.SparseVector(indices=list(words), values=[float(v) for v in words.values()])


def _filter(where: Where) -> Any:
    import qdrant_edge as q

    must: list[Any] = [q.FieldCondition(key=k, match=q.MatchAny(wanted)) for k, wanted in where.any_of()]
    for key, least, most in where.spans():
        span = q.RangeFloat(
            gte=None if least is None else float(least), lte=None if most is None else float(most)
        )
        must.append(q.FieldCondition(key=key, range=span))
    return q.Filter(must=must) if must else None
