"""Plans in compact lines: read, shown, expanded to plans that pass every check, and collapsed again."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue_text import read_catalogue, show_catalogue
from planner.compact import CompactPlan, FetchLine, Range, collapse, expand, read_plan, show_plan
from planner.errors import PlanError, PlannerError
from planner.plan import Plan

KILNS = read_catalogue(
    """
@ kiln_board bi_dashboard 0.8 窑炉看板
firing 各窑月度烧成 : kiln,month
  kiln text 窑 {K1=one|K2|K3}
  month month 月份
  breakage percent 破损率
  gas number 用气量
@ log_board sql 0.6 日志
firing 各窑月度烧成 : kiln,month
  kiln text 窑 {K1|K2|K3}
  month month 月份
  breakage percent 破损率
parcels shipped parcels : parcel_no
  parcel_no text 单号
  kiln text 窑 {K1|K2|K3}
  shipped date 发货日期
  state text 状态 {packed|lost in transit}
  fragile bool 易碎
! credits ticket_api 0.9 credits
credit give a credit : parcel_no
  parcel_no text 单号
  amount money 金额
# manual pdf_knowledge_base 0.7 手册
"""
)
PLANS = [
    "firing breakage | kiln=K1,K2 month=2025-01..2025-03\n= difference 1.breakage by kiln",
    "firing@log_board breakage | month=2025-05\nfiring@kiln_board breakage | month=2025-05\n= difference 1.breakage 2.breakage",
    'parcels parcel_no | state="lost in transit" shipped=2025-01-01.. fragile=true\n= count 1 by shipped:month\n= rank 2.value top 1 asc',
    "firing gas,breakage | month=2025-05\n= correlate 1.gas 1.breakage\n> html",
    'parcels state | parcel_no=P-77\n!credit parcel_no=P-77 amount=20.5 if 1.state="lost in transit"\n#manual what if a parcel is lost',
    "parcels kiln | parcel_no=P-77\nfiring breakage | kiln=1.kiln month=2025-05",
]


def made(text: str) -> Plan:
    return expand(read_plan(text), "q", KILNS)


def meaning(plan: Plan) -> list[dict[str, object]]:
    """The sub-goals, the order in which a validation names its columns apart."""
    goals = [g.model_dump() for g in plan.sub_goals]
    return [{**g, "validation": sorted(re.split(r"[,\[\]\s]+", g["validation"]))} for g in goals]


@pytest.mark.parametrize("text", PLANS)
def test_a_plan_survives_collapse_and_expansion(text: str) -> None:
    plan = made(text)
    assert meaning(made(show_plan(collapse(plan, KILNS)))) == meaning(plan)
    assert show_plan(read_plan(show_plan(read_plan(text)))) == show_plan(read_plan(text))


def test_what_the_lines_become() -> None:
    one, two = made(PLANS[0]).sub_goals
    assert one.data_source == "kiln_board"
    assert one.params["filters"] == {"kiln": ["K1", "K2"], "month": {"from": "2025-01", "to": "2025-03"}}
    assert one.validation == (
        "has_columns: [kiln, month, breakage] AND rows >= 1 AND covers: kiln [K1, K2] AND covers: month [2025-01, 2025-02, 2025-03]"
    )
    assert two.params == {
        "operation": "difference",
        "inputs": ["{{g1.result}}"],
        "value": "breakage",
        "by": ["kiln"],
    }
    write = made(PLANS[4]).sub_goals[1]
    assert (write.params["values"], write.when) == (
        {"parcel_no": "P-77", "amount": 20.5}, 'g1.state == "lost in transit"',
    )  # fmt: skip
    assert write.depends_on == ("g1",)


def test_a_filter_takes_its_value_from_an_earlier_step() -> None:
    goal = made(PLANS[5]).sub_goals[1]
    assert (goal.params["filters"]["kiln"], goal.depends_on) == ("{{g1.result.kiln}}", ("g1",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty plan"),
        ("ovens heat", "no dataset 'ovens'"),
        ("firing heat", "no field 'heat'"),
        ("firing | kiln=K9", "not listed"),
        ("firing | month=2025-13", "params.filters.month"),
        ("firing | kiln=K1 kiln=K2", "filtered twice"),
        ("firing | month=2025-01..2025-02,2024-01..2024-02", "a list of ranges"),
        ("firing | kiln", "field=value"),
        ("parcels | fragile=maybe", "neither true nor false"),
        ("firing\n= median 1", "an operation is needed"),
        ("firing\n= sum 3.gas", "no step 3"),
        ("firing\n= sum", "a step is needed"),
        ("firing\n= rank 1.gas top none", "behind 'top'"),
        ("!firing kiln=K1", "that can be written"),
        ("!credit amount=1..2", "a range cannot be written"),
        ("> pdf", "docx or html"),
        ("#manual", "a query is needed"),
        ("#shelf glazes", "no document source"),
        ("? nothing\nfiring", "has one line"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(PlanError) as raised:
        made(text)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


VALUES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=12).filter(
    str.strip
)


@settings(max_examples=80, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=3), VALUES, VALUES)
def test_any_value_can_be_written(listed: list[str], low: str, high: str) -> None:
    plan = CompactPlan(
        (FetchLine("firing", None, ("gas",), {"kiln": tuple(listed), "month": Range(low, high)}),)
    )
    assert read_plan(show_plan(plan)) == plan


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=80)
    | st.lists(
        st.sampled_from(
            [
                "firing",
                "=",
                "sum",
                "1",
                ".gas",
                "|",
                "kiln=K1",
                "..",
                ",",
                '"',
                "by",
                "top",
                "if",
                "#",
                "!",
                ">",
                "?",
                "\n",
            ]
        ),
        max_size=12,
    ).map(" ".join)
)
def test_no_text_raises_anything_but_our_own_errors(text: str) -> None:
    with contextlib.suppress(PlannerError):
        expand(read_plan(text), "q", KILNS)


def test_a_catalogue_survives_its_text() -> None:
    again = read_catalogue(show_catalogue(KILNS))
    assert again == KILNS
    for bad, said in (
        ("@ a sql 0.5 x\n  f text", "a field before any dataset"),
        ("d x : k", "no source"),
        ("@ a sql 0.5 x", "holds no dataset"),
    ):
        with pytest.raises(PlanError, match=said):
            read_catalogue(bad)
