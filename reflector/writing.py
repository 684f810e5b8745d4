"""What every part of an answer is written with: the run, the words, the citations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from executor.state import ExecutionState, Goal
from planner.catalogue import Catalogue, Dataset
from reflector.citing import Citations
from reflector.labels import Labels
from reflector.lines import asks_source, roots
from reflector.phrases import Language, language_of, say
from reflector.titles import own_word
from reflector.tracing import places

__all__ = ["MAX_CITED", "Writing"]

MAX_CITED = 12  # of a finding; a sum over a thousand tickets cites some of them, the report has all
_FIELD = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:_\w+)*(?![\w.])", re.ASCII)
_FILTERS = re.compile(r"[（(][^（）()]*[=＝][^（）()]*[）)]|\s+where\s.*=.*$|, all of it$")
_VERB = re.compile(r"^(?:获取|查询|读取|检索|fetch|get|query|read)\s*", re.I)
_TWO_SIDED = frozenset({"difference", "ratio", "product", "growth", "correlate"})


@dataclass(frozen=True, slots=True)
class Writing:
    state: ExecutionState
    catalogue: Catalogue
    language: Language
    labels: Labels
    citations: Citations

    @classmethod
    def of(cls, state: ExecutionState, catalogue: Catalogue) -> Writing:
        language, catalogue = language_of(state.plan.question), catalogue.for_roles(state.roles)
        read = [
            (g.data_source, str(g.params.get("dataset")))
            for g in state.plan.sub_goals
            if "dataset" in g.params
        ]
        return cls(state, catalogue, language, Labels(catalogue, language, read), Citations())

    def say(self, phrase: str, **parts: object) -> str:
        return say(self.language, phrase, **parts)

    def cite(self, goal_id: str, rows: Iterable[int], field: str = "") -> tuple[str, ...]:
        """Citations of the source places behind a field's values, at most MAX_CITED of them: the first ones; of a
        comparison spread over all, so that both sides are among them."""
        found = places(self.state, goal_id, rows, field)
        compares = self.state.goals[goal_id].sub_goal.params.get("operation") in _TWO_SIDED
        if len(found) > MAX_CITED and not compares:
            found = found[:MAX_CITED]
        elif len(found) > MAX_CITED:
            step = (len(found) - 1) / (MAX_CITED - 1)
            found = [found[round(n * step)] for n in range(MAX_CITED)]
        return self.citations.cite(found, goal_id)

    def dataset(self, goal: Goal) -> Dataset | None:
        """The dataset that a line of goals reads, whatever stands for it now."""
        asked = self.state.goals[goal.root].sub_goal
        source = asks_source(self.state.goals[goal.root], self.catalogue)
        return self.catalogue.dataset(source.name, str(asked.params.get("dataset"))) if source else None

    def readers(self, root: str) -> list[Goal]:
        """The goals that read what stands for `root` directly."""
        out = []
        for other in roots(self.state):
            goal = self.state.goals[self.state.resolve(other)]
            if root in {
                self.state.goals[d].root if d in self.state.goals else d for d in goal.sub_goal.depends_on
            }:
                out.append(goal)
        return [g for g in out if g.root != root]

    def name_of(self, goal: Goal) -> str:
        """A step's title in a sentence: its description in the plan, fields by their labels in a Chinese answer."""
        return self.titled(self.state.goals[goal.root].sub_goal.description)

    def subject_of(self, goal: Goal) -> str:
        """The title without its verb: what a step is about."""
        return _VERB.sub("", self.name_of(goal)) or self.name_of(goal)

    def short_name(self, goal: Goal) -> str:
        """The title without its filters; of a computation its own word where it has one."""
        description = self.state.goals[goal.root].sub_goal.description
        word = own_word(description) if goal.sub_goal.data_source == "derive" else ""
        if "query" in goal.sub_goal.params:  # what follows is the question again
            description = re.split(r"[：:]", description)[0]
        return word or self.titled(_FILTERS.sub("", description)).strip()

    def titled(self, description: str) -> str:
        if self.language == "en":
            return description
        return _FIELD.sub(lambda m: self.labels.field(m.group()), description)
