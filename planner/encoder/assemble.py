"""From decisions to whole plans, the likeliest first: tables and shape are chosen together, the rest follows from both."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from planner.compact.lines import CompactPlan, Line, ReportLine
from planner.encoder.computing import computed
from planner.encoder.decisions import Decisions, score
from planner.encoder.documents import search
from planner.encoder.fetching import fetched
from planner.encoder.oddities import oddities
from planner.encoder.skeletons import MISSING, OTHER, Shape
from planner.encoder.variants import variants
from planner.encoder.writing import written

__all__ = ["assemble"]

ODD = 4.0  # an operation that has nothing to do weighs as much as a decision of 2 %
VARIED = 3  # of those also with single decisions the other way
TRIED = 16  # pairs of tables and shape that are made into plans
UNHELD = "the catalogue does not hold what is asked"
# a plan that says nothing stands for fewer decisions than any other, so its likelihood does not decide
SILENT = 0.5
UNSURE = 0.03  # a table below this is never read, one above 1 - this always


def assemble(decisions: Decisions, count: int = 5) -> list[CompactPlan]:
    """At most `count` different plans, best first."""
    found: dict[str, tuple[float, CompactPlan]] = {}
    for plan in _made(decisions):
        likely = score(decisions, plan) - ODD * len(oddities(plan, decisions.items))
        shown = repr(plan)
        if shown not in found:
            found[shown] = (likely, plan)
    ranked = [plan for _, plan in sorted(found.values(), key=lambda f: -f[0])]
    if decisions.shapes[decisions.names.index(MISSING)] > SILENT or not ranked:
        ranked.insert(0, CompactPlan((), UNHELD))
    elif decisions.shapes[decisions.names.index(MISSING)] > UNSURE:
        ranked.insert(min(len(ranked), count - 1), CompactPlan((), UNHELD))
    return ranked[:count]


def _made(d: Decisions) -> Iterator[CompactPlan]:
    shapes = sorted(zip(d.shapes, d.names, strict=True), reverse=True)[:12]
    pairs = [
        (likely + math.log(max(float(p), 1e-6)), tables, name)
        for likely, tables in _table_sets(d)
        for p, name in shapes
        if name not in (OTHER, MISSING) and _fits(d, tables, name)
    ]
    pairs.sort(key=lambda c: -c[0])
    for rank, (_, tables, name) in enumerate(pairs[:TRIED]):
        shape = Shape.read(name)
        for other in [d, *(variants(d, tables) if rank < VARIED else ())]:
            for strict in (True, False):
                plan = _plan(other, tables, shape, strict=strict)
                if plan is not None:
                    yield plan
                    break


def _table_sets(d: Decisions) -> list[tuple[float, tuple[int, ...]]]:
    """(log-likelihood, table items), most likely first."""
    sure, open_ = [], []
    for at in d.items.tables.values():
        p = d.role("used", at)
        if p > 1 - UNSURE:
            sure.append(at)
        elif p > UNSURE:
            open_.append((p, at))
    open_ = sorted(open_, reverse=True)[:5]
    if not sure and not open_:
        best = max(d.items.tables.values(), key=lambda at: d.role("used", at))
        open_ = [(d.role("used", best), best)]
    sets = []
    for chosen in itertools.product((True, False), repeat=len(open_)):
        likely = sum(math.log(p if c else 1 - p) for c, (p, _) in zip(chosen, open_, strict=True))
        sets.append((likely, (*sure, *(at for c, (_, at) in zip(chosen, open_, strict=True) if c))))
    return sorted(sets, reverse=True)[:8]


def _fits(d: Decisions, tables: tuple[int, ...], name: str) -> bool:
    kinds = [d.items.all[at].kind for at in tables]
    shape = Shape.read(name)
    return (
        bool(tables)
        and kinds.count("read") <= shape.fetches
        and (shape.fetches == 0) == (kinds.count("read") == 0)
        and kinds.count("write") == (1 if shape.write else 0)
        and (shape.fetches > 0 or bool(shape.write) or kinds.count("documents") > 0)
    )


def _plan(d: Decisions, tables: tuple[int, ...], shape: Shape, *, strict: bool) -> CompactPlan | None:
    """None where `strict` and the filters split into another number of fetches than the shape has."""
    kinds = {at: d.items.all[at].kind for at in tables}
    read = [at for at in tables if kinds[at] == "read"]
    fetches = fetched(d, read, shape) if read else []
    if len(fetches) != shape.fetches and strict:
        return None
    lines: list[Line] = [f.line for f in fetches]
    for at in tables:
        if kinds[at] == "documents":
            lines.append(search(d, at, alone=len(tables) == 1))
    derived = computed(d, fetches, shape, len(lines))
    if derived is None:
        return None
    lines += derived
    for at in tables:
        if kinds[at] == "write":
            line = written(d, at, fetches, conditional=shape.write == "! if")
            if line is None:
                return None
            lines.append(line)
    for report in ("docx", "html"):
        if d.flag(report):
            lines.append(ReportLine(report))
    return CompactPlan(tuple(lines)) if lines else None
