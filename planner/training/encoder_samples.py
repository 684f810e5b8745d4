"""Authored worlds as what the encoder is trained on: item texts, and for each question features, labels, draft."""

from __future__ import annotations

import hashlib
import logging
import pickle
import random
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from planner.compact import CompactPlan, collapse, read_plan
from planner.encoder.features import Features, features
from planner.encoder.items import Items
from planner.encoder.labels import Labels, label
from planner.encoder.spots import Reading, Spot
from planner.rules.lexicon import Lexicon
from planner.rules.planner import RulePlanner
from planner.training.triples import World

__all__ = ["Sample", "WorldSamples", "made", "samples"]

log = logging.getLogger(__name__)
VERSION = "6"


@dataclass(slots=True)
class Sample:
    question: str
    language: str
    today: date
    plan: CompactPlan
    spots: list[Spot]
    features: Features
    labels: Labels
    draft: CompactPlan | None


@dataclass(slots=True)
class WorldSamples:
    """`texts` are the items' in full, `leaner` with some of their words left out."""

    name: str
    items: Items
    texts: list[str]
    leaner: list[str]
    samples: list[Sample] = field(default_factory=list)


def samples(world: World, cache: Path) -> WorldSamples:
    """Made once and kept under `cache` by the content of the world."""
    key = hashlib.sha256(f"{VERSION}{world.catalogue.model_dump_json()}{world.triples}".encode()).hexdigest()[
        :20
    ]
    kept = cache / f"{world.name}-{key}.pickle"
    if kept.is_file():
        return pickle.loads(kept.read_bytes())  # type: ignore[no-any-return]
    found = made(world)
    cache.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(found))
    return found


def made(world: World) -> WorldSamples:
    """A plan that names what its catalogue lacks is left out."""
    lexicon = Lexicon(world.catalogue)
    items = Items.of(lexicon)
    rules = RulePlanner(world.catalogue)
    texts = [i.text for i in items.all]
    whole = WorldSamples(world.name, items, texts, [leaner(t, i) for i, t in enumerate(texts)])
    for triple in world.triples:
        plan = read_plan(triple.plan)
        reading = Reading.of(triple.question, triple.today, lexicon)
        proposed = rules.propose(triple.question, triple.today).plan
        draft = collapse(proposed, world.catalogue) if proposed else None
        try:
            labels = label(plan, triple.question, items, reading.spots)
        except KeyError as error:
            log.warning("%s:%d left out: %s", world.name, triple.line, error)
            continue
        found = features(triple.question, triple.today, items, reading, draft)
        whole.samples.append(
            Sample(triple.question, triple.language, triple.today, plan, reading.spots, found, labels, draft)
        )
    return whole


def leaner(text: str, seed: int) -> str:
    """Half of the pieces, at least one: a catalogue whose author wrote fewer synonyms."""
    pieces = text.split(" / ")
    if len(pieces) < 2:
        return text
    chance = random.Random(f"{seed}{text}")
    count = max(1, len(pieces) // 2)
    return " / ".join(pieces[i] for i in sorted(chance.sample(range(len(pieces)), count)))
