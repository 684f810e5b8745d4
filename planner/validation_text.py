"""Prints a validation's tree in the language it was read from; reading it again gives the same tree."""

from __future__ import annotations

import re
from collections.abc import Iterable

from planner.validation_tree import (
    And,
    Any_,
    Between,
    Compare,
    Covers,
    Expression,
    Fresh,
    HasColumns,
    HasFields,
    In,
    Literal,
    Not,
    NotNull,
    Or,
    Rows,
    TypeIs,
    Unique,
)

__all__ = ["show", "show_name"]

_BARE = re.compile(r"(?=[\w.]*[^\W\d])\w+(?:\.\w+)*")
_RESERVED = {"and", "or", "not", "in", "is", "between", "rows"}


def show(node: Expression) -> str:
    """The text of `node`."""
    match node:
        case HasColumns(names):
            return f"has_columns: {_names(names)}"
        case HasFields(names):
            return f"has_fields: {_names(names)}"
        case NotNull(names):
            return f"not_null: {_names(names)}"
        case Unique(names):
            return f"unique: {_names(names)}"
        case Rows(operator, number):
            return f"rows {operator} {number!r}"
        case Covers(name, values):
            return f"covers: {show_name(name)} {_values(values)}"
        case Compare(name, operator, literal):
            return f"{show_name(name)} {operator} {_literal(literal)}"
        case In(name, values, negated):
            return f"{show_name(name)} {'not in' if negated else 'in'} {_values(values)}"
        case Between(name, low, high):
            return f"{show_name(name)} between {_literal(low)} and {_literal(high)}"
        case Any_(test):
            return f"any({show(test)})"
        case TypeIs(name, type_name):
            return f"type({show_name(name)}) is {type_name}"
        case Fresh(name, days):
            return f"fresh({show_name(name)}) <= {days}d"
        case Not(part):
            return f"NOT ({show(part)})" if isinstance(part, And | Or) else f"NOT {show(part)}"
        case And(parts):
            return " AND ".join(f"({show(p)})" if isinstance(p, And | Or) else show(p) for p in parts)
        case Or(parts):
            return " OR ".join(f"({show(p)})" if isinstance(p, Or) else show(p) for p in parts)


def show_name(name: str) -> str:
    """The name, bare where it can stand so, else quoted."""
    return name if _BARE.fullmatch(name) and name.lower() not in _RESERVED else _quoted(name)


def _names(names: Iterable[str]) -> str:
    return f"[{', '.join(map(show_name, names))}]"


def _values(values: Iterable[Literal]) -> str:
    return f"[{', '.join(map(_literal, values))}]"


def _literal(literal: Literal) -> str:
    match literal.kind:
        case "null":
            return "null"
        case "bool":
            return "true" if literal.value else "false"
        case "text":
            return _quoted(str(literal.value))
        case "time":
            return str(literal.value)
        case "number":
            return repr(literal.value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
