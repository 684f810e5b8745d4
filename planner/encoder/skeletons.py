"""The shape of a plan apart from names and values: `2 | sum F1 by; sum F2 by; ratio D1 D2`, `1 | ! if`, `0 |`, `?`."""

from __future__ import annotations

from dataclasses import dataclass

from planner.built_in_params import OPERATIONS
from planner.compact.lines import CompactPlan, DeriveLine, FetchLine, WriteLine

__all__ = ["MISSING", "OTHER", "Shape", "Step", "attributes", "skeleton"]

MISSING, OTHER = "?", "other"


@dataclass(frozen=True, slots=True)
class Step:
    """`inputs` are ("F", n) for the n-th fetch, ("D", n) for the n-th derive, ("X", 0) for any other step; n from 1."""

    operation: str
    inputs: tuple[tuple[str, int], ...]
    grouped: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """`fetches` are fetch lines; `write` is "", "!" or "! if"."""

    fetches: int
    steps: tuple[Step, ...]
    write: str = ""

    @classmethod
    def read(cls, text: str) -> Shape:
        """Of a skeleton other than `?` and `other`."""
        count, _, rest = text.partition(" |")
        steps, write = [], ""
        for piece in (p.strip() for p in rest.split(";")):
            if piece.startswith("!"):
                write = piece
            elif piece:
                words = piece.split()
                inputs = tuple((w[0], int(w[1:])) for w in words[1:] if w != "by")
                steps.append(Step(words[0], inputs, words[-1] == "by"))
        return cls(int(count), tuple(steps), write)


def skeleton(plan: CompactPlan) -> str:
    if plan.missing is not None:
        return MISSING
    fetched = [n for n, line in enumerate(plan.lines, 1) if isinstance(line, FetchLine)]
    derived = [n for n, line in enumerate(plan.lines, 1) if isinstance(line, DeriveLine)]
    pieces = []
    for line in plan.lines:
        if isinstance(line, DeriveLine):
            named = [
                f"F{fetched.index(o.step) + 1}" if o.step in fetched
                else f"D{derived.index(o.step) + 1}" if o.step in derived
                else "X0"
                for o in line.operands
            ]  # fmt: skip
            pieces.append(" ".join([line.operation, *named, *(["by"] if line.by else [])]))
    writes = [line for line in plan.lines if isinstance(line, WriteLine)]
    if writes:
        pieces.append("! if" if writes[0].when else "!")
    return f"{len(fetched)} | {'; '.join(pieces)}".rstrip()


def attributes(names: list[str]) -> list[list[float]]:
    """Of each skeleton: which operations it has, which of them group, how many fetches, write, condition, `?`, `other`."""
    rows = []
    for name in names:
        row = [0.0] * (3 * len(OPERATIONS) + 8)
        if name in (MISSING, OTHER):
            row[-1 - (name == OTHER)] = 1
        else:
            shape = Shape.read(name)
            for step in shape.steps:
                at = OPERATIONS.index(step.operation)
                row[at] = 1
                row[len(OPERATIONS) + at] = step.grouped
                row[2 * len(OPERATIONS) + at] = sum(kind == "F" for kind, _ in step.inputs) / 2
            row[3 * len(OPERATIONS) + min(shape.fetches, 3)] = 1
            row[-4], row[-3] = float(bool(shape.write)), float(shape.write.endswith("if"))
        rows.append(row)
    return rows
