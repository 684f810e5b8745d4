"""Is a plan one that may run on this catalogue? Everything that is refused before a step is taken."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from planner.built_in_params import check_derive, check_report
from planner.catalogue import Catalogue, Dataset
from planner.condition import Condition, parse_condition
from planner.errors import PlanError, ValidationSyntaxError
from planner.json_shape import check_json
from planner.plan import BUILT_IN, MAX_SUB_GOALS, Plan, SubGoal
from planner.references import Reference, looks_like_reference, parse_reference, strings
from planner.source_params import DOCUMENTS, PASSAGE_COLUMNS, check_source_params
from planner.validation import parse_validation

__all__ = ["check_plan"]


def check_plan(plan: Plan, catalogue: Catalogue) -> None:
    """Raises PlanError naming the sub-goal and the key."""
    if len(plan.sub_goals) > MAX_SUB_GOALS:
        raise PlanError(f"{len(plan.sub_goals)} sub-goals; at most {MAX_SUB_GOALS}", key="sub_goals")
    goals: dict[str, SubGoal] = {}
    for goal in plan.sub_goals:
        if goal.id in goals:
            raise PlanError("two sub-goals have this id", sub_goal=goal.id, key="id")
        goals[goal.id] = goal
    needs = {goal.id: _check_alone(goal, catalogue) for goal in plan.sub_goals}
    _check_order(goals, needs)
    for goal in plan.sub_goals:
        _check_against_inputs(goal, goals, catalogue)


def _check_alone(goal: SubGoal, catalogue: Catalogue) -> dict[str, str]:
    """All that can be said of a sub-goal by itself. Gives the steps it needs: id → the key that says so."""
    if not goal.validation.strip():
        raise PlanError("empty; write for example rows >= 1", sub_goal=goal.id, key="validation")
    try:
        check_json(goal.params, "params")
    except PlanError as e:
        raise PlanError(e.message, sub_goal=goal.id, key=e.key) from None
    needs = {r.step: key for key, r in _references(goal)}
    if goal.data_source == "derive":
        check_derive(goal)
    elif goal.data_source == "report":
        check_report(goal)
    else:
        source = catalogue.sources.get(goal.data_source)
        if source is None:
            known = [*catalogue.sources, *BUILT_IN]
            raise PlanError(
                f"no source {goal.data_source!r}; {_nearest(goal.data_source, known)}",
                sub_goal=goal.id,
                key="data_source",
            )
        check_source_params(goal, source)
    try:
        parse_validation(goal.validation)
    except ValidationSyntaxError as e:
        raise PlanError(str(e), sub_goal=goal.id, key="validation") from None
    condition = _condition(goal)
    return needs | dict.fromkeys(sorted(condition.steps), "when") if condition else needs


def _references(goal: SubGoal) -> list[tuple[str, Reference]]:
    found = []
    for key, text in strings(goal.params):
        reference = parse_reference(text)
        if reference is not None:
            found.append((key, reference))
        elif looks_like_reference(text):
            raise PlanError(
                f"{text[:60]!r} holds a reference inside a text, or none that can be read; "
                "a value is either text or one whole reference such as {{g1.result.status}}",
                sub_goal=goal.id,
                key=key[:120],
            )
    return found


def _condition(goal: SubGoal) -> Condition | None:
    if goal.when is None:
        return None
    try:
        return parse_condition(goal.when)
    except ValidationSyntaxError as e:
        raise PlanError(str(e), sub_goal=goal.id, key="when") from None


def _check_order(goals: Mapping[str, SubGoal], needs: Mapping[str, Mapping[str, str]]) -> None:
    """References name known steps, `depends_on` holds each of them, and each comes earlier."""
    for goal in goals.values():
        for step, key in [(s, "depends_on") for s in goal.depends_on] + list(needs[goal.id].items()):
            if step not in goals:
                hint = _nearest(step, [g for g in goals if g != goal.id])
                raise PlanError(f"no sub-goal {step!r}; {hint}", sub_goal=goal.id, key=key)
    edges = {g.id: [*g.depends_on, *needs[g.id]] for g in goals.values()}
    for goal in goals.values():
        loop = _cycle(goal.id, edges)
        if loop:
            raise PlanError(f"a cycle: {' → '.join(loop)}", sub_goal=goal.id, key="depends_on")
    earlier: set[str] = set()
    for goal in goals.values():
        for step in edges[goal.id]:
            if step not in earlier:
                key = "depends_on" if step in goal.depends_on else needs[goal.id][step]
                raise PlanError(f"{step} comes later in the plan; move it up", sub_goal=goal.id, key=key)
        for step, key in needs[goal.id].items():
            if step not in goal.depends_on:
                raise PlanError(f"lacks {step}, which {key} reads", sub_goal=goal.id, key="depends_on")
        earlier.add(goal.id)


def _cycle(start: str, edges: Mapping[str, Iterable[str]]) -> list[str]:
    """A way from `start` back to itself, empty when there is none."""
    ways = [[start]]
    seen = {start}
    while ways:
        way = ways.pop()
        for step in edges[way[-1]]:
            if step == start:
                return [*way, start]
            if step not in seen:
                seen.add(step)
                ways.append([*way, step])
    return []


def _check_against_inputs(goal: SubGoal, goals: Mapping[str, SubGoal], catalogue: Catalogue) -> None:
    """Fields that a sub-goal reads of an earlier source step are fields that its dataset has."""
    reads: list[tuple[str, list[str], str]] = [
        (key, [r.step], r.field) for key, r in _references(goal) if r.field is not None
    ]
    condition = _condition(goal)
    for step, field in sorted(condition.fields) if condition else ():
        if field != "rows":
            reads.append(("when", [step], field))
    if goal.data_source == "derive":
        reads += _derive_reads(goal)
    for key, steps, field in reads:
        columns = [_columns(goals[step], catalogue) for step in steps]
        if all(columns) and not any(field in c for c in columns):
            near = _nearest(field, list(dict.fromkeys(n for c in columns for n in c)))
            raise PlanError(
                f"{' and '.join(steps)} has no field {field!r}; {near}", sub_goal=goal.id, key=key[:120]
            )


def _derive_reads(goal: SubGoal) -> list[tuple[str, list[str], str]]:
    """`value` must be a field of every input that does not name its own; each of `by` of one input at least."""
    inputs = [r for text in goal.params["inputs"] if (r := parse_reference(text)) is not None]
    value = goal.params.get("value")
    whole = [r.step for r in inputs if r.field is None]
    reads = [("params.value", [step], str(value)) for step in whole] if value is not None else []
    for i, field in enumerate(goal.params.get("by", [])):
        reads.append((f"params.by[{i}]", [r.step for r in inputs], field.split(":")[0]))
    return reads


def _columns(goal: SubGoal, catalogue: Catalogue) -> list[str]:
    """The columns that a step's result will have; empty when that cannot be known beforehand."""
    source = catalogue.sources.get(goal.data_source)
    dataset: Dataset | None = source.dataset(str(goal.params.get("dataset"))) if source else None
    if source is None or dataset is None or source.side_effect:
        return []
    names = [f.name for f in dataset.fields]
    return list(dict.fromkeys([*names, *PASSAGE_COLUMNS])) if dataset.name == DOCUMENTS else names


def _nearest(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known) or 'none'}"
