"""The demo company for these tests, on free ports."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.assay.installation import Installation, install


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """The demo company, up, shared by the tests that do not break it."""
    here = install(tmp_path_factory.mktemp("installation"))
    try:
        done = here.run("demo", "up")
        assert done.returncode == 0, done.stderr
        yield here
    finally:
        here.run("demo", "down")


@pytest.fixture
def own_installation(tmp_path: Path, installation: Installation) -> Iterator[Installation]:
    """One more demo company, for a test that breaks it; the index is the shared one's."""
    installation.run("index", "build")
    here = install(tmp_path / "own")
    shutil.copytree(installation.home / "index", here.home / "index")
    try:
        yield here
    finally:
        here.run("demo", "down")
