"""The steps that ask no source: `derive` (and the reflector's `reconcile`) compute, `report` writes a document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters.base import Evidence, Resources
from adapters.derive import Operand, derive
from adapters.reconcile import reconcile
from adapters.report_document import Section, write_report
from adapters.values import MEASURES
from executor.headings import headings
from executor.judging import judge
from executor.operands import operands
from executor.settings import ExecutorSettings
from executor.state import ExecutionState, Goal, StepResult
from executor.summary import with_summary
from planner.catalogue import Catalogue

__all__ = ["compute", "write_document"]

# a derived result's own weight when it takes part in a comparison: it is as good as what it was computed from,
# which is not known here, so it neither leads nor yields
DERIVED_TRUST = 0.5


def compute(
    goal: Goal, state: ExecutionState, catalogue: Catalogue, settings: ExecutorSettings
) -> StepResult:
    """Raises InputError on an input that gives nothing, DeriveError on an operation that cannot be done."""
    params = goal.sub_goal.params
    operation = str(params.get("operation", ""))
    inputs = operands(state, goal)
    if operation == "reconcile":
        weights = [_trust(catalogue, o.evidence) for o in inputs]
        evidence = reconcile(inputs, weights, _tolerances(catalogue, inputs, params, settings))
    else:
        evidence = derive(
            operation,
            inputs,
            value=params.get("value"),
            by=_names(params.get("by")),
            order=params.get("order"),
            top=params.get("top"),
        )
    return _judged(goal, state, evidence)


def write_document(
    goal: Goal, state: ExecutionState, catalogue: Catalogue, resources: Resources, settings: ExecutorSettings
) -> StepResult:
    """Writes the report to `<output_dir>/<run id>/<step id>.<format>`."""
    params = goal.sub_goal.params
    kind = str(params.get("format", "html"))
    folder = settings.output_dir or Path(
        str(resources.settings.get("output_dir") or resources.home / "reports")
    )
    path = folder / state.run_id / f"{goal.id}.{kind}"
    sections = []
    for o in operands(state, goal):
        evidence = _narrowed(o)
        labels = headings(catalogue, evidence, state.plan.question)
        sections.append(Section(state.goals[o.step].sub_goal.description, evidence, o.step, labels))
    title = str(params.get("title") or state.plan.question)
    result = _judged(goal, state, write_report(kind, title, sections, path))
    return replace(result, artefact=str(path))


def _judged(goal: Goal, state: ExecutionState, evidence: Evidence) -> StepResult:
    evidence = with_summary(evidence)
    found = judge(goal, evidence, state.today)
    return StepResult(
        goal.id,
        found.status,
        evidence=evidence,
        verdict=found.verdict,
        failure=found.failure,
        message=found.message,
    )


def _narrowed(given: Operand) -> Evidence:
    """One field of a result keeps the columns that say what it is of: those that are no measure."""
    e = given.evidence
    if given.field is None:
        return e
    keep = tuple(c for c in e.columns if c == given.field or e.types.get(c, "text") not in MEASURES)
    return replace(e, columns=keep, rows=tuple({c: r.get(c) for c in keep} for r in e.rows))


def _trust(catalogue: Catalogue, evidence: Evidence) -> float:
    source = catalogue.sources.get(evidence.source)
    return source.trust if source is not None else DERIVED_TRUST


def _tolerances(
    catalogue: Catalogue, inputs: list[Operand], params: dict[str, Any], settings: ExecutorSettings
) -> dict[str, float]:
    """Relative tolerance of each column: the step's own, else the catalogue's for the field, else the general one."""
    out: dict[str, float] = {}
    for o in inputs:
        out |= {c: settings.tolerance for c in o.evidence.columns if c not in out}
        source = catalogue.sources.get(o.evidence.source)
        for dataset in source.datasets if source is not None else ():
            if dataset.name == o.evidence.dataset:
                out |= {f.name: f.tolerance for f in dataset.fields if f.tolerance is not None}
    given = params.get("tolerance")
    return out | {k: float(v) for k, v in given.items()} if isinstance(given, dict) else out


def _names(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(map(str, value))
