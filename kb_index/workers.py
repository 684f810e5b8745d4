"""Who does the work on the files: this process, Dask inside it, workers on this machine, or a Dask cluster.

The same function runs everywhere (`prepare`). A worker that dies loses nothing but the file it was at: Dask gives
that file to another, and one that kills them all is given up by `prepare` itself.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from kb_index.errors import NoWorkers
from kb_index.prepare import Outcome, Work, give_up, prepare

__all__ = ["Crew", "crew"]

Crew = Callable[[Sequence[Work]], Iterator[Outcome]]  # outcomes come as they are done, in any order
WAIT_S = 60  # for a scheduler to answer, and for its first worker
LOST_S = 300  # without any worker: longer than a busy machine takes to start one anew
CONFIG = {  # of a busy machine, likewise; Dask closes for good what has not come back in 15 s
    "distributed.comm.timeouts.connect": "120s",
    "distributed.deploy.lost-worker-timeout": "120s",
}
TEND_S = 5
ROUNDS = 5  # a file is handed out again when Dask blames it for its worker's death


@contextmanager
def crew(workers: int | None = None, scheduler: str = "") -> Iterator[Crew]:
    """`workers`: so many processes on this machine, 0 for Dask in a thread of this process; `scheduler`: the address
    of a Dask scheduler, whose workers see the same folders under the same paths. Neither: this process, without Dask.

    Raises NoWorkers when the scheduler or its workers do not answer.
    """
    if workers is None and not scheduler:
        yield lambda works: map(prepare, works)
        return
    with ExitStack() as open_things:
        client = _client(open_things, workers, scheduler)
        yield lambda works: _outcomes(
            client, works, one_thread=not scheduler and bool(workers), processes=bool(workers or scheduler)
        )


def _client(open_things: ExitStack, workers: int | None, scheduler: str) -> Any:
    import dask
    from distributed import Client, LocalCluster

    open_things.enter_context(dask.config.set(CONFIG))
    for name in ("distributed", "bokeh", "tornado"):  # a worker's death is the build's to tell
        logging.getLogger(name).setLevel(logging.CRITICAL)
    place = scheduler
    if not scheduler:
        place = open_things.enter_context(
            LocalCluster(
                n_workers=max(workers or 0, 1),
                threads_per_worker=1,  # PDFium is not thread-safe
                processes=bool(workers),
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
            )
        )
    try:
        client = open_things.enter_context(Client(place, timeout=WAIT_S, set_as_default=False))
        client.wait_for_workers(1, timeout=WAIT_S)
    except (OSError, TimeoutError, ValueError) as e:
        first = str(e).splitlines()[0] if str(e) else type(e).__name__
        raise NoWorkers(f"no Dask workers at {scheduler or 'this machine'}: {first}") from None
    return client


def _outcomes(client: Any, works: Sequence[Work], one_thread: bool, processes: bool) -> Iterator[Outcome]:
    from distributed import CancelledError, KilledWorker, as_completed
    from distributed.comm.core import CommClosedError

    waiting: dict[str, tuple[Work, int]] = {}

    def hand_out(work: Work, again: int) -> Any:
        if one_thread and not work.settings.threads:
            work = replace(work, settings=replace(work.settings, threads=1))
        future = client.submit(prepare, work, processes, pure=False)
        waiting[future.key] = (work, again)
        return future

    done = as_completed([hand_out(work, 0) for work in works], loop=client.loop)
    while waiting:
        _await_one(client, done)
        future = next(done)
        work, again = waiting.pop(future.key)
        try:
            outcome = future.result()
        except KilledWorker:
            if again < ROUNDS:
                done.add(hand_out(work, again + 1))
                continue
            outcome = give_up(work, f"the workers that read it died, {again} times; not tried again")
        except (CancelledError, CommClosedError):
            raise NoWorkers("the Dask scheduler went away; build again: what was read is kept") from None
        yield outcome


def _await_one(client: Any, done: Any) -> None:
    """Returns when a future is done. Raises NoWorkers when nobody has been there to do one for LOST_S."""
    seen = asked = time.monotonic()
    while not done.has_ready():
        time.sleep(0.02)
        now = time.monotonic()
        if now - asked < TEND_S:
            continue
        asked = now
        if client.cluster is not None:  # a worker that died as it started is not replaced by itself
            client.cluster.scale(len(client.cluster.worker_spec))
        if client.status == "running" and client.scheduler_info()["workers"]:
            seen = now
        elif now - seen > LOST_S:
            raise NoWorkers("all Dask workers are gone; build again: what was read is kept")
