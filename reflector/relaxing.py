"""Rule 2: a source that has nothing for what was asked is asked a little more; each step is told in the answer.

The ladder: time is widened (`reflector.widening`), then a filter that is no part of the dataset's grain is dropped,
least selective first. What names the subject (grain, free text, a list of periods that the question compares) stays. Nothing is widened
for a step on which a condition or a write rests: an order that has not arrived is not to be refunded as if it had.
Values that `covers` misses are given up only when no other source is left to ask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from executor.state import ExecutionState, Goal, StepResult
from planner.catalogue import Catalogue, Dataset
from planner.plan import SubGoal
from reflector.bounds import HasLimits
from reflector.decision import Decision, Relaxation
from reflector.falling_back import next_source
from reflector.lines import Additions, asks_source, dependants, failed, line, standing, was_tried
from reflector.loosening import without_bounds_on
from reflector.widening import TIME_TYPES, widen

__all__ = ["MAX_STEPS", "relax"]

MAX_STEPS = 3  # day → month → quarter → year; more would be another question


def relax(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision | None:
    additions, told, said = Additions(state, catalogue), [], []
    for goal, result in standing(state):
        if (
            not failed(result)
            or asks_source(goal, catalogue) is None
            or _decides(state, catalogue, goal.root)
        ):
            continue
        if sum(g.relation == "relax" for g in line(state, goal.root)) >= MAX_STEPS:
            continue
        step = _widened(state, catalogue, goal, result) or _partial(state, catalogue, goal)
        if step is None:
            continue
        sub_goal, relaxation = step
        new = additions.id_for(goal.root)
        additions.add(
            Goal(sub_goal.model_copy(update={"id": new}), parent=goal.root, relation="relax"), stands_in=True
        )
        told.append(relaxation)
        said.append(f"{goal.id}: {relaxation.why}; {relaxation.field} widened")
    if not additions.goals:
        return None
    additions.with_dependants()
    return Decision(
        "relax", "continue", "; ".join(said), tuple(additions.goals), frozenset(additions.stand_in),
        relaxations=tuple(told),
    )  # fmt: skip


def _decides(state: ExecutionState, catalogue: Catalogue, root: str) -> bool:
    """Does a condition or a write depend on this step?"""
    for step in dependants(state, [root]):
        sub_goal = state.goals[step].sub_goal
        source = catalogue.sources.get(sub_goal.data_source)
        if sub_goal.when or (source is not None and source.side_effect):
            return True
    return False


def _widened(
    state: ExecutionState, catalogue: Catalogue, goal: Goal, result: StepResult
) -> tuple[SubGoal, Relaxation] | None:
    if not _found_too_little(result):
        return None
    sub_goal = goal.sub_goal
    name = str(sub_goal.params.get("dataset"))
    dataset = catalogue.dataset(sub_goal.data_source, name)
    filters = sub_goal.params.get("filters")
    if dataset is None or not isinstance(filters, Mapping):
        return None
    why = f"{sub_goal.data_source} has nothing in {name} for what was asked"
    for field, used in _ladder(dataset, filters):
        wider = {k: v for k, v in filters.items() if k != field} | ({} if used is None else {field: used})
        new = _asking(sub_goal, wider, field)
        if not was_tried(state, goal.root, new):
            return new, Relaxation(goal.root, field, filters[field], used, why)
    return None


def _ladder(dataset: Dataset, filters: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The next steps, best first: (field, wider value), None for a filter that is dropped."""
    steps: list[tuple[str, Any]] = []
    for name, wanted in filters.items():
        field = dataset.field(name)
        if field is not None and field.type in TIME_TYPES and (wider := widen(wanted, field.type)):
            steps.append((name, wider))
    droppable = []
    for name, wanted in filters.items():
        field = dataset.field(name)
        if field is None or name in dataset.grain or field.type in TIME_TYPES or not field.values:
            continue  # a free text names one thing, and that is the subject
        share = len(wanted) / len(field.values) if isinstance(wanted, list) else 1 / len(field.values)
        droppable.append((-share, name))
    return steps + [(name, None) for _, name in sorted(droppable)]


def _asking(sub_goal: SubGoal, filters: Mapping[str, Any], field: str) -> SubGoal:
    params = {**sub_goal.params, "filters": dict(filters)}
    validation = without_bounds_on(field, sub_goal.validation)
    return sub_goal.model_copy(update={"params": params, "validation": validation})


def _found_too_little(result: StepResult) -> bool:
    if result.failure == "no_results":
        return True
    if result.failure != "validation_failed" or result.verdict is None:
        return False
    if result.verdict.failed("rows"):
        return True
    return bool(result.verdict.failed("covers")) and not (result.evidence and result.evidence.rows)


def _partial(state: ExecutionState, catalogue: Catalogue, goal: Goal) -> tuple[SubGoal, Relaxation] | None:
    """Takes what a source has of the values that `covers` lists, once nobody has them all."""
    if next_source(state, catalogue, goal) is not None:
        return None
    for old in sorted(
        line(state, goal.root), key=lambda g: -_rows(state, g)
    ):  # the most, then the most trusted
        result = state.results.get(old.id)
        if result is None or result.failure != "validation_failed" or result.verdict is None:
            continue
        clauses = result.verdict.failed("covers")
        rows = result.evidence.rows if result.evidence else ()
        field = next((f for c in clauses for f in _fields(result) if f in c.clause), None)
        if (
            not rows
            or field is None
            or any(
                g.sub_goal.validation == without_bounds_on(field, old.sub_goal.validation)
                for g in line(state, goal.root)
            )
        ):
            continue
        new = old.sub_goal.model_copy(
            update={"validation": without_bounds_on(field, old.sub_goal.validation)}
        )
        there = sorted({str(r[field]) for r in rows if r.get(field) is not None})
        asked = (old.sub_goal.params.get("filters") or {}).get(field)
        why = f"{old.sub_goal.data_source} lacks part of what was asked ({clauses[0].detail or clauses[0].clause})"
        return new, Relaxation(goal.root, field, asked, there, why)
    return None


def _rows(state: ExecutionState, goal: Goal) -> int:
    result = state.results.get(goal.id)
    return len(result.evidence.rows) if result is not None and result.evidence is not None else 0


def _fields(result: StepResult) -> tuple[str, ...]:
    return tuple(sorted(result.evidence.columns, key=len, reverse=True)) if result.evidence else ()
