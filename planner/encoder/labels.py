"""From a plan to the decisions that it stands for: one truth value an item and role, None where nothing is decided."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from planner.compact.lines import (
    Asked,
    CompactPlan,
    DeriveLine,
    DocumentLine,
    FetchLine,
    Line,
    Operand,
    Range,
    ReportLine,
    WriteLine,
)
from planner.encoder.items import Items
from planner.encoder.skeletons import skeleton
from planner.encoder.spots import Spot
from planner.periods import listed_periods
from planner.rules.lexicon import Table

__all__ = ["BUCKETS", "ENDINGS", "FLAGS", "ROLES", "SIGNS", "Labels", "cells", "label", "overlapping"]

# of an item; which of them are decided depends on its kind and on whether its table is used
ROLES = ("used", "twice", "filtered", "wanted", "grouped", "condition", "written", "referenced")
FLAGS = ("asc", "top1", "negated", "docx", "html", "month", "quarter", "week", "year", "both")
BUCKETS = ("month", "quarter", "week", "year")
SIGNS = ("=", ">=", "<=")
ENDINGS = ("as read", "open", "today", "whole", "start")
L = TypeVar("L", bound=Line)
_CLAUSE = re.compile(r"(\d{1,2})\.([^\s=!<>()\"]+)\s*(!=|>=|<=|=|>|<)\s*(\"(?:[^\"\\]|\\.)*\"|[^\s()]+)")


@dataclass(slots=True)
class Labels:
    """`roles[role][item]` is decided. `fills` are (spot, field item) pairs, `open_pairs` those that were decided
    to be none; `tagged` are stretches of the question that fill a field and are no spot."""

    shape: str
    roles: dict[str, dict[int, bool]] = field(default_factory=lambda: {r: {} for r in ROLES})
    first: int | None = None
    second: int | None = None
    fills: dict[tuple[int, int], bool] = field(default_factory=dict)
    signs: dict[int, str] = field(default_factory=dict)
    endings: dict[int, str] = field(default_factory=dict)
    tops: dict[int, bool] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)
    tagged: list[tuple[int, int]] = field(default_factory=list)


def label(plan: CompactPlan, question: str, items: Items, spots: list[Spot]) -> Labels:
    """Raises KeyError on a name that the catalogue lacks."""
    return _Labelling(plan, question, items, spots).made()


class _Labelling:
    def __init__(self, plan: CompactPlan, question: str, items: Items, spots: list[Spot]) -> None:
        self.plan, self.question, self.items, self.spots = plan, question, items, spots
        self.labels = Labels(skeleton(plan))
        self.tables: dict[int, list[Table]] = {}  # line → the table it reads or writes

    def made(self) -> Labels:
        roles, items = self.labels.roles, self.items
        for number, line in enumerate(self.plan.lines, 1):
            table = self._table(line)
            if table is not None:
                self.tables[number] = [table]
        read = [self.tables[n][0].key for n, line in self._of(FetchLine)]
        used = {self.tables[n][0].key for n in self.tables}
        for key, at in items.tables.items():
            roles["used"][at] = key in used
            if key in used and items.all[at].kind == "read":
                roles["twice"][at] = read.count(key) > 1
        named = {(self.tables[n][0].key, line.source) for n, line in self._of(FetchLine) if line.source}
        for (key, source), at in items.sources.items():
            if key in used:
                roles["used"][at] = (key, source) in named
        for (key, _), at in items.fields.items():
            if key in used:
                for role in (
                    ("filtered", "wanted", "grouped", "condition")
                    if key in read
                    else ("written", "referenced")
                ):
                    roles[role][at] = False
        for (name, _), at in items.values.items():
            if any((key, name) in items.fields for key in used):
                for role in ("filtered", "condition", "written"):
                    roles[role][at] = False
        for s, spot in enumerate(self.spots):
            for (key, name), at in items.fields.items():
                if key in used and spot.fills(items.lexicon.tables[key].fields[name]) is not None:
                    self.labels.fills[s, at] = False
        for number, line in enumerate(self.plan.lines, 1):
            match line:
                case FetchLine():
                    self._fetch(line, self.tables[number][0])
                case WriteLine():
                    self._write(line, self.tables[number][0])
                case _:
                    pass
            if line.when:
                self._condition(line.when)
        self._derives()
        return self.labels

    def _of(self, kind: type[L]) -> list[tuple[int, L]]:
        return [(n, line) for n, line in enumerate(self.plan.lines, 1) if isinstance(line, kind)]

    def _table(self, line: object) -> Table | None:
        for table in self.items.lexicon.tables.values():
            match line:
                case DocumentLine():
                    fits = table.document and any(s.name == line.source for s in table.holders)
                case FetchLine() | WriteLine():
                    fits = (
                        not table.document
                        and table.dataset.name == line.dataset
                        and table.side_effect == isinstance(line, WriteLine)
                        and (
                            isinstance(line, WriteLine)
                            or line.source is None
                            or any(s.name == line.source for s in table.holders)
                        )
                    )
                case _:
                    return None
            if fits:
                return table
        raise KeyError(str(line))

    def _fetch(self, line: FetchLine, table: Table) -> None:
        roles, fields = self.labels.roles, self.items.fields
        for name in line.columns:
            roles["wanted"][fields[table.key, name]] = True
        for name, asked in line.filters.items():
            roles["filtered"][fields[table.key, name]] = True
            self._filled(table, name, asked, "filtered")

    def _write(self, line: WriteLine, table: Table) -> None:
        for name, value in line.values.items():
            at = self.items.fields[table.key, name]
            self.labels.roles["written"][at] = True
            if isinstance(value, Operand):
                self.labels.roles["referenced"][at] = True
            else:
                self._filled(table, name, (value,), "written")

    def _filled(self, table: Table, name: str, asked: Asked, role: str) -> None:
        f, at = table.fields[name], self.items.fields[table.key, name]
        if f.values or f.type == "bool":
            for value in asked if isinstance(asked, tuple) else ():
                found = self.items.values.get((name, value))
                if found is not None:
                    self.labels.roles[role][found] = True
            return
        met = False
        want = cells(asked)
        for s, spot in enumerate(self.spots):
            for ending, sign, made in _readings(spot, f):
                if cells(made) <= want or _partial(made, asked):
                    self.labels.fills[s, at] = met = True
                    if sign:
                        self.labels.signs[s] = sign
                    if ending:
                        self.labels.endings[s] = ending
                    break
        if not met and isinstance(asked, tuple):
            folded = self.question.lower()
            for value in asked:
                start = folded.find(value.lower())
                if start >= 0:
                    self.labels.tagged.append((start, start + len(value)))

    def _condition(self, when: str) -> None:
        self.labels.flags["both"] = " and " in when or " or " in when
        for number, name, sign, raw in _CLAUSE.findall(when):
            value = raw.strip('"')
            for table in self.tables.get(int(number), []):
                at = self.items.fields.get((table.key, name))
                if at is None:
                    continue
                self.labels.roles["condition"][at] = True
                self.labels.flags["negated"] = sign == "!="
                found = self.items.values.get((name, value))
                if found is not None:
                    self.labels.roles["condition"][found] = True
                for s, spot in enumerate(self.spots):
                    if spot.number is not None and cells((value,)) == cells(
                        next(iter(m for _, g, m in _readings(spot, table.fields[name]) if g == "="), ("",))
                    ):
                        self.labels.fills[s, at] = True

    def _derives(self) -> None:
        labels, fields = self.labels, self.items.fields
        operands: list[int] = []
        flags = labels.flags
        for name in ("asc", "top1", *BUCKETS):
            flags[name] = False
        for line in self.plan.lines:
            if not isinstance(line, DeriveLine):
                continue
            for operand in line.operands:
                for table in self.tables.get(operand.step, []):
                    at = fields.get((table.key, operand.field or ""))
                    if at is not None and at not in operands:
                        operands.append(at)
            for by in line.by:
                name, _, bucket = by.partition(":")
                if bucket:
                    flags[bucket] = True
                for step in self._reached(line):
                    for table in self.tables.get(step, []):
                        if (table.key, name) in fields:
                            labels.roles["grouped"][fields[table.key, name]] = True
            flags["asc"] |= line.order == "asc"
            flags["top1"] |= line.top == 1
            for s, spot in enumerate(self.spots):
                if spot.number is not None:
                    labels.tops[s] = labels.tops.get(s, False) or (
                        line.top is not None and line.top == spot.number
                    )
        for report in ("docx", "html"):
            flags[report] = any(isinstance(x, ReportLine) and x.format == report for x in self.plan.lines)
        labels.first = operands[0] if operands else None
        labels.second = operands[1] if len(operands) > 1 else None

    def _reached(self, line: DeriveLine) -> list[int]:
        """Steps that feed this one, over other derives too."""
        found, left = [], [o.step for o in line.operands]
        while left:
            step = left.pop()
            found.append(step)
            other = self.plan.lines[step - 1] if 0 < step <= len(self.plan.lines) else None
            if isinstance(other, DeriveLine):
                left += [o.step for o in other.operands if o.step < step]
        return found


def _readings(spot: Spot, f: object) -> Iterable[tuple[str, str, Asked]]:
    """(ending, sign, filter) for each way to read a spot on a field."""
    for ending in ENDINGS if spot.span is not None else ("",):
        for sign in SIGNS if spot.number is not None else ("",):
            made = spot.fills(f, ending=ending, sign=sign)  # type: ignore[arg-type]
            if made is not None:
                yield ending, sign, made


@lru_cache(maxsize=4096)
def cells(asked: Asked) -> frozenset[str]:
    """The values that a filter takes in; a closed range of months, quarters or years is listed."""
    if isinstance(asked, tuple):
        return frozenset(_cell(v) for v in asked)
    low, high = asked.low or "", asked.high or ""
    if (listed := listed_periods(low, high)) is not None:
        return frozenset(_cell(p) for p in listed)
    return frozenset([f"{_cell(low)}..{_cell(high)}"])


def _cell(value: str) -> str:
    text = value.lower()
    try:
        number = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return text
    return f"{number:.9f}".rstrip("0").rstrip(".")


def _partial(made: Asked, asked: Asked) -> bool:
    """One end of a range that two spots make."""
    if not isinstance(asked, Range) or asked.low is None or asked.high is None:
        return False
    ends = (made.low, made.high) if isinstance(made, Range) else (made[0], made[-1])
    return (ends[0] == asked.low) != (ends[1] == asked.high) and None not in ends


def overlapping(start: int, end: int, spots: list[tuple[int, int]]) -> bool:
    return any(start < b and a < end for a, b in spots)
