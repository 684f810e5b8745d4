"""The demo company's two databases: the sales warehouse (SQLite) and the lending arm's accounts (DuckDB)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from demo import company

__all__ = ["write_core_bank", "write_warehouse"]

# Revenue is booked by month; the view sums it to the quarters that reports speak of.
_WAREHOUSE = """
CREATE TABLE revenue_by_month (
    product_line TEXT NOT NULL, month TEXT NOT NULL, revenue INTEGER NOT NULL, PRIMARY KEY (product_line, month)
);
CREATE TABLE orders (
    order_id TEXT PRIMARY KEY, product TEXT NOT NULL, status TEXT NOT NULL, price INTEGER NOT NULL, ordered_on TEXT NOT NULL
);
CREATE VIEW v_sales AS
    SELECT product_line,
           substr(month, 1, 4) || '-Q' || ((CAST(substr(month, 6) AS INTEGER) + 2) / 3) AS quarter,
           SUM(revenue) AS revenue
    FROM revenue_by_month GROUP BY 1, 2;
"""
_CORE_BANK = """
CREATE TABLE loans (user_id VARCHAR, lender VARCHAR, balance DECIMAL(12, 2), monthly_payment DECIMAL(12, 2));
CREATE TABLE income (user_id VARCHAR, month VARCHAR, amount DECIMAL(12, 2));
"""


def write_warehouse(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(_WAREHOUSE)
        database.executemany("INSERT INTO revenue_by_month VALUES (?, ?, ?)", company.revenue_by_month())
        database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?)", company.ORDERS)


def write_core_bank(path: Path) -> None:
    import duckdb

    borrowers = company.BORROWERS.values()
    with closing(duckdb.connect(str(path))) as database:
        for statement in filter(str.strip, _CORE_BANK.split(";")):
            database.execute(statement)
        database.executemany(
            "INSERT INTO loans VALUES (?, ?, ?, ?)",
            [(b.user_id, *loan) for b in borrowers for loan in b.loans],
        )
        database.executemany(
            "INSERT INTO income VALUES (?, ?, ?)",
            [(b.user_id, *row) for b in borrowers for row in b.income.items()],
        )
