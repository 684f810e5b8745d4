"""Rule 3: what one source cannot give is asked of the next of its alternatives that holds the same fields."""

from __future__ import annotations

from collections.abc import Sequence

from executor.state import ExecutionState, Goal
from planner.catalogue import Catalogue, Source
from reflector.bounds import HasLimits
from reflector.decision import Decision
from reflector.lines import Additions, asks_source, failed, standing, was_tried
from reflector.needs import needed_fields

__all__ = ["fall_back", "next_source"]

# a refusal by policy must not be got round at another source; a cancelled or skipped step has not failed there
_ELSEWHERE = frozenset(
    {"timeout", "rate_limited", "unavailable", "no_results", "format_error", "schema_drift", "validation_failed",
     "auth", "circuit_open", "bug"}
)  # fmt: skip


def next_source(state: ExecutionState, catalogue: Catalogue, goal: Goal) -> Source | None:
    """The first alternative of the plan's source that could answer the plan's own question and was not asked yet."""
    asked = state.goals[goal.root].sub_goal
    source = catalogue.sources.get(asked.data_source)
    if source is None:
        return None
    name = str(asked.params.get("dataset"))
    own = catalogue.dataset(source.name, name)
    needed = needed_fields(state, goal.root, own) if own else set()
    for other in source.alternatives:
        candidate = catalogue.sources.get(other)
        dataset = catalogue.dataset(other, name)
        if candidate is None or dataset is None or candidate.side_effect:
            continue
        if needed <= {f.name for f in dataset.fields} and not was_tried(
            state, goal.root, asked.model_copy(update={"data_source": other})
        ):
            return candidate
    return None


def fall_back(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision | None:
    additions, said = Additions(state, catalogue), []
    for goal, result in standing(state):
        if not failed(result) or result.failure not in _ELSEWHERE or asks_source(goal, catalogue) is None:
            continue
        other = next_source(state, catalogue, goal)
        if other is None:
            continue
        new = additions.id_for(goal.root)
        asked = state.goals[goal.root].sub_goal
        sub_goal = asked.model_copy(update={"id": new, "data_source": other.name})
        additions.add(Goal(sub_goal, parent=goal.root, relation="fallback"), stands_in=True)
        said.append(f"{goal.id}: {goal.sub_goal.data_source} gave {result.failure}; asking {other.name}")
    if not additions.goals:
        return None
    additions.with_dependants()
    return Decision(
        "fall_back", "continue", "; ".join(said), tuple(additions.goals), frozenset(additions.stand_in)
    )
