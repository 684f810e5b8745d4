"""Authored triples: `NAME.cat` beside `NAME.txt`, in which `today`, `Q zh|en question` and compact plans stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from planner.catalogue import Catalogue
from planner.catalogue_text import read_catalogue
from planner.errors import PlanError

__all__ = ["Triple", "World", "read_triples", "read_worlds"]

_QUESTION = re.compile(r"Q\s+(zh|en)\s+(.+)")


@dataclass(frozen=True, slots=True)
class Triple:
    """`plan` is compact text; `line` the question's line in its file."""

    question: str
    language: str
    today: date
    plan: str
    line: int


@dataclass(frozen=True, slots=True)
class World:
    """A catalogue and what is asked of it."""

    name: str
    catalogue: Catalogue
    triples: tuple[Triple, ...]


def read_triples(text: str) -> list[Triple]:
    """Raises PlanError, which names the line, on a question without a plan or before any `today`."""
    today: date | None = None
    found: list[Triple] = []
    question: tuple[str, str, int] | None = None
    plan: list[str] = []

    def close() -> None:
        nonlocal question, plan
        if question is not None:
            if today is None or not plan:
                raise PlanError(f"line {question[2]}: {'no today' if today is None else 'no plan'} for it")
            found.append(Triple(question[1], question[0], today, "\n".join(plan), question[2]))
        question, plan = None, []

    for number, raw in enumerate(text.splitlines(), 1):
        row = raw.strip()
        if not row:
            continue
        if row.startswith("today "):
            close()
            try:
                today = date.fromisoformat(row.removeprefix("today ").strip())
            except ValueError as error:
                raise PlanError(f"line {number}: {row!r}: a date is needed") from error
        elif match := _QUESTION.fullmatch(row):
            close()
            question = (match[1], match[2].strip(), number)
        elif question is None:
            raise PlanError(f"line {number}: {row[:60]!r} belongs to no question")
        else:
            plan.append(row)
    close()
    return found


def read_worlds(folder: Path) -> Iterator[World]:
    """Every `NAME.cat` below the folder that has its `NAME.txt`. Raises PlanError, which names the file."""
    for path in sorted(folder.rglob("*.cat")):
        questions = path.with_suffix(".txt")
        if not questions.is_file():
            continue
        file = path
        try:
            catalogue = read_catalogue(path.read_text(encoding="utf-8"))
            file = questions
            triples = read_triples(questions.read_text(encoding="utf-8"))
        except PlanError as error:
            raise PlanError(f"{file}: {error}") from error
        yield World(path.stem, catalogue, tuple(triples))
