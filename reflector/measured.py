"""What the run measured, with the words by which a rule may speak of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.base import Value
from adapters.dates import granularity
from adapters.values import MEASURES
from reflector.disagreement import key_fields
from reflector.lines import standing
from reflector.sides import Sides, word_of
from reflector.writing import Writing

__all__ = ["Measured", "measured_values"]

_RUN = re.compile(r"[\u3400-\u9fff]+|[A-Za-z][A-Za-z ]+[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure of one step. `words` name it exactly; `described` is a text in which its name may stand.

    `times` are the rows' months (or other times) where the measure is a series of one subject, else empty.
    """

    goal_id: str
    field: str
    label: str
    type: str
    words: tuple[str, ...]
    described: str
    values: tuple[Value, ...]
    rows: tuple[int, ...]
    times: tuple[str, ...] = ()

    def name_in(self, text: str) -> str:
        """The longest word of this measure that `text` holds; of a described one, at least three letters."""
        folded = text.casefold()
        exact = next((w for w in self.words if w.casefold() in folded), "")
        shared = _longest_shared(self.described.casefold(), folded)
        return shared if len(shared) >= 3 and len(shared) > len(exact) else exact


def _longest_shared(a: str, b: str) -> str:
    """The longest run of letters that stands in both."""
    best = ""
    for run in _RUN.findall(a):
        for i in range(len(run)):
            j = i + len(best) + 1
            while j <= len(run) and run[i:j] in b:
                best = run[i:j]
                j += 1
    return best.strip()


def measured_values(writing: Writing) -> list[Measured]:
    """The measures of all steps that succeeded, those of documents left out."""
    out = []
    for goal, result in standing(writing.state):
        evidence = result.evidence
        if result.status != "success" or evidence is None or evidence.kind == "text" or not evidence.rows:
            continue
        derived = goal.sub_goal.data_source == "derive" and goal.relation != "reconcile"
        fields = ["value"] if derived else [c for c in evidence.columns if evidence.types.get(c) in MEASURES]
        if derived and goal.sub_goal.params.get("operation") not in (
            "ratio",
            "sum",
            "mean",
            "difference",
            "product",
            "min",
            "max",
        ):
            continue
        for f in fields:
            rows = [n for n, r in enumerate(evidence.rows) if r.get(f) is not None]
            if not rows or f not in evidence.columns:
                continue
            described = writing.state.goals[goal.root].sub_goal.description if derived else ""
            kind = evidence.types.get(f, "number")
            if derived and goal.sub_goal.params.get("operation") == "ratio":
                kind = "ratio"
            words = tuple(filter(None, [word_of(writing, goal)])) if derived else writing.labels.words(f)
            label = Sides.of(writing, goal, evidence, 0).label if derived else writing.labels.field(f)
            times = (
                ()
                if derived
                else _times(
                    evidence.rows,
                    rows,
                    evidence.types,
                    key_fields(evidence.columns, evidence.types, writing.dataset(goal)),
                )
            )
            out.append(
                Measured(
                    goal.id,
                    f,
                    label,
                    kind,
                    words,
                    described,
                    tuple(evidence.rows[n][f] for n in rows),
                    tuple(rows),
                    times,
                )
            )
    return out


def _times(rows: Sequence[object], numbers: list[int], types: object, key: list[str]) -> tuple[str, ...]:
    """The rows' times when all that tells them apart is one time field."""
    data = [rows[n] for n in numbers]
    varying = [k for k in key if len({str(r.get(k)) for r in data}) > 1]  # type: ignore[attr-defined]
    if len(varying) != 1:
        return ()
    times = [str(r.get(varying[0])) for r in data]  # type: ignore[attr-defined]
    return tuple(times) if all(granularity(t) for t in times) else ()
