"""The tree of a parsed validation. Plain data: made by the grammar, printed by `validation_text`, judged by
`validation_check`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

__all__ = [
    "And",
    "Any_",
    "Between",
    "Clause",
    "Compare",
    "Covers",
    "Expression",
    "Fresh",
    "HasColumns",
    "HasFields",
    "In",
    "Literal",
    "Not",
    "NotNull",
    "Operator",
    "Or",
    "RowTest",
    "Rows",
    "TypeIs",
    "TypeName",
    "Unique",
]

Operator = OneOf["==", "!=", ">", ">=", "<", "<="]
TypeName = OneOf["number", "date", "month", "text", "bool"]


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as written. Percentages are numbers (5.2% is 0.052).

    time  a bare date, month or quarter, its canonical spelling in `value`
    text  quoted, or a bare word of a list
    """

    kind: OneOf["number", "time", "text", "bool", "null"]
    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class HasColumns:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HasFields:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotNull:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unique:
    """No two rows with the same combination of these fields."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    operator: Operator
    number: int | float


@dataclass(frozen=True, slots=True)
class Covers:
    name: str
    values: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    name: str
    operator: Operator
    literal: Literal


@dataclass(frozen=True, slots=True)
class In:
    name: str
    values: tuple[Literal, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Between:
    """Both ends inclusive."""

    name: str
    low: Literal
    high: Literal


RowTest = Compare | In | Between


@dataclass(frozen=True, slots=True)
class Any_:  # noqa: N801 - `any` in the language
    test: RowTest


@dataclass(frozen=True, slots=True)
class TypeIs:
    name: str
    type: TypeName


@dataclass(frozen=True, slots=True)
class Fresh:
    name: str
    days: int


Clause = (
    HasColumns | HasFields | NotNull | Unique | Rows | Covers | Compare | In | Between | Any_ | TypeIs | Fresh
)


@dataclass(frozen=True, slots=True)
class Not:
    part: Expression


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Expression, ...]


Expression = Clause | Not | And | Or
