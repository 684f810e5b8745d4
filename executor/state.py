"""The state of a run: every sub-goal, every attempt at it, and what came of it.

Nothing is overwritten. A new try at another source or with a wider question is a new sub-goal (`g3.2`) with
`parent="g3"`; `effective` then says which result stands for `g3`, and a reference to `g3` reads that one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from adapters.base import Evidence
from planner.plan import Plan, SubGoal
from planner.validation import Verdict

__all__ = ["Attempt", "ExecutionState", "FailureKind", "Goal", "Replan", "Status", "StepResult"]

Status = Literal["pending", "running", "success", "failed_retryable", "failed_fatal", "skipped"]
FailureKind = Literal[
    "timeout", "rate_limited", "unavailable", "no_results", "format_error", "schema_drift",
    "validation_failed", "auth", "refused", "circuit_open", "skipped_input", "cancelled", "bug",
]  # fmt: skip
Relation = Literal["plan", "retry", "relax", "fallback", "second_opinion", "reconcile", "recompute", "replan"]


@dataclass(frozen=True, slots=True)
class Goal:
    """A sub-goal in a run, and where it came from. `parent` is the sub-goal of the plan that it stands in for."""

    sub_goal: SubGoal
    parent: str = ""  # "" for a goal of the plan itself
    relation: Relation = "plan"
    timeout_s: float | None = None  # overrides the source's, after a timeout

    @property
    def id(self) -> str:
        return self.sub_goal.id

    @property
    def root(self) -> str:
        """The plan's own id for this line of goals."""
        return self.parent or self.id


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of a source, kept whole. Times: `started` ISO 8601 UTC, `elapsed` seconds."""

    request_id: str
    number: int
    started: str
    elapsed: float
    sent: Mapping[str, Any] = field(default_factory=dict)
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    digest: str = ""  # sha256 of the raw reply
    snapshot: str = ""  # a bounded copy of it
    failure: FailureKind | None = None
    message: str = ""
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came of a sub-goal. `evidence` is kept also when the validation failed; `verdict` says why."""

    goal_id: str
    status: Status
    attempts: tuple[Attempt, ...] = ()
    evidence: Evidence | None = None
    verdict: Verdict | None = None
    failure: FailureKind | None = None
    message: str = ""  # one line that a person can act on
    seconds: float = 0.0
    artefact: str = ""  # the path of a file that the step wrote


@dataclass(frozen=True, slots=True)
class Replan:
    """The rest of the run was planned anew: by which planner and how sure, why, and which of the plan's steps were kept,
    dropped and added. `why` is the rule's reason, `reason` the planner's."""

    planner: str
    version: str
    confidence: float
    why: str
    reason: str
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(slots=True)
class ExecutionState:
    """All of a run. Grows only: goals and results are added, `effective` moves forward. `plan` is the plan in force; a
    step that a replan dropped stays among the goals, with its result.

    `approved` is the set of side-effect source names (or "*") that a person has approved for this run.
    """

    run_id: str
    plan: Plan
    today: str
    goals: dict[str, Goal] = field(default_factory=dict)
    results: dict[str, StepResult] = field(default_factory=dict)
    effective: dict[str, str] = field(default_factory=dict)  # plan's id → id of the goal that stands for it
    approved: frozenset[str] = frozenset()
    roles: tuple[str, ...] = ()
    replans: list[Replan] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        run_id: str,
        plan: Plan,
        today: str,
        approved: frozenset[str] = frozenset(),
        roles: tuple[str, ...] = (),
    ) -> ExecutionState:
        """A fresh state: the plan's goals, no results."""
        goals = {g.id: Goal(g) for g in plan.sub_goals}
        return cls(run_id, plan, today, goals, {}, {k: k for k in goals}, approved, roles)

    def add(self, goal: Goal, *, stands_in: bool) -> None:
        """Adds a new goal; with `stands_in` it takes its root's place at once.

        Raises ValueError when the id is taken: a result is never overwritten.
        """
        if goal.id in self.goals:
            raise ValueError(f"goal {goal.id} exists already")
        self.goals[goal.id] = goal
        if stands_in:
            self.effective[goal.root] = goal.id

    def replan(self, plan: Plan, made: Replan) -> None:
        """Puts `plan` in force. Its steps that are known keep their results; those of `made.added` become goals.

        Raises ValueError when the id of a new one is taken."""
        for sub_goal in plan.sub_goals:
            if sub_goal.id in made.added:
                self.add(Goal(sub_goal, relation="replan"), stands_in=True)
        self.plan = plan
        self.replans.append(made)

    def next_id(self, root: str) -> str:
        """A free id in the line of `root`: g3 → g3.2, g3.3 …"""
        n = 2
        while f"{root}.{n}" in self.goals:
            n += 1
        return f"{root}.{n}"

    def resolve(self, step: str) -> str:
        """The id of the goal that stands for `step` now."""
        return self.effective.get(step, step)

    def result(self, step: str) -> StepResult | None:
        """The result that stands for `step`, None while there is none."""
        return self.results.get(self.resolve(step))

    def evidence(self, step: str) -> Evidence | None:
        """The evidence that stands for `step` when it succeeded, else None."""
        r = self.result(step)
        return r.evidence if r is not None and r.status == "success" else None
