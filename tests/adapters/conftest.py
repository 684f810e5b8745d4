"""The board server and one browser for all tests of boards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adapters.base import Resources
from tests.adapters.boards import Boards, serve


@pytest.fixture(scope="session")
def boards() -> Iterator[Boards]:
    with serve() as running:
        yield running


@pytest.fixture(scope="session")
def board_resources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Resources]:
    resources = Resources(home=tmp_path_factory.mktemp("home"))
    yield resources
    resources.close()
