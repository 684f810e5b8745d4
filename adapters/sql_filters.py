"""Filters as bound SQL conditions that never lose a row which the local check would keep.

The database compares what is stored, the catalogue what is meant: '2024年1月', '2024-01-01' and 2024-01 are one
month. So for each filtered column the distinct stored values are read first, at most MAX_DISTINCT of them, and
those that mean what is asked become `column IN (…)`. A column with more values (an id, a date) is compared in
the database only where that is safe: texts by equality, native dates and numbers by range. All rows are checked
again here anyway.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from adapters.errors import FormatError
from adapters.values import MEASURES, canonical, check_filter, matches

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, FromClause

__all__ = ["MAX_DISTINCT", "condition"]

MAX_DISTINCT = 1000


def condition(
    connection: Connection, source: FromClause, column: ColumnElement[Any], wanted: Any, field_type: str
) -> ColumnElement[bool] | None:
    """The condition on `column` for one filter, or None when only the local check can tell.

    Raises FormatError when the filter cannot be read as `field_type`.
    """
    import sqlalchemy as sa

    check_filter(wanted, field_type)
    stored = connection.execute(sa.select(column).select_from(source).distinct().limit(MAX_DISTINCT + 1))
    values = [row[0] for row in stored]
    if len(values) <= MAX_DISTINCT:
        kept = [v for v in values if _means(v, wanted, field_type)]
        found = (
            column.in_([v for v in kept if v is not None]) if any(v is not None for v in kept) else sa.false()
        )
        return sa.or_(found, column.is_(None)) if None in kept else found
    if field_type == "text":
        return _equal_text(column, wanted)
    if isinstance(wanted, Mapping):
        return _range(column, wanted, field_type, values)
    return None


def _means(stored: Any, wanted: Any, field_type: str) -> bool:
    try:
        return matches({"v": canonical(stored, field_type)}, {"v": wanted}, {"v": field_type})
    except FormatError:
        return True  # unreadable: fetched, so that the reader fails with the row in hand


def _equal_text(column: ColumnElement[Any], wanted: Any) -> ColumnElement[bool] | None:
    import sqlalchemy as sa

    if isinstance(wanted, Mapping):
        return None
    values = wanted if isinstance(wanted, list | tuple) else [wanted]
    words = [str(v).strip() for v in values if v is not None]
    if len(words) < len(values) or any(not c.isascii() and c.lower() != c.upper() for w in words for c in w):
        return None  # the databases' lower() disagree on letters beyond ASCII
    stored = sa.func.lower(sa.func.trim(sa.cast(column, sa.String)))
    return stored.in_([w.lower() for w in words])


def _range(
    column: ColumnElement[Any], wanted: Mapping[str, Any], field_type: str, sample: list[Any]
) -> ColumnElement[bool] | None:
    import sqlalchemy as sa

    low, high = wanted.get("from"), wanted.get("to")
    parts: list[ColumnElement[bool]] = []
    if field_type in MEASURES and all(isinstance(v, int | float | Decimal | None) for v in sample):
        for bound, sign in ((low, -1), (high, 1)):
            if bound is not None:
                number = float(canonical(bound, field_type) or 0)
                slack = number + sign * abs(number) * 1e-9
                parts.append(column >= slack if sign < 0 else column <= slack)
    elif field_type == "date" and all(type(v) in (dt.date, type(None)) for v in sample):
        for bound, sign in ((low, -1), (high, 1)):
            if bound is not None:
                day = _day(str(bound), field_type, last=sign > 0)
                parts.append(column >= day if sign < 0 else column <= day)
    return sa.and_(*parts) if parts else None


def _day(bound: str, field_type: str, *, last: bool) -> dt.date:
    from adapters.dates import bucket, granularity, time_after

    grain = granularity(bound)
    if grain in ("year", "quarter", "month"):
        if last:
            return _day(time_after(bound, grain), field_type, last=False) - dt.timedelta(days=1)
        year, month = int(bound[:4]), 1
        if grain == "month":
            month = int(bound[5:7])
        elif grain == "quarter":
            month = int(bound[6]) * 3 - 2
        return dt.date(year, month, 1)
    return dt.date.fromisoformat(bucket(str(canonical(bound, field_type)), "date"))
