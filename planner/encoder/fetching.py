"""Which lines read a set of tables: their columns, and filters from values, spots and tagged stretches."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.compact.lines import Asked, FetchLine, Range
from planner.encoder.decisions import Decisions
from planner.encoder.labels import ENDINGS, SIGNS
from planner.encoder.skeletons import Shape
from planner.rules.filters import Atom, combine
from planner.rules.lexicon import Table

__all__ = ["Fetched", "fetched", "stretches"]

LIKELY, POSSIBLE, MARGIN = 0.5, 0.15, 0.25
TAGGED, LEAST_TAG = 0.4, 0.2  # of a stretch's surest token, of the tokens beside it
CONTRASTED = 0.3  # of the likeliest holder, where a table is read twice
_COUNTED = ("count",)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A line, the table it reads and that table's item."""

    line: FetchLine
    table: Table
    at: int


def fetched(d: Decisions, read: list[int], shape: Shape) -> list[Fetched]:
    """In the order in which the operations want them."""
    counted = bool(shape.steps) and all(s.operation in _COUNTED for s in shape.steps)
    made: list[Fetched] = []
    for at in _ordered(d, read, shape):
        table = d.items.lexicon.tables[d.items.all[at].table]
        twice = len(read) < shape.fetches and (len(read) == 1 or d.role("twice", at) > LIKELY)
        sources = _sources(d, table, at, twice=twice)
        sets = _filters(d, table, twice=twice and len(sources) == 1)
        for source in sources:
            for filters in sets:
                columns = _columns(d, table, filters, counted=counted)
                made.append(Fetched(FetchLine(table.dataset.name, source, columns, filters), table, at))
    return made


def _ordered(d: Decisions, read: list[int], shape: Shape) -> list[int]:
    """So that the operands, in the order in which the shape takes them, are the ones that the pointers give."""
    used = [n for s in shape.steps if s.operation != "count" for kind, n in s.inputs if kind == "F"]
    used = list(dict.fromkeys(used))[:2]

    def worth(order: tuple[int, ...]) -> tuple[float, ...]:
        pointed = 0.0
        for k, n in enumerate(used):
            if n <= len(order):
                key = d.items.all[order[n - 1]].table
                pointed += sum(float(d.pointers[k, i]) for (t, _), i in d.items.fields.items() if t == key)
        return (round(pointed, 1), *(-float(_said(d, at)) for at in order))

    orders: list[tuple[int, ...]] = list(itertools.permutations(read)) if len(read) < 4 else [tuple(read)]
    best: tuple[int, ...] = max(orders, key=worth)
    return list(best)


def _said(d: Decisions, at: int) -> int:
    """Where the question first speaks of the table."""
    key = d.items.all[at].table
    return min((m.start for m in d.reading.mentions if any(t[1] == key for t in m.targets)), default=999)


def _sources(d: Decisions, table: Table, at: int, *, twice: bool) -> list[str | None]:
    named = [(d.role("used", i), s) for (k, s), i in d.items.sources.items() if k == table.key]
    if not named:
        return [None]
    if twice and max(named)[0] > CONTRASTED:
        return [s for _, s in sorted(named, reverse=True)[:2]]
    return [max(named)[1]] if max(named)[0] > LIKELY else [None]


def _columns(d: Decisions, table: Table, filters: Mapping[str, Asked], *, counted: bool) -> tuple[str, ...]:
    fields = {n: i for (k, n), i in d.items.fields.items() if k == table.key}
    pointed = list(dict.fromkeys(n for k in range(2) for n, i in fields.items() if d.pointers[k, i] > LIKELY))
    chosen = [n for n, i in fields.items() if n not in pointed and d.role("wanted", i) > LIKELY] + pointed
    if not chosen and not counted:
        chosen = [max(fields, key=lambda n: d.role("wanted", fields[n]))]
    return tuple(chosen)


def _filters(d: Decisions, table: Table, *, twice: bool) -> list[dict[str, Asked]]:
    atoms: list[Atom] = []
    for (key, name), at in d.items.fields.items():
        if key != table.key:
            continue
        p = d.role("filtered", at)
        f = table.fields[name]
        if f.values or f.type == "bool":
            atoms += _listed(d, name, p)
        else:
            atoms += _free(d, table, name, at, p)
    atoms = _one_field_a_spot(d, table, atoms)
    atoms.sort(key=lambda a: (a.position, a.end))
    timed = sorted((a for a in atoms if a.time is not None), key=lambda a: str(a.value))
    if all(isinstance(a.value, str) for a in timed) and len({a.field for a in atoms}) < 3:
        atoms = [*(a for a in atoms if a.time is None), *timed]
    sets = combine(atoms)
    if twice and len(sets) == 1:
        sets = _split(sets[0])
    elif not twice and len(sets) > 1:
        sets = _joined(sets)
    return [{n: _asked(v) for n, v in one.items()} for one in sets]


def _listed(d: Decisions, name: str, p: float) -> list[Atom]:
    values = {v: i for (n, v), i in d.items.values.items() if n == name}
    if p < LIKELY or not values:
        return []
    chosen = [v for v, i in values.items() if d.role("filtered", i) > LIKELY]
    if not chosen:
        best = max(values, key=lambda v: d.role("filtered", values[v]))
        chosen = [best] if d.role("filtered", values[best]) > POSSIBLE else []
    out = [v for v in values if _left_out(d, _place(d, name, v))]
    if out:
        chosen = [v for v in values if v not in out] or chosen
    return [Atom(*_place(d, name, v), name, v) for v in chosen]


_BEFORE = re.compile(
    r"(?:除了?|除去|不含|不包括|不算|不要|剔除|排除|刨[去除掉]|撇开|\bexcept(?: for)?|\bexcluding|\bexclude|\bother than|\bbut not|\bnot counting|\bapart from|"
    r"\bleave out|\bwithout|\bignoring|\bbar(?:ring)?|\bminus)\s*(?:the |any )?(?:[\w\u4e00-\u9fff]{1,8}(?:、|和|跟|与|及|, | and ))?$"
)
_BEHIND = re.compile(
    r"^[^，,。.;；?？]{0,8}?(?:除外|[不别]算|别要|[不别]计|剔除|以外|之外|don't count|do not count|doesn't count|not counted|excluded|aside)"
)


def _left_out(d: Decisions, place: tuple[int, int]) -> bool:
    folded = d.reading.text.folded
    return place[0] < len(folded) and bool(
        _BEFORE.search(folded[: place[0]]) or _BEHIND.match(folded[place[1] :])
    )


def _place(d: Decisions, name: str, value: str) -> tuple[int, int]:
    found = [(m.start, m.end) for m in d.reading.mentions if any(t[2:] == (name, value) for t in m.targets)]
    return min(found, default=(9999, 9999))


def _free(d: Decisions, table: Table, name: str, at: int, p: float) -> list[Atom]:
    f = table.fields[name]
    able = []
    for s, spot in enumerate(d.reading.spots):
        ending = ENDINGS[int(d.endings[s].argmax())]
        sign = SIGNS[int(d.signs[s].argmax())] if spot.number is not None else ""
        made = spot.fills(f, ending, sign)
        if made is None:
            made = spot.fills(f)
        if made is not None and not (spot.number is not None and d.tops[s] > LIKELY):
            able.append((float(d.pairs[s, at]), s, made))
    chosen = [a for a in able if a[0] > LIKELY and p > 0.3 and not _elsewhere(d, a[1], at, a[0])]
    if not chosen and p > LIKELY and able:
        best = max(able)
        chosen = [best] if best[0] > POSSIBLE else []
    if chosen:
        spots = d.reading.spots
        alike = _form(spots[max(chosen)[1]].text)
        chosen = [c for c in chosen if _form(spots[c[1]].text) == alike]
        return [
            Atom(spots[s].start, spots[s].end, name, _plain(made), spots[s].span) for _, s, made in chosen
        ]
    if p > LIKELY and f.type == "text":
        return [Atom(a, b, name, d.question[a:b]) for a, b in stretches(d)[:1]]
    return []


def _form(text: str) -> str:
    """'GS25-0711' → 'gs-': ids of one field look alike."""
    return re.sub(r"\d+", "", text.lower()) if any(c.isdigit() for c in text) else ""


def _elsewhere(d: Decisions, s: int, at: int, p: float) -> bool:
    """An id that fits a field of another name much better, in whichever table, is not for this one."""
    name = d.items.all[at].name
    used = {k for k, i in d.items.tables.items() if d.role("used", i) > LIKELY}
    return bool(d.reading.spots[s].text) and any(
        float(d.pairs[s, i]) > p + MARGIN for (k, n), i in d.items.fields.items() if n != name and k in used
    )


def stretches(d: Decisions) -> list[tuple[int, int]]:
    """Runs of tokens tagged as a free value, the surest first."""
    runs: list[tuple[float, int, int]] = []
    previous = -2
    for t, (a, b) in enumerate(d.offsets):
        if b > a and d.tags[t] > LEAST_TAG:
            if previous == t - 1 and runs:
                p, start, _ = runs[-1]
                runs[-1] = (max(p, float(d.tags[t])), start, b)
            else:
                runs.append((float(d.tags[t]), a, b))
            previous = t
    found = []
    for _, a, b in sorted((r for r in runs if r[0] > TAGGED), reverse=True):
        while a < b and d.question[a] in " ，,。.?？\"'“”‘’「」":
            a += 1
        while b > a and d.question[b - 1] in " ，,。.?？\"'“”‘’「」":
            b -= 1
        if b > a:
            found.append((a, b))
    return found


def _one_field_a_spot(d: Decisions, table: Table, atoms: list[Atom]) -> list[Atom]:
    """A spot fills the field of the table that it fits best, apart from values of lists."""
    best: dict[tuple[int, int], tuple[float, str]] = {}
    place = {(s.start, s.end): i for i, s in enumerate(d.reading.spots)}
    for a in atoms:
        s = place.get((a.position, a.end))
        if s is None or (f := table.fields[a.field]).values or f.type == "bool":
            continue
        p = float(d.pairs[s, d.items.fields[table.key, a.field]])
        best[a.position, a.end] = max(best.get((a.position, a.end), (-1.0, "")), (p, a.field))
    return [
        a
        for a in atoms
        if (a.position, a.end) not in best
        or table.fields[a.field].values
        or table.fields[a.field].type == "bool"
        or best[a.position, a.end][1] == a.field
    ]


def _split(one: dict[str, Any]) -> list[dict[str, Any]]:
    """Two lines for the field that holds two values."""
    for name, value in one.items():
        if isinstance(value, list) and len(value) == 2:
            return [{**one, name: v} for v in value]
    return [one]


def _joined(sets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One line for ranges that stand end to end or overlap; as they are where they do not."""
    names = {n for one in sets for n in one if any(other.get(n) != one.get(n) for other in sets)}
    if len(names) != 1:
        return sets
    (name,) = names
    values = [one.get(name) for one in sets]
    if not any(isinstance(v, dict) for v in values) or any(v is None or isinstance(v, list) for v in values):
        return sets
    ends = sorted((str(v["from"]), str(v["to"])) if isinstance(v, dict) else (str(v), str(v)) for v in values)
    return [{**sets[0], name: {"from": ends[0][0], "to": ends[-1][1]}}]


def _plain(asked: Asked) -> Any:
    if isinstance(asked, Range):
        return {"from": asked.low, "to": asked.high}
    return asked[0] if len(asked) == 1 else list(asked)


def _asked(value: Any) -> Asked:
    if isinstance(value, dict):
        low, high = value["from"], value["to"]
        return Range(
            None if low in (None, "None") else str(low), None if high in (None, "None") else str(high)
        )
    return tuple(str(v) for v in value) if isinstance(value, list) else (str(value),)
