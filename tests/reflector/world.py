"""A small world for the reflector's tests: SQLite sources, plans in one line a step, the real executor and the loop."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.base import Evidence, Locator, Resources, Value
from executor.run import Executor
from executor.state import ExecutionState
from executor.store import RunStore
from planner.catalogue import Catalogue, Source
from planner.plan import Plan, SubGoal
from reflector.answer import compose
from reflector.decision import Answer, Decision
from reflector.rules import decide

TODAY = "2024-07-15"


@dataclass(frozen=True)
class Limits:
    rounds: int = 8
    seconds: float = 300.0
    tolerance: float = 0.05
    second_opinion: bool = True
    replans: int = 0  # there is no planner here


@dataclass(frozen=True)
class Settings:
    limits: Limits = field(default_factory=Limits)


@dataclass
class Outcome:
    answer: Answer
    state: ExecutionState
    decisions: list[Decision]

    @property
    def rules(self) -> list[str]:
        return [d.rule for d in self.decisions]


def fetch(
    id: str, source: str, dataset: str, filters: dict[str, Any] | None = None, validation: str = "rows >= 1",
    description: str = "", **more: Any,
) -> SubGoal:  # fmt: skip
    params = {"dataset": dataset, "filters": filters or {}, **more.pop("params", {})}
    return SubGoal(
        id=id, description=description or f"查询{dataset}", data_source=source, params=params, expected_format="csv",
        validation=validation, **more,
    )  # fmt: skip


def derive(id: str, operation: str, *inputs: str, description: str = "计算", **params: Any) -> SubGoal:
    steps = tuple(dict.fromkeys(i.split(".")[0] for i in inputs))
    references = [f"{{{{{i if '.' in i else i + '.result'}}}}}" for i in inputs]
    return SubGoal(
        id=id, description=description, data_source="derive", params={"operation": operation, "inputs": references, **params},
        expected_format="json", validation="rows >= 1", depends_on=steps,
    )  # fmt: skip


class World:
    """Sources are added, then plans are run; each SQLite file holds one table, named as the dataset."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.sources: dict[str, Source] = {}
        self.settings = Settings()
        self._runs = 0

    def sql(
        self, name: str, dataset: str, fields: Sequence[dict[str, Any]], rows: Sequence[Sequence[Value]], *,
        grain: Sequence[str] = (), columns: dict[str, str] | None = None, locate: dict[str, Any] | None = None, **more: Any,
    ) -> None:  # fmt: skip
        file = self.home / f"{name}.sqlite"
        names = [f["name"] for f in fields]
        with sqlite3.connect(file) as db:
            db.execute(f"CREATE TABLE {dataset} ({', '.join(names)})")
            db.executemany(f"INSERT INTO {dataset} VALUES ({', '.join('?' * len(names))})", rows)
        db.close()
        where = locate or {"table": dataset, **({"columns": columns} if columns else {})}
        self.sources[name] = Source.model_validate(
            {
                "name": name, "kind": "sql", "trust": 0.8, "connection": {"url": f"sqlite:///{file}"},
                "datasets": [{"name": dataset, "grain": list(grain), "fields": list(fields), "locate": where}], **more,
            }
        )  # fmt: skip

    def troubled(self, name: str, like: str, fails: str, kind: str = "Troubled", **more: Any) -> None:
        """A source with the datasets of another that fails always."""
        entry = {
            "name": name, "kind": f"tests.reflector.troubled:{kind}", "trust": 0.9, "timeout_s": 3, "max_retries": 0,
            "connection": {"fails": fails}, "datasets": [d.model_dump() for d in self.sources[like].datasets], **more,
        }  # fmt: skip
        self.sources[name] = Source.model_validate(entry)

    @property
    def catalogue(self) -> Catalogue:
        return Catalogue(sources=self.sources)

    def run(self, question: str, *goals: SubGoal, route: str = "plan", **more: Any) -> Outcome:
        self._runs += 1
        plan = Plan(question=question, route=route, sub_goals=goals)  # type: ignore[arg-type]
        state = ExecutionState.of(f"run{self._runs}", plan, TODAY, **more)
        store, resources = RunStore(self.home / "runs.db"), Resources(self.home)
        decisions: list[Decision] = []
        try:
            store.begin(state, question, {"name": "person", "version": "1", "confidence": 1.0})
            with Executor(self.catalogue, resources, store, self.settings) as executor:
                while True:
                    executor.run(state)
                    decision = decide(state, self.catalogue, self.settings, decisions)
                    decisions.append(decision)
                    if decision.action != "continue":
                        break
                    for goal in decision.goals:
                        state.add(goal, stands_in=goal.id in decision.stand_in)
        finally:
            resources.close()
            store.close()
        info = {"name": "person", "version": "1", "confidence": 1.0}
        return Outcome(compose(state, self.catalogue, decisions, info, self.settings), state, decisions)


def cells(
    source: str, dataset: str, types: dict[str, str], rows: Sequence[Sequence[Value]], kind: str = "table"
) -> Evidence:
    """Evidence as a board gives it, each cell with its place."""
    columns = tuple(types)
    made = tuple(dict(zip(columns, r, strict=True)) for r in rows)
    places = tuple(
        {
            c: Locator(
                "cell",
                source,
                dataset,
                field=c,
                text=str(r[c]),
                table=dataset,
                row=" · ".join(map(str, r.values())),
            )
            for c in columns
        }
        for r in made
    )
    return Evidence(kind, source, dataset, columns, made, places, types)  # type: ignore[arg-type]


def passages(source: str, *texts: tuple[str, int, str, str | None, str]) -> Evidence:
    """Passages as (document, page, section, table id, text)."""
    columns = ("doc", "section", "page", "table_id", "score", "text")
    rows, places = [], []
    for n, (doc, page, section, table_id, text) in enumerate(texts):
        rows.append(dict(zip(columns, (doc, section, page, table_id, 0.9 - n / 100, text), strict=True)))
        place = Locator(
            "page",
            source,
            "documents",
            text=text,
            document=doc,
            page=page,
            section=section,
            table_id=table_id,
        )
        places.append({"": place})
    types = {
        "doc": "text",
        "section": "text",
        "page": "integer",
        "table_id": "text",
        "score": "number",
        "text": "text",
    }
    return Evidence("text", source, "documents", columns, tuple(rows), tuple(places), types)


def assert_grounded(outcome: Outcome) -> None:
    """Every citation exists, none is a computed place, every number of the text stands on its evidence."""
    from reflector.grounding import check, grounds_of

    answer = outcome.answer
    ids = {c.id for c in answer.citations}
    for f in answer.findings:
        assert f.evidence, f
        assert set(f.evidence) <= ids, f
    assert all(c.locator.kind != "derived" for c in answer.citations)
    missing = check(answer.text, grounds_of(answer, outcome.state))
    assert not missing, missing
