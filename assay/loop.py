"""The loop, on one screen: run what can run, ask the reflector what next, until it concludes or stops."""

from __future__ import annotations

import datetime as dt
import time
from typing import TYPE_CHECKING

from assay.replanning import replan
from executor.run import Executor
from executor.state import ExecutionState
from planner.proposal import Proposal
from reflector.answer import compose, refusal
from reflector.answer_json import to_json
from reflector.decision import Answer, Decision
from reflector.report import write_html
from reflector.rules import decide

if TYPE_CHECKING:
    from assay.front import Assay, Listener

__all__ = ["answer_question"]


def answer_question(
    question: str, proposal: Proposal, assay: Assay, *, run_id: str, today: dt.date,
    approved: frozenset[str], roles: tuple[str, ...], listen: Listener | None, replanner: str = "",
) -> Answer:  # fmt: skip
    """From a proposal to an answer; every step and decision is in the run store when it returns. `replanner` plans the
    rest anew where a step fails for good; "" for nobody."""
    begun, store = time.monotonic(), assay.store
    if proposal.plan is None:
        return _keep(refusal(question, proposal, run_id=run_id), assay, None, [], begun)

    state = ExecutionState.of(run_id, proposal.plan, today.isoformat(), approved, roles)
    store.begin(state, question, proposal)
    decisions: list[Decision] = []
    settings = assay.settings if replanner else assay.settings.without_replans()
    try:
        with Executor(assay.catalogue, assay.resources, store, assay.settings, listen) as executor:
            while True:
                executor.run(state)
                decision = decide(state, assay.catalogue, settings, decisions)
                decisions.append(decision)
                store.event(run_id, "decision", {"rule": decision.rule, "why": decision.why})
                if decision.action == "replan":
                    replan(state, decision, proposal, replanner, assay, listen)
                    continue
                if decision.action != "continue":
                    break
                for goal in decision.goals:
                    state.add(goal, stands_in=goal.id in decision.stand_in)
    except KeyboardInterrupt:
        store.interrupt(run_id, time.monotonic() - begun)
        raise
    return _keep(
        compose(state, assay.catalogue, decisions, proposal, assay.settings), assay, state, decisions, begun
    )


def _keep(
    answer: Answer, assay: Assay, state: ExecutionState | None, decisions: list[Decision], begun: float
) -> Answer:
    """Writes the report and closes the run's record; the answer as returned is the answer as stored."""
    import dataclasses

    answer = dataclasses.replace(answer, seconds=round(time.monotonic() - begun, 3))
    path = assay.settings.home / "reports" / f"{answer.run_id}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    answer = dataclasses.replace(answer, report=str(path))
    write_html(answer, state, path, decisions)
    assay.store.finish(
        answer.run_id, answer.status, to_json(answer), answer.seconds, question=answer.question
    )
    return answer
