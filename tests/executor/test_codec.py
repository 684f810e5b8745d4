"""Whatever a step may give comes back from JSON as it was."""

from __future__ import annotations

import json
import math
from dataclasses import fields

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.base import Evidence, Locator
from executor.codec import (
    dumps,
    evidence_from_dict,
    evidence_to_dict,
    goal_from_dict,
    goal_to_dict,
    loads,
    result_from_dict,
    result_to_dict,
)
from executor.state import Attempt, Goal, StepResult
from planner.plan import SubGoal
from planner.validation import ClauseResult, Verdict

texts = st.text(max_size=12)
numbers = st.floats(allow_nan=False)
values = st.none() | st.booleans() | st.integers() | numbers | texts
plain = st.recursive(
    values, lambda v: st.lists(v, max_size=3) | st.dictionaries(texts, v, max_size=3), max_leaves=5
)
optional = st.none() | texts

locators = st.builds(
    Locator,
    kind=st.sampled_from(["cell", "ticket", "row", "page", "derived"]),
    **{
        f.name: optional
        for f in fields(Locator)
        if f.name not in ("kind", "source", "dataset", "score", "page", "inputs")
    },
    source=texts,
    dataset=texts,
    score=st.none() | numbers,
    page=st.none() | st.integers(1, 900),
    inputs=st.lists(texts, max_size=3).map(tuple),
)


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    columns = tuple(draw(st.lists(texts, unique=True, max_size=4)))
    size = draw(st.integers(0, 4))
    rows = tuple({c: draw(values) for c in columns} for _ in range(size))
    places = tuple(
        draw(st.dictionaries(st.sampled_from(["", *columns]), locators, max_size=3)) for _ in range(size)
    )
    kind = draw(st.sampled_from(["table", "records", "text"]))
    notes = tuple(draw(st.lists(texts, max_size=2)))
    types = dict.fromkeys(columns, "text")
    return Evidence(
        kind, draw(texts), draw(texts), columns, rows, places, types, draw(texts), draw(texts), notes
    )


clauses = st.builds(
    ClauseResult,
    clause=texts,
    kind=texts,
    outcome=st.sampled_from(["pass", "fail", "unknown"]),
    measured=plain,
    detail=texts,
)
verdicts = st.builds(
    Verdict,
    outcome=st.sampled_from(["pass", "fail", "unknown"]),
    clauses=st.lists(clauses, max_size=3).map(tuple),
)
attempts = st.builds(
    Attempt,
    request_id=texts,
    number=st.integers(1, 9),
    started=texts,
    elapsed=numbers,
    sent=st.dictionaries(texts, plain, max_size=3),
    status=st.none() | st.integers(100, 599),
    headers=st.dictionaries(texts, texts, max_size=3),
    url=texts,
    digest=texts,
    snapshot=texts,
    failure=st.none() | st.sampled_from(["timeout", "bug"]),
    message=texts,
    retry_after=st.none() | numbers,
)
results = st.builds(
    StepResult,
    goal_id=texts,
    status=st.sampled_from(["pending", "success", "failed_retryable", "failed_fatal", "skipped"]),
    attempts=st.lists(attempts, max_size=2).map(tuple),
    evidence=st.none() | evidences(),
    verdict=st.none() | verdicts,
    failure=st.none() | st.sampled_from(["timeout", "skipped_input"]),
    message=texts,
    seconds=numbers,
    artefact=texts,
)


@settings(max_examples=80, deadline=None)
@given(results)
def test_a_result_comes_back_whole(result: StepResult) -> None:
    text = dumps(result_to_dict(result))
    assert text.isascii()
    assert result_from_dict(loads(text)) == result
    json.loads(text, parse_constant=lambda c: 1 / 0)


def test_floats_that_json_lacks_come_back() -> None:
    rows = ({"x": math.inf, "y": -math.inf, "z": math.nan},)
    evidence = Evidence("table", "s", "d", ("x", "y", "z"), rows)
    back = evidence_from_dict(loads(dumps(evidence_to_dict(evidence))))
    assert back.rows[0]["x"] == math.inf
    assert back.rows[0]["y"] == -math.inf
    assert math.isnan(back.rows[0]["z"])  # type: ignore[arg-type]


def test_a_goal_comes_back_whole() -> None:
    sub_goal = SubGoal(
        id="g1.2", description="取数", data_source="s", params={"a": [1, {"b": None}]}, expected_format="csv",
        validation="rows >= 1", required=False, depends_on=("g0",), when="g0.x > 1",
    )  # fmt: skip
    goal = Goal(sub_goal, "g1", "retry", 60.0)
    assert goal_from_dict(loads(dumps(goal_to_dict(goal)))) == goal
