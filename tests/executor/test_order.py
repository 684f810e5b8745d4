"""Any plan, any failures: each goal ends once, nothing runs on what failed, nothing runs before what it needs."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from executor.settings import ExecutorSettings
from executor.store import RunStore
from planner.plan import SubGoal
from tests.executor.conftest import Bench, step
from tests.executor.scripted import Obedient

OUTCOMES = [
    "ok",
    "ok",
    "ok",
    "Timeout",
    "RateLimited",
    "Unavailable",
    "NoResults",
    "FormatError",
    "AuthRequired",
    "bug",
]
SETTINGS = ExecutorSettings(breaker_failures=10**6, parallel=3)


@st.composite
def plans(draw: st.DrawFn) -> list[tuple[str, str, tuple[str, ...], str | None]]:
    """(id, outcome, what it needs, the step its `when` reads) in a shuffled order."""
    size = draw(st.integers(1, 8))
    goals = []
    for i in range(size):
        earlier = [f"g{j}" for j in range(i)]
        needs = draw(st.lists(st.sampled_from(earlier), unique=True, max_size=3)) if earlier else []
        when = draw(st.none() | st.sampled_from(earlier)) if earlier else None
        goals.append((f"g{i}", draw(st.sampled_from(OUTCOMES)), tuple(needs), when))
    return draw(st.permutations(goals))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_every_goal_ends_once_and_in_order(plan: list[tuple[str, str, tuple[str, ...], str | None]]) -> None:
    home = Path(tempfile.mkdtemp())
    store = RunStore(home / "runs.db")
    try:
        check(plan, home, store)
    finally:
        store.close()
        shutil.rmtree(home)


def check(plan: list[tuple[str, str, tuple[str, ...], str | None]], home: Path, store: RunStore) -> None:
    class NoServer:
        url = ""

    bench: Any = Bench(NoServer, store, home)  # type: ignore[arg-type]
    bench.source("s", adapter="tests.executor.scripted:Obedient", max_retries=0, fields={"product": "text"})
    Obedient.log.clear()
    state = bench.run(*(sub_goal(*goal) for goal in plan), settings=SETTINGS)

    assert set(state.results) == {g for g, *_ in plan}
    kept = store.results(state.run_id)
    assert sorted(g.id for g, _ in kept) == sorted(state.results)
    assert {g.id: r for g, r in kept} == state.results
    began = [g for what, g in Obedient.log if what == "begin"]
    assert len(began) == len(set(began))
    for goal, outcome, needs, when in plan:
        result = state.results[goal]
        assert result.status in ("success", "failed_retryable", "failed_fatal", "skipped")
        usable = all(state.results[n].status == "success" for n in needs)
        holds = when is None or state.results[when].status == "success"
        if not (usable and holds):
            assert (result.status, result.failure) == ("skipped", "skipped_input")
            assert goal not in began
            continue
        assert (result.status == "success") == (outcome == "ok")
        assert result.status != "skipped"
        start = Obedient.log.index(("begin", goal))
        for n in [*needs, *([when] if when else [])]:
            assert Obedient.log.index(("end", n)) < start
    finished = [e.goal_id for e in bench.events if e.kind == "finished"]
    assert sorted(finished) == sorted(state.results)


def sub_goal(goal: str, outcome: str, needs: tuple[str, ...], when: str | None) -> SubGoal:
    params = {"dataset": "returns", "query": f"{goal} {outcome}"}
    return step(goal, "s", *needs, params=params, when=f"{when}.rows >= 1" if when else None)
