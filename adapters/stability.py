"""When is a board painted? Text length and element counts must stay the same for a while *and* a stated minimum
must be met. The network's silence says nothing: a page that polls never has it, one that renders by timer has it
with one row painted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapters.errors import Timeout

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

__all__ = ["Look", "Minimum", "picture", "settle"]

QUIET_S = 0.7  # measured on real boards: shorter takes a half-painted table for a whole one
EMPTY_QUIET_S = 2.5  # a board that shows nothing yet is believed only after this long
POLL_S = 0.1
PICTURE_POLL_S = 0.35

# One pass over the page. `regions` are XPaths of what is to be read; a page with a clock elsewhere is still quiet.
# Within the regions the very text must stay (numbers that count up keep their length), else only its length.
_MEASURE = """({regions, ready, alarm, empty}) => {
  const all = xpath => {
    const found = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({length: found.snapshotLength}, (_, i) => found.snapshotItem(i));
  };
  const visible = node => node.nodeType === 1 && node.getClientRects().length > 0;
  const hash = text => { let h = 0; for (const c of text) h = (h * 31 + c.codePointAt(0)) | 0; return h; };
  const body = document.body;
  if (!body) return {painted: false};
  const found = regions.flatMap(all).filter(node => node.nodeType === 1);
  for (const node of found.slice(0, 1)) {
    const box = node.getBoundingClientRect();
    if (box.bottom < 0 || box.top > innerHeight) node.scrollIntoView({block: 'center'});
  }
  const loading = '.loading, [aria-busy=true], [role=progressbar]';
  const around = found.length ? found.flatMap(n => [n, n.parentElement]) : [body];
  const filled = row => {
    const cells = [...row.querySelectorAll('td, [role=cell], [role=gridcell]')];
    return cells.length > 1 || (cells.length === 1 && !(cells[0].colSpan > 1));
  };
  return {
    painted: true,
    busy: around.some(n => n && ((n.matches(loading) && visible(n)) || [...n.querySelectorAll(loading)].some(visible))),
    region: found.length > 0,
    text: found.length ? found.map(e => hash(e.innerText)).join() : body.innerText.length,
    elements: (found.length ? found : [body]).reduce((n, e) => n + e.getElementsByTagName('*').length, 0),
    rows: new Set(found.flatMap(e => [...e.querySelectorAll('tr, [role=row]')]).filter(filled)).size,
    bodyText: body.innerText.length, bodyElements: body.getElementsByTagName('*').length,
    ready: ready ? all(ready).length > 0 : null,
    alarm: alarm ? all(alarm).some(visible) : false,
    empty: empty ? all(empty).some(visible) : false,
  };
}"""


_WHOLE_PAGE = (
    "bodyText",
    "bodyElements",
)  # for the minimum only: what moves elsewhere on the page is no matter


@dataclass(frozen=True, slots=True)
class Minimum:
    """What must be there before quiet counts: characters of text and elements of the page, rows of the table."""

    text: int = 0
    elements: int = 1
    rows: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """The page as it was when it had settled. `alarm`: the alarm's element (a login form) is shown instead.
    `region`: something that is to be read is there. `empty`: the board says that it has no data."""

    region: bool
    rows: int
    alarm: bool = False
    empty: bool = False


async def settle(
    page: Page,
    *,
    regions: Sequence[str] = (),
    ready: str | None = None,
    alarm: str | None = None,
    empty: str | None = None,
    minimum: Minimum | None = None,
    doubtful: Callable[[Look], bool] = lambda look: False,
    pending: Callable[[], str] = lambda: "",
    deadline: float,
) -> Look:
    """Polls until the regions (the whole page when none is found) are painted and quiet, or `alarm` shows.

    All of `regions`, `ready`, `alarm` and `empty` are XPaths. A `doubtful` look (no rows yet) is believed only
    after EMPTY_QUIET_S and when `pending` names nothing that is still under way. With `ready` given, the page is
    ready when that is found. `deadline` is on time.monotonic's clock; past it raises Timeout that says what was
    still missing.
    """
    least = minimum or Minimum()
    arguments = {"regions": list(regions), "ready": ready, "alarm": alarm, "empty": empty}
    last: dict[str, Any] = {}
    since = time.monotonic()
    missing = "nothing was painted"
    try:
        async with asyncio.timeout_at(deadline):  # the loop's clock is time.monotonic's
            while True:
                now = await _measured(page, arguments)
                mark = {k: v for k, v in now.items() if k not in _WHOLE_PAGE}
                if mark != last:
                    last, since = mark, time.monotonic()
                missing = _missing(now, least, ready)
                if now["painted"]:
                    look = Look(now["region"], now["rows"], alarm=now["alarm"], empty=now["empty"])
                    if look.alarm:
                        return look
                    doubt = not ready and not look.empty and doubtful(look)
                    missing = missing or (pending() if doubt else "")
                    quiet = time.monotonic() - since
                    if not missing and (ready or quiet >= (EMPTY_QUIET_S if doubt else QUIET_S)):
                        return look
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        missing = missing or f"it was still for only {time.monotonic() - since:.1f} s"
        raise Timeout(f"the board was not ready in time: {missing}") from None


async def _measured(page: Page, arguments: dict[str, Any]) -> dict[str, Any]:
    from playwright.async_api import Error

    try:
        now: dict[str, Any] = await page.evaluate(_MEASURE, arguments)
    except Error as e:
        if "Execution context was destroyed" in str(e) or "navigat" in str(e):
            return {"painted": False}  # the page is on its way to another one
        raise
    return now


def _missing(now: dict[str, Any], least: Minimum, ready: str | None) -> str:
    if not now["painted"]:
        return "nothing was painted"
    if ready and not now["ready"]:
        return f"nothing at its ready XPath {ready}"
    if now["busy"]:
        return "it still showed that it was loading"
    for name, value, wanted in (
        ("characters", now["bodyText"], least.text),
        ("elements", now["bodyElements"], least.elements),
        ("rows", least.rows if now["empty"] else now["rows"], least.rows),
    ):
        if value < wanted:
            return f"{value} {name} of at least {wanted}"
    return ""


async def picture(element: Locator, *, deadline: float) -> bytes:
    """A PNG of the element once it has stopped changing for QUIET_S and is not one flat colour.

    A canvas has no text, so only its pixels tell when its animation is over. Raises Timeout.
    """
    last, since, fault = b"", time.monotonic(), "no picture could be taken"
    try:
        async with asyncio.timeout_at(deadline):
            while True:
                # without Playwright's own limit of 30 s
                now = await element.screenshot(type="png", timeout=0, animations="disabled")
                if now != last:
                    last, since, fault = now, time.monotonic(), "it kept changing"
                elif _flat(now):
                    fault = "it stayed blank"
                elif time.monotonic() - since >= QUIET_S:
                    return now
                await asyncio.sleep(PICTURE_POLL_S)
    except TimeoutError:
        raise Timeout(f"the chart was not painted in time: {fault}") from None


def _flat(png: bytes) -> bool:
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    return pixels is None or int(pixels.max()) - int(pixels.min()) < 8
