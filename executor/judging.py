"""Is what a step gave enough? The sub-goal's own validation string decides."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.base import Evidence
from executor.state import FailureKind, Goal, Status
from planner.validation import Verdict, parse_validation

__all__ = ["RETRYABLE", "Judgement", "judge", "status_of"]

RETRYABLE: frozenset[str] = frozenset({"timeout", "rate_limited", "unavailable"})


@dataclass(frozen=True, slots=True)
class Judgement:
    status: Status
    verdict: Verdict
    failure: FailureKind | None
    message: str


def status_of(failure: str) -> Status:
    """What a failure of that kind makes of a step."""
    return "failed_retryable" if failure in RETRYABLE else "failed_fatal"


def judge(goal: Goal, evidence: Evidence, today: str) -> Judgement:
    """Only a verdict of pass is a success; a clause that could not be checked is not a clause that holds.

    No rows and not pass is `no_results` (the question may be widened); rows and not pass is `validation_failed`.
    """
    verdict = parse_validation(goal.sub_goal.validation).check(evidence, today=today or None)
    if verdict.outcome == "pass":
        return Judgement("success", verdict, None, evidence.summary)
    reasons = "; ".join(_reason(verdict)) or goal.sub_goal.validation
    if not evidence.rows:
        return Judgement(
            "failed_fatal", verdict, "no_results", f"{evidence.source} has nothing that fits: {reasons}"
        )
    return Judgement("failed_fatal", verdict, "validation_failed", f"{evidence.source}: {reasons}")


def _reason(verdict: Verdict) -> list[str]:
    """A phrase for each clause that kept the verdict from passing, with what was measured."""
    out = []
    for c in verdict.clauses:
        if c.outcome == "pass":
            continue
        word = "does not hold" if c.outcome == "fail" else "cannot be checked"
        measured = "" if c.measured is None else f" (measured: {_short(c.measured)})"
        out.append(f"{c.clause} {word}{measured}{f', {c.detail}' if c.detail else ''}")
    return out


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}…"
