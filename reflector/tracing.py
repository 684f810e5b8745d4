"""From a value back to the places in the sources that it stems from, through every computation between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adapters.base import Evidence, Locator, Value
from adapters.dates import bucket, granularity
from adapters.errors import FormatError
from adapters.values import MEASURES
from executor.state import ExecutionState, Goal
from planner.references import Reference, parse_reference

__all__ = ["Operand", "operands", "places", "rows_behind"]

_DEPTH = 12  # a plan has no longer chain
_COMPARISONS = frozenset({"difference", "ratio", "product", "growth"})


@dataclass(frozen=True, slots=True)
class Operand:
    """An input of a computed step. `field` is None for a whole result."""

    goal_id: str
    evidence: Evidence
    field: str | None
    row: int | None = None


def operands(state: ExecutionState, goal: Goal) -> list[Operand]:
    """The inputs of a computed step that are there, in their order."""
    given = goal.sub_goal.params.get("inputs") or []
    value = goal.sub_goal.params.get("value")
    out = []
    for text in given if isinstance(given, list) else [given]:
        reference = parse_reference(text)
        if reference is None:
            continue
        goal_id = _meant(state, goal, reference)
        result = state.results.get(goal_id)
        if result is None or result.evidence is None:
            continue
        field = reference.field if reference.field is not None else value
        field = str(field) if field in result.evidence.columns else None
        out.append(Operand(goal_id, result.evidence, field, reference.row))
    return out


def _meant(state: ExecutionState, goal: Goal, reference: Reference) -> str:
    """The same reading of an id as the executor's: literal within a reconcile step."""
    found = reference.step if goal.relation == "reconcile" else state.resolve(reference.step)
    return reference.step if found == goal.id else found


def places(state: ExecutionState, goal_id: str, rows: Iterable[int], field: str = "") -> list[Locator]:
    """Where the values of `field` in these rows stand in their sources, each place once; never a derived one."""
    out: dict[Locator, None] = {}
    for row in rows:
        for place in _places(state, goal_id, row, field, _DEPTH):
            out[place] = None
    return list(out)


def _places(state: ExecutionState, goal_id: str, row: int, field: str, depth: int) -> list[Locator]:
    result = state.results.get(goal_id)
    evidence = result.evidence if result is not None else None
    if evidence is None or depth == 0:
        return []
    place = evidence.locate(row, field)
    if place is None and row < len(evidence.locators):
        places = evidence.locators[row]
        place = places.get("") or next(iter(places.values()), None)
    if place is None:
        return []
    if place.kind != "derived":
        return [place]
    goal, out = state.goals[goal_id], list[Locator]()
    for n, given in enumerate(operands(state, goal)):
        name = given.field or (field if field in given.evidence.columns else "")
        if goal.relation != "reconcile" and not name:
            name = _counted(goal, given.evidence)
        for i in rows_behind(goal, evidence, row, given, n):
            out += _places(state, given.goal_id, i, name, depth - 1)
    return out


def _counted(goal: Goal, evidence: Evidence) -> str:
    """The column that speaks for a row where none is named: of a count the field it is grouped by, else the measure."""
    if goal.sub_goal.params.get("operation") == "count":
        by = goal.sub_goal.params.get("by") or ()
        for name in [by] if isinstance(by, str) else by:
            if (column := str(name).partition(":")[0]) in evidence.columns:
                return column
        return ""
    measures = [c for c in evidence.columns if evidence.types.get(c) in MEASURES]
    return measures[0] if len(measures) == 1 else ""


def rows_behind(goal: Goal, derived: Evidence, row: int, given: Operand, number: int) -> list[int]:
    """Which rows of an input went into a computed row: those that agree with it on all that both name.

    Where none agrees (two single values, one of each item) all of the input's rows did.
    """
    if given.row is not None:
        return [given.row]
    found = list(range(len(given.evidence.rows)))
    pairwise = number == 0 and goal.sub_goal.params.get("operation") in _COMPARISONS
    for name, grain, wanted in _shared(derived, derived.rows[row], given.evidence):
        values = [_bucketed(r.get(name), grain) for r in given.evidence.rows]
        accepted = {wanted}
        if pairwise and len(goal.sub_goal.params.get("inputs") or ()) == 1:
            accepted |= _before(values, wanted)
        agreeing = [i for i in found if values[i] in accepted]
        if not agreeing and number > 0:
            agreeing = [i for i in found if values[i] == _in_step(derived, name, grain, wanted, values)]
        found = agreeing or found
    return found


def _before(values: Sequence[Value], wanted: Value) -> set[Value]:
    """The period before `wanted`, which a comparison of one input's periods takes as its baseline."""
    times = sorted({v for v in values if isinstance(v, str)})
    if wanted not in times or not all(granularity(t) for t in times):
        return set()
    at = times.index(str(wanted))
    return {times[at - 1]} if at else set()


def _in_step(derived: Evidence, name: str, grain: str, wanted: Value, values: Sequence[Value]) -> Value:
    """Times of two years are matched by their position: the first of the one with the first of the other."""
    column = f"{name}:{grain}" if grain else name
    first = sorted({v for r in derived.rows if isinstance(v := r.get(column), str)})
    second = sorted({v for v in values if isinstance(v, str)})
    if wanted in first and len(first) == len(second) and all(granularity(t) for t in (*first, *second)):
        return second[first.index(str(wanted))]
    return None


def _shared(
    derived: Evidence, made: Mapping[str, Value], given: Evidence
) -> Sequence[tuple[str, str, Value]]:
    """(the input's column, the bucket that its dates are put into or "", the value) of each shared dimension."""
    out = []
    for column in derived.columns:
        name, _, grain = column.partition(":")
        if name not in given.columns or given.types.get(name, "text") in MEASURES:
            continue
        if not grain and derived.types.get(column, "text") in MEASURES:
            continue
        if made.get(column) is not None:
            out.append((name, grain, made[column]))
    return out


def _bucketed(value: Value, grain: str) -> Value:
    if not grain or not isinstance(value, str):
        return value
    try:
        return bucket(value, {"day": "date"}.get(grain, grain))
    except FormatError:
        return None
