"""Where two sources differ: rows matched on the dataset's grain, measures compared with a tolerance, facts exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapters.base import Evidence, Value
from adapters.values import MEASURES
from planner.catalogue import Dataset

__all__ = ["Difference", "compare", "key_fields", "key_of", "one_row_a_key"]


@dataclass(frozen=True, slots=True)
class Difference:
    """`first` and `second` are row numbers. `relative` is |a - b| / max(|a|, |b|); None for a text or a date."""

    key: str
    field: str
    first: int
    second: int
    left: Value
    right: Value
    relative: float | None


def key_fields(columns: Sequence[str], types: Mapping[str, str], dataset: Dataset | None) -> list[str]:
    """The fields that say which row is meant: the grain where the rows have it, else all that is no measure."""
    if dataset is not None and dataset.grain and set(dataset.grain) <= set(columns):
        return list(dataset.grain)
    return [c for c in columns if types.get(c, "text") not in MEASURES]


def key_of(row: Mapping[str, Value], fields: Sequence[str]) -> str:
    """ "A · 华东 · 2024-01" """
    return " · ".join(str(row[f]) for f in fields if row.get(f) is not None)


def compare(
    a: Evidence, b: Evidence, dataset: Dataset | None, tolerance: Mapping[str, float], default: float
) -> list[Difference]:
    """All differences beyond the tolerance. Rows that only one of them has, or has twice, are not compared."""
    shared = [c for c in a.columns if c in b.columns]
    key = key_fields(shared, a.types, dataset)
    if not key:
        return []
    mine, theirs = _by_key(a, key), _by_key(b, key)
    out = []
    for name, i in mine.items():
        j = theirs.get(name)
        if i is None or j is None:
            continue
        for field in shared:
            if field in key:
                continue
            left, right = a.rows[i].get(field), b.rows[j].get(field)
            far, relative = _differ(left, right, tolerance.get(field, default))
            if far:
                out.append(Difference(name, field, i, j, left, right, relative))
    return out


def one_row_a_key(evidence: Evidence, dataset: Dataset | None) -> bool:
    """Does the key tell every row from the others? Without that, rows of two sources cannot be merged."""
    return None not in _by_key(evidence, key_fields(evidence.columns, evidence.types, dataset)).values()


def _by_key(evidence: Evidence, key: Sequence[str]) -> dict[str, int | None]:
    """Key → row number; None where several rows have it."""
    out: dict[str, int | None] = {}
    for n, row in enumerate(evidence.rows):
        name = key_of(row, key)
        out[name] = None if name in out else n
    return out


def _differ(left: Value, right: Value, tolerance: float) -> tuple[bool, float | None]:
    if left is None or right is None:
        return False, None  # one of them does not say
    if isinstance(left, int | float) and isinstance(right, int | float) and not isinstance(left, bool):
        largest = max(abs(left), abs(right))
        relative = abs(left - right) / largest if largest else 0.0
        return relative > tolerance, relative
    return str(left).strip().casefold() != str(right).strip().casefold(), None
