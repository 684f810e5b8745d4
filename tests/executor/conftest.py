"""What the executor's tests share: a real server, a real store, a catalogue and plans that take one line a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.base import Resources
from executor.events import Event
from executor.run import Executor
from executor.settings import ExecutorSettings
from executor.state import ExecutionState
from executor.store import RunStore
from planner.catalogue import Catalogue, Source
from planner.plan import Plan, SubGoal
from tests.executor.loopback import Board

QUICK = ExecutorSettings(grace_s=0.3, retry_wait_s=0.05, retry_wait_max_s=0.2)
TODAY = "2024-03-01"


class Bench:
    """Runs plans against sources of one server. `events` is what a listener saw."""

    def __init__(self, board: Board, store: RunStore, home: Path) -> None:
        self.board = board
        self.store = store
        self.resources = Resources(home)
        self.sources: dict[str, Source] = {}
        self.events: list[Event] = []
        self.runs = 0

    def source(self, name: str, path: str = "/rows", adapter: str = "HttpRows", **more: Any) -> None:
        fields = more.pop(
            "fields", {"product": "text", "region": "text", "month": "month", "return_rate": "percent"}
        )
        dataset = {
            "name": "returns",
            "fields": [{"name": n, "type": t} for n, t in fields.items()],
            "locate": {"path": path},
        }
        entry = {
            "name": name,
            "kind": adapter if ":" in adapter else f"tests.executor.loopback:{adapter}",
            "trust": 0.8,
            "connection": {"url": self.board.url},
            "datasets": [dataset],
            **more,
        }
        self.sources[name] = Source.model_validate(entry)

    def state(self, *goals: SubGoal, **more: Any) -> ExecutionState:
        self.runs += 1
        plan = Plan(question="q", route="plan", sub_goals=goals)
        state = ExecutionState.of(f"run{self.runs}", plan, TODAY, **more)
        self.store.begin(state, "q", {"name": "test"})
        return state

    def executor(self, settings: Any = QUICK, on_event: Any = None) -> Executor:
        catalogue = Catalogue(sources=self.sources)
        return Executor(catalogue, self.resources, self.store, settings, on_event or self.events.append)

    def run(self, *goals: SubGoal, settings: Any = QUICK, **more: Any) -> ExecutionState:
        state = self.state(*goals, **more)
        with self.executor(settings) as executor:
            executor.run(state)
        return state


def step(goal_id: str, source: str, *depends_on: str, **more: Any) -> SubGoal:
    given = {"params": {"dataset": "returns"}, "validation": "rows >= 1", "expected_format": "json", **more}
    return SubGoal(
        id=goal_id, description=f"step {goal_id}", data_source=source, depends_on=depends_on, **given
    )


@pytest.fixture
def board() -> Iterator[Board]:
    board = Board()
    yield board
    board.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(tmp_path / "runs.db")
    yield store
    store.close()


@pytest.fixture
def bench(board: Board, store: RunStore, tmp_path: Path) -> Bench:
    return Bench(board, store, tmp_path)


@pytest.fixture
def sub_goal() -> Callable[..., SubGoal]:
    return step
