"""The two sides of a computed value: which items, which measure, in the words of the steps they came from."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.base import Evidence, Value
from adapters.values import MEASURES, show
from executor.state import ExecutionState, Goal
from reflector.titles import own_word
from reflector.tracing import Operand, operands, rows_behind
from reflector.widening import TIME_TYPES
from reflector.writing import Writing

__all__ = ["Sides", "measure_behind", "word_of"]

_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Sides:
    """`names` say which item ("A产品 华东 2024-01"), `labels` which measure, `types` its unit.

    `named` is False where an item could not be told from the inputs and its step's description stands for it.
    """

    names: tuple[str, str]
    labels: tuple[str, str]
    types: tuple[str, str]
    named: bool

    @property
    def label(self) -> str:
        return self.labels[0]

    @property
    def type(self) -> str:
        return self.types[0]

    @classmethod
    def of(cls, writing: Writing, goal: Goal, evidence: Evidence, row: int) -> Sides:
        given = operands(writing.state, goal)
        if not given:
            empty = ("", "")
            return cls(empty, empty, empty, named=False)
        pair = given[:2] if len(given) > 1 else [given[0], given[0]]
        measures = [measure_behind(writing.state, o) for o in pair]
        own = _measures(given[0].evidence)
        if len(given) == 1 and given[0].field is None and len(own) == 2 and "value" not in own:
            measures = [(m, given[0].evidence.types[m]) for m in own]
        labels = [_label(writing, o, name) for o, (name, _) in zip(pair, measures, strict=True)]
        names = (
            _one_input(writing, goal, evidence, row, given[0])
            if len(given) == 1
            else _items(writing, goal, evidence, row, pair)
        )
        named = names is not None and names[0] != names[1]
        if names is None or not named:
            names = _told_apart(writing, pair, labels)
        return cls(names, (labels[0], labels[1]), (measures[0][1], measures[1][1]), named)


def _told_apart(writing: Writing, pair: list[Operand], labels: list[str]) -> tuple[str, str]:
    """Names where the items are no difference: the measures, the sources, else the steps."""
    if labels[0] != labels[1]:
        return labels[0], labels[1]
    sources = (pair[0].evidence.source, pair[1].evidence.source)
    return sources if sources[0] != sources[1] else (_title(writing, pair[0]), _title(writing, pair[1]))


def _title(writing: Writing, given: Operand) -> str:
    return writing.short_name(writing.state.goals[given.goal_id])


def _label(writing: Writing, given: Operand, name: str) -> str:
    """The measure's word; a computed one is told by its operation: 营收增长率, 条数."""
    if given.field not in (None, "value", name):
        return writing.labels.field(name)
    goal = writing.state.goals[given.goal_id]
    operation = str(goal.sub_goal.params.get("operation"))
    if goal.sub_goal.data_source != "derive" or goal.relation == "reconcile":
        return writing.labels.field(name)
    if operation in ("growth", "share", "difference", "mean"):
        return writing.say(f"label_{operation}", label=writing.labels.field(name))
    if operation == "count":
        return writing.say("label_count")
    if operation in ("ratio", "product", "correlate"):
        return own_word(goal.sub_goal.description) or writing.say(f"label_{operation}")
    return writing.labels.field(name)


def word_of(writing: Writing, goal: Goal) -> str:
    """What a step computes, in its description's word, or for a ratio the question's: 负债率 of 负债. Empty if unknown."""
    word = own_word(writing.state.goals[goal.root].sub_goal.description)
    if word or goal.sub_goal.params.get("operation") != "ratio":
        return word
    given = operands(writing.state, goal)
    if not given:
        return ""
    rate = writing.labels.field(measure_behind(writing.state, given[0])[0]) + "率"
    return rate if rate in writing.state.plan.question else ""


def measure_behind(state: ExecutionState, given: Operand, depth: int = _DEPTH) -> tuple[str, str]:
    """The field of a source that a computed `value` measures, and its type: `value` of a sum of revenue is revenue."""
    name = given.field or _measure(given.evidence)
    kind = given.evidence.types.get(name, "number")
    if name != "value" or depth == 0:
        return name, kind
    deeper = operands(state, state.goals[given.goal_id])
    if not deeper or state.goals[given.goal_id].sub_goal.params.get("operation") in ("count", "correlate"):
        return name, kind
    return measure_behind(state, deeper[0], depth - 1)[0], kind


def _measures(evidence: Evidence) -> list[str]:
    return [c for c in evidence.columns if evidence.types.get(c) in MEASURES]


def _measure(evidence: Evidence) -> str:
    measures = _measures(evidence)
    if "value" in measures or not measures:
        return "value"
    return measures[0]


def _one_input(
    writing: Writing, goal: Goal, evidence: Evidence, row: int, given: Operand
) -> tuple[str, str] | None:
    """One input that holds what is compared: the values that differ between the two sides' rows.

    The step itself says in the places of `left` and `right` which item stands where. Where it does not, only times
    have an order: the later is the first.
    """
    rows = [given.evidence.rows[i] for i in rows_behind(goal, evidence, row, given, 0)]
    differing = {d: {r.get(d) for r in rows} for d in _dimensions(given.evidence)}
    differing = {d: values for d, values in differing.items() if len(values) > 1}
    types = given.evidence.types
    sides = [_parts(evidence, row, c) for c in ("left", "right")]
    told: list[dict[str, Value]] = [{}, {}]
    for field, values in differing.items():
        for n in (0, 1):
            held = [v for v in values if show(v, types.get(field, "text")) in sides[n] - sides[1 - n]]
            if len(held) == 1:
                told[n][field] = held[0]
    shared = [f for f in told[0] if f in told[1]]
    if not shared:
        shared = [d for d, values in differing.items() if len(values) == 2 and types.get(d) in TIME_TYPES]
        if len(shared) != 1:
            return None
        told = [{shared[0]: v} for v in sorted(differing[shared[0]], key=str, reverse=True)]
    first, second = (writing.labels.key(t, shared, types) for t in told)
    return first, second


def _parts(evidence: Evidence, row: int, column: str) -> frozenset[str]:
    """What the place of a side's value calls its item, beyond the row's own key: {"A", "华东"}."""
    place, own = evidence.locate(row, column), evidence.locate(row, "value")
    if place is None or not place.row:
        return frozenset()
    key = (own.row if own is not None else None) or ""
    return frozenset(place.row.removesuffix(key).removesuffix(" · ").split(" · "))


def _items(
    writing: Writing, goal: Goal, evidence: Evidence, row: int, pair: list[Operand]
) -> tuple[str, str] | None:
    """Two inputs: each one's own rows, told by what they have in common and the computed row does not say already."""
    out = []
    for n, given in enumerate(pair):
        rows = [given.evidence.rows[i] for i in rows_behind(goal, evidence, row, given, n)]
        fields = [
            d
            for d in _dimensions(given.evidence)
            if d not in evidence.columns and len({r.get(d) for r in rows}) == 1
        ]
        key = writing.labels.key(rows[0], fields, given.evidence.types) if rows else ""
        if not key:
            return None
        out.append(key)
    return out[0], out[1]


def _dimensions(evidence: Evidence) -> list[str]:
    return [c for c in evidence.columns if evidence.types.get(c, "text") not in MEASURES]
