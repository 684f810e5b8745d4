"""SQL databases: SQLite, DuckDB, PostgreSQL. Reads one table, view or configured SELECT per dataset.

Read-only twice over: a configured SELECT passes `adapters.select_guard`, and the connection itself can only read
(`adapters.sql_engine`). Filters are bound parameters. Each value's locator holds the statement that fetches it.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapters.base import DatasetSpec, Evidence, Query, Raw, Resources, SourceSpec, Value
from adapters.errors import ConfigurationError, FormatError, SchemaDrift, SourceError
from adapters.sql_engine import first_line, mask, open_engine, reading
from adapters.sql_locators import Places
from adapters.summary import summarise
from adapters.values import canonical, matches, place_in_filters

if TYPE_CHECKING:
    from sqlalchemy import Connection, FromClause

__all__ = ["MAX_ROWS", "Sql", "SqlReply"]

MAX_ROWS = 100_000  # rows a query may return; more calls for a narrower filter or a view that aggregates


@dataclass(frozen=True, slots=True)
class SqlReply:
    """Rows as stored, each parallel to `fields`."""

    fields: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    statement: str


class Sql:
    """One database. Raises ConfigurationError, also for a configured SELECT that is not a plain one."""

    def __init__(self, spec: SourceSpec, resources: Resources) -> None:
        self.spec = spec
        self._engine = open_engine(spec, resources)
        self._sources = {name: self._source(dataset) for name, dataset in spec.datasets.items()}

    def _source(self, dataset: DatasetSpec) -> FromClause:
        import sqlalchemy as sa

        from adapters.select_guard import check_select

        where = f"source {self.spec.name}, dataset {dataset.name}: locate"
        unknown = set(dataset.locate) - {"table", "select", "columns"}
        if unknown:
            raise ConfigurationError(
                f"{where}.{min(unknown)} is not a key of a sql source", source=self.spec.name
            )
        columns: list[Any] = [sa.column(c) for c in self._columns(dataset).values()]
        table, select = dataset.locate.get("table"), dataset.locate.get("select")
        if bool(table) == bool(select):
            raise ConfigurationError(f"{where} needs either table or select", source=self.spec.name)
        if table:
            schema, _, name = str(table).rpartition(".")
            return sa.table(name, *columns, schema=schema or None)
        try:
            check_select(str(select), self._engine.dialect.name)
        except SourceError as e:
            raise ConfigurationError(f"{where}.select: {e.message}", source=self.spec.name) from e
        return sa.text(self._select(dataset)).columns(*columns).subquery("q")

    @staticmethod
    def _select(dataset: DatasetSpec) -> str:
        return (
            str(dataset.locate["select"]).strip().rstrip(";").replace(":", r"\:")
        )  # a colon is no parameter here

    @staticmethod
    def _columns(dataset: DatasetSpec) -> dict[str, str]:
        mapped = dataset.locate.get("columns") or {}
        return {f.name: str(mapped.get(f.name, f.name)) for f in dataset.fields}

    def query(self, query: Query) -> Raw:
        import sqlalchemy as sa
        from sqlalchemy.exc import SQLAlchemyError

        dataset = self._dataset(query.dataset)
        source, columns = self._sources[dataset.name], self._columns(dataset)
        try:
            with reading(self._engine, self.spec.name, query.timeout_s) as connection:
                self._check_columns(connection, dataset)
                statement = sa.select(*(source.c[c] for c in columns.values()))
                statement = self._filtered(connection, statement, dataset, query)
                order = [source.c[columns[g]] for g in dataset.grain if g in columns]
                if order:
                    statement = statement.order_by(*order)
                statement = statement.limit(MAX_ROWS + 1)
                compiled = statement.compile(self._engine, compile_kwargs={"render_postcompile": True})
                rows = tuple(tuple(r) for r in connection.execute(statement))
        except SQLAlchemyError as e:
            message = f"source {self.spec.name}: the database refused the query: {first_line(e)}"
            raise FormatError(message, source=self.spec.name) from e
        if len(rows) > MAX_ROWS:
            message = (
                f"source {self.spec.name}: more than {MAX_ROWS} rows of {dataset.name}; narrow the filters"
            )
            raise FormatError(message, source=self.spec.name)
        text = " ".join(str(compiled).split())
        return Raw(
            query=query,
            payload=SqlReply(tuple(columns), rows, text),
            url=self._engine.url.render_as_string(hide_password=True) if self._engine.url.database else "",
            read_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            sent={"sql": text, "parameters": mask(compiled.params)},
            snapshot=json.dumps([list(columns), *rows[:500]], ensure_ascii=False, default=str)[: 64 * 1024],
        )

    def _filtered(self, connection: Connection, statement: Any, dataset: DatasetSpec, query: Query) -> Any:
        from adapters.sql_filters import condition

        source, columns = self._sources[dataset.name], self._columns(dataset)
        for name, wanted in query.filters.items():
            if name not in columns:
                message = (
                    f"source {self.spec.name}: dataset {dataset.name} has no field {name!r} to filter on"
                )
                raise FormatError(message, source=self.spec.name)
            try:
                part = condition(
                    connection, source, source.c[columns[name]], wanted, dataset.field(name).type
                )
            except FormatError as e:
                raise FormatError(f"source {self.spec.name}: filter on {name}: {e.message}") from e
            if part is not None:
                statement = statement.where(part)
        return statement

    def _check_columns(self, connection: Connection, dataset: DatasetSpec) -> None:
        """SQLite reads a quoted name that is no column as a text, so the columns are looked up first."""
        import sqlalchemy as sa
        from sqlalchemy.exc import SQLAlchemyError

        source = self._sources[dataset.name]
        named = str(dataset.locate.get("table") or "the select")
        from_ = source if dataset.locate.get("table") else sa.text(f"({self._select(dataset)}) AS q")
        try:
            present = list(connection.execute(sa.select(sa.text("*")).select_from(from_).limit(0)).keys())
        except SQLAlchemyError as e:
            if "interrupt" in str(e).lower() or "timeout" in str(e).lower():
                raise
            message = f"source {self.spec.name}: {named} cannot be read: {first_line(e)}"
            raise SchemaDrift(message, source=self.spec.name) from e
        missing = [c for c in self._columns(dataset).values() if c not in present]
        if missing:
            message = (
                f"source {self.spec.name}: {named} has no column {', '.join(missing)}; "
                f"it has {', '.join(present)}; mend locate.columns of dataset {dataset.name}"
            )
            raise SchemaDrift(message, source=self.spec.name)

    def validate(self, raw: Raw) -> None:
        reply: SqlReply = raw.payload
        if any(len(r) != len(reply.fields) for r in reply.rows):
            message = (
                f"source {self.spec.name}: rows of another width than the {len(reply.fields)} columns asked"
            )
            raise FormatError(message, source=self.spec.name)

    def normalise(self, raw: Raw) -> Evidence:
        dataset = self._dataset(raw.query.dataset)
        reply: SqlReply = raw.payload
        types = {f.name: f.type for f in dataset.fields}
        places = Places(self.spec.name, dataset, self._columns(dataset), self._engine.dialect, reply.rows)
        kept = [
            (row, stored)
            for stored in reply.rows
            if matches(row := self._read(stored, reply.fields, types, dataset.name), raw.query.filters, types)
        ]
        kept.sort(key=lambda k: place_in_filters(k[0], raw.query.filters, types))
        kept = kept[: raw.query.limit] if raw.query.limit is not None else kept
        rows = [row for row, _ in kept]
        return Evidence(
            kind="table",
            source=self.spec.name,
            dataset=dataset.name,
            columns=reply.fields,
            rows=tuple(rows),
            locators=tuple(places.locate(stored, row, raw) for row, stored in kept),
            types=types,
            summary=summarise(rows, types, dataset.grain),
            read_at=raw.read_at,
        )

    def _read(
        self, stored: Sequence[Any], fields: Sequence[str], types: Mapping[str, str], dataset: str
    ) -> dict[str, Value]:
        row: dict[str, Value] = {}
        for name, value in zip(fields, stored, strict=True):
            try:
                row[name] = canonical(value, types[name])
            except FormatError as e:
                message = f"source {self.spec.name}, dataset {dataset}: {name}: {e.message}"
                raise FormatError(message, source=self.spec.name) from e
        return row

    def probe(self) -> Sequence[Query]:
        return [Query(dataset=name, timeout_s=self.spec.timeout_s, limit=1) for name in self.spec.datasets]

    def ping(self, timeout_s: float) -> None:
        import sqlalchemy as sa

        with reading(self._engine, self.spec.name, timeout_s) as connection:
            connection.execute(sa.text("SELECT 1"))

    def close(self) -> None:
        self._engine.dispose()

    def _dataset(self, name: str) -> DatasetSpec:
        try:
            return self.spec.datasets[name]
        except KeyError:
            known = ", ".join(self.spec.datasets)
            raise FormatError(f"source {self.spec.name} has no dataset {name!r}; it has {known}") from None
