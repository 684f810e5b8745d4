"""`AutoPlanner`: plans of every planner that is here, judged together; the likeliest is proposed, the next ones beside it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from planner.catalogue import Catalogue
from planner.compact import collapse
from planner.encoder.assemble import assemble
from planner.encoder.predict import Encoder
from planner.errors import ModelsMissing, PlanError, PlannerError
from planner.judge import Judge
from planner.pool import Option, Pool
from planner.proposal import Alternative, Proposal
from planner.rules import RulePlanner
from planner.site_weights import adapter_file, encoder_folder, judge_file, site_folder

if TYPE_CHECKING:
    from planner.local import LocalPlanner
    from planner.unfinished import Unfinished

__all__ = ["AutoPlanner", "gather"]

ASSEMBLED = 6  # plans taken from the encoder
SAMPLES = 2  # plans sampled from the generator beside its first choice
_SHOWN = 4  # other plans kept with a proposal


class AutoPlanner:
    """Reads the catalogue once; `propose` keeps no state between questions."""

    def __init__(
        self,
        catalogue: Catalogue,
        models: Path,
        *,
        with_rules: bool = True,
        unfinished: Unfinished | None = None,
    ) -> None:
        """`with_rules` False: the rules' own plan is no candidate. `unfinished`: a run whose rest is planned; the
        generator goes on behind what is done, the others plan the whole. Raises ModelsMissing."""
        self._judge = Judge.load(judge_file(models))
        self._catalogue, self._with_rules = catalogue, with_rules
        try:
            self._encoder = Encoder(catalogue, models, site_folder(models), encoder_folder(models))
        except OSError as error:
            raise ModelsMissing(f"the encoder cannot be read: {error}; please run: assay setup") from error
        self._rules = RulePlanner(catalogue)
        self._generator = _generator(catalogue, models, unfinished) if self._judge.generator else None

    def propose(self, question: str, today: date) -> Proposal:
        """The plan that is likeliest right, `confidence` its measured probability; none where the likeliest is that the
        catalogue cannot answer. Raises nothing."""
        if not question.strip():
            return Proposal(None, "auto", self._judge.version, 0.0, reason="the question is empty")
        pool = gather(question, today, self._catalogue, self._encoder, self._rules, self._generator)
        judged = [
            (self._judge.probability(pool.features(o)), o)
            for o in pool.options.values()
            if self._with_rules or not _only_rules(o)
        ]
        if not judged:
            return self._rules.propose(question, today)
        judged.sort(key=lambda j: -j[0])
        return self._proposal(pool, judged)

    def _proposal(self, pool: Pool, judged: list[tuple[float, Option]]) -> Proposal:
        sure, best = judged[0]
        name = "auto" if self._with_rules else "local"
        others = tuple(
            Alternative(o.plan, _makers(o), p, _unused(pool, o)) for p, o in judged[1:] if o.plan is not None
        )[:_SHOWN]
        if best.plan is None:
            said = pool.rules.missing if pool.rules else ()
            missing = said or (best.compact.missing or "",)
            reason = f"the sources do not hold what is asked ({_makers(best)}, likely {sure:.2f})"
            return Proposal(None, name, self._judge.version, sure, (), missing, reason, True, others)
        reason = f"planned by {_makers(best)}, likely {sure:.2f}; the best of {len(judged)} different plans"
        return Proposal(
            best.plan, name, self._judge.version, sure, _unused(pool, best), (), reason, True, others
        )


def gather(
    question: str, today: date, catalogue: Catalogue, encoder: Encoder, rules: RulePlanner, generator: LocalPlanner | None
) -> Pool:  # fmt: skip
    """What each planner makes of the question. `generator` None: its plans are not asked for."""
    proposal = rules.propose(question, today)
    try:
        draft = collapse(proposal.plan, catalogue) if proposal.plan else None
    except PlanError:
        draft = None
    decisions = encoder.read(question, today, draft)
    pool = Pool(question, catalogue, encoder.lexicon, decisions)
    pool.rules = proposal
    if draft is not None and (option := pool.add(draft, proposal.plan)):
        option.rules = True
    for rank, compact in enumerate(assemble(decisions, ASSEMBLED)):
        if (option := pool.add(compact)) and option.encoder is None:
            option.encoder = rank
    for voice in decisions.voices:
        for compact in assemble(voice, 1):
            if option := pool.add(compact):
                option.encoder = ASSEMBLED if option.encoder is None else option.encoder
                option.voices += 1 / len(decisions.voices)
    if generator is not None:
        for rank, candidate in enumerate(generator.candidates(question, today, 1 + SAMPLES)):
            if option := pool.add(candidate.compact, candidate.plan):
                option.generator = rank if option.generator is None else option.generator
                option.votes += candidate.votes
                option.mean = candidate.logprob / max(candidate.tokens, 1)
    return pool


def _generator(catalogue: Catalogue, models: Path, unfinished: Unfinished | None) -> LocalPlanner | None:
    """None where its adapter or its base is not installed: the encoder and the rules go on without it."""
    from planner.local import LocalPlanner

    try:
        return LocalPlanner(catalogue, models, adapter=adapter_file(models), unfinished=unfinished)
    except PlannerError:
        return None


def _only_rules(option: Option) -> bool:
    return option.encoder is None and option.generator is None


def _makers(option: Option) -> str:
    made = [
        ("rules", option.rules),
        ("encoder", option.encoder is not None),
        ("generator", option.generator is not None),
    ]
    return " and ".join(name for name, holds in made if holds)


def _unused(pool: Pool, option: Option) -> tuple[str, ...]:
    """The ids, numbers and times of the question that the plan does not take in; of the rules' plan, its words too."""
    spots = pool.decisions.reading.spots
    left = [pool.question[s.start : s.end].strip() for i, s in enumerate(spots) if i not in option.filled]
    words = pool.rules.unused if option.rules and pool.rules else ()
    return tuple(dict.fromkeys([*left, *words]))
