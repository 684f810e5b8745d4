"""Every refusal of the design names the sub-goal and the key."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from planner.catalogue import Catalogue
from planner.errors import PlanError
from planner.parse import parse_plan


def goal(
    id_: str, source: str, params: dict[str, Any], depends_on: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    return {
        "id": id_,
        "description": "…",
        "data_source": source,
        "params": params,
        "expected_format": "json",
        "validation": "rows >= 1",
        "depends_on": list(depends_on),
        **more,
    }


def plan(*goals: dict[str, Any]) -> dict[str, Any]:
    return {"question": "q", "route": "plan", "sub_goals": list(goals)}


def refusal(catalogue: Catalogue, *goals: dict[str, Any]) -> PlanError:
    with pytest.raises(PlanError) as e:
        parse_plan(plan(*goals), catalogue)
    assert "\n" not in str(e.value)
    place = ": ".join(p for p in (e.value.sub_goal, e.value.key) if p)
    assert str(e.value) == f"{place}: {e.value.message}"
    return e.value


ENERGY = goal("g1", "ledger", {"dataset": "energy"})
REPAIRS = goal("g2", "ledger", {"dataset": "repairs"})


def repairs(**filters: Any) -> dict[str, Any]:
    return goal("g1", "ledger", {"dataset": "repairs", "filters": filters})


def derive(**params: Any) -> dict[str, Any]:
    return goal("g3", "derive", {"operation": "sum", "inputs": ["{{g1.result}}"], **params}, ("g1", "g2"))


def report(**params: Any) -> dict[str, Any]:
    whole = {"format": "docx", "title": "t", "inputs": ["{{g1.result}}"], **params}
    return goal("g3", "report", {k: v for k, v in whole.items() if v is not None}, ("g1", "g2"))


def write(**params: Any) -> dict[str, Any]:
    return goal("g3", "desk", {"dataset": "close_repair", **params}, ("g1", "g2"))


def read(**params: Any) -> dict[str, Any]:
    return goal("g3", "manual", {"dataset": "documents", **params})


@pytest.mark.parametrize(
    ("step", "key", "says"),
    [
        # source, dataset, filters
        (goal("g3", "ledgr", {"dataset": "energy"}), "data_source", "did you mean ledger?"),
        (goal("g3", "ledger", {"dataset": "weather"}), "params.dataset", "ledger has energy, repairs"),
        (goal("g3", "ledger", {}), "params.dataset", "missing"),
        (goal("g3", "ledger", {"dataset": 3}), "params.dataset", "no dataset"),
        (goal("g3", "ledger", {"dataset": "energy", "limit": 3}), "params.limit", "takes dataset, filters"),
        (goal("g3", "ledger", {"dataset": "energy", "query": "x"}), "params.query", "unknown key"),
        (goal("g3", "ledger", {"dataset": "energy", "filters": ["x"]}), "params.filters", "mapping"),
        (
            goal("g3", "ledger", {"dataset": "energy", "filters": {"floor": 1}}),
            "params.filters.floor",
            "dataset energy of ledger has no such field; it has room, month, usage",
        ),
        # documents
        (read(), "params.query", "takes a query"),
        (read(query=" "), "params.query", "takes a query"),
        (read(query=3), "params.query", "takes a query"),
        (read(query="x", filters={"page": 3}), "params.filters.page", "no such field"),
        (read(query="x", values={}), "params.values", "takes dataset, query, filters"),
        # side effects
        (write(), "params.values", "takes values"),
        (write(values={}), "params.values", "takes values"),
        (write(values=["x"]), "params.values", "takes values"),
        (write(filters={"repair_id": "x"}), "params.filters", "takes dataset, values"),
        (write(values={"repair": "x"}), "params.values.repair", "did you mean repair_id?"),
        (write(values={"reason": None}), "params.values.reason", "one plain value"),
        (write(values={"reason": ["x"]}), "params.values.reason", "one plain value"),
        (write(values={"reason": {"from": "x", "to": "y"}}), "params.values.reason", "one plain value"),
        (write(values={"day": "soon"}), "params.values.day", "2024-01-15"),
        # derive
        (derive(operation="eval"), "params.operation", "known are difference"),
        (derive(operation=["sum"]), "params.operation", "known are"),
        (derive(operation="reconcile"), "params.operation", "known are"),
        (derive(operation=None), "params.operation", "missing"),
        (derive(inputs=[]), "params.inputs", "at least one"),
        (derive(inputs="{{g1.result}}"), "params.inputs", "a list"),
        (derive(inputs=["g1"]), "params.inputs[0]", "a result or one field"),
        (derive(inputs=["{{g1.result}}", "{{g1.rows[0].usage}}"]), "params.inputs[1]", "a result or one field"),
        (derive(inputs=[3]), "params.inputs[0]", "a result or one field"),
        (derive(operation="growth", inputs=["{{g1.result}}"] * 3), "params.inputs", "one or two"),
        (derive(operation="join"), "params.inputs", "at least two"),
        (derive(value=""), "params.value", "field's name"),
        (derive(value=["usage"]), "params.value", "field's name"),
        (derive(value="cost"), "params.value", "g1 has no field 'cost'"),
        (derive(inputs=["{{g1.result}}", "{{g2.result}}"], value="usage"), "params.value", "g2 has no field 'usage'"),
        (derive(inputs=["{{g1.result.cost}}"]), "params.inputs[0]", "g1 has no field 'cost'"),
        (derive(by="room"), "params.by", "a list of fields"),
        (derive(by=[3]), "params.by[0]", "a field"),
        (derive(by=["month:day"]), "params.by[0]", "opened:month"),
        (derive(by=["month", "floor"]), "params.by[1]", "no field 'floor'"),
        (derive(by=["opened:month"]), "params.by[0]", "no field 'opened'"),
        (derive(order="down"), "params.order", "asc or desc"),
        (derive(top=0), "params.top", "whole number"),
        (derive(top=True), "params.top", "whole number"),
        (derive(top="3"), "params.top", "whole number"),
        (derive(sort="asc"), "params.sort", "unknown key"),
        # report
        (report(format="pdf"), "params.format", "docx or html"),
        (report(format=None), "params.format", "missing"),
        (report(title=" "), "params.title", "a title"),
        (report(inputs=[]), "params.inputs", "at least one"),
        (report(inputs=["{{g1.rows[0].usage}}"]), "params.inputs[0]", "a result"),
        (report(path="/etc/passwd"), "params.path", "unknown key"),
        # references
        (derive(inputs=["{{g9.result}}"]), "params.inputs[0]", "no sub-goal 'g9'; there are g1, g2"),
        (derive(value="{{g1.result}} plus"), "params.value", "inside a text"),
        (read(query="about {{g1.rows[0].room}}"), "params.query", "inside a text"),
        (read(query="{{g1.result"), "params.query", "inside a text"),
        (write(values={"reason": "{{g1}}"}), "params.values.reason", "inside a text"),
        (write(values={"reason": "{{g1.rows[0].cost}}"}), "params.values.reason", "g1 has no field 'cost'"),
        # validation and when
        (ENERGY | {"id": "g3", "validation": "returns something"}, "validation", "at character 9"),
        (ENERGY | {"id": "g3", "validation": " "}, "validation", "empty"),
        (ENERGY | {"id": "g3", "validation": ""}, "validation", "empty"),
        (ENERGY | {"id": "g3", "when": "g1 arrived"}, "when", "at character 4"),
        (ENERGY | {"id": "g3", "when": ""}, "when", "empty"),
        (ENERGY | {"id": "g3", "when": "rows > 1"}, "when", "which step"),
        (ENERGY | {"id": "g3", "when": "g1.cost > 1", "depends_on": ["g1"]}, "when", "g1 has no field 'cost'"),
        (ENERGY | {"id": "g3", "when": "g9.x > 1"}, "when", "no sub-goal 'g9'"),
        # order
        (ENERGY | {"id": "g3", "depends_on": ["g7"]}, "depends_on", "no sub-goal 'g7'"),
        (ENERGY | {"id": "g3", "depends_on": ["g3"]}, "depends_on", "a cycle: g3 → g3"),
        (ENERGY | {"id": "g3", "when": "g1.usage > 1"}, "depends_on", "lacks g1, which when reads"),
        (derive() | {"depends_on": ["g2"]}, "depends_on", "lacks g1, which params.inputs[0] reads"),
        # schema
        (ENERGY | {"id": "g3", "colour": "red"}, "colour", "unknown key"),
        (ENERGY | {"id": "g3", "required": "yes"}, "required", "boolean"),
        (ENERGY | {"id": "g3", "depends_on": "g1"}, "depends_on", "array"),
        (ENERGY | {"id": "g3", "expected_format": "xml"}, "expected_format", "'csv'"),
        (ENERGY | {"id": "g3", "description": ""}, "description", "empty"),
        (ENERGY | {"id": "g3", "params": None}, "params", "object"),
    ],
)  # fmt: skip
def test_names_the_sub_goal_and_the_key(
    catalogue: Catalogue, step: dict[str, Any], key: str, says: str
) -> None:
    error = refusal(catalogue, ENERGY, REPAIRS, step)
    assert (error.sub_goal, error.key) == ("g3", key), error
    assert says in str(error)


@pytest.mark.parametrize(
    ("filters", "says"),
    [
        ({"opened": "2024-01"}, "a date is needed (2024-01-15), not '2024-01'"),
        ({"opened": "2024-02-30"}, "a date is needed"),
        ({"opened": "last month"}, "a date is needed"),
        ({"opened": 20240115}, "a date is needed"),
        ({"opened": " 2024-01-15"}, "a date is needed"),
        ({"noted": "2024-01"}, "a datetime is needed"),
        ({"quarter": "2024Q1"}, "a quarter is needed (2024-Q1)"),
        ({"quarter": "2024-q1"}, "a quarter is needed"),
        ({"quarter": "Q1"}, "a quarter is needed"),
        ({"quarter": ["2024-Q1", "2024-01"]}, "a quarter is needed"),
        ({"cost": "100"}, "a number is needed"),
        ({"cost": True}, "a number is needed"),
        ({"hours": 1.5}, "a whole number"),
        ({"hours": False}, "a whole number"),
        ({"urgent": "yes"}, "true or false"),
        ({"urgent": 1}, "true or false"),
        ({"urgent": {"from": False, "to": True}}, "no range"),
        ({"status": True}, None),
        ({"status": ""}, "text is needed"),
        ({"status": []}, "empty list"),
        ({"status": [["open"]]}, "a list within a list"),
        ({"status": {}}, "a range has the keys from and to"),
        ({"status": {"is": "open"}}, "a range has the keys from and to, not is"),
        ({"cost": {"from": None, "to": None}}, "open at both ends"),
        ({"cost": {"from": 1, "to": 3, "step": 1}}, "a range has the keys from and to"),
        ({"cost": {"from": 5, "to": 3}}, "ends before it begins: 5 … 3"),
        ({"cost": {"from": [5], "to": None}}, "from: a plain value"),
        ({"opened": {"from": "2024-02-01", "to": "2024-01-31"}}, "ends before it begins"),
        ({"opened": {"from": None, "to": "2024-01"}}, "to: a date is needed"),
        ({"noted": {"from": "2024-01-02", "to": "2024-01-01T10:00:00"}}, "ends before it begins"),
    ],
)
def test_shapes_of_filters(catalogue: Catalogue, filters: dict[str, Any], says: str | None) -> None:
    if says is None:
        parse_plan(plan(repairs(**filters)), catalogue)
        return
    error = refusal(catalogue, repairs(**filters))
    assert (error.sub_goal, error.key) == ("g1", f"params.filters.{next(iter(filters))}")
    assert says in str(error)


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"opened": "2024-01-15"},
        {"opened": {"from": "2024-01-01", "to": None}},
        {"opened": {"from": "2024-01-15", "to": "2024-01-15"}},
        {"opened": {"to": "2024-01-31"}},
        {"opened": [{"from": "2023-01-01", "to": "2023-03-31"}, {"from": "2024-01-01", "to": "2024-03-31"}]},
        {"noted": "2024-01-15"},
        {"noted": {"from": "2024-01-15T08:00:00", "to": "2024-01-15"}},
        {"quarter": ["2023-Q1", "2024-Q1"]},
        {"cost": 5},
        {"cost": 0.5},
        {"cost": {"from": None, "to": 2000}},
        {"hours": 3},
        {"hours": 3.0},
        {"urgent": True},
        {"status": ["open", "closed"]},
        {"status": "别的"},
        {"repair_id": 88231},
        {"status": None},
    ],
)
def test_shapes_that_are_right(catalogue: Catalogue, filters: dict[str, Any]) -> None:
    assert parse_plan(plan(repairs(**filters)), catalogue).sub_goals[0].params["filters"] == filters


@pytest.mark.parametrize(
    "value",
    ["{{g2.rows[0].opened}}", ["{{g2.result.opened}}"], {"from": "{{g2.rows[0].opened}}", "to": None}],
)
def test_a_reference_stands_for_a_value_of_any_type(catalogue: Catalogue, value: Any) -> None:
    step = goal("g3", "ledger", {"dataset": "repairs", "filters": {"opened": value}}, ("g2",))
    parse_plan(plan(REPAIRS, step), catalogue)


@pytest.mark.parametrize(
    "step",
    [
        derive(value="usage", by=["month:quarter", "room"], order="desc", top=3),
        derive(operation="count", by=["room"]),
        derive(inputs=["{{g1.result.usage}}", "{{g1.result}}", "{{g2.result.cost}}"]),
        derive(operation="ratio", inputs=["{{g1.result.usage}}", "{{g2.result.cost}}"]),
        derive(operation="join", inputs=["{{g1.result}}", "{{g2.result}}"]),
        derive(inputs=["{{g1.result}}", "{{g2.result}}"], by=["opened:month"], value=None),
        report(format="html"),
        write(values={"repair_id": "{{g2.rows[0].repair_id}}", "day": "2024-01-15"}),
        read(query="{{g1.rows[0].room}}"),
    ],
)
def test_built_in_steps_that_are_right(catalogue: Catalogue, step: dict[str, Any]) -> None:
    parse_plan(plan(ENERGY, REPAIRS, step | {"depends_on": ["g1", "g2"]}), catalogue)


def test_documents_have_the_columns_of_passages(catalogue: Catalogue) -> None:
    first = goal("g1", "manual", {"dataset": "documents", "query": "x"})
    step = derive(operation="count", inputs=["{{g1.result}}"], by=["doc"]) | {"depends_on": ["g1"]}
    parse_plan(plan(first, step | {"when": "g1.score > 0.5"}), catalogue)
    assert refusal(catalogue, first, step | {"when": "g1.author == 'x'"}).key == "when"


def test_a_derived_result_may_have_any_column(catalogue: Catalogue) -> None:
    second = derive() | {"id": "g2", "depends_on": ["g1"]}
    third = goal(
        "g3", "derive", {"operation": "rank", "inputs": ["{{g2.result}}"], "value": "value"}, ("g2",)
    )
    parse_plan(plan(ENERGY, second, third | {"when": "g2.value > 3"}), catalogue)


def test_ids_are_given_once(catalogue: Catalogue) -> None:
    error = refusal(catalogue, ENERGY, ENERGY)
    assert (error.sub_goal, error.key) == ("g1", "id")


@pytest.mark.parametrize("bad", ["", "1g", "g-1", "g 1", "计划", "g1.x", 3, None])
def test_ids_are_plain(catalogue: Catalogue, bad: object) -> None:
    error = refusal(catalogue, ENERGY, {**REPAIRS, "id": bad})
    assert (error.sub_goal, error.key) == ("sub_goals[1]", "id")


def test_a_cycle_is_shown(catalogue: Catalogue) -> None:
    steps = [{**ENERGY, "id": f"g{n}", "depends_on": [f"g{n % 3 + 1}"]} for n in (1, 2, 3)]
    error = refusal(catalogue, *steps)
    assert error.message == "a cycle: g1 → g2 → g3 → g1"


def test_a_cycle_through_references_and_when(catalogue: Catalogue) -> None:
    first = {**derive(), "id": "g1", "depends_on": ["g2"]}
    first["params"] = {"operation": "sum", "inputs": ["{{g2.result}}"]}
    error = refusal(catalogue, first, {**ENERGY, "id": "g2", "when": "g1.value > 1"})
    assert "a cycle: g1 → g2 → g1" in str(error)


def test_a_step_comes_after_what_it_reads(catalogue: Catalogue) -> None:
    error = refusal(catalogue, derive() | {"depends_on": ["g1"]}, ENERGY)
    assert (error.sub_goal, error.message) == ("g3", "g1 comes later in the plan; move it up")


def test_twelve_sub_goals_and_no_more(catalogue: Catalogue) -> None:
    many = [{**ENERGY, "id": f"g{n}"} for n in range(1, 14)]
    assert len(parse_plan(plan(*many[:12]), catalogue).sub_goals) == 12
    assert str(refusal(catalogue, *many)) == "sub_goals: 13 sub-goals; at most 12"
    with pytest.raises(PlanError, match="sub_goals: must not be empty"):
        parse_plan(plan(), catalogue)


def test_a_source_that_the_reader_may_not_see_is_unknown(catalogue: Catalogue) -> None:
    wanted = plan(goal("g1", "manual", {"dataset": "documents", "query": "x"}))
    parse_plan(wanted, catalogue)
    with pytest.raises(PlanError, match="g1: data_source: no source 'manual'"):
        parse_plan(wanted, catalogue.for_roles([]))


def test_the_question_is_never_changed(catalogue: Catalogue) -> None:
    wanted = plan(ENERGY, REPAIRS, derive())
    before = copy.deepcopy(wanted)
    parse_plan(wanted, catalogue)
    assert wanted == before
