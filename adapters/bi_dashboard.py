"""BI boards, read through a browser: by the replies that their pages get, else by the DOM, else by OCR.

A board is opened afresh for each query; filters are applied here, to canonical values. A value read by OCR says so
in its locator and in the evidence's notes.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import time
from collections.abc import Iterator, Mapping, Sequence

import httpx

from adapters import ocr
from adapters.base import DatasetSpec, Evidence, Locator, Query, Raw, Resources, SourceSpec, Value
from adapters.board_mapping import Mapped, board_of, mapped
from adapters.board_reply import BoardReply
from adapters.board_visit import Drawn, visit
from adapters.browser import Chromium
from adapters.errors import ConfigurationError, FormatError, SourceError, Timeout, Unavailable
from adapters.reading import Reading
from adapters.summary import summarise
from adapters.values import canonical, matches, show

__all__ = ["BiDashboard"]

SNAPSHOT_BYTES = 64 * 1024
CUT_OFF_S = 0.5  # the page's own waits end this much before the hard cut-off, and say what was missing
MIN_SCORE = 0.6  # the setting `ocr_min_score`: a label that OCR read with less is not believed


class BiDashboard:
    """See docs/sources.md, `bi_dashboard`, for the keys of `connection` and `locate`."""

    def __init__(self, spec: SourceSpec, resources: Resources) -> None:
        self._spec = spec
        self._resources = resources
        with self._named():
            self._board = board_of(spec)
            self._ways: dict[str, Mapped] = {
                n: mapped(self._board, spec, d) for n, d in spec.datasets.items()
            }
        self._least_score = float(resources.settings.get("ocr_min_score", MIN_SCORE))

    def query(self, query: Query, /) -> Raw:
        deadline = time.monotonic() + query.timeout_s
        _, way = self._asked(query)
        home = self._resources.home
        if way.element and not (way.network_url or way.table):
            ocr.warm_up(home)  # while the browser loads the page
        chromium = Chromium.shared(self._resources)
        with self._named():
            seen = chromium.run(
                lambda: visit(
                    chromium, self._board, way, self._spec.auth, self._spec.name, deadline - CUT_OFF_S
                ),
                query.timeout_s,
            )
            read_at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
            boxes: Sequence[ocr.TextBox] = ()
            if isinstance(seen.found, Drawn):
                boxes = ocr.read_text(seen.found.png, home, deadline - time.monotonic())
        reply = BoardReply(seen.found, boxes)
        return Raw(
            query,
            reply,
            status=seen.status,
            headers=seen.headers,
            url=seen.url,
            read_at=read_at,
            sent={"url": way.url},
            snapshot=reply.snapshot(SNAPSHOT_BYTES),
        )

    def validate(self, raw: Raw, /) -> None:
        dataset, way = self._asked(raw.query)
        with self._named(snapshot=raw.snapshot):
            for number, row in enumerate(self._readings(raw, dataset, way), 1):
                for name, reading in row.items():
                    _understood(reading, name, dataset, number)

    def normalise(self, raw: Raw, /) -> Evidence:
        dataset, way = self._asked(raw.query)
        reply: BoardReply = raw.payload
        types = {f.name: f.type for f in dataset.fields}
        fixed = {n: canonical(v, types[n]) for n, v in way.constants.items()}
        rows: list[Mapping[str, Value]] = []
        places: list[Mapping[str, Locator]] = []
        with self._named():
            for number, read in enumerate(self._readings(raw, dataset, way), 1):
                values = {n: _understood(r, n, dataset, number) for n, r in read.items()}
                row = {n: fixed[n] if n in fixed else values[n][0] for n in types}
                if not matches(row, raw.query.filters, types):
                    continue
                texts = {n: values[n][1] if n in values else str(way.constants[n]) for n in types}
                rows.append(row)
                places.append(self._places(raw, reply, read, texts, _key(row, dataset, types, number)))
                if raw.query.limit is not None and len(rows) >= raw.query.limit:
                    break
        return Evidence(
            "table",
            self._spec.name,
            dataset.name,
            tuple(types),
            tuple(rows),
            tuple(places),
            types,
            summary=summarise(rows, types, dataset.grain),
            read_at=raw.read_at,
            notes=_notes(reply, places),
        )

    def probe(self) -> Sequence[Query]:
        return [Query(name, timeout_s=self._spec.timeout_s) for name in self._spec.datasets]

    def ping(self, timeout_s: float) -> None:
        """Asks for the login page, else the board. Raises Unavailable or Timeout."""
        url = self._board.login.url if self._board.login else self._board.url
        with self._named():
            try:
                reply = httpx.get(url, timeout=timeout_s, follow_redirects=True)
            except httpx.TimeoutException:
                raise Timeout(f"no reply from {url} within {timeout_s:g} s") from None
            except httpx.HTTPError as e:
                raise Unavailable(f"no connection to {url}: {e}") from e
            if reply.status_code >= 500:
                raise Unavailable(f"{url} answers {reply.status_code}", status=reply.status_code)

    def close(self) -> None:
        """Nothing of its own: the browser is closed with the resources."""

    def _asked(self, query: Query) -> tuple[DatasetSpec, Mapped]:
        if query.dataset not in self._ways:
            raise ConfigurationError(
                f"source {self._spec.name} has no dataset {query.dataset!r}; it has {', '.join(self._ways)}",
                source=self._spec.name,
            )
        return self._spec.datasets[query.dataset], self._ways[query.dataset]

    def _readings(self, raw: Raw, dataset: DatasetSpec, way: Mapped) -> list[dict[str, Reading]]:
        reply: BoardReply = raw.payload
        return reply.readings(dataset, way, self._least_score)

    def _places(
        self, raw: Raw, reply: BoardReply, read: Mapping[str, Reading], texts: Mapping[str, str], key: str
    ) -> dict[str, Locator]:
        return {
            name: Locator(
                "cell",
                self._spec.name,
                raw.query.dataset,
                field=name,
                text=text,
                url=raw.url,
                read_at=raw.read_at,
                table=reply.title,
                row=key,
                column=read[name].column if name in read else None,
                method=reply.method,
                score=read[name].score if name in read else None,
                path=read[name].path if name in read else None,
            )
            for name, text in texts.items()
        }

    @contextlib.contextmanager
    def _named(self, snapshot: str = "") -> Iterator[None]:
        """Errors on their way out are given the source's name, and the snapshot where they have none."""
        try:
            yield
        except SourceError as e:
            e.source = e.source or self._spec.name
            e.snapshot = e.snapshot or snapshot
            raise


def _understood(reading: Reading, name: str, dataset: DatasetSpec, number: int) -> tuple[Value, str]:
    try:
        return reading.understood(dataset.field(name).type)
    except FormatError as e:
        raise FormatError(f"row {number}, {reading.column or name}: {e}") from e


def _key(row: Mapping[str, Value], dataset: DatasetSpec, types: Mapping[str, str], number: int) -> str:
    """The row's grain as a person reads it; its number where the dataset has no grain."""
    return " · ".join(show(row[n], types[n]) for n in dataset.grain if n in row) or f"row {number}"


def _notes(reply: BoardReply, places: Sequence[Mapping[str, Locator]]) -> tuple[str, ...]:
    if reply.method != "ocr":
        return ()
    scores = [p.score for row in places for p in row.values() if p.score is not None]
    lowest = f", lowest score {min(scores):.2f}" if scores else ""
    return (f"read by OCR from the picture of {reply.title or 'a chart'}{lowest}",)
