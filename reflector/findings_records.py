"""What tickets and other records say: how many there are, and each with its key and fields."""

from __future__ import annotations

from adapters.base import Evidence
from executor.state import Goal
from reflector.decision import Finding
from reflector.findings_values import MAX_FED, is_computed_on, value_findings, wanted_fields
from reflector.labels import amount
from reflector.writing import MAX_CITED, Writing

__all__ = ["MAX_RECORDS", "record_findings"]

MAX_RECORDS = 10
_FEW = 6  # columns that are told in full
_AS_VALUES = 2  # up to so many records with a measure are told like a table's rows


def record_findings(writing: Writing, goal: Goal, evidence: Evidence) -> list[Finding]:
    fields = (
        list(evidence.columns) if len(evidence.columns) <= _FEW else wanted_fields(writing, goal, evidence)
    )
    if len(evidence.rows) <= _AS_VALUES and any(_is_measure(evidence, f) for f in fields):
        return value_findings(writing, goal, evidence)
    count = len(evidence.rows)
    summary = Finding(
        writing.say("records", what=writing.subject_of(goal), n=count), count, "",
        writing.cite(goal.id, range(min(count, MAX_CITED))), count,
    )  # fmt: skip
    if count > MAX_FED and is_computed_on(writing, goal):
        return [summary]
    return [summary, *(_record(writing, goal, evidence, n, fields) for n in range(min(count, MAX_RECORDS)))]


def _is_measure(evidence: Evidence, field: str) -> bool:
    return evidence.types.get(field, "text") in ("number", "percent", "money", "integer")


def _record(writing: Writing, goal: Goal, evidence: Evidence, n: int, fields: list[str]) -> Finding:
    row = evidence.rows[n]
    place = evidence.locate(n)
    for name in evidence.columns:
        place = place or evidence.locate(n, name)
    key = place.key if place is not None and place.key else ""
    told, cited = [], dict[str, None]()
    for f in fields:
        if row.get(f) is None or str(row[f]) == key:
            continue
        told.append(
            writing.say(
                "field", label=writing.labels.field(f), value=amount(row[f], evidence.types.get(f, "text"))
            )
        )
        cited |= dict.fromkeys(writing.cite(goal.id, [n], f))
    if not cited:
        cited |= dict.fromkeys(writing.cite(goal.id, [n]))
    text = writing.say("comma").join(told)
    statement = writing.say("record", key=key, fields=text) if key else text
    return Finding(statement, None, "", tuple(cited))
