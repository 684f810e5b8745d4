"""The demo company's servers in threads of this process, and its files in a folder of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from demo import boards, credentials, files, office, tickets
from demo.serving import Running

USER = {
    "username": credentials.DEFAULTS["ASSAY_DEMO_USER"],
    "password": credentials.DEFAULTS["ASSAY_DEMO_PASSWORD"],
}
TOKEN = credentials.DEFAULTS["ASSAY_DEMO_TOKEN"]


@pytest.fixture(autouse=True)
def default_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in credentials.DEFAULTS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("company")
    files.make(folder)
    return folder


@pytest.fixture
def board_client() -> Iterator[httpx.Client]:
    """Not logged in yet."""
    with Running(boards.app()) as server, httpx.Client(base_url=server.url, follow_redirects=True) as client:
        yield client


@pytest.fixture
def ticket_client() -> Iterator[httpx.Client]:
    with (
        Running(tickets.app()) as server,
        httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {TOKEN}"}) as client,
    ):
        yield client


@pytest.fixture
def office_client() -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {TOKEN}", "X-Api-Key": TOKEN}
    with Running(office.app()) as server, httpx.Client(base_url=server.url, headers=headers) as client:
        yield client
