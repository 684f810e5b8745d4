"""Computes on earlier results: every figure of an answer that no source states comes from here, never from a model.

    difference ratio product growth   two measures (adapters.comparing)
    sum mean min max count rank share one measure in groups (adapters.grouping)
    trend correlate                   along time (adapters.series)
    join                              rows side by side (adapters.joining)

The result is a table of the `by` fields, `value` and the operation's own columns; docs/derive.md has them all.
"""

from __future__ import annotations

from collections.abc import Sequence

from adapters.base import Evidence, Locator, Value
from adapters.comparing import compare
from adapters.grouping import pile, rank, share, total
from adapters.joining import join
from adapters.operand import OWN, DeriveError, Frame, Operand, Table, bucketed, read_frame, unboxed
from adapters.series import correlate, trend
from adapters.summary import summarise
from adapters.values import show

__all__ = ["OPERATIONS", "DeriveError", "Operand", "derive"]

_TOTALS = ("sum", "mean", "min", "max", "count")
_COMPARISONS = ("difference", "ratio", "product", "growth")
OPERATIONS = (*_COMPARISONS, "share", "rank", "trend", "correlate", *_TOTALS, "join")


def derive(
    operation: str,
    inputs: Sequence[Operand],
    *,
    value: str | None = None,
    by: Sequence[str] = (),
    order: str | None = None,
    top: int | None = None,
) -> Evidence:
    """Raises DeriveError, in one line, when the inputs do not allow the operation."""
    if operation not in OPERATIONS:
        raise DeriveError(f"unknown operation {operation!r}; it is one of {', '.join(OPERATIONS)}")
    if not inputs:
        raise DeriveError(f"{operation} has no input")
    if order not in (None, "asc", "desc"):
        raise DeriveError(f"order is asc or desc, not {order!r}")
    groups = tuple(by)
    summary = ""
    if operation == "join":
        table = join(list(inputs), value, groups)
    elif operation in _COMPARISONS or operation == "correlate":
        if any(len(o.evidence.rows) == 1 and not _has(o, groups) for o in inputs):
            groups = ()  # a total, which goes with every row of the other side
        frames = _two(operation, list(inputs), value, groups)
        if operation == "correlate":
            table = correlate(frames[0], frames[1], groups)
        else:
            table, summary = _folded(operation, frames, groups)
    else:
        frames = [read_frame(o, value, groups, counting=operation == "count") for o in inputs]
        frame = pile(frames)
        if frame.data.empty and operation != "count":
            raise DeriveError(f"{operation}: {frame.step} has no rows")
        table = _one(operation, frame, groups, order, top)
    return _evidence(operation, inputs, _sorted(operation, table, groups, order, top), summary)


def _has(operand: Operand, by: tuple[str, ...]) -> bool:
    columns = operand.evidence.columns
    return all(b.partition(":")[0] in columns or bucketed(b, columns) for b in by)


def _two(operation: str, inputs: list[Operand], value: str | None, by: tuple[str, ...]) -> list[Frame]:
    """The frames to compare. One result of which two measures are meant becomes two."""
    if len(inputs) > 2 and operation != "product":
        raise DeriveError(f"{operation} takes one or two inputs, not {len(inputs)}")
    if operation == "correlate" and len(inputs) == 1:
        only = inputs[0]
        names = [c for c, t in only.evidence.types.items() if t in ("number", "money", "percent", "integer")]
        if len(names) != 2:
            raise DeriveError(f"correlate needs two measures; {only.step} has {', '.join(names) or 'none'}")
        inputs = [Operand(only.step, only.evidence, n) for n in names]
    if operation == "product" and len(inputs) == 1 and inputs[0].field is None and value is None:
        only = inputs[0]
        names = [c for c, t in only.evidence.types.items() if t in ("number", "money", "percent", "integer")]
        if len(names) == 2:
            inputs = [Operand(only.step, only.evidence, n) for n in names]
    return [read_frame(o, value, by) for o in inputs]


def _folded(operation: str, frames: list[Frame], by: tuple[str, ...]) -> tuple[Table, str]:
    """Left to right for a product of more than two."""
    table, summary = compare(operation, frames[:2], by)
    for more in frames[2:]:
        rows, types, notes = table
        e = _evidence(operation, [], (rows, types, notes), "")
        frame = read_frame(Operand(frames[0].step, e, "value"), None, by)
        table, summary = compare(operation, [frame, more], by)
        table = (table[0], table[1], [*notes, *table[2]])
    return table, summary


def _one(operation: str, frame: Frame, by: tuple[str, ...], order: str | None, top: int | None) -> Table:
    if operation == "rank":
        return rank(frame, by, order, top)
    if operation == "share":
        return share(frame, by)
    if operation == "trend":
        return trend(frame, by)
    return total(frame, by, operation)


def _sorted(operation: str, table: Table, by: tuple[str, ...], order: str | None, top: int | None) -> Table:
    """By value where `order` or `top` asks for it; counts and totals in time where they are by time, else descending."""
    rows, types, notes = table
    rows = [{c: unboxed(v) for c, v in r.items()} for r in rows]
    if operation == "rank":
        return rows, types, notes
    times = [
        b for b in by if b in types and (":" in b or types[b] in ("date", "month", "quarter", "datetime"))
    ]
    if order is not None or top is not None or (operation in _TOTALS and by and not times):
        sign = 1 if order == "asc" else -1
        rows = sorted(rows, key=lambda r: (r["value"] is None, sign * float(str(r["value"] or 0))))
    elif operation in _TOTALS and times:
        rows = sorted(rows, key=lambda r: [str(r[t]) for t in times])
    return rows[:top], types, notes


def _evidence(operation: str, inputs: Sequence[Operand], table: Table, summary: str) -> Evidence:
    rows, types, notes = table
    steps = tuple(dict.fromkeys(o.step for o in inputs))
    keys = [c for c in types if c != "value" and c not in OWN]

    def place(name: str, cell: Value, key: str) -> Locator:
        return Locator(
            kind="derived",
            source="derive",
            dataset=operation,
            field=name,
            text=show(cell, types[name]),
            row=key or None,
            operation=operation,
            inputs=steps,
        )

    locators = []
    for row in rows:
        key = " · ".join(show(row[k], types[k]) for k in keys)
        sides = {c: str(row.get(f"{c} of") or "") for c in ("left", "right")}
        locators.append({c: place(c, row[c], " · ".join(filter(None, (sides.get(c), key)))) for c in types})
    return Evidence(
        kind="table",
        source="derive",
        dataset=operation,
        columns=tuple(types),
        rows=tuple({c: row[c] for c in types} for row in rows),
        locators=tuple(locators),
        types=dict(types),
        summary=summary or f"{operation}: {summarise(rows, types)}",
        notes=tuple(notes),
    )
