"""The answer, composed without a language model: findings in sections, each with the places it stands on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from executor.state import ExecutionState, Replan
from planner.catalogue import Catalogue
from planner.proposal import Proposal
from reflector.bounds import HasLimits
from reflector.coincidence import coincidences
from reflector.concluding import missing_steps
from reflector.criteria import criteria_findings
from reflector.decision import Answer, AnswerStatus, Decision, Gap
from reflector.disclosing import conflict_line, conflicts, relaxation_line, relaxations
from reflector.gaps import gaps
from reflector.lines import roots
from reflector.notes import lacking
from reflector.opening import no_new_digits, opening, opening_of_refusal
from reflector.phrases import language_of
from reflector.prompt import render
from reflector.sections import Sections, findings_by_section
from reflector.writing import Writing

__all__ = ["compose", "refusal"]


def compose(
    state: ExecutionState,
    catalogue: Catalogue,
    decisions: Sequence[Decision],
    planner_info: Proposal | Mapping[str, Any],
    settings: HasLimits,
) -> Answer:
    """All that the run has to say. Deterministic: the same state and decisions give the same answer."""
    writing = Writing.of(state, catalogue)
    status, told = _status(state), gaps(writing)
    sections = Sections(writing)
    disagreements, widened = [], []
    if status not in ("insufficient", "refused"):
        by_section = findings_by_section(writing)
        by_section["conclusion"] = (
            criteria_findings(writing) + by_section["conclusion"] + coincidences(writing)
        )
        sections.add_findings(by_section)
        disagreements = conflicts(writing, decisions, settings.limits.tolerance)
        widened = relaxations(writing, decisions)
    sections.add_lines("conflicts", [conflict_line(writing, c) for c in disagreements])
    sections.add_lines("relaxations", [relaxation_line(writing, r) for r in widened])
    notes, lacks = (
        [*sections.notes(), *(t.line for t in told if t.note), *_unused(writing, planner_info)],
        [t.line for t in told if not t.note],
    )
    if status in ("insufficient", "refused"):  # nothing is known, so nothing may look as if it were
        notes = []
        lacks = [n for n in lacks if no_new_digits(state, n)]
    sections.add_lines("notes", notes)
    sections.add_lines("missing", lacks)
    findings, citations = sections.findings(), writing.citations.all()
    the_gaps = tuple(t.gap for t in told)
    return Answer(
        run_id=state.run_id,
        question=state.plan.question,
        status=status,
        route=state.plan.route,
        text=sections.text(status, opening(writing, status)),
        findings=findings,
        citations=citations,
        conflicts=tuple(disagreements),
        relaxations=tuple(widened),
        gaps=the_gaps,
        prompt=render(writing, findings, citations, disagreements, widened, the_gaps),
        planner=_planner(planner_info, state.replans),
        plan=state.plan.model_dump(mode="json"),
        steps=tuple(_steps(state)),
    )


def refusal(question: str, proposal: Proposal, *, run_id: str) -> Answer:
    """The answer when there is no plan: what the sources lack, and no number."""
    language = language_of(question)
    missing = proposal.missing or ((proposal.reason,) if proposal.reason else ())
    return Answer(
        run_id=run_id,
        question=question,
        status="insufficient",
        route="none",
        text=opening_of_refusal(question, missing),
        gaps=tuple(Gap("", lacking(language, m), lacking(language, proposal.reason or m)) for m in missing),
        planner=_planner(proposal),
    )


def _status(state: ExecutionState) -> AnswerStatus:
    results = [(r, state.result(r)) for r in roots(state) if state.goals[r].sub_goal.required]
    if not results:
        results = [(r, state.result(r)) for r in roots(state)]
    statuses = [r.status if r is not None else "failed_fatal" for _, r in results]
    if not any(s in ("success", "pending") for s in statuses):
        failures = [
            r.failure for _, r in results if r is not None and r.failure not in (None, "skipped_input")
        ]
        return "refused" if failures and all(f == "refused" for f in failures) else "insufficient"
    if missing_steps(state) or "pending" in statuses:
        return "partial"
    return "answered"


def _unused(writing: Writing, info: Proposal | Mapping[str, Any]) -> list[str]:
    """What the plan left out of the question: an answer to less than was asked may not look whole."""
    words = info.unused if isinstance(info, Proposal) else ()
    return (
        [writing.say("unused", words="、".join(words) if writing.language == "zh" else ", ".join(words))]
        if words
        else []
    )


def _planner(info: Proposal | Mapping[str, Any], replans: Sequence[Replan] = ()) -> dict[str, Any]:
    """Who planned; `replanned` only where the rest was planned anew."""
    anew = {"replanned": [dataclasses.asdict(r) for r in replans]} if replans else {}
    if isinstance(info, Mapping):
        return {**info, **anew}
    return {"name": info.planner, "version": info.version, "confidence": info.confidence, **anew}


def _steps(state: ExecutionState) -> list[dict[str, Any]]:
    out = []
    for goal in state.goals.values():
        result = state.results.get(goal.id)
        step: dict[str, Any] = {
            "id": goal.id,
            "status": result.status if result else "pending",
            "data_source": goal.sub_goal.data_source,
            "attempts": len(result.attempts) if result else 0,
            "failure": result.failure if result else None,
            "seconds": result.seconds if result else 0.0,
        }
        if result is not None and result.artefact:
            step["artefact"] = result.artefact
        out.append(step)
    return out
