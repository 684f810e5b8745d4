"""A line is a sub-goal of the plan with all that was added to stand in for it; what rules need to know of lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from executor.state import ExecutionState, Goal, StepResult
from planner.catalogue import Catalogue, Source
from planner.condition import parse_condition
from planner.plan import BUILT_IN, SubGoal
from planner.references import find_references

__all__ = [
    "Additions", "asks_source", "dependants", "failed", "fingerprint", "line", "query_of", "roots", "skipped_by_condition",
    "standing", "was_tried",
]  # fmt: skip


def roots(state: ExecutionState) -> list[str]:
    """The plan's own ids, in its order."""
    return [g.id for g in state.plan.sub_goals]


def line(state: ExecutionState, root: str) -> list[Goal]:
    """The goals of a line, oldest first."""
    return [g for g in state.goals.values() if g.root == root]


def standing(state: ExecutionState) -> Iterator[tuple[Goal, StepResult]]:
    """For each line the goal that stands for it and its result, where there is one."""
    for root in roots(state):
        goal = state.goals[state.resolve(root)]
        result = state.results.get(goal.id)
        if result is not None:
            yield goal, result


def failed(result: StepResult) -> bool:
    return result.status in ("failed_retryable", "failed_fatal")


def skipped_by_condition(result: StepResult) -> bool:
    """Skipped because its `when` was false, which is no failure."""
    return result.status == "skipped" and result.failure is None


def asks_source(goal: Goal, catalogue: Catalogue) -> Source | None:
    """The source that a goal reads; None for built-in steps, unknown sources and those with side effects."""
    if goal.sub_goal.data_source in BUILT_IN:
        return None
    source = catalogue.sources.get(goal.sub_goal.data_source)
    return None if source is None or source.side_effect else source


def query_of(sub_goal: SubGoal) -> str:
    """Source, dataset and what is asked of it, in one canonical text."""
    p = sub_goal.params
    asked: dict[str, Any] = {
        k: p.get(k) for k in ("dataset", "filters", "query", "operation", "inputs", "values")
    }
    return json.dumps([sub_goal.data_source, asked], sort_keys=True, ensure_ascii=False, default=str)


def fingerprint(goal: Goal, result: StepResult) -> tuple[str, str, str]:
    """What failed and how: root, query, failure kind. The same one may not reopen the same branch."""
    return goal.root, query_of(goal.sub_goal), result.failure or ""


def was_tried(state: ExecutionState, root: str, sub_goal: SubGoal) -> bool:
    """Does the line hold the same query already?"""
    return any(query_of(g.sub_goal) == query_of(sub_goal) for g in line(state, root))


def dependants(state: ExecutionState, changed: Iterable[str]) -> list[str]:
    """The plan's ids that read, directly or through others, what stands for `changed`; in the plan's order."""
    hit = set(changed)
    start = set(hit)
    grew = True
    while grew:
        grew = False
        for root in roots(state):
            if root not in hit and _needs(state, root) & hit:
                hit.add(root)
                grew = True
    return [r for r in roots(state) if r in hit - start]


def _needs(state: ExecutionState, root: str) -> set[str]:
    """The lines that a step names: in depends_on, in references, in its condition."""
    sub_goal = state.goals[state.resolve(root)].sub_goal
    named = {*sub_goal.depends_on, *(r.step for r in find_references(sub_goal.params))}
    if sub_goal.when:
        named |= parse_condition(sub_goal.when).steps
    return {_root_of(state, d) for d in named}


def _root_of(state: ExecutionState, step: str) -> str:
    return state.goals[step].root if step in state.goals else step


class Additions:
    """Goals that a decision adds, with free ids, and the dependants that must be computed anew."""

    def __init__(self, state: ExecutionState, catalogue: Catalogue) -> None:
        self._state = state
        self._catalogue = catalogue
        self._taken: set[str] = set()
        self.goals: list[Goal] = []
        self.stand_in: set[str] = set()

    def id_for(self, root: str) -> str:
        """A free id in the line of `root`, free also among the goals being added."""
        n = 2
        while f"{root}.{n}" in self._state.goals or f"{root}.{n}" in self._taken:
            n += 1
        self._taken.add(f"{root}.{n}")
        return f"{root}.{n}"

    def add(self, goal: Goal, *, stands_in: bool) -> None:
        self.goals.append(goal)
        if stands_in:
            self.stand_in.add(goal.id)

    def with_dependants(self) -> None:
        """Adds anew what has been computed from a result that is being replaced.

        A write that was made is never made again, whatever changes: a person must look at it.
        """
        changed = {g.root for g in self.goals if g.id in self.stand_in}
        for root in dependants(self._state, changed):
            old = self._state.goals[self._state.resolve(root)]
            result = self._state.results.get(old.id)
            if result is None or (result.status == "success" and self._writes(old)):
                continue
            new = self.id_for(root)
            sub_goal = old.sub_goal.model_copy(update={"id": new})
            self.add(Goal(sub_goal, parent=root, relation="recompute"), stands_in=True)

    def _writes(self, goal: Goal) -> bool:
        source = self._catalogue.sources.get(goal.sub_goal.data_source)
        return source is not None and source.side_effect
