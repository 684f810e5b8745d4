"""Which steps a goal waits for, and whether what came of them lets it run."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.base import Evidence
from executor.state import ExecutionState, Goal, StepResult
from planner.condition import parse_condition
from planner.references import find_references

__all__ = ["dependencies", "resolve", "skipped", "stuck"]


def resolve(state: ExecutionState, goal: Goal, step: str) -> str:
    """The id of the goal that `step` means when `goal` says it.

    A plan's id means whatever stands for it now. Two exceptions: a `reconcile` goal stands in for one of the very
    steps that it compares, so its ids are taken literally; and no goal ever means itself.
    """
    if goal.relation == "reconcile":
        return step
    found = state.resolve(step)
    return step if found == goal.id else found


def dependencies(state: ExecutionState, goal: Goal) -> dict[str, str]:
    """Every step that the goal names (depends_on, references, `when`) → the goal that it means now."""
    named = [*goal.sub_goal.depends_on, *(r.step for r in find_references(goal.sub_goal.params))]
    if goal.sub_goal.when:
        named += sorted(parse_condition(goal.sub_goal.when).steps)
    return {step: resolve(state, goal, step) for step in dict.fromkeys(named)}


def skipped(state: ExecutionState, goal: Goal, needed: Mapping[str, str]) -> StepResult | None:
    """The result of a goal that cannot or need not run, else None. All that it needs has a result by now.

    A step needed only by `when` may have failed: the condition then decides, and unknown means skipped.
    """
    condition = parse_condition(goal.sub_goal.when) if goal.sub_goal.when else None
    hard = {*goal.sub_goal.depends_on, *(r.step for r in find_references(goal.sub_goal.params))}
    for step, actual in needed.items():
        if step in hard and (why := _unusable(state, actual)):
            shown = step if step == actual else f"{step} ({actual})"
            return StepResult(
                goal.id, "skipped", failure="skipped_input", message=f"needs {shown}, which {why}"
            )
    if condition is None:
        return None
    data: dict[str, Evidence] = {}
    for step in condition.steps:
        result = state.results.get(needed[step])
        if result is not None and result.status == "success" and result.evidence is not None:
            data[step] = result.evidence
    outcome = condition.check(data, state.today or None)
    if outcome == "pass":
        return None
    if outcome == "fail":
        return StepResult(goal.id, "skipped", message=f"not needed: {goal.sub_goal.when} does not hold")
    lacking = [f"{s} {_unusable(state, needed[s])}" for s in sorted(condition.steps) if s not in data]
    why = "; ".join(lacking) or "its values cannot be compared"
    message = f"cannot tell whether {goal.sub_goal.when} holds: {why}"
    return StepResult(goal.id, "skipped", failure="skipped_input", message=message)


def _unusable(state: ExecutionState, goal_id: str) -> str:
    """Why the goal's result cannot be worked with; "" when it can."""
    if goal_id not in state.goals:
        return "is no step of this run"
    result = state.results.get(goal_id)
    if result is None:
        return "has no result"
    if result.status == "success":
        return "" if result.evidence is not None else "gave no data"
    if result.status == "pending":
        return f"is pending: {result.message}"
    if result.status == "skipped":
        return f"was skipped: {result.message}"
    return f"failed ({result.failure}): {result.message}"


def stuck(state: ExecutionState, waiting: Mapping[str, Mapping[str, str]]) -> dict[str, StepResult]:
    """Results for goals that wait on each other; `waiting` maps each unfinished goal to what it needs."""
    out = {}
    for goal_id, needed in waiting.items():
        open_ones = sorted({a for a in needed.values() if a not in state.results})
        message = f"waits for {', '.join(open_ones)}, which in turn waits for it"
        out[goal_id] = StepResult(goal_id, "skipped", failure="skipped_input", message=message)
    return out
