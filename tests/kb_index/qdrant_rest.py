"""A real HTTP server on loopback that speaks as much of Qdrant's REST as the index uses, over the client's own local
mode: what is tested is the product's way to a server, its client's requests included, and not Qdrant itself."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from pydantic import TypeAdapter
from qdrant_client import QdrantClient
from qdrant_client import models as m

__all__ = ["QdrantRest", "serve"]

DONE = {"operation_id": 0, "status": "completed"}


class QdrantRest:
    """`refusals`: how many of the next requests are answered 503. `read_only`: points are refused, 403. `key`: asked of
    each request. `indexed`:
    (collection, payload key) pairs."""

    def __init__(self) -> None:
        self.client = QdrantClient(":memory:")
        self.lock = threading.Lock()
        self.refusals = 0
        self.read_only = False
        self.key = ""
        self.requests: list[str] = []
        self.indexed: set[tuple[str, str]] = set()
        self.url = ""

    def answer(self, method: str, path: str, body: Any) -> Any:
        """The `result` of one request. Raises LookupError for what this server does not know."""
        self.requests.append(f"{method} {path}")
        if path == "/aliases":
            return self.client.get_aliases().model_dump(mode="json")
        if path == "/collections/aliases":
            steps = TypeAdapter(m.ChangeAliasesOperation).validate_python(body).actions
            return self.client.update_collection_aliases(steps)
        found = re.fullmatch(r"/collections/([^/]+)(/.*)?", path)
        if not found:
            raise LookupError(path)
        name, rest = found.groups()
        if rest == "/exists":
            return {"exists": self.client.collection_exists(name)}
        if rest is None:
            return self._collection(method, name, body)
        if not self.client.collection_exists(name):
            raise LookupError(name)
        if rest == "/index":
            self.indexed.add((name, body["field_name"]))
            return DONE
        if rest == "/points" and method == "PUT":
            self.client.upsert(name, TypeAdapter(m.PointsList).validate_python(body).points)
            return DONE
        if rest == "/points":
            ids = TypeAdapter(m.PointRequest).validate_python(body).ids
            return [r.model_dump(mode="json") for r in self.client.retrieve(name, ids)]
        if rest == "/points/count":
            where = TypeAdapter(m.CountRequest).validate_python(body).filter
            return {"count": self.client.count(name, count_filter=where, exact=True).count}
        if rest == "/points/query":
            asked = TypeAdapter(m.QueryRequest).validate_python(body)
            answer = self.client.query_points(
                name,
                query=asked.query.nearest if isinstance(asked.query, m.NearestQuery) else asked.query,
                using=asked.using,
                limit=asked.limit or 10,
                query_filter=asked.filter,
                with_payload=asked.with_payload,
            )
            return answer.model_dump(mode="json")
        raise LookupError(path)

    def _collection(self, method: str, name: str, body: Any) -> Any:
        if method == "PUT":
            asked = TypeAdapter(m.CreateCollection).validate_python(body)
            return self.client.create_collection(
                name, vectors_config=asked.vectors, sparse_vectors_config=asked.sparse_vectors
            )
        if method == "DELETE":
            return self.client.delete_collection(name)
        return self.client.get_collection(name).model_dump(mode="json")


@contextmanager
def serve() -> Iterator[QdrantRest]:
    rest = QdrantRest()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with rest.lock:
                status, body = self._answer(raw)
            payload = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def _answer(self, raw: bytes) -> tuple[int, Any]:
            if rest.refusals:
                rest.refusals -= 1
                return 503, {"status": {"error": "busy"}, "time": 0.0}
            if rest.key and self.headers.get("api-key") != rest.key:
                return 401, {"status": {"error": "Must provide an API key"}, "time": 0.0}
            path = urlsplit(self.path).path
            if rest.read_only and self.command == "PUT" and path.endswith("/points"):
                return 403, {"status": {"error": "read-only"}, "time": 0.0}
            try:
                result = rest.answer(self.command, path, json.loads(raw) if raw else None)
            except (LookupError, ValueError) as e:
                return 404, {"status": {"error": str(e)}, "time": 0.0}
            return 200, {"result": result, "status": "ok", "time": 0.0}

        do_GET = do_PUT = do_POST = do_DELETE = _handle  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    rest.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield rest
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        rest.client.close()
