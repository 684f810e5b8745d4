"""What holds for all folders' tests."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def _heap_left_alone() -> Iterator[None]:
    """What a module leaves behind (torch, OCR models, open servers) is not walked through again at each full collection:
    with some millions of objects that made the later tests several times slower."""
    yield
    gc.collect()
    gc.freeze()
