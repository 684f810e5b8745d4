"""The rest of a question planned anew when a source is out: real databases, the loop, the record."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from assay.front import Assay
from planner.plan import Plan

TODAY = dt.date(2024, 7, 15)
QUESTION = "2024年5月A产品的退货率和客诉量分别是多少"
DIMENSIONS = [
    {"name": "product", "type": "text", "synonyms": ["产品"], "values": ["A", "B"]},
    {"name": "month", "type": "month", "synonyms": ["月份"]},
]


def source(
    folder: Path, name: str, dataset: str, description: str, measure: dict[str, Any], rows: Sequence[Sequence[Any]] | None,
    **more: Any,
) -> None:  # fmt: skip
    """A source over a database file of one table; without rows there is no such file."""
    file = folder / f"{name}.sqlite"
    fields = [*DIMENSIONS, measure]
    if rows is not None:
        with sqlite3.connect(file) as db:
            db.execute(f"CREATE TABLE {dataset} (product, month, {measure['name']})")
            db.executemany(f"INSERT INTO {dataset} VALUES (?, ?, ?)", rows)
        db.close()
    entry = {
        "kind": "sql", "description": description, "trust": 0.8, "max_retries": 0, "timeout_s": 5,
        "connection": {"url": f"sqlite:///{file}" if rows is not None else f"sqlite:///{folder}/none/{name}.sqlite"},
        "datasets": [{"name": dataset, "description": description, "grain": ["product", "month"], "fields": fields,
                      "locate": {"table": dataset}}],
        **more,
    }  # fmt: skip
    path = folder / "configs" / "sources" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(entry, allow_unicode=True), encoding="utf-8")


RETURN_RATE = {"name": "return_rate", "type": "percent", "synonyms": ["退货率"]}
COMPLAINTS = {"name": "complaints", "type": "integer", "synonyms": ["客诉量"]}
MONTHS = [[p, f"2024-0{m}", 0] for p in "AB" for m in (4, 5, 6)]


def filled(values: Sequence[float]) -> list[list[Any]]:
    return [[p, month, v] for (p, month, _), v in zip(MONTHS, values, strict=True)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The board of return rates is out; the archive, under another name, holds them too."""
    source(tmp_path, "board", "returns", "各产品月度退货率", RETURN_RATE, None, trust=0.95)
    archive = filled([0.01, 0.02, 0.03, 0.04, 0.05, 0.06])
    source(tmp_path, "archive", "returns_history", "退货率归档", RETURN_RATE, archive, trust=0.6)
    source(tmp_path, "desk", "complaints_monthly", "客诉月报", COMPLAINTS, filled([10, 20, 30, 40, 50, 60]))
    (tmp_path / "configs" / "assay.yaml").write_text("planner: rules\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def assay(folder: Path) -> Iterator[Assay]:
    with Assay.load(folder / "configs") as found:
        yield found


def test_the_rest_is_planned_on_what_is_left(assay: Assay) -> None:
    answer = assay.ask(QUESTION, today=TODAY)
    assert answer.status == "answered", answer.text
    by_source = {s["data_source"]: s for s in answer.steps}
    assert by_source["board"]["status"].startswith("failed")
    assert by_source["archive"]["status"] == by_source["desk"]["status"] == "success"
    assert [s["data_source"] for s in answer.steps].count("desk") == 1  # what was done is not done again
    assert {f.value for f in answer.findings} >= {0.02, 20}


def test_completed_steps_keep_their_ids_and_the_new_one_gets_a_new_id(assay: Assay) -> None:
    first = assay.plan(QUESTION, today=TODAY).plan
    assert first is not None
    old = {g.data_source: g.id for g in first.sub_goals}
    answer = assay.ask(QUESTION, today=TODAY)
    new = {g.data_source: g.id for g in Plan.model_validate(answer.plan).sub_goals}
    assert set(new) == {"desk", "archive"}
    assert new["desk"] == old["desk"]
    assert new["archive"] not in old.values()


def test_the_answer_and_the_record_say_that_it_was_replanned_by_whom_and_why(assay: Assay) -> None:
    answer = assay.ask(QUESTION, today=TODAY)
    assert "board" in answer.text
    assert "重新规划" in answer.text
    (told,) = answer.planner["replanned"]
    assert (told["planner"], len(told["dropped"]), len(told["added"])) == ("rules", 1, 1)
    assert "board" in told["why"]
    assert any("board" in g.why for g in answer.gaps)
    record = assay.store.show(answer.run_id)
    (event,) = [e["detail"] for e in record["events"] if e["kind"] == "replan"]
    assert event["planned"]
    assert event["planner"] == "rules"
    assert Plan.model_validate(event["plan"]) == Plan.model_validate(answer.plan)
    assert [e["detail"]["rule"] for e in record["events"] if e["kind"] == "decision"] == [
        "replan",
        "conclude",
    ]
    report = Path(answer.report).read_text(encoding="utf-8")
    assert "重新规划" in report


def test_without_another_source_the_answer_is_partial_and_the_attempt_is_on_record(folder: Path) -> None:
    (folder / "configs" / "sources" / "archive.yaml").unlink()
    with Assay.load(folder / "configs") as assay:
        answer = assay.ask(QUESTION, today=TODAY)
        record = assay.store.show(answer.run_id)
    assert answer.status == "partial"
    assert "replanned" not in answer.planner
    (event,) = [e["detail"] for e in record["events"] if e["kind"] == "replan"]
    assert not event["planned"]
    assert event["reason"]
    assert "重新规划" not in answer.text


def test_a_source_that_has_nothing_has_answered(folder: Path) -> None:
    source(folder, "board", "returns", "各产品月度退货率", RETURN_RATE, [["B", "2019-01", 0.5]], trust=0.95)
    with Assay.load(folder / "configs") as assay:
        answer = assay.ask(QUESTION, today=TODAY)
        kinds = [e["kind"] for e in assay.store.show(answer.run_id)["events"]]
    assert "replan" not in kinds
    assert "archive" not in json.dumps([dict(s) for s in answer.steps])


def test_a_persons_plan_is_not_planned_around(assay: Assay) -> None:
    plan = assay.plan(QUESTION, today=TODAY).plan
    answer = assay.ask(plan=plan, today=TODAY)
    assert answer.status == "partial"
    assert {s["data_source"] for s in answer.steps} == {"board", "desk"}


def test_replanning_can_be_switched_off(folder: Path) -> None:
    (folder / "configs" / "assay.yaml").write_text("planner: rules\nlimits: {replans: 0}\n", encoding="utf-8")
    with Assay.load(folder / "configs") as assay:
        assert assay.ask(QUESTION, today=TODAY).status == "partial"
