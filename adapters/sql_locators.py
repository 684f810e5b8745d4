"""For each value read from a database, the statement that fetches it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adapters.base import DatasetSpec, Locator, Raw, Value
from adapters.values import MEASURES, show

if TYPE_CHECKING:
    from sqlalchemy import Dialect

__all__ = ["Places"]


class Places:
    """Locators of one reply. A row is told by the dataset's grain; where that repeats, by all its dimensions; else
    by all its columns. `columns` maps field → column; `rows` hold stored values in that order."""

    def __init__(
        self,
        source: str,
        dataset: DatasetSpec,
        columns: Mapping[str, str],
        dialect: Dialect,
        rows: Sequence[Sequence[Any]],
    ) -> None:
        self.source = source
        self.dataset = dataset.name
        self.table = dataset.locate.get("table")
        self.columns = columns
        self.types = {f.name: f.type for f in dataset.fields}
        self.names = list(columns)
        quote = dialect.identifier_preparer.quote
        self.quoted = {name: quote(column) for name, column in columns.items()}
        if self.table:
            self.origin = ".".join(map(quote, str(self.table).split(".")))
        else:
            self.origin = f"({str(dataset.locate.get('select', '')).strip().rstrip(';')}) AS q"
        self.keys = self._keys(dataset, rows)

    def _keys(self, dataset: DatasetSpec, rows: Sequence[Sequence[Any]]) -> list[int]:
        grain = [self.names.index(g) for g in dataset.grain if g in self.columns]
        dimensions = [i for i, n in enumerate(self.names) if self.types[n] not in MEASURES]
        for positions in (grain, dimensions):
            if positions and len({tuple(repr(r[i]) for i in positions) for r in rows}) == len(rows):
                return positions
        return list(range(len(self.names)))

    def locate(self, stored: Sequence[Any], row: Mapping[str, Value], raw: Raw) -> dict[str, Locator]:
        """The locators of one row: `stored` as the database gave it, `row` as it was read."""
        where = " AND ".join(f"{self.quoted[self.names[i]]} {_is(stored[i])}" for i in self.keys)
        key = " · ".join(show(row[self.names[i]], self.types[self.names[i]]) for i in self.keys)
        return {
            name: Locator(
                kind="row",
                source=self.source,
                dataset=self.dataset,
                field=name,
                text=None if value is None else str(value),
                url=raw.url or None,
                read_at=raw.read_at,
                table=str(self.table) if self.table else None,
                row=key,
                column=self.columns[name],
                sql=f"SELECT {self.quoted[name]} FROM {self.origin} WHERE {where}",
            )
            for name, value in zip(self.names, stored, strict=True)
        }


def _is(value: Any) -> str:
    """`= literal`, as a person can paste it; for locators only, never run from here."""
    if value is None:
        return "IS NULL"
    if isinstance(value, bool):
        return f"= {str(value).upper()}"
    if isinstance(value, int | float) or type(value).__name__ == "Decimal":
        return f"= {value}"
    return "= '" + str(value).replace("'", "''") + "'"
