"""What is fetched and what is computed on it, before either becomes a sub-goal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planner.catalogue import Source
from planner.rules.filters import Atom
from planner.rules.lexicon import Table

__all__ = ["Derive", "Fetch", "Operands"]

Operands = list[tuple[str, str | None]]  # (step, field or None for its whole result)


@dataclass(slots=True)
class Fetch:
    """One table to be read, in as many sub-goals as `filters` has entries."""

    table: Table
    source: Source
    filters: list[dict[str, Any]]
    wanted: list[str]
    groups: list[str]
    time: str | None
    part: str | None = None
    atoms: list[Atom] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    asks_rows: bool = False

    @property
    def measures(self) -> list[str]:
        return [w for w in self.wanted if self.table.measure(w)]

    def periods(self) -> int:
        """How many separate periods are fetched; a range counts as one."""
        if self.time is None:
            return 0
        seen: list[Any] = []
        for one in self.filters:
            value = one.get(self.time)
            for v in value if isinstance(value, list) else [value]:
                if v is not None and v not in seen:
                    seen.append(v)
        return len(seen)

    def listed(self) -> str | None:
        """A field other than time that is fixed to two values or more."""
        for one in self.filters:
            for name, value in one.items():
                if name != self.time and isinstance(value, list):
                    return name
        return None

    def spread(self, by: list[str]) -> bool:
        """Whether several rows fall together for each combination of `by`."""
        one = self.filters[0]
        if self.table.record:
            return not any(f.name in one for f in self.table.identities)
        for name in self.table.dataset.grain:
            if name in by or name not in self.table.fields:
                continue
            value = one.get(name)
            if value is None or isinstance(value, dict | list):
                return True
        if self.time and self.time not in self.table.dataset.grain and self.time not in by:
            return isinstance(one.get(self.time), dict)
        return False


@dataclass(slots=True)
class Derive:
    """`inputs` are (step, field or None); the step is an id of a fetch or "d<n>" for the n-th derive."""

    operation: str
    inputs: Operands
    value: str | None = None
    by: list[str] = field(default_factory=list)
    order: str | None = None
    top: int | None = None
