"""A plan tried on a made-up world: rows that its filters can find, the real executor, the real operations.

What cannot run on any world (operands that share nothing, a field that a step does not give, a growth of one period)
fails here, before a triple is trained on and before a person's plan is kept.
"""

from __future__ import annotations

import datetime as dt
import itertools
import os
import random
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from adapters.base import Evidence, Locator, Query, Raw, Resources, SourceSpec, Value
from adapters.errors import NoResults
from adapters.values import matches
from executor.run import Executor
from executor.state import ExecutionState
from executor.store import RunStore
from planner.catalogue import Catalogue, Dataset, Field
from planner.periods import listed_periods
from planner.plan import Plan
from planner.references import parse_reference

__all__ = ["MadeUpSource", "rehearse"]

_KIND = "assay.rehearsal:MadeUpSource"
_PERIODS = 12  # the most months, quarters or days that one filter is filled with
_GROUPS = 4  # listed values of each dimension that no filter fixes
_FEW = 3  # different values of a free text, the same in every dataset: a step finds what an earlier one gave
_ROWS = 400  # the most rows of one dataset
# the store of a rehearsal is thrown away: nothing waits for a disk
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def rehearse(plan: Plan, catalogue: Catalogue, today: dt.date, seed: int = 0) -> list[str]:
    """Runs the plan on a made-up world; gives a line for each step that neither succeeded nor was skipped by its condition."""
    world = {
        (source.name, dataset.name): _rows(dataset, _asked(plan, dataset.name), today, seed)
        for source in catalogue.sources.values()
        for dataset in source.datasets
    }
    made_up = catalogue.model_copy(
        update={
            "sources": {
                name: source.model_copy(update={"kind": _KIND, "auth": {}, "connection": {}})
                for name, source in catalogue.sources.items()
            }
        }
    )
    with tempfile.TemporaryDirectory(dir=_MEMORY) as folder:
        resources = Resources(Path(folder), {"world": world, "output_dir": folder})
        store = RunStore(str(Path(folder) / "runs.db"))
        try:
            state = ExecutionState.of("rehearsal", plan, today.isoformat(), frozenset({"*"}))
            store.begin(state, plan.question, {"name": "rehearsal", "version": "1"})
            with Executor(made_up, resources, store, {"output_dir": Path(folder)}) as executor:
                executor.run(state)
        finally:
            store.close()
    return list(_faults(plan, state))


def _faults(plan: Plan, state: ExecutionState) -> list[str]:
    found, unmet = [], set()
    for goal in plan.sub_goals:
        result = state.results[goal.id]
        if result.status == "success":
            continue
        unmet.add(goal.id)
        waits = result.status == "skipped" and (goal.when or set(goal.depends_on) & unmet)
        if not (waits and all(state.results[d].status in ("success", "skipped") for d in goal.depends_on)):
            found.append(f"{goal.id} {result.status}: {result.message}")
    return found


def _asked(plan: Plan, dataset: str) -> list[Mapping[str, Any]]:
    """The filters of every step on the dataset, whichever of its holders it names: two that are compared share keys."""
    return [
        g.params.get("filters") or {}
        for g in plan.sub_goals
        if g.params.get("dataset") == dataset and "values" not in g.params
    ]


def _rows(
    dataset: Dataset, asked: list[Mapping[str, Any]], today: dt.date, seed: int
) -> tuple[dict[str, Value], ...]:
    chance = random.Random(f"{dataset.name}/{seed}")
    out: list[dict[str, Value]] = []
    for filters in asked:
        choices = [
            _values(f, filters.get(f.name), today, chance, f.name in dataset.grain) for f in dataset.fields
        ]
        varied = [i for i, c in enumerate(choices) if len(c) > 1]
        for combination in itertools.islice(itertools.product(*(choices[i] for i in varied)), _ROWS):
            row = {f.name: choices[i][0] for i, f in enumerate(dataset.fields)}
            row |= {dataset.fields[i].name: v for i, v in zip(varied, combination, strict=True)}
            for f in dataset.fields:
                if f.name not in filters and f.type in ("number", "percent", "money", "integer"):
                    row[f.name] = _number(f, chance)
                elif f.name not in filters and f.type == "text" and not f.values and row[f.name] is None:
                    row[f.name] = f"{f.name}-{len(out) % _FEW}"  # a few, so that two datasets share some
            out.append(row)
    return tuple(out)


def _values(f: Field, asked: Any, today: dt.date, chance: random.Random, in_grain: bool) -> list[Value]:
    """What a field holds in the rows: all that its filter asks for, or a few of its values."""
    if isinstance(asked, list):
        return [_plain(v, f, chance) for v in asked]
    if isinstance(asked, dict):
        return _within(f, asked, today)
    if asked is not None:
        taken = parse_reference(asked)
        if taken is not None and f.type == "text" and not f.values:
            return [f"{taken.field or f.name}-{n}" for n in range(_FEW)]
        return [_plain(asked, f, chance)]
    if f.values:
        return list(f.values[:_GROUPS]) if in_grain or len(f.values) <= _GROUPS else [chance.choice(f.values)]
    if f.type in ("month", "quarter", "date", "datetime"):
        return _within(f, {"from": None, "to": None}, today)[-3:]
    if f.type == "bool":
        return [True, False]
    if f.type == "text":
        return [f"{f.name}-{n}" for n in range(_FEW)] if in_grain else [None]
    return [_number(f, chance)]


def _plain(value: Any, f: Field, chance: random.Random) -> Value:
    if isinstance(value, str) and value.startswith("{{"):
        return f"{f.name}-{chance.randrange(10**6)}"
    if f.type == "datetime" and isinstance(value, str) and len(value) == 10:
        return f"{value}T09:00:00"
    return value if isinstance(value, str | int | float | bool) else str(value)


def _within(f: Field, asked: Mapping[str, Any], today: dt.date) -> list[Value]:
    """Values between the ends, the ends among them; a few periods up to today where an end is open."""
    low, high = asked.get("from"), asked.get("to")
    if f.type in ("number", "percent", "money", "integer"):
        a = float(low) if low is not None else float(high) / 2 if high else 0.0
        b = float(high) if high is not None else a * 2 + 1
        inner = [a, (a + b) / 2, b]
        return [int(v) if f.type == "integer" else v for v in inner]
    if f.type in ("date", "datetime"):
        first = dt.date.fromisoformat(str(low)[:10]) if low else None
        last = dt.date.fromisoformat(str(high)[:10]) if high else max(today, first or today)
        first = first or last - dt.timedelta(days=100)
        step = max(1, (last - first).days // _PERIODS)
        days = [first + dt.timedelta(days=n) for n in range(0, (last - first).days + 1, step)][:_PERIODS]
        return [d.isoformat() + ("T09:00:00" if f.type == "datetime" else "") for d in [*days, last]]
    if f.type in ("month", "quarter"):
        now = f"{today:%Y-%m}" if f.type == "month" else f"{today.year}-Q{(today.month + 2) // 3}"
        end = str(high or max(now, str(low or now)))
        start = str(low or f"{int(end[:4]) - (1 if f.type == 'month' else 3)}{end[4:]}")
        listed: list[Value] = [*(listed_periods(start, end) or [start])]
        return listed[-2 * _PERIODS :]
    return [str(low if low is not None else high)]


def _number(f: Field, chance: random.Random) -> Value:
    if f.type == "percent":
        return round(chance.uniform(0.01, 0.6), 4)
    return chance.randrange(1, 900) if f.type == "integer" else round(chance.uniform(1, 900), 2)


class MadeUpSource:
    """An adapter over the rows that `rehearse` made; passages for documents, a receipt for writes."""

    def __init__(self, spec: SourceSpec, resources: Resources) -> None:
        self._spec, self._world = spec, resources.settings["world"]

    def query(self, query: Query, /) -> Raw:
        spec = self._spec.datasets[query.dataset]
        if query.dataset == "documents":
            rows: Sequence[Mapping[str, Value]] = [
                {
                    "doc": "handbook",
                    "section": "1",
                    "page": 1,
                    "table_id": None,
                    "score": 0.9,
                    "text": query.text,
                }
            ]
        elif query.values:
            rows = [{**query.values, "status": "accepted"}]
        else:
            types = {f.name: f.type for f in spec.fields}
            held = self._world[self._spec.name, query.dataset]
            rows = [r for r in held if matches(r, query.filters, types)]
        return Raw(query, rows)

    def validate(self, raw: Raw, /) -> None:
        if not raw.payload:
            raise NoResults(f"{self._spec.name}: nothing of {raw.query.dataset}", source=self._spec.name)

    def normalise(self, raw: Raw, /) -> Evidence:
        kind = "text" if raw.query.dataset == "documents" else "table"
        columns = tuple(raw.payload[0])
        place = Locator("row", self._spec.name, raw.query.dataset)
        types = {f.name: f.type for f in self._spec.datasets[raw.query.dataset].fields}
        return Evidence(
            "text" if kind == "text" else "table", self._spec.name, raw.query.dataset, columns, tuple(raw.payload),
            tuple({"": place} for _ in raw.payload), types,
        )  # fmt: skip

    def probe(self) -> Sequence[Query]:
        return ()

    def ping(self, timeout_s: float) -> None:
        del timeout_s

    def close(self) -> None:
        self._world = {}
