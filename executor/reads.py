"""A step that reads a source: the query, the attempts at it, the judgement of what came."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from adapters.base import Evidence, Query
from adapters.errors import NoResults, SourceError
from executor.attempts import Outcome, ask
from executor.events import Emit
from executor.inputs import fill
from executor.judging import Judgement, judge, status_of
from executor.settings import ExecutorSettings
from executor.sources import OpenSource, Sources
from executor.state import ExecutionState, FailureKind, Goal, StepResult
from executor.summary import with_summary
from planner.catalogue import Dataset

__all__ = ["Surroundings", "failed", "read", "to_result"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every step works with. `stop` is set when the run ends early: nothing is asked after that.

    `writing` is held while a source is written to.
    """

    sources: Sources
    settings: ExecutorSettings
    emit: Emit
    stop: threading.Event
    writing: threading.Lock


def failed(goal: Goal, error: SourceError, **more: Any) -> StepResult:
    """The result of a step that ended in `error`."""
    message = " ".join(str(error).split())
    kind = cast(FailureKind, error.kind)
    return StepResult(goal.id, status_of(kind), failure=kind, message=message, **more)


def read(goal: Goal, state: ExecutionState, around: Surroundings) -> StepResult:
    """Reads a source. Raises InputError when a reference gives nothing to ask with, SourceError when refused."""
    params = goal.sub_goal.params
    opened = around.sources.open(goal.sub_goal.data_source, state.roles)
    filters = fill(state, goal, params.get("filters") or {})
    text = fill(state, goal, {"query": params.get("query") or ""})["query"]
    query = Query(
        dataset=str(params.get("dataset", "")),
        filters=filters,
        text=" ".join(map(str, text)) if isinstance(text, list) else str(text),
        timeout_s=goal.timeout_s or opened.source.timeout_s,
        roles=state.roles,
    )
    outcome = ask(
        opened,
        query,
        retries=opened.source.max_retries,
        settings=around.settings,
        emit=around.emit,
        goal_id=goal.id,
        stop=around.stop,
    )
    return to_result(goal, state, opened, query, outcome)


def to_result(
    goal: Goal, state: ExecutionState, opened: OpenSource, query: Query, outcome: Outcome
) -> StepResult:
    """What the attempts came to, judged. A sound "nothing there" may be just what the validation wants."""
    dataset = next((d for d in opened.source.datasets if d.name == query.dataset), None)
    grain = dataset.grain if dataset is not None else ()
    if isinstance(outcome.error, NoResults):
        evidence = with_summary(_nothing(goal, opened.name, query.dataset, dataset), grain)
        found = judge(goal, evidence, state.today)
        if found.status != "success":
            found = replace(found, failure="no_results", message=" ".join(str(outcome.error).split()))
        return _judged(goal, found, evidence, outcome)
    if outcome.error is not None:
        result = failed(goal, outcome.error, attempts=outcome.attempts)
        return replace(result, message=opened.scrubber.text(result.message))
    evidence = with_summary(cast(Evidence, outcome.evidence), grain)
    return _judged(goal, judge(goal, evidence, state.today), evidence, outcome)


def _judged(goal: Goal, found: Judgement, evidence: Evidence, outcome: Outcome) -> StepResult:
    return StepResult(
        goal.id,
        found.status,
        attempts=outcome.attempts,
        evidence=evidence,
        verdict=found.verdict,
        failure=found.failure,
        message=found.message,
    )


def _nothing(goal: Goal, source: str, name: str, dataset: Dataset | None) -> Evidence:
    """Evidence of no rows in the shape that rows would have had."""
    types: Mapping[str, str] = {f.name: f.type for f in dataset.fields} if dataset is not None else {}
    kind = "text" if goal.sub_goal.expected_format == "text" else "table"
    return Evidence("text" if kind == "text" else "table", source, name, tuple(types), (), (), types)
