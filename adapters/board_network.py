"""The replies that a board's own page gets: raw rows, before they are rounded and painted."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from jsonpath_ng.exceptions import JSONPathError
from jsonpath_ng.parser import parse

from adapters.errors import ConfigurationError, SchemaDrift
from adapters.reading import Reading

__all__ = ["NetworkReply", "compiled", "wanted"]

FIRST = 20  # rows in which each field must stand at least once, for a reply to be the one that is meant


def wanted(url: str, pattern: str) -> bool:
    """Is `url` the one meant? `pattern` is a path, with its query when that matters, or a whole URL; `*` stands for
    anything."""
    parts = urlsplit(url)
    if "://" in pattern:
        subject = url
    elif "?" in pattern:
        subject = f"{parts.path}?{parts.query}"
    else:
        subject = parts.path
    # in fnmatch's own language `?` and `[` are wild too; in a URL they are themselves
    return fnmatch.fnmatchcase(subject, pattern.replace("[", "[[]").replace("?", "[?]"))


@lru_cache(maxsize=256)
def compiled(path: str) -> Any:
    """A JSONPath ready to use. Raises ConfigurationError when it is none."""
    try:
        return parse(path)
    except (JSONPathError, ValueError, TypeError, AttributeError) as e:
        raise ConfigurationError(f"{path!r} is no JSONPath: {e}") from e


@dataclass(frozen=True, slots=True)
class NetworkReply:
    """One JSON reply of the page, and its URL."""

    url: str
    document: Any
    title: str | None = None

    def fits(self, rows: str, fields: Mapping[str, str]) -> bool:
        """Are the rows there, and each field in one of the first rows? Quick, for large replies too."""
        found = compiled(rows).find(self.document)
        if not found:
            return _holder(rows, self.document)
        return all(any(compiled(p).find(m.value) for m in found[:FIRST]) for p in fields.values())

    def readings(self, rows: str, fields: Mapping[str, str]) -> list[dict[str, Reading]]:
        """For each match of the JSONPath `rows`, field → reading; `fields` are JSONPaths within a row.

        A field that some rows lack is None there. Raises SchemaDrift when all lack it, or when what should hold
        the rows is not there.
        """
        found = compiled(rows).find(self.document)
        if not found:
            if not _holder(rows, self.document):
                raise SchemaDrift(
                    f"reply {urlsplit(self.url).path}: nothing at {rows}; present: {_keys(self.document)}"
                )
            return []
        out: list[dict[str, Reading]] = []
        seen: set[str] = set()
        for match in found:
            base = re.sub(r"\.\[", "[", f"$.{match.full_path}")
            row = {}
            for name, path in fields.items():
                values = compiled(path).find(match.value)
                raw = values[0].value if values else None
                if values:
                    seen.add(name)
                text = "" if raw is None else raw if isinstance(raw, str) else str(raw)
                row[name] = Reading(text, raw=raw, column=_column(path), path=base + path.removeprefix("$"))
            out.append(row)
        missing = [fields[name] for name in fields if name not in seen]
        if missing:
            raise SchemaDrift(
                f"reply {urlsplit(self.url).path}: missing {'、'.join(missing)}; present: {_keys(found[0].value)}"
            )
        return out


def _holder(rows: str, document: Any) -> bool:
    """Is what should hold the rows there, if only empty?"""
    holder = re.sub(r"\[\*\]$|\.\*$", "", rows)
    return holder != rows and bool(compiled(holder).find(document))


def _column(path: str) -> str:
    return path.rsplit(".", 1)[-1].strip("[]'\"$")


def _keys(value: Any) -> str:
    if isinstance(value, Mapping):
        return "、".join(str(k) for k in list(value)[:20]) or "(no keys)"
    return f"a {type(value).__name__}"
