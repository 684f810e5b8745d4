"""Which fields of a step's dataset the plan needs: an alternative must have them, and an answer speaks of them."""

from __future__ import annotations

import re
from typing import Any

from executor.state import ExecutionState
from planner.catalogue import Dataset
from reflector.lines import dependants

__all__ = ["asked_fields", "fields_read", "needed_fields"]

_NAME = re.compile(r"[\w.]+")


def asked_fields(validation: str, dataset: Dataset) -> list[str]:
    """The dataset's fields that a validation speaks of, in the order of the dataset."""
    words = set(_NAME.findall(validation))
    return [f.name for f in dataset.fields if f.name in words]


def fields_read(state: ExecutionState, root: str) -> set[str]:
    """Every name in the parameters and conditions of the steps that depend on `root`."""
    out: set[str] = set()
    for step in dependants(state, [root]):
        goal = state.goals[state.resolve(step)].sub_goal
        out |= _words(goal.params) | set(_NAME.findall(goal.when or ""))
        for part in list(out):
            out |= set(part.split("."))
    return out


def needed_fields(state: ExecutionState, root: str, dataset: Dataset) -> set[str]:
    """The fields of `dataset` that the step filters on, validates, or that later steps read."""
    goal = state.goals[root].sub_goal
    wanted = set(goal.params.get("filters") or {}) | set(asked_fields(goal.validation, dataset))
    wanted |= fields_read(state, root)
    return {f.name for f in dataset.fields if f.name in wanted}


def _words(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set().union(*(_words(v) for v in value.values())) if value else set()
    if isinstance(value, list | tuple):
        return set().union(*(_words(v) for v in value)) if value else set()
    return set(_NAME.findall(value)) if isinstance(value, str) else set()
