"""The rules in their order. Each is a pure function of what happened; the first that has something to say decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from executor.state import ExecutionState
from planner.catalogue import Catalogue
from reflector.bounds import HasLimits
from reflector.concluding import conclude, out_of_budget, stop
from reflector.decision import Decision
from reflector.falling_back import fall_back
from reflector.reconciling import reconcile_facts, reconcile_numbers
from reflector.relaxing import relax
from reflector.replanning import replan
from reflector.retrying import retry

__all__ = ["RULES", "Rule", "decide"]

Rule = Callable[[ExecutionState, Catalogue, HasLimits, Sequence[Decision]], Decision | None]

RULES: list[Rule] = [retry, relax, fall_back, reconcile_numbers, reconcile_facts, replan, conclude, stop]
_ENDING: tuple[Rule, ...] = (conclude, stop)


def decide(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision:
    """What to do next. `memory` holds this run's earlier decisions, oldest first.

    Once the rounds or the time are spent only the last two rules are asked. Nothing here reads a clock or a source:
    the same record gives the same decisions. A source that the asker's roles may not read is never turned to.
    """
    catalogue = catalogue.for_roles(state.roles)
    rules = _ENDING if out_of_budget(state, settings, memory) else RULES
    for rule in rules:
        decision = rule(state, catalogue, settings, memory)
        if decision is not None:
            return decision
    return stop(state, catalogue, settings, memory)
