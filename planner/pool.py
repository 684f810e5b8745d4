"""The pool: every planner's plans for one question, each once, and what speaks for each."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field

from planner.catalogue import Catalogue
from planner.compact import CompactPlan, DeriveLine, DocumentLine, FetchLine, expand, show_plan
from planner.encoder.decisions import Decisions, parts
from planner.encoder.labels import label
from planner.errors import PlanError
from planner.plan import Plan
from planner.proposal import Proposal
from planner.rules.lexicon import Lexicon

__all__ = ["FEATURES", "Option", "Pool", "same"]

_PARTS = (
    "used",
    "filtered",
    "wanted",
    "grouped",
    "condition",
    "written",
    "pairs",
    "flags",
    "pointers",
    "shapes",
)
FEATURES = (
    "rules", "rules_sure", "encoder_first", "encoder_any", "voices", "voices_any",
    "generator_first", "generator_votes", "generator_mean", "no_generator", "likely", "behind", "ahead", *(f"part_{p}" for p in _PARTS), *(f"behind_{p}" for p in _PARTS),
    "worst_part", "steps", "derives", "documents", "missing", "options", "times_used", "spots_used", "chinese",
)  # fmt: skip


@dataclass(slots=True)
class Option:
    """One plan of the pool. `plan` None: it says that the catalogue cannot answer. `encoder` is its rank from 0 among
    the assembled; `voices` the share of the networks that alone would plan it; `votes` how many of the generator's samples
    wrote it; `mean` natural log-probability a token."""

    compact: CompactPlan
    plan: Plan | None
    rules: bool = False
    encoder: int | None = None
    voices: float = 0.0
    generator: int | None = None
    votes: int = 0
    mean: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)
    filled: frozenset[int] = frozenset()  # spots of the question that fill a field

    @property
    def likely(self) -> float:
        """The encoder's log-likelihood of it."""
        return math.fsum(self.parts.values())


def same(plan: CompactPlan) -> str:
    """Plans of one text here ask the same: the order of columns and filters and the words of a search do not count."""
    if plan.missing is not None:
        return "?"
    lines = []
    for line in plan.lines:
        if isinstance(line, FetchLine):
            line = dataclasses.replace(
                line, columns=tuple(sorted(line.columns)), filters=dict(sorted(line.filters.items()))
            )
        elif isinstance(line, DocumentLine):
            line = dataclasses.replace(line, query="…")
        lines.append(line)
    return show_plan(CompactPlan(tuple(lines)))


class Pool:
    """Options in the order in which they came. What does not expand to a plan that passes its checks is left out."""

    def __init__(self, question: str, catalogue: Catalogue, lexicon: Lexicon, decisions: Decisions) -> None:
        self.question, self.decisions = question, decisions
        self.options: dict[str, Option] = {}
        self.rules: Proposal | None = None
        self._catalogue, self._lexicon = catalogue, lexicon

    def add(self, compact: CompactPlan, plan: Plan | None = None) -> Option | None:
        """The option of this plan, made when it is new; None where it fails its checks."""
        key = same(compact)
        if key not in self.options:
            if compact.missing is None and plan is None:
                try:
                    plan = expand(compact, self.question, self._catalogue, self._lexicon)
                except PlanError:
                    return None
            try:
                labels = label(compact, self.question, self.decisions.items, self.decisions.reading.spots)
            except KeyError:
                return None
            filled = frozenset(spot for (spot, _), holds in labels.fills.items() if holds)
            self.options[key] = Option(compact, plan, parts=parts(self.decisions, labels), filled=filled)
        return self.options[key]

    def ranked(self) -> list[Option]:
        """By the encoder's likelihood, the best first."""
        return sorted(self.options.values(), key=lambda o: -o.likely)

    def features(self, option: Option) -> list[float]:
        """In the order of FEATURES; each about between -10 and 10."""
        others = [o.likely for o in self.options.values() if o is not option]
        best = {p: max(o.parts.get(p, 0.0) for o in self.options.values()) for p in _PARTS}
        own = {p: max(option.parts.get(p, 0.0), -15.0) for p in _PARTS}
        sure = self.rules.confidence if option.rules and self.rules else 0.0
        lines = option.compact.lines
        row = [
            option.rules, sure, option.encoder == 0, option.encoder is not None, option.voices, option.voices > 0,
            option.generator == 0,
            min(option.votes, 5) / 5, max(option.mean, -3.0), option.generator is None,
            max(option.likely, -30.0) / 3, max(option.likely - max([option.likely, *others]), -20.0) / 3,
            min(option.likely - max(others), 10.0) / 3 if others and option.likely >= max(others) else 0.0,
            *(own[p] for p in _PARTS), *(max(own[p] - best[p], -10.0) for p in _PARTS),
            min(own.values()), len(lines) / 3, sum(isinstance(x, DeriveLine) for x in lines),
            sum(isinstance(x, DocumentLine) for x in lines), option.plan is None, math.log(len(self.options)),
            *self._used(option), _chinese(self.question),
        ]  # fmt: skip
        return [float(x) for x in row]

    def _used(self, option: Option) -> tuple[float, float]:
        """The shares of the question's times, and of its ids and numbers, that fill a field in the plan."""
        shares = []
        for dated in (True, False):
            spots = {i for i, s in enumerate(self.decisions.reading.spots) if (s.span is not None) == dated}
            shares.append(len(spots & option.filled) / len(spots) if spots else 1.0)
        return shares[0], shares[1]


def _chinese(text: str) -> bool:
    return any("一" <= c <= "鿿" for c in text)
