"""Text from a model → a checked plan: strict JSON, one repair, schema, catalogue."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.catalogue import Catalogue
from planner.errors import PlanError
from planner.parse import check_plan, parse_plan
from planner.plan import Plan, SubGoal


def goal(id_: str, source: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "description": f"step {id_}",
        "data_source": source,
        "params": params,
        "expected_format": "csv",
        "validation": "rows >= 1",
        **more,
    }


PLAN: dict[str, Any] = {
    "question": "R1 和 R2 一月份用电差多少？",
    "route": "plan",
    "sub_goals": [
        goal("g1", "board", {"dataset": "energy", "filters": {"room": "R1", "month": "2024-01"}}),
        goal("g2", "ledger", {"dataset": "energy", "filters": {"room": ["R1", "R2"], "usage": {"from": 1, "to": None}}}),
        goal(
            "g3",
            "derive",
            {"operation": "difference", "inputs": ["{{g1.result}}", "{{g2.result.usage}}"], "value": "usage"},
            depends_on=["g1", "g2"],
        ),
        goal("g4", "manual", {"dataset": "documents", "query": "用电 上限", "filters": {"doc": "manual"}}),
        goal(
            "g5",
            "desk",
            {"dataset": "close_repair", "values": {"repair_id": "{{g2.rows[0].room}}", "reason": "done"}},
            depends_on=["g2", "g3"],
            when="g3.value > 3 AND g2.rows >= 1",
            required=False,
        ),
        goal(
            "g6",
            "report",
            {"format": "docx", "title": "用电", "inputs": ["{{g3.result}}"]},
            depends_on=["g3"],
            expected_format="text",
        ),
    ],
}  # fmt: skip
TEXT = json.dumps(PLAN, ensure_ascii=False)


def test_a_good_plan_is_read_whole(catalogue: Catalogue) -> None:
    plan = parse_plan(TEXT, catalogue)
    assert plan == parse_plan(PLAN, catalogue) == parse_plan(plan, catalogue)
    assert [g.id for g in plan.sub_goals] == ["g1", "g2", "g3", "g4", "g5", "g6"]
    assert plan.sub_goals[2].depends_on == ("g1", "g2")
    assert plan.sub_goals[4].params["values"]["repair_id"] == "{{g2.rows[0].room}}"
    assert plan.sub_goals[4].required is False
    assert plan.sub_goals[0].required is True
    assert parse_plan(plan.model_dump_json(), catalogue) == plan


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{TEXT}\n```",
        f"Here is the plan:\n\n{TEXT}\n\nI hope that it helps, do ask.",
        TEXT[:-1],
        TEXT[:-1] + ",}",
        TEXT.replace('"route": "plan",', "route: 'plan',"),
        TEXT.replace('"validation": "rows >= 1"', '"validation": "rows >= 1', 1),
        "\n" + json.dumps(PLAN, indent=2).replace('\n  "sub_goals"', '\n  // the steps\n  "sub_goals"'),
    ],
)
def test_one_repair(catalogue: Catalogue, text: str) -> None:
    with pytest.raises(ValueError, match="line"):
        json.loads(text)
    assert parse_plan(text, catalogue) == parse_plan(PLAN, catalogue)


def test_quotes_within_a_validation_are_repaired(catalogue: Catalogue) -> None:
    text = TEXT.replace('"rows >= 1"', '"has_column: "room" AND rows >= 1"', 1)
    assert parse_plan(text, catalogue).sub_goals[0].validation == 'has_column: "room" AND rows >= 1'


def test_a_plan_that_is_cut_off_is_never_run_short(catalogue: Catalogue) -> None:
    """Whatever is cut from the end: the whole plan, or a refusal; never its first sub-goals alone."""
    whole = parse_plan(PLAN, catalogue)
    for end in range(1, len(TEXT) - 4):
        try:
            found = parse_plan(TEXT[:end], catalogue)
        except PlanError:
            continue
        complete = TEXT[:end].rstrip().endswith("}")  # cut exactly behind a sub-goal: cannot be told
        assert found == whole or complete, TEXT[:end][-60:]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("I cannot plan this.", "no JSON object"),
        ("[]", "not list"),
        ("null", "not NoneType"),
        ("3", "not int"),
        ("{}", "question: missing key"),
        ('{"question": NaN, "route": "plan", "sub_goals": []}', "no number of JSON"),
        ('{"question": "q", "route": "plan", "route": "single"}', "^route: given twice"),
        (TEXT.replace('"room": "R1", ', '"month": "2024-02", '), "month: given twice"),
        ("x" * 50_001, "50,000 characters"),
        ("{" * 40_000, "cut off"),
        ("{}" * 9_000, "too large to repair"),
        ("[" * 390, "beyond repair|no JSON object|nested"),
        ('{"a":' * 390, "."),
        ("{'" * 300, "."),
        ('{"question": ' + "[" * 30 + "]" * 30 + "}", "nested more than 20 deep"),
        ('{"question": "\\ud800", "route": "plan", "sub_goals": []}', "."),
        (TEXT.replace('"2024-01"', "1" * 5_000), "."),
    ],
)
def test_what_is_no_plan(catalogue: Catalogue, text: str, says: str) -> None:
    with pytest.raises(PlanError, match=says) as e:
        parse_plan(text, catalogue)
    assert "\n" not in str(e.value)
    assert len(str(e.value)) < 500


def test_a_refusal_is_short_whatever_it_quotes(catalogue: Catalogue) -> None:
    step = goal("g" * 10_000, "board" * 1_000, {"dataset": "energy"})
    with pytest.raises(PlanError) as e:
        parse_plan({"question": "q", "route": "plan", "sub_goals": [step]}, catalogue)
    assert len(str(e.value)) < 700


@pytest.mark.parametrize("other", [None, 3, b"{}", [PLAN], {1: 2}, {"question": {1}}, {"question": object()}])
def test_what_is_no_json(catalogue: Catalogue, other: object) -> None:
    with pytest.raises(PlanError):
        parse_plan(other, catalogue)


def test_check_plan_refuses_what_no_schema_saw(catalogue: Catalogue) -> None:
    """A plan made in Python can hold what JSON cannot."""
    deep: Any = "x"
    for _ in range(2_000):
        deep = [deep]
    for value, says in [(deep, "nested"), ({1}, "set is no type"), (float("nan"), "no number")]:
        step = SubGoal.model_validate(goal("g1", "ledger", {"dataset": "energy", "filters": {"room": value}}))
        with pytest.raises(PlanError, match=says) as e:
            check_plan(Plan(question="q", route="single", sub_goals=(step,)), catalogue)
        assert e.value.sub_goal == "g1"
        assert e.value.key.startswith("params.filters.room")


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["g1", "g2", "{{g1.result}}", "{{g2.result.usage}}", "x {{g1.result}}", "2024-01", "rows > 1"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=3) | st.sampled_from(["from", "to", "dataset", "filters", "inputs", "id"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*place, key))


PLACES = [p for p in places(PLAN) if p]


def refused_or_checked(parse: Callable[[], Plan], catalogue: Catalogue) -> None:
    try:
        plan = parse()
    except PlanError as e:
        refused = str(e)
    else:
        check_plan(plan, catalogue)
        return
    assert "\n" not in refused
    assert len(refused) < 700


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_plans_raise_plan_error_only(catalogue: Catalogue, data: st.DataObject) -> None:
    plan = copy.deepcopy(PLAN)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(PLACES))
        owner: Any = plan
        try:
            for key in place[:-1]:
                owner = owner[key]
            match data.draw(st.sampled_from(["replace", "delete", "add"])):
                case "replace":
                    owner[place[-1]] = data.draw(json_values)
                case "delete":
                    del owner[place[-1]]
                case "add" if isinstance(owner, dict):
                    owner[data.draw(st.text(max_size=4))] = data.draw(json_values)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier mutation took the place away
    refused_or_checked(lambda: parse_plan(plan, catalogue), catalogue)
    refused_or_checked(lambda: parse_plan(json.dumps(plan), catalogue), catalogue)


@settings(max_examples=80, deadline=None)
@given(value=json_values)
def test_any_json_raises_plan_error_only(catalogue: Catalogue, value: Any) -> None:
    refused_or_checked(lambda: parse_plan(value, catalogue), catalogue)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_mutated_text_raises_plan_error_only(catalogue: Catalogue, data: st.DataObject) -> None:
    text = TEXT
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        to = data.draw(st.integers(at, min(at + 20, len(text))))
        text = (
            text[:at]
            + data.draw(st.text(max_size=3) | st.sampled_from(['"', "{", "]", ",", "\\", "```"]))
            + text[to:]
        )
    refused_or_checked(lambda: parse_plan(text, catalogue), catalogue)


@settings(max_examples=80, deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_raises_plan_error_only(catalogue: Catalogue, text: str) -> None:
    refused_or_checked(lambda: parse_plan(text, catalogue), catalogue)
