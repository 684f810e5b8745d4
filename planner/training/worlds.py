"""Random worlds: catalogues with questions and gold plans, for shapes that people's own questions seldom have.

    python -m planner.training.worlds --out DIR --worlds 100 --seed 1 [--questions 46]

Writes `DIR/random_SEED/NAME.cat` beside `NAME.txt`, which training reads like any author's folder. Every plan expands on its catalogue,
passes the checks of any plan, and means the same when it is written back; `assay planner verify DIR` runs each on a made-up world,
and `assay planner train --data DIR` leaves out what does not run.
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from planner.catalogue import Catalogue
from planner.catalogue_text import read_catalogue
from planner.compact import collapse, expand, read_plan
from planner.errors import PlanError
from planner.plan import Plan, SubGoal
from planner.rules.lexicon import Lexicon
from planner.training.triples import Triple
from planner.training.worlds_catalogue import make_catalogue
from planner.training.worlds_shapes import SHAPES, Asking
from planner.training.worlds_voice import voiced
from planner.training.worlds_words import TRADES

__all__ = ["RandomWorld", "check_triple", "make_world", "show_triples"]

_TRIES = 5  # drawn anew where a question stands already


@dataclass(frozen=True, slots=True)
class RandomWorld:
    """`text` is the catalogue's; the triples' lines count from 1 within the world."""

    name: str
    text: str
    triples: tuple[Triple, ...]


def make_world(seed: int, questions: int = 2 * len(SHAPES)) -> RandomWorld:
    """The same for the same seed: each shape in turn, in one language and the other. Raises PlanError where a plan of its
    own does not hold, which is a fault of this generator."""
    rng = random.Random(seed)
    trade = TRADES[seed % len(TRADES)]
    made = make_catalogue(trade, rng)
    catalogue = read_catalogue(made.text)
    lexicon = Lexicon(catalogue)
    today = dt.date(2021, 1, 1) + dt.timedelta(days=rng.randrange(2500))
    triples: list[Triple] = []
    seen: set[str] = set()
    for n in range(questions):
        shape, language = SHAPES[n % len(SHAPES)], ("zh", "en")[(n % len(SHAPES) + n // len(SHAPES)) % 2]
        for _ in range(_TRIES):
            question, plan = shape(Asking(made, language, today, rng))
            spoken = voiced(question, language, rng)
            if spoken not in seen:
                break
        seen.add(spoken)
        triples.append(Triple(spoken, language, today, plan, n + 1))
        check_triple(triples[-1], catalogue, lexicon)
    return RandomWorld(f"{trade.name}_{seed:05d}", made.text, tuple(triples))


def check_triple(triple: Triple, catalogue: Catalogue, lexicon: Lexicon | None = None) -> None:
    """Raises PlanError where the plan does not expand, fails its checks, or means something else when it is written back."""
    compact = read_plan(triple.plan)
    if compact.missing is not None:
        return
    lexicon = lexicon or Lexicon(catalogue)
    plan = expand(compact, triple.question, catalogue, lexicon)
    kept = collapse(plan, catalogue)
    again = expand(kept, triple.question, catalogue, lexicon)
    if _asked(again) != _asked(plan) or collapse(again, catalogue) != kept:
        raise PlanError(f"{triple.plan!r} means something else when it is written back")


def _asked(plan: Plan) -> list[SubGoal]:
    """The steps without their checks: that a row's own id is there is checked anyway, and not written back."""
    return [g.model_copy(update={"validation": "rows >= 1"}) for g in plan.sub_goals]


def show_triples(triples: tuple[Triple, ...]) -> str:
    """As `planner.training.triples.read_triples` reads them. All are of one day."""
    rows = [f"today {triples[0].today.isoformat()}", ""]
    for t in triples:
        rows += [f"Q {t.language} {t.question}", t.plan, ""]
    return "\n".join(rows)


def worlds(count: int, seed: int, questions: int) -> Iterator[RandomWorld]:
    return (make_world(seed * 100_000 + n, questions) for n in range(count))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--questions", type=int, default=2 * len(SHAPES), help="of each world")
    given = parser.parse_args()
    folder = given.out / f"random_{given.seed}"
    folder.mkdir(parents=True, exist_ok=True)
    triples = 0
    for world in worlds(given.worlds, given.seed, given.questions):
        (folder / f"{world.name}.cat").write_text(world.text, encoding="utf-8")
        (folder / f"{world.name}.txt").write_text(show_triples(world.triples), encoding="utf-8")
        triples += len(world.triples)
    print(f"{folder}: {given.worlds} worlds, {triples} triples, each checked")


if __name__ == "__main__":
    main()
