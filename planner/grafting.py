"""A plan for the whole question, joined to the steps that are done: what it asks again is done already, only the rest
is new."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from planner.catalogue import Catalogue
from planner.errors import PlanError
from planner.plan import BUILT_IN, Plan, SubGoal
from planner.plan_check import check_plan
from planner.references import STEP, Reference, parse_reference
from planner.router import route
from planner.unfinished import Unfinished

__all__ = ["graft"]

_NAMED = re.compile(rf""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b({STEP})(?=\.)""")  # quoted text, or a step
_UNASKED = ("title",)  # parameters that change nothing of what is computed


def graft(found: Plan, unfinished: Unfinished, catalogue: Catalogue) -> Plan:
    """The done steps with their ids, behind them those steps of `found` that ask something else, under new ids.

    Raises PlanError where nothing new is read, where a step would ask again what failed or write again what was
    written, and on what `check_plan` refuses (`catalogue` is the whole one)."""
    done = {_asked(goal): goal for goal in unfinished.done}
    ids: dict[str, str] = {}
    taken = set(unfinished.taken)
    new: list[SubGoal] = []
    for goal in found.sub_goals:
        moved = _renamed(goal, ids)
        known = done.get(_asked(moved))
        if known is not None:
            ids[goal.id] = known.id
            continue
        _refuse(moved, unfinished, catalogue)
        ids[goal.id] = _free(taken)
        taken.add(ids[goal.id])
        new.append(moved.model_copy(update={"id": ids[goal.id]}))
    if not any(goal.data_source not in BUILT_IN for goal in new):
        raise PlanError("nothing else is read in place of what failed")
    goals = (*unfinished.done, *new)
    plan = Plan(question=unfinished.plan.question, route=route(goals), sub_goals=goals)
    check_plan(plan, catalogue)
    return plan


def _refuse(goal: SubGoal, unfinished: Unfinished, catalogue: Catalogue) -> None:
    name, dataset = goal.data_source, str(goal.params.get("dataset"))
    if unfinished.failed(name, dataset):
        raise PlanError(f"{name} {dataset} has failed in this run", sub_goal=goal.id)
    source = catalogue.sources.get(name)
    if source is not None and source.side_effect and any(g.data_source == name for g in unfinished.done):
        raise PlanError(f"{name} was written to in this run", sub_goal=goal.id)


def _asked(goal: SubGoal) -> str:
    """One text for all steps that ask or compute the same under the same condition."""
    params = {k: v for k, v in goal.params.items() if v not in (None, {}, []) and k not in _UNASKED}
    checks = goal.validation if goal.data_source not in BUILT_IN else ""
    return json.dumps([goal.data_source, params, goal.when, checks], sort_keys=True, ensure_ascii=False)


def _renamed(goal: SubGoal, ids: Mapping[str, str]) -> SubGoal:
    return goal.model_copy(
        update={
            "params": _references(goal.params, ids),
            "depends_on": tuple(dict.fromkeys(ids.get(d, d) for d in goal.depends_on)),
            "when": goal.when and _NAMED.sub(lambda m: ids.get(m[1], m[1]) if m[1] else m[0], goal.when),
        }
    )


def _references(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {k: _references(v, ids) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_references(v, ids) for v in value]
    reference = parse_reference(value)
    if reference is None:
        return value
    return str(Reference(ids.get(reference.step, reference.step), reference.path))


def _free(taken: set[str]) -> str:
    n = 1
    while f"g{n}" in taken or any(t.startswith(f"g{n}.") for t in taken):
        n += 1
    return f"g{n}"
