"""A catalogue as items that decisions are about: tables, holders that can be told apart, fields, listed values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from planner.catalogue import Field
from planner.rules.lexicon import Lexicon, Table

__all__ = ["KINDS", "Item", "Items"]

Kind = Literal[
    "read", "write", "documents", "source", "measure", "identity", "time", "listed", "flag", "other", "value"
]
KINDS: tuple[Kind, ...] = (
    "read", "write", "documents", "source", "measure", "identity", "time", "listed", "flag", "other", "value",
)  # fmt: skip
SHOWN = 5  # listed values in a field's text


@dataclass(frozen=True, slots=True)
class Item:
    """`parent` is the index of the item above: a field's table, a value's first field; a table's own index.

    `table` is a key of the lexicon ("" for a value, which all fields of one name share); `name` the field's or holder's;
    `value` the listed value, or "true"/"false" of a flag."""

    kind: Kind
    text: str
    parent: int
    table: str = ""
    name: str = ""
    value: str = ""


@dataclass(slots=True)
class Items:
    """All items of a lexicon, tables before their fields, values last."""

    lexicon: Lexicon
    all: list[Item] = field(default_factory=list)
    tables: dict[str, int] = field(default_factory=dict)  # table key → item
    sources: dict[tuple[str, str], int] = field(default_factory=dict)  # (table key, source) → item
    fields: dict[tuple[str, str], int] = field(default_factory=dict)  # (table key, field) → item
    values: dict[tuple[str, str], int] = field(default_factory=dict)  # (field, value) → item

    @classmethod
    def of(cls, lexicon: Lexicon) -> Items:
        items = cls(lexicon)
        for table in lexicon.tables.values():
            items._table(table)
        for (key, name), at in list(items.fields.items()):
            items._values(lexicon.tables[key].fields[name], at)
        return items

    def _add(self, item: Item) -> int:
        self.all.append(item)
        return len(self.all) - 1

    def _table(self, table: Table) -> None:
        at = len(self.all)
        kind: Kind = "documents" if table.document else "write" if table.side_effect else "read"
        said = [] if table.document else [table.dataset.description, _words(table.dataset.name)]
        told = [s.description for s in table.holders[:2]]
        self.tables[table.key] = self._add(Item(kind, _joined([*said, *told], 90), at, table.key))
        if table.document:
            return
        if len(table.holders) > 1:
            for source in table.holders:
                text = _joined([source.description, _words(source.name)], 60)
                self.sources[table.key, source.name] = self._add(
                    Item("source", text, at, table.key, source.name)
                )
        for f in table.fields.values():
            listed = "|".join(f.values[:SHOWN])
            text = _joined([*f.synonyms, _words(f.name), f.description[:30], listed], 80)
            self.fields[table.key, f.name] = self._add(Item(_kind(table, f), text, at, table.key, f.name))

    def _values(self, f: Field, at: int) -> None:
        if f.type == "bool":
            named = _joined([*f.synonyms[:2], _words(f.name)], 40)
            told = [("true", f"是 yes: {named}", ()), ("false", f"不是 not: {named}", ())]
        else:
            told = [(v, v, f.value_synonyms.get(v, ())) for v in f.values]  # type: ignore[misc]
        for value, shown, others in told:
            if (f.name, value) not in self.values:
                text = _joined([shown, *others], 60)
                self.values[f.name, value] = self._add(Item("value", text, at, "", f.name, value))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _joined(pieces: list[str], limit: int) -> str:
    return " / ".join(dict.fromkeys(p for p in pieces if p))[:limit]


def _kind(table: Table, f: Field) -> Kind:
    if f in table.time_fields:
        return "time"
    if table.measure(f.name):
        return "measure"
    if f.type == "bool":
        return "flag"
    if f.values:
        return "listed"
    return "identity" if f in table.identities else "other"
