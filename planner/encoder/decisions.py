"""What the encoder says of a question: a probability for each decision, and the likelihood of any plan under them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from planner.compact.lines import CompactPlan
from planner.encoder.items import Items
from planner.encoder.labels import ENDINGS, FLAGS, ROLES, SIGNS, Labels, label
from planner.encoder.skeletons import OTHER
from planner.encoder.spots import Reading

__all__ = ["Decisions", "score"]

Floats = npt.NDArray[np.float32]
_LEAST = 1e-4  # no decision is surer than this


@dataclass(slots=True)
class Decisions:
    """`roles` [N, 8], `pointers` [2, N + 1] (first and second operand; the last is none), `pairs` [S, N] spot fills field,
    `tops` [S], `signs` [S, 3], `endings` [S, 4], `tags` [T] token is a free value, `flags` [10], `shapes` [K] of `names`.
    `offsets` are the tokens' characters. `draft` is the rules' plan, whose words for a document search are used. `voices`:
    what each network alone decides, where several were heard."""

    question: str
    items: Items
    reading: Reading
    offsets: list[tuple[int, int]]
    roles: Floats
    pointers: Floats
    pairs: Floats
    tops: Floats
    signs: Floats
    endings: Floats
    tags: Floats
    flags: Floats
    shapes: Floats
    names: list[str]
    draft: CompactPlan | None = None
    voices: tuple[Decisions, ...] = ()

    def role(self, role: str, item: int) -> float:
        return float(self.roles[item, ROLES.index(role)])

    def flag(self, flag: str) -> bool:
        return bool(self.flags[FLAGS.index(flag)] > 0.5)


def score(decisions: Decisions, plan: CompactPlan) -> float:
    """Log-likelihood of the plan (natural, at most 0): the sum over all decisions that the plan stands for.

    Raises KeyError on a name that the catalogue lacks."""
    d = decisions
    labels = label(plan, d.question, d.items, d.reading.spots)
    return sum(parts(decisions, labels).values())


def parts(d: Decisions, labels: Labels) -> dict[str, float]:
    """The log-likelihood by kind of decision."""
    made = {
        role: sum(_log(float(d.roles[at, r]), holds) for at, holds in labels.roles[role].items())
        for r, role in enumerate(ROLES)
    }
    made["pairs"] = sum(_log(float(d.pairs[s, at]), holds) for (s, at), holds in labels.fills.items())
    made["tops"] = sum(_log(float(d.tops[s]), holds) for s, holds in labels.tops.items())
    made["flags"] = sum(
        _log(float(d.flags[i]), labels.flags[f]) for i, f in enumerate(FLAGS) if f in labels.flags
    )
    made["signs"] = sum(_log(float(d.signs[s, SIGNS.index(sign)]), True) for s, sign in labels.signs.items())
    made["endings"] = sum(
        _log(float(d.endings[s, ENDINGS.index(ending)]), True) for s, ending in labels.endings.items()
    )
    shape = labels.shape if labels.shape in d.names else OTHER
    made["shapes"] = _log(float(d.shapes[d.names.index(shape)]), True)
    if labels.flags and labels.shape != "?":
        made["pointers"] = sum(
            _log(float(d.pointers[k, len(d.items.all) if at is None else at]), True)
            for k, at in enumerate((labels.first, labels.second))
        )
    return made


def _log(probability: float, holds: bool) -> float:
    p = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(p if holds else 1 - p)
