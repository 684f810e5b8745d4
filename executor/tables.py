"""The run store's tables. Imported only when a store is opened: it brings SQLAlchemy in.

`runs` one row a run · `steps` one row a finished sub-goal · `events` append-only · `effects` one row a write to a
source, by its idempotency key, over all runs. Columns named `…_json` hold what `executor/codec.py` writes.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, MetaData, String, Table, Text

__all__ = ["effects", "events", "metadata", "runs", "steps"]

metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column("run_id", String(64), primary_key=True),
    Column("format_version", Integer, nullable=False),
    Column("question", Text, nullable=False),
    Column("status", String(32), nullable=False),  # running, then the answer's status
    Column("today", String(10), nullable=False),
    Column("started", String(40), nullable=False, index=True),  # ISO 8601, UTC
    Column("seconds", Float),
    Column("state_json", Text, nullable=False),  # plan, roles, approved
    Column("planner_json", Text, nullable=False),
    Column("answer_json", Text),
)

steps = Table(
    "steps",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(64), nullable=False, index=True),
    Column("goal_id", String(64), nullable=False),
    Column("format_version", Integer, nullable=False),
    Column("status", String(32), nullable=False),
    Column("saved", String(40), nullable=False),
    Column("goal_json", Text, nullable=False),
    Column("result_json", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(64), nullable=False, index=True),
    Column("at", String(40), nullable=False),
    Column("kind", String(64), nullable=False),
    Column("detail_json", Text, nullable=False),
)

effects = Table(
    "effects",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("format_version", Integer, nullable=False),
    Column("run_id", String(64), nullable=False),
    Column("goal_id", String(64), nullable=False),
    Column("source", Text, nullable=False),
    Column("dataset", Text, nullable=False),
    Column("values_json", Text, nullable=False),
    Column("intended", String(40), nullable=False),
    Column("submitted", String(40)),  # None: the outcome is unknown
    Column("receipt_json", Text),  # the evidence that the source gave
)
