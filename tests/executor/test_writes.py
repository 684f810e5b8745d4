"""Side effects: only when approved, once, and never again on our own when the outcome is unknown."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from executor.store import RunStore
from executor.writes import idempotency_key
from planner.plan import SubGoal
from tests.executor.conftest import Bench, step

FIELDS = {"order_id": "text", "amount": "money", "refund_id": "text"}
APPROVED = frozenset({"refunds"})


def refunds(bench: Bench, path: str = "/write", **more: object) -> None:
    bench.source("refunds", path, side_effect=True, fields=FIELDS, **more)


def refund(goal_id: str = "g1", order: object = "88231", amount: object = "1,599元") -> SubGoal:
    params = {"dataset": "returns", "values": {"order_id": order, "amount": amount}}
    return step(goal_id, "refunds", params=params)


def test_nothing_is_written_without_approval(bench: Bench) -> None:
    refunds(bench)
    result = bench.run(refund()).results["g1"]
    assert (result.status, result.failure, result.attempts) == ("pending", None, ())
    assert result.message == "waits for approval: refunds returns (order_id 88231, amount 1599.0)"
    assert bench.board.requests == []
    assert bench.run(refund(), approved=frozenset({"other"})).results["g1"].status == "pending"


def test_what_needs_a_pending_write_is_skipped(bench: Bench) -> None:
    refunds(bench)
    bench.source("board")
    state = bench.run(refund(), step("g2", "board", "g1"))
    assert state.results["g2"].failure == "skipped_input"
    assert "pending: waits for approval" in state.results["g2"].message


@pytest.mark.parametrize("approved", [APPROVED, frozenset({"*"})])
def test_an_approved_write_happens_once_over_all_runs(bench: Bench, approved: frozenset[str]) -> None:
    refunds(bench)
    first = bench.run(refund(), approved=approved).results["g1"]
    assert first.status == "success"
    assert first.evidence is not None
    assert first.evidence.rows[0]["refund_id"] == "R1"
    key = bench.board.requests[0].headers["Idempotency-Key"]
    assert key == idempotency_key("refunds", "returns", {"order_id": "88231", "amount": 1599.0})

    again = bench.run(refund(amount=1599), approved=approved).results["g1"]
    assert (again.status, again.attempts) == ("success", ())
    assert again.evidence == first.evidence
    assert again.message.startswith("already submitted at 20")
    assert again.message.endswith("not submitted again")
    unapproved = bench.run(refund()).results["g1"]
    assert unapproved.status == "success"
    assert bench.board.written == [{"order_id": "88231", "amount": 1599.0}]


def test_other_values_are_another_write(bench: Bench) -> None:
    refunds(bench)
    bench.run(refund("g1", "1"), refund("g2", "2"), approved=APPROVED)
    assert sorted(w["order_id"] for w in bench.board.written) == ["1", "2"]


def test_the_same_write_twice_in_one_plan_happens_once(bench: Bench) -> None:
    refunds(bench, "/write?sleep=0.2")
    state = bench.run(refund("g1"), refund("g2"), refund("g3"), approved=APPROVED)
    assert {r.status for r in state.results.values()} == {"success"}
    assert len(bench.board.written) == 1


def test_values_come_typed_from_earlier_steps(bench: Bench) -> None:
    refunds(bench)
    bench.source("board")
    params = {"dataset": "returns", "values": {"order_id": "{{g1.rows[0].product}}", "amount": "5"}}
    bench.run(step("g1", "board"), step("g2", "refunds", "g1", params=params), approved=APPROVED)
    assert bench.board.written == [{"order_id": "A", "amount": 5.0}]


def test_unreadable_values_write_nothing(bench: Bench) -> None:
    refunds(bench)
    result = bench.run(refund(amount="a lot"), approved=APPROVED).results["g1"]
    assert result.status == "failed_fatal"
    assert "values.amount" in result.message
    assert bench.board.requests == []


def test_a_timeout_leaves_the_intent_and_is_not_tried_again(bench: Bench) -> None:
    refunds(bench, "/write?drop=1", timeout_s=0.3, max_retries=3)
    result = bench.run(refund(), approved=APPROVED).results["g1"]
    assert (result.status, result.failure, len(result.attempts)) == ("failed_fatal", "timeout", 1)
    assert "unknown" in result.message
    again = bench.run(refund(), approved=APPROVED).results["g1"]
    assert (again.status, again.attempts) == ("pending", ())
    assert "in run run1 and its outcome is unknown" in again.message
    assert len(bench.board.written) == 1


@pytest.mark.parametrize(
    ("status", "again"),
    [(401, "success"), (429, "success"), (422, "success"), (409, "pending"), (500, "pending")],
)
def test_only_a_clear_refusal_frees_the_write(bench: Bench, status: int, again: str) -> None:
    refunds(bench, f"/write?fail=1&status={status}", max_retries=3)
    first = bench.run(refund(), approved=APPROVED).results["g1"]
    assert (first.status, len(first.attempts)) == ("failed_fatal", 1)
    assert bench.run(refund(), approved=APPROVED).results["g1"].status == again
    assert len(bench.board.requests) == (2 if again == "success" else 1)


def test_a_missing_secret_frees_the_write(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSAY_TEST_TOKEN", raising=False)
    refunds(bench, auth={"bearer": "env:ASSAY_TEST_TOKEN"})
    assert bench.run(refund(), approved=APPROVED).results["g1"].failure == "auth"
    monkeypatch.setenv("ASSAY_TEST_TOKEN", "a-token-for-tests")
    assert bench.run(refund(), approved=APPROVED).results["g1"].status == "success"


def test_a_crash_between_intent_and_receipt_is_shown_to_a_person(bench: Bench, tmp_path: Path) -> None:
    """A process is killed (SIGKILL) after the source has written and before it answered."""
    refunds(bench)
    script = f"""
from pathlib import Path
from executor.store import RunStore
from tests.executor.conftest import Bench
from tests.executor.test_writes import APPROVED, refund, refunds
class Elsewhere: url = {bench.board.url!r}
bench = Bench(Elsewhere, RunStore(Path({str(tmp_path)!r}) / "runs.db"), Path({str(tmp_path)!r}))
bench.runs = 76
refunds(bench, "/write?drop=1", timeout_s=50)
bench.run(refund(), approved=APPROVED)
"""
    with subprocess.Popen([sys.executable, "-c", script]) as process:
        deadline = time.monotonic() + 30
        while not bench.board.written and time.monotonic() < deadline and process.poll() is None:
            bench.board.over.wait(0.02)
        process.kill()
    assert len(bench.board.written) == 1
    result = bench.run(refund(), approved=APPROVED).results["g1"]
    assert (result.status, result.failure) == ("pending", None)
    assert "run77" in result.message
    assert "look there before anything is submitted again" in result.message
    assert len(bench.board.written) == 1


def test_intents_of_two_processes_cannot_both_win(store: RunStore, tmp_path: Path) -> None:
    other = RunStore(tmp_path / "runs.db")
    what = {"run_id": "r", "goal_id": "g1", "source": "s", "dataset": "d", "values": {}}
    assert store.intend("k", **what)  # type: ignore[arg-type]
    assert not other.intend("k", **what)  # type: ignore[arg-type]
    other.close()
