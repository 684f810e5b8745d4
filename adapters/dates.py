"""Reads dates, months, quarters and datetimes as sources write them, in Chinese and English.

Only what can be read in one way is read: "1/2/2024" (January or February?) and "1月" (of which year?) are
errors. A datetime keeps its own zone; its date is the date as written there. Numbers are read as yyyymmdd,
yyyymm or a Unix time in seconds or milliseconds (UTC), as BI boards send them.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from email.utils import parsedate_to_datetime
from functools import lru_cache

from adapters.errors import FormatError

__all__ = ["GRANULARITIES", "bucket", "granularity", "ordinal", "read_time", "time_after"]

GRANULARITIES = ("year", "quarter", "month", "week", "date", "datetime")

_MONTHS = {
    name: i
    for i, names in enumerate(
        (
            "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july",
            "aug august", "sep sept september", "oct october", "nov november", "dec december",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_NUMERALS = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_WORD = r"(?P<word>[A-Za-z]{3,9})\.?"
_YEAR = r"(?P<y>\d{4})"

_QUARTER = [
    re.compile(rf"{_YEAR}\s*[-/年]?\s*q\s*(?P<q>[1-4])", re.I),
    re.compile(rf"q\s*(?P<q>[1-4])\s*[-/,]?\s*{_YEAR}", re.I),
    re.compile(rf"(?P<q>[1-4])\s*q\s*[-/,]?\s*{_YEAR}", re.I),
    re.compile(rf"{_YEAR}\s*年?\s*第?\s*(?P<q>[一二三四1-4])\s*季度?"),
]
_DATE = [
    re.compile(rf"{_YEAR}-(?P<m>\d{{1,2}})-(?P<d>\d{{1,2}})"),
    re.compile(rf"{_YEAR}/(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})"),
    re.compile(rf"{_YEAR}\.(?P<m>\d{{1,2}})\.(?P<d>\d{{1,2}})"),
    re.compile(rf"{_YEAR}(?P<m>\d{{2}})(?P<d>\d{{2}})"),
    re.compile(rf"{_YEAR}\s*年\s*(?P<m>\d{{1,2}})\s*月\s*(?P<d>\d{{1,2}})\s*[日号]"),
    re.compile(rf"{_WORD}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+{_YEAR}", re.I),
    re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[\s-]+{_WORD}[\s,-]+{_YEAR}", re.I),
]
_MONTH = [
    re.compile(rf"{_YEAR}\s*[-/.]\s*(?P<m>\d{{1,2}})"),
    re.compile(rf"{_YEAR}(?P<m>\d{{2}})"),
    re.compile(rf"{_YEAR}\s*年\s*(?P<m>\d{{1,2}})\s*月份?"),
    re.compile(rf"{_WORD}\s*[,-]?\s*{_YEAR}", re.I),
    re.compile(rf"{_YEAR}\s*-?\s*{_WORD}", re.I),
]
_CLOCK = re.compile(
    r"(?P<date>.*?\d日?)(?:\s*T\s*|\s+)(?P<h>\d{1,2})[:：](?P<min>\d{2})(?:[:：](?P<s>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?",
    re.I,
)


def read_time(raw: object, kind: str) -> str:
    """`raw` as a canonical value of type `kind` (date month quarter datetime). Raises FormatError."""
    return _read_text(raw, kind) if isinstance(raw, str) else _read(raw, kind)


def _read(raw: object, kind: str) -> str:
    moment = _moment(raw)
    if moment is not None:
        return _write(moment, kind, clock=isinstance(moment, dt.datetime))
    text = unicodedata.normalize("NFKC", str(raw)).strip()
    if kind == "quarter" and (found := _first(_QUARTER, text)):
        return f"{found['y']}-Q{_NUMERALS[found['q']]}"
    if kind in ("month", "quarter") and (found := _first(_MONTH, text)):
        return _write(_date(found, raw, day=1), kind, clock=False)
    if found := _first(_DATE, text):
        return _write(_date(found, raw), kind, clock=False)
    if (found := _CLOCK.fullmatch(text)) and (day := _first(_DATE, found["date"].strip())):
        return _write(_with_clock(_date(day, raw), found, raw), kind, clock=True)
    if "," in text and ":" in text:  # RFC 2822, as in mail and HTTP
        try:
            return _write(parsedate_to_datetime(text), kind, clock=True)
        except (ValueError, TypeError, IndexError, OverflowError):
            pass
    raise FormatError(f"cannot read {str(raw)[:60]!r} as a {kind}")


_read_text = lru_cache(maxsize=16_384)(
    _read
)  # a column repeats its dates, and reading one tries many patterns


def _first(patterns: list[re.Pattern[str]], text: str) -> re.Match[str] | None:
    for p in patterns:
        found = p.fullmatch(text)
        if found and (not found.groupdict().get("word") or found["word"].lower() in _MONTHS):
            return found
    return None


def _moment(raw: object) -> dt.date | None:
    if isinstance(raw, dt.date):
        return raw
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    try:
        if 1e8 <= raw < 1e10:
            return dt.datetime.fromtimestamp(raw, dt.UTC)
        if 1e11 <= raw < 1e13:
            return dt.datetime.fromtimestamp(raw / 1000, dt.UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _date(found: re.Match[str], raw: object, day: int | None = None) -> dt.date:
    groups = found.groupdict()
    month = int(groups["m"]) if groups.get("m") else _MONTHS[groups["word"].lower()]
    try:
        return dt.date(int(groups["y"]), month, day or int(groups["d"]))
    except ValueError as e:
        raise FormatError(f"cannot read {str(raw)[:60]!r} as a date: {e}") from e


def _with_clock(day: dt.date, found: re.Match[str], raw: object) -> dt.datetime:
    zone = (found["zone"] or "").upper()
    try:
        tz: dt.tzinfo | None = None
        if zone in ("Z", "UTC", "GMT"):
            tz = dt.UTC
        elif zone:
            minutes = int(zone[1:3]) * 60 + int(zone[-2:])
            tz = dt.timezone(dt.timedelta(minutes=minutes if zone[0] == "+" else -minutes))
        return dt.datetime(
            day.year, day.month, day.day, int(found["h"]), int(found["min"]), int(found["s"] or 0), tzinfo=tz
        )
    except ValueError as e:
        raise FormatError(f"cannot read {str(raw)[:60]!r} as a datetime: {e}") from e


def _write(moment: dt.date, kind: str, *, clock: bool) -> str:
    if kind == "datetime":
        if clock and isinstance(moment, dt.datetime):
            return moment.isoformat(timespec="seconds")
        return f"{moment.isoformat()[:10]}T00:00:00"
    return bucket(moment.isoformat()[:10], kind)


def granularity(value: str) -> str | None:
    """The grain of a canonical time: 'year', 'quarter', 'month', 'week', 'date', 'datetime'; None for another."""
    for grain, pattern in (
        ("year", r"\d{4}"),
        ("quarter", r"\d{4}-Q[1-4]"),
        ("month", r"\d{4}-(0[1-9]|1[0-2])"),
        ("week", r"\d{4}-W\d{2}"),
        ("date", r"\d{4}-\d{2}-\d{2}"),
        ("datetime", r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([+-]\d{2}:\d{2})?"),
    ):
        if re.fullmatch(pattern, value, re.ASCII):
            return grain
    return None


def bucket(value: str, grain: str) -> str:
    """The year, quarter, month, ISO week or day that holds the canonical time `value`.

    Raises FormatError when `value` is coarser than `grain` (a quarter has no month).
    """
    own = granularity(value)
    if own is None or grain not in GRANULARITIES:
        raise FormatError(f"cannot put {value[:60]!r} into a {grain}")
    if own == grain or (own == "datetime" and grain == "date"):
        return value[:10]
    if grain == "year":
        return value[:4]
    if own in ("date", "datetime"):
        if grain == "month":
            return value[:7]
        if grain == "week":
            year, week, _ = dt.date.fromisoformat(value[:10]).isocalendar()
            return f"{year:04d}-W{week:02d}"
    if grain == "quarter" and own in ("date", "datetime", "month"):
        return f"{value[:4]}-Q{(int(value[5:7]) + 2) // 3}"
    raise FormatError(f"cannot put the {own} {value!r} into a {grain}")


def time_after(value: str, grain: str, steps: int = 1) -> str:
    """The canonical time `steps` whole grains after `value` (year quarter month week date)."""
    if grain == "year":
        return f"{int(value) + steps:04d}"
    if grain == "quarter":
        n = int(value[:4]) * 4 + int(value[6]) - 1 + steps
        return f"{n // 4:04d}-Q{n % 4 + 1}"
    if grain == "month":
        n = int(value[:4]) * 12 + int(value[5:7]) - 1 + steps
        return f"{n // 12:04d}-{n % 12 + 1:02d}"
    if grain == "week":
        monday = dt.date.fromisocalendar(int(value[:4]), int(value[6:]), 1) + dt.timedelta(weeks=steps)
        return bucket(monday.isoformat(), "week")
    return (dt.date.fromisoformat(value[:10]) + dt.timedelta(days=steps)).isoformat()


def ordinal(time: str, grain: str) -> int:
    """A canonical time as a count of its grain, so that gaps count: months, quarters, years, weeks or days."""
    if grain == "year":
        return int(time)
    if grain == "quarter":
        return int(time[:4]) * 4 + int(time[6]) - 1
    if grain == "month":
        return int(time[:4]) * 12 + int(time[5:7]) - 1
    if grain == "week":
        return dt.date.fromisocalendar(int(time[:4]), int(time[6:]), 1).toordinal() // 7
    return dt.date.fromisoformat(time[:10]).toordinal()
