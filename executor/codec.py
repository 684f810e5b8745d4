"""Results of steps to JSON and back, without loss.

JSON has no NaN and no infinity: such a float is written as `{"$float": "nan"}`, so that every record is strict JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from adapters.base import Evidence, Locator
from executor.state import Attempt, Goal, StepResult
from planner.plan import SubGoal
from planner.validation import Verdict

__all__ = [
    "FORMAT_VERSION",
    "dumps",
    "evidence_from_dict",
    "evidence_to_dict",
    "goal_from_dict",
    "goal_to_dict",
    "loads",
    "result_from_dict",
    "result_to_dict",
]

FORMAT_VERSION = 1


def dumps(value: Any) -> str:
    """Strict JSON in ASCII: a lone surrogate or a NUL in a source's text cannot break the database."""
    return json.dumps(_finite(value), allow_nan=False, separators=(",", ":"))


def loads(text: str) -> Any:
    return json.loads(text, object_hook=_restore)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": str(value)}
    if isinstance(value, Mapping):
        return {str(k): _finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_finite(v) for v in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return str(value)


def _restore(found: dict[str, Any]) -> Any:
    return float(found["$float"]) if found.keys() == {"$float"} else found


def _locator(data: Mapping[str, Any]) -> Locator:
    known = {f.name for f in fields(Locator)}
    parts = {k: v for k, v in data.items() if k in known}
    return Locator(**{**parts, "inputs": tuple(parts.get("inputs", ()))})


def evidence_to_dict(evidence: Evidence) -> dict[str, Any]:
    return {
        "kind": evidence.kind,
        "source": evidence.source,
        "dataset": evidence.dataset,
        "columns": list(evidence.columns),
        "rows": [dict(r) for r in evidence.rows],
        "locators": [{k: v.as_dict() for k, v in row.items()} for row in evidence.locators],
        "types": dict(evidence.types),
        "summary": evidence.summary,
        "read_at": evidence.read_at,
        "notes": list(evidence.notes),
    }


def evidence_from_dict(data: Mapping[str, Any]) -> Evidence:
    return Evidence(
        kind=data["kind"],
        source=data["source"],
        dataset=data["dataset"],
        columns=tuple(data["columns"]),
        rows=tuple(dict(r) for r in data["rows"]),
        locators=tuple({k: _locator(v) for k, v in row.items()} for row in data["locators"]),
        types=dict(data["types"]),
        summary=data["summary"],
        read_at=data["read_at"],
        notes=tuple(data["notes"]),
    )


def goal_to_dict(goal: Goal) -> dict[str, Any]:
    return {
        "sub_goal": goal.sub_goal.model_dump(mode="json"),
        "parent": goal.parent,
        "relation": goal.relation,
        "timeout_s": goal.timeout_s,
    }


def goal_from_dict(data: Mapping[str, Any]) -> Goal:
    return Goal(
        SubGoal.model_validate(data["sub_goal"]),
        parent=data["parent"],
        relation=data["relation"],
        timeout_s=data["timeout_s"],
    )


def result_to_dict(result: StepResult) -> dict[str, Any]:
    return {
        "goal_id": result.goal_id,
        "status": result.status,
        "attempts": [asdict(a) for a in result.attempts],
        "evidence": None if result.evidence is None else evidence_to_dict(result.evidence),
        "verdict": None if result.verdict is None else result.verdict.to_dict(),
        "failure": result.failure,
        "message": result.message,
        "seconds": result.seconds,
        "artefact": result.artefact,
    }


def result_from_dict(data: Mapping[str, Any]) -> StepResult:
    return StepResult(
        goal_id=data["goal_id"],
        status=data["status"],
        attempts=tuple(Attempt(**a) for a in data["attempts"]),
        evidence=None if data["evidence"] is None else evidence_from_dict(data["evidence"]),
        verdict=None if data["verdict"] is None else Verdict.from_dict(data["verdict"]),
        failure=data["failure"],
        message=data["message"],
        seconds=data["seconds"],
        artefact=data["artefact"],
    )
