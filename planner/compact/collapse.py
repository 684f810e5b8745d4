"""From a plan to its compact lines."""

from __future__ import annotations

import re
from typing import Any

from planner.catalogue import Catalogue
from planner.compact.lines import (
    Asked,
    CompactPlan,
    DeriveLine,
    DocumentLine,
    FetchLine,
    Line,
    Operand,
    Range,
    ReportLine,
    WriteLine,
)
from planner.plan import Plan, SubGoal
from planner.references import parse_reference

__all__ = ["collapse"]

_COLUMNS = re.compile(r"has_columns?:\s*\[([^\]]*)\]")
_STEP = re.compile(r"\b(g\d+(?:\.\d+)*)\.")


def collapse(plan: Plan, catalogue: Catalogue) -> CompactPlan:
    """Columns are those that the validation names beside grain and filters, unless it names every column."""
    numbers = {goal.id: i for i, goal in enumerate(plan.sub_goals, 1)}
    return CompactPlan(tuple(_line(goal, numbers, catalogue) for goal in plan.sub_goals))


def _line(goal: SubGoal, numbers: dict[str, int], catalogue: Catalogue) -> Line:
    when = _condition(goal.when, numbers) if goal.when else None
    params = goal.params
    if goal.data_source == "report":
        return ReportLine(params["format"], when)
    if goal.data_source == "derive":
        return _derive(goal, numbers, when)
    if "query" in params:
        return DocumentLine(goal.data_source, params["query"], when)
    if "values" in params:
        values = {n: _written(v, numbers) for n, v in params["values"].items()}
        return WriteLine(params["dataset"], values, when)
    filters = {n: _asked(v, numbers) for n, v in (params.get("filters") or {}).items()}
    holders = catalogue.holders(params["dataset"])
    source = None if holders and holders[0].name == goal.data_source else goal.data_source
    return FetchLine(params["dataset"], source, _columns(goal, filters, catalogue), filters, when)


def _columns(goal: SubGoal, filters: dict[str, Asked], catalogue: Catalogue) -> tuple[str, ...]:
    dataset = catalogue.dataset(goal.data_source, goal.params["dataset"])
    found = _COLUMNS.search(goal.validation)
    if dataset is None or found is None:
        return ()
    named = [n.strip().strip("\"'") for n in found[1].split(",")]
    if {f.name for f in dataset.fields} <= set(named):
        return ()
    return tuple(n for n in named if n and n not in dataset.grain and n not in filters)


def _derive(goal: SubGoal, numbers: dict[str, int], when: str | None) -> DeriveLine:
    params = goal.params
    operands = []
    for text in params["inputs"]:
        reference = parse_reference(text)
        if reference is not None and reference.step in numbers:
            operands.append(Operand(numbers[reference.step], reference.field or params.get("value")))
    return DeriveLine(
        params["operation"],
        tuple(operands),
        tuple(params.get("by") or ()),
        params.get("top"),
        params.get("order"),
        when,
    )


def _written(value: Any, numbers: dict[str, int]) -> str | Operand:
    reference = parse_reference(value) if isinstance(value, str) else None
    if reference is not None and reference.step in numbers:
        return Operand(numbers[reference.step], str(reference.path[-1]))
    return _plain(value)


def _asked(value: Any, numbers: dict[str, int]) -> Asked:
    reference = parse_reference(value) if isinstance(value, str) else None
    if reference is not None and reference.step in numbers and reference.field:
        return (f"{numbers[reference.step]}.{reference.field}",)
    if isinstance(value, dict):
        low, high = value.get("from"), value.get("to")
        return Range(None if low is None else _plain(low), None if high is None else _plain(high))
    if isinstance(value, list):
        return tuple(_plain(v) for v in value)
    return (_plain(value),)


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _condition(text: str, numbers: dict[str, int]) -> str:
    plain = _STEP.sub(lambda m: f"{numbers.get(m[1], m[1])}.", text)
    plain = re.sub(r"\s*(==|!=|>=|<=|>|<)\s*", lambda m: "=" if m[1] == "==" else m[1], plain)
    plain = re.sub(r'"([^"\s,|()]+)"', r"\1", plain)
    return re.sub(r"\b(AND|OR|NOT)\b", lambda m: m[1].lower(), plain)
