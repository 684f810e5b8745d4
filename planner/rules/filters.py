"""Filters of one table: values, ids, flags and time, and how values that go together are split into sub-goals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from planner.catalogue import Field
from planner.rules.choose import Evidence
from planner.rules.free_values import attach
from planner.rules.lexicon import Table
from planner.rules.status_words import groups_of, same_state
from planner.rules.vocabulary import STATUS_FIELD
from planner.times import TimeError, TimeSpan

__all__ = ["Atom", "collect", "combine", "time_field"]

_NOT = re.compile(
    r"(?:不|没有?|非|无|未|\bnot|\bno|n't|\bnon|\bwithout|\bisn't|\baren't|\bexcept|\bexcluding|除了?)[\s-]*(?:\w+\s)?$"
)
_EXCLUDE = re.compile(
    r"(?:除了?|除去|不含|不包括|不算|剔除|\bexcept(?: for)?|\bexcluding|\bother than|\bbut not|\bnot counting|\bapart from)\s*(?:the )?$"
)


@dataclass(frozen=True, slots=True)
class Atom:
    """One value that the question fixes, at its place in the text."""

    position: int
    end: int
    field: str
    value: Any
    time: TimeSpan | None = None


def time_field(table: Table, spans: list[TimeSpan]) -> Field | None:
    """The time field that fits the spans: of their own granularity, else the coarsest that is not coarser."""
    fields = table.time_fields
    if not fields or not spans:
        return None
    grain = [f for f in fields if f.name in table.dataset.grain]
    order = {"date": 0, "datetime": 0, "month": 2, "quarter": 3}
    unit = {"day": 0, "week": 0, "month": 2, "quarter": 3, "half": 3, "year": 5}
    finest = min(unit[s.unit] for s in spans)
    points = sum(s.ends is None for s in spans)
    ranked = []
    for i, f in enumerate(fields):
        level = order.get(f.type, 5)
        exact = level == finest and (points > 1 or all(s.ends is None for s in spans))
        ranked.append((not exact, level > finest, f not in grain, i, f))
    return min(ranked, key=lambda r: r[:4])[4]


def collect(table: Table, evidence: Evidence, skip: list[tuple[int, int]]) -> list[Atom]:
    """Every value of the table's fields in the stretches, in the order of the text, time included."""
    atoms: list[Atom] = []
    for m in evidence.active:
        if any(a <= m.start < b for a, b in skip) or m.weight < 0.45:
            continue
        values = m.values(table.key)
        if values and not _EXCLUDE.search(evidence.text.folded[: m.start]):
            name, value = _preferred(values, m.start, table, evidence)
            atoms.append(Atom(m.start, m.end, name, _typed(value, table.fields[name])))
        elif not values:
            for name in m.fields(table.key):
                if table.fields[name].type == "bool" and m.weight >= 0.6:
                    negated = _NOT.search(evidence.text.folded[max(0, m.start - 14) : m.start])
                    atoms.append(Atom(m.start, m.end, name, not negated))
    atoms += _states(table, evidence, atoms, skip)
    for free in evidence.active_frees:
        if any(a <= free.start < b for a, b in skip):
            continue
        place = attach(free, table, evidence.mentions, evidence.text)
        if place and place[1] >= 0.4:
            atoms.append(Atom(free.start, free.end, place[0], free.text))
    spans = [s for s in evidence.spans if evidence.inside(s.start) and (s.dated or s.kind in ("yoy", "pop"))]
    spans = [s for s in spans if not any(a <= s.start < b for a, b in skip)]
    coarse = [s for s in spans if s.unit not in ("day", "week")]
    if coarse and all(f.type not in ("date", "datetime") for f in table.time_fields):
        spans = coarse  # a day beside a month is talk where months are kept
    target = time_field(table, spans)
    if target is not None:
        for span in spans:
            try:
                value = span.as_filter(target.type)
            except TimeError:
                continue
            atoms.append(Atom(span.start, span.end, target.name, value, span))
    return sorted(atoms, key=lambda a: (a.position, a.end))


def _states(table: Table, evidence: Evidence, atoms: list[Atom], skip: list[tuple[int, int]]) -> list[Atom]:
    """ "the ones not closed yet": a state in other words than the catalogue's, for lists of records."""
    if not table.record or any(f.kind == "id" for f in evidence.active_frees):
        return []
    taken = {a.field for a in atoms}
    fields = [
        f
        for f in table.fields.values()
        if f.values and f.name not in taken and f.name not in table.dataset.grain
    ]
    fields.sort(key=lambda f: not STATUS_FIELD.search(f"{f.name} {' '.join(f.synonyms)}".lower()))
    found: list[Atom] = []
    for start, end in evidence.stretches:
        for group, at, stop in groups_of(evidence.text.folded[start:end]):
            at, stop = start + at, start + stop
            if any(m.start < stop and at < m.end and m.weight >= 0.6 for m in evidence.active) or any(
                a <= at < b for a, b in skip
            ):
                continue
            for f in fields:
                states = same_state(group, f.values)
                if not states or any(a.field == f.name for a in found):
                    continue
                if _NOT.search(evidence.text.folded[max(start, at - 8) : at]):
                    states = [v for v in f.values if v not in states]
                found += [Atom(at, stop, f.name, _typed(v, f)) for v in states]
                break
    return found


def _typed(value: str, f: Field) -> Any:
    if f.type == "bool":
        return value.lower() in ("true", "yes", "是", "1")
    if f.type == "integer" and value.lstrip("-").isdigit():
        return int(value)
    return value


def _preferred(
    values: list[tuple[str, str]], position: int, table: Table, evidence: Evidence
) -> tuple[str, str]:
    """A word that is a value of two fields belongs to the field named nearest to it."""
    if len({name for name, _ in values}) == 1:
        return values[0]

    def distance(name: str) -> int:
        spots = [abs(m.start - position) for m in evidence.mentions if name in m.fields(table.key)]
        return min(spots, default=999)

    return min(values, key=lambda v: distance(v[0]))


def combine(atoms: list[Atom], shared_time: bool = False) -> list[dict[str, Any]]:
    """One filter set per sub-goal. Fields that vary together ("A in the east and B in the north") are paired."""
    groups = _pairs(atoms)
    if groups is None:
        return _split_ranges(_lists(atoms))
    return [merged for group in groups for merged in _split_ranges(_lists(group))]


def _lists(atoms: list[Atom]) -> dict[str, Any]:
    found: dict[str, list[Any]] = {}
    for atom in atoms:
        values = found.setdefault(atom.field, [])
        for value in atom.value if isinstance(atom.value, list) else [atom.value]:
            if value not in values:
                values.append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _split_ranges(filters: dict[str, Any]) -> list[dict[str, Any]]:
    """A list may not hold ranges: each range becomes a sub-goal of its own."""
    for name, value in filters.items():
        if isinstance(value, list) and any(isinstance(v, dict) for v in value):
            return [{**filters, name: v} for v in value]
    return [filters]


def _pairs(atoms: list[Atom]) -> list[list[Atom]] | None:
    """Groups of atoms when two or more fields change value together; None when lists will do."""
    plain = [a for a in atoms if not isinstance(a.value, list)]
    distinct: dict[str, list[Any]] = {}
    for atom in plain:
        values = distinct.setdefault(atom.field, [])
        if atom.value not in values:
            values.append(atom.value)
    varying = {name for name, values in distinct.items() if len(values) > 1}
    if len(varying) < 2:
        return None
    groups: list[list[Atom]] = []
    for atom in [a for a in plain if a.field in varying]:
        if not groups or any(a.field == atom.field for a in groups[-1]):
            groups.append([])
        groups[-1].append(atom)
    if len(groups) < 2 or any({a.field for a in g} != varying for g in groups):
        zipped = _zip_by_order(plain, varying)
        if zipped is None:
            return None
        groups = zipped
    shared = [a for a in atoms if a.field not in varying]
    return [shared + g for g in groups]


def _zip_by_order(plain: list[Atom], varying: set[str]) -> list[list[Atom]] | None:
    """Segments that begin anew when any field repeats, tolerating one that lacks a shared field."""
    if len(varying) != 3:
        return None
    groups: list[list[Atom]] = []
    for atom in [a for a in plain if a.field in varying]:
        if not groups or any(a.field == atom.field for a in groups[-1]):
            groups.append([])
        groups[-1].append(atom)
    if len(groups) != 2 or len({a.field for a in groups[0]} & {a.field for a in groups[1]}) < 2:
        return None
    missing = {a.field: a for a in groups[0]} | {}
    have = {a.field for a in groups[1]}
    return [groups[0], groups[1] + [a for name, a in missing.items() if name not in have]]
