"""Lets through one plain SELECT and nothing else.

Functions are allowed by name, not refused by name: `pg_sleep`, `lo_import` and `load_extension` look like any
other call to a check that only asks whether the statement is a SELECT.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapters.errors import Refused

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["ALLOWED_FUNCTIONS", "MAX_LENGTH", "check_select"]

MAX_LENGTH = 10_000  # characters; a view is the place for more

ALLOWED_FUNCTIONS = frozenset(
    [
        "abs",
        "and",
        "any",
        "array_agg",
        "avg",
        "between",
        "case",
        "cast",
        "ceil",
        "ceiling",
        "coalesce",
        "concat",
        "concat_ws",
        "count",
        "count_if",
        "cume_dist",
        "current_date",
        "current_timestamp",
        "date",
        "date_add",
        "date_bin",
        "date_diff",
        "date_part",
        "date_str_to_date",
        "date_sub",
        "date_trunc",
        "datediff",
        "day",
        "day_of_month",
        "day_of_week",
        "day_of_year",
        "dayname",
        "dense_rank",
        "exists",
        "exp",
        "extract",
        "first",
        "first_value",
        "floor",
        "format",
        "greatest",
        "group_concat",
        "hour",
        "if",
        "ifnull",
        "iif",
        "instr",
        "json_extract",
        "json_extract_scalar",
        "jsonb_extract",
        "jsonb_extract_scalar",
        "julianday",
        "lag",
        "last",
        "last_day",
        "last_value",
        "lead",
        "least",
        "left",
        "len",
        "length",
        "ln",
        "log",
        "lower",
        "ltrim",
        "make_date",
        "max",
        "median",
        "min",
        "minute",
        "mod",
        "mode",
        "month",
        "monthname",
        "now",
        "ntile",
        "nullif",
        "or",
        "percent_rank",
        "percentile_cont",
        "percentile_disc",
        "pow",
        "power",
        "printf",
        "quantile",
        "quarter",
        "rank",
        "replace",
        "right",
        "round",
        "row_number",
        "rtrim",
        "second",
        "sign",
        "sqrt",
        "stddev",
        "stddev_pop",
        "stddev_samp",
        "str_position",
        "str_to_date",
        "str_to_time",
        "strftime",
        "string_agg",
        "strpos",
        "strptime",
        "substr",
        "substring",
        "sum",
        "time",
        "time_str_to_time",
        "time_to_str",
        "timestamp",
        "timestamp_trunc",
        "to_char",
        "to_date",
        "to_timestamp",
        "total",
        "trim",
        "trunc",
        "try_cast",
        "ts_or_ds_add",
        "ts_or_ds_diff",
        "ts_or_ds_to_date",
        "ts_or_ds_to_date_str",
        "ts_or_ds_to_time",
        "ts_or_ds_to_timestamp",
        "unixepoch",
        "upper",
        "var_pop",
        "var_samp",
        "variance",
        "variance_pop",
        "week",
        "week_of_year",
        "xor",
        "year",
    ]
)

_DIALECTS = {"sqlite": "sqlite", "duckdb": "duckdb", "postgresql": "postgres", "mysql": "mysql"}


def check_select(sql: str, dialect: str = "") -> None:
    """Raises Refused, in one line, unless `sql` is a single SELECT (or UNION of them) of allowed functions.

    `dialect` is SQLAlchemy's name: sqlite, duckdb, postgresql.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    if len(sql) > MAX_LENGTH:
        raise Refused(f"the SQL is {len(sql)} characters long; at most {MAX_LENGTH} are allowed")
    try:
        statements = [s for s in sqlglot.parse(sql, read=_DIALECTS.get(dialect)) if s is not None]
    except (SqlglotError, RecursionError) as e:
        raise Refused(f"the SQL cannot be parsed: {_one_line(e)}") from e
    if len(statements) != 1:
        raise Refused(f"the SQL holds {len(statements)} statements; exactly one SELECT is allowed")
    if not isinstance(statements[0], exp.Select | exp.SetOperation):
        raise Refused(f"the SQL is a {type(statements[0]).__name__.upper()}; only a SELECT is allowed")
    forbidden = (exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock, exp.Pragma, exp.Set, exp.Attach, exp.Copy)
    for node in statements[0].walk():
        if isinstance(node, forbidden) and not isinstance(node, exp.Query):
            raise Refused(f"the SQL holds {type(node).__name__.upper()}; only reading is allowed")
        if isinstance(node, exp.Table):
            _check_table(node.name or node.sql())
        if isinstance(node, exp.Func):
            _check_function(node)
        if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Func):
            raise Refused(f"the SQL calls {node.sql()[:60]}; a function with a schema is not allowed")


def _check_table(name: str) -> None:
    if not re.fullmatch(r"[\w$ ]+", name):  # DuckDB reads '/etc/passwd' or 'x.csv' as a table
        raise Refused(f"the SQL reads from {name[:60]!r}; only tables and views are allowed")


def _check_function(node: exp.Func) -> None:
    from sqlglot import exp

    names = {str(node.this)} if isinstance(node, exp.Anonymous) else set(type(node).sql_names())
    if not {n.lower() for n in names} & ALLOWED_FUNCTIONS:
        raise Refused(f"the SQL calls {min(names)}, which is not on the list of allowed functions")


def _one_line(error: Exception) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split("\n")[0][:200] or type(error).__name__
