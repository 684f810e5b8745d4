"""Ids that begin with a word of the catalogue."""

from __future__ import annotations

from datetime import date

import pytest

from planner.catalogue_text import read_catalogue
from planner.rules import RulePlanner

CATALOGUE = read_catalogue("""\
@ yard sql 0.9 船厂质量
ncr 不符合项 : ncr_no
  ncr_no text 不符合项编号/NCR number
  cost money 返工费/rework cost
  found date 发现日期
""")


@pytest.mark.parametrize(
    "question", ["NCR-26-0418返工费多少", "rework cost of NCR-26-0418", "ncr-26-0418的返工费"]
)
def test_a_tables_name_does_not_cut_an_id(question: str) -> None:
    plan = RulePlanner(CATALOGUE).propose(question, date(2026, 5, 20)).plan
    assert plan is not None
    (asked,) = [g.params["filters"] for g in plan.sub_goals]
    assert {k: v.upper() for k, v in asked.items()} == {"ncr_no": "NCR-26-0418"}
