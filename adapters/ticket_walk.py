"""All pages of one question to a ticket API, and nothing twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapters.base import DatasetSpec, Query
from adapters.errors import ConfigurationError, FormatError
from adapters.http_client import SNAPSHOT, Reply, Session
from adapters.mapping import parse_document
from adapters.paging import MAX_PAGES, Pager, Request
from adapters.ticket_rows import Record, RowMap
from adapters.values import check_filter

__all__ = ["MAX_RECORDS", "Walk", "Walked"]

MAX_RECORDS = 100_000


@dataclass(frozen=True, slots=True)
class Walked:
    """`reply` is the last page's; `snapshot` the beginning of all of them."""

    records: tuple[Record, ...]
    reply: Reply
    sent: Mapping[str, Any]
    snapshot: str


class Walk:
    """How one dataset is asked: path, parameters, paging. Raises ConfigurationError."""

    def __init__(self, base: str, dataset: DatasetSpec, rows: RowMap) -> None:
        locate = dataset.locate
        self.dataset = dataset.name
        self.url = base + str(locate["path"])
        self.method = str(locate.get("method", "GET")).upper()
        if self.method not in ("GET", "POST"):
            raise ConfigurationError(f"method is GET or POST, not {self.method}")
        self.params: Mapping[str, Any] = locate.get("params") or {}
        self.filters: Mapping[str, Any] = locate.get("filters") or {}
        self.rows = rows
        self.types = {f.name: f.type for f in dataset.fields}
        self.pager = Pager(locate.get("paging") or {}, rows.format, rows.namespaces)
        stray = set(self.filters) - set(rows.columns)
        if stray:
            raise ConfigurationError(f"filters.{min(stray)} is no field of the dataset")

    def run(self, session: Session, query: Query) -> Walked:
        """Raises FormatError when the pages are not sound: one twice, a record twice, fewer than stated."""
        first = request = self.pager.first(self.url, {**self.params, **self.pushed(query.filters)})
        records: list[Record] = []
        keys: set[str] = set()
        asked: list[Request] = []
        snapshot, total, before = "", None, b""
        while True:
            if request in asked:
                raise FormatError(
                    f"the source gave the same next page twice: {request.url} {dict(request.params)}"
                )
            if len(asked) >= MAX_PAGES:
                raise FormatError(f"more than {MAX_PAGES} pages; narrow the filters")
            asked.append(request)
            reply = self._ask(session, request)
            snapshot += reply.text[: max(0, SNAPSHOT - len(snapshot))]
            document = self._parse(reply)
            page = self.rows.records(document, reply.url)
            if page and reply.body == before:
                raise FormatError(f"{reply.url} gave the same page again")
            before = reply.body
            for record in page:
                if record.key is not None and record.key in keys:
                    raise FormatError(f"record {record.key} came twice; the pages are not sound")
                keys.add(record.key or "")
            records += page
            if len(records) > MAX_RECORDS:
                raise FormatError(f"more than {MAX_RECORDS} records; narrow the filters")
            stated = self.pager.total(document, reply.headers)
            total = stated if stated is not None else total
            following = self.pager.following(request, document, reply.headers, len(page), len(records))
            enough = query.limit is not None and not query.filters and len(records) >= query.limit
            if following is None or enough:
                break
            request = following
        if total is not None and len(records) < total and not enough:
            raise FormatError(f"the source states {total} records but gave {len(records)}")
        return Walked(tuple(records), reply, {"url": first.url, **first.params}, snapshot)

    def _ask(self, session: Session, request: Request) -> Reply:
        if self.method == "GET" or not request.params:
            return session.exchange("GET", request.url, params=request.params)
        return session.exchange("POST", request.url, body=dict(request.params))

    def _parse(self, reply: Reply) -> Any:
        try:
            return parse_document(reply.body, self.rows.format)
        except FormatError as e:
            kind = reply.headers.get("content-type", "no type")
            hint = "; perhaps a login page: check the source's auth" if "html" in kind else ""
            message = f"{reply.url.split('?')[0]}: {e.message} ({kind}){hint}"
            raise FormatError(message, status=reply.status, snapshot=reply.text[:SNAPSHOT]) from e

    def pushed(self, filters: Mapping[str, Any]) -> dict[str, Any]:
        """The filters that the server may apply itself: {field: {parameter, values, separator, from, to}}."""
        params: dict[str, Any] = {}
        for name, wanted in filters.items():
            if name not in self.rows.columns:
                raise FormatError(f"dataset {self.dataset} has no field {name!r} to filter on")
            check_filter(wanted, self.types[name])
            config = self.filters.get(name)
            if config is None:
                continue
            words = {str(k): v for k, v in (config.get("values") or {}).items()}
            if isinstance(wanted, Mapping):
                for end in ("from", "to"):
                    if config.get(end) and wanted.get(end) is not None:
                        params[str(config[end])] = wanted[end]
            elif isinstance(wanted, list | tuple):
                if config.get("parameter") and (config.get("separator") or len(wanted) == 1):
                    said = [str(words.get(str(w), w)) for w in wanted]
                    params[str(config["parameter"])] = str(config.get("separator", "")).join(said)
            elif config.get("parameter") and wanted is not None:
                params[str(config["parameter"])] = words.get(str(wanted), wanted)
        return params
