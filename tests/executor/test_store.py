"""The run store on a real SQLite file: round trips, many writers, large evidence, broken files."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path

import pytest

from adapters.base import Evidence, Locator
from executor.errors import StoreError
from executor.state import ExecutionState, Goal, StepResult
from executor.store import RunStore
from planner.plan import Plan
from planner.proposal import Alternative, Proposal
from tests.executor.conftest import step

GOAL = Goal(step("g1", "board"))


def state(run_id: str = "r1") -> ExecutionState:
    plan = Plan(question="q", route="single", sub_goals=(GOAL.sub_goal,))
    return ExecutionState.of(run_id, plan, "2024-03-01", frozenset({"*"}), ("finance",))


def evidence(rows: int = 1) -> Evidence:
    place = Locator("row", "warehouse", "sales", sql="SELECT 1")
    return Evidence(
        "table",
        "warehouse",
        "sales",
        ("n",),
        tuple({"n": i} for i in range(rows)),
        ({"": place},) * rows,
        {"n": "integer"},
    )


def test_a_run_can_be_read_back(store: RunStore) -> None:
    other = Alternative(state().plan, "encoder", 0.25, ("嗯",))
    proposal = Proposal(
        state().plan,
        "auto",
        "7",
        0.5,
        unused=("嗯",),
        reason="because",
        calibrated=True,
        alternatives=(other,),
    )
    store.begin(state(), "问题?", proposal)
    store.save_result("r1", StepResult("g1", "success", evidence=evidence()), GOAL)
    store.event("r1", "decision", {"rule": "conclude", "why": "所有步骤成功"})
    store.finish("r1", "answered", {"answer": {"text": "5.2%"}}, 1.5)
    shown = store.show("r1")
    assert shown["question"] == "问题?"
    (alternative,) = shown["planner"].pop("alternatives")
    assert alternative == {"plan": shown["plan"], "planner": "encoder", "confidence": 0.25, "unused": ["嗯"]}
    assert shown["planner"] == {
        "name": "auto", "version": "7", "confidence": 0.5, "unused": ["嗯"], "missing": [], "reason": "because",
        "calibrated": True,
    }  # fmt: skip
    assert (shown["roles"], shown["approved"], shown["status"]) == (["finance"], ["*"], "answered")
    assert shown["plan"]["sub_goals"][0]["id"] == "g1"
    assert shown["steps"][0]["goal_id"] == "g1"
    assert shown["steps"][0]["goal"]["sub_goal"]["data_source"] == "board"
    assert shown["events"][0]["detail"] == {"rule": "conclude", "why": "所有步骤成功"}
    assert shown["answer"] == {"answer": {"text": "5.2%"}}
    assert json.loads(json.dumps(shown)) == shown
    assert store.results("r1") == ((GOAL, StepResult("g1", "success", evidence=evidence())),)


def test_runs_are_listed_newest_first_and_found_by_the_beginning_of_their_id(store: RunStore) -> None:
    for run_id in ("abc1", "abd2", "xyz3"):
        store.begin(state(run_id), f"question {run_id}", {"name": "rules"})
    assert [r.run_id for r in store.list(2)] != []
    assert {r.run_id for r in store.list(10)} == {"abc1", "abd2", "xyz3"}
    assert store.list(10)[0].seconds is None
    assert store.show("x")["run_id"] == "xyz3"
    with pytest.raises(StoreError, match="several runs begin with 'ab'"):
        store.show("ab")
    with pytest.raises(StoreError, match="no run '%'"):
        store.show("%")


def test_a_refused_question_is_a_run_too(store: RunStore) -> None:
    store.finish(
        "r9", "refused", {"planner": {"name": "rules"}, "answer": {"text": "no"}}, 0.1, question="天气?"
    )
    assert store.list(1)[0].status == "refused"
    assert store.show("r9")["question"] == "天气?"


def test_it_survives_concurrent_writers(store: RunStore, tmp_path: Path) -> None:
    """Eight threads over two stores on one file, as two processes would be."""
    other = RunStore(tmp_path / "runs.db")
    failures: list[Exception] = []

    def work(n: int) -> None:
        mine = (store, other)[n % 2]
        try:
            mine.begin(state(f"r{n}"), "q", {"name": "rules"})
            for i in range(10):
                mine.event(f"r{n}", "tick", {"i": i})
                mine.save_result(f"r{n}", StepResult(f"g{i}", "success", evidence=evidence()), GOAL)
            mine.finish(f"r{n}", "answered", {}, 1.0)
        except Exception as e:
            failures.append(e)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert failures == []
    for n in range(8):
        shown = other.show(f"r{n}")
        assert [e["detail"]["i"] for e in shown["events"]] == list(range(10))
        assert len(shown["steps"]) == 10
    other.close()


def test_large_evidence_lies_beside_the_store(store: RunStore, tmp_path: Path) -> None:
    large = StepResult("g1", "success", evidence=evidence(20_000))
    store.save_result("r1", large, GOAL)
    (blob,) = tmp_path.rglob("*.json.gz")
    assert (tmp_path / "runs.db").stat().st_size < 200_000
    assert store.results("r1") == ((GOAL, large),)
    blob.write_bytes(blob.read_bytes()[:-20])
    with pytest.raises(StoreError, match="cannot be read"):
        store.results("r1")


def test_what_was_written_survives_reopening(tmp_path: Path) -> None:
    first = RunStore(tmp_path / "deep" / "er" / "runs.db")
    first.begin(state(), "q", {})
    first.close()
    again = RunStore(f"sqlite:///{tmp_path}/deep/er/runs.db")
    assert [r.run_id for r in again.list(5)] == ["r1"]
    again.close()


def test_a_run_is_begun_once(store: RunStore) -> None:
    store.begin(state(), "q", {})
    with pytest.raises(StoreError) as e:
        store.begin(state(), "q", {})
    assert "\n" not in str(e.value)
    assert "UNIQUE" in str(e.value)


def test_a_place_that_cannot_be_a_store_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "text.db").write_text("this is no database, and long enough to be looked at as one" * 20)
    with sqlite3.connect(tmp_path / "foreign.db") as db:
        db.execute("CREATE TABLE runs (id INTEGER)")
    db.close()
    for where, what in [
        (tmp_path / "file" / "runs.db", "Not a directory|File exists"),
        (tmp_path / "text.db", "file is not a database"),
        (tmp_path / "foreign.db", "lacks"),
        (tmp_path, "unable to open"),
        ("nosuch://host/db", "nosuch"),
        ("sqlite://", "give a file"),
        (":memory:", "give a file"),
    ]:
        with pytest.raises(StoreError, match=what) as e:
            RunStore(where)
        assert "\n" not in str(e.value)
        assert str(e.value).startswith("run store")


def test_a_receipt_needs_an_intent_and_ends_the_doubt(store: RunStore) -> None:
    with pytest.raises(StoreError, match="never intended"):
        store.record_receipt("k", evidence())
    assert store.intend("k", run_id="r1", goal_id="g1", source="s", dataset="d", values={"order": "1"})
    assert store.receipt("k") is None
    effect = store.effect("k")
    assert effect is not None
    assert (effect.submitted, effect.values) == ("", {"order": "1"})
    store.record_receipt("k", evidence())
    store.withdraw("k")
    found = store.receipt("k")
    assert found is not None
    assert found.receipt == evidence()
    assert found.submitted


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.db")
    store.finish("r1", "insufficient", {}, 0.1, question="q")
    with sqlite3.connect(tmp_path / "runs.db") as db:
        db.execute("UPDATE runs SET state_json = 'garbage'")
    db.close()
    with pytest.raises(StoreError, match="r1 is damaged"):
        store.show("r1")
    store.close()


def test_an_interrupted_run_says_so(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.db")
    store.finish("r1", "insufficient", {}, 0.1, question="q")
    store.interrupt("r1", 2.5)
    (row,) = store.list(5)
    assert (row.status, row.seconds) == ("interrupted", 2.5)
    store.close()
