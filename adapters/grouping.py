"""Within one measure: totals by group, ranks and shares."""

from __future__ import annotations

from dataclasses import replace

from adapters.base import Value
from adapters.operand import Frame, Table, clean
from adapters.pairing import aggregate

__all__ = ["pile", "rank", "share", "total"]


def pile(frames: list[Frame]) -> Frame:
    """Several inputs of one measure, one under another; the dimensions are those that all have."""
    import pandas as pd

    first = frames[0]
    types = {d: t for d, t in first.types.items() if all(d in f.types for f in frames)}
    columns = [*types, "measure"]
    data = pd.concat([f.data[columns].astype({"measure": "float64"}) for f in frames], ignore_index=True)
    return replace(first, step=" ".join(dict.fromkeys(f.step for f in frames)), data=data, types=types)


def total(frame: Frame, by: tuple[str, ...], operation: str) -> Table:
    """sum, mean, min, max or count of the measure in each group of `by`; over everything without."""
    import pandas as pd

    keys = list(by)
    values = frame.data["measure"]
    notes = []
    if frame.type == "percent" and operation in ("sum", "mean") and len(values) > 1:
        notes.append(f"{operation} of percentages, each with the same weight")
    if not keys:
        table = pd.DataFrame({"measure": [_reduce(values, operation)]})
    else:
        groups = frame.data.groupby(keys, dropna=False, sort=False)["measure"]
        table = groups.apply(lambda g: _reduce(g, operation)).reset_index(name="measure")
    kind = "integer" if operation == "count" else frame.type
    kind = "number" if operation == "mean" and kind == "integer" else kind
    rows: list[dict[str, Value]] = []
    for record in table.to_dict("records"):
        value = clean(record["measure"], kind)
        own: dict[str, Value] = {"count": value} if operation == "count" else {}
        rows.append({**{k: record[k] for k in keys}, "value": value, **own})
    types = {k: frame.types[k] for k in keys} | {"value": kind}
    return rows, types | ({"count": "integer"} if operation == "count" else {}), notes


def _reduce(values: object, operation: str) -> float:
    import pandas as pd

    series = pd.Series(values, dtype="float64")
    if operation == "sum":
        return float(series.sum(min_count=1))
    return float(getattr(series, operation)())


def _grouped(frame: Frame, by: tuple[str, ...]) -> tuple[list[str], list[dict[str, Value]], list[str]]:
    """Rows of the dimensions and value, without those that have none; put together when `by` says so."""
    keys = list(by) if by else frame.dimensions
    notes = []
    if by:
        table, merged = aggregate(frame, keys)
        if merged:
            how = "mean" if frame.type == "percent" else "sum"
            notes.append(f"{frame.name}: {how} by {', '.join(keys)}")
    else:
        table = frame.data
    present = table.dropna(subset=["measure"])
    if len(present) < len(table):
        notes.append(f"{len(table) - len(present)} of {len(table)} rows have no {frame.name}")
    rows: list[dict[str, Value]] = [
        {**{k: r[k] for k in keys}, "value": clean(r["measure"], frame.type)}
        for r in present.to_dict("records")
    ]
    return keys, rows, notes


def rank(frame: Frame, by: tuple[str, ...], order: str | None, top: int | None) -> Table:
    """By value, descending unless `order` is asc. Equal values share a rank (1, 2, 2, 4); `top` keeps ranks up to it."""
    import pandas as pd

    keys, rows, notes = _grouped(frame, by)
    values = pd.Series([r["value"] for r in rows], dtype="float64")
    ranks = values.rank(method="min", ascending=order == "asc").astype(int).tolist()
    ordered = sorted(
        ({**r, "rank": n} for r, n in zip(rows, ranks, strict=True)), key=lambda r: int(str(r["rank"]))
    )
    kept = [r for r in ordered if top is None or int(str(r["rank"])) <= top]
    return kept, {k: frame.types[k] for k in keys} | {"value": frame.type, "rank": "integer"}, notes


def share(frame: Frame, by: tuple[str, ...]) -> Table:
    """value is the measure, share its part of the total of all rows (None where that is 0), largest first."""
    keys, rows, notes = _grouped(frame, by)
    whole = sum(float(str(r["value"])) for r in rows)
    if not whole:
        notes.append(f"the total of {frame.name} is 0, so there are no shares")
    elif any(float(str(r["value"])) < 0 for r in rows):
        notes.append(f"{frame.name} has negative values; shares of such a total can mislead")
    if frame.type == "percent":
        notes.append(f"{frame.name} is a percentage; a share of a sum of percentages rarely means much")
    out = [{**r, "share": clean(float(str(r["value"])) / whole, "percent") if whole else None} for r in rows]
    out.sort(key=lambda r: -float(str(r["value"])))
    return out, {k: frame.types[k] for k in keys} | {"value": frame.type, "share": "percent"}, notes
