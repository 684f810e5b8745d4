"""Sub-goals from decisions: ids, params and references; words and checks come from `wording` and `checks`."""

from __future__ import annotations

from typing import Any

from planner.plan import SubGoal
from planner.rules.checks import derive_check, fetch_check
from planner.rules.fetch import Derive, Fetch, Operands
from planner.rules.lexicon import Table
from planner.rules.wording import Wording

__all__ = ["derive_goal", "derive_goals", "document_goal", "fetch_goals", "report_goal", "write_goal"]


def fetch_goals(fetch: Fetch, first_id: int, words: Wording, counted: bool) -> list[SubGoal]:
    goals = []
    for i, filters in enumerate(fetch.filters):
        goal_id = f"g{first_id + i}"
        fetch.ids.append(goal_id)
        goals.append(
            SubGoal(
                id=goal_id,
                description=words.fetch(fetch.table, filters),
                data_source=fetch.source.name,
                params={"dataset": fetch.table.dataset.name, "filters": filters},
                expected_format="json" if fetch.table.record else "csv",
                validation=fetch_check(fetch, filters, counted),
            )
        )
    return goals


def derive_goals(derives: list[Derive], fetches: list[Fetch], first_id: int, words: Wording) -> list[SubGoal]:
    goals: list[SubGoal] = []
    described = words.derives(derives, fetches)
    for i, one in enumerate(derives):
        steps = [
            (f"g{first_id + int(step[1:])}" if step.startswith("d") else step, name)
            for step, name in one.inputs
        ]
        goals.append(derive_goal(one, steps, f"g{first_id + i}", described[i]))
    return goals


def derive_goal(one: Derive, steps: Operands, goal_id: str, description: str) -> SubGoal:
    """`steps` are the inputs of `one` with the ids of sub-goals."""
    params: dict[str, Any] = {
        "operation": one.operation,
        "inputs": [f"{{{{{step}.result{'.' + name if name else ''}}}}}" for step, name in steps],
    }
    if one.value:
        params["value"] = one.value
    if one.by:
        params["by"] = one.by
    if one.operation == "rank" or one.order:
        params["order"] = one.order or "desc"
        if one.top:
            params["top"] = one.top
    return SubGoal(
        id=goal_id,
        description=description,
        data_source="derive",
        params=params,
        expected_format="json",
        validation=derive_check(one),
        depends_on=tuple(dict.fromkeys(step for step, _ in steps)),
    )


def document_goal(table: Table, query: str, goal_id: str, words: Wording) -> SubGoal:
    return SubGoal(
        id=goal_id,
        description=words.search(query),
        data_source=table.holders[0].name,
        params={"dataset": table.dataset.name, "query": query, "filters": {}},
        expected_format="text",
        validation="len(data) > 0",
    )


def write_goal(
    table: Table,
    values: dict[str, Any],
    when: str | None,
    depends_on: list[str],
    goal_id: str,
    words: Wording,
) -> SubGoal:
    return SubGoal(
        id=goal_id,
        description=words.write(table, values),
        data_source=table.holders[0].name,
        params={"dataset": table.dataset.name, "values": values},
        expected_format="json",
        validation="rows >= 1",
        depends_on=tuple(depends_on),
        when=when,
    )


def report_goal(fmt: str, title: str, steps: list[str], goal_id: str, words: Wording) -> SubGoal:
    return SubGoal(
        id=goal_id,
        description=words.report(fmt),
        data_source="report",
        params={"format": fmt, "title": title, "inputs": [f"{{{{{step}.result}}}}" for step in steps]},
        expected_format="text",
        validation="len(data) > 0",
        depends_on=tuple(steps),
    )
