"""A step that writes to a source: only when approved, once for the same values, never tried again by itself.

The intent is committed before the call and the receipt after it. What lies between the two, a crash, a timeout, a lost
connection, leaves an intent without a receipt: nobody here can know whether the write happened, so a person is asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adapters.base import Query
from adapters.errors import SourceError
from adapters.values import canonical
from executor.attempts import Outcome, ask
from executor.events import Event
from executor.inputs import fill
from executor.reads import Surroundings, failed, to_result
from executor.sources import OpenSource
from executor.state import ExecutionState, Goal, StepResult
from executor.store import Effect, RunStore

__all__ = ["idempotency_key", "write"]

# failures that say for certain that nothing was written
_NOT_WRITTEN = frozenset({"auth", "refused", "rate_limited", "circuit_open", "cancelled"})
# of HTTP's 4xx, those after which a write may stand all the same: request timeout; conflict, which may be with itself
_DOUBTFUL_STATUS = frozenset({408, 409})


def idempotency_key(source: str, dataset: str, values: Mapping[str, Any]) -> str:
    """sha256 of source, dataset and canonical values, in hex; the same in every run."""
    text = json.dumps([source, dataset, values], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def write(goal: Goal, state: ExecutionState, around: Surroundings, store: RunStore) -> StepResult:
    """Writes, or says why not yet. Raises InputError, SourceError (refused, unreadable values) and StoreError.

    One write at a time: of two steps with the same values the second finds the first one's receipt, not its intent.
    """
    with around.writing:
        return _write(goal, state, around, store)


def _write(goal: Goal, state: ExecutionState, around: Surroundings, store: RunStore) -> StepResult:
    opened = around.sources.open(goal.sub_goal.data_source, state.roles)
    dataset = str(goal.sub_goal.params.get("dataset", ""))
    values = _canonical(opened, dataset, fill(state, goal, goal.sub_goal.params.get("values") or {}))
    key = idempotency_key(opened.name, dataset, values)
    query = Query(
        dataset=dataset,
        values=values,
        timeout_s=goal.timeout_s or opened.source.timeout_s,
        roles=state.roles,
        idempotency_key=key,
    )
    known = store.effect(key)
    if known is not None:
        return _known(goal, state, opened, query, known)
    shown = ", ".join(f"{k} {v}" for k, v in values.items())
    if not ({opened.name, "*"} & state.approved):
        return StepResult(
            goal.id, "pending", message=f"waits for approval: {opened.name} {dataset} ({shown})"
        )
    claimed = store.intend(
        key, run_id=state.run_id, goal_id=goal.id, source=opened.name, dataset=dataset, values=values
    )
    if not claimed:
        known = store.effect(key)
        if known is not None:
            return _known(goal, state, opened, query, known)
        return failed(
            goal, SourceError(f"{opened.name} {dataset}: another process changed the record of this write")
        )
    _tell(around, goal, opened.name, key, "intent")
    outcome = ask(
        opened,
        query,
        retries=0,
        settings=around.settings,
        emit=around.emit,
        goal_id=goal.id,
        stop=around.stop,
    )
    if outcome.evidence is not None:
        store.record_receipt(key, outcome.evidence)
        _tell(around, goal, opened.name, key, "receipt")
        return to_result(goal, state, opened, query, outcome)
    result = replace(to_result(goal, state, opened, query, outcome), status="failed_fatal")
    if _not_written(outcome):
        store.withdraw(key)
        _tell(around, goal, opened.name, key, "withdrawn")
        return result
    unknown = f"{result.message}; whether it was written is unknown, so it is not tried again: look in {opened.name}"
    return replace(result, message=unknown)


def _not_written(outcome: Outcome) -> bool:
    """Is it certain that the failed write did not happen?"""
    error = outcome.error
    if error is None or not outcome.reached or error.kind in _NOT_WRITTEN:
        return error is not None
    return error.status is not None and 400 <= error.status < 500 and error.status not in _DOUBTFUL_STATUS


def _known(goal: Goal, state: ExecutionState, opened: OpenSource, query: Query, effect: Effect) -> StepResult:
    """A write of these very values was begun before, in this run or another."""
    if effect.receipt is None:
        what = ", ".join(f"{k} {v}" for k, v in effect.values.items())
        message = (
            f"a write to {effect.source} {effect.dataset} ({what}) was begun at {effect.intended} in run {effect.run_id} "
            "and its outcome is unknown; look there before anything is submitted again"
        )
        return StepResult(goal.id, "pending", message=message)
    result = to_result(goal, state, opened, query, Outcome((), effect.receipt, None, True))
    if result.status != "success":
        return result
    return replace(result, message=f"already submitted at {effect.submitted}; not submitted again")


def _canonical(opened: OpenSource, name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values in the catalogue's types. Raises FormatError naming the field that cannot be read."""
    dataset = next((d for d in opened.source.datasets if d.name == name), None)
    types = {f.name: f.type for f in dataset.fields} if dataset is not None else {}
    out: dict[str, Any] = {}
    for field, value in values.items():
        try:
            kind = types.get(field, "text")
            out[field] = (
                [canonical(v, kind) for v in value] if isinstance(value, list) else canonical(value, kind)
            )
        except SourceError as e:
            raise type(e)(f"{opened.name} {name}: values.{field}: {e}", source=opened.name) from e
    return out


def _tell(around: Surroundings, goal: Goal, source: str, key: str, what: str) -> None:
    around.emit(
        Event("effect", goal.id, source, f"{what} of write {key[:12]}", detail={"key": key, "what": what})
    )
