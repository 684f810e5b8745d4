"""Times as people write them in a hurry, read on 15 July 2024, a Monday."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from planner.times import find_times

TODAY = date(2024, 7, 15)


def read(question: str, field_type: str = "date", today: date = TODAY) -> list[Any]:
    return [span.as_filter(field_type) for span in find_times(question, today) if span.dated]


def days(first: str, last: str | None) -> dict[str, str | None]:
    return {"from": first, "to": last}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("昨儿流水", ["2024-07-14"]),
        ("昨晚停了几次", ["2024-07-14"]),
        ("大前天的产量", ["2024-07-12"]),
        ("takings yday", ["2024-07-14"]),
        ("yesterdays orders", ["2024-07-14"]),
        ("stoppages last nite", ["2024-07-14"]),
        ("what is on tonight", ["2024-07-15"]),
        ("明后两天到期", [days("2024-07-16", "2024-07-17")]),
        ("no-shows on Friday", ["2024-07-12"]),
        ("raised since Friday", [days("2024-07-12", None)]),
        ("周六进了多少车", ["2024-07-13"]),
        ("over the past weekend", [days("2024-07-13", "2024-07-14")]),
        ("output, the 12th against the 10th", ["2024-07-12", "2024-07-10"]),
        ("on the 1st of this month", ["2024-07-01"]),
        ("11月30号退了多少，29号又是多少", ["2023-11-30", "2023-11-29"]),
        ("5号那天的产量", ["2024-07-05"]),
        ("1-15 Mar", [days("2024-03-01", "2024-03-15")]),
        ("12 to 18 May", [days("2024-05-12", "2024-05-18")]),
        ("Jan 1-13", [days("2024-01-01", "2024-01-13")]),
        ("五一三天（1号到3号）", [days("2024-07-01", "2024-07-03")]),
        ("最后一周（6.22到6.28）", [days("2024-06-22", "2024-06-28")]),
        ("on 3/15", ["2024-03-15"]),
        ("东站3月16", ["2024-03-16"]),
        ("1月29到2月4号", [days("2024-01-29", "2024-02-04")]),
        ("first ten days of June", [days("2024-06-01", "2024-06-10")]),
        ("the last two weeks of January", [days("2024-01-18", "2024-01-31")]),
        ("the first half of December", [days("2023-12-01", "2023-12-15")]),
        ("6月上旬", [days("2024-06-01", "2024-06-10")]),
        ("2月下旬", [days("2024-02-21", "2024-02-29")]),
        ("3月头半个月", [days("2024-03-01", "2024-03-15")]),
        ("since the first of April", [days("2024-04-01", None)]),
        ("国庆七天的销量", [days("2023-10-01", "2023-10-07")]),
        ("情人节那天", ["2024-02-14"]),
        ("618当天", ["2024-06-18"]),
        ("去年双11比前年双11", ["2023-11-11", "2022-11-11"]),
        ("on Singles' Day", ["2023-11-11"]),
        ("元旦三天（12.30到1.1）", [days("2023-12-30", "2024-01-01")]),
        ("week of July 8", [days("2024-07-08", "2024-07-14")]),
        ("week starting 3 June", [days("2024-06-03", "2024-06-09")]),
        ("6月10号那周", [days("2024-06-10", "2024-06-16")]),
        ("the week before last", [days("2024-07-01", "2024-07-07")]),
        ("in the last full week", [days("2024-07-08", "2024-07-14")]),
        ("expiring by month end", [days("2024-07-15", "2024-07-31")]),
        ("年底前到期", [days("2024-07-15", "2024-12-31")]),
        ("expires before the end of August", [days("2024-07-15", "2024-08-31")]),
        ("三个月内过期", [days("2024-07-15", "2024-10-15")]),
        ("due from now on", [days("2024-07-15", None)]),
        ("从6月1号算起到昨天", [days("2024-06-01", "2024-07-14")]),
        ("free slots for 18 July", ["2024-07-18"]),
        ("older than 3 June", [{"from": None, "to": "2024-06-02"}]),
    ],
)
def test_days(question: str, expected: list[Any]) -> None:
    assert read(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("五六月", [days("2024-05", "2024-06")]),
        ("七八两个月", [days("2024-07", "2024-08")]),
        ("元月份的停电", ["2024-01"]),
        ("Nov, Dec, Jan", ["2023-11", "2023-12", "2024-01"]),
        ("12月和1月", ["2023-12", "2024-01"]),
        ("从年初到6月", [days("2024-01", "2024-06")]),
        ("从1月到6月", [days("2024-01", "2024-06")]),
        ("YTD June", [days("2024-01", "2024-06")]),
        ("前四月", [days("2024-01", "2024-04")]),
        ("头四个月", [days("2024-01", "2024-04")]),
        ("去年四个季度", [days("2023-01", "2023-12")]),
        ("Q4 23 through Q1 24", [days("2023-10", "2024-03")]),
        ("2H23", [days("2023-07", "2023-12")]),
        ("full year 23 vs 22", [days("2023-01", "2023-12"), days("2022-01", "2022-12")]),
        ("churn over 2023", [days("2023-01", "2023-12")]),
        ("last calendar month", ["2024-06"]),
        ("latest full quarter", [days("2024-04", "2024-06")]),
        ("the last six full months", [days("2024-01", "2024-06")]),
        ("so far this yr", [days("2024-01", None)]),
        ("AUM at year end", ["2023-12"]),
        ("June over June last year", ["2024-06", "2023-06"]),
        ("Feb this year against Feb last", ["2024-02", "2023-02"]),
        ("January vs the January before", ["2024-01", "2023-01"]),
        ("Jan 24 v Jan 23", ["2024-01", "2023-01"]),
        ("January vs a yr earlier", ["2024-01", "2023-01"]),
        ("Q1 vs the same quarter in 2022", [days("2024-01", "2024-03"), days("2022-01", "2022-03")]),
        ("上月比前月", ["2024-06", "2024-05"]),
        ("上月比前年同月", ["2024-06", "2022-06"]),
        ("门诊量跟去年五月比", ["2024-05", "2023-05"]),
        ("May sales by host", ["2024-05"]),
        ("net revenue May, all channels", ["2024-05"]),
        ("March active cards", ["2024-03"]),
        ("工号1182七月做了多少", ["2024-07"]),
    ],
)
def test_months(question: str, expected: list[Any]) -> None:
    assert read(question, "month") == expected


@pytest.mark.parametrize(
    "question",
    [
        "14号线的客流", "3号炉停了多久", "1号舍和2号舍", "1号到3号炉", "618款卖得怎样", "双11活动", "ask May about it",
        "May Chen's orders", "how may I know", "march over to the desk", "see you on Monday", "每台5元月租", "pH 6.5-7.5",
        "1/3的订单", "24/7", "the 15th floor",
    ],
)  # fmt: skip
def test_numbers_and_names_that_are_no_time(question: str) -> None:
    assert read(question) == []
