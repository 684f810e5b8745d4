"""The inputs of `derive`, `reconcile` and `report` as operands: evidence, and the one field of it that is meant."""

from __future__ import annotations

from dataclasses import replace

from adapters.derive import Operand
from executor.errors import InputError
from executor.inputs import check_column, check_row, evidence_of
from executor.state import ExecutionState, Goal
from planner.references import parse_reference

__all__ = ["operand", "operands"]


def operand(state: ExecutionState, goal: Goal, text: object) -> Operand:
    """An input of `derive` or `report`. The operand's step is the id of the goal that really gave the evidence.

    Raises InputError when `text` is no reference or the evidence lacks what it names.
    """
    reference = parse_reference(text) if isinstance(text, str) else None
    if reference is None:
        raise InputError(f"input {text!r} of {goal.id} is no reference such as {{{{g1.result}}}}")
    step, evidence = evidence_of(state, goal, reference)
    row, field = reference.row, reference.field
    if field is not None:
        check_column(evidence, reference, field)
    if row is not None:
        check_row(evidence, reference, row)
        evidence = replace(
            evidence, rows=evidence.rows[row : row + 1], locators=evidence.locators[row : row + 1]
        )
    return Operand(step, evidence, field)


def operands(state: ExecutionState, goal: Goal) -> list[Operand]:
    """All of the goal's `inputs`, in order."""
    given = goal.sub_goal.params.get("inputs") or []
    return [operand(state, goal, text) for text in (given if isinstance(given, list) else [given])]
