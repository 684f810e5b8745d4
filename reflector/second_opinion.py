"""Rule 4, first half: where another source holds the same measure it is asked too, so that a conflict can be seen."""

from __future__ import annotations

from collections.abc import Sequence

from executor.state import ExecutionState, Goal
from planner.catalogue import Catalogue
from reflector.bounds import HasLimits
from reflector.decision import Decision
from reflector.falling_back import next_source
from reflector.lines import Additions, asks_source, line, standing

__all__ = ["ask_second"]


def ask_second(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision | None:
    if not settings.limits.second_opinion:
        return None
    additions, said = Additions(state, catalogue), []
    for goal, result in standing(state):
        source = asks_source(goal, catalogue)
        if source is None or result.status != "success" or not goal.sub_goal.required:
            continue
        if result.evidence is None or result.evidence.kind == "text":
            continue
        if any(g.relation in ("second_opinion", "reconcile") for g in line(state, goal.root)):
            continue
        other = next_source(state, catalogue, goal)
        if other is None or other.name == source.name or _asked_anyway(state, goal, other.name):
            continue
        new = additions.id_for(goal.root)
        sub_goal = goal.sub_goal.model_copy(update={"id": new, "data_source": other.name, "required": False})
        additions.add(Goal(sub_goal, parent=goal.root, relation="second_opinion"), stands_in=False)
        said.append(
            f"{goal.id}: {other.name} holds {goal.sub_goal.params.get('dataset')} too; asking it for a second opinion"
        )
    if not additions.goals:
        return None
    return Decision("reconcile_numbers", "continue", "; ".join(said), tuple(additions.goals))


def _asked_anyway(state: ExecutionState, goal: Goal, other: str) -> bool:
    """Does the plan itself put the same question to that source? Then the two stand beside each other, unreconciled."""
    return any(
        g.sub_goal.data_source == other and g.sub_goal.params == goal.sub_goal.params
        for g in state.goals.values()
        if g.root != goal.root
    )
