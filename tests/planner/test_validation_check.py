"""What each clause of the validation language means: outcome and measured value."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from planner.validation import ClauseResult, Verdict, parse_validation

Column = Callable[..., Any]
Make = Callable[..., Any]


def outcome(text: str, data: Any, today: str = "2024-07-15") -> str:
    return parse_validation(text).check(data, today).outcome


def only(text: str, data: Any, today: str = "2024-07-15") -> ClauseResult:
    verdict = parse_validation(text).check(data, today)
    (clause,) = verdict.clauses
    assert clause.outcome == verdict.outcome
    return clause


RETURNS = {"product": "A", "region": "华东", "month": "2024-01", "return_rate": 0.052}


class TestDesignStrings:
    def test_has_columns(self, table: Make) -> None:
        text = "has_columns: [product, region, month, return_rate]"
        assert outcome(text, table(RETURNS)) == "pass"
        short = {k: v for k, v in RETURNS.items() if k != "return_rate"}
        clause = only(text, table(short))
        assert (clause.outcome, clause.kind, clause.measured) == (
            "fail",
            "has_columns",
            {"missing": ["return_rate"]},
        )
        assert "return_rate" in clause.detail
        assert clause.clause == text

    def test_has_field_and_date(self, table: Make) -> None:
        text = "has_field: change_date AND change_date >= 2024-01-01"
        assert outcome(text, table({"change_date": "2024-01-01"}, {"change_date": "2024-02-03"})) == "pass"
        assert outcome(text, table({"change_date": "2023-12-31"}, {"change_date": "2024-02-03"})) == "fail"
        assert outcome(text, table({"change_date": None}, {"change_date": "2024-02-03"})) == "fail"
        assert outcome(text, table(columns=("change_date",))) == "unknown"

    def test_quarters_without_year(self, table: Make) -> None:
        text = 'has_column: "quarter" AND quarter in ["Q1", "Q2", "Q3", "Q4"]'
        assert outcome(text, table({"quarter": "Q1"}, {"quarter": "Q4"})) == "pass"
        assert outcome(text, table({"quarter": "2023-Q1"}, {"quarter": "2024-Q4"})) == "pass"
        assert outcome(text, table({"quarter": "Q5"})) == "fail"
        assert outcome(text, table({"quarters": "Q1"})) == "fail"

    def test_covers(self, table: Make) -> None:
        text = (
            "has_columns: [quarter, repurchase_rate] AND covers: quarter [2023-Q1, 2023-Q2, 2023-Q3, 2023-Q4]"
        )
        rows = [{"quarter": f"2023-Q{n}", "repurchase_rate": 0.3} for n in (1, 2, 3, 4)]
        assert outcome(text, table(*rows, *rows)) == "pass"
        verdict = parse_validation(text).check(table(rows[0], rows[3]))
        assert verdict.outcome == "fail"
        assert [c.measured for c in verdict.failed("covers")] == [
            {"missing": ["2023-Q2", "2023-Q3"], "unknown": []}
        ]
        assert verdict.failed("has_columns") == []

    def test_length(self, table: Make) -> None:
        row = {"a": 1}
        assert outcome("len(data) > 100", table(*[row] * 101)) == "pass"
        assert outcome("len(data) > 100", table(*[row] * 100)) == "fail"

    def test_not(self, table: Make) -> None:
        text = 'NOT (status == "closed" OR rows < 3) AND type(change_date) is date'
        opened = [{"status": "open", "change_date": f"2024-01-0{n}"} for n in (1, 2, 3)]
        closed = [r | {"status": "closed"} for r in opened]
        assert outcome(text, table(*opened)) == "pass"
        assert outcome(text, table(*closed)) == "fail"
        assert outcome(text, table(*opened[:2])) == "fail"
        assert outcome(text, table(*[r | {"change_date": "soon"} for r in opened])) == "fail"


class TestPresence:
    def test_columns_stand_also_without_rows(self, table: Make) -> None:
        assert outcome("has_column: a", table(columns=("a", "b"))) == "pass"
        assert outcome("has_column: c", table(columns=("a", "b"))) == "fail"

    def test_columns_are_those_of_the_rows_when_none_are_told(self, table: Make) -> None:
        assert outcome("has_columns: [a, b]", table({"a": 1}, {"b": 1}, columns=())) == "pass"

    def test_field_by_path_or_by_literal_name(self, table: Make) -> None:
        nested = table({"a": {"b": {"c": 1}}}, kind="records")
        assert outcome("has_field: a.b.c", nested) == "pass"
        assert outcome("has_field: a.b.d", nested) == "fail"
        assert outcome("has_field: a.b.c.d", nested) == "fail"
        assert outcome("has_field: a.b", table({"a.b": 1})) == "pass"
        assert outcome("a.b == 1", table({"a.b": 1, "a": {"b": 2}})) == "pass"
        assert outcome("a.b == 1", table({"a": {"b": 1}})) == "pass"

    def test_field_in_every_record(self, table: Make) -> None:
        data = table({"a": 1, "b": ""}, {"a": None, "b": "x"}, {"b": "y"})
        clause = only("has_fields: [a, b]", data)
        assert (clause.outcome, clause.kind) == ("fail", "has_fields")
        assert clause.measured == {"rows": 3, "empty": {"a": 2}}
        assert outcome("has_field: a", table(columns=("a",))) == "unknown"

    def test_not_null_takes_blank_for_empty(self, table: Make) -> None:
        clause = only("not_null: [a, b]", table({"a": 1, "b": " "}, {"a": float("nan"), "b": "x"}))
        assert clause.outcome == "fail"
        assert clause.measured == {"rows": 2, "empty": {"a": 1, "b": 1}}
        assert outcome("not_null: [a]", table({"a": 0}, {"a": False})) == "pass"
        assert outcome("not_null: [a]", table(columns=("a",))) == "pass"
        assert outcome("not_null: [z]", table({"a": 0})) == "fail"

    def test_unique_is_of_the_combination(self, table: Make) -> None:
        rows = [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 1.0, "b": "x"}]
        assert outcome("unique: [a, b]", table(*rows[:2])) == "pass"
        clause = only("unique: [a, b]", table(*rows))
        assert clause.outcome == "fail"
        assert clause.measured == {"duplicates": 1, "examples": [[1, "x"]]}
        assert only("unique: [a]", table(*rows)).measured["duplicates"] == 2
        assert outcome("unique: [a]", table({"a": None}, {"a": None})) == "pass"
        assert outcome("unique: [a]", table({"a": 1}, {"a": True}, {"a": "1"})) == "pass"
        assert outcome("unique: [a]", table({"a": {1: [2]}}, {"a": {1: [2]}})) == "fail"
        assert outcome("unique: [z]", table({"a": 1})) == "unknown"

    def test_rows_of_a_text_are_characters(self, table: Make) -> None:
        class Passages:
            kind = "text"
            columns = ("doc", "text")
            rows = ({"doc": "guide", "text": "退货政策"},)
            text = "退货政策"

        for size in ("rows", "len(data)"):
            clause = only(f"{size} == 4", Passages())
            assert (clause.outcome, clause.kind, clause.measured) == ("pass", "rows", 4)
        assert outcome('has_columns: [doc] AND doc == "guide"', Passages()) == "pass"
        assert only("rows >= 2", table({"a": 1}, kind="records")).measured == 1

    @pytest.mark.parametrize(
        ("values", "listed", "expected", "measured"),
        [
            (["2024-01", "2024-02", "2024-02"], "2024-01, 2024-02", "pass", {"missing": [], "unknown": []}),
            (["2024-01", None], "2024-01, 2024-02", "fail", {"missing": ["2024-02"], "unknown": []}),
            (["2024-01-31"], "2024-01", "pass", {"missing": [], "unknown": []}),
            (["2023-Q1", "2024-Q2"], "Q1, 2024-Q2", "pass", {"missing": [], "unknown": []}),
            (["华东"], '华东, "华北"', "fail", {"missing": ["华北"], "unknown": []}),
            (["88231"], "88231", "unknown", {"missing": [], "unknown": [88231]}),
            (["88231"], '"88231"', "pass", {"missing": [], "unknown": []}),
            ([1.0, 2], "1, 2", "pass", {"missing": [], "unknown": []}),
            ([1, None], "null", "pass", {"missing": [], "unknown": []}),
            ([1], "null", "fail", {"missing": [None], "unknown": []}),
            ([], "x", "fail", {"missing": ["x"], "unknown": []}),
        ],
    )
    def test_covers_each(
        self, column: Column, values: list[Any], listed: str, expected: str, measured: object
    ) -> None:
        clause = only(f"covers: a [{listed}]", column(*values))
        assert (clause.outcome, clause.measured) == (expected, measured)

    def test_covers_no_column(self, column: Column) -> None:
        clause = only("covers: z [x, 1]", column(1))
        assert (clause.outcome, clause.measured) == ("fail", {"missing": ["x", 1], "unknown": []})


@pytest.mark.parametrize(
    ("test", "value", "expected"),
    [
        # numbers
        ("a == 3", 3, "pass"),
        ("a == 3", 3.0, "pass"),
        ("a != 3", 3.0, "fail"),
        ("a > 3", 3, "fail"),
        ("a >= 3", 3, "pass"),
        ("a < 3", 2.999, "pass"),
        ("a <= 3", 3.001, "fail"),
        ("a == 5.2%", 0.052, "pass"),
        ("a <= 5.2%", 5.2 / 100, "pass"),  # 0.052000000000000005
        ("a > 5.2%", 5.2 / 100, "fail"),
        ("a == 0.3", 0.1 + 0.2, "pass"),
        ("a == 9007199254740993", 9007199254740992, "fail"),
        ("a > 1", 10**400, "pass"),
        ("a == 1", float("inf"), "fail"),
        ("a == 1.5", Decimal("1.5"), "pass"),
        # no coercion
        ("a == 3", "3", "unknown"),
        ("a != 3", "3", "unknown"),
        ('a == "3"', 3, "unknown"),
        ("a > 3", "x", "unknown"),
        ("a == 1", True, "unknown"),
        ("a == true", 1, "unknown"),
        ("a == true", "true", "unknown"),
        ("a == 2024-01", 2024, "unknown"),
        ("a > 3", [4], "unknown"),
        ('a == "x"', {"x": 1}, "unknown"),
        # truth and null
        ("a == true", True, "pass"),
        ("a == true", False, "fail"),
        ("a != true", False, "pass"),
        ("a == false", False, "pass"),
        ("a == null", None, "pass"),
        ("a == null", 0, "fail"),
        ("a != null", 0, "pass"),
        ("a != null", None, "fail"),
        ("a == null", float("nan"), "pass"),
        ("a != 3", None, "unknown"),
        ('a == "x"', None, "unknown"),
        # text
        ('a == "已签收"', "已签收", "pass"),
        ('a == "x"', "X", "fail"),
        ('a != "x"', "y", "pass"),
        ('a > "b"', "c", "pass"),
        ('a <= "b"', "c", "fail"),
        # times of one grain
        ("a >= 2024-01-15", "2024-01-15", "pass"),
        ("a > 2024-01-15", "2024-01-15", "fail"),
        ("a < 2024-01-15", "2024-01-14", "pass"),
        ("a <= 2024-02", "2024-02", "pass"),
        ("a < 2024-02", "2023-12", "pass"),
        ("a == 2024-Q1", "2024-Q1", "pass"),
        ("a != 2024-Q1", "2024-Q1", "fail"),
        ("a > 2023-Q4", "2024-Q1", "pass"),
        # an instant by its date
        ("a == 2024-01-15", "2024-01-15T23:59:59.999999+08:00", "pass"),
        ("a <= 2024-01-15", "2024-01-15 10:30", "pass"),
        ("a > 2024-01-15", "2024-01-15T10:30:00Z", "fail"),
        ('a == "2024-01-15T10:30:00"', "2024-01-15T10:30:01", "fail"),
        # grains apart: the whole period must stand in the relation
        ("a == 2024-01", "2024-01-31", "pass"),
        ("a <= 2024-01", "2024-01-31", "pass"),
        ("a > 2024-01", "2024-01-31", "fail"),
        ("a > 2024-01", "2024-02-01", "pass"),
        ("a >= 2024-Q2", "2024-04", "pass"),
        ("a >= 2024-01-01", "2024-01", "pass"),
        ("a >= 2024-01-02", "2024-01", "unknown"),
        ("a == 2024-01-15", "2024-01", "unknown"),
        ("a != 2024-01-15", "2024-01", "unknown"),
        ("a != 2024-01-15", "2024-02", "pass"),
        ("a <= 2024-01-15", "2024-02", "fail"),
        # a quarter of whatever year
        ("a == Q1", "2023-Q1", "pass"),
        ("a == Q1", "2024-Q2", "fail"),
        ("a == Q1", "Q1", "pass"),
        ("a >= Q2", "2023-Q3", "pass"),
        ("a < Q2", "2023-Q3", "fail"),
        ("a == Q1", "2024-03-31", "pass"),
        ("a == 2023-Q1", "Q1", "unknown"),
        # dates and text
        ("a >= 2024-01-01", "pending", "unknown"),
        ("a == 2024-01-01", "pending", "unknown"),
        ("a >= 2024-01-01", "2024-02-30", "unknown"),
        ('a >= "2024-01-01"', "2024-02-03", "pass"),
        ('a <= "2024-01-31"', "2024-01-31T09:00:00", "pass"),
        ('a == "2024-01"', "2024-01", "pass"),
        ('a == "2024-01"', "pending", "fail"),
        ('a >= "2024-01-01"', "pending", "unknown"),
        ("a == 2024-01-15", date(2024, 1, 15), "pass"),
        ("a == 2024-01-15", datetime(2024, 1, 15, 10), "pass"),
        # lists
        ("a in [x, y]", "y", "pass"),
        ("a in [x, y]", "z", "fail"),
        ("a not in [x, y]", "z", "pass"),
        ("a not in [x, y]", "x", "fail"),
        ("a in [1, 2]", 2.0, "pass"),
        ("a in [1, 2]", "2", "unknown"),
        ("a not in [1, 2]", "2", "unknown"),
        ("a in [1, x]", "x", "pass"),
        ("a in [Q1, 2024-Q2]", "2024-Q2", "pass"),
        ("a in [Q1, Q2]", "other", "fail"),
        ('a in ["Q1", "Q2"]', "other", "fail"),
        ("a in [2024-01]", "2024-01-31", "pass"),
        ("a in [x, null]", None, "pass"),
        ("a in [x]", None, "unknown"),
        ("a in [true]", True, "pass"),
        # between
        ("a between 1 and 5", 1, "pass"),
        ("a between 1 and 5", 5, "pass"),
        ("a between 1 and 5", 5.1, "fail"),
        ("a between 1 and 5", "3", "unknown"),
        ("a between 5 and 1", 3, "fail"),
        ("a between 2024-01 and 2024-03", "2024-03-31", "pass"),
        ("a between 2024-01 and 2024-03", "2024-04", "fail"),
        # types
        ("type(a) is number", 3, "pass"),
        ("type(a) is number", 0.5, "pass"),
        ("type(a) is number", True, "fail"),
        ("type(a) is number", "3", "fail"),
        ("type(a) is text", "3", "pass"),
        ("type(a) is text", 3, "fail"),
        ("type(a) is bool", False, "pass"),
        ("type(a) is bool", 0, "fail"),
        ("type(a) is date", "2024-01-15", "pass"),
        ("type(a) is date", "2024-01-15T10:00:00", "pass"),
        ("type(a) is date", "2024-01", "fail"),
        ("type(a) is date", "2024-02-30", "fail"),
        ("type(a) is date", 20240115, "fail"),
        ("type(a) is month", "2024-02", "pass"),
        ("type(a) is month", "2024-Q1", "fail"),
        ("type(a) is month", "soon", "fail"),
        ("type(a) is month", "Q1", "fail"),
        ("type(a) is month", "2024-01-15", "fail"),
        ("type(a) is month", None, "unknown"),
    ],
)
def test_one_value(column: Column, test: str, value: Any, expected: str) -> None:
    assert outcome(test, column(value)) == expected
    turned = {"pass": "fail", "fail": "pass", "unknown": "unknown"}[expected]
    assert outcome(f"NOT {test}", column(value)) == turned


class TestRows:
    def test_every_row(self, column: Column) -> None:
        clause = only("a > 3", column(4, 2, 2, "x", None))
        assert (clause.outcome, clause.kind) == ("fail", "compare")
        assert clause.measured == {"rows": 5, "failed": 2, "unknown": 2, "examples": [2]}
        assert outcome("a > 3", column(4, None)) == "unknown"
        assert only("a > 3", column(4, None)).measured["examples"] == [None]
        assert outcome("a > 3", column(4, 5)) == "pass"
        assert outcome("a > 3", column()) == "unknown"
        assert outcome("z > 3", column(4)) == "unknown"
        assert only("z > 3", column(4)).detail == "there is no column z"
        assert only("a in [x]", column("y")).kind == "in"
        assert only("a between 1 and 2", column(3)).kind == "between"

    def test_examples_are_few_and_short(self, column: Column) -> None:
        measured = only("a == 0", column(*range(1, 100), "x")).measured
        assert (measured["failed"], measured["examples"]) == (99, [1, 2, 3, 4, 5])
        (long,) = only('a == "x"', column("y" * 10_000)).measured["examples"]
        assert len(long) < 300

    def test_any(self, column: Column) -> None:
        assert outcome('any(a == "x")', column("y", "x")) == "pass"
        assert outcome('any(a == "x")', column("y", "z")) == "fail"
        assert outcome('any(a == "x")', column("y", 3)) == "unknown"
        assert outcome('any(a == "x")', column("x", 3)) == "pass"
        assert outcome('any(a == "x")', column()) == "fail"
        assert outcome('any(z == "x")', column()) == "fail"
        assert outcome('any(z == "x")', column("x")) == "unknown"
        assert outcome("any(a between 1 and 2)", column(0, 2)) == "pass"
        clause = only("any(a not in [x])", column("x", "y", "z"))
        assert (clause.kind, clause.measured) == ("any", {"rows": 3, "held": 2, "unknown": 0})

    def test_type_of_every_value(self, column: Column) -> None:
        clause = only("type(a) is number", column(1, None, "x", "x"))
        assert (clause.outcome, clause.kind) == ("fail", "type")
        assert clause.measured == {"values": 3, "other": 2, "examples": ["x", "x"]}
        assert outcome("type(a) is number", column(1, None)) == "pass"
        assert outcome("type(z) is number", column(1)) == "unknown"

    @pytest.mark.parametrize(
        ("values", "expected", "days"),
        [
            (["2024-07-08"], "pass", 7),
            (["2024-07-07"], "fail", 8),
            (["2020-01-01", "2024-07-15", None], "pass", 0),
            (["2024-07-16"], "pass", -1),
            (["2024-07-08T23:00:00"], "pass", 7),
            (["2024-06"], "fail", 15),
            (["2024-07"], "pass", -16),
            (["2024-07-01", "soon"], "unknown", 14),
            (["2024-07-14", "soon"], "pass", 1),
        ],
    )
    def test_fresh(self, column: Column, values: list[Any], expected: str, days: int) -> None:
        clause = only("fresh(a) <= 7d", column(*values))
        assert (clause.outcome, clause.kind, clause.measured["days"]) == (expected, "fresh", days)

    def test_fresh_needs_dates(self, column: Column) -> None:
        assert outcome("fresh(a) <= 7d", column("soon", None)) == "unknown"
        assert outcome("fresh(a) <= 7d", column()) == "unknown"
        assert outcome("fresh(z) <= 7d", column("2024-07-15")) == "unknown"

    def test_fresh_goes_by_the_machine_when_no_day_is_given(self, column: Column) -> None:
        validation = parse_validation("fresh(a) <= 7d")
        today = date.today()
        assert validation.check(column(today.isoformat())).outcome == "pass"
        assert validation.check(column((today - timedelta(days=30)).isoformat())).outcome == "fail"


class TestLogic:
    HOLDS, FAILS, UNKNOWN = "rows == 1", "rows == 2", "z == 1"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("{f} AND {u}", "fail"),
            ("{u} AND {f}", "fail"),
            ("{t} AND {u}", "unknown"),
            ("{t} AND {t} AND {t}", "pass"),
            ("{t} OR {u}", "pass"),
            ("{u} OR {t}", "pass"),
            ("{f} OR {u}", "unknown"),
            ("{f} OR {f}", "fail"),
            ("NOT {u}", "unknown"),
            ("NOT ({t} AND {f})", "pass"),
            ("NOT ({f} OR {u})", "unknown"),
            ("{t} OR {t} AND {f}", "pass"),
            ("({t} OR {t}) AND {f}", "fail"),
            ("NOT {t} OR {t}", "pass"),
        ],
    )
    def test_kleene(self, column: Column, text: str, expected: str) -> None:
        written = text.format(t=self.HOLDS, f=self.FAILS, u=self.UNKNOWN)
        assert outcome(written, column(1)) == expected

    def test_every_clause_is_measured(self, column: Column) -> None:
        verdict = parse_validation("rows == 2 AND (rows == 1 OR a == 5)").check(column(1))
        assert [c.outcome for c in verdict.clauses] == ["fail", "pass", "fail"]

    def test_under_not_a_clause_tells_how_it_bears_on_the_whole(self, column: Column) -> None:
        verdict = parse_validation("NOT (rows < 3 OR NOT a == 1)").check(column(1))
        assert [(c.clause, c.outcome) for c in verdict.clauses] == [
            ("NOT rows < 3", "fail"),
            ("a == 1", "pass"),
        ]
        assert verdict.outcome == "fail"
        assert [c.measured for c in verdict.failed("rows")] == [1]
        assert len(verdict.failed()) == 1


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("has_columns: [a]", "all 1 present"),
        ("has_columns: [a, y, z]", "missing: y, z; present: a"),
        ("has_field: a", "a is absent in 1 of 4 records"),
        ("not_null: [a]", "a is empty in 1 of 4 rows"),
        ("unique: [a]", "1 duplicates; first x"),
        ("rows > 1", "4 rows"),
        ("covers: a [x, 5]", "all 2 occur"),
        ("covers: a [x, y, z]", "cannot be told: y, z"),
        ('a == "x"', "2 of 4 rows cannot be told, first 5"),
        ('a != "x"', "2 of 4 rows fail, first 'x'; 2 of 4 rows cannot be told, first 5"),
        ("a in [x, 5, null]", "all 4 rows"),
        ('any(a == "x")', "2 of 4 rows, 2 cannot be told"),
        ("type(a) is text", "1 of 3 values are not text, first 5"),
        ("fresh(a) <= 7d", "a has no date"),
        ("z > 1", "there is no column z"),
    ],
)
def test_details_say_what_was_found(column: Column, text: str, detail: str) -> None:
    assert only(text, column("x", 5, "x", None)).detail == detail


def test_detail_names_the_values_that_do_not_occur(column: Column) -> None:
    assert only("covers: a [x, y, 2024-01]", column("x")).detail == "missing: y, 2024-01"


def test_verdict_survives_the_store(table: Make) -> None:
    import json

    text = (
        "has_columns: [a, z] AND not_null: [a] AND unique: [a, b] AND covers: b [x, 1, Q1] AND "
        "a > 3 AND any(b == null) AND type(b) is text AND fresh(b) <= 3d AND has_field: c AND rows > 0"
    )
    data = table({"a": Decimal("1.5"), "b": date(2024, 1, 1)}, {"a": [1, {2: 3}], "b": object()})
    verdict = parse_validation(text).check(data, "2024-07-15")
    assert Verdict.from_dict(json.loads(json.dumps(verdict.to_dict()))) == verdict


def test_today_must_be_a_date(column: Column) -> None:
    with pytest.raises(ValueError, match="isoformat"):
        parse_validation("rows > 1").check(column(1), "yesterday")
