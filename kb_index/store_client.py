"""Qdrant through its client: a server by URL (aliases name the current version), a folder, or `:memory:`.

What a server is asked may be asked twice (points have ids of their own, collections a name), so each request is
tried again, ATTEMPTS times with growing pauses, while the server is away, busy (429) or faulty (5xx).

A folder or `:memory:` is the client's own local mode: exact, slow beyond some thousand points, one process
at a time. It is for tests and small trials; the server is for many machines.
"""

from __future__ import annotations

import logging
import os
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import stamina

from kb_index.errors import IndexBroken
from kb_index.store import KEYWORDS, NUMBERS, Match, Point, Where

__all__ = ["ClientStore", "drop", "switch_alias"]

BATCH = 200
TIMEOUT_S = 60
KEY = "ASSAY_QDRANT_KEY"  # the environment variable that holds the server's key, where it wants one
ATTEMPTS = 5
INDEXING_S = 3600  # a server builds its graph after the last upsert; until then questions are slow
Answer = TypeVar("Answer")

# a retry is told by the error that ends it; without a handler Python would print stamina's log
logging.getLogger("stamina").addHandler(logging.NullHandler())


class ClientStore:
    def __init__(self, client: Any, name: str, local: bool) -> None:
        self._client = client
        self._name = name
        self._local = local

    @classmethod
    def create(cls, location: str, name: str, dimension: int) -> ClientStore:
        from qdrant_client import models as m

        client = _connect(location)
        local = not _is_url(location)

        def create() -> None:
            if client.collection_exists(name):
                client.delete_collection(name)
            client.create_collection(
                name,
                vectors_config={"dense": m.VectorParams(size=dimension, distance=m.Distance.DOT)},
                sparse_vectors_config={"words": m.SparseVectorParams()},
            )

        _ask(location, create)
        if (
            not local
        ):  # before the points, so that the graph is built with the filters in mind; local mode has none
            kinds = dict.fromkeys(KEYWORDS, m.PayloadSchemaType.KEYWORD)
            for key, kind in {**kinds, **dict.fromkeys(NUMBERS, m.PayloadSchemaType.INTEGER)}.items():
                _ask(location, client.create_payload_index, name, key, kind)
        return cls(client, name, local)

    @classmethod
    def load(cls, location: str, name: str) -> ClientStore:
        client = _connect(location)
        try:
            there = _ask(location, client.collection_exists, name)
        except IndexBroken:
            client.close()
            raise
        if not there:
            client.close()
            raise IndexBroken(f"{location}: no collection {name}; run: assay index build")
        return cls(client, name, not _is_url(location))

    def upsert(self, points: Sequence[Point]) -> None:
        from qdrant_client import models as m

        for start in range(0, len(points), BATCH):
            batch = [
                m.PointStruct(
                    id=p.id,
                    vector={"dense": list(p.dense), "words": _sparse(p.words)},
                    payload=dict(p.payload),
                )
                for p in points[start : start + BATCH]
            ]
            _ask(self._name, self._client.upsert, self._name, batch, wait=True)

    def finish(self) -> None:
        """Waits until the server has indexed what it was given."""
        from qdrant_client import models as m

        ends = time.monotonic() + INDEXING_S
        while not self._local:
            found = _ask(self._name, self._client.get_collection, self._name)
            if found.status == m.CollectionStatus.GREEN:
                return
            if found.status == m.CollectionStatus.RED or time.monotonic() > ends:
                raise IndexBroken(
                    f"Qdrant ({self._name}) did not finish indexing: status {found.status.value}"
                )
            time.sleep(0.5)

    def dense(self, vector: Sequence[float], limit: int, where: Where, *, bare: bool = False) -> list[Match]:
        return self._search(list(vector), "dense", limit, where, bare)

    def words(
        self, words: Mapping[int, float], limit: int, where: Where, *, bare: bool = False
    ) -> list[Match]:
        found = self._search(_sparse(words), "words", limit, where, bare) if words else []
        return [p for p in found if p.score > 0]  # local mode also lists points that share no word

    def payloads(self, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        found = _ask(self._name, self._client.retrieve, self._name, list(ids), with_payload=True)
        return {str(p.id): p.payload or {} for p in found}

    def count(self, where: Where | None = None) -> int:
        if where is not None and where.empty:
            return 0
        found = _ask(
            self._name, self._client.count, self._name, count_filter=_filter(where or Where()), exact=True
        )
        return int(found.count)

    def close(self) -> None:
        self._client.close()

    def _search(self, query: Any, using: str, limit: int, where: Where, bare: bool) -> list[Match]:
        if where.empty:
            return []
        found = _ask(
            self._name,
            self._client.query_points,
            self._name,
            query=query,
            using=using,
            limit=limit,
            query_filter=_filter(where),
            with_payload=not bare,
        )
        return [Match(str(p.id), float(p.score), p.payload or {}) for p in found.points]


def switch_alias(url: str, alias: str, name: str) -> None:
    """From now on `alias` names collection `name`; readers never see a gap. Nothing when it does already."""
    from qdrant_client import models as m

    client = _connect(url)

    def switch() -> None:
        known = {a.alias_name: a.collection_name for a in client.get_aliases().aliases}
        if known.get(alias) == name:
            return
        steps: list[Any] = []
        if alias in known:
            steps.append(m.DeleteAliasOperation(delete_alias=m.DeleteAlias(alias_name=alias)))
        steps.append(
            m.CreateAliasOperation(create_alias=m.CreateAlias(collection_name=name, alias_name=alias))
        )
        client.update_collection_aliases(change_aliases_operations=steps)

    try:
        _ask(url, switch)
    finally:
        client.close()


def drop(url: str, name: str) -> None:
    """Nothing when it is not there."""
    client = _connect(url)
    try:
        _ask(url, client.delete_collection, name)
    finally:
        client.close()


def _is_url(location: str) -> bool:
    return location.startswith(("http://", "https://"))


def _connect(location: str) -> Any:
    from qdrant_client import QdrantClient

    if location == ":memory:":
        return QdrantClient(":memory:")
    if _is_url(location):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a key over plain http, on a network of one's own
            return QdrantClient(
                url=location,
                timeout=TIMEOUT_S,
                check_compatibility=False,
                api_key=os.environ.get(KEY) or None,
            )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return QdrantClient(path=location)


def _ask(what: str, request: Callable[..., Answer], *args: Any, **more: Any) -> Answer:
    """The request's answer, after retries. A server that is away or refuses becomes one line."""
    from qdrant_client.common.client_exceptions import QdrantException
    from qdrant_client.http.exceptions import ApiException

    try:
        for attempt in stamina.retry_context(
            on=_passes, attempts=ATTEMPTS, timeout=None, wait_initial=0.2, wait_max=5.0
        ):
            with attempt:
                return request(*args, **more)
    except (ApiException, QdrantException, OSError) as e:
        raise IndexBroken(f"Qdrant ({what}) did not answer as asked: {e}") from None
    raise AssertionError("stamina ends by an answer or an error")


def _passes(e: Exception) -> bool:
    """May the same request succeed a little later?"""
    from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
    from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

    if isinstance(e, UnexpectedResponse):
        return e.status_code is not None and (e.status_code == 429 or e.status_code >= 500)
    return isinstance(e, ResponseHandlingException | ResourceExhaustedResponse | OSError)


def _sparse(words: Mapping[int, float]) -> Any:
    from qdrant_client import models as m

    return m.SparseVector(indices=list(words), values=[float(v) for v in words.values()])


def _filter(where: Where) -> Any:
    from qdrant_client import models as m

    must: list[Any] = [m.FieldCondition(key=k, match=m.MatchAny(any=wanted)) for k, wanted in where.any_of()]
    for key, least, most in where.spans():
        must.append(m.FieldCondition(key=key, range=m.Range(gte=least, lte=most)))
    return m.Filter(must=must) if must else None
