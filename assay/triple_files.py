"""Triples and their catalogue as files: `NAME.cat` beside `NAME.txt`, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from planner.training.triples import Triple

__all__ = ["show_triples", "write_text"]


def show_triples(triples: Sequence[Triple]) -> str:
    """The text of triples; `planner.training.triples.read_triples` gives them back, with other line numbers."""
    rows: list[str] = []
    today = None
    for triple in triples:
        if triple.today != today:
            rows += [f"today {triple.today.isoformat()}", ""]
            today = triple.today
        rows += [f"Q {triple.language} {triple.question}", triple.plan, ""]
    return "\n".join(rows)


def write_text(path: Path, text: str) -> None:
    """Through a file beside it, so that a reader sees the old text or the new one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
