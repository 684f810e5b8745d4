"""Timeouts, retries, Retry-After, breakers, secrets: what a source does to us and what is kept of it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from adapters.errors import RateLimited, SourceError, Unavailable
from executor.attempts import SNAPSHOT_BYTES, retry_after
from executor.settings import ExecutorSettings
from tests.executor.conftest import Bench, step


def test_a_flaky_source_is_asked_again(bench: Bench) -> None:
    bench.source("flaky", "/rows?fail=2&status=503", max_retries=2)
    result = bench.run(step("g1", "flaky")).results["g1"]
    assert result.status == "success"
    assert [(a.number, a.status, a.failure) for a in result.attempts] == [
        (1, 503, "unavailable"),
        (2, 503, "unavailable"),
        (3, 200, None),
    ]
    assert len({a.request_id for a in result.attempts}) == 3
    first, second, third = bench.board.times("/rows")
    assert second - first >= 0.05
    assert third - second >= 0.1


def test_retries_end_at_the_source_s_limit(bench: Bench) -> None:
    bench.source("down", "/rows?fail=9&status=500", max_retries=1)
    result = bench.run(step("g1", "down")).results["g1"]
    assert (result.status, result.failure, len(result.attempts)) == ("failed_retryable", "unavailable", 2)


def test_retry_after_is_the_wait(bench: Bench) -> None:
    bench.source("limited", "/rows?fail=1&status=429&after=1", max_retries=2)
    result = bench.run(step("g1", "limited")).results["g1"]
    assert result.status == "success"
    first, second = bench.board.times("/rows")
    assert 1.0 <= second - first < 1.9
    assert result.attempts[0].retry_after == 1.0
    assert [e.seconds for e in bench.events if e.kind == "waiting"] == [1.0]


def test_a_wait_past_the_deadline_is_not_waited_for(bench: Bench) -> None:
    bench.source("limited", "/rows?fail=1&status=429&after=3600", max_retries=2)
    begun = time.monotonic()
    result = bench.run(step("g1", "limited")).results["g1"]
    assert time.monotonic() - begun < 5
    assert (result.status, result.failure) == ("failed_retryable", "rate_limited")
    assert result.attempts[0].retry_after == 3600


def test_retry_after_is_read_from_headers_too() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert retry_after(RateLimited("x", retry_after=2.5)) == 2.5
    assert retry_after(Unavailable("x", headers={"retry-after": "7"})) == 7
    assert 28 < (retry_after(Unavailable("x", headers={"Retry-After": soon})) or 0) <= 30
    assert retry_after(Unavailable("x", headers={"Retry-After": "soon"})) is None
    assert retry_after(SourceError("x")) is None


def test_a_hung_source_is_cut_off_while_the_others_finish(bench: Bench) -> None:
    bench.source("hung", "/hang", adapter="Deaf", timeout_s=0.5, concurrency=1)
    bench.source("board")
    begun = time.monotonic()
    state = bench.run(step("g1", "hung"), step("g2", "board"), step("g3", "hung"))
    seconds = time.monotonic() - begun
    assert state.results["g2"].status == "success"
    for goal in ("g1", "g3"):
        result = state.results[goal]
        assert (result.status, result.failure, len(result.attempts)) == ("failed_retryable", "timeout", 1)
        assert "was abandoned" in result.message
    # one slot: the second call began when the first was given up, each after timeout and grace
    assert 1.6 <= seconds < 4
    done = [e.goal_id for e in bench.events if e.kind == "finished"]
    assert done[0] == "g2"


def test_a_timeout_is_not_repeated(bench: Bench) -> None:
    bench.source("slow", "/rows?sleep=1", timeout_s=0.3, max_retries=3)
    result = bench.run(step("g1", "slow")).results["g1"]
    assert (result.failure, len(result.attempts)) == ("timeout", 1)


def test_a_hung_call_does_not_keep_the_process_and_nothing_is_printed(bench: Bench, tmp_path: Path) -> None:
    script = f"""
from pathlib import Path
from tests.executor.conftest import Bench, step
from tests.executor.loopback import Board
from executor.store import RunStore
class Elsewhere: url = {bench.board.url!r}
bench = Bench(Elsewhere, RunStore(Path({str(tmp_path)!r}) / "other.db"), Path({str(tmp_path)!r}))
bench.source("hung", "/hang", adapter="Deaf", timeout_s=0.2)
bench.source("flaky", "/rows?fail=1&status=503")
print([r.failure for _, r in sorted(bench.run(step("g1", "hung"), step("g2", "flaky")).results.items())])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "['timeout', None]", "")


def test_a_bug_in_an_adapter_is_one_step_s_failure(bench: Bench) -> None:
    bench.source("broken", adapter="tests.executor.scripted:Broken")
    bench.source("board")
    state = bench.run(step("g1", "broken"), step("g2", "board"))
    result = state.results["g1"]
    assert (result.status, result.failure) == ("failed_fatal", "bug")
    assert result.message == "ZeroDivisionError: division by zero"
    assert state.results["g2"].status == "success"


def test_a_kind_that_cannot_be_built_says_so(bench: Bench) -> None:
    bench.source("odd", adapter="no.such:Thing")
    result = bench.run(step("g1", "odd")).results["g1"]
    assert result.status == "failed_fatal"
    assert "no.such:Thing" in result.message


def test_a_missing_secret_is_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSAY_TEST_TOKEN", raising=False)
    bench.source("board", auth={"bearer": "env:ASSAY_TEST_TOKEN"})
    result = bench.run(step("g1", "board")).results["g1"]
    assert (result.status, result.failure) == ("failed_fatal", "auth")
    assert "ASSAY_TEST_TOKEN" in result.message
    assert bench.board.requests == []


def test_secrets_reach_the_source_and_nothing_else(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    secret = "tok/en+with=odd&chars"
    monkeypatch.setenv("ASSAY_TEST_TOKEN", secret)
    bench.board.rows = [{"product": f"the reply says {secret}"}]
    bench.source("board", "/rows?api_key=plain-key-123", auth={"bearer": "env:ASSAY_TEST_TOKEN"})
    state = bench.run(step("g1", "board"))
    (attempt,) = state.results["g1"].attempts
    assert bench.board.requests[0].headers["Authorization"] == f"Bearer {secret}"
    assert attempt.sent["headers"]["Authorization"] == "***"
    assert attempt.headers["Set-Cookie"] == "***"
    assert "the reply says ***" in attempt.snapshot
    bench.store.close()
    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("runs.db*"))
    for word in (b"tok/en", b"tok%2Fen", b"s3cr3t-session", b"plain-key-123"):
        assert word not in kept


def test_a_snapshot_is_bounded(bench: Bench) -> None:
    bench.board.rows = [{"product": "退" * 40_000}]
    bench.source("board")
    (attempt,) = bench.run(step("g1", "board")).results["g1"].attempts
    assert SNAPSHOT_BYTES - 3 <= len(attempt.snapshot.encode()) <= SNAPSHOT_BYTES


def test_a_failed_validation_keeps_the_evidence_and_says_what_was_measured(bench: Bench) -> None:
    bench.source("board")
    validation = "rows >= 10 AND has_columns: [product] AND return_rate < 0.04"
    result = bench.run(step("g1", "board", validation=validation)).results["g1"]
    assert (result.status, result.failure) == ("failed_fatal", "validation_failed")
    assert result.evidence is not None
    assert len(result.evidence.rows) == 2
    assert "rows >= 10 does not hold (measured: 2)" in result.message
    assert "return_rate < 0.04 does not hold" in result.message
    assert "has_columns" not in result.message


def test_what_cannot_be_checked_is_no_success(bench: Bench) -> None:
    bench.source("board")
    result = bench.run(step("g1", "board", validation='return_rate > "high"')).results["g1"]
    assert (result.status, result.failure) == ("failed_fatal", "validation_failed")
    assert "cannot be checked" in result.message


@pytest.mark.parametrize("path", ["/rows", "/rows?fail=9&status=404"])
@pytest.mark.parametrize(
    ("validation", "status", "failure"),
    [
        ("rows >= 1", "failed_fatal", "no_results"),
        ("rows >= 0", "success", None),
        ("rows == 0", "success", None),
    ],
)
def test_nothing_is_a_result_only_where_the_validation_allows_it(
    bench: Bench, path: str, validation: str, status: str, failure: str | None
) -> None:
    bench.board.rows = []
    bench.source("board", path)
    result = bench.run(step("g1", "board", validation=validation)).results["g1"]
    assert (result.status, result.failure) == (status, failure)
    assert result.evidence is not None
    assert result.evidence.columns == ("product", "region", "month", "return_rate")


def test_a_source_that_keeps_failing_is_left_alone(bench: Bench) -> None:
    bench.source("down", "/rows?fail=99&status=503", max_retries=0, concurrency=1)
    settings = ExecutorSettings(breaker_failures=3, breaker_cooldown_s=30)
    state = bench.run(*(step(f"g{i}", "down") for i in range(1, 6)), settings=settings)
    failures = sorted(str(r.failure) for r in state.results.values())
    assert failures == ["circuit_open"] * 2 + ["unavailable"] * 3
    assert len(bench.board.requests) == 3
    shut = next(r for r in state.results.values() if r.failure == "circuit_open")
    assert shut.status == "failed_fatal"
    assert "left alone" in shut.message


def test_a_role_that_may_not_read_is_refused_without_a_call(bench: Bench) -> None:
    bench.source("board", access=["finance"])
    assert bench.run(step("g1", "board"), roles=("analyst",)).results["g1"].failure == "refused"
    assert bench.run(step("g1", "nowhere")).results["g1"].failure == "refused"
    assert bench.board.requests == []
    assert bench.run(step("g1", "board"), roles=("finance",)).results["g1"].status == "success"


def test_nothing_is_left_running(bench: Bench) -> None:
    bench.source("flaky", "/rows?fail=1&status=503", max_retries=1)
    before = {t.ident for t in threading.enumerate()}
    bench.run(step("g1", "flaky"), step("g2", "flaky"))
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        left = [
            t for t in threading.enumerate() if t.ident not in before and not t.name.startswith("Thread-")
        ]
        if not left:
            return
        left[0].join(0.1)
    raise AssertionError(left)
