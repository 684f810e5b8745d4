"""Time expressions of both languages, read on 15 July 2024."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from planner.times import TimeError, find_times

TODAY = date(2024, 7, 15)


def read(question: str, field_type: str = "month") -> list[Any]:
    return [span.as_filter(field_type) for span in find_times(question, TODAY) if span.dated]


@pytest.mark.parametrize(
    ("question", "field_type", "expected"),
    [
        ("2024年1月的退货率", "month", ["2024-01"]),
        ("figures for Jan 2024", "month", ["2024-01"]),
        ("2024-01", "month", ["2024-01"]),
        ("2023年Q3与Q4", "quarter", ["2023-Q3", "2023-Q4"]),
        ("Q3 and Q4 2023", "quarter", ["2023-Q3", "2023-Q4"]),
        ("2023Q1和2024Q1", "quarter", ["2023-Q1", "2024-Q1"]),
        ("2023年各季度", "quarter", [{"from": "2023-Q1", "to": "2023-Q4"}]),
        ("2024年一季度", "month", [{"from": "2024-01", "to": "2024-03"}]),
        ("2024年上半年", "month", [{"from": "2024-01", "to": "2024-06"}]),
        ("H1 2024", "quarter", [{"from": "2024-Q1", "to": "2024-Q2"}]),
        ("2023年", "quarter", [{"from": "2023-Q1", "to": "2023-Q4"}]),
        ("2023年", "integer", [2023]),
        ("between April and June 2024", "date", [{"from": "2024-04-01", "to": "2024-06-30"}]),
        ("from April through August this year", "month", [{"from": "2024-04", "to": "2024-08"}]),
        ("last month", "month", ["2024-06"]),
        ("上个季度", "quarter", ["2024-Q2"]),
        ("上个季度", "date", [{"from": "2024-04-01", "to": "2024-06-30"}]),
        ("last year", "quarter", [{"from": "2023-Q1", "to": "2023-Q4"}]),
        ("本月", "month", ["2024-07"]),
        ("this year", "month", [{"from": "2024-01", "to": None}]),
        ("今年以来", "date", [{"from": "2024-01-01", "to": None}]),
        ("今年", "integer", [2024]),
        ("去年6月", "month", ["2023-06"]),
        ("June last year", "month", ["2023-06"]),
        ("过去12个月", "month", [{"from": "2023-07", "to": "2024-06"}]),
        ("over the last three months", "month", [{"from": "2024-04", "to": "2024-06"}]),
        ("近30天", "date", [{"from": "2024-06-16", "to": "2024-07-15"}]),
        ("since 2024-02-01", "date", [{"from": "2024-02-01", "to": None}]),
        ("从去年7月看到现在", "month", [{"from": "2023-07", "to": None}]),
        ("before March 2024", "month", [{"from": None, "to": "2024-02"}]),
        ("截至2024年6月", "month", [{"from": None, "to": "2024-06"}]),
        ("3月5日到4月2日", "date", [{"from": "2024-03-05", "to": "2024-04-02"}]),
        ("5月1-15日", "date", [{"from": "2024-05-01", "to": "2024-05-15"}]),
        ("7、8月", "month", ["2024-07", "2024-08"]),
        ("1-3月", "month", [{"from": "2024-01", "to": "2024-03"}]),
        ("去年11月到2月", "month", [{"from": "2023-11", "to": "2024-02"}]),
        ("今年前三个季度", "quarter", [{"from": "2024-Q1", "to": "2024-Q3"}]),
        ("the first two quarters of 2024", "quarter", [{"from": "2024-Q1", "to": "2024-Q2"}]),
        ("昨天", "date", ["2024-07-14"]),
        ("last week", "date", [{"from": "2024-07-08", "to": "2024-07-14"}]),
        ("2022-2024年", "integer", [{"from": 2022, "to": 2024}]),
        ("November", "month", ["2023-11"]),
        ("Q1'24", "quarter", ["2024-Q1"]),
        ("last Friday", "date", ["2024-07-12"]),
        ("last Monday", "date", ["2024-07-08"]),
        ("上周五", "date", ["2024-07-12"]),
        ("上上周日", "date", ["2024-07-07"]),
        ("本周三", "date", ["2024-07-17"]),
        ("next Thursday", "date", ["2024-07-25"]),
        ("上周一到周三", "date", [{"from": "2024-07-08", "to": "2024-07-10"}]),
        ("上周一至上周五", "date", [{"from": "2024-07-08", "to": "2024-07-12"}]),
        ("last weekend", "date", [{"from": "2024-07-13", "to": "2024-07-14"}]),
        ("上周末", "date", [{"from": "2024-07-13", "to": "2024-07-14"}]),
        ("since last Tuesday", "date", [{"from": "2024-07-09", "to": None}]),
        ("this week", "date", [{"from": "2024-07-15", "to": "2024-07-21"}]),
        ("本周", "date", [{"from": "2024-07-15", "to": "2024-07-21"}]),
        ("上周", "month", ["2024-07"]),
        ("上周一共多少", "date", [{"from": "2024-07-08", "to": "2024-07-14"}]),
        ("上周日均客流", "date", [{"from": "2024-07-08", "to": "2024-07-14"}]),
    ],
)
def test_reads(question: str, field_type: str, expected: list[Any]) -> None:
    assert read(question, field_type) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("3月的就诊量同比", ["2024-03", "2023-03"]),
        (
            "Q2 revenue against the same quarter last year",
            [{"from": "2024-04", "to": "2024-06"}, {"from": "2023-04", "to": "2023-06"}],
        ),
        ("2月的加班环比涨了多少", ["2024-02", "2024-01"]),
        ("同比去年6月变化", ["2024-06", "2023-06"]),
        ("比上个月高多少", ["2024-07", "2024-06"]),
        (
            "Q3 2023 over Q3 2022",
            [{"from": "2023-07", "to": "2023-09"}, {"from": "2022-07", "to": "2022-09"}],
        ),
    ],
)
def test_comparisons_bring_their_baseline(question: str, expected: list[Any]) -> None:
    assert read(question) == expected


def test_a_comparison_without_a_period_is_of_the_last_complete_one() -> None:
    (span,) = find_times("退货率同比变化", TODAY)
    assert span.as_filter("month") == ["2024-06", "2023-06"]
    assert span.as_filter("quarter") == ["2024-Q2", "2023-Q2"]


def test_same_period_and_groupings_have_no_dates() -> None:
    kinds = [s.kind for s in find_times("同期各季度", TODAY)]
    assert kinds == ["same", "each"]


@pytest.mark.parametrize(
    "question",
    [
        "2023年13月",
        "Q5 2023",
        "2024年2月30日",
        "第五季度",
        "from 2024-05 to 2024-01",
        "30 February 2024",
        "2024-02-30",
        "去年春节期间",
        "国庆长假的客流",
        "over Christmas",
        "during the Chinese New Year",
    ],
)
def test_refuses_what_is_no_time(question: str) -> None:
    with pytest.raises(TimeError):
        find_times(question, TODAY)


@pytest.mark.parametrize(
    "question",
    [
        "订单88231",
        "预算2000以内",
        "ticket AB-2024-0311",
        "INV/2024/03/11",
        "case 2024-45-12",
        "how may I know",
        "Audi Q7",
        "24月龄",
        "24/7",
        "周一开会要用",
        "I need it by Monday",
        "the sun",
        "a satisfied customer",
        "双十一活动",
        "Christmas cards",
        "一周三次",
    ],
)
def test_leaves_other_numbers_alone(question: str) -> None:
    assert find_times(question, TODAY) == []


def test_a_weekday_beside_a_period_is_talk() -> None:
    assert read("She rang last Friday: what did we sell in March?") == ["2024-03"]
    assert read("春节前后的促销，看2024年2月的销量") == ["2024-02"]


def test_spans_carry_their_place_in_the_question() -> None:
    question = "对比２０２３年Q3与 Q4 的投诉"
    for span in find_times(question, TODAY):
        assert question[span.start : span.end] == span.text


def test_a_text_or_money_field_takes_no_month() -> None:
    (span,) = find_times("2024年1月", TODAY)
    with pytest.raises(TimeError):
        span.as_filter("money")
