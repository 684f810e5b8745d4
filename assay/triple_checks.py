"""Every triple tried before it is trained on: it parses, names only what its catalogue has, and its plan runs on a
made-up world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.rehearsal import rehearse
from planner.catalogue import Catalogue
from planner.catalogue_text import read_catalogue
from planner.compact import expand, read_plan
from planner.errors import PlannerError
from planner.rules.lexicon import Lexicon
from planner.training.triples import Triple, read_triples

__all__ = ["Checked", "CheckedWorld", "check_worlds"]


@dataclass(frozen=True, slots=True)
class Checked:
    """`fault` is empty where the triple is sound; `rehearsed` says whether its plan ran."""

    triple: Triple
    fault: str = ""
    rehearsed: bool = False


@dataclass(frozen=True, slots=True)
class CheckedWorld:
    """`path` is the catalogue's file. `fault` says why nothing of it could be read; its triples are none then."""

    path: Path
    catalogue_text: str
    triples: tuple[Checked, ...] = ()
    fault: str = ""

    @property
    def faults(self) -> Iterator[str]:
        """`file:line: what is wrong`."""
        questions = self.path.with_suffix(".txt")
        if self.fault:
            yield f"{self.path}: {self.fault}"
        yield from (f"{questions}:{c.triple.line}: {c.fault}" for c in self.triples if c.fault)


def check_worlds(paths: Iterable[Path], *, every: int = 1) -> Iterator[CheckedWorld]:
    """Each catalogue file with its triples; of their plans every so many-th runs, none with 0."""
    return (_world(path, every) for path in paths)


def _world(path: Path, every: int) -> CheckedWorld:
    questions, text = path.with_suffix(".txt"), ""
    try:
        text = path.read_text(encoding="utf-8")
        catalogue = read_catalogue(text)
        lexicon = Lexicon(catalogue)
        if not questions.is_file():
            return CheckedWorld(path, text, fault=f"its {questions.name} is missing")
        triples = read_triples(questions.read_text(encoding="utf-8"))
    except (PlannerError, ValueError, OSError) as error:
        return CheckedWorld(path, text, fault=_line(error))
    return CheckedWorld(
        path,
        text,
        tuple(
            _triple(t, catalogue, lexicon, runs=every > 0 and n % every == 0) for n, t in enumerate(triples)
        ),
    )


def _triple(triple: Triple, catalogue: Catalogue, lexicon: Lexicon, *, runs: bool) -> Checked:
    try:
        compact = read_plan(triple.plan)
        if compact.missing is not None:
            return Checked(triple)
        plan = expand(compact, triple.question, catalogue, lexicon)
    except (PlannerError, ValueError) as error:
        return Checked(triple, _line(error))
    faults = rehearse(plan, catalogue, triple.today) if runs else []
    return Checked(triple, "; ".join(faults), runs)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
