"""What a clause is judged on (`Data`) and what comes of it (`Judgement`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from planner.comparison import plain, value_at

__all__ = [
    "EXAMPLES",
    "Data",
    "Judgement",
    "absent",
    "brief",
    "columns_of",
    "distinct",
    "jsonable",
    "no_column",
]

EXAMPLES = 5  # values shown in `measured`


class Data(Protocol):
    """What a validation is checked against; `adapters.base.Evidence` is one. `kind` is table, records or text."""

    @property
    def kind(self) -> str: ...
    @property
    def columns(self) -> Sequence[str]: ...
    @property
    def rows(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """`holds` None is unknown. `measured` is plain JSON."""

    kind: str
    holds: bool | None
    measured: Any
    detail: str


def columns_of(data: Data) -> list[str]:
    return list(data.columns) or list(dict.fromkeys(k for row in data.rows for k in row))


def absent(name: str, data: Data) -> bool:
    """Whether no row could have the field: neither a column of that name nor a path to it."""
    return name not in columns_of(data) and all(value_at(row, name) is None for row in data.rows)


def no_column(kind: str, name: str, holds: bool | None, measured: Any = None) -> Judgement:
    return Judgement(kind, holds, measured, f"there is no column {name}")


def distinct(values: Iterable[Any]) -> list[Any]:
    """Each value once; 1, 1.0 and True stay apart."""
    return list({(type(v).__name__, repr(v)): v for v in values}.values())


def brief(value: Any) -> str:
    text = "empty" if value is None else repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def jsonable(value: Any) -> Any:
    """`value` as plain JSON, bounded: what is neither scalar nor list goes in as its text."""
    if isinstance(value, list | tuple):
        return [jsonable(v) for v in value[:20]]
    value = plain(value)
    if isinstance(value, str):
        return value if len(value) <= 200 else value[:200] + "…"
    return value if value is None or isinstance(value, bool | int | float) else brief(value)
