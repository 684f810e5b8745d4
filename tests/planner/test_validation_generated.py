"""The validation language on generated input: printing and reading agree, any text is read or refused in one line,
and a check never depends on how an expression was written."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from planner.comparison import all_of, any_of, negate
from planner.condition import parse_condition
from planner.errors import ValidationSyntaxError
from planner.validation import Validation, Verdict, outcome_of, parse_validation
from planner.validation_grammar import MAX_LENGTH
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

TODAY = "2024-07-15"

names = st.sampled_from(
    [
        "a",
        "b",
        "c.d",
        "退货率",
        "7日",
        "order id",
        "rows",
        "not",
        "AND",
        "in",
        "type",
        "len",
        "x-y",
        'say "x"',
        "back\\slash",
        "it's",
    ]
) | st.text(min_size=1, max_size=6).filter(lambda s: s.strip() != "")
numbers = st.integers(-(10**12), 10**12) | st.floats(-1e300, 1e300, allow_nan=False)
times = st.sampled_from(["2024-01-15", "2024-02-29", "2024-01", "1999-12", "2024-Q1", "2023-Q4", "Q1", "Q4"])
texts = (
    st.text(max_size=8)
    | times
    | st.sampled_from(["x", "true", "null", "5", "5%", "\\", '\\"', "'", "]", ", "])
)
ordered = (
    numbers.map(lambda n: Literal("number", n))
    | times.map(lambda t: Literal("time", t))
    | texts.map(lambda t: Literal("text", t))
)
literals = ordered | st.sampled_from([Literal("bool", True), Literal("bool", False), Literal("null", None)])
lists = st.lists(literals, min_size=1, max_size=4).map(tuple)
name_lists = st.lists(names, min_size=1, max_size=3).map(tuple)
operators = st.sampled_from(["==", "!=", ">", ">=", "<", "<="])
row_tests = (
    st.builds(Compare, names, operators, ordered)
    | st.builds(Compare, names, st.sampled_from(["==", "!="]), literals)
    | st.builds(In, names, lists, st.booleans())
    | st.builds(Between, names, ordered, ordered)
)
clauses = (
    row_tests
    | st.builds(HasColumns, name_lists)
    | st.builds(HasFields, name_lists)
    | st.builds(NotNull, name_lists)
    | st.builds(Unique, name_lists)
    | st.builds(Rows, operators, numbers)
    | st.builds(Covers, names, lists)
    | st.builds(Any_, row_tests)
    | st.builds(TypeIs, names, st.sampled_from(["number", "date", "month", "text", "bool"]))
    | st.builds(Fresh, names, st.integers(0, 999_999))
)


def joined(kind: type[And] | type[Or], inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Two or three parts, none of the same kind: `a AND (b AND c)` is a tree of its own."""
    return st.lists(inner, min_size=2, max_size=3).map(lambda parts: kind(tuple(parts)))


expressions: st.SearchStrategy[Expression] = st.recursive(
    clauses, lambda inner: inner.map(Not) | joined(And, inner) | joined(Or, inner), max_leaves=6
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | times
    | st.sampled_from(["x", "5", "2024-01-15T10:00:00+08:00", "2024-02-30", ""])
    | st.text(max_size=4)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=3,
)
rows = st.lists(
    st.dictionaries(
        st.sampled_from(["a", "b", "c.d", "c", "退货率", "rows", "order id"]), values, max_size=4
    ),
    max_size=4,
)


class Data:
    """Generated rows as a validation sees them."""

    def __init__(self, rows: list[dict[str, Any]], kind: str, columns: tuple[str, ...]) -> None:
        self.rows, self.kind, self.columns = rows, kind, columns
        self.text = "退货 policy" if kind == "text" else ""


data_sets = st.builds(
    Data,
    rows,
    st.sampled_from(["table", "records", "text"]),
    st.sampled_from([(), ("a", "b"), ("a", "b", "c.d", "c")]),
)


@settings(max_examples=120, deadline=None)
@given(tree=expressions)
def test_what_is_printed_reads_back(tree: Expression) -> None:
    written = str(Validation(tree))
    if len(written) <= MAX_LENGTH:
        assert parse_validation(written).tree == tree


@settings(max_examples=120, deadline=None)
@given(tree=expressions, data=data_sets)
def test_a_check_always_ends_in_a_verdict_that_can_be_stored(tree: Expression, data: Data) -> None:
    verdict = Validation(tree).check(data, TODAY)
    stored = json.loads(json.dumps(verdict.to_dict(), allow_nan=True))
    assert str(Verdict.from_dict(stored)) == str(verdict)
    written = str(Validation(tree))
    if len(written) <= MAX_LENGTH:
        assert str(parse_validation(written).check(data, TODAY)) == str(verdict)


def holds(outcome: str) -> bool | None:
    return {"pass": True, "fail": False, "unknown": None}[outcome]


@settings(max_examples=80, deadline=None)
@given(parts=st.lists(clauses, min_size=2, max_size=3), data=data_sets)
def test_connectives_are_kleenes(parts: list[Expression], data: Data) -> None:
    single = [holds(Validation(p).check(data, TODAY).outcome) for p in parts]
    both, either = And(tuple(parts)), Or(tuple(parts))
    assert Validation(both).check(data, TODAY).outcome == outcome_of(all_of(single))
    assert Validation(either).check(data, TODAY).outcome == outcome_of(any_of(single))
    assert Validation(Not(both)).check(data, TODAY).outcome == outcome_of(negate(all_of(single)))
    turned = Or(tuple(Not(p) for p in parts))  # De Morgan
    assert Validation(Not(both)).check(data, TODAY) == Validation(turned).check(data, TODAY) or any(
        "nan" in repr(r) for r in data.rows
    )


@settings(max_examples=80, deadline=None)
@given(parts=st.lists(clauses, min_size=1, max_size=3), data=data_sets)
def test_clauses_explain_the_outcome(parts: list[Expression], data: Data) -> None:
    """A failed conjunction has a failed clause, also under NOT; a passed one has none."""
    for tree in (And(tuple(parts)), Not(Or(tuple(parts)))):
        verdict = Validation(tree).check(data, TODAY)
        assert (verdict.outcome == "fail") == bool(verdict.failed())
        assert len(verdict.clauses) == len(parts)


PIECES = [
    "has_columns:", "has_field:", "not_null:", "unique:", "covers:", "rows", "len(data)", "any(", "type(", "fresh(",
    ")", "(", "[", "]", ",", ">=", "==", "!=", "<", "AND", "or", "Not", "in", "not in", "between", "is", "date", "7d",
    "a", "a.b", "华东", "'x'", '"y"', "'", '"', "\\", "5.2%", "2024-01", "2024-13", "Q1", "2024-01-15", "null", "true",
    "1e999", "1e9999999999", "%", ":", "：", ".", "-", "\x00", "\n", "g1.a", "g2.rows",
]  # fmt: skip
texts_near_the_language = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=25).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(max_size=80)
    | texts_near_the_language
    | texts_near_the_language.map(lambda t: t.replace(" ", ""))
)
@example("(" * 2_000)
@example("not " * 500)
@example("a in [" + "x," * 990)
@example("\ud800")
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for parse in (parse_validation, parse_condition):
        try:
            found = parse(text)
        except ValidationSyntaxError as e:
            refused = e
        else:
            assert parse(str(found)) == found
            continue
        assert "\n" not in str(refused)
        assert len(str(refused)) < 500
        assert 0 <= refused.position <= max(len(text), 0)
