"""Along time: the trend of a measure, and how two measures move together."""

from __future__ import annotations

from typing import Any

from adapters.base import Value
from adapters.dates import granularity, ordinal
from adapters.operand import DeriveError, Frame, Table, clean
from adapters.pairing import aggregate, match

__all__ = ["correlate", "trend"]

MIN_PAIRS = 3  # of two points any correlation is ±1


def trend(frame: Frame, by: tuple[str, ...]) -> Table:
    """One row a group of `by` (else of the dimensions that vary): first, last, slope, and value = last − first.

    The slope is the least-squares one, per period of the time's own grain (a month, a quarter, a day).
    Raises DeriveError without a time that varies.
    """
    import numpy as np

    times = [t for t in frame.times if frame.data[t].nunique() > 1]
    buckets = [b for b in by if b in times]
    if not times:
        raise DeriveError(f"trend needs at least two periods; {frame.step} holds {_periods(frame)}")
    time = buckets[0] if buckets else times[0]
    groups = [b for b in by if b != time] if by else []
    if not groups:
        groups = [
            d for d in frame.types if d not in frame.times and 1 < frame.data[d].nunique() < len(frame.data)
        ]
    table, _ = aggregate(frame, [*groups, time])
    table = table.dropna(subset=["measure", time])
    rows: list[dict[str, Value]] = []
    notes: list[str] = []
    parts: Any = table.groupby(groups, dropna=False, sort=False) if groups else [((), table)]
    for key, part in parts:
        ordered = part.sort_values(time)
        if len(ordered) < 2:
            notes.append(f"{' '.join(map(str, key)) or frame.step}: one period only, no trend")
            continue
        stamps = [str(t) for t in ordered[time]]
        grain = granularity(stamps[0]) or "date"
        x = [ordinal(t, grain) for t in stamps]
        y = ordered["measure"].to_numpy(dtype=float)
        slope = float(np.polyfit(np.array(x, dtype=float) - x[0], y, 1)[0])
        rows.append(
            {
                **dict(zip(groups, key, strict=True)),
                "value": clean(y[-1] - y[0], frame.type),
                "slope": clean(slope, "number"),
                "first": clean(y[0], frame.type),
                "last": clean(y[-1], frame.type),
            }
        )
        notes.append(
            f"{stamps[0]} … {stamps[-1]}, {len(stamps)} points, slope per {grain.replace('date', 'day')}"
        )
    if not rows:
        raise DeriveError(f"trend needs at least two periods; {frame.step} holds {_periods(frame)}")
    kind = "number" if frame.type == "integer" else frame.type
    types = {g: frame.types[g] for g in groups}
    return (
        rows,
        {**types, "value": frame.type, "slope": kind, "first": frame.type, "last": frame.type},
        sorted(set(notes)),
    )


def _periods(frame: Frame) -> str:
    if not frame.times:
        return "no field of a time type"
    return f"{frame.data[frame.times[0]].nunique()} of {frame.times[0]}"


def correlate(first: Frame, second: Frame, by: tuple[str, ...]) -> Table:
    """Pearson's r over the matched rows; value is r, None where a side does not vary. Raises DeriveError below three."""
    pairs = match(first, second, by or None, operation="correlate")
    data = pairs.data.dropna(subset=["left", "right"])
    n = len(data)
    if n < MIN_PAIRS:
        raise DeriveError(
            f"correlate needs at least {MIN_PAIRS} pairs of values; {first.step} and {second.step} have {n} in common"
        )
    notes = list(pairs.notes)
    r: Any = None
    if data["left"].nunique() > 1 and data["right"].nunique() > 1:
        r = clean(data["left"].corr(data["right"]), "number")
    else:
        notes.append("one of the measures does not vary, so there is no correlation")
    row: dict[str, Value] = {"value": r, "n": n, "r": r}
    return [row], {"value": "number", "n": "integer", "r": "number"}, notes
