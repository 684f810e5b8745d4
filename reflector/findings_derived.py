"""What a computed step says, in words: who is higher by how much, who grew, what share, how two measures go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from adapters.base import Evidence, Value
from adapters.values import MEASURES
from executor.state import Goal
from reflector.decision import Finding
from reflector.findings_values import value_findings
from reflector.labels import amount, percent, points, unit_of
from reflector.sides import Sides, word_of
from reflector.tracing import operands, places, rows_behind
from reflector.widening import TIME_TYPES
from reflector.writing import Writing

__all__ = ["MAX_ROWS", "derived_findings"]

MAX_ROWS = 12
_OWN = frozenset({"value", "left", "right", "rank", "share", "count", "n", "r", "slope", "first", "last"})
# |r| from which a correlation is called strong or moderate: Evans (1996), "Straightforward Statistics"
_STRONG, _MODERATE = 0.6, 0.4
_FEW = 8
_SHORT = 2

Telling = Callable[[Writing, Goal, Evidence, int, str], Finding | None]


def derived_findings(writing: Writing, goal: Goal, evidence: Evidence) -> list[Finding]:
    """One finding a row, in the step's own order."""
    operation = str(goal.sub_goal.params.get("operation"))
    tell = _TELLING.get(operation)
    if tell is None or "value" not in evidence.columns:
        return value_findings(writing, goal, evidence)
    by = _by(evidence)
    out = []
    for n, row in enumerate(evidence.rows[:MAX_ROWS]):
        head = writing.labels.key(row, by, evidence.types)
        found = tell(writing, goal, evidence, n, head)
        if found is not None:
            out.append(replace(found, places=len(places(writing.state, goal.id, [n], "value"))))
    if operation == "count":
        out += _count_totals(writing, goal, evidence, by)
    return out


def _count_totals(writing: Writing, goal: Goal, evidence: Evidence, by: list[str]) -> list[Finding]:
    """The counts of several groups added up: of each period where that is told further apart, and of all."""
    if len(evidence.rows) < 2 or goal.sub_goal.params.get("top"):
        return []
    out = []
    times = [c for c in by if evidence.types.get(c) in TIME_TYPES or ":" in c]
    if len(by) > 1 and times:
        held = list(dict.fromkeys(r[times[0]] for r in evidence.rows if r.get(times[0]) is not None))
        for period in held if len(held) > 1 else []:
            rows = [n for n, r in enumerate(evidence.rows) if r.get(times[0]) == period]
            if len(rows) > 1:
                out.append(_count_total(writing, goal, evidence, rows, str(period)))
    return [*out, _count_total(writing, goal, evidence, list(range(len(evidence.rows))), "")]


def _count_total(writing: Writing, goal: Goal, evidence: Evidence, rows: list[int], of: str) -> Finding:
    total = sum(int(_number(evidence.rows[n], "value") or 0) for n in rows)
    statement = writing.say("count_total_of" if of else "count_total", of=of, value=amount(total, "integer"))
    behind = len(places(writing.state, goal.id, rows, "value"))
    return Finding(statement, total, "", writing.cite(goal.id, rows, "value"), behind)


def _by(evidence: Evidence) -> list[str]:
    """The columns that say which row it is."""
    return [c for c in evidence.columns if c not in _OWN and evidence.types.get(c, "text") not in MEASURES]


def _number(row: Mapping[str, Value], name: str) -> float | None:
    value = row.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _head(writing: Writing, head: str) -> str:
    if not head:
        return ""
    return f"{head} " if writing.language == "zh" else f"{head}: "


def _kind(evidence: Evidence, column: str = "value") -> str:
    return evidence.types.get(column, evidence.types.get("value", "number"))


def _difference(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str) -> Finding | None:
    row = evidence.rows[n]
    value, left, right = (_number(row, c) for c in ("value", "left", "right"))
    if value is None or left is None or right is None:
        return None
    sides = Sides.of(writing, goal, evidence, n)
    kind = sides.type or _kind(evidence)
    by = points(value, writing.language) if kind == "percent" else amount(abs(value), kind)
    phrase = "higher" if value > 0 else "lower" if value < 0 else "equal"
    statement = writing.say(
        phrase, head=_head(writing, head), label=sides.label, a=sides.names[0], b=sides.names[1],
        left=amount(left, kind), right=amount(right, kind), by=by,
    )  # fmt: skip
    return Finding(
        statement, row["value"], "pp" if kind == "percent" else "", writing.cite(goal.id, [n], "value")
    )


def _formula(sign: str) -> Telling:
    def tell(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str) -> Finding | None:
        row = evidence.rows[n]
        value, left, right = (_number(row, c) for c in ("value", "left", "right"))
        if value is None:
            return None
        sides, kind = Sides.of(writing, goal, evidence, n), _kind(evidence)
        shown = amount(value, kind)
        if sign == "÷" and kind != "percent" and 0 < abs(value) < 10:
            shown = f"{shown} ({percent(value)})"
        word = word_of(writing, goal)
        title = f"{word}{writing.say('colon')}" if word else ""
        statement = writing.say(
            "formula", head=title + _head(writing, head), a=sides.labels[0], b=sides.labels[1], sign=sign, value=shown,
            left=amount(left, sides.types[0]), right=amount(right, sides.types[1]),
        )  # fmt: skip
        return Finding(statement, row["value"], unit_of(kind), writing.cite(goal.id, [n], "value"))

    return tell


def _growth(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str) -> Finding | None:
    row = evidence.rows[n]
    value, left, right = (_number(row, c) for c in ("value", "left", "right"))
    if value is None or left is None or right is None:
        return None
    sides = Sides.of(writing, goal, evidence, n)
    kind = sides.type or "number"
    phrase = "grew" if value > 0 else "shrank" if value < 0 else "stayed"
    names = [f"（{s}）" if writing.language == "zh" else f" ({s})" for s in sides.names]
    statement = writing.say(
        phrase, head=_head(writing, head), label=sides.label, left=amount(left, kind), right=amount(right, kind),
        a=names[0] if sides.named else "", b=names[1] if sides.named else "", by=percent(value),
    )  # fmt: skip
    return Finding(statement.replace("） ", "）"), row["value"], "%", writing.cite(goal.id, [n], "value"))


def _share(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str) -> Finding | None:
    row = evidence.rows[n]
    share = _number(row, "share")
    if share is None:
        return None
    sides = Sides.of(writing, goal, evidence, n)
    statement = writing.say(
        "share", head=_head(writing, head), label=sides.label, value=amount(row["value"], sides.type or _kind(evidence)),
        share=percent(share),
    )  # fmt: skip
    return Finding(statement, share, "%", writing.cite(goal.id, [n], "value"))


def _rank(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str) -> Finding | None:
    row = evidence.rows[n]
    sides = Sides.of(writing, goal, evidence, n)
    kind = sides.type or _kind(evidence)
    rank = row.get("rank") or n + 1
    inner = _ranked(writing, goal, evidence, n)
    if len(evidence.rows) == 1 and not goal.sub_goal.params.get("top"):  # nothing to be ranked among
        statement = writing.say(
            "value_alone", label=_head(writing, head) + sides.label, value=amount(row["value"], kind)
        )
        statement = inner.statement if inner is not None else statement
    elif inner is not None:
        statement = writing.say("ranked", rank=rank, statement=inner.statement)
    else:
        statement = writing.say(
            "rank", rank=rank, head=_head(writing, head), label=sides.label, value=amount(row["value"], kind)
        )
    return Finding(statement, row["value"], unit_of(kind), writing.cite(goal.id, [n], "value"))


def _ranked(writing: Writing, goal: Goal, evidence: Evidence, n: int) -> Finding | None:
    """What the computed row that is ranked says itself, where it was computed."""
    for given in operands(writing.state, goal)[:1]:
        source = writing.state.goals[given.goal_id]
        tell = _TELLING.get(str(source.sub_goal.params.get("operation")))
        behind = rows_behind(goal, evidence, n, given, 0)
        if source.sub_goal.data_source != "derive" or tell is None or len(behind) != 1:
            continue
        head = writing.labels.key(given.evidence.rows[behind[0]], _by(given.evidence), given.evidence.types)
        return tell(writing, source, given.evidence, behind[0], head)
    return None


def _trend(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str) -> Finding | None:
    row = evidence.rows[n]
    first, last, slope = (_number(row, c) for c in ("first", "last", "slope"))
    if first is None or last is None:
        return None
    sides = Sides.of(writing, goal, evidence, n)
    kind = sides.type or _kind(evidence)
    lean = slope if slope is not None else last - first
    way = writing.say("rising" if lean > 0 else "falling" if lean < 0 else "flat")
    statement = writing.say(
        "trend",
        head=_head(writing, head),
        label=sides.label,
        first=amount(first, kind),
        last=amount(last, kind),
        way=way,
    )
    if slope:
        step = points(slope, writing.language) if kind == "percent" else amount(abs(slope), kind)
        sign = "+" if slope > 0 else "-"
        statement += writing.say("trend_slope", slope=f"{sign}{step}")
    return Finding(
        statement, row["value"], "pp" if kind == "percent" else "", writing.cite(goal.id, [n], "value")
    )


def _correlate(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str) -> Finding | None:
    row = evidence.rows[n]
    r = _number(row, "r")
    r = r if r is not None else _number(row, "value")
    count = int(_number(row, "n") or 0)
    sides = Sides.of(writing, goal, evidence, n)
    cited = writing.cite(goal.id, [n], "value")
    a, b = sides.labels
    if r is None:
        return Finding(writing.say("uncorrelated", a=a, b=b, n=count), None, "", cited)
    strength = "strong" if abs(r) >= _STRONG else "moderate" if abs(r) >= _MODERATE else "weak"
    statement = writing.say(
        "correlate", a=a, b=b, r=f"{r:.2f}", n=count, strength=writing.say(strength),
        way=writing.say("positive" if r >= 0 else "negative"),
    )  # fmt: skip
    statement = _head(writing, head) + statement + writing.say("few" if count < _FEW else "not_causal")
    return Finding(statement, r, "", cited)


def _aggregate(phrase: str) -> Telling:
    def tell(writing: Writing, goal: Goal, evidence: Evidence, n: int, head: str) -> Finding | None:
        row = evidence.rows[n]
        sides = Sides.of(writing, goal, evidence, n)
        kind = "integer" if phrase == "count" else sides.type or _kind(evidence)
        title = _head(writing, head)
        if phrase == "count":
            plain = " ".join(
                _plain(writing, c, row[c], evidence) for c in _by(evidence) if row.get(c) is not None
            )
            title = f"{plain or _counted(writing, goal)}{writing.say('colon')}"
        value = row["value"]
        if phrase == "count" and isinstance(value, float) and value.is_integer():
            value = int(value)
        statement = writing.say(phrase, head=title, label=sides.label, value=amount(value, kind))
        return Finding(statement, value, unit_of(kind), writing.cite(goal.id, [n], "value"))

    return tell


def _plain(writing: Writing, field: str, value: Value, evidence: Evidence) -> str:
    """A group's value by itself where it is a name; with its label where it is but a letter or a number."""
    labelled = writing.labels.value(field.partition(":")[0], value, evidence.types)
    return str(value) if isinstance(value, str) and len(value) > _SHORT and not value.isdigit() else labelled


def _counted(writing: Writing, goal: Goal) -> str:
    """What is counted: the title of the step whose rows are."""
    given = operands(writing.state, goal)
    return writing.subject_of(writing.state.goals[given[0].goal_id] if given else goal)


_TELLING: dict[str, Telling] = {
    "difference": _difference,
    "ratio": _formula("÷"),
    "product": _formula("×"),
    "growth": _growth,
    "share": _share,
    "rank": _rank,
    "trend": _trend,
    "correlate": _correlate,
    "sum": _aggregate("sum"),
    "mean": _aggregate("mean"),
    "min": _aggregate("min"),
    "max": _aggregate("max"),
    "count": _aggregate("count"),
}
