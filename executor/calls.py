"""One call of an adapter, which comes back in bounded time even when the adapter does not.

The call runs in a daemon thread. One that hangs is left behind: it holds no slot, no run and not the exit.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from adapters.base import Adapter, Evidence, Query, Raw
from adapters.errors import SourceError, Timeout

__all__ = ["Call", "call"]

Stage = Literal["build", "query", "read", "done"]


@dataclass(frozen=True, slots=True)
class Call:
    """How far a call came. `stage` "build" means that the source was never asked; "read" is validate and normalise."""

    stage: Stage
    raw: Raw | None = None
    evidence: Evidence | None = None
    error: SourceError | None = None


def call(
    adapter_of: Callable[[], Adapter], query: Query, *, source: str, open_s: float, grace_s: float
) -> Call:
    """Builds, queries, validates, normalises; raises nothing.

    Each stage has its own bound: `open_s` for building (a browser or a model may have to start), the query's timeout
    and `grace_s` for the query, and as much again for understanding the reply. What is over its bound is a Timeout;
    an exception that is not a SourceError becomes one of kind "bug".
    """
    progress: queue.SimpleQueue[Call] = queue.SimpleQueue()
    name = f"{source}:{query.dataset}"
    threading.Thread(target=_work, args=(adapter_of, query, source, progress), name=name, daemon=True).start()
    bounds: dict[Stage, float] = {
        "build": open_s,
        "query": query.timeout_s + grace_s,
        "read": query.timeout_s + grace_s,
    }
    at = Call("build")
    while at.stage != "done" and at.error is None:
        try:
            at = progress.get(timeout=bounds[at.stage])
        except queue.Empty:
            doing = {
                "build": "could not be opened",
                "query": "did not answer",
                "read": "sent a reply that was not read",
            }
            limit = f"within {bounds[at.stage]:g} s"
            error = Timeout(
                f"source {source} {doing[at.stage]} {limit}; the call was abandoned", source=source
            )
            return Call(at.stage, at.raw, None, error)
    return at


def _work(
    adapter_of: Callable[[], Adapter], query: Query, source: str, progress: queue.SimpleQueue[Call]
) -> None:
    stage: Stage = "build"
    raw: Raw | None = None
    try:
        adapter = adapter_of()
        stage = "query"
        progress.put(Call(stage))
        raw = adapter.query(query)
        stage = "read"
        progress.put(Call(stage, raw))
        adapter.validate(raw)
        progress.put(Call("done", raw, adapter.normalise(raw)))
    except SourceError as e:
        progress.put(Call(stage, raw, None, e))
    except BaseException as e:
        # SystemExit from a library included: whatever ends this thread is the step's failure, not the run's
        text = " ".join(str(e).split())
        progress.put(
            Call(stage, raw, None, SourceError(f"{type(e).__name__}: {text}" if text else type(e).__name__))
        )
