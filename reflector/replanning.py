"""A replan: when a step's data cannot be had by any of the rules before, the rest of the question is planned anew.

The rule says only that it is time, and reads nothing but the record; who runs the loop asks the planner. A source that
says it has nothing has answered, and a refusal or a failed write is for a person: none of them is planned around.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from executor.state import ExecutionState, Goal, StepResult
from planner.catalogue import Catalogue
from planner.plan import SubGoal
from planner.unfinished import Failure, Unfinished
from reflector.bounds import HasLimits
from reflector.concluding import missing_steps
from reflector.decision import Decision
from reflector.lines import asks_source, failed, roots, skipped_by_condition

__all__ = ["replan", "unfinished"]

_SOURCE_OUT = frozenset({"timeout", "rate_limited", "unavailable", "circuit_open", "auth"})
_DATASET_OUT = frozenset({"format_error", "schema_drift", "validation_failed", "bug"})


def replan(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision | None:
    if sum(d.action == "replan" for d in memory) >= settings.limits.replans:
        return None
    causes = []
    for root in missing_steps(state):
        goal, result = state.goals[state.resolve(root)], state.result(root)
        if result is not None and result.failure == "skipped_input":
            continue  # it waits for one of the others
        if result is None or not _can_be_planned_around(goal, result, catalogue):
            return None
        causes.append(f"{root}: {goal.sub_goal.data_source} gave {result.failure}")
    if not causes:
        return None
    return Decision("replan", "replan", "; ".join(causes) + "; the rest is planned anew")


def unfinished(state: ExecutionState, catalogue: Catalogue) -> Unfinished:
    """What is done and what failed. A source that was out once in this run is not planned on again; a dataset whose
    data were unsound is not where no other question found it sound."""
    done: dict[str, SubGoal] = {}
    for root in roots(state):
        result, asked = state.result(root), state.goals[root].sub_goal
        good = result is not None and (
            result.status in ("success", "pending") or skipped_by_condition(result)
        )
        if good and set(asked.depends_on) <= done.keys():
            done[root] = asked
    failures = {str(f): f for f in _failures(state, catalogue)}
    return Unfinished(state.plan, tuple(done.values()), tuple(failures.values()), frozenset(state.goals))


def _can_be_planned_around(goal: Goal, result: StepResult, catalogue: Catalogue) -> bool:
    read = failed(result) and asks_source(goal, catalogue) is not None
    return read and result.failure in _SOURCE_OUT | _DATASET_OUT


def _failures(state: ExecutionState, catalogue: Catalogue) -> Iterator[Failure]:
    for goal in state.goals.values():
        result = state.results.get(goal.id)
        if result is None or not _can_be_planned_around(goal, result, catalogue):
            continue
        whole = result.failure in _SOURCE_OUT
        standing = state.result(goal.root)
        if not whole and standing is not None and standing.status == "success":
            continue
        dataset = str(goal.sub_goal.params.get("dataset"))
        yield Failure(goal.id, goal.sub_goal.data_source, dataset, str(result.failure), whole)
