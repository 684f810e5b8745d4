"""One visit to a board: open it, log in when asked, wait until it is painted, and take what it shows of a dataset."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from adapters.board_login import at_login, log_in
from adapters.board_mapping import Board, Login, Mapped
from adapters.board_network import NetworkReply
from adapters.board_table import Table, heading_of, read_table
from adapters.board_traffic import Traffic
from adapters.browser import Chromium
from adapters.errors import (
    AuthRequired,
    FormatError,
    RateLimited,
    SchemaDrift,
    SourceError,
    Timeout,
    Unavailable,
)
from adapters.stability import Look, picture, settle

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Response

__all__ = ["Drawn", "Seen", "visit"]

VIEWPORT = {"width": 1440, "height": 1800}  # tall: charts below the fold load lazily
_LOOKS = r"\.(png|jpe?g|gif|webp|svg|ico|woff2?|ttf|otf|eot|mp4|webm)(\?|$)"
_KEPT_HEADERS = ("content-type", "date", "server", "etag", "last-modified", "x-request-id")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart or table that is only drawn: its picture (PNG) and its title."""

    png: bytes
    title: str | None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a visit brought. `url`, `status` and `headers` are those of the board's page."""

    found: NetworkReply | Table | Drawn
    url: str
    status: int | None
    headers: Mapping[str, str] = field(default_factory=dict)


async def visit(
    chromium: Chromium, board: Board, way: Mapped, auth: Mapping[str, str], source: str, deadline: float
) -> Seen:
    """`deadline` is on time.monotonic's clock. Raises a SourceError; its context is closed whatever happens."""
    session = f"{source} {auth.get('username', '')}"
    options: dict[str, Any] = {
        "viewport": VIEWPORT,
        "device_scale_factor": 2
        if way.element
        else 1,  # line charts' labels are read better at twice the size
        "storage_state": chromium.sessions.get(session),
        "locale": board.locale,
    }
    if board.login is None and auth.get("username"):
        options["http_credentials"] = {
            "username": auth["username"],
            "password": auth.get("password", ""),
            "origin": "://".join(urlsplit(board.url)[:2]),
        }
    async with chromium.context(**options) as context:
        if not way.element:
            await context.route(re.compile(_LOOKS, re.I), lambda route: route.abort())
        page = await context.new_page()
        traffic = Traffic(
            page, way.network_url, lambda reply: reply.fits(way.network_rows, way.network_fields)
        )
        try:
            return await _read(chromium, context, page, traffic, board, way, auth, session, deadline)
        finally:
            traffic.stop()


async def _read(
    chromium: Chromium,
    context: BrowserContext,
    page: Page,
    traffic: Traffic,
    board: Board,
    way: Mapped,
    auth: Mapping[str, str],
    session: str,
    deadline: float,
) -> Seen:
    began_with = chromium.sessions.get(session)
    response = await _open(page, way.url, deadline, board.login is not None)
    look = await _settled(page, traffic, board, way, deadline)
    if board.login is not None and _asks(page, board.login, look):
        async with chromium.turn(session):
            newer = chromium.sessions.get(session)
            if newer is not None and newer is not began_with:  # another query has logged in meanwhile
                await context.add_cookies(newer["cookies"])  # type: ignore[arg-type]
                traffic.forget()
                response = await _open(page, way.url, deadline, True)
                look = await _settled(page, traffic, board, way, deadline)
            if _asks(page, board.login, look):
                await log_in(page, board.login, auth, traffic, deadline)
                chromium.sessions[session] = await context.storage_state()
                traffic.forget()
                response = await _open(page, way.url, deadline, False)
                look = await _settled(page, traffic, board, way, deadline)
        if _asks(page, board.login, look):
            raise AuthRequired("the board asks for a login again right after one was accepted")
    await traffic.read_all()
    found = await _take(page, traffic, way, look, deadline)
    headers = {k: v for k, v in response.headers.items() if k in _KEPT_HEADERS} if response else {}
    return Seen(found, page.url, response.status if response else None, headers)


def _asks(page: Page, login: Login, look: Look) -> bool:
    return look.alarm or at_login(page, login)


async def _open(page: Page, url: str, deadline: float, may_log_in: bool) -> Response | None:
    where = urlsplit(url).path
    try:
        async with asyncio.timeout_at(deadline):
            response = await page.goto(url, wait_until="domcontentloaded", timeout=0)
    except TimeoutError:
        raise Timeout(f"the board {where} did not load in time") from None
    if response is None or response.status < 400:
        return response
    status = response.status
    details: dict[str, Any] = {"status": status, "headers": dict(response.headers)}
    if status in (401, 403):
        if may_log_in:
            return response
        raise AuthRequired(f"the board {where} answers {status}: check the source's auth", **details)
    if status == 429:
        after = response.headers.get("retry-after", "")
        raise RateLimited(
            f"the board {where} answers 429", retry_after=float(after) if after.isdigit() else None, **details
        )
    if status >= 500:
        raise Unavailable(f"the board {where} answers {status}", **details)
    raise FormatError(f"the board {where} answers {status}: check connection.url", **details)


async def _settled(page: Page, traffic: Traffic, board: Board, way: Mapped, deadline: float) -> Look:
    regions = [x for x in (way.table, way.element) if x]

    def doubtful(look: Look) -> bool:
        if traffic.fitting is not None:
            return False
        if not regions or not look.region:
            return True
        return bool(way.table) and not look.rows

    return await settle(
        page,
        regions=regions,
        ready=way.ready,
        alarm=board.login.username if board.login else None,
        empty=way.empty,
        minimum=way.minimum,
        doubtful=doubtful,
        pending=traffic.pending,
        deadline=deadline,
    )


async def _take(
    page: Page, traffic: Traffic, way: Mapped, look: Look, deadline: float
) -> NetworkReply | Table | Drawn:
    """By the page's own replies, else by the DOM, else by a picture."""
    # of none that fits the newest, so that its fault is told
    reply = traffic.fitting or traffic.newest
    if reply is not None:
        title = way.title or await _heading(page, way)
        return NetworkReply(reply.url, reply.document, title)
    if look.empty:
        return Table(way.title, tuple(way.columns.values()), ())
    table = await read_table(page, way.table) if way.table else None
    if table is not None:
        if not table.rows and traffic.failures:
            raise _failed(traffic)
        return Table(way.title or table.title, table.headers, table.rows)
    if way.element and await page.locator(f"xpath={way.element}").count():
        png = await picture(page.locator(f"xpath={way.element}").first, deadline=deadline)
        title = (way.chart.title if way.chart else None) or way.title or await heading_of(page, way.element)
        return Drawn(png, title)
    if traffic.failures:
        raise _failed(traffic)
    raise SchemaDrift(await _absent(page, traffic, way))


async def _heading(page: Page, way: Mapped) -> str | None:
    xpath = way.table or way.element
    return await heading_of(page, xpath) if xpath else None


def _failed(traffic: Traffic) -> SourceError:
    path, status = traffic.failures[-1]
    message = f"the board painted no rows and its own call {path} answers {status}"
    kind = AuthRequired if status in (401, 403) else Unavailable
    return kind(message, status=status)


async def _absent(page: Page, traffic: Traffic, way: Mapped) -> str:
    parts = []
    if way.network_url:
        asked = "、".join(dict.fromkeys(traffic.asked)) or "nothing"
        parts.append(f"it never asked for {way.network_url} (it asked for {asked[:300]})")
    for xpath in (way.table, way.element):
        if xpath:
            parts.append(f"it has nothing at {xpath}")
    headings = await page.locator("h1, h2, h3, h4, [role=heading]").all_inner_texts()
    seen = "、".join(h.strip() for h in headings if h.strip())[:300]
    return f"the board is not as mapped: {'; '.join(parts)}; headings present: {seen or '(none)'}"
