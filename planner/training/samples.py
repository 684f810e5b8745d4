"""From an authored question to what the local model reads and what it must write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planner.catalogue import Catalogue
from planner.compact import CompactPlan, DocumentLine, FetchLine, WriteLine, read_plan
from planner.compact.tags import read_times, tag
from planner.prompt import PLAN_END, catalogue_prefix, flat, question_part, rule_draft
from planner.rules.planner import RulePlanner
from planner.times import TimeSpan
from planner.training.triples import Triple, World

__all__ = ["Asked", "Sample", "asked", "datasets_of", "samples", "target"]


@dataclass(frozen=True, slots=True)
class Sample:
    """`prefix` and `branch` are read, `target` is written behind them; all as served."""

    prefix: str
    branch: str
    target: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its plan and the rules' draft of it, before any catalogue is shown.

    `needs` are the datasets that plan and draft name (see `datasets_of`)."""

    question: str
    spans: tuple[TimeSpan, ...]
    draft: CompactPlan | None
    target: str
    needs: frozenset[str]

    def branch(self, *, drafted: bool = True) -> str:
        return question_part(self.question, self.spans, self.draft if drafted else None)


def target(plan: CompactPlan, spans: Sequence[TimeSpan], triple: Triple, catalogue: Catalogue) -> str:
    """The plan on one line, its times as tags, ended as the model must end it. Raises PlanError."""
    return flat(tag(plan, spans, triple.today, catalogue)) + PLAN_END


def asked(triple: Triple, catalogue: Catalogue, rules: RulePlanner) -> Asked:
    """`rules` are those of the catalogue. Raises PlanError where the plan cannot be read."""
    spans = read_times(triple.question, triple.today)
    plan = read_plan(triple.plan)
    draft = rule_draft(rules, triple.question, triple.today, spans, catalogue)
    needs = datasets_of(plan) | (datasets_of(draft) if draft else frozenset())
    return Asked(triple.question, spans, draft, target(plan, spans, triple, catalogue), needs)


def datasets_of(plan: CompactPlan) -> frozenset[str]:
    """Names of the datasets that a plan reads, `!name` of those that it writes, `#name` of document sources."""
    names = set()
    for line in plan.lines:
        if isinstance(line, FetchLine):
            names.add(line.dataset)
        elif isinstance(line, WriteLine):
            names.add(f"!{line.dataset}")
        elif isinstance(line, DocumentLine):
            names.add(f"#{line.source}")
    return frozenset(names)


def samples(world: World) -> Iterator[Sample]:
    """Every question of the world on its whole catalogue, as it would be served."""
    prefix = catalogue_prefix(world.catalogue)
    rules = RulePlanner(world.catalogue)
    for triple in world.triples:
        one = asked(triple, world.catalogue, rules)
        yield Sample(prefix, one.branch(), one.target)
