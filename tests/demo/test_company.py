"""What the demo's story rests on: who disagrees, what is missing, what happened when."""

from __future__ import annotations

import itertools
from collections import Counter

from demo import company
from demo.vacuums import VACUUMS

A_EAST = ("A", "华东", "2024-01")


def test_the_boards_disagree_on_one_return_rate_only() -> None:
    sales = {r[:3]: r.permille for r in company.returns("sales")}
    support = {r[:3]: r.permille for r in company.returns("support")}
    assert sales.keys() == support.keys()
    apart = {k for k in sales if abs(sales[k] - support[k]) > 0.05 * min(sales[k], support[k])}
    assert apart == {A_EAST}
    assert (sales[A_EAST], support[A_EAST]) == (52, 61)
    b_north = ("B", "华北", "2024-01")
    assert sales[b_north] == support[b_north] == 38


def test_every_month_is_there_but_one() -> None:
    found = {r[:3] for r in company.returns()}
    every = {(p, r, m) for p in company.PRODUCTS for r in company.REGIONS for m in company.MONTHS}
    assert every - found == company.EMPTY == {("C", "华南", "2024-02")}


def test_the_eastern_provider_changed_just_before_returns_rose() -> None:
    (change,) = [c for c in company.PROVIDER_CHANGES if c.region == "华东" and c.date.startswith("2024-01")]
    assert change.date < "2024-01-10"
    assert company.return_rate("sales", *A_EAST) > 1.4 * company.return_rate("sales", "A", "华东", "2023-12")
    for region in company.REGIONS:  # each change starts from the provider that the last one brought
        changes = sorted((c for c in company.PROVIDER_CHANGES if c.region == region), key=lambda c: c.date)
        assert all(b.previous == a.provider for a, b in itertools.pairwise(changes))


def test_complaints_follow_the_release_of_october() -> None:
    complaints = company.COMPLAINTS
    assert len(complaints) >= 120
    assert len({c.ticket_id for c in complaints}) == len(complaints)
    for c in complaints:
        assert c.created[:10] >= company.CRM_RELEASES[c.crm_version]
        assert c.quarter == f"{c.created[:4]}-Q{(int(c.created[5:7]) + 2) // 3}"
    assert company.CRM_RELEASES["V2.3.1"].startswith("2023-10")
    service = Counter((c.quarter, c.crm_version) for c in complaints if c.category == "服务")
    by_quarter = Counter(c.quarter for c in complaints if c.category == "服务")
    assert by_quarter["2023-Q4"] > 2 * by_quarter["2023-Q3"]
    assert service["2023-Q4", "V2.3.1"] > by_quarter["2023-Q4"] * 0.7
    assert service["2023-Q4", "V2.3.0"] > 0


def test_months_sum_to_the_quarters_revenue() -> None:
    quarters: Counter[tuple[str, str]] = Counter()
    for line, month, amount in company.revenue_by_month():
        quarters[line, f"{month[:4]}-Q{(int(month[5:]) + 2) // 3}"] += amount
    assert quarters == {
        (line, q): company.revenue(line, q) for line in company.PRODUCT_LINES for q in company.QUARTERS
    }
    growths = [company.growth(line, "2023-Q1", "2024-Q1") for line in company.PRODUCT_LINES]
    assert len({round(g, 3) for g in growths}) == len(growths)


def test_borrowers_meet_or_miss_the_rules() -> None:
    verdicts = {}
    for b in company.BORROWERS.values():
        last_six = [f"2024-{m:02d}" for m in range(1, 7)]
        verdicts[b.user_id] = (
            b.credit_score >= 650,
            b.debt / sum(b.income.values()) <= 0.5,
            all(m in b.income for m in last_six),
        )
    assert verdicts["U123"] == (True, True, True)
    assert verdicts["U456"] == (False, False, True)
    assert verdicts["U789"] == (True, True, False)


def test_one_vacuum_is_easy_and_within_the_budget() -> None:
    easy = [v for v in VACUUMS if "老人" in v.suits]
    assert [v.model for v in easy] == [company.EASY_VACUUM]
    assert easy[0].price < 2000
