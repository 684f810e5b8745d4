"""What is missing and why, and what had to be done another way: for each step of the plan that needs a word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from executor.state import Goal, Replan, StepResult
from reflector.decision import Gap
from reflector.lines import failed, line, roots, skipped_by_condition
from reflector.writing import Writing

__all__ = ["Told", "gaps"]

_VALUE = re.compile(r"\bg\d+(?:\.\d+)*\.(?:result\.)?(?P<field>[A-Za-z_]\w*)", re.ASCII)
_OUTAGES = frozenset({"timeout", "rate_limited", "unavailable", "circuit_open"})


@dataclass(frozen=True, slots=True)
class Told:
    """`line` is the gap in the answer's text: shorter, without the machine's own message. `note`: nothing is missing."""

    gap: Gap
    line: str
    note: bool


def gaps(writing: Writing) -> list[Told]:
    anew = [
        told for made in writing.state.replans for root in made.dropped for told in _anew(writing, root, made)
    ]
    return [*anew, *(told for root in roots(writing.state) for told in _of_line(writing, root))]


def _anew(writing: Writing, root: str, made: Replan) -> Iterator[Told]:
    """A step that nobody could answer, for which the rest was planned anew."""
    what = writing.name_of(writing.state.goals[root])
    for goal, result in _failures(writing, root):
        source = goal.sub_goal.data_source
        short = writing.say("anew", source=source, why=_kind(writing, result), planner=made.planner)
        why = writing.say("anew", source=source, why=_explained(writing, result), planner=made.planner)
        yield _told(writing, root, what, why, short=short, note=True, remedy=_remedy(writing, source, result))


def _of_line(writing: Writing, root: str) -> Iterator[Told]:
    state = writing.state
    goal = state.goals[state.resolve(root)]
    result = state.results.get(goal.id)
    what = writing.name_of(goal)
    if result is None:
        yield _told(writing, root, what, writing.say("not_run"))
    elif result.status == "success":
        yield from _otherwise(writing, root, what)
    elif result.status == "pending":
        yield _pending(writing, root, what, goal, result)
    elif skipped_by_condition(result):
        why = writing.say("condition_false", when=_condition(writing, goal.sub_goal.when or result.message))
        yield _told(writing, root, what, why, note=True)
    elif result.status == "skipped":
        why = writing.say("input_missing", message=result.message)
        yield _told(writing, root, what, why, short=writing.say("skipped_input"))
    else:
        yield _failed(writing, root, what)
    yield from _unchecked(writing, root, what)


def _told(
    writing: Writing, root: str, what: str, why: str, *, remedy: str = "", short: str = "", note: bool = False
) -> Told:
    phrase = "gap_remedy" if remedy else "gap"
    return Told(
        Gap(root, what, why, remedy), writing.say(phrase, what=what, why=short or why, remedy=remedy), note
    )


def _pending(writing: Writing, root: str, what: str, goal: Goal, result: StepResult) -> Told:
    source = goal.sub_goal.data_source
    if not result.message.startswith("waits for approval"):
        return _told(writing, root, what, writing.say("to_check", message=result.message))
    remedy = writing.say("approve", source=source)
    why = f"{writing.say('waits')} [{source}]"
    return _told(writing, root, what, why, remedy=remedy, short=writing.say("waits"))


def _failed(writing: Writing, root: str, what: str) -> Told:
    """Every source that was tried, with how it failed; what would help is told for the last."""
    whole, short = [], []
    last = ""
    for goal, result in _failures(writing, root):
        kind = _kind(writing, result)
        source = goal.sub_goal.data_source
        named = f"{source} {kind}" if source not in ("derive", "report") else kind
        whole.append(writing.say("explained", named=named, why=_explained(writing, result)))
        if named not in short:
            short.append(named)
        last = _remedy(writing, source, result)
    join = writing.say("semicolon")
    return _told(writing, root, what, join.join(whole), remedy=last, short=join.join(short))


def _otherwise(writing: Writing, root: str, what: str) -> Iterator[Told]:
    """A source failed and another one answered."""
    state = writing.state
    stand = state.goals[state.resolve(root)]
    basis = next(
        (
            g
            for g in reversed(line(state, root))
            if g.relation in ("plan", "retry", "relax", "fallback", "recompute", "replan")
        ),
        stand,
    )
    for goal, result in _failures(writing, root):
        source, other = goal.sub_goal.data_source, basis.sub_goal.data_source
        if source == other or goal.relation == "second_opinion":
            continue
        kind = _kind(writing, result)
        short = writing.say("instead", source=source, why=kind, other=other)
        why = writing.say("instead", source=source, why=_explained(writing, result), other=other)
        yield _told(writing, root, what, why, short=short, note=True, remedy=_remedy(writing, source, result))


def _unchecked(writing: Writing, root: str, what: str) -> Iterator[Told]:
    """A second opinion that did not come."""
    for goal in line(writing.state, root):
        result = writing.state.results.get(goal.id)
        if goal.relation != "second_opinion" or result is None or result.status == "success":
            continue
        kind, source = _kind(writing, result), goal.sub_goal.data_source
        short = writing.say("no_second", source=source, why=kind)
        why = writing.say("no_second", source=source, why=_explained(writing, result))
        yield _told(writing, root, what, why, short=short, note=True)


def _failures(writing: Writing, root: str) -> Iterator[tuple[Goal, StepResult]]:
    for goal in line(writing.state, root):
        result = writing.state.results.get(goal.id)
        if result is not None and failed(result) and goal.relation != "second_opinion":
            yield goal, result


def _kind(writing: Writing, result: StepResult) -> str:
    kind = result.failure or "bug"
    return writing.say("refused_kind" if kind == "refused" else kind)


def _condition(writing: Writing, when: str) -> str:
    """ "g2.status == ..." with the field by its label."""
    return _VALUE.sub(lambda m: writing.labels.field(m["field"]), when)


def _explained(writing: Writing, result: StepResult) -> str:
    """The kind of failure as a sentence, the machine's own message after it in brackets."""
    sentence = writing.say(f"why_{result.failure or 'bug'}")
    return writing.say("in_brackets", name=sentence, inner=result.message) if result.message else sentence


def _remedy(writing: Writing, source: str, result: StepResult) -> str:
    if result.failure in _OUTAGES:
        return writing.say("remedy_outage", source=source)
    if result.failure in ("schema_drift", "format_error"):
        return writing.say("remedy_schema", source=source)
    return writing.say("remedy_auth", source=source) if result.failure == "auth" else ""
