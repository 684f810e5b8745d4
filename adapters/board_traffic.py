"""What a board's page asks for while it is open: which replies came, which failed, which are still awaited."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from adapters.board_network import NetworkReply, wanted

if TYPE_CHECKING:
    from playwright.async_api import Page, Request, Response

__all__ = ["Traffic"]

_DATA = ("xhr", "fetch")
LARGEST = 32 * 1024 * 1024  # bytes of a reply that is kept


class Traffic:
    """Listens from its making on.

    `pattern`: the URL of the reply that is wanted (see `board_network.wanted`); `fits`: is a reply from there the one
    that is meant? Boards answer "running" first, and ask one URL for many charts.
    """

    def __init__(self, page: Page, pattern: str | None, fits: Callable[[NetworkReply], bool]) -> None:
        self._fits = fits
        self._came: dict[int, NetworkReply] = {}  # by the order in which their heads came
        self._fitting: dict[int, NetworkReply] = {}
        self.failures: list[tuple[str, int]] = []  # path and HTTP status of data calls that failed
        self.asked: list[str] = []  # paths of all data calls, in order
        self._pattern = pattern
        self._heads = 0
        self._answered: set[str] = set()
        self._open: dict[Request, str] = {}
        self._bodies: set[asyncio.Task[None]] = set()
        page.on("request", self._begun)
        page.on("response", self._answer)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    @property
    def newest(self) -> NetworkReply | None:
        """The newest reply from the wanted URL."""
        return self._came[max(self._came)] if self._came else None

    @property
    def fitting(self) -> NetworkReply | None:
        """The newest of them that fits."""
        return self._fitting[max(self._fitting)] if self._fitting else None

    def pending(self) -> str:
        """Data calls to URLs that have never answered, and replies still being read; "" when there are none.

        A page that polls asks the same URL again and again: that holds nothing up.
        """
        first = sorted({urlsplit(u).path for u in self._open.values() if u not in self._answered})
        if first:
            return f"no reply yet to {first[0]}"
        return "a reply was still being read" if self._bodies else ""

    async def read_all(self) -> None:
        """Waits for the wanted replies that have begun to come in."""
        while self._bodies:
            await asyncio.wait(set(self._bodies))

    def stop(self) -> None:
        for task in self._bodies:
            task.cancel()

    def forget(self) -> None:
        """What came before a login counts no more."""
        self._came.clear()
        self._fitting.clear()
        self.failures.clear()

    def _begun(self, request: Request) -> None:
        if request.resource_type in (*_DATA, "document"):
            self._open[request] = _bare(request.url)
        if request.resource_type in _DATA:
            self.asked.append(urlsplit(request.url).path)

    def _ended(self, request: Request) -> None:
        url = self._open.pop(request, None)
        if url is not None:
            self._answered.add(url)

    def _answer(self, response: Response) -> None:
        if response.request.resource_type in _DATA and response.status >= 400:
            self.failures.append((urlsplit(response.url).path, response.status))
        if self._pattern and response.status < 300 and wanted(response.url, self._pattern):
            self._heads += 1
            task = asyncio.ensure_future(self._keep(response, self._heads))
            self._bodies.add(task)
            task.add_done_callback(self._bodies.discard)

    async def _keep(self, response: Response, number: int) -> None:
        from playwright.async_api import Error

        try:
            body = await response.body()
        except Error:
            return  # the page moved on before the body came; a later reply counts
        document = _json(body)
        if document is not None:
            self._came[number] = reply = NetworkReply(response.url, document)
            if self._fits(reply):
                self._fitting[number] = reply


def _json(body: bytes) -> Any:
    if len(body) > LARGEST:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return None


def _bare(url: str) -> str:
    return url.split("?", 1)[0].split("#", 1)[0]
