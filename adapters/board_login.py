"""Logs in to a board with its own form, and tells a refused login from a slow one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from adapters.board_mapping import Login
from adapters.board_traffic import Traffic
from adapters.errors import AuthRequired, Timeout
from adapters.stability import POLL_S, QUIET_S

if TYPE_CHECKING:
    from playwright.async_api import Page

__all__ = ["at_login", "log_in"]


def at_login(page: Page, login: Login) -> bool:
    """Is the page the login page, where that is a page of its own?"""
    if not login.own_page:
        return False
    here, there = urlsplit(page.url), urlsplit(login.url)
    return (here.netloc, here.path.rstrip("/")) == (there.netloc, there.path.rstrip("/"))


async def log_in(
    page: Page, login: Login, auth: Mapping[str, str], traffic: Traffic, deadline: float
) -> None:
    """Fills the form that the page shows and sends it. Returns when the form is gone.

    Raises AuthRequired when there are no credentials or the form is still there with everything quiet, Timeout
    past the deadline.
    """
    username, password = auth.get("username"), auth.get("password")
    if not username or not password:
        raise AuthRequired(
            f"{urlsplit(login.url).path} asks for a login: set auth.username and auth.password of the source"
        )
    left = (deadline - time.monotonic()) * 1000
    page.set_default_timeout(max(left, 1))
    form = page.locator(f"xpath={login.username}").first
    await form.fill(username)
    await page.locator(f"xpath={login.password}").first.fill(password)
    await page.locator(f"xpath={login.submit}").first.click()
    since = time.monotonic()
    while await form.is_visible() or at_login(page, login):
        if traffic.pending():
            since = time.monotonic()
        if time.monotonic() - since >= 2 * QUIET_S:
            said = await _said(page)
            raise AuthRequired(
                f"the login at {urlsplit(login.url).path} was refused for user {username!r}"
                + (f": {said}" if said else "")
            )
        if time.monotonic() >= deadline:
            raise Timeout(f"the login at {urlsplit(login.url).path} was not answered in time")
        await asyncio.sleep(POLL_S)


async def _said(page: Page) -> str:
    """What the page says about the refusal, where it marks it as an alert; at most 120 characters."""
    alert = page.locator("[role=alert], .error, .alert").first
    if not await alert.count():
        return ""
    return " ".join((await alert.inner_text()).split())[:120]
