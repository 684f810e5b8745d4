"""One HTTP exchange within a deadline, its failures told apart by what the caller should do."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from adapters.base import SourceSpec
from adapters.errors import (
    AuthRequired,
    ConfigurationError,
    FormatError,
    RateLimited,
    SourceError,
    Timeout,
    Unavailable,
)
from adapters.paging import same_host

if TYPE_CHECKING:
    import httpx

__all__ = ["MAX_BYTES", "HttpClient", "Reply", "Session", "retry_after"]

MAX_BYTES = 32 * 1024 * 1024  # of one decoded reply
MAX_REDIRECTS = 5
SNAPSHOT = 64 * 1024


@dataclass(frozen=True, slots=True)
class Reply:
    url: str
    status: int
    headers: Mapping[str, str]  # names in lower case; cookies left out
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


class HttpClient:
    """Sends the source's credentials to the source's own host and nowhere else.

    auth: {bearer} · {username, password} (basic) · {header, value}.
    """

    def __init__(self, spec: SourceSpec) -> None:
        import httpx

        self.source = spec.name
        headers: dict[str, str] = {"Accept": "application/json, application/xml;q=0.9, */*;q=0.1"}
        basic: httpx.BasicAuth | None = None
        if "bearer" in spec.auth:
            headers["Authorization"] = f"Bearer {spec.auth['bearer']}"
        elif "header" in spec.auth:
            headers[spec.auth["header"]] = spec.auth.get("value", "")
        elif "username" in spec.auth:
            basic = httpx.BasicAuth(spec.auth["username"], spec.auth.get("password", ""))
        try:
            self._headers, self._auth = httpx.Headers(headers), basic
            for value in headers.values():
                value.encode("ascii")
        except (TypeError, UnicodeError) as e:
            raise ConfigurationError(f"source {spec.name}: auth cannot be sent: {e}", source=spec.name) from e

    @contextmanager
    def session(self, timeout_s: float) -> Iterator[Session]:
        """One or more exchanges over one connection, all cut off when `timeout_s` seconds have passed."""
        import httpx

        # the environment's proxies and .netrc are not the catalogue's: what is not written there is not used
        client = httpx.Client(
            headers=self._headers,
            auth=self._auth,
            trust_env=False,
            verify=_certificates(),
            limits=httpx.Limits(max_connections=1),
        )
        session = Session(self.source, client, time.monotonic() + timeout_s)
        watchdog = threading.Timer(timeout_s, session.cut)
        watchdog.daemon = True
        watchdog.start()
        try:
            yield session
        finally:
            watchdog.cancel()
            client.close()


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Made once: loading the certificates takes longer than a request on the local network."""
    return ssl.create_default_context()


class Session:
    """Exchanges until a deadline. httpx bounds each read; the walk as a whole is bounded by shutting its sockets,
    so that neither slow headers nor a dripping body outlive it."""

    def __init__(self, source: str, client: httpx.Client, deadline: float) -> None:
        self.source = source
        self.deadline = deadline
        self._client = client
        self._sockets: list[socket.socket] = []

    def cut(self) -> None:
        """Shuts every connection; a read that waits on one fails at once."""
        for s in self._sockets:
            with suppress(OSError):  # it is closed already
                s.shutdown(socket.SHUT_RDWR)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            self._sockets.append(info["return_value"].get_extra_info("socket"))

    def exchange(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """One request, redirects on the same host followed for GET.

        Raises Timeout, Unavailable, RateLimited, AuthRequired, FormatError.
        """
        for _ in range(MAX_REDIRECTS + 1):
            reply = self._send(method, url, params, body, headers)
            location = reply.headers.get("location")
            if method == "GET" and reply.status in (301, 302, 303, 307, 308) and location:
                url, params = self._at_home(reply.url, location), None
                continue
            self._check(method, reply)
            return reply
        raise FormatError(
            f"source {self.source}: more than {MAX_REDIRECTS} redirects from {url}", source=self.source
        )

    def _at_home(self, base: str, location: str) -> str:
        try:
            return same_host(base, location)
        except FormatError as e:
            message = f"source {self.source}: redirected to another host: {location[:200]!r}; not followed"
            raise FormatError(message, source=self.source) from e

    def _send(
        self,
        method: str,
        url: str,
        params: Mapping[str, Any] | None,
        body: Any,
        headers: Mapping[str, str] | None,
    ) -> Reply:
        import httpx

        try:
            left = self._left(url)
            request = self._client.build_request(
                method, url, params=dict(params) if params else None, json=body, headers=headers, timeout=left
            )
            request.extensions["trace"] = self._trace
            response = self._client.send(request, stream=True)
            try:
                data = bytearray()
                for chunk in response.iter_bytes():
                    data += chunk
                    self._left(url)
                    if len(data) > MAX_BYTES:
                        message = (
                            f"source {self.source}: the reply of {url} is larger than {MAX_BYTES >> 20} MiB"
                        )
                        raise FormatError(message, source=self.source)
            finally:
                response.close()
        except httpx.TimeoutException as e:
            raise Timeout(f"source {self.source}: no reply from {url} in time", source=self.source) from e
        except httpx.TransportError as e:
            self._left(url)
            message = f"source {self.source}: no connection to {url}: {e or type(e).__name__}"
            raise Unavailable(message, source=self.source) from e
        except (httpx.DecodingError, httpx.InvalidURL, UnicodeError) as e:
            raise FormatError(f"source {self.source}: {url}: {e}", source=self.source) from e
        kept = {k.lower(): v for k, v in response.headers.items() if k.lower() != "set-cookie"}
        return Reply(str(response.url), response.status_code, kept, bytes(data))

    def _left(self, url: str) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Timeout(f"source {self.source}: the time was up while reading {url}", source=self.source)
        return left

    def _check(self, method: str, reply: Reply) -> None:
        if reply.status < 300:
            return
        details: dict[str, Any] = {
            "source": self.source,
            "status": reply.status,
            "headers": dict(reply.headers),
            "snapshot": reply.text[:SNAPSHOT],
        }
        said = " ".join(reply.text.split())[:160]
        message = f"source {self.source}: {method} {reply.url.split('?')[0]} gave {reply.status}"
        if reply.status == 429:
            after = retry_after(reply.headers.get("retry-after"))
            wait = f"; asks to wait {after:g} s" if after is not None else ""
            raise RateLimited(f"{message} (too many requests){wait}", retry_after=after, **details)
        kinds: dict[int, type[SourceError]] = {
            401: AuthRequired,
            403: AuthRequired,
            407: AuthRequired,
            408: Timeout,
        }
        if reply.status in kinds:
            hint = "; check the source's auth" if kinds[reply.status] is AuthRequired else ""
            raise kinds[reply.status](message + hint, **details)
        if reply.status >= 500:
            raise Unavailable(f"{message}: {said}" if said else message, **details)
        if reply.status == 404:
            raise FormatError(f"{message}: there is no such path; check locate.path", **details)
        raise FormatError(f"{message}: {said}" if said else message, **details)


def retry_after(header: str | None, now: dt.datetime | None = None) -> float | None:
    """Seconds to wait, from a Retry-After header in seconds or as an HTTP date. None when absent or unreadable."""
    if not header:
        return None
    text = header.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return max(0.0, (moment - (now or dt.datetime.now(dt.UTC))).total_seconds())
