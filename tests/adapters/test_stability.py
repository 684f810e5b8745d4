"""A page counts as painted when it is quiet and holds its minimum."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.base import Resources
from adapters.browser import Chromium
from adapters.errors import Timeout
from adapters.stability import EMPTY_QUIET_S, QUIET_S, Look, Minimum, picture, settle

pytestmark = pytest.mark.slow

Settle = Callable[..., tuple[Look, float, str]]

CLOCK = "<p id=clock></p><script>let n = 0; setInterval(() => { clock.textContent = 'x'.repeat(++n % 50); }, 40);</script>"
TABLE = "<table id=t><tbody></tbody></table>"
DRIP = """<script>let k = 0; const drip = setInterval(() => {
  t.tBodies[0].insertAdjacentHTML('beforeend', '<tr><td>a</td><td>b</td></tr>'); if (++k === 4) clearInterval(drip); }, 250);</script>"""
COUNTING = "<p id=v>0.0%</p><script>let i = 0; const c = setInterval(() => { v.textContent = (i++ % 10) + '.0%'; if (i > 20) { clearInterval(c); v.textContent = '5.2%'; } }, 50);</script>"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    resources = Resources(home=Path(tmp_path_factory.mktemp("home")))
    yield Chromium.shared(resources)
    resources.close()


@pytest.fixture
def settled(chromium: Chromium) -> Settle:
    """The look at a page with this body, the seconds that it took, and the text then shown."""

    def run(body: str, seconds: float = 20, **options: Any) -> tuple[Look, float, str]:
        async def work() -> tuple[Look, float, str]:
            async with chromium.context() as context:
                page = await context.new_page()
                await page.set_content(body)
                began = time.monotonic()
                look = await settle(page, deadline=began + seconds, **options)
                return look, time.monotonic() - began, await page.locator("body").inner_text()

        return chromium.run(work, seconds + 30)

    return run


def test_quiet_page_takes_the_quiet_time(settled: Settle) -> None:
    look, took, _ = settled("<p>hello</p>")
    assert look == Look(region=False, rows=0)
    assert took >= QUIET_S


def test_rows_that_come_one_by_one_are_awaited(settled: Settle) -> None:
    look, _, _ = settled(TABLE + DRIP, regions=["//table"], doubtful=lambda look: not look.rows)
    assert look.rows == 4


def test_numbers_that_count_up_are_awaited(settled: Settle) -> None:
    _, _, text = settled(COUNTING, regions=["//p"])
    assert text == "5.2%"


def test_what_moves_outside_the_regions_is_no_matter(settled: Settle) -> None:
    look, _, _ = settled(CLOCK + "<div id=r>done</div>", regions=["//div[@id='r']"])
    assert look.region


def test_page_that_never_rests_is_a_timeout(settled: Settle) -> None:
    with pytest.raises(Timeout, match="it was still for only"):
        settled(CLOCK, 2)


def test_minimum_is_stated_in_the_timeout(settled: Settle) -> None:
    with pytest.raises(Timeout, match="0 rows of at least 3"):
        settled(TABLE, 1.5, regions=["//table"], minimum=Minimum(rows=3))


def test_loading_sign_is_stated_in_the_timeout(settled: Settle) -> None:
    with pytest.raises(Timeout, match="still showed that it was loading"):
        settled("<div id=r aria-busy=true>x</div>", 1.5, regions=["//div[@id='r']"])


def test_ready_needs_no_quiet(settled: Settle) -> None:
    _, took, _ = settled(CLOCK + "<b>ready</b>", ready="//b")
    assert took < QUIET_S


def test_doubtful_look_is_believed_late_and_not_while_something_is_pending(settled: Settle) -> None:
    look, took, _ = settled(TABLE, regions=["//table"], doubtful=lambda look: not look.rows)
    assert look.rows == 0
    assert took >= EMPTY_QUIET_S
    with pytest.raises(Timeout, match="no reply yet"):
        settled(TABLE, 1.5, regions=["//table"], doubtful=lambda _: True, pending=lambda: "no reply yet")


def test_board_that_says_it_is_empty_is_believed_at_once(settled: Settle) -> None:
    look, took, _ = settled(
        TABLE + "<i>暂无数据</i>", regions=["//table"], empty="//i", doubtful=lambda look: not look.rows
    )
    assert look.empty
    assert took < EMPTY_QUIET_S


def test_alarm_comes_before_everything(settled: Settle) -> None:
    look, _, _ = settled(CLOCK + "<input name=username>", ready="//b", alarm="//input")
    assert look.alarm


def test_picture_waits_for_the_animation(chromium: Chromium) -> None:
    body = """<canvas id=c width=60 height=60></canvas><script>const g = c.getContext('2d'); let n = 0;
      const grow = setInterval(() => { g.fillRect(0, 0, ++n, 60); if (n === 30) clearInterval(grow); }, 40);</script>"""

    async def work() -> tuple[bytes, bytes]:
        async with chromium.context() as context:
            page = await context.new_page()
            await page.set_content(body)
            element = page.locator("canvas")
            taken = await picture(element, deadline=time.monotonic() + 20)
            await asyncio.sleep(0.3)  # nothing more may come
            return taken, await element.screenshot()

    taken, later = chromium.run(work, 60)
    assert taken == later
