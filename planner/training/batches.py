"""An endless stream of packs: the least seen worlds first, each pass over a world augmented in another way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from planner.prompt import catalogue_prefix
from planner.rules.lexicon import Lexicon
from planner.rules.planner import RulePlanner
from planner.training.augment import shown, varied
from planner.training.samples import Asked, asked
from planner.training.split import split
from planner.training.triples import World

__all__ = ["Batch", "Stream", "held_batches", "read_data"]

BRANCHES, MIXED = 14, 6  # questions a pack; worlds whose packs are mixed
WHOLE, OTHERS = (
    0.2,
    0.35,
)  # chance that a pack shows the whole catalogue; that it shows a dataset it does not need
UNDRAFTED = 0.1


@dataclass(frozen=True, slots=True)
class Batch:
    """A prefix and its (branch, target) pairs."""

    prefix: str
    pairs: tuple[tuple[str, str], ...]


def read_data(folders: Iterable[Path]) -> tuple[dict[str, World], dict[str, World]]:
    """Worlds to train on and held-out ones, by `author/name`. Raises PlanError."""
    train: dict[str, World] = {}
    held: dict[str, World] = {}
    for folder in folders:
        for author in sorted({p.parent for p in folder.rglob("*.cat")}):
            for kept, worlds in zip((train, held), split(author), strict=True):
                kept.update({f"{author.name}/{w.name}": w for w in worlds})
    return train, held


@dataclass
class Stream:
    """`seen` counts the passes over each world; with it a run goes on where it stopped."""

    worlds: Mapping[str, World]
    rng: Random
    seen: dict[str, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Batch]:
        while True:
            names = sorted(self.worlds, key=lambda n: (self.seen.get(n, 0), self.rng.random()))[:MIXED]
            ready = [(n, b) for n in names for b in self._packs(self.worlds[n])]
            self.rng.shuffle(ready)
            left = {n: sum(n == m for m, _ in ready) for n in names}
            for name, batch in ready:
                yield batch
                left[name] -= 1
                if not left[name]:
                    self.seen[name] = self.seen.get(name, 0) + 1

    def _packs(self, world: World) -> Iterator[Batch]:
        rules, lexicon = RulePlanner(world.catalogue), Lexicon(world.catalogue)
        found = [
            asked(varied(t, world.catalogue, lexicon, self.rng), world.catalogue, rules)
            for t in world.triples
        ]
        for group in _grouped(found, self.rng):
            needs = frozenset[str]().union(*(one.needs for one in group))
            others = 1.0 if self.rng.random() < WHOLE else OTHERS
            prefix = catalogue_prefix(shown(world.catalogue, needs, self.rng, others=others))
            pairs = [(one.branch(drafted=self.rng.random() >= UNDRAFTED), one.target) for one in group]
            yield Batch(prefix, tuple(pairs))


def _grouped(found: list[Asked], rng: Random) -> Iterator[list[Asked]]:
    """Groups of questions that need few datasets together."""
    left = list(found)
    rng.shuffle(left)
    while left:
        group = [left.pop()]
        needs = set(group[0].needs)
        while left and len(group) < BRANCHES:
            best = min(range(len(left)), key=lambda i: len(left[i].needs - needs))
            needs |= left[best].needs
            group.append(left.pop(best))
        yield group


def held_batches(worlds: Mapping[str, World], count: int, questions: int) -> list[Batch]:
    """The first `count` worlds by name, some `questions` of each spread over its file, the whole catalogue shown."""
    out = []
    for name in sorted(worlds)[:count]:
        world = worlds[name]
        rules = RulePlanner(world.catalogue)
        step = max(1, len(world.triples) // questions)
        found = [asked(t, world.catalogue, rules) for t in world.triples[::step][:questions]]
        out.append(Batch(catalogue_prefix(world.catalogue), tuple((a.branch(), a.target) for a in found)))
    return out
