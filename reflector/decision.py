"""What the reflector says: what to do next and why, who disagreed and what was kept, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from adapters.base import Locator, Value
from executor.state import Goal

__all__ = ["Answer", "Citation", "Claim", "Conflict", "Decision", "Finding", "Gap", "Relaxation"]

Rule = Literal[
    "retry", "relax", "fall_back", "reconcile_numbers", "reconcile_facts", "replan", "conclude", "stop"
]
AnswerStatus = Literal["answered", "partial", "insufficient", "refused"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One source's word in a conflict; `weight` is its trust."""

    source: str
    value: Value
    weight: float
    citation: str = ""  # the citation's id, once there is one


@dataclass(frozen=True, slots=True)
class Conflict:
    """Several sources, one measure, one key ("A · 华东 · 2024-01"), values too far apart.

    `step` is the plan's id of the sub-goal concerned. `rule` is "trust-weighted mean" or "most trusted".
    """

    step: str
    dataset: str
    key: str
    measure: str
    values: tuple[Claim, ...]
    kept: Value
    rule: str
    relative_difference: float | None = None
    label: str = ""  # the measure in the answer's language


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A constraint that was widened to find anything at all; always told in the answer."""

    step: str
    field: str
    asked: Any
    used: Any
    why: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Something asked for that is missing, why, and what would help."""

    step: str
    what: str
    why: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do next; `replan` asks who runs the loop for a new plan of the rest. `goals` are added to the state; those named in `stand_in` take their root's place."""

    rule: Rule
    action: Literal["continue", "replan", "conclude", "stop"]
    why: str
    goals: tuple[Goal, ...] = ()
    stand_in: frozenset[str] = frozenset()
    conflicts: tuple[Conflict, ...] = ()
    relaxations: tuple[Relaxation, ...] = ()
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """`statement` reads by itself; `value` is canonical, `unit` is "%", "pp", a currency sign … or "".

    `evidence` holds citation ids ("c1"); `places` counts all places behind the value where not every one is cited.
    """

    statement: str
    value: Value = None
    unit: str = ""
    evidence: tuple[str, ...] = ()
    places: int = 0


@dataclass(frozen=True, slots=True)
class Citation:
    """`id` is what the text shows as [c1]."""

    id: str
    source: str
    dataset: str
    locator: Locator
    step: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """All that a run has to say. `as_dict` is the `assay ask --json` object."""

    run_id: str
    question: str
    status: AnswerStatus
    route: str
    text: str
    findings: tuple[Finding, ...] = ()
    citations: tuple[Citation, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    relaxations: tuple[Relaxation, ...] = ()
    gaps: tuple[Gap, ...] = ()
    prompt: str = ""
    planner: Mapping[str, Any] = field(default_factory=dict)  # name, version, confidence
    plan: Mapping[str, Any] | None = None
    steps: tuple[Mapping[str, Any], ...] = ()
    seconds: float = 0.0
    report: str = ""  # the path of the HTML report, when one was written
