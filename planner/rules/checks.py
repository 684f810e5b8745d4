"""Validation strings: what the rows of a step must hold for the question to be answered from them."""

from __future__ import annotations

import re
from typing import Any

from planner.periods import listed_periods
from planner.rules.fetch import Derive, Fetch
from planner.rules.lexicon import Table

__all__ = ["derive_check", "fetch_check"]

_PLAIN = re.compile(r"[A-Za-z0-9_\u4e00-\u9fff.-]+")
_MOST_COVERED = 12  # values a `covers` may list: a year of months
_GROUPED = ("count", "sum", "mean", "min", "max", "share")
_OWN = {"share": "share", "rank": "rank", "correlate": "n"}  # the operation's own column beside `value`


def fetch_check(fetch: Fetch, filters: dict[str, Any], counted: bool) -> str:
    """Of records that are counted, none is an answer too; of one named record or of figures it is not."""
    counted = counted and not any(f.name in filters for f in fetch.table.identities[:1])
    clauses = [f"has_columns: [{', '.join(_columns(fetch, filters, counted))}]"]
    clauses.append("rows >= 0" if counted else "rows >= 1")
    clauses += _covers(fetch.table, filters)
    return " AND ".join(clauses)


def derive_check(one: Derive) -> str:
    grouped = one.by if one.operation in _GROUPED else []  # a comparison folds the field that it runs over
    columns = [_quote(name) for name in grouped]
    if one.operation == "join" and one.value is None:
        columns += one.by  # of records without a measure, a join has no value of its own
    else:
        columns.append("value")
    if own := _OWN.get(one.operation):
        columns.append(own)
    rows = f"rows >= {0 if one.operation == 'count' and one.by else 1}"
    return f"has_columns: [{', '.join(dict.fromkeys(columns))}] AND {rows}" if columns else rows


def _columns(fetch: Fetch, filters: dict[str, Any], counted: bool) -> list[str]:
    """Grain, groups, filters and what is asked for; of one record that nothing particular is asked of, all of it."""
    table = fetch.table
    held = [f.name for f in fetch.source.datasets[_index(fetch)].fields]
    prose = [
        f.name
        for f in table.fields.values()
        if f.type == "text" and not f.values and f not in table.identities
    ]
    named = [*table.dataset.grain, *fetch.groups, *filters, *fetch.wanted]
    if table.record:
        one = any(f.name in filters and not isinstance(filters[f.name], list) for f in table.identities)
        if one and not counted:
            named += held
        elif not fetch.wanted or counted:
            named += [*table.measures, *prose]
    else:
        measured = [n for n in fetch.wanted if n not in table.dataset.grain]
        named += measured or table.measures or held
        if all(f.name not in table.dataset.grain for f in table.time_fields):
            named += held  # a state of things: everything known of it
    return list(dict.fromkeys(n for n in named if n in held))


def _index(fetch: Fetch) -> int:
    return next(i for i, d in enumerate(fetch.source.datasets) if d.name == fetch.table.dataset.name)


def _covers(table: Table, filters: dict[str, Any]) -> list[str]:
    """Values that the question lists must all occur; of records, only those that the list itself names."""
    found = []
    for name, value in filters.items():
        if table.record and name not in table.dataset.grain and not isinstance(value, list):
            continue
        listed = listed_values(value, table, name)
        if 2 <= len(listed) <= _MOST_COVERED:
            found.append(f"covers: {name} [{', '.join(_quote(v) for v in listed)}]")
    return found


def listed_values(value: Any, table: Table, name: str) -> list[Any]:
    """The values of a list, or of a closed range of months or quarters."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or value.get("from") is None or value.get("to") is None:
        return []
    if table.fields[name].type not in ("month", "quarter"):
        return []
    listed = listed_periods(str(value["from"]), str(value["to"])) or []
    return listed if len(listed) <= _MOST_COVERED else []


def _quote(value: Any) -> str:
    shown = str(value)
    return shown if _PLAIN.fullmatch(shown) and not shown.isdigit() else '"' + shown.replace('"', '\\"') + '"'
