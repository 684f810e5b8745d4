"""Records that fell into the period of a measure, or shortly before it, for the same item: told when a cause is asked for.

Nearness in time is all that is said. It is no proof of a cause, and the statement says that too.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from adapters.base import Evidence
from adapters.values import MEASURES
from executor.state import Goal
from reflector.decision import Finding
from reflector.disagreement import key_fields
from reflector.lines import standing
from reflector.widening import TIME_TYPES, days_of
from reflector.writing import Writing

__all__ = ["coincidences"]

_CAUSE = re.compile(
    r"原因|为什么|为何|导致|影响|关联|why|cause|reason|because|affect|impact|relat|correlat", re.I
)
_BEFORE = 31  # days
MAX_TOLD = 6
MAX_FIELDS = 3  # of a record
_SHORT = 40  # characters; a longer text is a description and not a name
MAX_ROWS = 4  # of a table; more is a series, whose every period has something near it


def coincidences(writing: Writing) -> list[Finding]:
    if not _CAUSE.search(writing.state.plan.question):
        return []
    found = [
        (g, r.evidence)
        for g, r in standing(writing.state)
        if r.status == "success" and r.evidence is not None
    ]
    tables = [
        (g, e) for g, e in found if e.kind == "table" and writing.dataset(g) and 0 < len(e.rows) <= MAX_ROWS
    ]
    records = [(g, e) for g, e in found if e.kind == "records" and writing.dataset(g)]
    out = [f for g, e in tables for h, r in records for f in _of_pair(writing, g, e, h, r)]
    return out[:MAX_TOLD]


def _of_pair(
    writing: Writing, goal: Goal, table: Evidence, other: Goal, records: Evidence
) -> Iterator[Finding]:
    times = [c for c in table.columns if table.types.get(c) in TIME_TYPES]
    dates = [c for c in records.columns if records.types.get(c) in ("date", "datetime")]
    measures = [c for c in table.columns if table.types.get(c) in MEASURES]
    shared = [c for c in table.columns if c in records.columns and table.types.get(c) == "text"]
    if not times or not dates or not measures or not shared:
        return
    for n, row in enumerate(table.rows):
        period = row.get(times[0])
        if not isinstance(period, str):
            continue
        first, last = days_of(period)
        since = (dt.date.fromisoformat(first) - dt.timedelta(days=_BEFORE)).isoformat()
        fields = [c for c in key_fields(table.columns, table.types, writing.dataset(goal)) if c != times[0]]
        item = " ".join([writing.labels.key(row, fields, table.types), writing.labels.field(measures[0])])
        own = writing.cite(goal.id, [n], measures[0])
        of_item = [k for k, r in enumerate(records.rows) if all(r.get(c) == row.get(c) for c in shared)]
        dated = [(date[:10], k) for k in of_item if isinstance(date := records.rows[k].get(dates[0]), str)]
        near = [(date, k) for date, k in dated if since <= date <= last]
        for date, k in near:
            record, cited = _told(writing, other, records, k, dates[0], shared)
            phrase = "near" if date >= first else "near_before"
            statement = writing.say(phrase, record=record, item=item.strip(), period=period)
            yield Finding(statement, date, "", tuple(dict.fromkeys((*cited, *own))))
        before = [(date, k) for date, k in dated if date < since]
        if not near and before and not _bounded(records, other):
            record, cited = _told(writing, other, records, max(before)[1], dates[0], shared)
            statement = writing.say("none_near", record=record, item=item.strip(), period=period)
            yield Finding(statement, max(before)[0], "", tuple(dict.fromkeys((*cited, *own))))


def _bounded(records: Evidence, goal: Goal) -> bool:
    """Were the records asked for within some time only? Then their absence at another time says nothing."""
    return any(records.types.get(f) in TIME_TYPES for f in goal.sub_goal.params.get("filters") or {})


def _told(
    writing: Writing, goal: Goal, records: Evidence, n: int, date: str, shared: list[str]
) -> tuple[str, tuple[str, ...]]:
    """A record in words: key, date, item, and what its short text fields say. "LOG-1 (2024-01-03, north: carrier Swift)" """
    row = records.rows[n]
    place = records.locate(n, date) or records.locate(n)
    key = place.key if place is not None and place.key else ""
    fields = [
        c
        for c in records.columns
        if records.types.get(c, "text") == "text"
        and c not in shared
        and row.get(c) is not None
        and str(row[c]) != key
        and len(str(row[c])) <= _SHORT
    ][:MAX_FIELDS]
    item = writing.labels.key(row, shared, records.types)
    said = writing.say("comma").join(
        writing.say("field", label=writing.labels.field(f), value=str(row[f])) for f in fields
    )
    inner = writing.say("colon").join(filter(None, (item, said)))
    inner = writing.say("comma").join(filter(None, (str(row[date])[:10], inner)))
    name = key or writing.name_of(goal)
    cited = [i for f in (date, *fields) for i in writing.cite(goal.id, [n], f)]
    return writing.say("in_brackets", name=name, inner=inner), tuple(dict.fromkeys(cited))
