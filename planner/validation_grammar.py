"""Reads the validation language: text → tree, by `validation.lark`.

The parser keeps its own stack and the tree is built as rules complete, so that no text, however nested, can
exhaust Python's. Raises ValidationSyntaxError only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from planner.errors import ValidationSyntaxError
from planner.periods import normal_time, read_time
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
    Operator,
    Or,
    Rows,
    RowTest,
    TypeIs,
    TypeName,
    Unique,
)

if TYPE_CHECKING:
    from lark import Lark, Token

__all__ = ["GRAMMAR", "MAX_LENGTH", "MAX_NESTING", "read"]

GRAMMAR = Path(__file__).with_name("validation.lark")
MAX_LENGTH = 2_000
MAX_NESTING = 32

_EXPECTED = {
    "NAME": "a name", "QUOTED": "quoted text", "OPERATOR": "== != > >= < <=", "NUMBER": "a number",
    "PERCENT": "a percentage", "DATE": "a date", "MONTH": "a month", "QUARTER": "a quarter", "WORD": "a word",
    "TRUE": "true", "FALSE": "false", "NULL": "null", "AGE": "an age such as 7d", "$END": "the end",
    "TYPE_NAME": "number, date, month, text or bool", "_SIZE": "rows", "_HAS_COLUMNS": "has_columns:",
    "_HAS_FIELDS": "has_fields:", "_NOT_NULL": "not_null:", "_UNIQUE": "unique:", "_COVERS": "covers:",
    "_ANY": "any(", "_TYPE": "type(", "_FRESH": "fresh(", "LSQB": "[", "RSQB": "]", "LPAR": "(", "RPAR": ")",
    "COLON": ":", "COMMA": ",", "_AT_MOST": "<=",
}  # fmt: skip
_CLAUSE_STARTS = {
    "_SIZE",
    "_HAS_COLUMNS",
    "_HAS_FIELDS",
    "_NOT_NULL",
    "_UNIQUE",
    "_COVERS",
    "_ANY",
    "_TYPE",
    "_FRESH",
}
_LITERALS = {"NUMBER", "PERCENT", "DATE", "MONTH", "QUARTER", "TRUE", "FALSE", "NULL"}


def read(text: str) -> Expression:
    """The tree of `text`. Raises ValidationSyntaxError with the place and what was expected there."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    if not isinstance(text, str):
        raise ValidationSyntaxError(f"a text is needed, not {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise ValidationSyntaxError(f"longer than {MAX_LENGTH:,} characters ({len(text):,})", MAX_LENGTH)
    if not text.strip():
        raise ValidationSyntaxError("empty; write for example rows >= 1")
    try:
        built = cast("_Built", _parser().parse(text))
    except UnexpectedToken as e:
        at_end = e.token.type == "$END"
        position = len(text) if at_end else int(e.token.start_pos or 0)
        found = "ends too early" if at_end else f"{_excerpt(str(e.token))} does not belong here"
        raise ValidationSyntaxError(
            f"{found}; expected {_expectation(e.accepts or e.expected)}", position
        ) from None
    except UnexpectedCharacters as e:
        position = int(e.pos_in_stream or 0)
        found = f"{_excerpt(text[position:])} cannot be read"
        raise ValidationSyntaxError(f"{found}; expected {_expectation(e.allowed or ())}", position) from None
    except UnexpectedInput as e:
        raise ValidationSyntaxError("cannot be read", int(e.pos_in_stream or 0)) from None
    return built.node


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Lark

    return Lark(
        GRAMMAR.read_text(encoding="utf-8"), parser="lalr", maybe_placeholders=False, transformer=_Builder()
    )


def _excerpt(text: str) -> str:
    words = text.split()
    start = words[0] if words else text[:1]
    return repr(start if len(start) <= 20 else start[:20] + "…")


def _expectation(terminals: object) -> str:
    names = set(cast("set[str]", terminals))
    out = []
    if names >= _CLAUSE_STARTS:
        out.append("a clause (has_columns: …, rows >= …, a == …)")
        names -= _CLAUSE_STARTS | {"NAME", "QUOTED", "_NOT", "LPAR"}
    if names >= _LITERALS:
        out.append("a value (a number, date, month, quarter, true, false, null or quoted text)")
        names -= _LITERALS | {"QUOTED", "WORD"}
    out += sorted(_EXPECTED.get(n, n.lstrip("_")) for n in names)
    return " or ".join(out)


@dataclass(frozen=True, slots=True)
class _Built:
    node: Expression
    depth: int = 0


class _Builder:
    """Called by the parser with a rule's parts as soon as the rule is complete."""

    def start(self, parts: list[_Built]) -> _Built:
        return parts[0]

    def disjunction(self, parts: list[_Built]) -> _Built:
        return (
            parts[0]
            if len(parts) == 1
            else _Built(Or(tuple(p.node for p in parts)), max(p.depth for p in parts))
        )

    def conjunction(self, parts: list[_Built]) -> _Built:
        return (
            parts[0]
            if len(parts) == 1
            else _Built(And(tuple(p.node for p in parts)), max(p.depth for p in parts))
        )

    def negation(self, parts: list[_Built]) -> _Built:
        return _Built(Not(parts[0].node), _deeper(parts[0]))

    def group(self, parts: list[_Built]) -> _Built:
        return _Built(parts[0].node, _deeper(parts[0]))

    def has_columns(self, parts: list[tuple[str, ...]]) -> _Built:
        return _Built(HasColumns(parts[0]))

    def has_fields(self, parts: list[tuple[str, ...]]) -> _Built:
        return _Built(HasFields(parts[0]))

    def not_null(self, parts: list[tuple[str, ...]]) -> _Built:
        return _Built(NotNull(parts[0]))

    def unique(self, parts: list[tuple[str, ...]]) -> _Built:
        return _Built(Unique(parts[0]))

    def size(self, parts: list[Token]) -> _Built:
        return _Built(Rows(_operator(parts[0]), _number(parts[1])))

    def covers(self, parts: list[object]) -> _Built:
        name, values = parts
        return _Built(Covers(cast("str", name), cast("tuple[Literal, ...]", values)))

    def compare(self, parts: list[object]) -> _Built:
        name, token, literal = cast("tuple[str, Token, Literal]", tuple(parts))
        operator = _operator(token)
        if literal.kind in ("null", "bool") and operator not in ("==", "!="):
            raise ValidationSyntaxError(
                f"{operator} needs an order; null, true and false have none", token.start_pos or 0
            )
        return _Built(Compare(name, operator, literal))

    def member(self, parts: list[object]) -> _Built:
        name, values = parts
        return _Built(In(cast("str", name), cast("tuple[Literal, ...]", values)))

    def not_member(self, parts: list[object]) -> _Built:
        name, values = parts
        return _Built(In(cast("str", name), cast("tuple[Literal, ...]", values), negated=True))

    def between(self, parts: list[object]) -> _Built:
        name, low, high = cast("tuple[str, Literal, Literal]", tuple(parts))
        if {low.kind, high.kind} & {"null", "bool"}:
            raise ValidationSyntaxError("between needs an order; null, true and false have none")
        return _Built(Between(name, low, high))

    def any(self, parts: list[_Built]) -> _Built:
        return _Built(Any_(cast("RowTest", parts[0].node)))

    def type_is(self, parts: list[str]) -> _Built:
        return _Built(TypeIs(parts[0], cast("TypeName", str(parts[1]).lower())))

    def fresh(self, parts: list[object]) -> _Built:
        name, age = cast("tuple[str, Token]", tuple(parts))
        days = str(age)[:-1].strip()
        if len(days) > 6:
            raise ValidationSyntaxError("an age of at most 999999d is needed", age.start_pos or 0)
        return _Built(Fresh(name, int(days)))

    def names(self, parts: list[str]) -> tuple[str, ...]:
        return tuple(parts)

    def name(self, parts: list[Token]) -> str:
        token = parts[0]
        name = _unquoted(token) if token.type == "QUOTED" else str(token)
        if not name.strip():
            raise ValidationSyntaxError("an empty name", token.start_pos or 0)
        return name

    def values(self, parts: list[Literal]) -> tuple[Literal, ...]:
        return tuple(parts)

    def word(self, parts: list[Token]) -> Literal:
        return Literal("text", str(parts[0]))

    def literal(self, parts: list[Token]) -> Literal:
        token = parts[0]
        match token.type:
            case "QUOTED":
                return Literal("text", _unquoted(token))
            case "NUMBER" | "PERCENT":
                return Literal("number", _number(token))
            case "TRUE" | "FALSE":
                return Literal("bool", token.type == "TRUE")
            case "NULL":
                return Literal("null", None)
        spelling = normal_time(str(token))
        if read_time(spelling) is None:
            raise ValidationSyntaxError(
                f"{spelling} is not in the calendar; quote it if it is text", token.start_pos or 0
            )
        return Literal("time", spelling)


def _deeper(built: _Built) -> int:
    if built.depth >= MAX_NESTING:
        raise ValidationSyntaxError(f"nested more than {MAX_NESTING} deep")
    return built.depth + 1


def _operator(token: Token) -> Operator:
    return cast("Operator", str(token))


def _number(token: Token) -> int | float:
    """5.2% gives 0.052 exactly as a person would write it, hence Decimal. Refuses what no float can hold."""
    text = str(token)
    percent = text.endswith("%")
    number = float(Decimal(text[:-1]).scaleb(-2)) if percent else float(text)
    if not math.isfinite(number):
        raise ValidationSyntaxError("a number too large", token.start_pos or 0)
    return number if percent or not text.lstrip("+-").isdigit() else int(text)


def _unquoted(token: Token) -> str:
    r"""Within quotes a backslash escapes a quote or itself; before anything else it stands for itself."""
    inner = str(token)[1:-1]
    out: list[str] = []
    escaped = False
    for c in inner:
        if escaped:
            out.append(c if c in "\\\"'" else "\\" + c)
            escaped = False
        elif c == "\\":
            escaped = True
        else:
            out.append(c)
    return "".join(out)
