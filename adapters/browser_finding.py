"""Finds a Chromium to launch. What is installed is only known by launching it: the file that Playwright names is
not the one it uses when headless."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapters.errors import Unavailable

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

__all__ = ["find_browser", "launch"]

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
CHANNELS = ("chrome", "msedge")
INSTALL = "install one with `playwright install chromium` or your system's packages (apt-get install chromium), or set `browser:` to its path"


@dataclass(frozen=True, slots=True)
class _Candidate:
    label: str
    executable: str | None = None
    channel: str | None = None


def _candidates(configured: str | None) -> Iterator[_Candidate]:
    if configured:
        yield _Candidate(configured, executable=shutil.which(configured) or configured)
    yield _Candidate("Playwright's own Chromium")
    for name in ON_PATH:
        path = shutil.which(name)
        if path:
            yield _Candidate(path, executable=path)
    for channel in CHANNELS:
        yield _Candidate(f"channel {channel}", channel=channel)


async def launch(playwright: Playwright, configured: str | None = None) -> tuple[Browser, str]:
    """The first browser that launches, headless, and what it is: the configured path, Playwright's own, one on
    PATH, a channel. Raises Unavailable that lists what was tried and how to install one."""
    from playwright.async_api import Error

    tried = []
    for candidate in _candidates(configured):
        try:
            browser = await playwright.chromium.launch(
                executable_path=candidate.executable, channel=candidate.channel
            )
        except Error as e:
            reason = next((line.strip() for line in str(e).splitlines() if line.strip()), "failed")
            tried.append(f"{candidate.label} ({reason.removeprefix('BrowserType.launch: ')[:100]})")
        else:
            return browser, candidate.label
    absent = [name for name in ON_PATH if shutil.which(name) is None]
    if absent:
        tried.append(f"not on PATH: {', '.join(absent)}")
    raise Unavailable(f"no Chromium can be launched; tried {'; '.join(tried)}. Please {INSTALL}")


def find_browser(configured: str | None = None) -> str:
    """Launches and ends the browser that a run would use, and says which it is: its path, "Playwright's own
    Chromium" or its channel. Takes 1 to 3 s. Raises Unavailable as `launch` does."""
    found: list[str] = []
    failed: list[BaseException] = []

    def look() -> None:
        try:
            found.append(asyncio.run(_find(configured)))
        except BaseException as e:
            failed.append(e)

    # a thread of its own, so that it may also be called where an event loop runs
    thread = threading.Thread(target=look, name="assay-find-browser")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return found[0]


async def _find(configured: str | None) -> str:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser, label = await launch(playwright, configured)
        await browser.close()
        return label
