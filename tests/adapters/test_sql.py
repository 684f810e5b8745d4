"""The SQL adapter on real SQLite and DuckDB files, and the guard before it."""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.base import DatasetSpec, Evidence, FieldSpec, Query, Resources, SourceSpec
from adapters.errors import ConfigurationError, FormatError, Refused, SchemaDrift, Timeout, Unavailable
from adapters.select_guard import check_select
from adapters.sql import Sql
from adapters.sql_engine import reading
from adapters.sql_filters import MAX_DISTINCT

FIELDS = (FieldSpec("line", "text"), FieldSpec("quarter", "quarter"), FieldSpec("revenue", "money"))
ROWS = [
    ("扫地机", "2023Q1", 100.0),
    ("扫地机", "2024年第一季度", 130.25),
    ("O'Neil", "2024-Q1", 7.0),
    ("空调", "2024-Q2", None),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two databases of the same content; the tests only read them."""
    tmp_path = tmp_path_factory.mktemp("home")
    for connection in (sqlite3.connect(tmp_path / "w.sqlite"), duckdb.connect(str(tmp_path / "w.duckdb"))):
        connection.execute('CREATE TABLE sales (line VARCHAR, "季度" VARCHAR, revenue DOUBLE)')
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?)", ROWS)
        connection.execute("CREATE TABLE orders (id INTEGER, day DATE, amount DOUBLE, note VARCHAR)")
        for k in range(0, 3000, 1000):
            values = ",".join(
                f"({n}, '2024-{n % 12 + 1:02d}-{n % 28 + 1:02d}', {n / 10}, 'Note {n}')"
                for n in range(k, k + 1000)
            )
            connection.execute(f"INSERT INTO orders VALUES {values}")
        if isinstance(connection, sqlite3.Connection):
            connection.commit()
        connection.close()
    return tmp_path


def source(
    home: Path,
    url: str,
    locate: dict[str, Any],
    fields: tuple[FieldSpec, ...] = FIELDS,
    grain: Any = ("line", "quarter"),
) -> Sql:
    spec = SourceSpec(
        "wh", "sql", {"d": DatasetSpec("d", fields, grain, locate=locate)}, connection={"url": url}
    )
    return Sql(spec, Resources(home))


def ask(adapter: Sql, filters: dict[str, Any] | None = None, **more: Any) -> Evidence:
    raw = adapter.query(Query("d", filters or {}, **{"timeout_s": 5, **more}))
    adapter.validate(raw)
    return adapter.normalise(raw)


URLS = ["sqlite:///${home}/w.sqlite", "duckdb:///${home}/w.duckdb"]
TABLE = {"table": "sales", "columns": {"quarter": "季度"}}
SELECT = {"select": """SELECT line, "季度" AS quarter, revenue, 'a:b 100%' AS noise FROM sales;"""}


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("locate", [TABLE, SELECT])
def test_rows_and_the_statement_that_fetches_each(home: Path, url: str, locate: dict[str, Any]) -> None:
    evidence = ask(source(home, url, locate), {"quarter": "2024-Q1", "line": ["扫地机", "o'neil"]})
    assert evidence.rows == (
        {"line": "扫地机", "quarter": "2024-Q1", "revenue": 130.25},
        {"line": "O'Neil", "quarter": "2024-Q1", "revenue": 7.0},
    )
    connection = (
        sqlite3.connect(home / "w.sqlite") if "sqlite" in url else duckdb.connect(str(home / "w.duckdb"))
    )
    for n, row in enumerate(evidence.rows):
        place = evidence.locate(n, "revenue")
        assert place is not None
        assert place.sql is not None
        assert connection.execute(place.sql).fetchall() == [(row["revenue"],)]
        assert place.row == f"{row['line']} · 2024-Q1"
        assert place.text == str(row["revenue"])
        assert place.url is not None
        assert place.url.endswith(url[-4:])
    connection.close()


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({}, 3000),
        ({"id": "17"}, 1),
        ({"id": ["17", 18, "x"]}, 2),
        ({"note": "note 17"}, 1),
        ({"note": "x' OR '1'='1"}, 0),
        ({"day": {"from": "2024-01-01", "to": "2024-01-31"}}, 250),
        ({"day": "2024-01"}, 250),
        ({"day": {"from": "2024-Q4", "to": None}}, 750),
        ({"amount": {"from": 299.0, "to": None}}, 10),
        ({"amount": 299.0}, 1),
    ],
)
def test_filters_on_columns_with_many_values(
    home: Path, url: str, filters: dict[str, Any], count: int
) -> None:
    fields = (
        FieldSpec("id", "text"),
        FieldSpec("day", "date"),
        FieldSpec("amount", "money"),
        FieldSpec("note", "text"),
    )
    assert MAX_DISTINCT < 3000
    assert len(ask(source(home, url, {"table": "orders"}, fields, ("id",)), filters).rows) == count


@pytest.mark.parametrize("url", URLS)
def test_nothing_found_is_no_error(home: Path, url: str) -> None:
    assert ask(source(home, url, TABLE), {"line": "none"}).rows == ()
    assert len(ask(source(home, url, TABLE), {"line": [None, "空调"]}).rows) == 1


@pytest.mark.parametrize("url", URLS)
def test_a_renamed_column_is_drift(home: Path, url: str) -> None:
    with pytest.raises(SchemaDrift, match="no column quarter; it has line, 季度, revenue"):
        ask(source(home, url, {"table": "sales"}))
    with pytest.raises(SchemaDrift, match="nowhere cannot be read"):
        ask(source(home, url, {"table": "nowhere"}))


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize(
    "sql", ["INSERT INTO sales VALUES ('x', 'y', 1)", "DROP TABLE sales", "CREATE TABLE t (a INT)"]
)
def test_the_connection_itself_cannot_write(home: Path, url: str, sql: str) -> None:
    import sqlalchemy as sa
    from sqlalchemy.exc import DBAPIError

    adapter = source(home, url, TABLE)
    with (
        pytest.raises(DBAPIError, match=r"read-?only|disabled"),
        reading(adapter._engine, "wh", 5) as connection,
    ):
        connection.execute(sa.text(sql))


def test_duckdb_cannot_read_files(home: Path) -> None:
    import sqlalchemy as sa
    from sqlalchemy.exc import DBAPIError

    (home / "secret.csv").write_text("a\n1\n")
    adapter = source(home, URLS[1], TABLE)
    with pytest.raises(DBAPIError, match="disabled"), reading(adapter._engine, "wh", 5) as connection:
        connection.execute(sa.text(f"SELECT * FROM read_csv('{home}/secret.csv')"))


SLOW = {
    URLS[
        0
    ]: "WITH RECURSIVE r(line) AS (SELECT 1 UNION ALL SELECT line + 1 FROM r) SELECT line, 1 AS quarter, 2 AS revenue FROM r WHERE line < 0",
    URLS[
        1
    ]: "SELECT count(*) AS revenue, 'x' AS line, '2024Q1' AS quarter FROM orders a, orders b, orders c, orders d WHERE a.amount * b.amount = c.amount - d.amount + 0.05",
}


@pytest.mark.parametrize("url", URLS)
def test_a_statement_that_does_not_end_is_cut_off(home: Path, url: str) -> None:
    adapter = source(home, url, {"select": SLOW[url]})
    started = time.monotonic()
    with pytest.raises(Timeout, match=r"cut off after 0\.5 s"):
        ask(adapter, timeout_s=0.5)
    assert time.monotonic() - started < 2
    adapter.ping(5)


@pytest.mark.parametrize("url", URLS)
def test_several_threads_at_once(home: Path, url: str) -> None:
    adapter = source(home, url, TABLE)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: len(ask(adapter, {"quarter": "2024-Q1"}).rows), range(16)))
    assert found == [2] * 16


def test_the_file_is_not_there(tmp_path: Path) -> None:
    for url in ("sqlite:///${home}/none.sqlite", "duckdb:///${home}/none.duckdb"):
        with pytest.raises(Unavailable, match="no database file"):
            ask(source(tmp_path, url, TABLE))
        with pytest.raises(Unavailable):
            source(tmp_path, url, TABLE).ping(1)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no database" * 1000)
    for url in ("sqlite:///${home}/x", "duckdb:///${home}/x"):
        with pytest.raises((Unavailable, FormatError)) as caught:
            ask(source(tmp_path, url, TABLE))
        assert "\n" not in str(caught.value)


def test_a_relative_path_counts_from_the_project(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spec = SourceSpec(
        "wh", "sql", {"d": DatasetSpec("d", FIELDS, locate=TABLE)}, connection={"url": "env:WAREHOUSE"}
    )
    monkeypatch.setenv("WAREHOUSE", "sqlite:///w.sqlite")
    adapter = Sql(spec, Resources(Path("elsewhere"), settings={"root": str(home)}))
    assert len(ask(adapter).rows) == 4


def test_the_probe_reads_one_row(home: Path) -> None:
    adapter = source(home, URLS[0], TABLE)
    (query,) = adapter.probe()
    assert len(adapter.normalise(adapter.query(query)).rows) == 1
    adapter.close()


@pytest.mark.parametrize(
    ("filters", "match"),
    [({"colour": "red"}, "no field 'colour'"), ({"revenue": "soon"}, "filter on revenue")],
)
def test_filters_that_cannot_be(home: Path, filters: dict[str, Any], match: str) -> None:
    with pytest.raises(FormatError, match=match):
        ask(source(home, URLS[0], TABLE), filters)


def test_an_unreadable_value_names_field_and_value(home: Path) -> None:
    fields = (FieldSpec("line", "money"), *FIELDS[1:])
    with pytest.raises(FormatError, match=r"dataset d: line: cannot read .*Neil.* as a money"):
        ask(source(home, URLS[0], TABLE, fields))


@pytest.mark.parametrize(
    ("url", "locate", "match"),
    [
        (URLS[0], {}, "either table or select"),
        (URLS[0], {"table": "t", "select": "SELECT 1"}, "either table or select"),
        (URLS[0], {"tabel": "t"}, "tabel is not a key"),
        (URLS[0], {"select": "DELETE FROM sales"}, "only a SELECT"),
        ("", TABLE, r"connection\.url is missing"),
        ("oracle://x", TABLE, "oracle is not one of sqlite, duckdb, postgresql"),
        ("not a url", TABLE, r"connection\.url"),
    ],
)
def test_a_source_that_cannot_work(home: Path, url: str, locate: dict[str, Any], match: str) -> None:
    with pytest.raises(ConfigurationError, match=match):
        source(home, url, locate)


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT a, pg_sleep(5) FROM t", "postgresql"),
        ("SELECT lo_import('/etc/passwd')", "postgresql"),
        ("SELECT pg_catalog.pg_sleep(1)", "postgresql"),
        ("SELECT * FROM pg_read_file('x')", "postgresql"),
        ("SELECT a INTO b FROM t", "postgresql"),
        ("SELECT * FROM t FOR UPDATE", "postgresql"),
        ("WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", "postgresql"),
        ("SELECT * FROM t; DROP TABLE t", "sqlite"),
        ("SELECT load_extension('x')", "sqlite"),
        ("ATTACH 'x' AS y", "sqlite"),
        ("PRAGMA writable_schema = 1", "sqlite"),
        ("SELECT * FROM read_csv('/etc/passwd')", "duckdb"),
        ("SELECT * FROM '/etc/passwd'", "duckdb"),
        ("SELECT * FROM \"x.csv\"", "duckdb"),
        ("SELECT getenv('HOME')", "duckdb"),
        ("COPY t TO 'x'", "duckdb"),
        ("INSTALL httpfs", "duckdb"),
        ("SELECT " + "(" * 3000 + "1" + ")" * 3000, "sqlite"),
        ("SELECT " + "1," * 6000 + "1", "sqlite"),
        ("", "sqlite"),
        ("SELECT FROM WHERE", "sqlite"),
    ],
)  # fmt: skip
def test_the_guard_refuses(sql: str, dialect: str) -> None:
    with pytest.raises(Refused) as caught:
        check_select(sql, dialect)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT strftime('%Y', d) AS y, count(*), coalesce(a, '') || b FROM t GROUP BY 1", "sqlite"),
        ("SELECT substr(d, 1, 4) || '-Q' || ((cast(strftime('%m', d) AS integer) + 2) / 3) FROM t", "sqlite"),
        (
            "WITH x AS (SELECT 1 a) SELECT sum(a) OVER (PARTITION BY a) FROM x WHERE a IN (1) AND NOT a = 2",
            "duckdb",
        ),
        ("SELECT a FROM t UNION ALL SELECT b FROM u ORDER BY 1 LIMIT 3;", "duckdb"),
        ("SELECT a->>'x', a::text, date_trunc('month', c), extract(year from d) FROM s.t", "postgresql"),
        ("SELECT 订单 FROM 销售", "duckdb"),
    ],
)
def test_the_guard_lets_through(sql: str, dialect: str) -> None:
    check_select(sql, dialect)


words = st.sampled_from(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "a",
        "b",
        "t",
        "*",
        "(",
        ")",
        ",",
        ";",
        "'",
        '"',
        "--",
        "/*",
        "*/",
        "UNION",
        "WITH",
        "x",
        "AS",
        "DELETE",
        "INTO",
        "1",
        "'x'",
        "::",
        "count(",
        "pg_sleep(",
        "CASE",
        "END",
        "||",
        "$1",
    ]
)


@settings(deadline=None)
@given(
    st.one_of(st.text(max_size=80), st.lists(words, max_size=20).map(" ".join)),
    st.sampled_from(["sqlite", "duckdb", "postgresql", ""]),
)
def test_the_guard_raises_nothing_but_refused(sql: str, dialect: str) -> None:
    try:
        check_select(sql, dialect)
    except Refused:
        return
    assert not sql.lstrip().upper().startswith("DELETE")
