"""Whatever the sources do, the rules come to an end, ask nothing twice, and the answer stands on its evidence."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.base import Evidence
from adapters.errors import SourceError
from executor.dependencies import dependencies, skipped
from executor.settings import ExecutorSettings
from executor.state import ExecutionState, Goal, StepResult
from executor.steps import compute
from planner.catalogue import Catalogue, Source
from planner.plan import Plan, SubGoal
from planner.validation import parse_validation
from reflector.answer import compose
from reflector.answer_json import to_json
from reflector.decision import Decision
from reflector.lines import query_of
from reflector.report import html
from reflector.rules import decide
from tests.reflector.conftest import GRAIN, RETURNS
from tests.reflector.world import (
    TODAY,
    Limits,
    Outcome,
    Settings,
    assert_grounded,
    cells,
    derive,
    fetch,
    passages,
)

FAILURES = (
    "timeout", "rate_limited", "unavailable", "no_results", "format_error", "schema_drift", "auth", "refused", "circuit_open",
    "bug", "cancelled",
)  # fmt: skip
TYPES = {"product": "text", "region": "text", "month": "month", "return_rate": "percent"}


def source(name: str, alternatives: list[str], **more: object) -> Source:
    dataset = {"name": "returns", "grain": GRAIN, "fields": RETURNS}
    return Source.model_validate(
        {
            "name": name,
            "kind": "sql",
            "trust": 0.8,
            "alternatives": alternatives,
            "datasets": [dataset],
            **more,
        }
    )


CATALOGUE = Catalogue(
    sources={
        "a": source("a", ["b", "c"]),
        "b": source("b", ["a"]),
        "c": source("c", []),
        "desk": source("desk", [], side_effect=True),
        "books": Source.model_validate(
            {
                "name": "books",
                "kind": "k",
                "trust": 0.5,
                "datasets": [{"name": "documents", "fields": [{"name": "doc", "type": "text"}]}],
            }
        ),
    }
)
GOALS = (
    fetch("g1", "a", "returns", {"product": "A", "month": "2024-01"}, "rows >= 2 AND covers: month [2024-01]"),
    fetch("g2", "b", "returns", {"product": "{{g1.result.product}}", "month": {"from": "2024-01", "to": "2024-02"}}, depends_on=("g1",)),
    derive("g3", "sum", "g1", "g2", value="return_rate", by=["product"]),
    fetch("g4", "c", "returns", {"region": ["华东", "华北"]}, required=False, when="g1.return_rate > 0.01", depends_on=("g1",)),
    SubGoal(id="g5", description="文档", data_source="books", params={"dataset": "documents", "query": "退货率规定"},
            expected_format="text", validation="len(data) > 0"),
    fetch("g6", "desk", "returns", depends_on=("g3",)),
)  # fmt: skip

rows = st.lists(
    st.tuples(st.sampled_from("AB"), st.sampled_from(["华东", "华北"]), st.sampled_from(["2024-01", "2024-02", "2023-12"]), st.floats(0, 1)),
    max_size=4,
)  # fmt: skip
tables = rows.map(lambda r: [list(x) for x in r])
full = st.floats(0, 1).map(
    lambda x: [["A", "华东", "2024-01", x], ["B", "华东", "2024-01", 0.5], ["A", "华北", "2024-01", 0.2]]
)
outcomes = st.one_of(full, tables, full, st.sampled_from(FAILURES), full)
texts = st.lists(
    st.text("退货率不超过 0123456789.%，。|\n至少", min_size=1, max_size=40), min_size=1, max_size=3
)


def perform(state: ExecutionState, goal: Goal, draw: st.DataObject) -> StepResult:
    """What a real executor would give, the source's word drawn at random."""
    name = goal.sub_goal.data_source
    if name == "derive":
        try:
            return compute(goal, state, CATALOGUE, ExecutorSettings())
        except SourceError as e:
            return StepResult(goal.id, "failed_fatal", failure="format_error", message=str(e))
    if name == "books":
        return judged(
            goal, passages("books", *(("d.pdf", n, "s", None, t) for n, t in enumerate(draw.draw(texts), 1)))
        )
    if name == "desk":
        return StepResult(goal.id, "pending", message="waits for approval: desk")
    said = draw.draw(outcomes, label=goal.id)
    if isinstance(said, str):
        return StepResult(goal.id, "failed_fatal", failure=said, message=f"{name}: {said}")  # type: ignore[arg-type]
    return judged(goal, cells(name, "returns", TYPES, said))


def judged(goal: Goal, evidence: Evidence) -> StepResult:
    verdict = parse_validation(goal.sub_goal.validation).check(evidence, today=TODAY)
    if verdict.outcome == "pass":
        return StepResult(goal.id, "success", evidence=evidence, verdict=verdict)
    kind = "validation_failed" if evidence.rows else "no_results"
    return StepResult(goal.id, "failed_fatal", evidence=evidence, verdict=verdict, failure=kind)  # type: ignore[arg-type]


def run_all(state: ExecutionState, draw: st.DataObject) -> None:
    progress = True
    while progress:
        progress = False
        for goal in list(state.goals.values()):
            if goal.id in state.results:
                continue
            needed = dependencies(state, goal)
            if all(n in state.results for n in needed.values()):
                state.results[goal.id] = skipped(state, goal, needed) or perform(state, goal, draw)
                progress = True


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.data(), st.sampled_from([2, 8, 200]))
def test_a_run_ends_and_its_answer_holds(draw: st.DataObject, rounds: int) -> None:
    given_settings = Settings(Limits(rounds=rounds))
    state = ExecutionState.of("r", Plan(question="A产品的退货率是多少", route="plan", sub_goals=GOALS), TODAY)
    decisions: list[Decision] = []
    while True:
        run_all(state, draw)
        assert set(state.results) == set(state.goals)
        decision = decide(state, CATALOGUE, given_settings, decisions)
        assert decision == decide(state, CATALOGUE, given_settings, decisions)
        decisions.append(decision)
        if decision.action != "continue":
            break
        assert decision.goals
        assert decision.why
        for goal in decision.goals:
            state.add(goal, stands_in=goal.id in decision.stand_in)
        assert len(decisions) <= 40
    assert sum(d.action == "continue" for d in decisions) <= rounds
    for root in ("g1", "g2", "g4", "g5"):
        asked = [
            (query_of(g.sub_goal), g.sub_goal.validation)
            for g in state.goals.values()
            if g.root == root and g.relation in ("plan", "relax", "fallback")
        ]
        assert len(set(asked)) == len(asked)
    assert not any(
        g.sub_goal.data_source == "desk" and g.relation not in ("plan", "recompute")
        for g in state.goals.values()
    )
    answer = compose(state, CATALOGUE, decisions, {}, given_settings)
    assert_grounded(Outcome(answer, state, decisions))
    if answer.status == "insufficient":
        assert answer.text.startswith("数据不足")
        assert answer.findings == ()
    to_json(answer)
    html(answer, state, decisions)
