"""Rule 1: a source that was too slow gets one more try with more time, if nobody else can answer.

`rate_limited` and `unavailable` were tried again by the executor already, as often as the source allows; here
only the time-out is left. Where an alternative holds the data, the user does not wait for a board that hangs.
"""

from __future__ import annotations

from collections.abc import Sequence

from executor.state import ExecutionState, Goal
from planner.catalogue import Catalogue
from reflector.bounds import HasLimits, seconds_left
from reflector.decision import Decision
from reflector.falling_back import next_source
from reflector.lines import Additions, asks_source, failed, line, query_of, standing

__all__ = ["retry"]

MORE = 2.0  # a second try gets twice the time: long enough to tell a slow source from a dead one


def retry(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision | None:
    additions = Additions(state, catalogue)
    left, said = seconds_left(settings, state), []
    for goal, result in standing(state):
        source = asks_source(goal, catalogue)
        if source is None or not failed(result) or result.failure != "timeout" or not goal.sub_goal.required:
            continue
        timeout = MORE * (goal.timeout_s or source.timeout_s)
        again = any(
            g.relation == "retry" and query_of(g.sub_goal) == query_of(goal.sub_goal)
            for g in line(state, goal.root)
        )
        if again or timeout > left or next_source(state, catalogue, goal) is not None:
            continue
        new = additions.id_for(goal.root)
        sub_goal = goal.sub_goal.model_copy(update={"id": new})
        additions.add(
            Goal(sub_goal, parent=goal.root, relation="retry", timeout_s=timeout),
            stands_in=True,
        )
        said.append(
            f"{goal.id}: {source.name} timed out and no other source holds {goal.sub_goal.params.get('dataset')}; again with {timeout:g} s"
        )
    if not additions.goals:
        return None
    additions.with_dependants()
    return Decision(
        "retry", "continue", "; ".join(said), tuple(additions.goals), frozenset(additions.stand_in)
    )
