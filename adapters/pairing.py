"""Puts two measures side by side: which row belongs to which.

Rows belong together when they agree on the dimensions that both sides have. A dimension on which the sides share no
value (product A here, B there) is what is being compared and so is not matched on; a time on which they share no
value but which runs in step (months of two years) is matched by position. What one side tells apart and the other
does not is added up first, or averaged for percentages.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from adapters.base import Value
from adapters.dates import GRANULARITIES, bucket, granularity, ordinal, time_after
from adapters.errors import FormatError
from adapters.operand import DeriveError, Frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Pairs", "aggregate", "match", "split"]


@dataclass(frozen=True, slots=True)
class Pairs:
    """`data` has the matched dimensions `keys`, and the columns left and right. The frames are kept for labels."""

    first: Frame
    second: Frame
    keys: dict[str, str]  # name → type
    data: pd.DataFrame
    notes: list[str] = field(default_factory=list)


def aggregate(frame: Frame, keys: list[str]) -> tuple[pd.DataFrame, bool]:
    """One row a combination of `keys`, column measure: the sum, the mean for percentages; NaN where all are. Also
    whether anything had to be put together. Combinations stay in the order in which they come."""
    import pandas as pd

    how = "mean" if frame.type == "percent" else "sum"
    values = frame.data["measure"]
    if not keys:
        total = values.mean() if how == "mean" else values.sum(min_count=1)
        return pd.DataFrame({"measure": [total]}), len(values) > 1
    groups = frame.data.groupby(keys, dropna=False, sort=False)["measure"]
    out = (groups.mean() if how == "mean" else groups.sum(min_count=1)).reset_index()
    return out, len(out) < len(values)


def match(first: Frame, second: Frame, by: tuple[str, ...] | None = None, *, operation: str) -> Pairs:
    """`by`: the dimensions to match on, () for totals, None for those that compare. Raises DeriveError when nothing matches."""
    for f in (first, second):
        if f.data.empty:
            raise DeriveError(f"{operation}: {f.step} has no rows")
    if first.step == second.step and by is None and len(first.data) == len(second.data):
        shared = {
            d: t for d, t in first.types.items() if d in second.types and first.data[d].equals(second.data[d])
        }
        if len(shared) == len(first.types):  # two measures of the same rows
            data = first.data[list(shared)].assign(left=first.data["measure"], right=second.data["measure"])
            return Pairs(first, second, shared, data)
    if by is not None:
        keys = {b: first.types[b] for b in by}
    else:
        first, second = _same_grain(first, second)
        keys, second = _comparable(first, second)
        scalar = _scalar(first, second)
        if scalar is not None:
            return scalar
    notes = []
    sides = []
    for f in (first, second):
        missing = [k for k in keys if k not in f.types]
        if missing:
            raise DeriveError(f"{operation}: {f.step} has no field {missing[0]!r} to match on")
        table, merged = aggregate(f, list(keys))
        if merged:
            over = ", ".join(d for d in f.types if d not in keys and f.data[d].nunique(dropna=False) > 1)
            how = "mean" if f.type == "percent" else "sum"
            notes.append(
                f"{f.step} {f.name}: {how} of {len(f.data)} rows" + (f" over {over}" if over else "")
            )
        sides.append(table)
    left, right = (s.rename(columns={"measure": n}) for s, n in zip(sides, ("left", "right"), strict=True))
    data = left.merge(right, on=list(keys), how="inner") if keys else left.join(right)
    if data.empty:
        raise DeriveError(
            f"{operation}: no row of {first.step} and {second.step} agrees on {', '.join(keys)}"
        )
    for f, side in ((first, left), (second, right)):
        if len(side) > len(data):
            notes.append(
                f"{len(side) - len(data)} of {len(side)} values of {f.step} {f.name} have no counterpart"
            )
    return Pairs(first, second, keys, data, notes)


def _scalar(first: Frame, second: Frame) -> Pairs | None:
    """A single value without dimensions (a total) goes with every row of the other side."""
    for one, many in ((second, first), (first, second)):
        if len(one.data) == 1 and not one.types and len(many.data) > 1:
            value = one.data["measure"].iloc[0]
            own, other = ("left", "right") if many is first else ("right", "left")
            data = many.data.rename(columns={"measure": own}).assign(**{other: value})
            return Pairs(first, second, dict(many.types), data)
    return None


def _same_grain(first: Frame, second: Frame) -> tuple[Frame, Frame]:
    """Where one side has months and the other quarters and no time is shared, the finer goes into the coarser."""
    if set(first.times) & set(second.times) or len(first.times) != 1 or len(second.times) != 1:
        return first, second
    a, b = first.times[0], second.times[0]
    grains = [_grain(f.data[t]) for f, t in ((first, a), (second, b))]
    if None in grains:
        return first, second
    fine = 0 if GRANULARITIES.index(str(grains[0])) > GRANULARITIES.index(str(grains[1])) else 1
    coarse = str(grains[1 - fine])
    frame, own, other = (first, a, b) if fine == 0 else (second, b, a)
    try:
        times = frame.data[own].map(lambda v: None if v is None else bucket(v, coarse))
    except FormatError:
        return first, second
    types = {(other if d == own else d): (coarse if d == own else t) for d, t in frame.types.items()}
    changed = replace(frame, data=frame.data.assign(**{own: times}).rename(columns={own: other}), types=types)
    return (changed, second) if fine == 0 else (first, changed)


def _grain(values: pd.Series[Any]) -> str | None:
    grains = {granularity(str(v)) for v in values if v is not None}
    return grains.pop() if len(grains) == 1 else None


def _comparable(first: Frame, second: Frame) -> tuple[dict[str, str], Frame]:
    """The shared dimensions without those on which the sides share no value, times in step shifted onto the first's."""
    kept = {}
    for key, kind in first.types.items():
        if key not in second.types:
            continue
        a, b = (list(dict.fromkeys(f.data[key])) for f in (first, second))
        if set(a) & set(b):
            kept[key] = kind
        elif key in first.times and (shift := _in_step(a, b)) is not None:
            kept[key] = kind
            second = replace(second, data=second.data.assign(**{key: second.data[key].map(shift)}))
    return kept, second


def _in_step(a: list[Any], b: list[Any]) -> dict[Any, Any] | None:
    """Second's time → first's, when both run over as many periods at the same distance; None otherwise."""
    if len(a) != len(b) or len(a) < 2 or None in a or None in b:
        return None
    a, b = sorted(map(str, a)), sorted(map(str, b))
    grain = granularity(a[0])
    if grain in (None, "datetime") or any(granularity(x) != grain for x in (*a, *b)):
        return None
    steps = ordinal(a[0], str(grain)) - ordinal(b[0], str(grain))
    in_step = all(time_after(y, str(grain), steps) == x for x, y in zip(a, b, strict=True))
    return dict(zip(b, a, strict=True)) if in_step else None


def split(frame: Frame, by: tuple[str, ...], *, operation: str) -> list[tuple[Frame, Frame, str]]:
    """One input holding what is compared: (first, second, the dimension that tells them apart).

    Two periods: the later is the first. Several periods: each with the one before it. No two periods: the one other
    dimension with two values, in the order of the rows; for growth, and where there is none, the periods named in
    `by`, else the dimension named in `by`. Two rows: just so. Raises DeriveError when it is not clear what to compare.
    """
    held = {d: list(dict.fromkeys(frame.data[d])) for d in frame.types}
    held = {d: v for d, v in held.items() if len(v) > 1}
    free = {d: v for d, v in held.items() if d not in by}
    two = [d for d, v in free.items() if len(v) == 2]
    clear = len(two) == 1 or (len(two) > 1 and len(frame.data) == 2)
    times = [d for d in frame.times if d in free]
    if not times and (operation == "growth" or not clear):
        times = [d for d in frame.times if d in held]
    if times:
        time = times[-1]
        periods = sorted((v for v in held[time] if v is not None), key=str)
        return [(_only(frame, time, x), _only(frame, time, y), time) for y, x in pairwise(periods)]
    if clear and len(frame.data) == 2:
        return [(_row(frame, 0), _row(frame, 1), two[0])]
    named = [d for d, v in held.items() if d in by and len(v) == 2]
    if clear or len(named) == 1:
        dimension = two[0] if clear else named[0]
        x, y = held[dimension]
        return [(_only(frame, dimension, x), _only(frame, dimension, y), dimension)]
    found = "; ".join(f"{len(v)} values of {d}" for d, v in held.items()) or f"{len(frame.data)} row"
    raise DeriveError(f"{operation} needs two values to compare; {frame.step} holds {found}")


def _only(frame: Frame, dimension: str, value: Value) -> Frame:
    return replace(frame, data=frame.data[frame.data[dimension] == value].reset_index(drop=True))


def _row(frame: Frame, n: int) -> Frame:
    return replace(frame, data=frame.data.iloc[n : n + 1].reset_index(drop=True))
