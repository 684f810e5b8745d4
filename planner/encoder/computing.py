"""The derive lines of a shape: operands, groups, order."""

from __future__ import annotations

from planner.compact.lines import DeriveLine, Operand
from planner.encoder.decisions import Decisions
from planner.encoder.fetching import LIKELY, Fetched
from planner.encoder.labels import BUCKETS
from planner.encoder.skeletons import Shape, Step

__all__ = ["computed"]

_COMPARING = ("difference", "growth", "ratio")


def computed(d: Decisions, fetches: list[Fetched], shape: Shape, before: int) -> list[DeriveLine] | None:
    """`before` is the number of lines that stand before them. None where an input is no fetch of the plan."""
    made: list[DeriveLine] = []
    taken: list[tuple[int, str]] = []  # fetch and measure already used
    for number, step in enumerate(shape.steps):
        operands: list[Operand] = []
        for kind, n in step.inputs:
            if kind == "X" or (kind == "F" and n > len(fetches)) or (kind == "D" and n > number):
                return None
            if kind == "D":
                operands.append(Operand(before + n))
            elif step.operation == "count" or (step.operation == "join" and not step.grouped):
                operands.append(Operand(n))
            else:
                again = [o.field for o in operands if o.step == n]
                measure = _measure(d, fetches, n - 1, taken, bool(again))
                taken.append((n - 1, measure))
                operands.append(Operand(n, measure))
        ranked = step.operation == "rank"
        made.append(
            DeriveLine(
                step.operation,
                tuple(operands),
                _by(d, fetches, shape, step, number) if step.grouped else (),
                _top(d) if ranked else None,
                "asc" if ranked and d.flag("asc") else None,
            )
        )
    return made


def _measure(
    d: Decisions, fetches: list[Fetched], fetch: int, taken: list[tuple[int, str]], another: bool
) -> str:
    """Of the fetch's table: the field that the pointer of this operand gives; `another` than this fetch has given."""
    own = fetches[fetch]
    fields = {n: i for (k, n), i in d.items.fields.items() if k == own.table.key}
    used = [m for f, m in taken if f == fetch]
    other = [m for f, m in taken if f != fetch and fetches[f].at == own.at]
    if other and not used:
        return other[0]
    k = min(len({(fetches[f].at, m) for f, m in taken}), 1)
    free = {n: i for n, i in fields.items() if n not in used}
    pointed = {n: float(d.pointers[k, i]) + 0.05 * d.role("wanted", i) for n, i in free.items()}
    best = max(pointed, key=lambda n: pointed[n], default=next(iter(fields)))
    if used and not another and d.pointers[1].argmax() == len(d.items.all) and pointed.get(best, 0) < 0.3:
        return used[0]
    return best


def _top(d: Decisions) -> int | None:
    likely = [(float(d.tops[s]), s) for s, spot in enumerate(d.reading.spots) if spot.number is not None]
    if likely and max(likely)[0] > LIKELY:
        return max(1, int(d.reading.spots[max(likely)[1]].number or 1))
    return 1 if d.flag("top1") else None


def _by(d: Decisions, fetches: list[Fetched], shape: Shape, step: Step, number: int) -> tuple[str, ...]:
    reached = _reached(shape, number)
    if not reached:
        return ()
    own = fetches[min(reached)]
    fields = {n: i for (k, n), i in d.items.fields.items() if k == own.table.key}
    chosen = [n for n, i in fields.items() if d.role("grouped", i) > LIKELY]
    if not chosen:
        chosen = [max(fields, key=lambda n: d.role("grouped", fields[n]))]
    several = [n for n in chosen if _several(own, n)] if len(chosen) > 1 else []
    summed = [s for s in shape.steps[:number] if s.grouped]
    if step.operation in _COMPARING and summed and several:
        chosen = several
    if step.operation == "rank" and any(s.operation in _COMPARING for s in summed) and several:
        chosen = [n for n in chosen if n not in several] or chosen
    return tuple(_bucketed(d, own, n) for n in chosen)


def _several(own: Fetched, name: str) -> bool:
    asked = own.line.filters.get(name)
    return isinstance(asked, tuple) and len(asked) > 1


def _reached(shape: Shape, number: int) -> set[int]:
    found: set[int] = set()
    for kind, n in shape.steps[number].inputs:
        if kind == "F":
            found.add(n - 1)
        elif kind == "D" and n - 1 < number:
            found |= _reached(shape, n - 1)
    return found


def _bucketed(d: Decisions, own: Fetched, name: str) -> str:
    if own.table.fields[name].type not in ("date", "datetime"):
        return name
    for bucket in BUCKETS:
        if d.flag(bucket):
            return f"{name}:{bucket}"
    return name
