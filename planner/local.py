"""`LocalPlanner`: plans that the local language model writes, none of which names what the catalogue lacks."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

from planner.catalogue import Catalogue
from planner.compact import CompactPlan, DocumentLine, FetchLine, WriteLine, collapse, expand, show_plan
from planner.compact.tags import read_times, tag, untag
from planner.errors import ModelsMissing, PlanError, PlannerError
from planner.gemma_file import lay_out
from planner.generator import ADAPTER, Generator, Written
from planner.grammar import PlanGrammar
from planner.plan import Plan
from planner.prompt import flat, question_part, read_flat, rule_draft, tables_prefix
from planner.proposal import Proposal
from planner.rules import RulePlanner
from planner.rules.lexicon import Lexicon, Table
from planner.shortlist import Embed, Shortlist
from planner.times import TimeSpan
from planner.unfinished import Unfinished

__all__ = ["Candidate", "LocalPlanner"]

NAME = "generator"
_TRIES = 4  # sampled where the likeliest text is no plan


@dataclass(frozen=True, slots=True)
class Candidate:
    """`plan` None: the model says that the catalogue cannot answer (`compact.missing`). `logprob` is natural, of the
    whole text of `tokens` tokens; `votes` how many of the texts came to this plan."""

    compact: CompactPlan
    plan: Plan | None
    logprob: float
    tokens: int
    votes: int = 1


@dataclass(frozen=True, slots=True)
class _Prompt:
    question: str
    today: date
    spans: tuple[TimeSpan, ...]
    prefix: str
    part: str
    grammar: str
    begun: str  # the lines of the steps that are done, with the mark behind them


class LocalPlanner:
    """Reads the catalogue once. The model is loaded at the first question, once a process."""

    def __init__(
        self,
        catalogue: Catalogue,
        models: Path,
        *,
        adapter: Path | None = ADAPTER,
        lexicon: Lexicon | None = None,
        rules: RulePlanner | None = None,
        embed: Embed | None = None,
        unfinished: Unfinished | None = None,
        threads: int = 2,
    ) -> None:
        """`models` is the folder that model files are laid out in. `adapter` None: the base model, whose plans are
        noise. `unfinished`: the steps that are done count as written, and the model goes on behind them. Raises
        ModelsMissing."""
        self._weights, self._adapter, self._threads = lay_out(models), adapter, threads
        self._version = _version(adapter)
        self._catalogue = catalogue
        self._lexicon = lexicon or Lexicon(catalogue)
        self._rules = rules or RulePlanner(catalogue)
        self._shortlist = Shortlist(self._lexicon, embed)
        self._unfinished = unfinished
        self._shown: tuple[list[Table], str, PlanGrammar] | None = None

    def propose(self, question: str, today: date) -> Proposal:
        """The likeliest plan; where that is none, the likeliest of a few by chance. `confidence` is the mean
        probability of its tokens, which says little. Raises nothing."""
        if not question.strip():
            return Proposal(None, NAME, self._version, 0.0, reason="the question is empty")
        try:
            found = self.candidates(question, today, 1) or self.candidates(question, today, 1 + _TRIES)
        except PlannerError as error:
            return Proposal(None, NAME, self._version, 0.0, reason=str(error))
        remark = "" if self._adapter else "; the base model without its adapter"
        if not found:
            return Proposal(
                None, NAME, self._version, 0.0, reason=f"the model wrote no plan that holds{remark}"
            )
        best = found[0]
        sure = math.exp(best.logprob / max(best.tokens, 1))
        missing = (best.compact.missing,) if best.compact.missing is not None else ()
        reason = "the sources do not hold what is asked" if missing else "written by the local model"
        return Proposal(best.plan, NAME, self._version, sure, (), missing, reason + remark)

    def candidates(self, question: str, today: date, n: int = 1) -> list[Candidate]:
        """Of `n` texts, the likeliest first and the others by chance (the same each time), the different plans that
        pass every check, in order of their votes then of their likelihood; the first text's plan stays first. Raises
        PlannerError where the model cannot run or the question is too long for it."""
        prompt = self._prompt(question, today)
        model = _generator(self._weights, self._adapter, self._threads)
        asked = (prompt.prefix, prompt.part, prompt.grammar)
        first = self._read(model.write(*asked, prompt.begun), prompt)
        found: dict[str, Candidate] = {}
        others = model.sample(*asked, n - 1, begun=prompt.begun) if n > 1 else []
        for candidate in self._sampled(first, others, prompt):
            key = show_plan(candidate.compact)
            before = found.get(key, candidate)
            votes = before.votes + (key in found)
            found[key] = replace(before, votes=votes)
        order = sorted(found.values(), key=lambda c: (-c.votes, -c.logprob))
        head = [c for c in order if first is not None and c.compact == first.compact]
        return head + [c for c in order if c not in head]

    def _sampled(self, first: Candidate | None, texts: list[Written], prompt: _Prompt) -> Iterator[Candidate]:
        if first is not None:
            yield first
        for text in texts:
            candidate = self._read(text, prompt)
            if candidate is not None:
                yield candidate

    def _prompt(self, question: str, today: date) -> _Prompt:
        spans = read_times(question, today)
        draft = rule_draft(self._rules, question, today, spans, self._catalogue)
        done = self._done(question, today, spans)
        named = _names(draft) | _names(done)
        tables = self._shortlist.tables(question, [(s.start, s.end) for s in spans], named)
        if self._shown is None or self._shown[0] != tables:
            self._shown = (tables, tables_prefix(tables), PlanGrammar(tables))
        _, prefix, grammar = self._shown
        failures = self._unfinished.failures if self._unfinished else ()
        part = question_part(question, spans, draft, failures)
        begun = f"{flat(done)} ;" if done else ""
        allowed = grammar.for_question(question, spans, len(done.lines) if done else 0)
        return _Prompt(question, today, spans, prefix, part, allowed, begun)

    def _done(self, question: str, today: date, spans: tuple[TimeSpan, ...]) -> CompactPlan | None:
        """The steps that are done as the model would have written them; None where there are none, or where they have
        no compact form."""
        if self._unfinished is None or not self._unfinished.done:
            return None
        done = Plan(question=question, route="plan", sub_goals=self._unfinished.done)
        try:
            return tag(collapse(done, self._catalogue), spans, today, self._catalogue)
        except PlanError:
            return None

    def _read(self, text: Written, prompt: _Prompt) -> Candidate | None:
        """None where it is cut off, or fails a check of plans."""
        if not text.finished:
            return None
        try:
            rest = text.text.strip()
            written = rest if rest.startswith("?") else prompt.begun + text.text
            compact = untag(read_flat(written), prompt.spans, prompt.today, self._catalogue)
            plan = None
            if compact.missing is None:
                plan = expand(compact, prompt.question, self._catalogue, self._lexicon)
        except PlanError:
            return None
        return Candidate(compact, plan, text.logprob, len(text.logprobs))


def _names(draft: CompactPlan | None) -> set[str]:
    """Datasets and document sources of the rules' draft."""
    lines = draft.lines if draft else ()
    read = {line.dataset for line in lines if isinstance(line, FetchLine | WriteLine)}
    return read | {line.source for line in lines if isinstance(line, DocumentLine)}


@cache
def _generator(weights: Path, adapter: Path | None, threads: int) -> Generator:
    return Generator(weights, adapter, threads=threads)


@cache
def _version(adapter: Path | None) -> str:
    """Raises ModelsMissing."""
    if adapter is None:
        return "base"
    if not adapter.is_file():
        raise ModelsMissing(f"the planning model's adapter is missing: {adapter}")
    return hashlib.sha256(adapter.read_bytes()).hexdigest()[:12]
