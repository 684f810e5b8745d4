"""`Unfinished`: a run whose plan cannot go on as it is: what is done, and what failed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from planner.catalogue import Catalogue, Source
from planner.plan import Plan, SubGoal

__all__ = ["Failure", "Unfinished"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A dataset that could not be had. `whole_source`: the source itself does not answer, so nothing else of it is
    to be planned either. `kind` is the executor's kind of failure."""

    step: str
    source: str
    dataset: str
    kind: str
    whole_source: bool = False

    def __str__(self) -> str:
        return f"{self.source}{'' if self.whole_source else '.' + self.dataset}: {self.kind}"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """`done` are steps of `plan` that came to a good end, in its order, each with all that it depends on. `taken` holds
    every id that the run has used, so that a new step never gets an old one's."""

    plan: Plan
    done: tuple[SubGoal, ...]
    failures: tuple[Failure, ...]
    taken: frozenset[str]

    def failed(self, source: str, dataset: str) -> bool:
        """Whether nothing more may be asked of it."""
        return any(f.source == source and (f.whole_source or f.dataset == dataset) for f in self.failures)

    def catalogue(self, whole: Catalogue, *, with_done: bool = True) -> Catalogue:
        """`whole` without what failed. What a done step read stays in it, so that its result can be referred to, unless
        `with_done` is false."""
        read = {(g.data_source, str(g.params.get("dataset"))) for g in self.done} if with_done else set()
        kept = {name: cut for name, source in whole.sources.items() if (cut := self._cut(source, read))}
        return Catalogue(
            sources={
                name: source.model_copy(
                    update={"alternatives": tuple(a for a in source.alternatives if a in kept)}
                )
                for name, source in kept.items()
            }
        )

    def _cut(self, source: Source, read: Collection[tuple[str, str]]) -> Source | None:
        datasets = tuple(
            d
            for d in source.datasets
            if (source.name, d.name) in read or not self.failed(source.name, d.name)
        )
        return source.model_copy(update={"datasets": datasets}) if datasets else None

    def restricted(self, catalogue: Catalogue) -> tuple[SubGoal, ...]:
        """The done steps that a plan on this catalogue can hold: each with all that it depends on."""
        kept: dict[str, SubGoal] = {}
        for goal in self.done:
            source = catalogue.sources.get(goal.data_source)
            there = "dataset" not in goal.params or (
                source is not None and source.dataset(str(goal.params["dataset"])) is not None
            )
            if there and set(goal.depends_on) <= kept.keys():
                kept[goal.id] = goal
        return tuple(kept.values())
