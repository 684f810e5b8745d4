"""The run store: what was asked, what every step gave, what happened on the way, what was written where.

SQLite in WAL mode by default, any SQLAlchemy URL otherwise. Nothing is updated but a run's own status and a write's
receipt. Every method commits before it returns, may be called from any thread, and raises only StoreError.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapters.base import Evidence
from executor.blobs import Blobs
from executor.codec import (
    FORMAT_VERSION,
    dumps,
    evidence_from_dict,
    evidence_to_dict,
    goal_from_dict,
    goal_to_dict,
    loads,
    result_from_dict,
    result_to_dict,
)
from executor.errors import StoreError
from executor.state import ExecutionState, Goal, StepResult
from planner.proposal import Proposal

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

__all__ = ["Effect", "RunRow", "RunStore", "now"]

BUSY_S = 30.0  # how long a writer waits for another process's transaction


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in a list. `started` ISO 8601 UTC; `seconds` None while it is running or after a crash."""

    run_id: str
    question: str
    status: str
    started: str
    seconds: float | None
    planner: str


@dataclass(frozen=True, slots=True)
class Effect:
    """A write to a source. `submitted` is "" while the outcome is unknown; `receipt` is what the source gave."""

    key: str
    run_id: str
    goal_id: str
    source: str
    dataset: str
    values: Mapping[str, Any]
    intended: str
    submitted: str
    receipt: Evidence | None


def now() -> str:
    """ISO 8601, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RunStore:
    """`where` is a file's path or an SQLAlchemy URL. Raises StoreError when it cannot be opened or written."""

    def __init__(self, where: str | Path, blobs: Path | None = None) -> None:
        from executor.opening import open_engine

        self._engine: Engine
        self._engine, folder = open_engine(where, BUSY_S)
        self._blobs = Blobs(blobs or folder)

    def close(self) -> None:
        self._engine.dispose()

    # --- a run

    def begin(self, state: ExecutionState, question: str, planner: Proposal | Mapping[str, Any]) -> None:
        """A run starts. `planner` is who planned it: a proposal, or name, version and confidence."""
        from executor.tables import runs

        kept = {
            "plan": state.plan.model_dump(mode="json"),
            "roles": list(state.roles),
            "approved": sorted(state.approved),
        }
        if isinstance(planner, Proposal):
            kept_of = {f.name: getattr(planner, f.name) for f in fields(planner) if f.name != "plan"}
            others = [
                {**{f.name: getattr(a, f.name) for f in fields(a)}, "plan": a.plan.model_dump(mode="json")}
                for a in kept_of.pop("alternatives")
            ]
            planner = {"name": kept_of.pop("planner"), **kept_of, "alternatives": others}
        with self._transaction() as db:
            db.execute(
                runs.insert().values(
                    run_id=state.run_id,
                    format_version=FORMAT_VERSION,
                    question=question,
                    status="running",
                    today=state.today,
                    started=now(),
                    state_json=dumps(kept),
                    planner_json=dumps(planner),
                )
            )

    def save_result(self, run_id: str, result: StepResult, goal: Goal) -> None:
        from executor.tables import steps

        with self._transaction() as db:
            db.execute(
                steps.insert().values(
                    run_id=run_id,
                    goal_id=goal.id,
                    format_version=FORMAT_VERSION,
                    status=result.status,
                    saved=now(),
                    goal_json=dumps(goal_to_dict(goal)),
                    result_json=dumps(self._blobs.pack(result_to_dict(result))),
                )
            )

    def event(self, run_id: str, kind: str, detail: Mapping[str, Any]) -> None:
        """Appends to the audit trail."""
        from executor.tables import events

        with self._transaction() as db:
            db.execute(events.insert().values(run_id=run_id, at=now(), kind=kind, detail_json=dumps(detail)))

    def finish(
        self, run_id: str, status: str, answer: Mapping[str, Any], seconds: float, *, question: str = ""
    ) -> None:
        """A run ends; `answer` is the object that `assay ask --json` prints.

        A question that was refused has no state to begin with: its run is recorded here, whole.
        """
        from executor.tables import runs

        ended = {"status": status, "answer_json": dumps(answer), "seconds": seconds}
        with self._transaction() as db:
            if db.execute(runs.update().where(runs.c.run_id == run_id).values(**ended)).rowcount:
                return
            db.execute(
                runs.insert().values(
                    run_id=run_id,
                    format_version=FORMAT_VERSION,
                    question=question or str(answer.get("question", "")),
                    today="",
                    started=now(),
                    state_json=dumps({"plan": None, "roles": [], "approved": []}),
                    planner_json=dumps(answer.get("planner") or {}),
                    **ended,
                )
            )

    def list(self, limit: int = 20) -> list[RunRow]:
        """The newest runs first."""
        from executor.tables import runs

        with self._transaction() as db:
            rows = db.execute(runs.select().order_by(runs.c.started.desc(), runs.c.run_id).limit(limit)).all()
        return [
            RunRow(
                r.run_id,
                r.question,
                r.status,
                r.started,
                r.seconds,
                str(loads(r.planner_json).get("name", "")),
            )
            for r in rows
        ]

    def interrupt(self, run_id: str, seconds: float) -> None:
        """A run that a person stopped: its steps stay as they are, and it has no answer."""
        from executor.tables import runs

        with self._transaction() as db:
            ended = {"status": "interrupted", "seconds": seconds}
            db.execute(runs.update().where(runs.c.run_id == run_id).values(**ended))

    def show(self, run_id: str) -> dict[str, Any]:
        """All of a run as JSON values: question, planner, plan, steps (goal and result), events, answer.

        `run_id` may be the beginning of an id when only one run begins so.
        """
        from sqlalchemy import func

        from executor.tables import events, runs, steps

        with self._transaction() as db:
            prefix = func.substr(runs.c.run_id, 1, len(run_id)) == run_id
            found = db.execute(runs.select().where(prefix).order_by(runs.c.run_id).limit(3)).all()
            exact = [r for r in found if r.run_id == run_id] or found
            if not exact:
                raise StoreError(f"no run {run_id!r} in the store; `assay runs list` shows those there are")
            if len(exact) > 1:
                raise StoreError(f"several runs begin with {run_id!r}: {', '.join(r.run_id for r in exact)}")
            run = exact[0]
            done = db.execute(steps.select().where(steps.c.run_id == run.run_id).order_by(steps.c.id)).all()
            trail = db.execute(
                events.select().where(events.c.run_id == run.run_id).order_by(events.c.id)
            ).all()
        try:
            return self._as_shown(run, done, trail)
        except (ValueError, TypeError, KeyError) as e:
            raise StoreError(f"the record of run {run.run_id} is damaged: {e}") from None

    def _as_shown(self, run: Any, done: Sequence[Any], trail: Sequence[Any]) -> dict[str, Any]:
        return {
            "run_id": run.run_id,
            "format_version": run.format_version,
            "question": run.question,
            "status": run.status,
            "today": run.today,
            "started": run.started,
            "seconds": run.seconds,
            "planner": loads(run.planner_json),
            **loads(run.state_json),
            "steps": [
                {"goal": loads(s.goal_json), "saved": s.saved, **self._blobs.unpack(loads(s.result_json))}
                for s in done
            ],
            "events": [{"at": e.at, "kind": e.kind, "detail": loads(e.detail_json)} for e in trail],
            "answer": None if run.answer_json is None else loads(run.answer_json),
        }

    def results(self, run_id: str) -> tuple[tuple[Goal, StepResult], ...]:
        """Every stored result with its goal, in the order in which they were committed."""
        from executor.tables import steps

        with self._transaction() as db:
            done = db.execute(steps.select().where(steps.c.run_id == run_id).order_by(steps.c.id)).all()
        return tuple(
            (goal_from_dict(loads(s.goal_json)), result_from_dict(self._blobs.unpack(loads(s.result_json))))
            for s in done
        )

    # --- writes to a source

    def effect(self, key: str) -> Effect | None:
        """The write with that idempotency key, in whatever run it was."""
        from executor.tables import effects

        with self._transaction() as db:
            r = db.execute(effects.select().where(effects.c.key == key)).first()
        if r is None:
            return None
        return Effect(
            r.key,
            r.run_id,
            r.goal_id,
            r.source,
            r.dataset,
            loads(r.values_json),
            r.intended,
            r.submitted or "",
            None if r.receipt_json is None else evidence_from_dict(loads(r.receipt_json)),
        )

    def receipt(self, key: str) -> Effect | None:
        """The write with that key if the source has confirmed it, else None."""
        found = self.effect(key)
        return found if found is not None and found.receipt is not None else None

    def intend(
        self, key: str, *, run_id: str, goal_id: str, source: str, dataset: str, values: Mapping[str, Any]
    ) -> bool:
        """Claims the key before the call. False when it is claimed already, by this process or another."""
        from sqlalchemy.exc import IntegrityError

        from executor.tables import effects

        row = {
            "key": key,
            "format_version": FORMAT_VERSION,
            "run_id": run_id,
            "goal_id": goal_id,
            "source": source,
            "dataset": dataset,
            "values_json": dumps(values),
            "intended": now(),
        }
        try:
            with self._transaction() as db:
                db.execute(effects.insert().values(**row))
        except StoreError as e:
            if isinstance(e.__cause__, IntegrityError):
                return False
            raise
        return True

    def record_receipt(self, key: str, receipt: Evidence) -> None:
        """The source has confirmed the write."""
        from executor.tables import effects

        with self._transaction() as db:
            done = db.execute(
                effects.update()
                .where(effects.c.key == key)
                .values(submitted=now(), receipt_json=dumps(evidence_to_dict(receipt)))
            )
            if done.rowcount != 1:
                raise StoreError(
                    f"run store: a receipt came for a write that was never intended ({key[:12]}…)"
                )

    def withdraw(self, key: str) -> None:
        """Frees a key whose write is known not to have happened. One with a receipt stays."""
        from executor.tables import effects

        with self._transaction() as db:
            db.execute(effects.delete().where(effects.c.key == key, effects.c.receipt_json.is_(None)))

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        from sqlalchemy.exc import SQLAlchemyError

        from executor.opening import one_line

        try:
            with self._engine.begin() as db:
                yield db
        except (SQLAlchemyError, OSError) as e:
            where = self._engine.url.render_as_string(hide_password=True)
            raise StoreError(f"run store {where}: {one_line(e)}") from e
