"""Values in the catalogue's own terms: read (`canonical`), compared with filters (`matches`), shown (`show`)."""

from __future__ import annotations

import datetime as dt
import math
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from adapters.amounts import read_amount
from adapters.base import Value
from adapters.dates import GRANULARITIES, bucket, granularity, read_time
from adapters.errors import FormatError

__all__ = ["MEASURES", "TIMES", "canonical", "check_filter", "matches", "place_in_filters", "show"]

MEASURES = frozenset({"number", "percent", "money", "integer"})
TIMES = frozenset({"date", "month", "quarter", "datetime"})

_ABSENT = frozenset({"", "-", "--", "—", "–", "n/a", "na", "null", "none", "nan", "无", "/"})
_TRUE = frozenset({"true", "yes", "y", "t", "1", "on", "是", "有"})
_FALSE = frozenset({"false", "no", "n", "f", "0", "off", "否", "无", "没有"})


def canonical(raw: object, field_type: str) -> Value:
    """`raw`, as a source wrote it, in canonical form (see `adapters.base`); None when it says that there is none.

    Raises FormatError when it cannot be read as `field_type`; never guesses.
    """
    if raw is None or (isinstance(raw, float | Decimal) and math.isnan(raw)):
        return None
    if field_type == "text":
        return _text(raw)
    if isinstance(raw, str):
        word = unicodedata.normalize("NFKC", raw).strip().lower()
        if field_type == "bool" and word in _FALSE:
            return False
        if word in _ABSENT:
            return None
    if isinstance(raw, Mapping | list | tuple | set | bytes):
        raise FormatError(f"cannot read a {type(raw).__name__} as a {field_type}")
    if field_type in TIMES:
        return read_time(raw, field_type)
    if field_type in MEASURES:
        return read_amount(raw, field_type)
    if field_type == "bool":
        return _bool(raw)
    raise FormatError(f"unknown field type {field_type!r}")


def _text(raw: object) -> str | None:
    if isinstance(raw, Mapping | list | tuple | set | bytes):
        raise FormatError(f"cannot read a {type(raw).__name__} as a text; map a path to a single value")
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, float) and raw.is_integer() and abs(raw) < 1e15:
        raw = int(raw)  # an id that a spreadsheet or pandas made a float
    if isinstance(raw, dt.datetime | dt.date):
        raw = raw.isoformat()
    return str(raw).strip() or None


def _bool(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    word = str(raw).strip().lower()
    if word in _TRUE | {"1.0"}:
        return True
    if word in _FALSE | {"0.0"}:
        return False
    raise FormatError(f"cannot read {str(raw)[:60]!r} as a bool")


def matches(row: Mapping[str, Value], filters: Mapping[str, Any], types: Mapping[str, str]) -> bool:
    """Does a row of canonical values satisfy every filter (literal, list, or {"from", "to"}, both inclusive)?

    Texts are equal regardless of case and width. A filter coarser than a time holds for all of it: the filter
    "2024-01" takes every date of that month. None matches only None. Raises FormatError when a filter's field is
    not in the row or its value cannot be read: a filter that cannot be checked must not pass in silence.
    """
    for name, wanted in filters.items():
        if name not in row:
            raise FormatError(f"the filter on {name!r} cannot be checked: the rows have no such field")
        value, kind = row[name], types.get(name, "text")
        try:
            if not _holds(value, wanted, kind):
                return False
        except FormatError as e:
            raise FormatError(f"filter on {name!r}: {e}") from e
    return True


def check_filter(wanted: Any, kind: str) -> None:
    """Raises FormatError when a filter's value cannot be read as `kind`: before a source is asked."""
    if isinstance(wanted, Mapping):
        if set(wanted) - {"from", "to"}:
            raise FormatError(f"a range has the keys from and to, not {sorted(map(str, wanted))}")
        wanted = [wanted.get("from"), wanted.get("to")]
    for value in wanted if isinstance(wanted, list | tuple | set | frozenset) else [wanted]:
        if value is None or (kind in TIMES and granularity(str(value).strip())):
            continue
        if canonical(value, kind) is None:
            raise FormatError(f"{value!r} is no {kind}")


def _holds(value: Value, wanted: Any, kind: str) -> bool:
    if isinstance(wanted, Mapping):
        if set(wanted) - {"from", "to"}:
            raise FormatError(f"a range has the keys from and to, not {sorted(map(str, wanted))}")
        return value is not None and all(
            _compare(value, bound, kind) * sign >= 0
            for bound, sign in ((wanted.get("from"), 1), (wanted.get("to"), -1))
            if bound is not None
        )
    if isinstance(wanted, list | tuple | set | frozenset):
        return any(_holds(value, w, kind) for w in wanted)
    if value is None or wanted is None:
        return value is None and wanted is None
    return _compare(value, wanted, kind) == 0


def _compare(value: Any, wanted: Any, kind: str) -> int:
    """Negative, 0 or positive as `value` is before, at or after `wanted`."""
    if kind in TIMES:
        return _compare_times(str(value), wanted, kind)
    right = canonical(wanted, kind)
    if right is None:
        raise FormatError(f"{wanted!r} is no {kind}")
    if kind == "text":
        a, b = _fold(value), _fold(right)
        return (a > b) - (a < b)
    if math.isclose(value, right, rel_tol=1e-9, abs_tol=1e-12):  # type: ignore[arg-type]
        return 0
    return 1 if value > right else -1


def _compare_times(value: str, wanted: Any, kind: str) -> int:
    text = str(wanted).strip()
    grain = granularity(text)
    own = granularity(value)
    if grain and own and GRANULARITIES.index(grain) <= GRANULARITIES.index(own):
        a, b = (bucket(value, grain), text) if grain != "datetime" else (value, text)
    else:
        a, b = value, str(canonical(wanted, kind))
    if len(a) > 19 and len(b) > 19:  # both with their zone: compare the instants
        x, y = dt.datetime.fromisoformat(a), dt.datetime.fromisoformat(b)
        return (x > y) - (x < y)
    a, b = (a[:19], b[:19]) if "T" in a else (a, b)
    return (a > b) - (a < b)


def place_in_filters(
    row: Mapping[str, Value], filters: Mapping[str, Any], types: Mapping[str, str]
) -> list[int]:
    """A sort key that puts rows in the order in which the filters' lists name their texts (the item asked about first)."""
    out = []
    for name, wanted in filters.items():
        if isinstance(wanted, list | tuple) and types.get(name, "text") == "text":
            words = [_fold(w) for w in wanted]
            word = _fold(row.get(name))
            out.append(words.index(word) if word in words else len(words))
    return out


def _fold(text: object) -> str:
    return unicodedata.normalize("NFKC", str(text)).strip().casefold()


def show(value: Value, field_type: str) -> str:
    """A canonical value as a person reads it: 0.052 percent → "5.2%", 1599.0 money → "1,599", None → "—"."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if field_type == "percent":
        return f"{_trim(f'{value * 100:,.2f}')}%"
    if field_type == "integer" or (isinstance(value, int) and field_type != "money"):
        return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.0f}"
    if field_type == "money":
        return _trim(f"{value:,.2f}")
    return f"{value:.4g}" if 0 < abs(value) < 0.1 else _trim(f"{value:,.4f}")


def _trim(text: str) -> str:
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
