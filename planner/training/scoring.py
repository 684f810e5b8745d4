"""Is a plan the one that a case asks for? Route, data needs as sets of cells, columns that its
validations check, operations, conditions, report. A triple is a case too: what its plan fetches, computes and writes."""

from __future__ import annotations

import itertools
from typing import Any

from planner.catalogue import Catalogue
from planner.compact import CompactPlan, FetchLine, expand, read_plan
from planner.periods import listed_periods
from planner.plan import Plan
from planner.rules.lexicon import Lexicon
from planner.training.triples import Triple

__all__ = ["case_of", "cells", "faults", "right", "values"]


def values(value: Any) -> list[str]:
    """Every cell that a filter asks for; a closed range of months, quarters or years is listed."""
    if isinstance(value, dict):
        a, b = str(value.get("from")), str(value.get("to"))
        if (listed := listed_periods(a, b)) is not None:
            return listed
        if a.isdigit() and b.isdigit():
            return [str(k) for k in range(int(a), int(b) + 1)]
        return [f"{a}..{b}"]
    if isinstance(value, list):
        return sorted({v for one in value for v in values(one)})
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def cells(filters: dict[str, Any]) -> set[tuple[tuple[str, str], ...]]:
    keys = sorted(filters)
    return {tuple(zip(keys, c, strict=True)) for c in itertools.product(*(values(filters[k]) for k in keys))}


def right(case: dict[str, Any], plan: dict[str, Any] | None) -> bool:
    if case.get("missing"):
        return plan is None
    return plan is not None and not faults(case, plan)


def faults(case: dict[str, Any], plan: dict[str, Any]) -> list[str]:
    """What is wrong with the plan: route, needs, columns, derive, report, condition; "missing" where no plan is right."""
    if case.get("missing"):
        return ["missing"]
    goals = plan["sub_goals"]
    found = [] if plan["route"] == case["route"] else ["route"]
    accepted = [case["needs"], *case.get("also_accept", [])]
    met = [needs for needs in accepted if _needs_met(case, needs, goals)]
    if not met:
        found.append("needs")
    if not _columns_checked([*met, *accepted][0], goals):
        found.append("columns")
    made = {g["params"].get("operation") for g in goals if g["data_source"] == "derive"}
    wanted = set(case["derive"])
    computed = bool(made & set(case["derive_any"])) if case.get("derive_any") else wanted <= made
    if not (computed and (wanted or not made)):
        found.append("derive")
    if case.get("report") and not any(g["params"].get("format") == case["report"] for g in goals):
        found.append("report")
    if any(g["data_source"] in case.get("conditional", []) and not g["when"] for g in goals):
        found.append("condition")
    return found


def _needs_met(case: dict[str, Any], needs: list[dict[str, Any]], goals: list[dict[str, Any]]) -> bool:
    got: dict[tuple[str, str], set[Any]] = {}
    for g in goals:
        if g["data_source"] not in ("derive", "report"):
            filters = g["params"].get("filters") or g["params"].get("values") or {}
            got.setdefault((g["data_source"], g["params"]["dataset"]), set()).update(cells(filters))
    optional = {(s, n["dataset"]) for n in case.get("optional", []) for s in _sources(n)}
    left = {key: set(have) for key, have in got.items() if key not in optional}
    for need in needs:
        key = next(((s, need["dataset"]) for s in _sources(need) if (s, need["dataset"]) in got), None)
        if key is None:
            return False
        want = cells(need["filters"])
        writes = key[0] in case.get("conditional", [])
        if writes:
            fits = all(any(set(w) <= set(h) for h in got[key]) for w in want)
        else:
            fits = need["dataset"] == "documents" or want <= got[key]
        if not fits:
            return False
        left[key] = left.get(key, set()) - (got[key] if writes or need["dataset"] == "documents" else want)
    return not any(left.values())


def _columns_checked(needs: list[dict[str, Any]], goals: list[dict[str, Any]]) -> bool:
    """Does the validation of every step on a needed dataset speak of the columns that are needed?"""
    for need in needs:
        checks = [
            g["validation"]
            for g in goals
            if g["data_source"] in _sources(need) and g["params"].get("dataset") == need["dataset"]
        ]
        columns = need.get("columns") or []
        if columns and not (checks and all(c in check for check in checks for c in columns)):
            return False
    return True


def _sources(need: dict[str, Any]) -> list[str]:
    return [need["source"]] if isinstance(need["source"], str) else list(need["source"])


def case_of(triple: Triple, catalogue: Catalogue, lexicon: Lexicon | None = None) -> dict[str, Any]:
    """A case for `faults`; with "missing" true where the right answer is that there is no plan. Raises PlanError."""
    compact = read_plan(triple.plan)
    case: dict[str, Any] = {
        "question": triple.question,
        "lang": triple.language,
        "today": triple.today.isoformat(),
        "missing": compact.missing is not None,
    }
    if compact.missing is not None:
        return case
    plan = expand(compact, triple.question, catalogue, lexicon)
    return {**case, **_wanted(plan, compact, catalogue)}


def _wanted(plan: Plan, compact: CompactPlan, catalogue: Catalogue) -> dict[str, Any]:
    needs, conditional = [], []
    for goal, line in zip(plan.sub_goals, compact.lines, strict=True):
        if goal.data_source in ("derive", "report"):
            continue
        written = "values" in goal.params
        columns = list(line.columns) if isinstance(line, FetchLine) else []
        named = isinstance(line, FetchLine) and line.source is not None
        holders = [goal.data_source] if named else [s.name for s in catalogue.holders(goal.params["dataset"])]
        needs.append(
            {
                "source": holders[0] if len(holders) == 1 else holders,
                "dataset": goal.params["dataset"],
                "filters": goal.params["values"] if written else goal.params.get("filters", {}),
                "columns": columns,
            }
        )
        if written and goal.when:
            conditional.append(goal.data_source)
    operations = [g.params["operation"] for g in plan.sub_goals if g.data_source == "derive"]
    report = next((g.params["format"] for g in plan.sub_goals if g.data_source == "report"), None)
    return {
        "route": plan.route,
        "needs": needs,
        "derive": sorted(set(operations)),
        "conditional": conditional,
        "report": report,
    }
