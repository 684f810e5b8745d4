"""The line that writes a record, and the condition it waits for."""

from __future__ import annotations

from planner.compact.lines import Operand, WriteLine
from planner.encoder.decisions import Decisions
from planner.encoder.fetching import LIKELY, POSSIBLE, Fetched, stretches
from planner.encoder.labels import SIGNS
from planner.encoder.spots import shown_number
from planner.rules.lexicon import Table

__all__ = ["written"]


def written(d: Decisions, at: int, fetches: list[Fetched], *, conditional: bool) -> WriteLine | None:
    """None without a value to write, or without the condition that is wanted."""
    table = d.items.lexicon.tables[d.items.all[at].table]
    values: dict[str, str | Operand] = {}
    free = stretches(d)
    for (key, name), i in d.items.fields.items():
        if key == table.key and d.role("written", i) > LIKELY:
            value = _value(d, table, name, i, fetches, free)
            if value is not None:
                values[name] = value
    when = _condition(d, fetches) if conditional else None
    if not values or (conditional and when is None):
        return None
    return WriteLine(table.dataset.name, values, when)


def _value(
    d: Decisions, table: Table, name: str, at: int, fetches: list[Fetched], free: list[tuple[int, int]]
) -> str | Operand | None:
    if d.role("referenced", at) > LIKELY:
        for n, fetch in enumerate(fetches, 1):
            if name in fetch.table.fields:
                return Operand(n, name)
    f = table.fields[name]
    if f.values or f.type == "bool":
        listed = {v: i for (n, v), i in d.items.values.items() if n == name}
        best = max(listed, key=lambda v: d.role("written", listed[v]), default=None)
        return best if best is not None and d.role("written", listed[best]) > POSSIBLE else None
    able = [
        (float(d.pairs[s, at]), s)
        for s, spot in enumerate(d.reading.spots)
        if isinstance(spot.fills(f, sign="="), tuple)
    ]
    if able and max(able)[0] > POSSIBLE:
        made = d.reading.spots[max(able)[1]].fills(f, sign="=")
        return made[0] if isinstance(made, tuple) else None
    if f.type == "text" and free:
        a, b = free.pop(0)
        return d.question[a:b]
    return None


def _condition(d: Decisions, fetches: list[Fetched]) -> str | None:
    ranked = sorted(
        (
            (d.role("condition", i), n, f, name)
            for n, f in enumerate(fetches, 1)
            for (key, name), i in d.items.fields.items()
            if key == f.table.key
        ),
        key=lambda c: -c[0],
    )
    clauses = []
    for k, (p, n, f, name) in enumerate(ranked[:3]):
        if k == 0 or (p > LIKELY and d.flag("both")):
            clause = _clause(d, n, f, name)
            if clause:
                clauses.append(clause)
    return " and ".join(clauses) or None


def _clause(d: Decisions, number: int, fetch: Fetched, name: str) -> str | None:
    f = fetch.table.fields[name]
    at = d.items.fields[fetch.table.key, name]
    if f.values or f.type == "bool":
        listed = {v: i for (n, v), i in d.items.values.items() if n == name}
        if not listed:
            return None
        best = max(listed, key=lambda v: d.role("condition", listed[v]))
        shown = f'"{best}"' if any(c in best for c in ' ,()"') else best
        return f"{number}.{name}{'!=' if d.flag('negated') else '='}{shown}"
    able = [(float(d.pairs[s, at]), s) for s, spot in enumerate(d.reading.spots) if spot.number is not None]
    if not able:
        return None
    s = max(able)[1]
    spot = d.reading.spots[s]
    sign = spot.sign or SIGNS[int(d.signs[s].argmax())]
    return f"{number}.{name}{sign}{shown_number(spot.number or 0.0, f.type, percent=spot.percent)}"
