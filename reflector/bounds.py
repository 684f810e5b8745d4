"""The bounds that the rules obey; `assay.settings.Settings` has them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Protocol

from executor.state import ExecutionState
from reflector.decision import Decision

__all__ = ["HasLimits", "Limits", "elapsed", "rounds_left", "seconds_left"]


class Limits(Protocol):
    """tolerance: relative, 0.05 is 5 %. rounds: how often more may be asked for. seconds: of the whole run. replans: how
    often the rest may be planned anew."""

    @property
    def rounds(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def tolerance(self) -> float: ...
    @property
    def replans(self) -> int: ...
    @property
    def second_opinion(self) -> bool: ...


class HasLimits(Protocol):
    """Whatever carries `limits`."""

    @property
    def limits(self) -> Limits: ...


def rounds_left(settings: HasLimits, memory: Sequence[Decision]) -> int:
    """How many more decisions may ask for more."""
    return settings.limits.rounds - sum(d.action == "continue" for d in memory)


def elapsed(state: ExecutionState) -> float:
    """Seconds from the first attempt's start to the last one's end, by the attempts' own record.

    Read from the record and not from a clock, so that a replay decides alike.
    """
    spans = [
        (dt.datetime.fromisoformat(a.started).timestamp(), a.elapsed)
        for r in state.results.values()
        for a in r.attempts
        if a.started
    ]
    return max(s + e for s, e in spans) - min(s for s, _ in spans) if spans else 0.0


def seconds_left(settings: HasLimits, state: ExecutionState) -> float:
    """Seconds that the run may still take."""
    return settings.limits.seconds - elapsed(state)
