"""The rest of a run planned anew by the planner that made its plan; who did it and why is kept with the run."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import TYPE_CHECKING, Any

from executor.events import Event
from executor.state import ExecutionState, Replan
from planner.proposal import Proposal
from reflector.decision import Decision
from reflector.replanning import unfinished

if TYPE_CHECKING:
    from assay.front import Assay, Listener
    from planner.catalogue import Catalogue
    from planner.planners import Planner
    from planner.unfinished import Unfinished

__all__ = ["replan"]


def replan(
    state: ExecutionState, decision: Decision, first: Proposal, planner: str, assay: Assay, listen: Listener | None
) -> None:  # fmt: skip
    """Gives the state its new plan, where one will do; the run store tells either way. `first` is the proposal that
    the run began with, `planner` the name that made it. Raises StoreError."""
    from planner.planners import make_planner
    from planner.replan import plan_rest

    visible = assay.catalogue.for_roles(state.roles)
    models, endpoint = assay.settings.home / "models", assay.settings.planning.endpoint()

    def make(catalogue: Catalogue, left: Unfinished) -> Planner:
        return make_planner(planner, catalogue, models, endpoint, left)

    left = unfinished(state, visible)
    found = plan_rest(
        make, left, visible, dt.date.fromisoformat(state.today),
        unused=first.unused, threshold=assay.settings.planning.threshold,
    )  # fmt: skip
    if found.plan is None:
        _tell(state, assay, listen, {"planned": False, "planner": found.planner or planner, "why": decision.why,
                                     "reason": found.reason})  # fmt: skip
        return
    old, new = [g.id for g in state.plan.sub_goals], [g.id for g in found.plan.sub_goals]
    made = Replan(
        planner=found.planner, version=found.version, confidence=found.confidence, why=decision.why, reason=found.reason,
        kept=tuple(i for i in new if i in old), dropped=tuple(i for i in old if i not in new),
        added=tuple(i for i in new if i not in old),
    )  # fmt: skip
    state.replan(found.plan, made)
    plan = found.plan.model_dump(mode="json")
    _tell(state, assay, listen, {"planned": True, **dataclasses.asdict(made), "plan": plan})


def _tell(state: ExecutionState, assay: Assay, listen: Listener | None, told: dict[str, Any]) -> None:
    assay.store.event(state.run_id, "replan", told)
    if listen is not None:
        how = f"{', '.join(told['added'])} added" if told["planned"] else f"no other plan: {told['reason']}"
        listen(Event("note", message=f"planned anew by {told['planner']}: {how}"))
