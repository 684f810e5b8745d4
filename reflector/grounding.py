"""Is each number, date and name of a text found in the evidence that it cites, or computed by a step from it?

Units, per cent, thousands separators, 万 and 亿 and rounding are understood. Words without a digit are not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from adapters.base import Value
from executor.state import ExecutionState
from reflector.decision import Answer
from reflector.quantities import moments, names, quantities

__all__ = ["Grounds", "Ungrounded", "check", "grounds_of"]

_MARK = re.compile(r"\[c(\d+)(?:–c(\d+))?\]")
_EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class Ungrounded:
    """`kind` is number, date or name; `line` is where it stands."""

    token: str
    kind: str
    line: str


@dataclass(slots=True)
class Grounds:
    """What a text may stand on. `texts` are searched for names and dates, `numbers` hold canonical values."""

    numbers: list[float] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def add(self, value: object) -> None:
        """Anything that evidence holds: a number, or a text with all the numbers and dates in it."""
        if isinstance(value, bool) or value is None:
            return
        if isinstance(value, int | float):
            self.numbers.append(float(value))
        text = str(value)
        self.texts.append(text)
        self.numbers += [q.value for q in quantities(text)]
        self.texts += [m.value for m in moments(text)]

    def __or__(self, other: Grounds) -> Grounds:
        return Grounds(self.numbers + other.numbers, self.texts + other.texts)


@dataclass(slots=True)
class AllGrounds:
    """By citation id, and what holds for every line: the question, what was computed, weights of conflicts."""

    cited: dict[str, Grounds]
    common: Grounds


def grounds_of(answer: Answer, state: ExecutionState | None = None) -> AllGrounds:
    """What an answer's text may stand on. With `state`, values that steps computed are known too."""
    cited: dict[str, Grounds] = {}
    for c in answer.citations:
        grounds = cited.setdefault(c.id, Grounds())
        for part in c.locator.as_dict().values():
            for value in part if isinstance(part, list) else [part]:
                grounds.add(value)
    for f in answer.findings:
        for i in f.evidence:
            cited.setdefault(i, Grounds()).add(f.value)
            cited[i].add(f.places or None)
    common = Grounds()
    common.add(answer.question)
    for conflict in answer.conflicts:
        _add(
            common,
            conflict.key,
            conflict.kept,
            *(v.value for v in conflict.values),
            *(v.weight for v in conflict.values),
        )
    for r in answer.relaxations:
        _add(common, str(r.asked), str(r.used))
    for g in answer.gaps:
        _add(common, g.what, g.why, g.remedy)
    for s in answer.plan["sub_goals"] if answer.plan else ():
        _add(common, s["description"])
    if state is not None:
        _add_computed(common, state)
    return AllGrounds(cited, common)


def _add(grounds: Grounds, *values: object) -> None:
    for v in values:
        grounds.add(v)


def _add_computed(grounds: Grounds, state: ExecutionState) -> None:
    """Rows that steps computed, how many rows there are, and notes of how they were read."""
    for result in state.results.values():
        evidence = result.evidence
        if evidence is None:
            continue
        grounds.add(len(evidence.rows))
        _add(grounds, *evidence.notes, result.artefact)
        if evidence.source == "derive":
            values: Iterable[Value] = (v for row in evidence.rows for v in row.values())
            _add(grounds, *values)


def check(text: str, grounds: AllGrounds) -> list[Ungrounded]:
    """Whatever in the text stands on nothing. A line is judged by what it cites; its sub-lines share its citations."""
    out = []
    for line in _lines(text):
        own = grounds.common
        for i in _ids(line):
            own = own | grounds.cited.get(i, Grounds())
        out += _ungrounded(line, own)
    return out


def _lines(text: str) -> list[str]:
    """Lines, those that are indented joined to the one above."""
    out: list[str] = []
    for line in text.split("\n"):
        if line.startswith("  ") and out:
            out[-1] += "\n" + line
        else:
            out.append(line)
    return out


def _ids(line: str) -> list[str]:
    out = []
    for m in _MARK.finditer(line):
        out += [f"c{n}" for n in range(int(m[1]), int(m[2] or m[1]) + 1)]
    return out


def _ungrounded(line: str, grounds: Grounds) -> list[Ungrounded]:
    held = [g.casefold() for g in grounds.texts]
    out = [
        Ungrounded(q.text, "number", line)
        for q in quantities(line)
        if not any(q.agrees(n) for n in grounds.numbers)
    ]
    out += [
        Ungrounded(m.text, "date", line)
        for m in moments(line)
        if not any(m.value in h for h in grounds.texts)
    ]
    out += [Ungrounded(n, "name", line) for n in names(line) if not any(n.casefold() in h for h in held)]
    return out
