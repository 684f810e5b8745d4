"""One Chromium for a run, driven by Playwright's async API on an event loop in a thread of its own.

Adapters hand it coroutines. Playwright's objects belong to the thread that made them, and its sync API refuses to
run inside asyncio: so no Playwright object leaves this module's loop.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import logging
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from adapters.base import Resources
from adapters.browser_finding import find_browser, launch
from adapters.errors import SourceError, Timeout, Unavailable

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright, StorageState

__all__ = ["Chromium", "find_browser"]

T = TypeVar("T")
_log = logging.getLogger(__name__)
_sharing = threading.Lock()

CLOSING_S = 3.0  # a context or browser that does not close within this is left to die with its process


class Chromium:
    """A browser that starts with the first work given to it and ends with `close`.

    `sessions` keeps each source's login (cookies and local storage) for the life of the browser, in memory only.
    """

    def __init__(self, configured: str | None = None) -> None:
        self.sessions: dict[str, StorageState] = {}
        self._configured = configured
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._launching: asyncio.Lock | None = None
        self._turns: dict[str, asyncio.Lock] = {}

    @classmethod
    def shared(cls, resources: Resources) -> Chromium:
        """The one Chromium of these resources; made at the first call, closed with them.

        The setting `browser` names an executable to use before any other.
        """
        with _sharing:
            for closer in resources.opened:
                owner = getattr(closer, "__self__", None)
                if isinstance(owner, cls):
                    return owner
            configured = resources.settings.get("browser")
            chromium = cls(str(configured) if configured else None)
            resources.opened.append(chromium.close)
            return chromium

    def run(self, work: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        """Runs `work()` on the browser's loop and returns its result; may be called from any thread.

        Raises Timeout after `timeout_s`, launch included, even when the page hangs; Unavailable when the browser
        or the connection fails; any SourceError of the work as it is.
        """
        future = asyncio.run_coroutine_threadsafe(_bounded(work, timeout_s), self._started())
        try:
            return future.result(timeout_s + CLOSING_S)
        except concurrent.futures.TimeoutError:
            future.cancel()
            raise Timeout(f"the browser gave nothing within {timeout_s:g} s") from None
        except concurrent.futures.CancelledError:
            raise Unavailable("the browser was closed while the page was being read") from None

    @contextlib.asynccontextmanager
    async def context(self, **options: Any) -> AsyncIterator[BrowserContext]:
        """A fresh context (its own cookies), closed whatever happens. On the browser's loop only."""
        browser = await self._launched()
        context = await browser.new_context(**options)
        try:
            yield context
        finally:
            # in a task of its own: a cancellation of the reader must not leave the context open
            closing = asyncio.ensure_future(context.close())
            with contextlib.suppress(Exception):
                await asyncio.wait({closing}, timeout=CLOSING_S)
            closing.add_done_callback(lambda done: done.cancelled() or done.exception())

    def turn(self, name: str) -> asyncio.Lock:
        """A lock of that name, for what may be done once at a time (a login). On the browser's loop only."""
        return self._turns.setdefault(name, asyncio.Lock())

    def close(self) -> None:
        """Ends the browser, its driver and the thread. Idempotent; later work starts them anew."""
        with self._guard:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
            self._turns = {}
        if loop is None or thread is None:
            return
        atexit.unregister(self.close)
        ending = asyncio.run_coroutine_threadsafe(self._end(), loop)
        with contextlib.suppress(concurrent.futures.TimeoutError):
            ending.result(3 * CLOSING_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(CLOSING_S)
        if not thread.is_alive():
            loop.close()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._guard:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._loop.set_exception_handler(_note_late_failure)
                self._launching = asyncio.Lock()
                # a daemon: a browser that hangs may not hold the exit
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="assay-browser", daemon=True
                )
                self._thread.start()
                atexit.register(self.close)
            return self._loop

    async def _launched(self) -> Browser:
        """The running browser; launched at first use and again after a crash."""
        assert self._launching is not None
        async with self._launching:
            if self._browser is None or not self._browser.is_connected():
                from playwright.async_api import async_playwright

                if self._playwright is None:
                    self._playwright = await async_playwright().start()
                began = time.monotonic()
                self._browser, label = await launch(self._playwright, self._configured)
                _log.debug("%s launched in %.2f s", label, time.monotonic() - began)
            return self._browser

    async def _end(self) -> None:
        """Cancels what runs, then closes the browser and its driver."""
        running = asyncio.all_tasks() - {asyncio.current_task()}
        ours = {t for t in running if t.get_name() == _WORK}
        for task in ours:
            task.cancel()
        if ours:
            await asyncio.wait(ours, timeout=CLOSING_S)
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = None
        if browser is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(browser.close(), CLOSING_S)
        if playwright is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(playwright.stop(), CLOSING_S)


_WORK = "assay-browser-work"


async def _bounded(work: Callable[[], Awaitable[T]], timeout_s: float) -> T:
    from playwright.async_api import Error
    from playwright.async_api import TimeoutError as PlaywrightTimeout

    task = asyncio.current_task()
    if task is not None:
        task.set_name(_WORK)
    try:
        async with asyncio.timeout(timeout_s):
            return await work()
    except SourceError:
        raise
    except (TimeoutError, PlaywrightTimeout) as e:
        if (said := _said(e)) is not None:
            raise said from None
        raise Timeout(f"the page was not read within {timeout_s:g} s") from e
    except Error as e:
        raise Unavailable(f"the browser could not read the page: {_first_line(e)}") from e


def _said(error: BaseException) -> SourceError | None:
    """What was found wrong before the time ran out while the page was being closed: it says more than the time."""
    earlier: BaseException | None = error
    while earlier is not None:
        if isinstance(earlier, SourceError):
            return earlier
        earlier = earlier.__cause__ or earlier.__context__
    return None


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__


def _note_late_failure(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What Playwright still had under way when its page was closed fails afterwards; nobody waits for it."""
    _log.debug("after the page was closed: %s", context.get("exception") or context.get("message"))
