"""The first line of an answer that is not whole: in one sentence what is known and what is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from executor.state import ExecutionState
from planner.plan import BUILT_IN
from reflector.concluding import missing_steps
from reflector.decision import AnswerStatus
from reflector.lines import roots
from reflector.notes import together
from reflector.phrases import Language, language_of, say
from reflector.writing import Writing

__all__ = ["no_new_digits", "opening", "opening_of_refusal"]

_DIGITS = re.compile(r"\d+")
_MOST = 4  # titles in a sentence


def opening(writing: Writing, status: AnswerStatus) -> str:
    """Empty for an answer that is whole."""
    state = writing.state
    if status == "answered":
        return ""
    pending = [r for r in roots(state) if (done := state.result(r)) is not None and done.status == "pending"]
    missing = _titles(writing, [*missing_steps(state), *pending], status)
    if status in ("insufficient", "refused"):
        return writing.say(f"opening_{status}", missing=missing) if missing else writing.say(status)
    known = [r for r in roots(state) if (done := state.result(r)) is not None and done.status == "success"]
    if not missing:
        return writing.say(status)
    if not known:
        return writing.say("opening_nothing", missing=missing)
    return writing.say("opening_partial", known=_titles(writing, known, status), missing=missing)


def _titles(writing: Writing, steps: Sequence[str], status: AnswerStatus) -> str:
    """The steps by their short titles, those that read a source before those that compute."""
    state = writing.state
    ordered = sorted(steps, key=lambda r: state.goals[r].sub_goal.data_source in BUILT_IN)
    names = [
        _title_of(writing, r) if status != "partial" else writing.short_name(state.goals[r]) for r in ordered
    ]
    quoted = [writing.say("quoted", title=n) for n in dict.fromkeys(names)]
    return writing.say("titles").join(quoted[:_MOST])


def _title_of(writing: Writing, step: str) -> str:
    """A step's title without a digit that the question does not have: then its source's name speaks for it."""
    goal = writing.state.goals[step]
    title = writing.short_name(goal)
    return title if no_new_digits(writing.state, title) else goal.sub_goal.data_source


def no_new_digits(state: ExecutionState, text: str) -> bool:
    return _subset(text, state.plan.question)


def _subset(text: str, question: str) -> bool:
    return set(_DIGITS.findall(text)) <= set(_DIGITS.findall(question))


def opening_of_refusal(question: str, missing: Sequence[str]) -> str:
    """The first line where there is no plan. A remark with a digit that the question does not have is left out."""
    language: Language = language_of(question)
    told = together(language, [m for m in dict.fromkeys(missing) if _subset(m, question)])
    if not told:
        return say(language, "insufficient")
    return say(language, "opening_refusal", missing=say(language, "semicolon").join(told))
