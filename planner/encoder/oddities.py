"""What no careful plan has: an operation that its own fetch leaves nothing to do. Counted against assembled plans."""

from __future__ import annotations

from planner.compact.lines import Asked, CompactPlan, DeriveLine, FetchLine
from planner.encoder.items import Items
from planner.rules.lexicon import Table

__all__ = ["oddities"]

_PAIRED = ("difference", "growth", "ratio")


def oddities(plan: CompactPlan, items: Items) -> list[str]:
    """One word each: `uncompared`, `same`, `repeated`, `pointless`, `single`, `unspread`."""
    found = []
    computed = [line for line in plan.lines if isinstance(line, DeriveLine)]
    found += ["repeated"] * (len(computed) - len({repr(line) for line in computed}))
    for line in plan.lines:
        if not isinstance(line, DeriveLine):
            continue
        sources = [plan.lines[o.step - 1] for o in line.operands if 0 < o.step <= len(plan.lines)]
        fetch = sources[0] if sources else None
        if len(line.operands) == 2 and line.operands[0] == line.operands[1]:
            found.append("same")
        if not isinstance(fetch, FetchLine):
            continue
        table = _table(fetch, items)
        if table is None:
            continue
        asked = dict(fetch.filters)
        if (
            len(line.operands) == 1
            and line.operation in _PAIRED
            and not any(_several(a) for a in asked.values())
        ):
            found.append("uncompared")
        times = [asked[f.name] for f in table.time_fields if f.name in asked]
        if line.operation == "trend" and any(isinstance(a, tuple) and len(a) < 3 for a in times):
            found.append("pointless")
        if (
            line.operation in ("rank", "share")
            and line.by
            and all(_one(asked.get(b.partition(":")[0])) for b in line.by)
        ):
            found.append("single")
        if line.operation in ("sum", "mean", "max", "min") and not line.by and _fixed(table, asked):
            found.append("unspread")
    return found


def _table(line: FetchLine, items: Items) -> Table | None:
    return next(
        (t for t in items.lexicon.tables.values() if t.readable and t.dataset.name == line.dataset), None
    )


def _several(asked: Asked | None) -> bool:
    return isinstance(asked, tuple) and len(asked) > 1


def _one(asked: Asked | None) -> bool:
    return isinstance(asked, tuple) and len(asked) == 1


def _fixed(table: Table, asked: dict[str, Asked]) -> bool:
    """One row at most: every field of the grain has one value."""
    return bool(table.dataset.grain) and all(_one(asked.get(g)) for g in table.dataset.grain)
