"""Is a step's evidence enough? A validation string, parsed, and the verdict on data.

A verdict is three-valued. Each clause reports as it bears on the whole: under NOT its outcome is turned round
and its text begins with NOT, so that `failed(kind)` is always what stands in the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal, cast

from planner.comparison import all_of, any_of, negate
from planner.errors import ValidationSyntaxError
from planner.validation_check import Data, judge
from planner.validation_grammar import read
from planner.validation_text import show
from planner.validation_tree import And, Expression, Not, Or

__all__ = [
    "ClauseResult",
    "Data",
    "Outcome",
    "Validation",
    "ValidationSyntaxError",
    "Verdict",
    "parse_validation",
]

Outcome = Literal["pass", "fail", "unknown"]


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """One clause's outcome.

    kind      has_columns has_fields not_null unique rows covers compare in between any type fresh
    measured  what was found, plain JSON: rows an int; has_columns {missing}; has_fields, not_null {rows, empty};
              unique {duplicates, examples}; covers {missing, unknown}; compare, in, between {rows, failed, unknown,
              examples}; any {rows, held, unknown}; type {values, other, examples}; fresh {newest, days};
              None where the column is not there
    """

    clause: str
    kind: str
    outcome: Outcome
    measured: Any
    detail: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of the whole and of each clause, in the order in which they are written."""

    outcome: Outcome
    clauses: tuple[ClauseResult, ...]

    def failed(self, kind: str | None = None) -> list[ClauseResult]:
        """The clauses that failed, all or those of one kind."""
        return [c for c in self.clauses if c.outcome == "fail" and kind in (None, c.kind)]

    def to_dict(self) -> dict[str, Any]:
        return {"outcome": self.outcome, "clauses": [asdict(c) for c in self.clauses]}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Verdict:
        """What `to_dict` gave. Raises KeyError or TypeError on anything else."""
        return cls(cast("Outcome", stored["outcome"]), tuple(ClauseResult(**c) for c in stored["clauses"]))


@dataclass(frozen=True, slots=True)
class Validation:
    """A parsed validation; `str()` prints it in the language."""

    tree: Expression

    def __str__(self) -> str:
        return show(self.tree)

    def check(self, data: Data, today: str | None = None) -> Verdict:
        """`today` (YYYY-MM-DD) is what `fresh` measures from; without it the machine's date. Raises ValueError when
        `today` is no date."""
        day = date.fromisoformat(today) if today else date.today()
        clauses: list[ClauseResult] = []
        holds = _judge(self.tree, data, day, clauses, negated=False)
        return Verdict(outcome_of(holds), tuple(clauses))


def parse_validation(text: str) -> Validation:
    """Raises ValidationSyntaxError, and nothing else, on whatever is not in the language."""
    return Validation(read(text))


def outcome_of(holds: bool | None) -> Outcome:
    return "unknown" if holds is None else "pass" if holds else "fail"


def _judge(
    node: Expression, data: Data, today: date, out: list[ClauseResult], *, negated: bool
) -> bool | None:
    """Whether `node` holds; `negated` only turns what the clauses report. Every clause is measured."""
    match node:
        case Not(part):
            return negate(_judge(part, data, today, out, negated=not negated))
        case And(parts):
            return all_of([_judge(p, data, today, out, negated=negated) for p in parts])
        case Or(parts):
            return any_of([_judge(p, data, today, out, negated=negated) for p in parts])
    j = judge(node, data, today)
    text = f"NOT {show(node)}" if negated else show(node)
    outcome = outcome_of(negate(j.holds) if negated else j.holds)
    out.append(ClauseResult(text, j.kind, outcome, j.measured, j.detail))
    return j.holds
