"""Rules 6 and 7: every required step is there, or nothing more can be tried; then it is time to answer."""

from __future__ import annotations

from collections.abc import Sequence

from executor.state import ExecutionState
from planner.catalogue import Catalogue
from reflector.bounds import HasLimits, rounds_left, seconds_left
from reflector.decision import Decision
from reflector.lines import roots, skipped_by_condition

__all__ = ["conclude", "missing_steps", "out_of_budget", "stop"]


def missing_steps(state: ExecutionState) -> list[str]:
    """The plan's required steps that did not come to a good end.

    A write that waits for a person, and a step whose condition was false, are good ends.
    """
    out = []
    for root in roots(state):
        result = state.result(root)
        required = state.goals[root].sub_goal.required
        if result is None:
            fine = False
        else:
            fine = result.status in ("success", "pending") or skipped_by_condition(result)
        if required and not fine:
            out.append(root)
    return out


def out_of_budget(state: ExecutionState, settings: HasLimits, memory: Sequence[Decision]) -> str:
    """Which bound is reached, in words; empty when none is."""
    if rounds_left(settings, memory) <= 0:
        return f"{settings.limits.rounds} rounds are spent"
    if seconds_left(settings, state) <= 0:
        return f"{settings.limits.seconds:g} s are spent"
    return ""


def conclude(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision | None:
    if missing_steps(state):
        return None
    return Decision("conclude", "conclude", "every required step came to a good end")


def stop(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision:
    missing = missing_steps(state)
    spent = out_of_budget(state, settings, memory)
    why = f"{', '.join(missing)} could not be had and {spent or 'nothing more can be tried'}"
    return Decision("stop", "stop", why)
