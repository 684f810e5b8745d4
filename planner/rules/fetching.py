"""From chosen tables to what is fetched of each: its own values and times, its holder, its sub-goals."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from planner.catalogue import Source
from planner.rules.choose import Choice, Evidence
from planner.rules.fetch import Fetch
from planner.rules.filters import Atom, collect, combine
from planner.rules.intents import Intents
from planner.rules.lexicon import Table
from planner.rules.mentions import Mention
from planner.rules.parts import drop_part
from planner.rules.regions import Region
from planner.rules.text import Text
from planner.rules.vocabulary import pattern
from planner.times import TimeError, TimeSpan

__all__ = ["Fetching"]


_KIND = pattern(
    r"[哪各几每分]个?[类种](?!似|植)|什么(?:类型|类别|种类|类)|按(?:类型|类别|种类|类)|(?:类型|类别|种类)分布",
    "(?:what|which|by|per|each|every|the various|the different) (?:kinds?|types?|sorts?|category|categories)(?: of)?",
)
_KIND_FIELD = re.compile(r"type|kind|categor|class\b|类型|类别|种类|分类")


class Fetching:
    """`fetches` gives one Fetch a table, or one a holder where the question asks whether they agree."""

    def __init__(
        self, text: Text, spans: list[TimeSpan], mentions: list[Mention], regions: list[Region]
    ) -> None:
        self.text, self.spans, self.mentions, self.regions = text, spans, mentions, regions

    def fetches(
        self, choices: list[Choice], evidence: Evidence, intents: Intents
    ) -> tuple[list[Fetch], bool]:
        fetches: list[Fetch] = []
        conditions = [(r.start, r.end) for r in self.regions if r.role == "condition"]
        for choice in choices:
            table = choice.table
            atoms = [a for a in collect(table, evidence, []) if not self._is_condition(a, table, conditions)]
            atoms = self._own_times(atoms, choice, choices, intents)
            atoms = self._without_talk(atoms, choice)
            when = next((a.field for a in atoms if a.time is not None), None) or (
                table.time_fields[0].name if table.time_fields else None
            )
            part = None
            several = len([a for a in atoms if a.time is not None]) > 1
            if "share" in intents and not ("growth" in intents and several):
                atoms, part = drop_part(self.text, atoms, intents, when)
            filters = combine(_merged(self._points(atoms, intents), intents))
            fixed = {name for one in filters for name in one}
            groups = [
                g
                for g in self._groups(table, evidence)
                if g not in fixed or isinstance(filters[0].get(g), list)
            ]
            source = self._holder(table, choice.wanted, fixed)
            fetches.append(Fetch(table, source, filters, choice.wanted, groups, when, part, atoms))
        agree = self._agreeing(fetches, intents, evidence)
        return fetches, agree

    def _is_condition(self, atom: Atom, table: Table, conditions: list[tuple[int, int]]) -> bool:
        """The state that a condition waits for is no filter."""
        if not any(a <= atom.position < b for a, b in conditions) or atom.time is not None:
            return False
        f = table.fields[atom.field]
        return atom.field not in table.dataset.grain and f not in table.identities

    def _own_times(
        self, atoms: list[Atom], choice: Choice, choices: list[Choice], intents: Intents
    ) -> list[Atom]:
        """With several tables, a time belongs to the table whose words stand in its clause."""
        if len(choices) < 2:
            return atoms
        mine = self._clauses(choice)
        others = set().union(*(self._clauses(c) for c in choices if c is not choice))
        times = [a for a in atoms if a.time is not None]

        def belongs(clause: int) -> bool:
            """A clause without any table's words goes with the one before it."""
            while clause > 0 and clause not in mine and clause not in others:
                clause -= 1
            return clause in mine or clause not in others

        own = [a for a in times if belongs(self.text.clause_of(a.position))]
        if own:
            return [a for a in atoms if a.time is None or a in own]
        same = any(s.kind == "same" and self.text.clause_of(s.start) in mine for s in self.spans)
        alike = any(
            c is not choice
            and {f.type for f in c.table.time_fields} & {f.type for f in choice.table.time_fields}
            for c in choices
        )
        return atoms if same or alike else [a for a in atoms if a.time is None]

    def _without_talk(self, atoms: list[Atom], choice: Choice) -> list[Atom]:
        """One record is named: a time in a clause that says nothing else of its table is talk ("she rang yesterday")."""
        table = choice.table
        named = any(
            table.dataset.grain == (a.field,) and table.fields[a.field] in table.identities for a in atoms
        )
        if not (table.record and named):
            return atoms
        said = {self.text.clause_of(a.position) for a in atoms if a.time is None}
        said |= {self.text.clause_of(m.start) for m in choice.mentions if m.of("field") or m.of("dataset")}
        return [a for a in atoms if a.time is None or self.text.clause_of(a.position) in said]

    def _clauses(self, choice: Choice) -> set[int]:
        key = choice.table.key
        return {
            self.text.clause_of(m.start)
            for m in choice.mentions
            if any(
                t[0] in ("field", "dataset")
                and t[1] == key
                and (t[0] == "dataset" or choice.table.fields[t[2]].name not in choice.table.dataset.grain)
                for t in m.targets
            )
        }

    def _points(self, atoms: list[Atom], intents: Intents) -> list[Atom]:
        """'from Q1 to Q4' with a word for growth or difference means its two ends."""
        out: list[Atom] = []
        for atom in atoms:
            if (
                atom.time is not None
                and atom.time.ends
                and ("growth" in intents or "difference" in intents)
                and "trend" not in intents
                and _from(self.text, atom.time)
            ):
                table_type = (
                    "month"
                    if isinstance(atom.value, dict)
                    and len(str(atom.value.get("from"))) == 7
                    and "Q" not in str(atom.value.get("from"))
                    else "quarter"
                )
                try:
                    out += [
                        Atom(atom.position, atom.end, atom.field, end.as_filter(table_type), end)
                        for end in atom.time.ends
                    ]
                    continue
                except TimeError:
                    pass
            out.append(atom)
        return out

    def _groups(self, table: Table, evidence: Evidence) -> list[str]:
        names: dict[str, float] = {}
        for m in evidence.active:
            for name in m.fields(table.key):
                f = table.fields[name]
                if (
                    f.type in ("text", "bool")
                    and m.weight >= 0.4
                    and not (table.record and f in table.identities and name in table.dataset.grain)
                ):
                    names[name] = max(names.get(name, 0.0), m.weight)
        strong = [n for n, w in names.items() if w >= 0.6]
        return strong or list(names) or self._kinds(table, evidence)

    def _kinds(self, table: Table, evidence: Evidence) -> list[str]:
        """'what kind of claim', 各类: the field that sorts the records, where there is only one such."""
        asked = _KIND.search(evidence.text.folded)
        if asked is None or not evidence.inside(asked.start()):
            return []
        kinds = [
            f.name
            for f in table.fields.values()
            if f.values and any(_KIND_FIELD.search(n.lower()) for n in (f.name, *f.synonyms))
        ]
        return kinds if len(kinds) == 1 else []

    def _holder(self, table: Table, wanted: list[str], fixed: set[str]) -> Source:
        able = [
            s
            for s in table.holders
            if (d := s.dataset(table.dataset.name)) and {*wanted, *fixed} <= {f.name for f in d.fields}
        ]
        able = able or table.holders
        named = [s for s in able if self._names(s, table)]
        return named[0] if len(named) == 1 and len(able) > 1 else able[0]

    def _names(self, source: Source, table: Table) -> bool:
        """Whether the question names this holder and not all of them."""
        return any(
            t[0] == "source"
            and t[2] == source.name
            and m.weight >= 0.6
            and not all(("source", table.key, s.name, "") in m.targets for s in table.holders)
            for m in self.mentions
            for t in m.targets
            if t[1] == table.key
        )

    def _agreeing(self, fetches: list[Fetch], intents: Intents, evidence: Evidence) -> bool:
        """'Do the two agree?': one fetch per holder of the first table."""
        for fetch in fetches:
            named = [s for s in fetch.table.holders if self._names(s, fetch.table)]
            if len(fetch.table.holders) < 2 or not ("agree" in intents or len(named) > 1):
                continue
            holders = named if len(named) > 1 else fetch.table.holders
            copies = [
                Fetch(
                    fetch.table,
                    s,
                    [dict(f) for f in fetch.filters],
                    fetch.wanted,
                    fetch.groups,
                    fetch.time,
                    None,
                    fetch.atoms,
                )
                for s in holders
            ]
            fetches[:] = copies
            return True
        return False


def _merged(atoms: list[Atom], intents: Intents) -> list[Atom]:
    """April, May and June of a date field are one range, unless they are compared."""
    times = sorted(
        (a for a in atoms if a.time is not None and a.time.first and a.time.last),
        key=lambda a: str(a.time and a.time.first),
    )
    ranged = len(times) > 1 and all(isinstance(a.value, dict) for a in times)
    compared = any(op in intents for op in ("difference", "growth")) and len(times) == 2
    if not ranged or compared:
        return atoms
    spans = [a.time for a in times if a.time is not None]
    if any(b.first is None or a.last is None or (b.first - a.last).days != 1 for a, b in pairwise(spans)):
        return atoms
    whole = replace(times[0], value={"from": times[0].value["from"], "to": times[-1].value["to"]})
    return [a for a in atoms if a not in times] + [whole]


def _from(text: Text, span: TimeSpan) -> bool:
    return text.folded[max(0, span.start - 6) : span.start].rstrip().endswith(("from", "从", "由"))
