"""What is in the validation language and what is not."""

from __future__ import annotations

import pytest

from planner.errors import ValidationSyntaxError
from planner.validation_grammar import read
from planner.validation_text import show
from planner.validation_tree import (
    And,
    Any_,
    Between,
    Compare,
    Covers,
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


def number(value: float) -> Literal:
    return Literal("number", value)


def text(value: str) -> Literal:
    return Literal("text", value)


def time(value: str) -> Literal:
    return Literal("time", value)


QUARTERS = tuple(time(f"2023-Q{n}") for n in (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("written", "tree"),
    [
        # the design's own strings
        (
            "has_columns: [product, region, month, return_rate]",
            HasColumns(("product", "region", "month", "return_rate")),
        ),
        (
            "has_field: change_date AND change_date >= 2024-01-01",
            And((HasFields(("change_date",)), Compare("change_date", ">=", time("2024-01-01")))),
        ),
        (
            'has_column: "quarter" AND quarter in ["Q1", "Q2", "Q3", "Q4"]',
            And((HasColumns(("quarter",)), In("quarter", tuple(map(text, ("Q1", "Q2", "Q3", "Q4")))))),
        ),
        (
            "has_columns: [quarter, repurchase_rate] AND "
            "covers: quarter [2023-Q1, 2023-Q2, 2023-Q3, 2023-Q4]",
            And((HasColumns(("quarter", "repurchase_rate")), Covers("quarter", QUARTERS))),
        ),
        ("len(data) > 100", Rows(">", 100)),
        (
            'NOT (status == "closed" OR rows < 3) AND type(change_date) is date',
            And(
                (
                    Not(Or((Compare("status", "==", text("closed")), Rows("<", 3)))),
                    TypeIs("change_date", "date"),
                )
            ),
        ),
        # the table, form by form
        ("has_column: a", HasColumns(("a",))),
        ("has_field: a.b", HasFields(("a.b",))),
        ("has_fields: [a, b.c]", HasFields(("a", "b.c"))),
        ("not_null: [a, b]", NotNull(("a", "b"))),
        ("unique: [a]", Unique(("a",))),
        ("unique: a", Unique(("a",))),
        ("rows >= 10", Rows(">=", 10)),
        ("len ( data ) != 0", Rows("!=", 0)),
        ("covers: month [2024-01, 2024-02]", Covers("month", (time("2024-01"), time("2024-02")))),
        ("a != 3", Compare("a", "!=", number(3))),
        ("a < -3.5e2", Compare("a", "<", number(-350.0))),
        ("a not in [Q1, x]", In("a", (time("Q1"), text("x")), negated=True)),
        (
            "a between 1 and 5 AND b == 2",
            And((Between("a", number(1), number(5)), Compare("b", "==", number(2)))),
        ),
        ('any(a == "x")', Any_(Compare("a", "==", text("x")))),
        ("any(a in [x])", Any_(In("a", (text("x"),)))),
        ("any(rows > 1)", Any_(Compare("rows", ">", number(1)))),  # only a whole clause counts rows
        ("type(a) is bool", TypeIs("a", "bool")),
        ("fresh(a) <= 7d", Fresh("a", 7)),
        # literals
        ("a == 5.2%", Compare("a", "==", number(0.052))),
        ("a == -0.1%", Compare("a", "==", number(-0.001))),
        ("a >= 2024-01", Compare("a", ">=", time("2024-01"))),
        ("a == 2024q1", Compare("a", "==", time("2024-Q1"))),
        ("a == q1", Compare("a", "==", time("Q1"))),
        ("a == true", Compare("a", "==", Literal("bool", True))),
        ("a != NULL", Compare("a", "!=", Literal("null", None))),
        (r'a == "say \"hi\" \\ C:\new"', Compare("a", "==", text(r'say "hi" \ C:\new'))),
        ("a == '5'", Compare("a", "==", text("5"))),
        (
            "a in [线上, in_progress, V2.3.1, 3C, A/B, 5%, 1.5, true, 2024-01, U123, 12-B, and]",
            In(
                "a",
                (
                    *map(text, ("线上", "in_progress", "V2.3.1", "3C", "A/B")),
                    number(0.05),
                    number(1.5),
                    Literal("bool", True),
                    time("2024-01"),
                    *map(text, ("U123", "12-B", "and")),
                ),
            ),
        ),
        # names
        ("退货率 <= 5%", Compare("退货率", "<=", number(0.05))),
        ("7日退货率 > 0", Compare("7日退货率", ">", number(0))),
        ("'order id' == \"x\"", Compare("order id", "==", text("x"))),
        ('type == "x" AND any != "y" AND len > 3 AND fresh == true', None),
        ("notes != null AND order_id != null AND android == 1 AND rows_left > 2", None),
        ('"rows" >= 10', Compare("rows", ">=", number(10))),
        ("has_columns: [rows, not, in, true]", HasColumns(("rows", "not", "in", "true"))),
        # precedence, keywords in any case, space
        (
            "a == 1 or b == 2 And not c == 3",
            Or(
                (
                    Compare("a", "==", number(1)),
                    And((Compare("b", "==", number(2)), Not(Compare("c", "==", number(3))))),
                )
            ),
        ),
        ("NOT NOT rows > 1", Not(Not(Rows(">", 1)))),
        ("HAS_COLUMNS : [ a ,b ]\n AND\tROWS>=1", And((HasColumns(("a", "b")), Rows(">=", 1)))),
        ("Type(a) IS Number", TypeIs("a", "number")),
        ("(a==1)AND(b==2)", And((Compare("a", "==", number(1)), Compare("b", "==", number(2))))),
    ],
)
def test_reads(written: str, tree: object) -> None:
    found = read(written)
    if tree is not None:
        assert found == tree
    assert read(show(found)) == found


@pytest.mark.parametrize(
    ("written", "position", "says"),
    [
        ("", 0, "empty"),
        (" \n ", 0, "empty"),
        ("the return rate should be there", 4, "does not belong"),
        ("应当有退货率", 6, "ends too early"),
        ("a == closed", 5, "quoted text"),
        ("a = 3", 2, "=="),
        ("rows", 4, "ends too early"),
        ("rows >= x", 8, "a number"),
        ("rows >= 5%", 8, "a number"),
        ("rows >= 1 AND", 13, "a clause"),
        ("rows >= 1 rows < 3", 10, "does not belong"),
        ("has_columns: []", 14, "a name"),
        ("has_columns [a]", 12, "does not belong"),
        ("has_columns：[a]", 11, "does not belong"),
        ("has_columns: [a b]", 16, ","),
        ('has_columns: [""]', 14, "empty name"),
        ("covers: month", 13, "["),
        ("covers: month []", 15, "a value"),
        ("len(rows) > 3", 3, "does not belong"),
        ("sum(a) > 3", 3, "does not belong"),
        ("any(a == 1 AND b == 2)", 11, "does not belong"),
        ("type(a) is banana", 11, "number, date, month, text or bool"),
        ("type(a) == date", 8, "IS"),
        ("fresh(a) <= 7", 12, "an age"),
        ("fresh(a) <= 9999999d", 12, "999999d"),
        ("fresh(a) >= 7d", 9, "<="),
        ("a between 1", 11, "AND"),
        ("a between null and 3", 0, "order"),
        ("a > null", 2, "order"),
        ("a <= true", 2, "order"),
        ("a == 2024-02-30", 5, "calendar"),
        ("a == 2024-13", 5, "calendar"),
        ("a in [2024-13]", 6, "calendar"),
        ("a in 3", 5, "["),
        ("a in [x, 'y]", 9, "cannot be read"),
        ("(a == 1", 7, ")"),
        ("a == 1)", 6, "does not belong"),
        ("a == 1; b", 5, "a value"),
        ("rows > 1e999", 7, "too large"),
        ("rows > 1e99999999999999999999", 7, "too large"),
        ("rows > " + "9" * 400, 7, "too large"),
        ("__import__('os').system('x')", 10, "does not belong"),
        ("a == \x00", 5, "a value"),
        ("a == \ud800", 5, "a value"),
    ],
)
def test_refuses(written: str, position: int, says: str) -> None:
    with pytest.raises(ValidationSyntaxError) as e:
        read(written)
    assert e.value.position == position, e.value
    assert says in str(e.value)
    assert "\n" not in str(e.value)
    assert str(e.value).startswith(f"at character {position + 1}: ")
    assert len(str(e.value)) < 400


@pytest.mark.parametrize(
    "hostile",
    [
        "x" * 10_000,
        "(" * 5_000 + "a == 1" + ")" * 5_000,
        "(" * 1_999,
        "(" * 900 + "a == 1" + ")" * 900,
        "NOT " * 490 + "a == 1",
        "any(" * 400,
        "[" * 1_999,
        "'" * 1_999,
        '"' + "\\" * 1_990,
        "\\" * 2_000,
        "a == 1 AND " * 10_000,
        "a in [" + "1" * 1_990,
        "%s%n" * 400,
    ],
)
def test_hostile_text_gets_one_line(hostile: str) -> None:
    with pytest.raises(ValidationSyntaxError) as e:
        read(hostile)
    assert len(str(e.value)) < 400
    assert "\n" not in str(e.value)


def test_limits_are_met_exactly() -> None:
    clause = "a == 1"
    assert read(clause + " " * (2_000 - len(clause)))
    with pytest.raises(ValidationSyntaxError, match=r"2,000 characters \(2,001\)"):
        read(clause + " " * (2_001 - len(clause)))
    assert read("(" * 32 + clause + ")" * 32)
    with pytest.raises(ValidationSyntaxError, match="32 deep"):
        read("(" * 33 + clause + ")" * 33)
    assert read("NOT " * 32 + clause)
    with pytest.raises(ValidationSyntaxError, match="32 deep"):
        read("NOT (" * 17 + clause + ")" * 17)
    assert read(" AND ".join(["rows>1"] * 180))  # wide is not deep


@pytest.mark.parametrize("other", [None, 3, b"rows > 1", ["rows > 1"]])
def test_only_text_is_read(other: object) -> None:
    with pytest.raises(ValidationSyntaxError, match="a text is needed"):
        read(other)  # type: ignore[arg-type]
