"""Runs a plan: every step as soon as what it needs is there, independent ones at the same time."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import replace
from types import TracebackType
from typing import Any

from adapters.base import Resources
from adapters.errors import SourceError
from executor.breaker import Breaker
from executor.dependencies import dependencies, skipped, stuck
from executor.errors import InputError, StoreError
from executor.events import Event, Listener
from executor.reads import Surroundings, failed, read
from executor.settings import ExecutorSettings
from executor.sources import Sources
from executor.state import ExecutionState, Goal, StepResult
from executor.store import RunStore
from executor.writes import write
from planner.catalogue import Catalogue
from planner.errors import PlannerError

__all__ = ["Executor"]

_Message = Event | StepResult | StoreError


class Executor:
    """Use it in `with`, over all rounds of a run, so that adapters are built once; without, each `run` closes its own.

    `settings` is an ExecutorSettings or anything that has some of its attributes. `on_event` is called in the thread
    that called `run`, one event after another; what it raises is noted in the store and does not end the run.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        resources: Resources,
        store: RunStore,
        settings: Any = None,
        on_event: Listener | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._resources = resources
        self._store = store
        self._settings = ExecutorSettings.of(settings)
        self._listener = on_event
        self._breakers: dict[str, Breaker] = {}
        self._sources: Sources | None = None
        self._entered = False
        self._writing = threading.Lock()

    def __enter__(self) -> Executor:
        self._entered = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._entered = False
        self.close()

    def close(self) -> list[str]:
        """Closes every adapter; gives a line for each that failed or did not close in time."""
        sources, self._sources = self._sources, None
        return sources.close() if sources is not None else []

    def run(self, state: ExecutionState) -> None:
        """Runs all that can run and has no result; each result is committed before a step that needs it starts.

        Every goal without a result gets exactly one. Whatever a source does becomes a result; StoreError is raised,
        since a result that cannot be kept is none.
        """
        if self._sources is None:
            self._sources = Sources(self._catalogue, self._resources, self._settings, self._breakers)
        try:
            _Round(self, state, self._sources).go()
        finally:
            if not self._entered:
                for line in self.close():
                    self._tell(state, Event("note", message=line))

    def _tell(self, state: ExecutionState, event: Event) -> None:
        self._store.event(state.run_id, f"step_{event.kind}", event.as_dict())
        if self._listener is None:
            return
        try:
            self._listener(event)
        except Exception as e:
            detail = {"message": f"the listener failed on {event.kind}: {type(e).__name__}: {e}"}
            self._store.event(state.run_id, "listener_failed", detail)


class _Round:
    """One call of `run`. Steps work in daemon threads and send messages; only the caller's thread touches the state."""

    def __init__(self, executor: Executor, state: ExecutionState, sources: Sources) -> None:
        self._executor = executor
        self._state = state
        self._messages: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        stop, writing = threading.Event(), executor._writing
        self._around = Surroundings(sources, executor._settings, self._messages.put, stop, writing)
        self._running: set[str] = set()

    def go(self) -> None:
        try:
            while self._advance():
                message = self._messages.get()
                if isinstance(message, StoreError):
                    raise message
                if isinstance(message, Event):
                    self._executor._tell(self._state, message)
                else:
                    self._running.discard(message.goal_id)
                    self._keep(message)
        finally:
            # on the way out after an error or Ctrl-C: threads that are still waiting ask nobody any more
            self._around.stop.set()

    def _advance(self) -> bool:
        """Starts and settles until nothing more can be; True while a step is running, whose message is to be awaited."""
        while self._settle_or_start():
            pass
        return bool(self._running)

    def _settle_or_start(self) -> bool:
        """Starts every goal that can start; True when one was settled without running, which may free others."""
        waiting: dict[str, dict[str, str]] = {}
        for goal in list(self._state.goals.values()):
            if goal.id in self._state.results or goal.id in self._running:
                continue
            try:
                needed = dependencies(self._state, goal)
                if any(a in self._state.goals and a not in self._state.results for a in needed.values()):
                    waiting[goal.id] = needed
                    continue
                settled = skipped(self._state, goal, needed)
            except PlannerError as e:
                settled = failed(goal, SourceError(f"{goal.id} cannot be read: {e}"))
            if settled is not None:
                self._keep(settled)
                return True
            if len(self._running) < self._executor._settings.parallel:
                self._start(goal)
        if not self._running and waiting:
            for result in stuck(self._state, waiting).values():
                self._keep(result)
        return False

    def _start(self, goal: Goal) -> None:
        self._running.add(goal.id)
        source = goal.sub_goal.data_source
        detail = {"dataset": goal.sub_goal.params.get("dataset"), "description": goal.sub_goal.description}
        self._executor._tell(self._state, Event("started", goal.id, source, detail=detail))
        threading.Thread(target=self._work, args=(goal,), name=f"step {goal.id}", daemon=True).start()

    def _work(self, goal: Goal) -> None:
        begun = time.monotonic()
        try:
            result = self._perform(goal)
        except StoreError as e:
            self._messages.put(e)
            return
        except InputError as e:
            result = StepResult(goal.id, "skipped", failure="skipped_input", message=str(e))
        except SourceError as e:
            result = failed(goal, e)
        except BaseException as e:
            # a bug in a step ends the step, not the run; the record says what it was
            text = " ".join(str(e).split())
            result = failed(goal, SourceError(f"{type(e).__name__}: {text}"))
        self._messages.put(replace(result, seconds=round(time.monotonic() - begun, 4)))

    def _perform(self, goal: Goal) -> StepResult:
        executor, state = self._executor, self._state
        name = goal.sub_goal.data_source
        if name == "derive":
            from executor.steps import compute

            return compute(goal, state, executor._catalogue, executor._settings)
        if name == "report":
            from executor.steps import write_document

            return write_document(goal, state, executor._catalogue, executor._resources, executor._settings)
        source = executor._catalogue.sources.get(name)
        if source is not None and source.side_effect:
            return write(goal, state, self._around, executor._store)
        return read(goal, state, self._around)

    def _keep(self, result: StepResult) -> None:
        goal = self._state.goals[result.goal_id]
        self._executor._store.save_result(self._state.run_id, result, goal)
        self._state.results[goal.id] = result
        detail = {
            "failure": result.failure,
            "rows": None if result.evidence is None else len(result.evidence.rows),
            "artefact": result.artefact,
        }
        event = Event(
            "finished",
            goal.id,
            goal.sub_goal.data_source,
            result.message,
            result.status,
            result.seconds,
            detail,
        )
        self._executor._tell(self._state, event)
