"""The date a document gives itself: when it was last changed, else made, by its own properties.

Of the content, not of the file: a copy or a move does not change it.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

__all__ = ["date_of", "day_number", "span_of"]


def date_of(path: Path) -> int:
    """YYYYMMDD; 0 when the document says none or something unreadable."""
    try:
        found = _word(path) if path.suffix.lower() == ".docx" else _pdf(path)
    except (
        Exception
    ):  # the properties of a damaged file make the readers raise anything; the text may be sound
        return 0
    return day_number(found) if found and 1990 <= found.year <= 2100 else 0


def _pdf(path: Path) -> date | None:
    from pypdf import PdfReader

    with path.open("rb") as f:
        reader = PdfReader(f)
        if reader.is_encrypted:
            reader.decrypt("")
        about: Any = reader.metadata
        if about is None:
            return None
        found = about.modification_date or about.creation_date
    return found.date() if isinstance(found, datetime) else None


def _word(path: Path) -> date | None:
    import docx

    about = docx.Document(str(path)).core_properties
    found = about.modified or about.created
    return found.date() if found else None


def day_number(day: date) -> int:
    return day.year * 10000 + day.month * 100 + day.day


def span_of(text: str) -> tuple[int, int]:
    """First and last day of '2024', '2024-03' or '2024-03-09', as YYYYMMDD. Raises ValueError."""
    found = re.fullmatch(r"(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?", text.strip())
    if not found:
        raise ValueError(text)
    year, month, day = (int(v) if v else None for v in found.groups())
    date(year or 0, month or 1, day or 1)  # raises for what the calendar does not have
    first = (year or 0) * 10000 + (month or 1) * 100 + (day or 1)
    return first, (year or 0) * 10000 + (month or 12) * 100 + (day or 31)
