"""Conflicts and relaxations as the answer tells them: with their citations, in the answer's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from executor.state import Goal
from reflector.decision import Claim, Conflict, Decision, Relaxation
from reflector.disagreement import compare, key_fields, key_of
from reflector.labels import amount
from reflector.lines import line, roots, standing
from reflector.phrases import Language, say
from reflector.reconciling import FIRST, MEAN, TRUSTED, conflict_of, opinion_on, tolerances
from reflector.writing import Writing

__all__ = ["conflict_line", "conflicts", "relaxation_line", "relaxations", "rule_in_words"]


def conflicts(writing: Writing, decisions: Sequence[Decision], tolerance: float) -> list[Conflict]:
    """Those that were weighed; those with a second opinion that could not be; those between steps of the plan that
    ask several sources because the question wants it."""
    found = [c for d in decisions for c in d.conflicts]
    found += _unweighed(writing, tolerance) + _between_steps(writing, tolerance)
    return [_cited(writing, _as_kept(writing, c)) for c in found]


def _unweighed(writing: Writing, tolerance: float) -> list[Conflict]:
    """The first source's value stands, as no reconciling step replaced it."""
    out = []
    for goal, result in standing(writing.state):
        other, dataset = opinion_on(writing.state, goal, result), writing.dataset(goal)
        second = writing.state.results[other.id].evidence if other is not None else None
        if other is None or second is None or dataset is None or result.evidence is None:
            continue
        for d in compare(result.evidence, second, dataset, tolerances(dataset), tolerance):
            conflict = conflict_of(writing.catalogue, goal, other, dataset, d)
            out.append(replace(conflict, kept=d.left, rule=FIRST))
    return out


def _between_steps(writing: Writing, tolerance: float) -> list[Conflict]:
    state, out = writing.state, []
    asked = [state.goals[r] for r in roots(state) if "dataset" in state.goals[r].sub_goal.params]
    for i, a in enumerate(asked):
        for b in asked[i + 1 :]:
            out += _of_pair(writing, a, b, tolerance)
    return out


def _of_pair(writing: Writing, a: Goal, b: Goal, tolerance: float) -> list[Conflict]:
    x, y = a.sub_goal, b.sub_goal
    dataset = writing.dataset(a)
    if (
        dataset is None
        or x.data_source == y.data_source
        or x.params.get("dataset") != y.params.get("dataset")
    ):
        return []
    if writing.dataset(b) is None:
        return []
    left, right = writing.state.evidence(a.id), writing.state.evidence(b.id)
    if left is None or right is None or left.kind == "text":
        return []
    found = compare(left, right, dataset, tolerances(dataset), tolerance)
    return [conflict_of(writing.catalogue, a, b, dataset, d) for d in found]


def _as_kept(writing: Writing, conflict: Conflict) -> Conflict:
    """What was kept, as the reconciling step really computed it."""
    goal = writing.state.goals[writing.state.resolve(conflict.step)]
    evidence = writing.state.evidence(conflict.step)
    if goal.relation != "reconcile" or evidence is None or conflict.measure not in evidence.columns:
        return conflict
    fields = key_fields(evidence.columns, evidence.types, writing.dataset(goal))
    for row in evidence.rows:
        if key_of(row, fields) == conflict.key:
            return replace(conflict, kept=row[conflict.measure])
    return conflict


def _cited(writing: Writing, conflict: Conflict) -> Conflict:
    values = tuple(_claim(writing, conflict, c) for c in conflict.values)
    return replace(conflict, values=values, label=writing.labels.field(conflict.measure))


def _claim(writing: Writing, conflict: Conflict, claim: Claim) -> Claim:
    for goal in writing.state.goals.values():
        result = writing.state.results.get(goal.id)
        if goal.sub_goal.data_source != claim.source or result is None or result.evidence is None:
            continue
        if goal.sub_goal.params.get("dataset") != conflict.dataset:
            continue
        fields = key_fields(result.evidence.columns, result.evidence.types, writing.dataset(goal))
        for n, row in enumerate(result.evidence.rows):
            if key_of(row, fields) == conflict.key and row.get(conflict.measure) == claim.value:
                cited = writing.cite(goal.id, [n], conflict.measure)
                return replace(claim, citation=cited[0] if cited else "")
    return claim


def conflict_line(writing: Writing, conflict: Conflict) -> str:
    """The conflict in one sentence, each claim followed by its citation."""
    dataset = writing.dataset(writing.state.goals[conflict.step])
    field = dataset.field(conflict.measure) if dataset else None
    kind = field.type if field else "text"
    claims = writing.say("comma").join(
        writing.say("claim", source=c.source, value=amount(c.value, kind), weight=f"{c.weight:g}")
        + (f" [{c.citation}]" if c.citation else "")
        for c in conflict.values
    )
    rule = rule_in_words(writing.language, conflict.rule)
    parts = {
        "claims": claims,
        "rule": rule,
        "kept": amount(conflict.kept, kind),
        "label": writing.labels.field(conflict.measure),
    }
    if not conflict.key:
        return writing.say("conflict_alone", **parts)
    return writing.say("conflict", key=conflict.key, **parts)


def rule_in_words(language: Language, rule: str) -> str:
    """ "trust-weighted mean" in the answer's language."""
    return say(language, {MEAN: "mean_rule", TRUSTED: "trusted_rule", FIRST: "first_rule"}[rule])


def relaxations(writing: Writing, decisions: Sequence[Decision]) -> list[Relaxation]:
    """Those in force: of each step and field the first thing asked and the last thing used."""
    merged: dict[tuple[str, str], Relaxation] = {}
    for r in (r for d in decisions for r in d.relaxations):
        goals = line(writing.state, r.step)
        basis = [g for g in goals if g.relation in ("plan", "retry", "relax", "fallback", "replan")][-1]
        if basis.relation != "relax" or r.step not in roots(writing.state):
            continue
        source, dataset = basis.sub_goal.data_source, basis.sub_goal.params.get("dataset")
        why = writing.say(
            "part_there" if isinstance(r.used, list) else "nothing_there", source=source, dataset=dataset
        )
        before = merged.get((r.step, r.field))
        merged[r.step, r.field] = replace(r, asked=before.asked if before else r.asked, why=why)
    return list(merged.values())


def relaxation_line(writing: Writing, relaxation: Relaxation) -> str:
    return writing.say(
        "relaxed",
        step=writing.name_of(writing.state.goals[relaxation.step]),
        why=relaxation.why,
        label=writing.labels.field(relaxation.field),
        asked=_shown(writing, relaxation.asked),
        used=_shown(writing, relaxation.used),
    )


def _shown(writing: Writing, wanted: Any) -> str:
    if wanted is None:
        return writing.say("no_limit")
    if isinstance(wanted, Mapping):
        ends = [
            str(wanted.get(k)) if wanted.get(k) is not None else writing.say("open") for k in ("from", "to")
        ]
        return " – ".join(ends)
    return ", ".join(map(str, wanted)) if isinstance(wanted, list | tuple) else str(wanted)
