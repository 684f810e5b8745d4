"""Leaves a source alone for a while after it has failed several times in a row."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

__all__ = ["Breaker"]


class Breaker:
    """Closed → open after `failures` consecutive failures → after `cooldown_s` one trial → closed or open again.

    Thread-safe. `clock` gives seconds and never runs backwards.
    """

    def __init__(self, failures: int, cooldown_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = failures
        self._cooldown = cooldown_s
        self._clock = clock
        self._lock = threading.Lock()
        self._count = 0
        self._opened: float | None = None
        self._trial: float | None = None

    def wait(self) -> float:
        """0 when a call may go ahead, else the seconds until one may be tried.

        While open and cooled down, the first to ask is the trial; the others wait for its outcome, but for no longer
        than another cool-down: a trial that never reports does not keep the source shut.
        """
        with self._lock:
            if self._opened is None:
                return 0.0
            now = self._clock()
            since = self._opened if self._trial is None else self._trial
            left = since + self._cooldown - now
            if left > 0:
                return left
            self._trial = now
            return 0.0

    def succeeded(self) -> None:
        """The source answered; closes."""
        with self._lock:
            self._count = 0
            self._opened = self._trial = None

    def failed(self) -> None:
        """The source did not answer; opens at the limit, or at once after a failed trial."""
        with self._lock:
            self._count += 1
            if self._count >= self._limit or self._trial is not None:
                self._opened = self._clock()
                self._trial = None
