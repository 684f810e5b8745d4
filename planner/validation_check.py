"""Judges one clause of a validation against data: pass, fail or unknown, what was measured, and why.

What cannot be measured is unknown (no rows to compare, a text where a number is needed); a column that is
not there fails `has_columns`, `has_fields`, `not_null` and `covers`, and leaves the others unknown. No rows:
`has_fields` and comparisons are unknown, `not_null` and `unique` hold, `covers` and `any` fail.
"""

from __future__ import annotations

from datetime import date

from planner.column_clauses import covers, has_columns, has_fields, not_null, unique
from planner.comparison import compare
from planner.judgement import Data, Judgement
from planner.validation_tree import (
    Any_,
    Between,
    Clause,
    Compare,
    Covers,
    Fresh,
    HasColumns,
    HasFields,
    In,
    Literal,
    NotNull,
    Rows,
    TypeIs,
    Unique,
)
from planner.value_clauses import any_row, every_row, fresh, type_is

__all__ = ["Data", "Judgement", "judge", "names_of"]


def names_of(clause: Clause) -> tuple[str, ...]:
    """The columns that a clause speaks of."""
    match clause:
        case HasColumns(names) | HasFields(names) | NotNull(names) | Unique(names):
            return names
        case Rows():
            return ()
        case Any_(test):
            return (test.name,)
        case _:
            return (clause.name,)


def judge(clause: Clause, data: Data, today: date) -> Judgement:
    """`today` is what `fresh` measures from."""
    match clause:
        case HasColumns(names):
            return has_columns(names, data)
        case HasFields(names):
            return has_fields(names, data)
        case NotNull(names):
            return not_null(names, data)
        case Unique(names):
            return unique(names, data)
        case Rows(operator, number):
            size = len(data.text) if data.kind == "text" else len(data.rows)
            unit = "characters" if data.kind == "text" else "rows"
            return Judgement(
                "rows", compare(size, operator, Literal("number", number)), size, f"{size} {unit}"
            )
        case Covers(name, values):
            return covers(name, values, data)
        case Compare():
            return every_row("compare", clause, data)
        case In():
            return every_row("in", clause, data)
        case Between():
            return every_row("between", clause, data)
        case Any_(test):
            return any_row(test, data)
        case TypeIs(name, type_name):
            return type_is(name, type_name, data)
        case Fresh(name, days):
            return fresh(name, days, data, today)
