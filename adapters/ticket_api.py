"""Ticket systems and other HTTP APIs of records, JSON or XML, by a mapping in YAML (docs/sources.md).

Every filter is checked again here, since a server may ignore one that it does not know and send every ticket.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from adapters.base import DatasetSpec, Evidence, Locator, Query, Raw, Resources, SourceSpec
from adapters.errors import ConfigurationError, FormatError, Refused, SourceError
from adapters.http_client import SNAPSHOT, HttpClient, Reply, Session
from adapters.mapping import parse_document
from adapters.summary import summarise
from adapters.ticket_rows import Cell, Record, RowMap
from adapters.ticket_walk import Walk
from adapters.ticket_write import WriteMap, Written
from adapters.values import matches, place_in_filters

__all__ = ["KEYS", "TicketApi", "TicketReply"]

KEYS = {
    "changes", "fields", "filters", "format", "key", "link", "method", "namespaces", "paging", "params", "path",
    "rows", "write",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TicketReply:
    records: tuple[Record, ...]


class TicketApi:
    """One API. Raises ConfigurationError for a mapping that cannot work, naming dataset and key."""

    def __init__(self, spec: SourceSpec, resources: Resources) -> None:
        self.spec = spec
        self._base = str(spec.connection.get("url") or "").rstrip("/")
        if urlsplit(self._base).scheme not in ("http", "https"):
            raise ConfigurationError(
                f"source {spec.name}: connection.url must be an http(s) address", source=spec.name
            )
        self._http = HttpClient(spec)
        self._rows: dict[str, RowMap] = {}
        self._walks: dict[str, Walk] = {}
        self._writes: dict[str, WriteMap] = {}
        for name, dataset in spec.datasets.items():
            with self._named(f"dataset {name}: locate"):
                self._compile(name, dataset)

    def _compile(self, name: str, dataset: DatasetSpec) -> None:
        unknown = set(dataset.locate) - KEYS
        if unknown:
            raise ConfigurationError(f"{min(unknown)} is not a key of a ticket_api source")
        if dataset.locate.get("write"):
            if not self.spec.side_effect:
                raise ConfigurationError("write needs side_effect: true on the source")
            self._writes[name] = WriteMap(dataset)
            return
        if not dataset.locate.get("path"):
            raise ConfigurationError("path is missing")
        rows = self._rows[name] = RowMap(dataset)
        self._walks[name] = Walk(self._base, dataset, rows)

    @contextmanager
    def _named(self, where: str = "") -> Iterator[None]:
        """Puts the source's name into errors of the parts below, which do not know it."""
        try:
            yield
        except SourceError as e:
            if not e.source:
                e.source = self.spec.name
                e.message = f"source {self.spec.name}: {where + ': ' if where else ''}{e.message}"
                e.args = (e.message,)
            raise

    def query(self, query: Query) -> Raw:
        dataset = self._dataset(query.dataset)
        with self._named(), self._http.session(query.timeout_s) as session:
            if dataset.name in self._writes:
                return self._write(session, dataset, query)
            if self.spec.side_effect:
                raise Refused(
                    "a source with side effects is only written to; this dataset has no locate.write"
                )
            walk = self._walks[dataset.name].run(session, query)
            return self._raw(query, TicketReply(walk.records), walk.reply, walk.sent, walk.snapshot)

    def _raw(self, query: Query, payload: Any, reply: Reply, sent: Mapping[str, Any], snapshot: str) -> Raw:
        return Raw(
            query=query,
            payload=payload,
            status=reply.status,
            headers=reply.headers,
            url=reply.url,
            read_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            sent=sent,
            snapshot=snapshot,
        )

    def _write(self, session: Session, dataset: DatasetSpec, query: Query) -> Raw:
        write = self._writes[dataset.name]
        if not query.idempotency_key:
            raise Refused("not written: a write needs an idempotency key")
        if not query.values:
            raise Refused("not written: there are no values")
        path, body = write.request(query.values)
        reply = session.exchange(
            write.method, self._base + path, body=body, headers={"Idempotency-Key": query.idempotency_key}
        )
        try:
            document = parse_document(reply.body, "json") if reply.body.strip() else None
        except FormatError:
            document = None  # it was written all the same; `validate` tells that the receipt is missing
        sent = {"method": write.method, "path": path, "body": body, "idempotency_key": query.idempotency_key}
        return self._raw(query, Written(reply, document), reply, sent, reply.text[:SNAPSHOT])

    def validate(self, raw: Raw) -> None:
        with self._named():
            if isinstance(raw.payload, TicketReply):
                self._rows[raw.query.dataset].check(list(raw.payload.records))
                return
            self._writes[raw.query.dataset].check(raw.payload)

    def normalise(self, raw: Raw) -> Evidence:
        with self._named():
            if isinstance(raw.payload, Written):
                return self._writes[raw.query.dataset].evidence(self.spec.name, raw)
            dataset, mapped = self._dataset(raw.query.dataset), self._rows[raw.query.dataset]
            types = {f.name: f.type for f in dataset.fields}
            kept: list[tuple[dict[str, Cell], Record]] = []
            for record in raw.payload.records:
                for cells in mapped.unfold(record):
                    if matches({n: c.value for n, c in cells.items()}, raw.query.filters, types):
                        kept.append((cells, record))
            kept.sort(
                key=lambda k: place_in_filters(
                    {n: c.value for n, c in k[0].items()}, raw.query.filters, types
                )
            )
            kept = kept[: raw.query.limit] if raw.query.limit is not None else kept
        rows = tuple({n: cells[n].value for n in mapped.columns} for cells, _ in kept)
        return Evidence(
            kind="records",
            source=self.spec.name,
            dataset=dataset.name,
            columns=mapped.columns,
            rows=rows,
            locators=tuple(self._places(dataset, cells, record, raw) for cells, record in kept),
            types={n: types[n] for n in mapped.columns},
            summary=summarise(rows, {n: types[n] for n in mapped.columns}, dataset.grain),
            read_at=raw.read_at,
        )

    def _places(
        self, dataset: DatasetSpec, cells: Mapping[str, Cell], record: Record, raw: Raw
    ) -> dict[str, Locator]:
        link = str(dataset.locate.get("link") or "")
        url = record.url
        if link:
            words = {"key": record.key or "", **{n: str(c.value or "") for n, c in cells.items()}}
            for name, word in words.items():
                link = link.replace("{" + name + "}", quote(word, safe=""))
            url = link if "://" in link else self._base + link
        return {
            name: Locator(
                kind="ticket",
                source=self.spec.name,
                dataset=dataset.name,
                field=name,
                text=cell.text,
                url=url,
                read_at=raw.read_at,
                key=record.key,
                path=cell.path,
            )
            for name, cell in cells.items()
        }

    def probe(self) -> Sequence[Query]:
        return [Query(dataset=name, timeout_s=self.spec.timeout_s, limit=1) for name in self._rows]

    def ping(self, timeout_s: float) -> None:
        path = str(self.spec.connection.get("ping") or "/")
        with self._named(), self._http.session(timeout_s) as session:
            try:
                session.exchange("GET", self._base + path)
            except FormatError as e:
                if self.spec.connection.get("ping") or e.status is None:
                    raise  # without a path to ask, any answer of the server will do

    def close(self) -> None:
        """Nothing stays open between queries."""

    def _dataset(self, name: str) -> DatasetSpec:
        try:
            return self.spec.datasets[name]
        except KeyError:
            known = ", ".join(self.spec.datasets)
            raise FormatError(f"source {self.spec.name} has no dataset {name!r}; it has {known}") from None
