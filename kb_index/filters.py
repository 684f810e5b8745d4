"""What a question's filters mean in one version: names and titles as people write them into a store's conditions."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from kb_index.dates import span_of
from kb_index.errors import BadSettings
from kb_index.store import Where
from kb_index.versions import Manifest

__all__ = ["FILTERS", "Names", "where_of"]

FILTERS = ("doc", "section", "page", "kind", "table_id", "date")


class Names:
    """A version's documents and sections under the names that people may use, made once a version."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest

    @cached_property
    def documents(self) -> list[tuple[str, tuple[str, ...]]]:
        return [
            (f.document, tuple(map(_plain, (f.document, f.document.rpartition("/")[2], f.title))))
            for f in self._manifest.files
        ]

    @cached_property
    def sections(self) -> list[tuple[str, tuple[str, ...]]]:
        every = {s for f in self._manifest.files for s in f.sections}
        above = {" > ".join(s.split(" > ")[: n + 1]) for s in every for n in range(s.count(" > ") + 1)}
        return [(s, (_plain(s), _plain(s.split(" > ")[-1]))) for s in sorted(above)]


def where_of(names: Names, filters: Mapping[str, Any], roles: Sequence[str]) -> Where:
    """Raises BadSettings for a filter that there is not, or a value that it cannot be."""
    unknown = sorted(set(filters) - set(FILTERS))
    if unknown:
        raise BadSettings(
            f"documents cannot be filtered by {', '.join(unknown)}; only by {', '.join(FILTERS)}"
        )
    documents = sections = None
    if filters.get("doc") is not None:
        documents = _meant(filters["doc"], names.documents)
    if filters.get("section") is not None:
        sections = _meant(filters["section"], names.sections)
    return Where(
        documents=documents,
        sections=sections,
        kinds=_words(filters.get("kind")),
        tables=_words(filters.get("table_id")),
        pages=_pages(filters["page"]) if filters.get("page") is not None else None,
        dates=_dates(filters["date"]) if filters.get("date") is not None else None,
        roles=tuple(roles),
    )


def _meant(value: Any, named: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[str, ...]:
    wanted = [_plain(v) for v in _listed(value)]
    return tuple(it for it, names in named if any(_names(w, names) for w in wanted))


def _names(wanted: str, names: Sequence[str]) -> bool:
    """Is one of these meant: the same, or a part of it that does not stop inside a number (2.3.1 is not 2.3.10)."""
    for name in names:
        at = name.find(wanted)
        while wanted and at >= 0:
            before, after = name[at - 1 : at], name[at + len(wanted) : at + len(wanted) + 1]
            if not (wanted[0].isdigit() and before.isdigit()) and not (
                wanted[-1].isdigit() and after.isdigit()
            ):
                return True
            at = name.find(wanted, at + 1)
    return False


def _plain(value: Any) -> str:
    text = unicodedata.normalize("NFKC", str(value)).casefold()
    return "".join(ch for ch in text if not ch.isspace() and ch not in "《》\"'_")


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | set) else [value]


def _words(value: Any) -> tuple[str, ...] | None:
    return None if value is None else tuple(str(v) for v in _listed(value))


def _pages(value: Any) -> tuple[int | None, int | None]:
    try:
        if isinstance(value, Mapping):
            first, last = value.get("from"), value.get("to")
            return (None if first is None else int(first)), (None if last is None else int(last))
        numbers = [int(v) for v in _listed(value)]
        return min(numbers), max(numbers)
    except (TypeError, ValueError):
        raise BadSettings(f"page must be a number, a list of them or {{from, to}}, not {value!r}") from None


def _dates(value: Any) -> tuple[int | None, int | None]:
    """A day, month or year as ISO text, a list of them, or {from, to}, both inclusive."""
    try:
        if isinstance(value, Mapping):
            first, last = value.get("from"), value.get("to")
            return (
                None if first is None else span_of(str(first))[0],
                None if last is None else span_of(str(last))[1],
            )
        spans = [span_of(str(v)) for v in _listed(value)]
        return min(s[0] for s in spans), max(s[1] for s in spans)
    except ValueError:
        raise BadSettings(
            f"date must be a year, month or day (2024, 2024-03, 2024-03-09), a list or {{from, to}}, not {value!r}"
        ) from None
