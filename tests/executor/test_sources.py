"""A catalogue's entry becomes what an adapter is built from; whatever was opened is closed."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from adapters.errors import AuthRequired
from executor.settings import ExecutorSettings
from executor.sources import spec_of
from tests.executor.conftest import Bench, step


def test_env_references_are_resolved(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_TEST_URL", "postgresql://u:pw-from-env@h/db")
    monkeypatch.setenv("ASSAY_TEST_PASSWORD", "x1")
    bench.source(
        "board",
        auth={"username": "anna", "password": "env:ASSAY_TEST_PASSWORD"},
        connection={"url": "env:ASSAY_TEST_URL", "login": {"url": "/login"}, "home": "${home}/x"},
    )
    spec = spec_of(bench.sources["board"])
    assert spec.auth == {"username": "anna", "password": "x1"}
    assert spec.connection == {
        "url": "postgresql://u:pw-from-env@h/db", "login": {"url": "/login"}, "home": "${home}/x",
    }  # fmt: skip
    assert spec.datasets["returns"].field("return_rate").type == "percent"
    monkeypatch.delenv("ASSAY_TEST_URL")
    with pytest.raises(
        AuthRequired, match=r"board: connection\.url needs the environment variable ASSAY_TEST_URL"
    ):
        spec_of(bench.sources["board"])


def test_an_adapter_that_does_not_close_is_left_behind(bench: Bench) -> None:
    bench.source("sticky", adapter="tests.executor.scripted:Sticky", fields={"product": "text"})
    bench.source("cross", adapter="tests.executor.scripted:Cross", fields={"product": "text"})
    params = {"dataset": "returns", "query": "g1 ok"}
    state = bench.state(step("g1", "sticky", params=params), step("g2", "cross", params=params))
    begun = time.monotonic()
    bench.executor().run(state)
    assert time.monotonic() - begun < 5
    assert {r.status for r in state.results.values()} == {"success"}
    notes = sorted(e.message for e in bench.events if e.kind == "note")
    assert notes == [
        "source cross could not be closed: OSError: the door is stuck",
        "source sticky did not close within 0.3 s; left behind",
    ]


def test_settings_are_taken_from_whatever_has_them() -> None:
    assert ExecutorSettings.of(None) == ExecutorSettings()
    assert ExecutorSettings.of({"grace_s": 1, "output_dir": "x"}) == ExecutorSettings(
        grace_s=1, output_dir=Path("x")
    )
    given = SimpleNamespace(home=Path("h"), limits=SimpleNamespace(parallel=3, tolerance=0.1))
    assert ExecutorSettings.of(given) == ExecutorSettings(parallel=3, tolerance=0.1)
