"""A step's attempts at its source: when to ask again, when to stop, and a record of each."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import stamina

from adapters.base import Evidence, Query, Raw
from adapters.errors import RateLimited, SourceError, Timeout, Unavailable
from adapters.http_client import retry_after as read_retry_after
from executor.calls import Call, call
from executor.events import Emit, Event
from executor.scrub import Scrubber
from executor.settings import ExecutorSettings
from executor.sources import OpenSource
from executor.state import Attempt, FailureKind
from executor.store import now

__all__ = ["SNAPSHOT_BYTES", "Outcome", "ask"]

SNAPSHOT_BYTES = 64 * 1024

# the events say what is retried; without a handler Python would print stamina's log to a terminal that shows progress
logging.getLogger("stamina").addHandler(logging.NullHandler())


class CircuitOpen(SourceError):  # noqa: N818 - like its siblings, it names what happened
    kind = "circuit_open"


class Cancelled(SourceError):  # noqa: N818
    kind = "cancelled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`error` None means that `evidence` is there. `reached` False means that the source was never asked."""

    attempts: tuple[Attempt, ...]
    evidence: Evidence | None
    error: SourceError | None
    reached: bool


def ask(
    opened: OpenSource,
    query: Query,
    *,
    retries: int,
    settings: ExecutorSettings,
    emit: Emit,
    goal_id: str,
    stop: threading.Event,
) -> Outcome:
    """Asks, and asks again after RateLimited and Unavailable, at most `retries` times; raises nothing of the source's.

    The wait is the source's Retry-After exactly where it gave one, else exponential with jitter. A Retry-After that
    reaches past `settings.retry_deadline_s` ends the step instead: the caller may have a better source. A timeout is
    not repeated here: asking again with the same time would fail again, and more time is the reflector's to give.
    """
    attempts: list[Attempt] = []
    reached = False
    begun = time.monotonic()

    def again(error: Exception) -> bool | float:
        if not isinstance(error, (RateLimited, Unavailable)) or len(attempts) > retries or stop.is_set():
            return False
        wait = retry_after(error)
        left = settings.retry_deadline_s - (time.monotonic() - begun)
        if (wait or 0.0) >= left:
            return False
        lower = settings.retry_wait_s * 2 ** (len(attempts) - 1)
        seconds = wait if wait is not None else min(settings.retry_wait_max_s, lower)
        emit(Event("waiting", goal_id, opened.name, f"asking again in {seconds:.1f} s", seconds=seconds))
        return True if wait is None else wait

    def once(number: int) -> Evidence:
        nonlocal reached
        with opened.slot():
            if stop.is_set():
                raise Cancelled("the run was stopped", source=opened.name)
            shut = opened.breaker.wait()
            if shut > 0:
                last = f"; last: {attempts[-1].message}" if attempts else ""
                raise CircuitOpen(
                    f"source {opened.name} failed several times in a row and is left alone for {shut:.0f} s more{last}",
                    source=opened.name,
                )
            started, clock = now(), time.monotonic()
            done = call(
                opened.adapter, query, source=opened.name, open_s=settings.open_s, grace_s=settings.grace_s
            )
        reached = reached or done.stage != "build"
        _tell_breaker(opened, done)
        record = _record(done, query, number, started, time.monotonic() - clock, opened.scrubber)
        attempts.append(record)
        emit(_event(record, goal_id, opened.name))
        if done.error is not None:
            raise done.error
        return opened.scrubber.evidence(cast(Evidence, done.evidence))

    try:
        for trial in stamina.retry_context(
            on=again,
            attempts=retries + 1,
            timeout=settings.retry_deadline_s,
            wait_initial=settings.retry_wait_s,
            wait_max=settings.retry_wait_max_s,
            wait_jitter=settings.retry_wait_s,
        ):
            with trial:
                evidence = once(trial.num)
                return Outcome(tuple(attempts), evidence, None, True)
    except SourceError as e:
        return Outcome(tuple(attempts), None, e, reached)
    raise AssertionError("retry_context ends by returning or raising")


def retry_after(error: SourceError) -> float | None:
    """Seconds that the source asks to wait, from the error or its Retry-After header (seconds or an HTTP date)."""
    said = getattr(error, "retry_after", None)
    if said is not None:
        return max(0.0, float(said))
    header = next((v for k, v in error.headers.items() if k.lower() == "retry-after"), None)
    return read_retry_after(header)


def _tell_breaker(opened: OpenSource, done: Call) -> None:
    """Only silence counts against a source; a refusal or an odd reply shows that it is there."""
    if done.stage == "build":
        return
    if isinstance(done.error, (Timeout, Unavailable)):
        opened.breaker.failed()
    else:
        opened.breaker.succeeded()


def _record(
    done: Call, query: Query, number: int, started: str, elapsed: float, scrubber: Scrubber
) -> Attempt:
    raw, error = done.raw, done.error
    snapshot = raw.snapshot if raw is not None else ""
    headers: Mapping[str, str] = raw.headers if raw is not None else {}
    status = raw.status if raw is not None else None
    if error is not None:
        snapshot, headers = snapshot or error.snapshot, headers or error.headers
        status = error.status if error.status is not None else status
    return Attempt(
        request_id=uuid.uuid4().hex,
        number=number,
        started=started,
        elapsed=round(elapsed, 4),
        sent=scrubber.value(dict(raw.sent) if raw is not None and raw.sent else _asked(query)),
        status=status,
        headers=scrubber.headers(headers),
        url=scrubber.text(raw.url) if raw is not None else "",
        digest=_digest(raw, snapshot),
        snapshot=_bounded(scrubber.text(snapshot)),
        failure=None if error is None else cast(FailureKind, error.kind),
        message="" if error is None else scrubber.text(" ".join(str(error).split())),
        retry_after=None if error is None else retry_after(error),
    )


def _asked(query: Query) -> dict[str, Any]:
    parts = {"dataset": query.dataset, "filters": query.filters, "text": query.text, "values": query.values}
    return {k: v for k, v in parts.items() if v}


def _digest(raw: Raw | None, snapshot: str) -> str:
    """sha256 of the reply where it is bytes, text or JSON; of its snapshot where it is an object of the adapter's."""
    if raw is None:
        return hashlib.sha256(snapshot.encode("utf-8", "surrogatepass")).hexdigest() if snapshot else ""
    payload = raw.payload
    if isinstance(payload, (bytes, bytearray)):
        return hashlib.sha256(payload).hexdigest()
    if not isinstance(payload, str):
        try:
            payload = json.dumps(payload, sort_keys=True, ensure_ascii=False)
        except (TypeError, ValueError):
            payload = snapshot
    return hashlib.sha256(payload.encode("utf-8", "surrogatepass")).hexdigest()


def _bounded(text: str) -> str:
    return text.encode("utf-8", "replace")[:SNAPSHOT_BYTES].decode("utf-8", "ignore")


def _event(record: Attempt, goal_id: str, source: str) -> Event:
    detail = {
        "number": record.number,
        "request_id": record.request_id,
        "failure": record.failure,
        "http_status": record.status,
    }
    return Event("attempt", goal_id, source, record.message, seconds=record.elapsed, detail=detail)
