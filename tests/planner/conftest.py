"""A small catalogue and small data for the planner's tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from planner.catalogue import Catalogue

BOARD = """\
kind: bi_dashboard
description: 机房看板 / boards of the machine rooms
trust: 0.8
alternatives: [ledger]
datasets:
  - name: energy
    description: 各机房月度用电 / energy by room and month
    grain: [room, month]
    fields:
      - {name: room, type: text, synonyms: [机房], values: [R1, R2]}
      - {name: month, type: month, synonyms: [月份]}
      - {name: usage, type: number, synonyms: [用电量]}
      - {name: outage_rate, type: percent}
"""
LEDGER = """\
kind: sql
description: 台账 / ledger
trust: 0.95
datasets:
  - name: energy
    fields:
      - {name: room, type: text}
      - {name: month, type: month}
      - {name: usage, type: number}
  - name: repairs
    grain: [repair_id]
    fields:
      - {name: repair_id, type: text}
      - {name: opened, type: date}
      - {name: noted, type: datetime}
      - {name: quarter, type: quarter}
      - {name: cost, type: money}
      - {name: hours, type: integer}
      - {name: urgent, type: bool}
      - {name: status, type: text, values: [open, closed]}
"""
MANUAL = """\
kind: pdf_knowledge_base
trust: 0.6
access: [engineer]
datasets:
  - name: documents
    fields: [{name: doc, type: text}, {name: section, type: text}, {name: text, type: text}]
"""
DESK = """\
kind: ticket_api
trust: 0.9
side_effect: true
datasets:
  - name: close_repair
    fields: [{name: repair_id, type: text}, {name: reason, type: text}, {name: day, type: date}]
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder of four sources."""
    folder = tmp_path / "sources"
    folder.mkdir()
    for name, text in {"board": BOARD, "ledger": LEDGER, "manual": MANUAL, "desk": DESK}.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """The same four sources, read."""
    folder = tmp_path_factory.mktemp("sources")
    for name, text in {"board": BOARD, "ledger": LEDGER, "manual": MANUAL, "desk": DESK}.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return Catalogue.load(folder)


@dataclass(frozen=True)
class Table:
    """Data as a validation sees it."""

    rows: tuple[dict[str, Any], ...]
    columns: tuple[str, ...] = ()
    kind: str = "table"
    text: str = ""


def table(*rows: dict[str, Any], columns: tuple[str, ...] | None = None, kind: str = "table") -> Table:
    """Rows, with the first row's keys as columns unless they are given."""
    return Table(rows, tuple(rows[0]) if columns is None and rows else columns or (), kind)


@pytest.fixture(name="table")
def table_fixture() -> Any:
    return table


def column(*values: Any) -> Table:
    """A table of the one column `a`."""
    return Table(tuple({"a": v} for v in values), ("a",))


@pytest.fixture(name="column")
def column_fixture() -> Any:
    return column
