"""What the report's template shows of a run, as plain dicts: each cell with its anchor and the citations of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adapters.base import Locator, Value
from adapters.values import MEASURES
from executor.state import ExecutionState, Goal, StepResult
from reflector.decision import Answer
from reflector.disclosing import rule_in_words
from reflector.labels import amount
from reflector.phrases import language_of

__all__ = ["anchors", "blocks", "citations_of", "conflicts_of", "steps_of"]

MAX_ROWS = 60
_MARK = re.compile(r"\[(c\d+)(?:–(c\d+))?\]")


def blocks(text: str) -> list[dict[str, Any]]:
    """The answer's text as headings and items; each item a list of (text, citation id or "")."""
    out = []
    for part in text.split("\n\n"):
        heading, items = "", list[list[list[tuple[str, str]]]]()
        for line in part.split("\n"):
            if line.startswith("- "):
                items.append([_pieces(line[2:])])
            elif line.startswith("  ") and items:
                items[-1].append(_pieces(line.strip()))
            elif line.strip():
                heading = f"{heading} {line}".strip()
        out.append({"heading": _pieces(heading) if heading else [], "items": items})
    return out


def _pieces(text: str) -> list[tuple[str, str]]:
    out, at = [], 0
    for m in _MARK.finditer(text):
        if m.start() > at:
            out.append((text[at : m.start()], ""))
        out.append((m.group()[1:-1], m[1]))
        at = m.end()
    if at < len(text):
        out.append((text[at:], ""))
    return out


def anchors(answer: Answer, state: ExecutionState | None) -> dict[tuple[str, int, str], list[str]]:
    """(goal, row, field) → ids of the citations of that cell. A quotation belongs to its passage's cell."""
    if state is None:
        return {}
    wanted: dict[Locator, list[str]] = {}
    for c in answer.citations:
        wanted.setdefault(replace(c.locator, text=None), []).append(c.id)
    out: dict[tuple[str, int, str], list[str]] = {}
    for goal_id, result in state.results.items():
        if result.evidence is None:
            continue
        for n, places in enumerate(result.evidence.locators[:MAX_ROWS]):
            for field, place in places.items():
                if ids := wanted.get(replace(place, text=None)):
                    out[goal_id, n, field] = ids
    return out


def steps_of(answer: Answer, state: ExecutionState | None) -> list[dict[str, Any]]:
    """Each step with its evidence table, verdict and attempts."""
    if state is None:
        return []
    cited = anchors(answer, state)
    return [_step(state, goal, cited) for goal in state.goals.values()]


def _step(
    state: ExecutionState, goal: Goal, cited: Mapping[tuple[str, int, str], list[str]]
) -> dict[str, Any]:
    result = state.results.get(goal.id) or StepResult(goal.id, "pending")
    evidence = result.evidence
    table = None
    if evidence is not None:
        rows = [
            {
                "anchor": f"e-{goal.id}-{n}",
                "ids": cited.get((goal.id, n, ""), []),
                "cells": [
                    _cell(
                        goal.id,
                        n,
                        c,
                        row.get(c),
                        evidence.types.get(c, "text"),
                        cited.get((goal.id, n, c), []),
                    )
                    for c in evidence.columns
                ],
            }
            for n, row in enumerate(evidence.rows[:MAX_ROWS])
        ]
        more = len(evidence.rows) - len(rows)
        table = {
            "columns": evidence.columns,
            "numbers": [evidence.types.get(c, "text") in MEASURES for c in evidence.columns],
            "rows": rows,
            "more": more,
            "notes": evidence.notes,
            "kind": evidence.kind,
        }
    return {
        "id": goal.id,
        "relation": goal.relation,
        "parent": goal.parent,
        "standing": state.resolve(goal.root) == goal.id,
        "source": goal.sub_goal.data_source,
        "description": goal.sub_goal.description,
        "params": goal.sub_goal.params,
        "validation": goal.sub_goal.validation,
        "clauses": result.verdict.clauses if result.verdict else (),
        "status": result.status,
        "failure": result.failure,
        "message": result.message,
        "seconds": result.seconds,
        "artefact": result.artefact,
        "attempts": result.attempts,
        "table": table,
    }


def _cell(goal_id: str, row: int, column: str, value: Value, kind: str, ids: list[str]) -> dict[str, Any]:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "anchor": f"e-{goal_id}-{row}-{column}",
        "text": amount(value, kind),
        "ids": ids,
        "number": number,
    }


def citations_of(answer: Answer, state: ExecutionState | None) -> list[dict[str, Any]]:
    """Each citation with its place in words and the anchor of its cell ("" where the table does not show it)."""
    where: dict[str, str] = {}
    for (goal_id, row, field), ids in anchors(answer, state).items():
        for i in ids:
            where.setdefault(i, f"e-{goal_id}-{row}-{field}" if field else f"e-{goal_id}-{row}")
    return [
        {
            "id": c.id,
            "source": c.source,
            "dataset": c.dataset,
            "place": _place(c.locator),
            "text": c.locator.text or "",
            "url": c.locator.url if (c.locator.url or "").startswith(("http://", "https://")) else "",
            "read_at": c.locator.read_at or "",
            "anchor": where.get(c.id, ""),
        }
        for c in answer.citations
    ]


def _place(place: Locator) -> str:
    page = f"p. {place.page}" if place.page is not None else None
    score = f"{place.score:.2f}" if place.score is not None else None
    parts = (
        place.document, page, place.section, place.table_id, place.table, place.key, place.row,
        place.column or place.field, place.path, place.sql, place.method, score,
    )  # fmt: skip
    return " · ".join(dict.fromkeys(str(p) for p in parts if p))


def conflicts_of(answer: Answer, state: ExecutionState | None) -> list[dict[str, Any]]:
    """Each conflict with its values as a person reads them."""
    out = []
    for c in answer.conflicts:
        evidence = state.evidence(c.step) if state is not None else None
        kind = evidence.types.get(c.measure, "text") if evidence is not None else "text"
        claims = [
            {"source": v.source, "value": amount(v.value, kind), "weight": v.weight, "citation": v.citation}
            for v in c.values
        ]
        out.append(
            {
                "key": c.key,
                "measure": c.label or c.measure,
                "claims": claims,
                "kept": amount(c.kept, kind),
                "rule": rule_in_words(language_of(answer.question), c.rule),
                "step": c.step,
            }
        )
    return out
