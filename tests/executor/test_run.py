"""Order, concurrency, conditions, references: what runs when, and what a step that does not run says."""

from __future__ import annotations

import time

import pytest

from executor.state import Goal
from tests.executor.conftest import Bench, step
from tests.executor.loopback import HttpRows


def test_one_step_gives_cited_rows(bench: Bench) -> None:
    bench.source("board")
    state = bench.run(step("g1", "board", params={"dataset": "returns", "filters": {"product": "A"}}))
    result = state.results["g1"]
    assert result.status == "success"
    assert result.evidence is not None
    assert [r["return_rate"] for r in result.evidence.rows] == [0.052]
    assert result.evidence.summary == "A · 华东 · 2024-01: return_rate 5.2%"
    assert result.verdict is not None
    assert result.verdict.outcome == "pass"
    (attempt,) = result.attempts
    assert (attempt.number, attempt.status, attempt.failure) == (1, 200, None)
    assert len(attempt.digest) == 64
    assert attempt.snapshot.startswith("[{")
    assert attempt.elapsed > 0
    assert [e.kind for e in bench.events] == ["started", "attempt", "finished"]


def test_independent_steps_run_at_the_same_time(bench: Bench) -> None:
    for name in ("a", "b", "c"):
        bench.source(name, f"/rows?sleep=1&who={name}")
    begun = time.monotonic()
    state = bench.run(step("g1", "a"), step("g2", "b"), step("g3", "c"))
    seconds = time.monotonic() - begun
    assert {r.status for r in state.results.values()} == {"success"}
    assert 1 <= seconds < 2
    at = bench.board.times("/rows")
    assert max(at) - min(at) < 0.9


def test_a_source_gets_no_more_calls_at_once_than_it_allows(bench: Bench) -> None:
    bench.source("board", "/rows?sleep=0.2", concurrency=1)
    begun = time.monotonic()
    bench.run(step("g1", "board"), step("g2", "board"), step("g3", "board"))
    assert time.monotonic() - begun >= 0.6


def test_a_dependant_starts_after_what_it_needs_is_committed(bench: Bench) -> None:
    bench.source("board", "/rows?sleep=0.1")
    committed_at_start = []

    def listen(event: object) -> None:
        if getattr(event, "kind", "") == "started":
            committed_at_start.append([g.id for g, _ in bench.store.results("run1")])

    state = bench.state(step("g1", "board"), step("g2", "board", "g1"))
    bench.executor(on_event=listen).run(state)
    assert committed_at_start == [[], ["g1"]]


def test_a_finished_goal_is_not_run_again(bench: Bench) -> None:
    bench.source("board")
    state = bench.state(step("g1", "board"))
    with bench.executor() as executor:
        executor.run(state)
        first = state.results["g1"]
        executor.run(state)
    assert state.results["g1"] is first
    assert len(bench.board.requests) == 1


def test_references_are_typed_values(bench: Bench) -> None:
    bench.source("board")
    filters = {
        "product": "{{g1.rows[0].product}}",
        "region": "{{g1.result}}",
        "month": {"from": "{{g1.result.month}}", "to": None},
    }
    state = bench.run(
        step("g1", "board"), step("g2", "board", "g1", params={"dataset": "returns", "filters": filters})
    )
    sent = state.results["g2"].attempts[0].sent["filters"]
    assert sent == {"product": "A", "region": ["华东", "华北"], "month": {"from": "2024-01", "to": None}}
    assert state.results["g2"].evidence is not None
    assert len(state.results["g2"].evidence.rows) == 1


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("{{g1.rows[7].product}}", "only 2 rows"),
        ("{{g1.result.colour}}", "no colour in product, region, month, return_rate"),
    ],
)
def test_a_reference_to_what_is_not_there_skips_the_step(bench: Bench, reference: str, message: str) -> None:
    bench.source("board")
    params = {"dataset": "returns", "filters": {"product": reference}}
    state = bench.run(step("g1", "board"), step("g2", "board", "g1", params=params))
    result = state.results["g2"]
    assert (result.status, result.failure) == ("skipped", "skipped_input")
    assert message in result.message
    assert len(bench.board.requests) == 1


def test_what_needs_a_failed_step_is_skipped_and_says_why(bench: Bench) -> None:
    bench.source("down", "/rows?fail=9&status=503", max_retries=0)
    bench.source("board")
    state = bench.run(
        step("g1", "down"), step("g2", "board", "g1"), step("g3", "board", "g2"), step("g4", "board")
    )
    assert state.results["g1"].status == "failed_retryable"
    assert (state.results["g2"].status, state.results["g2"].failure) == ("skipped", "skipped_input")
    assert "needs g1, which failed (unavailable): HTTP 503" in state.results["g2"].message
    assert "needs g2, which was skipped" in state.results["g3"].message
    assert state.results["g4"].status == "success"


@pytest.mark.parametrize(
    ("when", "status", "failure"),
    [
        ('any(g1.region == "华东")', "success", None),
        ("g1.return_rate > 0.9", "skipped", None),
        ('g1.return_rate > "x"', "skipped", "skipped_input"),
        ('g2.region == "华东"', "skipped", "skipped_input"),
    ],
)
def test_a_condition_decides_whether_a_step_runs(
    bench: Bench, when: str, status: str, failure: str | None
) -> None:
    bench.source("board")
    bench.source("down", "/rows?fail=9&status=503", max_retries=0)
    state = bench.run(step("g1", "board"), step("g2", "down"), step("g3", "board", when=when))
    assert (state.results["g3"].status, state.results["g3"].failure) == (status, failure)
    if status == "skipped":
        assert when.split(" ")[0] in state.results["g3"].message


def test_a_stand_in_is_what_dependants_read(bench: Bench) -> None:
    bench.source("down", "/rows?fail=9&status=503", max_retries=0)
    bench.source("board")
    params = {"dataset": "returns", "filters": {"product": "{{g1.rows[1].product}}"}}
    state = bench.state(step("g1", "down"), step("g2", "board", "g1", params=params))
    with bench.executor() as executor:
        executor.run(state)
        assert state.results["g2"].status == "skipped"
        retry = state.goals["g1"].sub_goal.model_copy(update={"id": "g1.2", "data_source": "board"})
        state.add(Goal(retry, "g1", "fallback"), stands_in=True)
        again = state.goals["g2"].sub_goal.model_copy(update={"id": "g2.2"})
        state.add(Goal(again, "g2", "recompute"), stands_in=True)
        executor.run(state)
    assert state.results["g1"].status == "failed_retryable"
    assert state.evidence("g2") is not None
    assert [r["product"] for r in state.evidence("g2").rows] == ["B"]  # type: ignore[union-attr]


def test_steps_that_wait_for_each_other_are_told_so(bench: Bench) -> None:
    bench.source("board")
    state = bench.run(step("g1", "board", "g2"), step("g2", "board", "g1"), step("g3", "board"))
    assert state.results["g3"].status == "success"
    for goal in ("g1", "g2"):
        assert (state.results[goal].status, state.results[goal].failure) == ("skipped", "skipped_input")
        assert "waits for" in state.results[goal].message


def test_adapters_are_built_once_a_run_and_closed(bench: Bench) -> None:
    bench.source("board")
    built, closed = HttpRows.built, HttpRows.closed
    state = bench.state(step("g1", "board"), step("g2", "board"))
    with bench.executor() as executor:
        executor.run(state)
        again = state.goals["g1"].sub_goal.model_copy(update={"id": "g1.2"})
        state.add(Goal(again, "g1", "retry"), stands_in=True)
        executor.run(state)
    assert (HttpRows.built - built, HttpRows.closed - closed) == (1, 1)


def test_a_listener_that_fails_does_not_end_the_run(bench: Bench) -> None:
    bench.source("board")

    def listen(event: object) -> None:
        raise ValueError("the screen is gone")

    state = bench.state(step("g1", "board"))
    bench.executor(on_event=listen).run(state)
    assert state.results["g1"].status == "success"
    assert "the screen is gone" in str(bench.store.show("run1")["events"])
