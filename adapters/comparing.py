"""Two measures against each other: difference, ratio, product, growth."""

from __future__ import annotations

from typing import Any

from adapters.base import Value
from adapters.operand import Frame, Table, clean
from adapters.pairing import Pairs, match, split
from adapters.values import show

__all__ = ["compare"]

SIGNS = {"difference": "−", "ratio": "÷", "product": "×", "growth": "→"}


def compare(operation: str, frames: list[Frame], by: tuple[str, ...]) -> tuple[Table, str]:
    """The table, with left and right beside value, and a line that says what was computed.

    Beyond its columns each row says in "left of" and "right of" which item stands on which side.

    ratio is first ÷ second, growth (first − second) ÷ second, both fractions; None where the second is 0.
    """
    two = len(frames) > 1
    apart = [(frames[0], frames[1], "")] if two else split(frames[0], by, operation=operation)
    rows: list[dict[str, Value]] = []
    notes: list[str] = []
    columns: dict[str, str] = {}
    kind = _type(operation, apart[0][0].type, apart[0][1].type)
    for first, second, dimension in apart:
        keys = tuple(b for b in by if b != dimension) if by else None
        pairs = match(_without(first, dimension), _without(second, dimension), keys, operation=operation)
        columns |= pairs.keys
        notes += [n for n in pairs.notes if n not in notes]
        period = first.data[dimension].iloc[0] if len(apart) > 1 or dimension in by else None
        for record in pairs.data.to_dict("records"):
            value = _compute(operation, record["left"], record["right"])
            row: dict[str, Value] = {k: record[k] for k in pairs.keys}
            if period is not None:
                row[dimension], columns[dimension] = period, first.types[dimension]
            row["left of"], row["right of"] = _side(first, pairs), _side(second, pairs)
            row["value"] = clean(value, kind)
            row["left"], row["right"] = clean(record["left"], first.type), clean(record["right"], second.type)
            if value is None and row["right"] == 0:
                notes.append(
                    f"{_label(row, pairs) or second.step}: the second value is 0, so there is no {operation}"
                )
            rows.append(row)
    types = {**columns, "value": kind, "left": apart[0][0].type, "right": apart[0][1].type}
    rows = [{c: r.get(c) for c in (*types, "left of", "right of")} for r in rows]
    return (rows, types, list(dict.fromkeys(notes))), _line(operation, apart, rows, types)


def _side(frame: Frame, pairs: Pairs) -> str:
    """What one side is of, beyond what the row says already: "A · 华东"."""
    fixed = frame.constant()
    return " · ".join(
        show(v, frame.types[d]) for d, v in fixed.items() if d not in pairs.keys and ":" not in d
    )


def _without(frame: Frame, dimension: str) -> Frame:
    from dataclasses import replace

    if not dimension:
        return frame
    return replace(frame, types={d: t for d, t in frame.types.items() if d != dimension})


def _type(operation: str, first: str, second: str) -> str:
    if operation in ("ratio", "growth"):
        return "percent"
    if operation == "difference":
        return first if first == second else "number"
    plain = [t for t in (first, second) if t != "percent"]
    if not plain:
        return "percent"
    return "money" if "money" in plain else plain[0] if len(plain) == 1 or plain[0] == plain[1] else "number"


def _compute(operation: str, left: Any, right: Any) -> float | None:
    if left != left or right != right:  # NaN: one side has no value
        return None
    if operation == "difference":
        return float(left - right)
    if operation == "product":
        return float(left * right)
    if right == 0:
        return None
    return float(left / right if operation == "ratio" else (left - right) / right)


def _label(row: dict[str, Value], pairs: Pairs) -> str:
    return " ".join(show(row[k], t) for k, t in pairs.keys.items())


def _line(
    operation: str, apart: list[tuple[Frame, Frame, str]], rows: list[dict[str, Value]], types: dict[str, str]
) -> str:
    """ "A 华东 2024-01 − B 华北 2024-01 return_rate = 1.4 pp"; for several rows, the first few."""
    first, second, _ = apart[0]
    names = first.name if first.name == second.name else ""
    sides = [" ".join(filter(None, (_words(f), "" if names else f.name))) for f in (first, second)]
    if operation == "growth":
        sides.reverse()  # from the baseline to the item asked about
    head = f" {SIGNS[operation]} ".join(sides) if len(apart) == 1 else f"{operation} by period"
    head = f"{head} {names}".strip()
    keys = [c for c in types if c not in ("value", "left", "right")]
    said = []
    for row in rows[:5]:
        key = " ".join(show(row[k], types[k]) for k in keys) if len(rows) > 1 else ""
        said.append(f"{key} {_shown(operation, row['value'], types['value'])}".strip())
    more = f"; … {len(rows)} rows" if len(rows) > 5 else ""
    return f"{head} = {'; '.join(said)}{more}"[:400]


def _words(frame: Frame) -> str:
    """The dimensions that are the same in all rows, and the span of a time that is not."""
    fixed, said = frame.constant(), []
    for d, kind in frame.types.items():
        if ":" in d:
            continue
        if d in fixed:
            said.append(show(fixed[d], kind))
        elif d in frame.times:
            stamps = sorted(str(v) for v in frame.data[d] if v is not None)
            said.append(f"{stamps[0]}…{stamps[-1]}" if stamps else "")
    return " ".join(filter(None, said))


def _shown(operation: str, value: Value, kind: str) -> str:
    if operation == "difference" and kind == "percent" and isinstance(value, float):
        return show(value, kind).replace("%", " pp")
    sign = "+" if operation == "growth" and isinstance(value, float) and value > 0 else ""
    return sign + show(value, kind)
