"""From a ticket API's records to rows: the mapping of one dataset, changes unfolded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.base import DatasetSpec, Value
from adapters.errors import ConfigurationError, FormatError, SchemaDrift
from adapters.mapping import FieldMap, Found, Path, compile_path, plain

__all__ = ["Cell", "Record", "RowMap"]


@dataclass(frozen=True, slots=True)
class Record:
    """One record as the API gave it, its identity, and the address of the page on which it came."""

    data: Any
    key: str | None
    url: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A value, its words in the source, and its path within the record."""

    value: Value
    text: str | None
    path: str


class RowMap:
    """`locate` of one dataset, compiled. Raises ConfigurationError that names the key."""

    def __init__(self, dataset: DatasetSpec) -> None:
        locate = dataset.locate
        self.dataset = dataset.name
        self.format = str(locate.get("format", "json"))
        if self.format not in ("json", "xml"):
            raise ConfigurationError(f"format is json or xml, not {self.format!r}")
        self.namespaces = tuple((locate.get("namespaces") or {}).items())
        self.rows = self._path(str(locate.get("rows", "$" if self.format == "json" else ".")))
        container = self._container(self.rows.text)
        self.container = self._path(container) if container else None
        self.key = self._path(str(locate["key"])) if locate.get("key") else None
        types = {f.name: f.type for f in dataset.fields}
        self.fields = self._maps(locate.get("fields") or {}, types, "fields")
        changes = locate.get("changes") or {}
        unknown = set(changes) - {"each", "items", "where", "fields"}
        if unknown or (changes and not {"each", "items", "fields"} <= set(changes)):
            raise ConfigurationError("changes takes each, items, fields and, if wanted, where")
        self.each = self._path(str(changes["each"])) if changes else None
        self.items = self._path(str(changes["items"])) if changes else None
        self.where = [(self._path(str(p)), v) for p, v in (changes.get("where") or {}).items()]
        self.change_fields = self._maps(changes.get("fields") or {}, types, "changes.fields")
        self.columns = tuple(n for n in types if n in {m.name for m in [*self.fields, *self.change_fields]})
        unmapped = set(types) - set(self.columns)
        if unmapped:
            raise ConfigurationError(f"fields lacks a path for {', '.join(sorted(unmapped))}")

    def _path(self, text: str) -> Path:
        return compile_path(text, self.format, self.namespaces)

    def _maps(self, config: Mapping[str, Any], types: Mapping[str, str], where: str) -> list[FieldMap]:
        stray = set(config) - set(types)
        if stray:
            raise ConfigurationError(f"{where}.{min(stray)} is no field of the dataset")
        maps = [FieldMap(n, c, types[n], self.format, self.namespaces) for n, c in config.items()]
        if where == "fields" and any(m.of != "record" for m in maps):
            raise ConfigurationError("fields: of belongs to changes.fields")
        return maps

    def _container(self, rows: str) -> str:
        """The path that must be there even when no record is: an empty list is not a missing one."""
        if self.format == "json":
            return rows[: -len("[*]")] if rows.endswith("[*]") else ""
        head = rows.rpartition("/")[0]
        return "" if head in ("", ".") or head.endswith("/") else head

    def records(self, document: Any, url: str) -> list[Record]:
        """The records on one page. Raises SchemaDrift when the place for them is missing."""
        found = self.rows.find(document)
        if self.container is not None and (not found or self.format == "json"):
            places = self.container.find(document)
            # a JSONPath takes a lone object for a list of one
            if not places or (self.format == "json" and not all(isinstance(p.value, list) for p in places)):
                raise SchemaDrift(
                    f"there is no list of records at {self.rows.text}; the reply has {_names(document)}"
                )
        if self.rows.text == "$" and self.format == "json" and isinstance(document, list):
            found = [Found(d, f"$[{i}]") for i, d in enumerate(document)]
        return [Record(f.value, self._identity(f.value), url) for f in found]

    def _identity(self, record: Any) -> str | None:
        if self.key is None:
            return None
        found = self.key.find(record)
        value = plain(found[0].value) if found else None
        if value in (None, ""):
            raise SchemaDrift(f"a record has no key at {self.key.text}; it has {_names(record)}")
        return str(value)

    def check(self, records: list[Record]) -> None:
        """Raises SchemaDrift when a mapped path leads nowhere in all records (in some: the value is None)."""
        if not records:
            return
        for m in self.fields:
            if not any(m.path.find(r.data) for r in records):
                self._drift(m, records[0].data)
        if self.each is None or self.items is None:
            return
        container = compile_path(self.each.text.removesuffix("[*]"), self.format, self.namespaces)
        if self.format == "json" and not any(container.find(r.data) for r in records):
            raise SchemaDrift(f"no record has changes at {self.each.text}; it has {_names(records[0].data)}")
        parts = [p for r in records for p in self._changes(r)]
        for m in self.change_fields:
            if parts and not any(m.path.find(part[m.of].value) for part in parts):
                self._drift(m, parts[0][m.of].value)

    def _drift(self, m: FieldMap, example: Any) -> None:
        raise SchemaDrift(
            f"field {m.name}: nothing stands at {m.path.text} in any record, which has {_names(example)}; "
            f"mend locate of dataset {self.dataset}"
        )

    def unfold(self, record: Record) -> Iterator[dict[str, Cell]]:
        """The rows of one record: one, or one a change. Raises FormatError that names field, path and record."""
        base = {
            m.name: self._cell(m, record, Found(record.data, "$" if self.format == "json" else "."))
            for m in self.fields
        }
        if self.each is None:
            yield base
            return
        for parts in self._changes(record):
            row = {**base, **{m.name: self._cell(m, record, parts[m.of]) for m in self.change_fields}}
            yield {n: row[n] for n in self.columns}

    def _changes(self, record: Record) -> Iterator[dict[str, Found]]:
        assert self.each is not None and self.items is not None  # noqa: PT018
        for each in self.each.find(record.data):
            for item in self.items.find(each.value):
                if all(_is_any(p, item.value, wanted) for p, wanted in self.where):
                    yield {
                        "record": Found(record.data, "$" if self.format == "json" else "."),
                        "each": each,
                        "item": Found(item.value, _join(each.path, item.path)),
                    }

    def _cell(self, m: FieldMap, record: Record, part: Found) -> Cell:
        try:
            found = m.find(part.value)
            if found is None or found.value is None:
                return Cell(None, None, _join(part.path, found.path if found else m.path.text))
            return Cell(m.read(found.value), str(found.value), _join(part.path, found.path))
        except FormatError as e:
            of = f" of {record.key}" if record.key else ""
            raise FormatError(f"field {m.name}{of} at {m.path.text}: {e.message}") from e


def _join(outer: str, inner: str) -> str:
    """Two paths in a row: $.a[0] and $.b → $.a[0].b; ./a[1] and ./b → ./a[1]/b."""
    if outer in ("$", "."):
        return inner
    if inner.startswith("$"):
        return outer + inner[1:]
    return f"{outer}/{inner.removeprefix('./')}"


def _is_any(path: Path, item: Any, wanted: Any) -> bool:
    found = [plain(f.value) for f in path.find(item)]
    return any(str(t) == str(w) for t in found for w in (wanted if isinstance(wanted, list) else [wanted]))


def _names(document: Any) -> str:
    """What is there instead, for a message."""
    if isinstance(document, Mapping):
        return ", ".join(map(str, list(document)[:12])) or "nothing"
    if hasattr(document, "iterchildren"):
        return f"<{document.tag}> with " + (
            ", ".join(sorted({str(c.tag) for c in document.iterchildren()})[:12]) or "nothing"
        )
    return f"a {type(document).__name__}"
