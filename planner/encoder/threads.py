"""One thread for the encoder's products of matrices. They are many and small: a second thread costs more in waiting than it
brings, and on a machine that does other things a hundred times as much (measured: 0.05 s a question against 1.4 s)."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController

__all__ = ["one_thread"]


def one_thread() -> AbstractContextManager[object]:
    """For the time of a `with`, BLAS in this process uses one thread."""
    found: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return found


@cache
def _controller() -> ThreadpoolController:
    import numpy  # noqa: F401 - the library must be loaded before it is looked for

    return ThreadpoolController()
