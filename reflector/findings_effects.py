"""What was done: receipts of writes, files that were written."""

from __future__ import annotations

from executor.state import Goal, StepResult
from reflector.decision import Finding
from reflector.tracing import operands
from reflector.writing import MAX_CITED, Writing

__all__ = ["effect_findings", "report_findings"]


def effect_findings(writing: Writing, goal: Goal, result: StepResult) -> list[Finding]:
    """A write that was made, now or in an earlier run, with its receipt."""
    if result.evidence is None or not result.evidence.rows:
        return []
    fields = [c for c in result.evidence.columns if result.evidence.rows[0].get(c) is not None]
    asked = goal.sub_goal.params.get("values") or {}
    known = next((c for c in fields if "receipt" in c), None) or next(
        (c for c in fields if c not in asked), None
    )
    place = result.evidence.locate(0, known or "")
    receipt = result.evidence.rows[0].get(known) if known else (place.key or place.text if place else None)
    phrase = "receipt_before" if "not submitted again" in result.message else "receipt"
    what = writing.name_of(goal)
    statement = writing.say(phrase, what=what, receipt=receipt if receipt is not None else "—")
    return [Finding(statement, receipt, "", writing.cite(goal.id, [0], known or ""))]


def report_findings(writing: Writing, goal: Goal, result: StepResult) -> list[Finding]:
    """A file that a step wrote; its evidence is that of what it shows."""
    if not result.artefact:
        return []
    cited: dict[str, None] = {}
    for given in operands(writing.state, goal):
        field = given.field or ("value" if "value" in given.evidence.columns else "")
        cited |= dict.fromkeys(writing.cite(given.goal_id, range(len(given.evidence.rows)), field))
    statement = writing.say("report", path=result.artefact)
    return [Finding(statement, result.artefact, "", tuple(cited)[:MAX_CITED])]
