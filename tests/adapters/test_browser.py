"""The one browser of a run: found, shared, cut off, closed."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from adapters.base import Resources
from adapters.browser import Chromium, _bounded, find_browser
from adapters.browser_finding import CHANNELS, ON_PATH
from adapters.errors import FormatError, Timeout, Unavailable

pytestmark = pytest.mark.slow


@pytest.fixture
def resources(tmp_path: Path) -> Iterator[Resources]:
    resources = Resources(home=tmp_path)
    yield resources
    resources.close()


def _threads() -> set[threading.Thread]:
    return {t for t in threading.enumerate() if t.name.startswith("assay-browser")}


def _children() -> set[int]:
    return {p.pid for p in psutil.Process().children(recursive=True)}


def test_browser_is_found_where_a_loop_runs() -> None:
    async def ask() -> str:
        return find_browser()

    assert asyncio.run(ask())


def test_no_browser_says_what_was_tried_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    no_browser = tmp_path / "no-such-browser"
    try:
        found = find_browser(str(no_browser))
    except Unavailable as e:
        message = str(e)
        for tried in (str(no_browser), "Playwright's own Chromium", *ON_PATH, *CHANNELS):
            assert tried in message
        assert "playwright install chromium" in message
        assert "\n" not in message
    else:
        assert found.startswith("channel ")  # Chrome or Edge stands where only its channel knows


def test_one_browser_for_all_works_alone_and_ends_clean(resources: Resources) -> None:
    threads, children = _threads(), _children()  # other tests' browsers may be open
    chromium = Chromium.shared(resources)
    assert Chromium.shared(resources) is chromium
    assert len(resources.opened) == 1
    assert _threads() == threads  # nothing is started before there is work

    async def cookies_of_a_context() -> list[str]:
        async with chromium.context() as context:
            page = await context.new_page()
            await page.set_content("<p>x</p>")
            await context.add_cookies([{"name": "a", "value": "1", "url": "http://x.example"}])
            return [str(c.get("name")) for c in await context.cookies()]

    async def fresh_cookies() -> int:
        async with chromium.context() as context:
            return len(await context.cookies())

    assert chromium.run(cookies_of_a_context, 60) == ["a"]
    assert chromium.run(fresh_cookies, 60) == 0
    started = _children() - children
    assert started
    resources.close()
    assert _threads() == threads
    _, alive = psutil.wait_procs([psutil.Process(p) for p in started if psutil.pid_exists(p)], timeout=10)
    assert not alive
    gc.collect()  # a transport left open would warn here, and warnings are errors


def test_work_starts_a_new_browser_after_close_and_after_a_crash(resources: Resources) -> None:
    others = _children()
    chromium = Chromium.shared(resources)

    async def add() -> int:
        async with chromium.context() as context:
            page = await context.new_page()
            return int(await page.evaluate("1 + 1"))

    assert chromium.run(add, 60) == 2
    chromium.close()
    chromium.close()
    assert chromium.run(add, 60) == 2
    browser = psutil.Process().children(recursive=True)
    for process in browser:
        with contextlib.suppress(psutil.NoSuchProcess):  # went with its parent
            if process.pid not in others and "chrom" in process.name():
                process.kill()
    deadline = time.monotonic() + 20
    while True:  # the driver notices the crash in its own time
        try:
            assert chromium.run(add, 60) == 2
            break
        except Unavailable:
            assert time.monotonic() < deadline


def test_work_that_hangs_is_cut_off_and_its_context_closed(resources: Resources) -> None:
    chromium = Chromium.shared(resources)
    contexts = []

    async def hang() -> None:
        async with chromium.context() as context:
            contexts.append(context)
            await asyncio.Event().wait()

    async def open_contexts() -> int:
        return len(contexts[0].browser.contexts) if contexts[0].browser else 0

    async def nothing() -> None:
        async with chromium.context():
            pass

    chromium.run(nothing, 60)
    began = time.monotonic()
    with pytest.raises(Timeout, match="within 1 s"):
        chromium.run(hang, 1)
    assert time.monotonic() - began < 4
    assert chromium.run(open_contexts, 10) == 0


def test_errors_of_the_work_come_out_as_they_are(resources: Resources) -> None:
    chromium = Chromium.shared(resources)

    async def refuse() -> None:
        raise FormatError("not a board")

    async def nowhere() -> None:
        async with chromium.context() as context:
            page = await context.new_page()
            await page.goto("http://127.0.0.1:9/")

    with pytest.raises(FormatError, match="not a board"):
        chromium.run(refuse, 10)
    with pytest.raises(Unavailable, match="ERR_"):
        chromium.run(nowhere, 60)


def test_close_ends_work_that_is_under_way(resources: Resources) -> None:
    chromium = Chromium.shared(resources)
    begun = threading.Event()
    caught: list[BaseException] = []

    async def hang() -> None:
        async with chromium.context():
            begun.set()
            await asyncio.Event().wait()

    def run() -> None:
        try:
            chromium.run(hang, 60)
        except Unavailable as e:
            caught.append(e)

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(30)
    resources.close()
    thread.join(10)
    assert not thread.is_alive()
    assert "closed while" in str(caught[0])


def test_what_was_wrong_is_said_though_closing_takes_too_long() -> None:
    async def work() -> None:
        try:
            raise FormatError("headings present: 销量")
        finally:
            await asyncio.sleep(5)

    with pytest.raises(FormatError, match="headings present"):
        asyncio.run(_bounded(work, 0.2))

    async def slow() -> None:
        await asyncio.sleep(5)

    with pytest.raises(Timeout, match=r"not read within 0\.2 s"):
        asyncio.run(_bounded(slow, 0.2))
