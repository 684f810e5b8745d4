"""Plans tried on a made-up world: what can run does, what cannot on any world is said."""

from __future__ import annotations

import datetime as dt

import pytest

from assay.rehearsal import rehearse
from planner.catalogue_text import read_catalogue
from planner.compact import expand, read_plan

TODAY = dt.date(2025, 6, 18)
KILNS = read_catalogue(
    """
@ kiln_board bi_dashboard 0.8 kilns
firing figures of each kiln : kiln,month
  kiln text 窑 {K1|K2|K3}
  month month 月份
  breakage percent 破损率
  gas number 用气量
@ orders sql 0.9 orders
parcels shipped parcels : parcel_no
  parcel_no text 单号
  kiln text 窑 {K1|K2|K3}
  shipped date 发货日期
  state text 状态 {packed|lost}
! credits ticket_api 0.9 credits
credit give a credit : parcel_no
  parcel_no text 单号
  amount money 金额
# manual pdf_knowledge_base 0.7 manual
"""
)


def faults(plan: str) -> list[str]:
    return rehearse(expand(read_plan(plan), "q", KILNS), KILNS, TODAY)


@pytest.mark.parametrize(
    "plan",
    [
        "firing breakage | kiln=K1,K2 month=2025-05\n= difference 1.breakage by kiln",
        "firing breakage | kiln=K1 month=2024-06..2025-05\n= trend 1.breakage",
        "firing breakage | kiln=K1 month=2025-05,2024-05\n= growth 1.breakage",
        "firing gas,breakage | month=2025-01..2025-05\n= correlate 1.gas 1.breakage",
        "parcels | shipped=2025-01-01..2025-03-31\n= count 1 by shipped:month\n= rank 2.value top 1",
        "parcels state | parcel_no=P-77\n!credit parcel_no=P-77 amount=20 if 1.state=lost\n#manual lost parcels",
        "firing breakage | month=2025-05\n= rank 1.breakage by kiln top 2\n> docx",
        "parcels parcel_no | state=lost\nparcels shipped\n= join 1 2 by parcel_no",
    ],
)
def test_a_plan_that_makes_sense_runs(plan: str) -> None:
    assert faults(plan) == []


def test_what_no_world_can_run_is_named() -> None:
    (said,) = faults("firing breakage | kiln=K1 month=2025-05\n= growth 1.breakage")
    assert said.startswith("g2 failed")
    assert "two values" in said
