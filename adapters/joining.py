"""Rows of several results side by side, matched on the dimensions that they share."""

from __future__ import annotations

from typing import Any

from adapters.base import Value
from adapters.operand import DeriveError, Operand, Table, column_type, unboxed
from adapters.values import MEASURES

__all__ = ["MAX_JOINED", "join"]

MAX_JOINED = 100_000


def join(operands: list[Operand], value: str | None, by: tuple[str, ...]) -> Table:
    """Every pair of rows that agree on `by`, else on the shared dimensions that have a value in common.

    Columns of the same name that are not matched on get the step's id: "revenue (g2)". `value` repeats the measure
    that is named, else the first input's only one. Raises DeriveError when nothing matches.
    """
    import pandas as pd

    if len(operands) < 2:
        raise DeriveError("join needs at least two inputs")
    tables, kinds = [], []
    for o in operands:
        columns = [
            c
            for c in o.evidence.columns
            if o.field is None or c == o.field or column_type(o.evidence, c) not in MEASURES
        ]
        tables.append(
            pd.DataFrame(
                [[r.get(c) for c in columns] for r in o.evidence.rows], columns=columns, dtype="object"
            )
        )
        kinds.append({c: column_type(o.evidence, c) for c in columns})
    joined, types, notes = tables[0], dict(kinds[0]), []
    for o, table, kind in zip(operands[1:], tables[1:], kinds[1:], strict=True):
        keys = _keys(joined, table, types, kind, by, o.step)
        clash = {c: f"{c} ({o.step})" for c in table.columns if c in types and c not in keys}
        before = len(joined), len(table)
        if len(joined) * len(table) > MAX_JOINED**2:
            raise DeriveError(f"join of {before[0]} and {before[1]} rows is too large; narrow the filters")
        joined = joined.merge(table.rename(columns=clash), on=keys, how="inner")
        types |= {clash.get(c, c): t for c, t in kind.items() if c not in keys}
        if joined.empty:
            raise DeriveError(f"join: no row of {o.step} agrees on {', '.join(keys)} with the others")
        if len(joined) > MAX_JOINED:
            raise DeriveError(f"join gives more than {MAX_JOINED} rows; narrow the filters")
        if len(joined) < max(before):
            notes.append(
                f"{o.step}: {before[0]} and {before[1]} rows gave {len(joined)} that match on {', '.join(keys)}"
            )
    rows: list[dict[str, Value]] = [
        {str(c): unboxed(v) for c, v in r.items()} for r in joined.to_dict("records")
    ]
    measured = value or operands[0].field or next((c for c, t in kinds[0].items() if t in MEASURES), None)
    if measured in types and "value" not in types:
        rows = [{**r, "value": r[measured]} for r in rows]
        types["value"] = types[measured]
    return rows, types, notes


def _keys(
    left: Any, right: Any, types: dict[str, str], kind: dict[str, str], by: tuple[str, ...], step: str
) -> list[str]:
    if by:
        missing = [b for b in by if b not in left.columns or b not in right.columns]
        if missing:
            raise DeriveError(f"join: {missing[0]!r} is not a field of every input")
        return list(by)
    shared = [
        c for c in left.columns if c in right.columns and types[c] not in MEASURES and kind[c] not in MEASURES
    ]
    common = [c for c in shared if set(left[c]) & set(right[c])]
    if not common:
        raise DeriveError(
            f"join: {step} has no value in common with the others on {', '.join(shared) or 'any field'}"
        )
    return common
