"""Adapters for the reflector's tests that go wrong, or write, as their `connection` says. Real classes of the protocol."""

from __future__ import annotations

from collections.abc import Sequence

from adapters import errors
from adapters.base import Evidence, Locator, Query, Raw, Resources, SourceSpec


class Troubled:
    """`connection.fails` names the error class that every query raises."""

    def __init__(self, spec: SourceSpec, resources: Resources) -> None:
        self.spec = spec

    def query(self, query: Query, /) -> Raw:
        kind = getattr(errors, str(self.spec.connection["fails"]))
        raise kind(f"{self.spec.name} is troubled", source=self.spec.name)

    def validate(self, raw: Raw, /) -> None: ...

    def normalise(self, raw: Raw, /) -> Evidence:
        raise AssertionError("nothing was read")

    def probe(self) -> Sequence[Query]:
        return ()

    def ping(self, timeout_s: float) -> None: ...

    def close(self) -> None: ...


class Desk(Troubled):
    """Takes writes and gives a receipt."""

    def query(self, query: Query, /) -> Raw:
        return Raw(query, {"receipt": "RF-1001"}, url="http://127.0.0.1/desk")

    def normalise(self, raw: Raw, /) -> Evidence:
        row = {**raw.query.values, "receipt": str(raw.payload["receipt"])}
        dataset = raw.query.dataset
        places = {
            c: Locator("ticket", self.spec.name, dataset, field=c, text=str(v), key="RF-1001")
            for c, v in row.items()
        }
        types = dict.fromkeys(row, "text")
        return Evidence("records", self.spec.name, dataset, tuple(row), (row,), (places,), types)
