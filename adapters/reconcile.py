"""One table out of several sources' tables of the same thing, by trust.

A number on which the sources agree within the tolerance keeps the most trusted one's value; beyond it, the mean
weighted by trust. Of texts and dates the most trusted one's stands. Used only by the reflector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.base import Evidence, Locator, Value
from adapters.operand import DeriveError, Operand, clean, column_type
from adapters.summary import summarise
from adapters.values import MEASURES, show

__all__ = ["differ", "reconcile"]

Row = Mapping[str, Value]


def differ(a: Value, b: Value, tolerance: float) -> bool:
    """Numbers: further apart than `tolerance` of the larger; anything else: not equal. None differs from nothing."""
    if a is None or b is None:
        return False
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) > tolerance * max(abs(a), abs(b)) + 1e-12
    return a != b


def reconcile(
    inputs: Sequence[Operand], weights: Sequence[float], tolerance: Mapping[str, float]
) -> Evidence:
    """The first input's rows and columns, each value reconciled with the others' rows of the same key.

    `weights` are the sources' trust, parallel to `inputs`; `tolerance` is relative, by field, 0 where absent.
    The notes say who said what. Raises DeriveError when no row of an input matches the first's.
    """
    if not inputs or len(inputs) != len(weights):
        raise DeriveError(
            f"reconcile has {len(inputs)} inputs and {len(weights)} weights; it needs as many of each"
        )
    first = inputs[0].evidence
    types = {c: column_type(first, c) for c in first.columns}
    order = sorted(range(len(inputs)), key=lambda i: -weights[i])
    keys = [_keys(first, o.evidence, types, o.step) for o in inputs[1:]]
    found = [_index(o.evidence, k, o.step) for o, k in zip(inputs[1:], keys, strict=True)]
    for o, k, index in zip(inputs[1:], keys, found, strict=True):
        if first.rows and index and not any(_key(r, k) in index for r in first.rows):
            raise DeriveError(f"reconcile: no row of {o.step} agrees with {inputs[0].step} on {', '.join(k)}")
    rows: list[dict[str, Value]] = []
    notes: list[str] = []
    for row in first.rows:
        said: list[Row | None] = [row, *(i.get(_key(row, k)) for i, k in zip(found, keys, strict=True))]
        out: dict[str, Value] = {}
        for name, kind in types.items():
            values = [(i, r[name]) for i in order if (r := said[i]) is not None and r.get(name) is not None]
            out[name], conflict = _settle(values, weights, kind, tolerance.get(name, 0.0))
            if conflict:
                stated = ", ".join(
                    f"{inputs[i].evidence.source} {show(v, kind)} ({weights[i]:g})" for i, v in values
                )
                label = " · ".join(
                    show(row[d], t) for d, t in types.items() if t not in MEASURES and d != name
                )
                notes.append(f"{label} {name}: {stated} → {show(out[name], kind)}".strip())
        rows.append(out)
    steps = tuple(o.step for o in inputs)
    return Evidence(
        kind=first.kind,
        source="derive",
        dataset="reconcile",
        columns=first.columns,
        rows=tuple(rows),
        locators=tuple({c: _place(c, r[c], types[c], steps) for c in first.columns} for r in rows),
        types=types,
        summary=summarise(rows, types),
        read_at=max((o.evidence.read_at for o in inputs), default=""),
        notes=tuple(notes),
    )


def _settle(
    values: list[tuple[int, Value]], weights: Sequence[float], kind: str, tolerance: float
) -> tuple[Value, bool]:
    """`values` from the most trusted on: (input, value). The value that stands, and whether there was a conflict."""
    if not values:
        return None, False
    best = values[0][1]
    if not any(differ(best, v, tolerance) for _, v in values[1:]):
        return best, False
    if kind not in MEASURES:
        return best, True
    numbers = [(weights[i], float(v)) for i, v in values if isinstance(v, int | float)]
    whole = sum(w for w, _ in numbers)
    mean = sum(w * v for w, v in numbers) / whole if whole > 0 else sum(v for _, v in numbers) / len(numbers)
    return (round(mean) if kind == "integer" else clean(mean, kind)), True


def _keys(first: Evidence, other: Evidence, types: Mapping[str, str], step: str) -> list[str]:
    """The shared dimensions, less those that are themselves stated facts: what can be dropped so that each row is still
    one of a kind and more rows meet (an order's status, where the order's number tells it)."""
    keys = [c for c in first.columns if c in other.columns and types[c] not in MEASURES]
    for name in reversed(keys[:]):
        fewer = [k for k in keys if k != name]
        if not fewer or not all(_unique(e.rows, fewer) for e in (first, other)):
            continue
        if _meeting(first.rows, other.rows, fewer) > _meeting(first.rows, other.rows, keys):
            keys = fewer
    return keys


def _key(row: Row, keys: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row.get(k) for k in keys)


def _unique(rows: Sequence[Row], keys: Sequence[str]) -> bool:
    return len({_key(r, keys) for r in rows}) == len(rows)


def _meeting(a: Sequence[Row], b: Sequence[Row], keys: Sequence[str]) -> int:
    return len({_key(r, keys) for r in a} & {_key(r, keys) for r in b})


def _index(evidence: Evidence, keys: Sequence[str], step: str) -> dict[tuple[Any, ...], Row]:
    if not _unique(evidence.rows, keys):
        raise DeriveError(f"reconcile: {step} has several rows for one {', '.join(keys) or 'key'}")
    return {_key(r, keys): r for r in evidence.rows}


def _place(name: str, value: Value, kind: str, steps: tuple[str, ...]) -> Locator:
    return Locator(
        kind="derived",
        source="derive",
        dataset="reconcile",
        field=name,
        text=show(value, kind),
        operation="reconcile",
        inputs=steps,
    )
