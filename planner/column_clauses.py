"""Clauses on whether columns are there and complete: has_columns, has_fields, not_null, unique, covers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.comparison import all_of, any_of, member, value_at
from planner.judgement import EXAMPLES, Data, Judgement, absent, columns_of, distinct, jsonable, no_column
from planner.validation_tree import Literal

__all__ = ["covers", "has_columns", "has_fields", "not_null", "unique"]


def has_columns(names: Sequence[str], data: Data) -> Judgement:
    present = columns_of(data)
    missing = [n for n in names if n not in present]
    detail = (
        f"missing: {', '.join(missing)}; present: {', '.join(map(str, present)) or 'none'}" if missing else ""
    )
    return Judgement("has_columns", not missing, {"missing": missing}, detail or f"all {len(names)} present")


def has_fields(names: Sequence[str], data: Data) -> Judgement:
    if not data.rows:
        return Judgement("has_fields", None, {"rows": 0, "empty": {}}, "there are no records")
    empty = {n: count for n in names if (count := sum(value_at(row, n) is None for row in data.rows))}
    detail = ", ".join(f"{n} is absent in {count} of {len(data.rows)} records" for n, count in empty.items())
    measured = {"rows": len(data.rows), "empty": empty}
    return Judgement("has_fields", not empty, measured, detail or f"present in all {len(data.rows)} records")


def not_null(names: Sequence[str], data: Data) -> Judgement:
    for name in names:
        if absent(name, data):
            return no_column(
                "not_null", name, False, {"rows": len(data.rows), "empty": {name: len(data.rows)}}
            )
    empty = {n: count for n in names if (count := sum(_is_empty(value_at(row, n)) for row in data.rows))}
    detail = ", ".join(f"{n} is empty in {count} of {len(data.rows)} rows" for n, count in empty.items())
    return Judgement(
        "not_null", not empty, {"rows": len(data.rows), "empty": empty}, detail or "no empty value"
    )


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def unique(names: Sequence[str], data: Data) -> Judgement:
    """A row without any of the fields is no duplicate: that is for `not_null` to say."""
    for name in names:
        if absent(name, data):
            return no_column("unique", name, None)
    seen: set[tuple[Any, ...]] = set()
    repeated: dict[tuple[Any, ...], list[Any]] = {}
    duplicates = 0
    for row in data.rows:
        values = [value_at(row, n) for n in names]
        if all(v is None for v in values):
            continue
        key = tuple(map(_identity, values))
        if key in seen:
            duplicates += 1
            repeated.setdefault(key, values)
        seen.add(key)
    examples = [jsonable(v) for v in list(repeated.values())[:EXAMPLES]]
    first = f"; first {', '.join(map(str, examples[0]))}" if examples else ""
    detail = f"{duplicates} duplicates{first}" if duplicates else "no duplicate"
    return Judgement("unique", not duplicates, {"duplicates": duplicates, "examples": examples}, detail)


def _identity(value: Any) -> Any:
    """Hashable; 1 and 1.0 are the same, 1 and True are not."""
    plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return value if plain else (type(value).__name__, repr(value))


def covers(name: str, values: Sequence[Literal], data: Data) -> Judgement:
    if absent(name, data):
        return no_column("covers", name, False, {"missing": [v.value for v in values], "unknown": []})
    present = distinct(value_at(row, name) for row in data.rows)
    held = [v for v in present if v is not None]  # an empty cell is not perhaps the value looked for
    found = [any_of(member(v, [x]) for v in (present if x.kind == "null" else held)) for x in values]
    missing = [x.value for x, f in zip(values, found, strict=True) if f is False]
    unknown = [x.value for x, f in zip(values, found, strict=True) if f is None]
    parts = [f"missing: {', '.join(map(str, missing))}"] if missing else []
    parts += [f"cannot be told: {', '.join(map(str, unknown))}"] if unknown else []
    measured = {"missing": missing, "unknown": unknown}
    return Judgement("covers", all_of(found), measured, "; ".join(parts) or f"all {len(values)} occur")
