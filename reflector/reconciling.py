"""Rules 4 and 5: two sources that differ are weighed; both stay visible, and what was computed is computed anew.

Numbers: the mean weighted by trust. Texts and dates: the word of the most trusted source. The weighing itself is a
step of the run (`reconcile`), so that its result has a place and a record like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adapters.base import Value
from executor.state import ExecutionState, Goal, StepResult
from planner.catalogue import Catalogue, Dataset
from planner.plan import SubGoal
from reflector.bounds import HasLimits
from reflector.decision import Claim, Conflict, Decision
from reflector.disagreement import Difference, compare, one_row_a_key
from reflector.lines import Additions, line, standing
from reflector.second_opinion import ask_second

__all__ = [
    "FIRST",
    "MEAN",
    "TRUSTED",
    "conflict_of",
    "opinion_on",
    "reconcile_facts",
    "reconcile_numbers",
    "tolerances",
]

MEAN = "trust-weighted mean"
TRUSTED = "most trusted"
FIRST = "first source kept"  # where rows cannot be merged


def reconcile_numbers(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision | None:
    second = ask_second(state, catalogue, settings, memory)
    if second is not None:
        return second
    return _weigh(state, catalogue, settings, lambda found: any(d.relative is not None for d in found))


def reconcile_facts(
    state: ExecutionState, catalogue: Catalogue, settings: HasLimits, memory: Sequence[Decision]
) -> Decision | None:
    return _weigh(state, catalogue, settings, bool)


def _weigh(
    state: ExecutionState,
    catalogue: Catalogue,
    settings: HasLimits,
    concerns: Callable[[list[Difference]], bool],
) -> Decision | None:
    additions, conflicts, said = Additions(state, catalogue), list[Conflict](), []
    for goal, result in standing(state):
        other = opinion_on(state, goal, result)
        if other is None or result.evidence is None:
            continue
        second = state.results[other.id].evidence
        dataset = catalogue.dataset(goal.sub_goal.data_source, str(goal.sub_goal.params.get("dataset")))
        if second is None or dataset is None:
            continue
        if not (one_row_a_key(result.evidence, dataset) and one_row_a_key(second, dataset)):
            continue  # they cannot be merged; the answer tells how they differ
        found = compare(result.evidence, second, dataset, tolerances(dataset), settings.limits.tolerance)
        if not found or not concerns(found):
            continue
        conflicts += [conflict_of(catalogue, goal, other, dataset, d) for d in found]
        additions.add(_reconciling(additions.id_for(goal.root), goal, other), stands_in=True)
        said.append(
            f"{goal.id}: {goal.sub_goal.data_source} and {other.sub_goal.data_source} differ on "
            f"{len(found)} value{'s' if len(found) > 1 else ''} of {dataset.name}; weighing them by trust"
        )
    if not additions.goals:
        return None
    additions.with_dependants()
    numbers = any(c.relative_difference is not None for c in conflicts)
    return Decision(
        "reconcile_numbers" if numbers else "reconcile_facts", "continue", "; ".join(said),
        tuple(additions.goals), frozenset(additions.stand_in), conflicts=tuple(conflicts),
    )  # fmt: skip


def opinion_on(state: ExecutionState, goal: Goal, result: StepResult) -> Goal | None:
    """The second opinion on what stands for a line now, if it came and is not weighed yet."""
    if result.status != "success" or goal.relation == "reconcile":
        return None
    after = False
    for g in line(state, goal.root):
        after = after or g.id == goal.id
        told = state.results.get(g.id)
        if after and g.relation == "second_opinion" and told is not None and told.status == "success":
            return g
    return None


def tolerances(dataset: Dataset) -> dict[str, float]:
    """The relative tolerance of each field that states its own."""
    return {f.name: f.tolerance for f in dataset.fields if f.tolerance is not None}


def conflict_of(
    catalogue: Catalogue, first: Goal, second: Goal, dataset: Dataset, difference: Difference
) -> Conflict:
    """The difference with who said what, each one's weight, and what is kept."""
    names = [g.sub_goal.data_source for g in (first, second)]
    weights = [catalogue.sources[n].trust for n in names]
    values: list[Value] = [difference.left, difference.right]
    claims = tuple(Claim(n, v, w) for n, v, w in zip(names, values, weights, strict=True))
    return Conflict(
        first.root, dataset.name, difference.key, difference.field, claims,
        kept=_kept(values, weights, number=difference.relative is not None),
        rule=MEAN if difference.relative is not None else TRUSTED,
        relative_difference=difference.relative,
    )  # fmt: skip


def _kept(values: list[Value], weights: list[float], *, number: bool) -> Value:
    if number and sum(weights) > 0:
        return sum(float(v or 0) * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    return values[1] if weights[1] > weights[0] else values[0]


def _reconciling(new: str, goal: Goal, other: Goal) -> Goal:
    asked = goal.sub_goal
    return Goal(
        SubGoal(
            id=new,
            description=f"{asked.description} ({asked.data_source} / {other.sub_goal.data_source})",
            data_source="derive",
            params={
                "operation": "reconcile",
                "inputs": [f"{{{{{goal.id}.result}}}}", f"{{{{{other.id}.result}}}}"],
            },
            expected_format=asked.expected_format,
            validation="rows >= 1",
            required=asked.required,
            depends_on=(goal.id, other.id),
        ),
        parent=goal.root,
        relation="reconcile",
    )
