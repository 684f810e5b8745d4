"""Params of a source step: `dataset` and `filters`; `query` for documents; `values` for a side effect."""

from __future__ import annotations

import difflib
from typing import NoReturn

from planner.built_in_params import refuse_unknown_keys
from planner.catalogue import Dataset, Field, Source
from planner.errors import PlanError
from planner.filter_value import fault_of
from planner.plan import SubGoal

__all__ = ["DOCUMENTS", "PASSAGE_COLUMNS", "check_source_params"]

DOCUMENTS = "documents"
PASSAGE_COLUMNS = ("doc", "section", "page", "table_id", "score", "text")


def check_source_params(goal: SubGoal, source: Source) -> None:
    """Raises PlanError."""
    dataset = _dataset(goal, source)
    if source.side_effect:
        refuse_unknown_keys(goal, goal.params, ("dataset", "values"))
        _check_values(goal, dataset)
        return
    if dataset.name == DOCUMENTS:
        refuse_unknown_keys(goal, goal.params, ("dataset", "query", "filters"))
        query = goal.params.get("query")
        if not isinstance(query, str) or not query.strip():
            _refuse(goal, "query", "a dataset of documents takes a query: the words to look for")
    else:
        refuse_unknown_keys(goal, goal.params, ("dataset", "filters"))
    filters = goal.params.get("filters", {})
    if not isinstance(filters, dict):
        _refuse(goal, "filters", "a mapping of field to value is needed")
    for name, value in filters.items():
        fault = fault_of(value, _field(goal, "filters", name, dataset).type)
        if fault:
            _refuse(goal, f"filters.{name}", fault)


def _dataset(goal: SubGoal, source: Source) -> Dataset:
    name = goal.params.get("dataset")
    dataset = source.dataset(name) if isinstance(name, str) else None
    if dataset is None:
        known = ", ".join(d.name for d in source.datasets)
        what = "missing" if name is None else f"no dataset {str(name)[:60]!r}"
        _refuse(goal, "dataset", f"{what}; {source.name} has {known}")
    return dataset


def _check_values(goal: SubGoal, dataset: Dataset) -> None:
    values = goal.params.get("values")
    if not isinstance(values, dict) or not values:
        _refuse(
            goal, "values", "a source with a side effect takes values: a mapping of field to what is written"
        )
    for name, value in values.items():
        field = _field(goal, "values", name, dataset)
        if value is None or isinstance(value, list | dict):
            _refuse(goal, f"values.{name}", "one plain value is needed")
        fault = fault_of(value, field.type)
        if fault:
            _refuse(goal, f"values.{name}", fault)


def _field(goal: SubGoal, where: str, name: str, dataset: Dataset) -> Field:
    field = dataset.field(name)
    if field is None:
        known = [f.name for f in dataset.fields]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
        _refuse(
            goal,
            f"{where}.{name[:60]}",
            f"dataset {dataset.name} of {goal.data_source} has no such field; {hint}",
        )
    return field


def _refuse(goal: SubGoal, key: str, message: str) -> NoReturn:
    raise PlanError(message, sub_goal=goal.id, key=f"params.{key}")
