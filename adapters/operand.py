"""An input of a computation: a step's evidence, and which of its columns is measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapters.base import Evidence, Value
from adapters.dates import bucket, granularity
from adapters.errors import FormatError, SourceError
from adapters.values import MEASURES, TIMES

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "OWN",
    "DeriveError",
    "Frame",
    "Operand",
    "Table",
    "bucketed",
    "clean",
    "column_type",
    "read_frame",
    "unboxed",
]

OWN = (
    "left",
    "right",
    "rank",
    "share",
    "count",
    "n",
    "r",
    "slope",
    "first",
    "last",
)  # columns beside `value`
_BUCKETS = {"month": "month", "quarter": "quarter", "year": "text", "week": "text", "day": "date"}


Table = tuple[list[dict[str, Value]], dict[str, str], list[str]]  # rows, types of the columns, notes


class DeriveError(SourceError):
    """A computation cannot be done on these inputs; the message says on which and why."""

    kind = "format_error"


@dataclass(frozen=True, slots=True)
class Operand:
    """`step` names the evidence in messages and locators; `field` is the one column meant, None for the result."""

    step: str
    evidence: Evidence
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """Rows to compute on: `data` has the dimensions and the measure (a float, NaN for none) as `measure`.

    Dimensions are all columns that are no measure; a bucket such as "opened:month" is one more.
    """

    step: str
    name: str  # of the measure, in the evidence
    type: str
    data: pd.DataFrame
    types: Mapping[str, str] = field(default_factory=dict)  # of the dimensions

    @property
    def dimensions(self) -> list[str]:
        return list(self.types)

    @property
    def times(self) -> list[str]:
        return [d for d in self.types if self.types[d] in TIMES or ":" in d]

    def constant(self) -> dict[str, Value]:
        """The dimensions that are the same in all rows."""
        return {
            d: self.data[d].iloc[0]
            for d in self.types
            if len(self.data) and self.data[d].nunique(dropna=False) == 1
        }


def column_type(evidence: Evidence, name: str) -> str:
    """The column's catalogue type; for one without, number where every value is one, else text."""
    if name in evidence.types:
        return evidence.types[name]
    values = [r.get(name) for r in evidence.rows if r.get(name) is not None]
    return "number" if values and all(isinstance(v, int | float) for v in values) else "text"


def bucketed(by: str, columns: Iterable[str]) -> str | None:
    """The column of an earlier step that holds the buckets that `by` names: 'opened:month', for short 'opened'."""
    if ":" in by:
        return by if by in columns else None
    made = [c for c in columns if c.startswith(by + ":")]
    return made[0] if len(made) == 1 and by not in columns else None


def read_frame(
    operand: Operand, value: str | None, by: tuple[str, ...] = (), *, counting: bool = False
) -> Frame:
    """The operand's rows. With `counting`, any column may be measured, or none (then every row counts 1).

    Raises DeriveError when the operand holds passages, lacks a named column, or has no or several measures to choose.
    """
    import pandas as pd

    e = operand.evidence
    if e.kind == "text" and not counting:
        raise DeriveError(f"{operand.step} holds passages of text; there is nothing to compute on")
    types = {c: column_type(e, c) for c in e.columns}
    name = _measure(operand, types, value, counting)
    dimensions = {c: t for c, t in types.items() if c != name and (t not in MEASURES or c in by)}
    data: dict[str, list[Any]] = {c: [r.get(c) for r in e.rows] for c in dimensions}
    for c, values in data.items():
        stray = next(
            (v for v in values if v is not None and types[c] in TIMES and granularity(str(v)) is None), None
        )
        if stray is not None:
            raise DeriveError(f"{operand.step}: {c} holds {str(stray)[:40]!r}, which is no {types[c]}")
    for b in by:
        column, colon, grain = b.partition(":")
        held = bucketed(b, types)
        if held is not None:
            data[b] = data.pop(held) if held in data else [r.get(held) for r in e.rows]
            dimensions.pop(held, None)
            dimensions[b] = types[held]
            continue
        if column not in types:
            raise DeriveError(
                f"{operand.step} has no field {column!r} to group by; it has {', '.join(types)}"
            )
        if colon:
            if grain not in _BUCKETS or types[column] not in TIMES:
                raise DeriveError(f"by {b!r}: a bucket is month, week, quarter or year of a date field")
            days = "date" if grain == "day" else grain
            try:
                data[b] = [
                    None if r.get(column) is None else bucket(str(r.get(column)), days) for r in e.rows
                ]
            except FormatError as error:
                raise DeriveError(f"{operand.step}: {column}: {error.message}") from error
            dimensions[b] = _BUCKETS[grain]
        elif b not in data:
            data[b], dimensions[b] = [r.get(b) for r in e.rows], types[b]
    if not name:
        data["measure"] = [1.0] * len(e.rows)
    elif counting:
        data["measure"] = [None if r.get(name) is None else 1.0 for r in e.rows]
    else:
        data["measure"] = [_number(r.get(name), operand.step, name) for r in e.rows]
    frame = pd.DataFrame(
        {c: pd.Series(v, dtype="float64" if c == "measure" else "object") for c, v in data.items()}
    )
    return Frame(operand.step, name or "rows", types.get(name, "integer"), frame, dimensions)


def _measure(operand: Operand, types: Mapping[str, str], value: str | None, counting: bool) -> str:
    for wanted in (operand.field, value):
        if wanted is not None and wanted in types:
            if types[wanted] not in MEASURES and not counting:
                raise DeriveError(
                    f"{operand.step}: {wanted} is a {types[wanted]}; there is nothing to compute on"
                )
            return wanted
        if wanted is not None and (wanted == operand.field or "value" not in types):
            if counting and wanted != operand.field:
                return ""
            raise DeriveError(f"{operand.step} has no field {wanted!r}; it has {', '.join(types)}")
    if counting:
        return ""
    measures = [c for c, t in types.items() if t in MEASURES]
    if "value" in measures:
        return "value"
    if len(measures) != 1:
        said = f"several measures ({', '.join(measures)}); name one as value" if measures else "no measure"
        raise DeriveError(f"{operand.step} has {said}")
    return measures[0]


def _number(value: Value, step: str, name: str) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise DeriveError(f"{step}: {name} holds {str(value)[:40]!r}, which is no number")


def unboxed(value: Any) -> Value:
    """A cell of a pandas table as a plain value, NaN as None."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and value != value else value


def clean(number: Any, field_type: str) -> Value:
    """A result without binary dust: 12 significant digits; whole for an integer; None for NaN and infinity."""
    import math

    if number is None or not math.isfinite(number):
        return None
    value = float(f"{float(number):.12g}")
    return round(value) if field_type == "integer" and value.is_integer() else value + 0.0
