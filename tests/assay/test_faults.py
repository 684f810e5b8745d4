"""What goes wrong with real servers, and what a user then gets: an honest answer, never a silent one."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from demo import company
from tests.assay.installation import Installation
from tests.assay.test_golden import RETURNS

pytestmark = pytest.mark.slow

CLOCK = 0.01  # seconds: a run keeps its times in milliseconds, a wait of one second may read 0.9999


@pytest.fixture
def up(own_installation: Installation) -> Installation:
    done = own_installation.run("demo", "up")
    assert done.returncode == 0, done.stderr
    return own_installation


def fault(here: Installation, port: int, **body: Any) -> None:
    httpx.post(f"{here.url(port)}/_control", json=body).raise_for_status()


def steps(answer: dict[str, Any], source: str) -> list[dict[str, Any]]:
    return [s for s in answer["steps"] if s["data_source"] == source]


def test_the_ticket_server_is_down(up: Installation) -> None:
    up.run("demo", "down", "tickets")
    answer = up.ask(RETURNS)
    assert (answer["status"], answer["exit_code"]) == ("partial", 3)
    assert any("tickets" in json.dumps(g, ensure_ascii=False) for g in answer["answer"]["gaps"])
    assert "tickets" in answer["answer"]["text"]
    b = company.return_rate("sales", "B", "华北", "2024-01")
    assert any(
        f["value"] == pytest.approx(b) for f in answer["answer"]["findings"] if isinstance(f["value"], float)
    )

    done = up.run("check", "--json")
    assert done.returncode == 3
    checks = json.loads(done.stdout)
    assert {c["source"] for c in checks if not c["ok"]} == {"tickets"}
    assert {c["source"] for c in checks} == {
        "bi_sales", "bi_support", "core_bank", "credit_bureau", "handbook", "refunds", "tickets", "warehouse",
    }  # fmt: skip


def test_every_source_passes_its_own_check(up: Installation) -> None:
    done = up.run("check")
    assert done.returncode == 0, done.stdout
    for name in (
        "bi_sales",
        "bi_support",
        "core_bank",
        "credit_bureau",
        "handbook",
        "refunds",
        "tickets",
        "warehouse",
    ):
        assert name in done.stdout


def test_a_board_is_empty_for_a_month(up: Installation) -> None:
    (key,) = company.EMPTY
    product, region, month = key
    answer = up.ask(f"{product}产品在{region}区{month[:4]}年{int(month[5:])}月的退货率是多少")
    assert answer["answer"]["relaxations"], answer["answer"]["text"]
    (relaxed,) = [r for r in answer["answer"]["relaxations"] if r["field"] == "month"]
    assert month in json.dumps(relaxed, ensure_ascii=False)
    assert month in answer["answer"]["text"]
    assert any(word in answer["answer"]["text"] for word in ("放宽", "扩大"))


def test_a_column_was_renamed_and_the_other_board_takes_over(up: Installation) -> None:
    fault(up, 8931, fault="renamed", board="sales")
    answer = up.ask(RETURNS)
    drifted = [s for s in steps(answer, "bi_sales") if s["failure"] == "schema_drift"]
    assert drifted
    assert any(s["status"] == "success" for s in steps(answer, "bi_support"))
    a = company.return_rate("support", "A", "华东", "2024-01")
    assert any(
        f["value"] == pytest.approx(a) for f in answer["answer"]["findings"] if isinstance(f["value"], float)
    )
    assert "bi_sales" in answer["answer"]["text"]


def test_too_many_requests_are_obeyed(up: Installation) -> None:
    fault(up, 8932, reset=True, fault="429", times=1)
    answer = up.ask("2024年第二季度有多少质量类投诉")
    assert answer["status"] == "answered"
    (step,) = steps(answer, "tickets")
    assert step["attempts"] == 2
    run = json.loads(up.run("runs", "show", answer["run_id"], "--json").stdout)
    first, second = next(s for s in run["steps"] if s["goal_id"] == step["id"])["attempts"]
    assert (first["failure"], first["status"], first["retry_after"]) == ("rate_limited", 429, 1.0)
    waited = _seconds(second["started"]) - _seconds(first["started"]) - first["elapsed"]
    assert waited >= 1.0 - CLOCK


def test_a_hung_board_is_cut_off_while_the_others_finish(up: Installation) -> None:
    for board in ("sales", "support"):
        fault(up, 8931, fault="hung", board=board)
        file = up.configs / "sources" / f"bi_{board}.yaml"
        text = file.read_text(encoding="utf-8")
        line = next(x for x in text.splitlines() if x.startswith("timeout_s:"))
        file.write_text(text.replace(line, "timeout_s: 5"), encoding="utf-8")
    begun = time.monotonic()
    answer = up.ask(RETURNS)
    assert time.monotonic() - begun < 60
    assert answer["status"] == "partial"
    assert {s["failure"] for s in steps(answer, "bi_sales")} == {"timeout"}
    (tickets,) = steps(answer, "tickets")
    assert tickets["status"] == "success"
    assert "LOG-157" in json.dumps(answer["answer"], ensure_ascii=False)


def _seconds(iso: str) -> float:
    import datetime as dt

    return dt.datetime.fromisoformat(iso).timestamp()
