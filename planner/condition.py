"""The `when` of a sub-goal: an expression of the validation language over earlier results.

Names begin with a step's id: `g2.status == "已签收"`, `any(g1.category == "服务")`, `g3.value > 3`. As everywhere,
a comparison must hold for every row and is unknown on none; `g2.rows >= 1` is the number of rows of g2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from planner.comparison import all_of, any_of, negate
from planner.errors import ValidationSyntaxError
from planner.references import STEP
from planner.validation import Outcome, outcome_of
from planner.validation_check import Data, judge, names_of
from planner.validation_grammar import read
from planner.validation_text import show
from planner.validation_tree import And, Any_, Clause, Compare, Expression, Not, Or, Rows

__all__ = ["Condition", "parse_condition"]

_NAME = re.compile(rf"(?P<step>{STEP})\.(?P<field>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition; `str()` prints it."""

    tree: Expression

    def __str__(self) -> str:
        return show(self.tree)

    @property
    def steps(self) -> set[str]:
        """The ids of the steps that it reads."""
        return {step for step, _ in self.fields}

    @property
    def fields(self) -> set[tuple[str, str]]:
        """The (step, field) pairs that it reads, `rows` among them."""
        return {_split(name) for clause in _clauses(self.tree) for name in names_of(clause)}

    def check(self, results: Mapping[str, Data], today: str | None = None) -> Outcome:
        """`results` by step id; a step that is not there leaves its clauses unknown."""
        day = date.fromisoformat(today) if today else date.today()
        return outcome_of(_holds(self.tree, results, day))


def parse_condition(text: str) -> Condition:
    """Raises ValidationSyntaxError on what is not in the language, or names no step."""
    tree = read(text)
    for clause in _clauses(tree):
        names = names_of(clause)
        if not names:
            raise ValidationSyntaxError("rows of which step? write for example g1.rows >= 1")
        for name in names:
            if _NAME.fullmatch(name) is None:
                raise ValidationSyntaxError(f"{name} names no step; write for example g1.{name}")
        if len({_split(n)[0] for n in names}) > 1:
            raise ValidationSyntaxError(f"{show(clause)}: one clause reads one step; join two with AND")
    return Condition(tree)


def _split(name: str) -> tuple[str, str]:
    m = _NAME.fullmatch(name)
    assert m is not None  # parse_condition saw to it
    return m["step"], m["field"]


def _clauses(node: Expression) -> list[Clause]:
    match node:
        case Not(part):
            return _clauses(part)
        case And(parts) | Or(parts):
            return [c for p in parts for c in _clauses(p)]
    return [node]


def _holds(node: Expression, results: Mapping[str, Data], today: date) -> bool | None:
    match node:
        case Not(part):
            return negate(_holds(part, results, today))
        case And(parts):
            return all_of([_holds(p, results, today) for p in parts])
        case Or(parts):
            return any_of([_holds(p, results, today) for p in parts])
    step = _split(names_of(node)[0])[0]
    data = results.get(step)
    return None if data is None else judge(_on_step(node, data), data, today).holds


def _on_step(clause: Clause, data: Data) -> Clause:
    """The clause with bare field names, as the step's own data knows them."""
    changes: dict[str, Any]
    if isinstance(clause, Any_):
        test = clause.test
        return Any_(replace(test, name=_split(test.name)[1]))
    if isinstance(clause, Compare) and _split(clause.name)[1] == "rows" and "rows" not in data.columns:
        number = clause.literal.value
        if clause.literal.kind == "number" and isinstance(number, int | float):
            return Rows(clause.operator, number)
    if hasattr(clause, "names"):
        changes = {"names": tuple(_split(n)[1] for n in clause.names)}
    else:
        changes = {"name": _split(names_of(clause)[0])[1]}
    return replace(clause, **changes)
