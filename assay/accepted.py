"""Runs that a person accepted, kept as triples that a planner can be trained on: `NAME.cat` beside `NAME.txt`, a NAME
for each catalogue that was ever asked, by the hash of its text."""

from __future__ import annotations

import fcntl
import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from assay.errors import UsageError
from assay.rehearsal import rehearse
from assay.triple_files import show_triples, write_text
from planner.catalogue import Catalogue
from planner.catalogue_text import read_catalogue, show_catalogue
from planner.compact import collapse, expand, read_plan, show_plan
from planner.errors import PlannerError
from planner.parse import check_plan
from planner.plan import Plan, SubGoal
from planner.references import STEP, parse_reference
from planner.training.triples import Triple, read_triples
from reflector.phrases import language_of

__all__ = ["Accepted", "accept", "triple_of"]

_NAMED = re.compile(rf'"(?:[^"\\]|\\.)*"|\b{STEP}(?=\.)')  # a quoted value, or a step in a condition
_COLUMNS = re.compile(r"(has_columns?:\s*\[)([^\]]*)")


@dataclass(frozen=True, slots=True)
class Accepted:
    """`file` holds the triple; `kept` says whether it is new there, took the place of another plan for the same
    question on the same day, or was there already."""

    triple: Triple
    file: Path
    kept: Literal["added", "replaced", "known"]


def accept(run: Mapping[str, Any], catalogue: Catalogue, folder: Path, *, force: bool = False) -> Accepted:
    """Keeps a run, as `RunStore.show` gives it, under `folder`. With `force` also one that was not answered.

    The catalogue is cut to what the run's roles may read. Raises UsageError, one line that says why the run is not kept."""
    run_id = run["run_id"]
    if run.get("plan") is None:
        raise UsageError(f"run {run_id} has no plan to keep")
    if run["status"] != "answered" and not force:
        raise UsageError(
            f"run {run_id} is {run['status']}, not answered; --force keeps its plan all the same"
        )
    visible = catalogue.for_roles(run.get("roles") or ())
    plan = Plan.model_validate(run["plan"])
    today = date.fromisoformat(run["today"])
    text = show_catalogue(visible)
    triple = triple_of(str(run["question"]), plan, today, visible, text, run_id)
    if faults := rehearse(plan, visible, today):
        raise UsageError(f"run {run_id}: its plan does not run on a made-up world: {faults[0]}")
    name = f"site_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    with _locked(folder):
        if not (folder / f"{name}.cat").is_file():
            write_text(folder / f"{name}.cat", text)
        return _keep(triple, folder / f"{name}.txt")


def triple_of(
    question: str, plan: Plan, today: date, catalogue: Catalogue, catalogue_text: str, run_id: str
) -> Triple:
    """The triple, read back from its own text: what is trained on means what was run. Raises UsageError where it does not."""
    said = f"run {run_id}: its plan cannot be kept in compact lines"
    line = " ".join(question.split())
    try:
        check_plan(plan, catalogue)
        numbered = _numbered(plan)
        compact = show_plan(collapse(numbered, catalogue))
        triple = Triple(line, language_of(line), today, compact, 1)
        (read,) = read_triples(show_triples([triple]))
        again = expand(read_plan(read.plan), plan.question, read_catalogue(catalogue_text))
    except (PlannerError, ValueError) as error:
        raise UsageError(f"{said}: {' '.join(str(error).split())}") from None
    if replace(read, line=1) != triple:
        raise UsageError(f"{said}: its question or plan does not survive being written down")
    if differs := _difference(numbered, again):
        raise UsageError(f"{said}: {differs} comes back changed")
    return triple


def _keep(triple: Triple, path: Path) -> Accepted:
    kept: Literal["added", "replaced"] = "added"
    known: list[Triple] = []
    for other in read_triples(path.read_text(encoding="utf-8")) if path.is_file() else []:
        if other.question == triple.question and other.plan == triple.plan:
            return Accepted(replace(triple, line=other.line), path, "known")
        if other.question == triple.question and other.today == triple.today:
            kept = "replaced"
        else:
            known.append(other)
    write_text(path, show_triples([*known, triple]))
    return Accepted(triple, path, kept)


def _numbered(plan: Plan) -> Plan:
    """The plan with g1, g2, … for its steps' ids."""
    ids = {g.id: f"g{n}" for n, g in enumerate(plan.sub_goals, 1)}
    goals = [
        g.model_copy(
            update={
                "id": ids[g.id],
                "depends_on": tuple(ids[d] for d in g.depends_on),
                "params": _renamed(g.params, ids),
                "when": _NAMED.sub(lambda m: ids.get(m[0], m[0]), g.when) if g.when else None,
            }
        )
        for g in plan.sub_goals
    ]
    return plan.model_copy(update={"sub_goals": tuple(goals)})


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {k: _renamed(v, ids) for k, v in value.items()}
    if isinstance(value, list):
        return [_renamed(v, ids) for v in value]
    reference = parse_reference(value)
    return str(replace(reference, step=ids[reference.step])) if reference else value


def _difference(plan: Plan, again: Plan) -> str:
    """The first place in which two plans differ, be it not descriptions or an order of columns; empty where none does."""
    for before, after in zip(plan.sub_goals, again.sub_goals, strict=True):
        wanted, got = _compared(before), _compared(after)
        for key in wanted:
            if wanted[key] != got[key]:
                return f"the {key} of {before.id}"
    return ""


def _compared(goal: SubGoal) -> dict[str, Any]:
    found = goal.model_dump(mode="json", exclude={"description"})
    found["depends_on"] = sorted(goal.depends_on)
    found["validation"] = _COLUMNS.sub(
        lambda m: m[1] + ",".join(sorted(n.strip() for n in m[2].split(","))), goal.validation
    )
    return found


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process at a time: two acceptances must not lose each other's line."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
