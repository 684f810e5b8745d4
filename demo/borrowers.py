"""The customers who asked the demo company for a loan: credit, debts and twelve months of income.

By the company's own rules (score at least 650; debts at most 50 % of a year's income; six unbroken months of
income) U123 and U234 pass, U456 fails on score and ratio, U789 on a month without income.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["BORROWERS", "INCOME_MONTHS", "Borrower", "Loan"]

INCOME_MONTHS = tuple(f"2023-{m:02d}" for m in range(7, 13)) + tuple(f"2024-{m:02d}" for m in range(1, 7))


class Loan(NamedTuple):
    lender: str
    balance: int  # yuan still owed
    monthly_payment: int


class Borrower(NamedTuple):
    user_id: str
    credit_score: int
    query_date: str
    loans: tuple[Loan, ...]
    income: Mapping[str, int]  # yuan by month, without the months in which nothing came in

    @property
    def debt(self) -> int:
        """All that is still owed, in yuan."""
        return sum(loan.balance for loan in self.loans)


def _borrower(
    user_id: str, score: int, queried: str, loans: tuple[Loan, ...], income: tuple[int | None, ...]
) -> Borrower:
    months = {m: i for m, i in zip(INCOME_MONTHS, income, strict=True) if i is not None}
    return Borrower(user_id, score, queried, loans, months)


_ALL = (
    _borrower(
        "U123", 712, "2024-06-28",
        (Loan("汽车贷款", 38_000, 1_850), Loan("家电分期", 12_300, 1_025), Loan("信用卡分期", 24_500, 1_385)),
        (15_200, 15_200, 15_400, 15_200, 15_200, 18_600, 15_600, 15_200, 15_800, 15_600, 15_600, 15_900),
    ),
    _borrower(
        "U234", 688, "2024-06-30",
        (Loan("家电分期", 6_400, 800), Loan("信用卡分期", 9_600, 960)),
        (9_800, 9_800, 9_800, 10_100, 9_800, 12_400, 9_900, 9_800, 10_200, 9_900, 9_900, 10_000),
    ),
    _borrower(
        "U456", 618, "2024-06-25",
        (Loan("消费贷款", 86_000, 4_300), Loan("信用卡分期", 41_500, 3_460)),
        (11_000, 11_200, 10_800, 11_000, 9_600, 12_500, 10_400, 9_900, 10_800, 10_600, 10_700, 10_500),
    ),
    _borrower(
        "U789", 665, "2024-07-01",
        (Loan("家电分期", 18_000, 1_500),),
        (7_600, 7_600, 7_900, 7_600, 7_600, 9_200, 7_700, 7_600, None, 7_800, 7_700, 7_900),
    ),
    _borrower(
        "U902", 741, "2024-07-03",
        (Loan("住房贷款", 96_000, 3_900),),
        (22_500, 22_500, 22_800, 22_500, 22_500, 31_000, 23_100, 22_500, 23_000, 23_000, 23_000, 23_400),
    ),
)  # fmt: skip

BORROWERS = {b.user_id: b for b in _ALL}
