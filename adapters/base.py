"""What is asked of a source (`Query`), what it gives (`Evidence`), and the protocol between (`Adapter`).

Evidence is always rows of canonical values, each value with the place where it stands, so that every
number of an answer can be traced. Canonical values, by the catalogue's field type:

    text str · number, money float · integer int · bool bool · percent float as a fraction (5.2 % is 0.052)
    date 'YYYY-MM-DD' · month 'YYYY-MM' · quarter 'YYYY-Qn' · datetime ISO 8601 · absent None
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

__all__ = [
    "Adapter",
    "DatasetSpec",
    "Evidence",
    "FieldSpec",
    "Locator",
    "Query",
    "Raw",
    "Resources",
    "SourceSpec",
    "Value",
]

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a dataset as the catalogue types it."""

    name: str
    type: str
    synonyms: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DatasetSpec:
    """A dataset, and in `locate` what the adapter's kind needs to find it in the source."""

    name: str
    fields: tuple[FieldSpec, ...]
    grain: tuple[str, ...] = ()
    description: str = ""
    locate: Mapping[str, Any] = field(default_factory=dict)

    def field(self, name: str) -> FieldSpec:
        """The field of that name; KeyError when the dataset lacks it."""
        for f in self.fields:
            if f.name == name:
                return f
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A source as an adapter sees it. `auth` holds values, already resolved from their `env:` references."""

    name: str
    kind: str
    datasets: Mapping[str, DatasetSpec]
    description: str = ""
    connection: Mapping[str, Any] = field(default_factory=dict)
    auth: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = 30.0
    side_effect: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """One question to one dataset.

    `filters`: field → literal, list, or {"from", "to"} (inclusive, either may be None), in canonical values.
    `text`: the words asked of a document source. `values`: what a side-effect source is to write.
    `idempotency_key`: set for writes; sent along so that the source too can refuse a repeat.
    """

    dataset: str
    filters: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    timeout_s: float = 30.0
    roles: tuple[str, ...] = ()
    idempotency_key: str = ""
    limit: int | None = None


@dataclass(slots=True)
class Raw:
    """A reply before it is understood. `payload` is the kind's own; the rest goes into the attempt's record."""

    query: Query
    payload: Any
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    read_at: str = ""  # ISO 8601, UTC
    sent: Mapping[str, Any] = field(default_factory=dict)  # the parameters sent, secrets left out
    snapshot: str = ""  # a bounded copy of the raw reply, at most 64 KiB


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a value stands, exactly enough to open the source and find it. Absent parts are None.

    kind   cell (a board) · ticket (an API's record) · row (SQL) · page (a document) · derived (computed here)
    text   the value as it stands in the source, verbatim ("5.2%", "¥1,599", the passage's words)
    """

    kind: Literal["cell", "ticket", "row", "page", "derived"]
    source: str
    dataset: str
    field: str | None = None
    text: str | None = None
    url: str | None = None
    read_at: str | None = None
    # cell
    table: str | None = None  # the table's or chart's title on the board
    row: str | None = None  # the row's key, "A · 华东 · 2024-01"
    column: str | None = None  # the column's header as shown
    method: str | None = None  # network | dom | ocr
    score: float | None = None  # the OCR's confidence, 0..1
    # ticket
    key: str | None = None
    path: str | None = None  # JSONPath or XPath of the value within the record
    # row
    sql: str | None = None
    # page
    document: str | None = None
    page: int | None = None  # counted from 1
    section: str | None = None
    table_id: str | None = None
    # derived
    operation: str | None = None
    inputs: tuple[str, ...] = ()  # step ids

    def as_dict(self) -> dict[str, Any]:
        """The parts that are set, for JSON."""
        out: dict[str, Any] = {}
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None and value != ():
                out[name] = list(value) if isinstance(value, tuple) else value
        return out


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a source gave: rows of canonical values, and for each value the place where it stands.

    kind      table (boards, SQL, derived) · records (tickets) · text (passages)
    columns   field names, in order; every row has exactly these keys
    locators  parallel to `rows`: field name → Locator. A field without its own falls back to "" (the row's).
    types     field name → catalogue type ("percent", "money" …), so that values can be shown with their unit
    For text the columns are doc, section, page, table_id, score, text; `page` counts from 1.
    """

    kind: Literal["table", "records", "text"]
    source: str
    dataset: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Value], ...]
    locators: tuple[Mapping[str, Locator], ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""
    read_at: str = ""
    notes: tuple[str, ...] = ()  # "read by OCR, score 0.97"; shown in the answer

    @property
    def text(self) -> str:
        """The passages' words, one after another; empty for tables and records."""
        return "\n\n".join(str(r.get("text") or "") for r in self.rows) if self.kind == "text" else ""

    def locate(self, row: int, name: str = "") -> Locator | None:
        """Where the value of field `name` in row number `row` (from 0) stands."""
        if row >= len(self.locators):
            return None
        places = self.locators[row]
        return places.get(name) or places.get("")


@dataclass(frozen=True, slots=True)
class Resources:
    """What adapters share in one process; opened by the front door and closed by it.

    `home` is the folder for models, index and run store. `opened` collects what must be closed at the end.
    """

    home: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    opened: list[Callable[[], None]] = field(default_factory=list)

    def close(self) -> None:
        """Closes everything, last opened first; one failure does not keep the rest open, and is raised last."""
        failures: list[Exception] = []
        while self.opened:
            try:
                self.opened.pop()()
            except Exception as e:
                failures.append(e)
        if failures:
            raise failures[0]


@runtime_checkable
class Adapter(Protocol):
    """A source's own way of being asked. Built as `Kind(spec: SourceSpec, resources: Resources)`.

    The three steps are apart so that each can be tested by itself. All may be called from any thread, several at
    once. `query` must return or raise within about `query.timeout_s` seconds.
    """

    def query(self, query: Query, /) -> Raw:
        """Talks to the source. Raises a SourceError."""
        ...

    def validate(self, raw: Raw, /) -> None:
        """Is this a sound reply from this source? Returns, or raises a SourceError that can be acted on."""
        ...

    def normalise(self, raw: Raw, /) -> Evidence:
        """Pure: the source's shape into the catalogue's field names and canonical values."""
        ...

    def probe(self) -> Sequence[Query]:
        """Queries for `assay check`, one a dataset, cheap and without side effect. A source with side effects
        gives none; `ping` speaks for it."""
        ...

    def ping(self, timeout_s: float) -> None:
        """Is the source there? Changes nothing. Raises a SourceError."""
        ...

    def close(self) -> None: ...
