"""References to earlier steps become typed values when a step runs; none is ever spliced into a text.

`{{g1.result}}` is the whole evidence, `{{g1.result.field}}` a column of it, `{{g1.rows[0].field}}` one value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.base import Evidence, Value
from executor.dependencies import resolve
from executor.errors import InputError
from executor.state import ExecutionState, Goal
from planner.references import Reference, parse_reference

__all__ = ["check_column", "check_row", "evidence_of", "fill"]


def fill(state: ExecutionState, goal: Goal, params: Mapping[str, Any]) -> dict[str, Any]:
    """`filters` or `values` with their references resolved: one value, or the list of a column's distinct values.

    A whole result stands for its column of the same name as the key. Raises InputError when there is no value.
    """
    return {name: _fill(state, goal, value, name) for name, value in params.items()}


def _fill(state: ExecutionState, goal: Goal, value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        # a range has one value at each end
        return {k: _single(_fill(state, goal, v, name), f"{name}.{k}") for k, v in value.items()}
    if isinstance(value, list):
        out: list[Any] = []
        for part in value:
            found = _fill(state, goal, part, name)
            out += [f for f in (found if isinstance(found, list) else [found]) if f not in out]
        return out
    reference = parse_reference(value) if isinstance(value, str) else None
    return value if reference is None else _values(state, goal, reference, name)


def _single(value: Any, where: str) -> Any:
    if isinstance(value, list):
        raise InputError(f"{where} takes one value; the step it refers to gives {len(value)}")
    return value


def _values(state: ExecutionState, goal: Goal, reference: Reference, name: str) -> Value | list[Value]:
    _, evidence = evidence_of(state, goal, reference)
    row, field = reference.row, reference.field or name
    check_column(evidence, reference, field)
    if row is not None:
        check_row(evidence, reference, row)
        value = evidence.rows[row].get(field)
        if value is None:
            raise InputError(f"{reference}: the value is empty")
        return value
    distinct = list(dict.fromkeys(r[field] for r in evidence.rows if r.get(field) is not None))
    if not distinct:
        raise InputError(f"{reference}: {evidence.source} gave no value of {field}")
    return distinct[0] if len(distinct) == 1 else distinct


def evidence_of(state: ExecutionState, goal: Goal, reference: Reference) -> tuple[str, Evidence]:
    """The id of the goal that a reference means, and its evidence. Raises InputError when it has none."""
    actual = resolve(state, goal, reference.step)
    result = state.results.get(actual)
    if result is None or result.status != "success" or result.evidence is None:
        raise InputError(f"{reference}: step {actual} has no data")
    return actual, result.evidence


def check_column(evidence: Evidence, reference: Reference, field: str) -> None:
    """Raises InputError when the evidence lacks the column."""
    if field not in evidence.columns:
        raise InputError(
            f"{reference}: there is no {field} in {', '.join(evidence.columns) or 'an empty result'}"
        )


def check_row(evidence: Evidence, reference: Reference, row: int) -> None:
    """Raises InputError when the evidence has no row of that number, from 0."""
    if row >= len(evidence.rows):
        raise InputError(f"{reference}: there are only {len(evidence.rows)} rows")
