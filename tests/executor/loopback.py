"""A real server on loopback that can be slow, deaf, flaky or rate-limited, and a small real adapter that asks it."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from adapters.base import Evidence, Locator, Query, Raw, Resources, SourceSpec
from adapters.errors import AuthRequired, FormatError, NoResults, RateLimited, Timeout, Unavailable
from adapters.values import matches

__all__ = ["Board", "Deaf", "HttpRows", "Seen"]

ROWS = [
    {"product": "A", "region": "华东", "month": "2024-01", "return_rate": 0.052},
    {"product": "B", "region": "华北", "month": "2024-01", "return_rate": 0.031},
]


@dataclass
class Seen:
    """One request as the server saw it; `at` on the monotonic clock."""

    at: float
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Board:
    """`/rows` answers; `?sleep=S` late; `?fail=N&status=C` fails N times first (`&after=S` is its Retry-After);
    `/hang` never answers while the server is up; `/write` takes a POST and gives a receipt; `?drop=1` drops it after."""

    requests: list[Seen] = field(default_factory=list)
    written: list[Any] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=lambda: list(ROWS))

    def __post_init__(self) -> None:
        self.over = threading.Event()
        self.lock = threading.Lock()
        board = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                board.answer(self)

            do_POST = do_GET  # noqa: N815 - the name is the base class's

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def times(self, path: str) -> list[float]:
        return [s.at for s in self.requests if s.path.startswith(path)]

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        url = urlsplit(request.path)
        asked = {k: v[0] for k, v in parse_qs(url.query).items()}
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        with self.lock:
            before = len(self.times(request.path))
            seen = Seen(
                time.monotonic(), request.path, dict(request.headers), json.loads(body) if body else None
            )
            self.requests.append(seen)
        if url.path == "/hang":
            self.over.wait(60)
            return
        time.sleep(float(asked.get("sleep", 0)))
        if before < int(asked.get("fail", 0)):
            request.send_response(int(asked["status"]))
            if "after" in asked:
                request.send_header("Retry-After", asked["after"])
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        reply: Any = self.rows
        if url.path == "/write":
            with self.lock:
                self.written.append(seen.body)
                reply = [{"order_id": seen.body["order_id"], "refund_id": f"R{len(self.written)}"}]
            if "drop" in asked:
                self.over.wait(60)
                return
        text = json.dumps(reply).encode()
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Set-Cookie", "session=s3cr3t-session")
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        request.wfile.write(text)


class HttpRows:
    """Rows of a JSON array. `locate.path` is what to ask; a query with values is a POST."""

    built = 0
    closed = 0

    def __init__(self, spec: SourceSpec, resources: Resources) -> None:
        self.spec = spec
        type(self).built += 1

    def timeout(self, query: Query) -> float | None:
        return query.timeout_s

    def query(self, query: Query) -> Raw:
        url = str(self.spec.connection["url"]) + str(self.spec.datasets[query.dataset].locate["path"])
        data = json.dumps(dict(query.values)).encode() if query.values else None
        request = urllib.request.Request(url, data=data)
        if "bearer" in self.spec.auth:
            request.add_header("Authorization", f"Bearer {self.spec.auth['bearer']}")
        if query.idempotency_key:
            request.add_header("Idempotency-Key", query.idempotency_key)
        sent = {"url": url, "headers": dict(request.headers), "filters": dict(query.filters)}
        try:
            with urllib.request.urlopen(request, timeout=self.timeout(query)) as reply:
                text = reply.read().decode()
                return Raw(
                    query, text, reply.status, dict(reply.headers), url, "2024-03-01T00:00:00Z", sent, text
                )
        except urllib.error.HTTPError as e:
            with e:
                self.refuse(e)
        except TimeoutError as e:
            raise Timeout(f"{url} did not answer in {query.timeout_s:g} s") from e
        except urllib.error.URLError as e:
            raise Unavailable(f"{url}: {e.reason}") from e
        raise AssertionError

    def refuse(self, e: urllib.error.HTTPError) -> None:
        headers = dict(e.headers)
        if e.code == 429:
            after = headers.get("Retry-After")
            raise RateLimited("429", retry_after=float(after) if after else None, status=429, headers=headers)
        if e.code == 401:
            raise AuthRequired("401", status=401, headers=headers)
        if e.code == 404:
            raise NoResults("404: nothing there", status=404)
        if e.code < 500:
            raise FormatError(f"HTTP {e.code}", status=e.code, headers=headers)
        raise Unavailable(f"HTTP {e.code}", status=e.code, headers=headers)

    def validate(self, raw: Raw) -> None:
        if not raw.payload.startswith("["):
            raise FormatError("not a JSON array")

    def normalise(self, raw: Raw) -> Evidence:
        dataset = self.spec.datasets[raw.query.dataset]
        types = {f.name: f.type for f in dataset.fields}
        rows = [{n: r.get(n) for n in types} for r in json.loads(raw.payload)]
        rows = [r for r in rows if matches(r, raw.query.filters, types)]
        place = Locator("ticket", self.spec.name, dataset.name, url=raw.url, read_at=raw.read_at)
        return Evidence(
            "records",
            self.spec.name,
            dataset.name,
            tuple(types),
            tuple(rows),
            tuple({"": place} for _ in rows),
            types,
        )

    def probe(self) -> list[Query]:
        return []

    def ping(self, timeout_s: float) -> None:
        pass

    def close(self) -> None:
        type(self).closed += 1


class Deaf(HttpRows):
    """Does not keep to any timeout."""

    def timeout(self, query: Query) -> float | None:
        return None
