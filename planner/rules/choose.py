"""Which tables the question needs: a greedy cover of what it mentions by the tables that hold it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from planner.rules.concepts import conceived
from planner.rules.english import GENERIC
from planner.rules.free_values import FreeValue, attach
from planner.rules.lexicon import GENERIC_ZH, Lexicon, Table
from planner.rules.mentions import Mention
from planner.rules.text import Text
from planner.rules.vocabulary import LOOKUP_STATUS, OPERATIONS, STATUS_FIELD
from planner.times import TimeSpan

__all__ = ["Choice", "Evidence", "choose_tables", "score_table"]

STRONG = 0.6  # a mention of this weight can ask for a table of its own
_FINER = {"day": 0, "week": 1, "month": 2, "quarter": 3, "half": 4, "year": 5}
_OF_TYPE = {"date": 0, "datetime": 0, "month": 2, "quarter": 3}


@dataclass(slots=True)
class Evidence:
    """What is known of the question before tables are chosen; `stretches` are the parts that ask for data."""

    text: Text
    mentions: list[Mention]
    frees: list[FreeValue]
    spans: list[TimeSpan]
    stretches: list[tuple[int, int]]

    def inside(self, position: int) -> bool:
        return any(a <= position < b for a, b in self.stretches)

    @property
    def active(self) -> list[Mention]:
        return [m for m in self.mentions if self.inside(m.start)]

    @property
    def active_frees(self) -> list[FreeValue]:
        return [f for f in self.frees if self.inside(f.start)]


@dataclass(slots=True)
class Choice:
    table: Table
    score: float
    wanted: list[str] = field(default_factory=list)  # measures and attributes asked of it
    mentions: list[Mention] = field(default_factory=list)


_TWO_MEASURES = re.compile(
    f"{OPERATIONS['correlate'].pattern}|{OPERATIONS['ratio'].pattern}|{OPERATIONS['product'].pattern}"
)


def choose_tables(lexicon: Lexicon, evidence: Evidence, limit: int = 4, floor: float = 0.2) -> list[Choice]:
    """`floor` is the score that the first table must pass."""
    readable = [t for t in lexicon.tables.values() if t.readable]
    left = list(evidence.active)
    chosen: list[Choice] = []
    while readable and len(chosen) < limit:
        scored = [(score_table(t, evidence, left, first=not chosen), t) for t in readable]
        scored.sort(key=lambda s: (-s[0], -s[1].holders[0].trust, s[1].key))
        score, table = scored[0]
        if chosen:
            asked = [m for m in left if _asks_for(m, table) and not _explained(m, chosen)]
            if not asked:
                break
        elif score <= floor:
            break
        covered = [m for m in left if any(t[1] == table.key for t in m.targets)]
        choice = Choice(table, score, [], covered)
        chosen.append(choice)
        readable.remove(table)
        left = [m for m in left if not _strong_field(m, table)]
    if len(chosen) < limit:
        chosen += _looked_up(lexicon, evidence, chosen, readable)
    chosen.sort(
        key=lambda c: min(
            (m.start for m in c.mentions if _strong_field(m, c.table) and m.weight >= 0.4), default=10_000
        )
    )
    for choice in chosen:
        choice.wanted = wanted_fields(choice.table, evidence.active)
        said = " ".join(evidence.text.folded[a:b] for a, b in evidence.stretches)
        averaged = OPERATIONS["mean"].search(said)
        counted = choice.table.record and OPERATIONS["count"].search(said) and not averaged
        if not counted and not any(choice.table.measure(w) for w in choice.wanted):
            choice.wanted += conceived(said, choice.table)[:1] or (
                _amounts(choice.table) if averaged and choice.table.record else []
            )
        if LOOKUP_STATUS.search(evidence.text.folded):
            status = [
                f.name
                for f in choice.table.fields.values()
                if f.values and STATUS_FIELD.search(f"{f.name} {' '.join(f.synonyms)}".lower())
            ]
            choice.wanted += [name for name in status[:1] if name not in choice.wanted]
    return chosen


def _amounts(table: Table) -> list[str]:
    """What an average over records is of, when nothing else is said: money first."""
    return sorted(table.measures, key=lambda n: table.fields[n].type != "money")[:1]


_LOOK_UP = re.compile(
    r"^\s*(?:再|先|并|请|帮我|麻烦|顺便|另外|同时|也)*(?:查一?[查下]?|看一?[看下]?|调取?|拉取?|核[对实验查]?|校验|获取|检查|列出|查询|翻)|"
    r"^\s*(?:and |then |also |please )*(?:check|pull|look up|fetch|get|review|verify|show|list)\b"
)


def _looked_up(
    lexicon: Lexicon, evidence: Evidence, chosen: list[Choice], readable: list[Table]
) -> list[Choice]:
    """A clause of its own ("check the X") whose words belong to one table that is not chosen yet."""
    if not chosen:
        return []
    found: list[Choice] = []
    for start, end in evidence.text.items:
        if not evidence.inside(start) or not _LOOK_UP.match(evidence.text.folded[start:end]):
            continue
        here = [m for m in evidence.active if start <= m.start < end]
        if any(t[1] == c.table.key and t[0] != "source" for m in here for t in m.targets for c in chosen):
            continue
        part = Evidence(evidence.text, evidence.mentions, [], evidence.spans, [(start, end)])
        ranked = sorted(
            ((score_table(t, part, part.active, first=False), t) for t in readable), key=lambda s: -s[0]
        )
        if ranked and ranked[0][0] >= 0.4:
            found.append(Choice(ranked[0][1], ranked[0][0], [], here))
            readable.remove(ranked[0][1])
    return found


def by_concept(lexicon: Lexicon, evidence: Evidence) -> list[Choice]:
    """The table whose measure the question's verbs stand for, when no word of it is named."""
    asked = " ".join(evidence.text.folded[a:b] for a, b in evidence.stretches)
    able = [(t, names) for t in lexicon.tables.values() if t.readable and (names := conceived(asked, t))]
    if not able:
        return []
    table, names = max(
        able, key=lambda a: (score_table(a[0], evidence, evidence.active, first=True), len(a[1]))
    )
    return [Choice(table, 0.1, names[:1], [])]


def guess(lexicon: Lexicon, evidence: Evidence) -> list[Choice]:
    """The nearest table, when nothing in the question names one and there are no documents to search."""
    readable = [t for t in lexicon.tables.values() if t.readable]
    if not readable:
        return []
    best = max(
        readable, key=lambda t: (score_table(t, evidence, evidence.active, first=True), t.holders[0].trust)
    )
    return [Choice(best, 0.0)]


def wanted_fields(table: Table, mentions: list[Mention]) -> list[str]:
    """Non-dimension fields that the question names, strongest reading only when a weaker one names another."""
    names: dict[str, float] = {}
    for m in mentions:
        for name in m.fields(table.key):
            f = table.fields[name]
            if f.type in ("month", "quarter") or table.is_year(f) or (f.name in table.dataset.grain):
                continue
            names[name] = max(names.get(name, 0), m.weight)
    strong = [n for n, w in names.items() if w >= STRONG]
    return strong or list(names)


def score_table(table: Table, evidence: Evidence, mentions: list[Mention], *, first: bool) -> float:
    score = 0.0
    seen_fields: set[str] = set()
    for m in mentions:
        best = 0.0
        for kind, key, name, _ in m.targets:
            if key != table.key:
                continue
            best = max(best, _worth(table, kind, name, seen_fields) * m.weight)
            if kind in ("field", "value"):
                seen_fields.add(name)
        score += best
    for value in evidence.active_frees if first else []:
        place = attach(value, table, evidence.mentions, evidence.text)
        if place:
            score += place[1]
    score += min(1.2, 0.3 * _soft(table, evidence, mentions))
    if _TWO_MEASURES.search(evidence.text.folded):
        both = {n for m in mentions for n in m.fields(table.key) if table.measure(n)}
        score += 0.5 if len(both) > 1 else 0.0
    dated = [s for s in evidence.spans if s.dated or s.kind in ("yoy", "pop")]
    if dated and first:
        fields = table.time_fields
        if not fields:
            score -= 0.4
        else:
            finest = min(_OF_TYPE.get(f.type, 5) for f in fields)
            score += 0.15 if all(_FINER[s.unit] >= finest for s in dated) else -0.25
    return score + 0.05 * table.holders[0].trust


def _worth(table: Table, kind: str, name: str, seen: set[str]) -> float:
    if kind == "dataset":
        return 0.8
    if kind == "source":
        return 0.6
    if kind == "value":
        return 0.5
    f = table.fields[name]
    if f.type in ("month", "quarter") or table.is_year(f):
        return 0.05
    if name in seen:
        return 0.1
    if table.measure(name):
        return 1.1
    if f in table.identities and name in table.dataset.grain:
        return 0.55
    if name in table.dataset.grain:
        return 0.35
    if f in table.identities:
        return 0.3
    return 0.6 if not f.values else 0.45


def _strong_field(m: Mention, table: Table) -> bool:
    return any(t[0] in ("field", "dataset") and t[1] == table.key for t in m.targets)


def _asks_for(m: Mention, table: Table) -> bool:
    """Whether the mention names something of the table that no other table already gives."""
    if m.weight <= STRONG or m.text.lower() in GENERIC or m.text in GENERIC_ZH:
        return False
    for kind, key, name, _ in m.targets:
        if key != table.key:
            continue
        if kind == "dataset":
            return True
        if kind == "field" and (
            table.measure(name)
            or (
                name not in table.dataset.grain
                and table.fields[name].type == "text"
                and not table.fields[name].values
            )
        ):
            return True
    return False


def _explained(m: Mention, chosen: list[Choice]) -> bool:
    """A word that also belongs to a chosen table asks for no other."""
    return any(any(t[1] == c.table.key and t[0] != "source" for t in m.targets) for c in chosen)


def _soft(table: Table, evidence: Evidence, mentions: list[Mention]) -> float:
    """Shared units outside the mentions that name this table."""
    named = [(m.start, m.end) for m in mentions if any(t[1] == table.key for t in m.targets)]
    total, seen = 0.0, set()
    for unit, start, end in question_units(evidence):
        if unit in seen or any(start < b and a < end for a, b in named):
            continue
        weight = table.bag.get(unit, 0.0)
        if weight:
            seen.add(unit)
            total += weight
    return total


def question_units(evidence: Evidence) -> list[tuple[str, int, int]]:
    """Content stems and Chinese bigrams of the stretches that ask for data, outside time expressions."""
    text = evidence.text
    taken = [(s.start, s.end) for s in evidence.spans]
    folded = text.masked(taken)
    units = [
        (w.stem, w.start, w.end)
        for w in text.words
        if w.content
        and len(w.stem) > 1
        and evidence.inside(w.start)
        and not any(a < w.end and w.start < b for a, b in taken)
    ]
    for run in re.finditer(r"[\u4e00-\u9fff]+", folded):
        for i in range(run.start(), run.end() - 1):
            if evidence.inside(i) and evidence.inside(i + 1):
                units.append((folded[i : i + 2], i, i + 2))
    return units
