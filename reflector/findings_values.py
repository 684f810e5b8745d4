"""What a table from a source says: one finding for each row and measure, a summary where there are many rows."""

from __future__ import annotations

from adapters.base import Evidence, Value
from adapters.values import MEASURES
from executor.state import Goal
from reflector.decision import Finding
from reflector.disagreement import key_fields
from reflector.labels import amount, unit_of
from reflector.needs import asked_fields
from reflector.widening import TIME_TYPES
from reflector.writing import Writing

__all__ = ["MAX_FED", "MAX_ROWS", "is_computed_on", "value_findings", "wanted_fields"]

MAX_ROWS = 12
MAX_FED = 8  # rows told of a table that only feeds a computation
_FIRST = 3  # rows told of a table that is larger than that


def wanted_fields(writing: Writing, goal: Goal, evidence: Evidence) -> list[str]:
    """The columns that the plan's validation asks for; all of them where it names none."""
    dataset = writing.dataset(goal)
    named = asked_fields(writing.state.goals[goal.root].sub_goal.validation, dataset) if dataset else []
    return [c for c in evidence.columns if c in named] or list(evidence.columns)


def value_findings(writing: Writing, goal: Goal, evidence: Evidence) -> list[Finding]:
    key = key_fields(evidence.columns, evidence.types, writing.dataset(goal))
    wanted = wanted_fields(writing, goal, evidence)
    measures = [c for c in wanted if evidence.types.get(c, "text") in MEASURES and c not in key]
    facts = [c for c in wanted if c not in measures and c not in key]
    if not measures and not facts:
        facts = [c for c in evidence.columns if c not in key] or list(evidence.columns)
        measures = []
    fed = is_computed_on(writing, goal)
    if len(evidence.rows) > (MAX_FED if fed else MAX_ROWS) and measures:
        out = [_span(writing, goal, evidence, m, key) for m in measures[:3]]
        if fed:
            return out
    else:
        out = []
    for n in range(len(evidence.rows) if len(evidence.rows) <= MAX_ROWS else _FIRST):
        out += _row(writing, goal, evidence, n, key, measures, facts)
    return out


def is_computed_on(writing: Writing, goal: Goal) -> bool:
    """Is what the question wants computed from these rows? A trend wants the rows themselves too."""
    return any(
        r.sub_goal.data_source == "derive" and r.sub_goal.params.get("operation") != "trend"
        for r in writing.readers(goal.root)
    )


def _row(
    writing: Writing,
    goal: Goal,
    evidence: Evidence,
    n: int,
    key: list[str],
    measures: list[str],
    facts: list[str],
) -> list[Finding]:
    row, out = evidence.rows[n], []
    head = writing.labels.key(row, key, evidence.types)
    for m in measures:
        if row.get(m) is None:
            continue
        kind = evidence.types.get(m, "number")
        statement = writing.say(
            "value" if head else "value_alone",
            key=head,
            label=writing.labels.field(m),
            value=amount(row[m], kind),
        )
        out.append(Finding(statement, row[m], unit_of(kind), writing.cite(goal.id, [n], m)))
    told = [f for f in facts if row.get(f) is not None]
    if told:
        out.append(_facts(writing, goal, evidence, n, head, told))
    return out


def _facts(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str, told: list[str]) -> Finding:
    row = evidence.rows[n]
    fields = writing.say("comma").join(
        writing.say(
            "field", label=writing.labels.field(f), value=amount(row[f], evidence.types.get(f, "text"))
        )
        for f in told
    )
    cited: dict[str, None] = {}
    for f in told:
        cited |= dict.fromkeys(writing.cite(goal.id, [n], f))
    value: Value = row[told[0]] if len(told) == 1 else None
    statement = writing.say("row", key=head, fields=fields) if head else fields
    return Finding(statement, value, "", tuple(cited))


def _span(writing: Writing, goal: Goal, evidence: Evidence, measure: str, key: list[str]) -> Finding:
    kind = evidence.types.get(measure, "number")
    present = [
        (r[measure], n) for n, r in enumerate(evidence.rows) if isinstance(r.get(measure), int | float)
    ]
    if not present:
        return Finding(
            writing.say("records", what=writing.subject_of(goal), n=len(evidence.rows)),
            len(evidence.rows),
            "",
            writing.cite(goal.id, range(len(evidence.rows))),
        )
    low, high = min(present, key=_first), max(present, key=_first)
    statement = writing.say(
        "span", what=writing.subject_of(goal), n=len(evidence.rows), label=writing.labels.field(measure),
        low=amount(low[0], kind), high=amount(high[0], kind),
    )  # fmt: skip
    rows = [low[1], high[1]]
    ends = _ends(evidence, [n for _, n in present], key)
    if ends is not None:
        time, first, last = ends
        statement += writing.say(
            "span_ends", start=evidence.rows[first][time], first=amount(evidence.rows[first][measure], kind),
            end=evidence.rows[last][time], last=amount(evidence.rows[last][measure], kind),
        )  # fmt: skip
        rows += [first, last]
    return Finding(statement, None, unit_of(kind), writing.cite(goal.id, dict.fromkeys(rows), measure))


def _ends(evidence: Evidence, rows: list[int], key: list[str]) -> tuple[str, int, int] | None:
    """The time field and the first and last row of a series, where nothing but the time tells its rows apart."""
    varying = [k for k in key if len({evidence.rows[n].get(k) for n in rows}) > 1]
    if len(varying) != 1 or evidence.types.get(varying[0]) not in TIME_TYPES:
        return None
    ordered = sorted(rows, key=lambda n: str(evidence.rows[n].get(varying[0])))
    return varying[0], ordered[0], ordered[-1]


def _first(pair: tuple[Value, int]) -> float:
    return float(pair[0] or 0)
