"""Real adapters without a server: one with a bug, one that does what its query's text says."""

from __future__ import annotations

import threading
from typing import ClassVar

from adapters import errors
from adapters.base import Evidence, Locator, Query, Raw, Resources, SourceSpec

__all__ = ["Broken", "Cross", "Obedient", "Sticky"]


class Obedient:
    """`query.text` is "GOAL OUTCOME": "ok", or the name of an error of `adapters.errors`, or "bug"."""

    log: ClassVar[list[tuple[str, str]]] = []
    lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, spec: SourceSpec, resources: Resources) -> None:
        self.spec = spec

    def query(self, query: Query) -> Raw:
        goal, _, outcome = query.text.partition(" ")
        with self.lock:
            self.log.append(("begin", goal))
        try:
            if outcome == "bug":
                raise RuntimeError("a bug\nof two lines")
            if outcome != "ok":
                raise getattr(errors, outcome)(f"told to fail as {outcome}")
            return Raw(query, [{"product": goal}], snapshot=goal)
        finally:
            with self.lock:
                self.log.append(("end", goal))

    def validate(self, raw: Raw) -> None:
        pass

    def normalise(self, raw: Raw) -> Evidence:
        place = Locator("row", self.spec.name, raw.query.dataset)
        rows = tuple(raw.payload)
        return Evidence(
            "table",
            self.spec.name,
            raw.query.dataset,
            ("product",),
            rows,
            ({"": place},),
            {"product": "text"},
        )

    def probe(self) -> list[Query]:
        return []

    def ping(self, timeout_s: float) -> None:
        pass

    def close(self) -> None:
        pass


class Broken(Obedient):
    """Divides by zero while it makes sense of the reply."""

    def query(self, query: Query) -> Raw:
        return Raw(query, [])

    def normalise(self, raw: Raw) -> Evidence:
        raise ZeroDivisionError("division by zero")


class Sticky(Obedient):
    """Never comes back from close."""

    def close(self) -> None:
        threading.Event().wait()


class Cross(Obedient):
    """Fails to close."""

    def close(self) -> None:
        raise OSError("the door is stuck")
