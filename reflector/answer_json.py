"""The object that `assay ask --json` prints; its keys are a promise."""

from __future__ import annotations

from typing import Any

from reflector.decision import Answer, Citation, Conflict, Finding, Gap, Relaxation

__all__ = ["to_json"]


def to_json(answer: Answer) -> dict[str, Any]:
    """Plain JSON types only, in the promised order."""
    return {
        "run_id": answer.run_id,
        "status": answer.status,
        "route": answer.route,
        "planner": dict(answer.planner),
        "plan": dict(answer.plan) if answer.plan is not None else None,
        "steps": [dict(s) for s in answer.steps],
        "answer": {
            "text": answer.text,
            "findings": [_finding(f) for f in answer.findings],
            "citations": [_citation(c) for c in answer.citations],
            "conflicts": [_conflict(c) for c in answer.conflicts],
            "relaxations": [_relaxation(r) for r in answer.relaxations],
            "gaps": [_gap(g) for g in answer.gaps],
        },
        "prompt": answer.prompt,
        "seconds": answer.seconds,
    }


def _finding(f: Finding) -> dict[str, Any]:
    return {"statement": f.statement, "value": f.value, "unit": f.unit, "evidence": list(f.evidence)}


def _citation(c: Citation) -> dict[str, Any]:
    return {"id": c.id, "source": c.source, "dataset": c.dataset, "locator": c.locator.as_dict()}


def _conflict(c: Conflict) -> dict[str, Any]:
    values = [{"source": v.source, "value": v.value, "weight": v.weight} for v in c.values]
    return {"key": c.key, "measure": c.measure, "values": values, "kept": c.kept, "rule": c.rule}


def _relaxation(r: Relaxation) -> dict[str, Any]:
    return {"step": r.step, "field": r.field, "asked": r.asked, "used": r.used, "why": r.why}


def _gap(g: Gap) -> dict[str, Any]:
    return {"step": g.step, "what": g.what, "why": g.why, "remedy": g.remedy}
