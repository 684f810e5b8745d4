"""`RulePlanner`: from a question to a plan by nothing but the catalogue and general words of two languages."""

from __future__ import annotations

from datetime import date
from typing import Any

from planner.catalogue import Catalogue
from planner.errors import PlanError
from planner.parse import check_plan
from planner.plan import MAX_SUB_GOALS, Plan, SubGoal
from planner.proposal import Proposal
from planner.router import route
from planner.rules.actions import action_values, find_action
from planner.rules.choose import Choice, Evidence, by_concept, choose_tables, guess
from planner.rules.compute import plan_derives
from planner.rules.conditions import read_condition
from planner.rules.coverage import content_words, explained, is_analysis, is_data_question
from planner.rules.documents import DocumentAsk, read_documents
from planner.rules.fetch import Fetch
from planner.rules.fetching import Fetching
from planner.rules.free_values import find_free_values
from planner.rules.intents import Intents, read_intents
from planner.rules.lexicon import Lexicon, Table
from planner.rules.mentions import find_mentions
from planner.rules.pairs import complete_pairs
from planner.rules.refusals import missing_lines, unanswerable
from planner.rules.regions import Region, split_regions
from planner.rules.steps import derive_goals, document_goal, fetch_goals, report_goal, write_goal
from planner.rules.text import Text, is_cjk
from planner.rules.widened import widened
from planner.rules.wording import Wording, named_figure
from planner.times import TimeError, TimeSpan, find_times

__all__ = ["RulePlanner"]

NAME, VERSION = "rules", "1"


class RulePlanner:
    """Reads the catalogue once; `propose` keeps no state between questions."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._lexicon = Lexicon(catalogue)

    def propose(self, question: str, today: date) -> Proposal:
        """A plan that passes `check_plan`, or None with what is missing. Raises nothing."""
        if not question.strip():
            return Proposal(None, NAME, VERSION, 0.0, reason="the question is empty")
        try:
            spans = find_times(question, today)
        except TimeError as error:
            return Proposal(
                None, NAME, VERSION, 0.0, missing=(str(error),), reason=f"the time cannot be read: {error}"
            )
        return _Reading(self._catalogue, self._lexicon, question.strip() and question, spans).proposal()


class _Reading:
    """One question being read, in the order of the methods of `proposal`."""

    def __init__(self, catalogue: Catalogue, lexicon: Lexicon, question: str, spans: list[TimeSpan]) -> None:
        self.catalogue, self.lexicon, self.question, self.spans = catalogue, lexicon, question, spans
        self.text = Text.read(question)
        self.zh = is_cjk(question) and sum(map(is_cjk, question)) * 4 >= sum(c.isalpha() for c in question)
        taken = [(s.start, s.end) for s in spans if s.kind != "each"]
        self.mentions = find_mentions(self.text, lexicon, taken)
        self.frees = find_free_values(self.text, self.mentions, taken)
        self.regions = split_regions(self.text)
        self.words = Wording(self.zh, named_figure(self.text, self.mentions))

    def proposal(self) -> Proposal:
        docs = read_documents(self.text, self.regions, self.lexicon, self.mentions, self.spans, self.frees)
        action = find_action(self.text, self.regions, self.lexicon, self.mentions, self.frees, self.spans)
        evidence = self._evidence(docs, action)
        choices = [] if docs.only and not action else choose_tables(self.lexicon, evidence)
        guessed = False
        if not choices and not docs.cue and not action:
            choices = by_concept(self.lexicon, evidence)
            guessed = bool(choices)
            period = any(s.dated and s.unit != "day" for s in self.spans)
            if not choices and (period or is_analysis(evidence)):
                choices = choose_tables(self.lexicon, evidence, floor=0.0)
                guessed = True  # figures of a period: the nearest table
        used = [(f.start, f.end) for f in self.frees if f.kind == "id"]
        used += [
            (r.start, r.end)
            for i, r in enumerate(self.regions)
            if i in docs.regions or (action and r in action[1])
        ]
        share, left = explained(evidence, choices, [*used, *docs.spots])
        unused = tuple(word for word, _, _ in left)
        refusal = None if action else self._refusal(docs, evidence, choices, share, left, guessed=guessed)
        if refusal:
            return refusal
        if not choices and docs.table is None and not action:
            choices = guess(self.lexicon, evidence)
        intents = read_intents(evidence)
        complete_pairs(choices, intents, self.lexicon, evidence)
        fetches, agree = Fetching(self.text, self.spans, self.mentions, self.regions).fetches(
            choices, evidence, intents
        )
        goals = self._goals(fetches, agree, intents, docs, action)
        if not goals:  # an action is named, and nothing of what it needs
            missing = missing_lines(evidence, left or content_words(evidence), zh=self.zh)
            return Proposal(
                None, NAME, VERSION, 0.0, unused, missing, "nothing in it says what is to be done"
            )
        plan = Plan(question=self.question, route=route(goals), sub_goals=tuple(goals))
        try:
            check_plan(plan, self.catalogue)
        except PlanError as error:
            plain = self._plain(goals)
            if plain is None:
                return Proposal(
                    None, NAME, VERSION, 0.0, unused, (str(error),), f"the plan failed its check: {error}"
                )
            plan, share = plain, share / 2
        reason = (
            "documents answer it"
            if docs.only
            else f"{', '.join(c.table.key for c in choices) or 'documents'} by the words it uses"
        )
        wider = widened(self.spans, plan.sub_goals, self.catalogue)
        return Proposal(plan, NAME, VERSION, share, (*wider, *unused), (), reason)

    def _evidence(self, docs: DocumentAsk, action: tuple[Table, list[Region], bool] | None) -> Evidence:
        ordered = action[1] if action else []
        stretches = [
            (r.start, r.end)
            for i, r in enumerate(self.regions)
            if i not in docs.regions and r not in ordered and r.role != "else"
        ]
        evidence = Evidence(self.text, self.mentions, self.frees, self.spans, stretches)
        if (
            action
            and not any(any(self.lexicon.tables[t[1]].readable for t in m.targets) for m in evidence.active)
            and not evidence.active_frees
        ):
            evidence.stretches = stretches + [(r.start, r.end) for r in ordered] if action[2] else stretches
        return evidence

    def _refusal(
        self,
        docs: DocumentAsk,
        evidence: Evidence,
        choices: list[Choice],
        share: float,
        unused: list[tuple[str, int, int]],
        *,
        guessed: bool,
    ) -> Proposal | None:
        if docs.only or not unanswerable(evidence, choices, share, unused, guessed=guessed):
            return None
        timeless = any(s.dated for s in self.spans) and not any(c.table.time_fields for c in choices)
        strange = (guessed and share == 0 and len(unused) > 1) or (bool(choices) and timeless)
        if not (strange or self.lexicon.speaks(self.zh)) or (
            docs.table is not None and (docs.cue or not is_data_question(evidence))
        ):
            return None
        left = unused or content_words(evidence)
        words = tuple(word for word, _, _ in left)
        missing = missing_lines(evidence, left, zh=self.zh)
        return Proposal(None, NAME, VERSION, 0.0, words, missing, "the sources do not hold what is asked")

    def _goals(
        self,
        fetches: list[Fetch],
        agree: bool,
        intents: Intents,
        docs: DocumentAsk,
        action: tuple[Table, list[Region], bool] | None,
    ) -> list[SubGoal]:
        goals: list[SubGoal] = []
        counting = "count" in intents
        for fetch in fetches:
            goals += fetch_goals(
                fetch, len(goals) + 1, self.words, counting and fetch.table.record and not fetch.measures
            )
        if docs.table is not None and (docs.regions or docs.only or docs.beside or not (fetches or action)):
            goals.append(document_goal(docs.table, docs.query, f"g{len(goals) + 1}", self.words))
        derives = plan_derives(fetches, intents, agree=agree)
        goals += derive_goals(derives, fetches, len(goals) + 1, self.words)
        if action:
            goals += self._write(action, fetches, len(goals) + 1)
        if intents.report and goals:
            ends = [g.id for g in goals if not any(g.id in other.depends_on for other in goals)]
            goals.append(
                report_goal(
                    intents.report, self.question.strip()[:80], ends, f"g{len(goals) + 1}", self.words
                )
            )
        return goals[:MAX_SUB_GOALS]

    def _write(
        self, action: tuple[Table, list[Region], bool], fetches: list[Fetch], number: int
    ) -> list[SubGoal]:
        table, ordered, conditional = action
        values: dict[str, Any] = action_values(
            table, self.text, ordered, self.mentions, self.frees, self.spans, fetches
        )
        if not values:
            return []
        conditions = [r for r in self.regions if r.role == "condition"]
        before = [r for r in self.regions if r.role == "data"]
        when = read_condition(self.text, conditions, before, fetches, self.mentions) if conditional else None
        needed = [
            i
            for f in fetches
            for i in f.ids
            if (when and f"{i}." in when) or any(f"{{{{{i}." in str(v) for v in values.values())
        ]
        return [write_goal(table, values, when, needed, f"g{number}", self.words)]

    def _plain(self, goals: list[SubGoal]) -> Plan | None:
        """The fetches alone, when a later step failed its check."""
        kept = [g for g in goals if not g.depends_on and g.when is None]
        if not kept:
            return None
        plan = Plan(question=self.question, route=route(kept), sub_goals=tuple(kept))
        try:
            check_plan(plan, self.catalogue)
        except PlanError:
            return None
        return plan
