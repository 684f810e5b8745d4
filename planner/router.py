"""Which of the three routes a plan takes, from the steps it has."""

from __future__ import annotations

from collections.abc import Sequence

from planner.plan import BUILT_IN, Route, SubGoal

__all__ = ["route"]


def route(goals: Sequence[SubGoal]) -> Route:
    """`workflow` for a plain knowledge question, `single` for plain values or records of one dataset, else `plan`."""
    sources = [g for g in goals if g.data_source not in BUILT_IN]
    documents = [g for g in sources if "query" in g.params]
    if len(sources) < len(goals) or any(g.when or "values" in g.params for g in goals):
        return "plan"
    if len(documents) == len(goals):
        return "workflow"
    datasets = {(g.data_source, g.params.get("dataset")) for g in sources}
    return "single" if len(datasets) == 1 and not documents and len(goals) <= 2 else "plan"
