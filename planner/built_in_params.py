"""Params of the built-in steps: `derive` (compute on earlier results) and `report` (write a document)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from planner.errors import PlanError
from planner.plan import SubGoal
from planner.references import parse_reference

__all__ = ["OPERATIONS", "check_derive", "check_report", "refuse_unknown_keys"]

OPERATIONS = (
    "difference", "ratio", "product", "growth", "share", "rank", "trend", "correlate",
    "sum", "mean", "min", "max", "count", "join",
)  # fmt: skip
_PAIRS = {"difference", "ratio", "growth", "correlate"}  # of two operands, in one input or two
_BY = re.compile(r"[^:\s][^:]*(?::(?:month|week|quarter|year))?")


def check_derive(goal: SubGoal) -> None:
    """Raises PlanError."""
    params = goal.params
    refuse_unknown_keys(goal, params, ("operation", "inputs", "value", "by", "order", "top"))
    operation = params.get("operation")
    if operation not in OPERATIONS:
        _refuse(goal, "operation", f"{_brief(operation)}; known are {', '.join(OPERATIONS)}")
    inputs = _inputs(goal)
    if operation in _PAIRS and len(inputs) > 2:
        _refuse(goal, "inputs", f"{operation} takes one or two inputs, not {len(inputs)}")
    if operation == "join" and len(inputs) < 2:
        _refuse(goal, "inputs", "join takes at least two inputs")
    value = params.get("value")
    if value is not None and not (isinstance(value, str) and value.strip()):
        _refuse(goal, "value", f"{_brief(value)}; a field's name is needed")
    by = params.get("by", [])
    if not isinstance(by, list):
        _refuse(goal, "by", f"{_brief(by)}; a list of fields is needed")
    for i, name in enumerate(by):
        if not isinstance(name, str) or _BY.fullmatch(name) is None:
            _refuse(
                goal, f"by[{i}]", f"{_brief(name)}; a field, or a date field in a bucket such as opened:month"
            )
    if params.get("order") not in (None, "asc", "desc"):
        _refuse(goal, "order", f"{_brief(params['order'])}; asc or desc is needed")
    top = params.get("top")
    if top is not None and (isinstance(top, bool) or not isinstance(top, int) or top < 1):
        _refuse(goal, "top", f"{_brief(top)}; a whole number from 1 is needed")


def check_report(goal: SubGoal) -> None:
    """Raises PlanError."""
    params = goal.params
    refuse_unknown_keys(goal, params, ("format", "title", "inputs"))
    if params.get("format") not in ("docx", "html"):
        _refuse(goal, "format", f"{_brief(params.get('format'))}; docx or html is needed")
    title = params.get("title")
    if not isinstance(title, str) or not title.strip():
        _refuse(goal, "title", f"{_brief(title)}; a title is needed")
    _inputs(goal)


def _inputs(goal: SubGoal) -> list[str]:
    inputs = goal.params.get("inputs")
    if not isinstance(inputs, list) or not inputs:
        _refuse(goal, "inputs", "a list of at least one result such as {{g1.result}} is needed")
    for i, text in enumerate(inputs):
        reference = parse_reference(text)
        if reference is None or reference.row is not None:
            _refuse(
                goal,
                f"inputs[{i}]",
                f"{_brief(text)}; a result or one field of it is needed: {{{{g1.result}}}}",
            )
    return inputs


def refuse_unknown_keys(goal: SubGoal, params: Mapping[str, Any], known: Iterable[str]) -> None:
    known = tuple(known)
    for key in params:
        if key not in known:
            _refuse(goal, key[:60], f"unknown key; {goal.data_source} takes {', '.join(known)}")


def _brief(value: object) -> str:
    text = repr(value)
    return "missing" if value is None else text if len(text) <= 60 else text[:60] + "…"


def _refuse(goal: SubGoal, key: str, message: str) -> NoReturn:
    raise PlanError(message, sub_goal=goal.id, key=f"params.{key}")
