"""What is tried next, on real failures of real steps, and how the answer tells it."""

from __future__ import annotations

import dataclasses

import pytest

from tests.reflector.conftest import GRAIN, MONTH, PRODUCT, RATE, REGION
from tests.reflector.world import Limits, Outcome, Settings, World, assert_grounded, derive, fetch

ASKED = {"product": "B", "region": "华北", "month": "2024-02"}
QUESTION = "B产品华北2024年2月的退货率"


def only(world: World, name: str = "sales") -> None:
    """Leaves the source alone in the world."""
    world.sources = {name: world.sources[name].model_copy(update={"alternatives": ()})}


def relations(outcome: Outcome) -> list[str]:
    return [g.relation for g in outcome.state.goals.values()]


def test_an_empty_month_is_widened_to_its_quarter_and_told(two_boards: World) -> None:
    only(two_boards)
    covers = "has_columns: [return_rate] AND covers: month [2024-02] AND month == 2024-02"
    out = two_boards.run(QUESTION, fetch("g1", "sales", "returns", ASKED, covers, description="查退货率"))
    assert out.rules == ["relax", "conclude"]
    assert out.answer.status == "answered"
    (r,) = out.answer.relaxations
    assert (r.field, r.asked, r.used) == ("month", "2024-02", {"from": "2024-01", "to": "2024-03"})
    assert "月份 由 2024-02 放宽为 2024-01 – 2024-03" in out.answer.text
    assert "2024-03：退货率 4.0%" in out.answer.text
    assert_grounded(out)


def test_the_ladder_ends_and_then_the_other_source_is_asked_as_it_was(two_boards: World) -> None:
    asked = {"product": "B", "region": "华北", "month": "2022-02"}
    out = two_boards.run("B产品华北2022年2月的退货率", fetch("g1", "sales", "returns", asked))
    assert out.rules == ["relax", "relax", "fall_back", "relax", "stop"]
    assert out.state.goals["g1.4"].sub_goal.params["filters"] == asked
    assert out.answer.status == "insufficient"
    assert out.answer.text.startswith("数据不足，无法判断")
    assert (out.answer.findings, out.answer.citations, out.answer.relaxations) == ((), (), ())


def test_a_categorical_filter_outside_the_grain_is_dropped_and_never_the_subject(world: World) -> None:
    channel = {"name": "channel", "type": "text", "synonyms": ["渠道"], "values": ["线上", "线下"]}
    world.sql(
        "board",
        "returns",
        [PRODUCT, REGION, MONTH, channel, RATE],
        [("A", "华东", "2024-01", "线上", 0.05)],
        grain=GRAIN,
    )
    out = world.run("A产品线下退货率", fetch("g1", "board", "returns", {"product": "A", "channel": "线下"}))
    (r,) = out.answer.relaxations
    assert (r.field, r.asked, r.used) == ("channel", "线下", None)
    assert "渠道 由 线下 放宽为 不限" in out.answer.text
    nothing = world.run("B产品线上退货率", fetch("g1", "board", "returns", {"product": "B"}))
    assert nothing.rules == ["stop"]


def test_periods_that_are_compared_are_not_widened(two_boards: World) -> None:
    only(two_boards)
    out = two_boards.run(QUESTION, fetch("g1", "sales", "returns", {"month": ["2022-01", "2021-01"]}))
    assert out.rules == ["stop"]


def test_part_of_what_was_asked_is_taken_when_nobody_has_all(two_boards: World) -> None:
    only(two_boards)
    asked = {"product": "B", "month": {"from": "2024-01", "to": "2024-03"}}
    out = two_boards.run(
        "B产品2024年1至3月退货率",
        fetch("g1", "sales", "returns", asked, "covers: month [2024-01, 2024-02, 2024-03]"),
    )
    assert out.answer.status == "answered"
    (r,) = out.answer.relaxations
    assert r.used == ["2024-01", "2024-03"]
    assert "缺少部分" in out.answer.text
    assert_grounded(out)


@pytest.mark.parametrize(
    "fails", ["SchemaDrift", "FormatError", "AuthRequired", "Timeout", "Unavailable", "RateLimited"]
)
def test_another_source_stands_in_and_the_failed_one_is_named(two_boards: World, fails: str) -> None:
    two_boards.troubled("broken", "sales", fails, alternatives=["sales"])
    out = two_boards.run(
        "B产品华北2024年1月的退货率比A产品华东高多少",
        fetch("g1", "broken", "returns", {**ASKED, "month": "2024-01"}),
        fetch("g2", "support", "returns", {"product": "A", "region": "华东", "month": "2024-01"}),
        derive("g3", "difference", "g1", "g2", value="return_rate"),
    )
    assert out.rules[0] == "fall_back"
    assert "recompute" in relations(out)
    assert out.answer.status == "answered"
    assert "broken 未能给出数据" in out.answer.text
    assert "改用 sales" in out.answer.text
    assert any("broken is troubled" in g.why for g in out.answer.gaps)
    assert_grounded(out)


def test_a_refusal_is_not_got_round(two_boards: World) -> None:
    two_boards.troubled("closed", "sales", "Refused", alternatives=["sales"])
    out = two_boards.run(QUESTION, fetch("g1", "closed", "returns", {"product": "A"}))
    assert out.rules == ["stop"]
    assert out.answer.status == "refused"


def test_a_source_that_the_roles_may_not_read_is_never_turned_to(two_boards: World) -> None:
    two_boards.sources["sales"] = two_boards.sources["sales"].model_copy(update={"access": ("finance",)})
    two_boards.troubled("broken", "sales", "Unavailable", alternatives=["sales"])
    out = two_boards.run(QUESTION, fetch("g1", "broken", "returns", {"product": "A"}), roles=("analyst",))
    assert [g.sub_goal.data_source for g in out.state.goals.values()] == ["broken"]
    assert "sales" not in out.answer.text


def test_a_source_that_hangs_gets_twice_the_time_once_when_it_is_alone(two_boards: World) -> None:
    two_boards.troubled("slow", "sales", "Timeout")
    out = two_boards.run(QUESTION, fetch("g1", "slow", "returns", {"product": "A"}))
    assert out.rules == ["retry", "stop"]
    assert out.state.goals["g1.2"].timeout_s == 6
    assert "slow 超时" in out.answer.text
    two_boards.settings = Settings(Limits(seconds=5))
    assert two_boards.run(QUESTION, fetch("g1", "slow", "returns", {"product": "A"})).rules == ["stop"]


def test_one_source_of_two_missing_is_a_partial_answer_that_names_it(two_boards: World) -> None:
    two_boards.troubled("tickets", "sales", "Unavailable")
    out = two_boards.run(
        "B产品华北2024年1月的退货率与工单",
        fetch("g1", "sales", "returns", {**ASKED, "month": "2024-01"}),
        fetch("g2", "tickets", "returns", {"product": "B"}, description="查询工单"),
        derive("g3", "difference", "g1", "g2", value="return_rate", description="算差值"),
    )
    assert out.answer.status == "partial"
    assert out.answer.text.startswith("以下只是部分结果")
    assert "查询工单：tickets 无法访问（待 tickets 恢复后重试）" in out.answer.text
    assert {g.step for g in out.answer.gaps} == {"g2", "g3"}
    assert "退货率 3.8%" in out.answer.text
    assert_grounded(out)


def test_an_optional_step_that_fails_is_told_and_does_not_make_the_answer_partial(two_boards: World) -> None:
    two_boards.troubled("extra", "sales", "Unavailable")
    out = two_boards.run(
        QUESTION, fetch("g1", "sales", "returns", {"product": "A"}),
        fetch("g2", "extra", "returns", {}, required=False),
    )  # fmt: skip
    assert out.answer.status == "answered"
    assert any(g.step == "g2" for g in out.answer.gaps)


def test_a_second_opinion_that_fails_is_a_remark(two_boards: World) -> None:
    two_boards.troubled("second", "sales", "Unavailable")
    two_boards.sources["sales"] = two_boards.sources["sales"].model_copy(update={"alternatives": ("second",)})
    out = two_boards.run(QUESTION, fetch("g1", "sales", "returns", {"product": "A"}))
    assert out.rules == ["reconcile_numbers", "conclude"]
    assert out.answer.status == "answered"
    assert "未能用 second 核对：无法访问" in out.answer.text


def test_second_opinions_can_be_switched_off(two_boards: World) -> None:
    two_boards.settings = Settings(Limits(second_opinion=False))
    assert two_boards.run(QUESTION, fetch("g1", "sales", "returns", {"product": "A"})).rules == ["conclude"]


def test_sources_that_agree_within_the_tolerance_are_left_alone(two_boards: World) -> None:
    out = two_boards.run(QUESTION, fetch("g1", "sales", "returns", {**ASKED, "month": "2024-01"}))
    assert out.rules == ["reconcile_numbers", "conclude"]
    assert out.answer.conflicts == ()
    two_boards.settings = Settings(Limits(tolerance=0.01))
    strict = two_boards.run(QUESTION, fetch("g1", "sales", "returns", {**ASKED, "month": "2024-01"}))
    assert len(strict.answer.conflicts) == 1


def test_a_field_has_its_own_tolerance(world: World) -> None:
    rate = {**RATE, "tolerance": 0.5}
    for name, value, other in (("one", 0.05, "two"), ("two", 0.06, "one")):
        world.sql(
            name,
            "returns",
            [PRODUCT, REGION, MONTH, rate],
            [("A", "华东", "2024-01", value)],
            grain=GRAIN,
            alternatives=[other],
        )
    assert world.run(QUESTION, fetch("g1", "one", "returns", {"product": "A"})).answer.conflicts == ()


def test_of_two_facts_the_most_trusted_stands_and_both_are_told(world: World) -> None:
    order = [
        {"name": "order_id", "type": "text", "synonyms": ["订单号"]},
        {"name": "status", "type": "text", "synonyms": ["状态"]},
    ]
    world.sql(
        "shop",
        "orders",
        order,
        [("88231", "运输中")],
        grain=("order_id",),
        trust=0.6,
        alternatives=["carrier"],
    )
    world.sql("carrier", "orders", order, [("88231", "已签收")], grain=("order_id",), trust=0.9)
    out = world.run("订单88231到了没", fetch("g1", "shop", "orders", {"order_id": "88231"}), route="single")
    assert out.rules == ["reconcile_numbers", "reconcile_facts", "conclude"]
    (conflict,) = out.answer.conflicts
    assert (conflict.kept, conflict.rule) == ("已签收", "most trusted")
    assert "状态 已签收" in out.answer.text
    assert "shop 为 运输中" in out.answer.text
    assert_grounded(out)


def test_a_question_whether_sources_agree_names_both(two_boards: World) -> None:
    two_boards.settings = Settings(Limits(second_opinion=False))
    asked = {"product": "A", "region": "华东", "month": "2024-01"}
    out = two_boards.run(
        "Do the boards agree on the return rate of product A?", fetch("g1", "sales", "returns", asked),
        fetch("g2", "support", "returns", asked), derive("g3", "difference", "g1", "g2", value="return_rate"),
    )  # fmt: skip
    (conflict,) = out.answer.conflicts
    assert {c.source for c in conflict.values} == {"sales", "support"}
    assert "sources differ on return rate" in out.answer.text
    assert_grounded(out)


def test_the_rounds_are_bounded(two_boards: World) -> None:
    two_boards.settings = Settings(dataclasses.replace(Limits(), rounds=1))
    out = two_boards.run(
        QUESTION, fetch("g1", "sales", "returns", {"product": "B", "region": "华北", "month": "2022-02"})
    )
    assert out.rules == ["relax", "stop"]
    assert "1 rounds are spent" in out.decisions[-1].why


def test_a_condition_that_does_not_hold_is_said(two_boards: World) -> None:
    only(two_boards)
    out = two_boards.run(
        QUESTION, fetch("g1", "sales", "returns", {"product": "A"}),
        fetch("g2", "sales", "returns", {"product": "B"}, when="g1.return_rate > 0.5", depends_on=("g1",)),
    )  # fmt: skip
    assert out.answer.status == "answered"
    assert "条件不成立（退货率 > 0.5），未执行" in out.answer.text


def test_a_write_waits_for_approval_then_happens_once(world: World) -> None:
    order = [{"name": "order_id", "type": "text", "synonyms": ["订单号"]}]
    world.sql("orders", "refund", order, [("88231",)])
    world.troubled("refunds", "orders", "", kind="Desk", side_effect=True)
    del world.sources["orders"]
    goal = fetch(
        "g1",
        "refunds",
        "refund",
        description="提交退款",
        params={"values": {"order_id": "88231"}, "filters": {}},
    )
    waiting = world.run("帮我退掉订单88231", goal)
    assert waiting.rules == ["conclude"]
    assert waiting.answer.status == "partial"
    assert "提交退款：等待审批，尚未执行（确认后加 --approve refunds 重新提问）" in waiting.answer.text
    done = world.run("帮我退掉订单88231", goal, approved=frozenset({"refunds"}))
    assert done.answer.status == "answered"
    assert "提交退款：已提交，回执 RF-1001 [c1]" in done.answer.text
    again = world.run("帮我退掉订单88231", goal, approved=frozenset({"refunds"}))
    assert "此前已提交，未重复提交，回执 RF-1001" in again.answer.text
    assert_grounded(again)


def test_nothing_is_widened_under_a_condition_or_a_write(world: World) -> None:
    status = {"name": "status", "type": "text", "values": ["已签收", "运输中"]}
    order = [{"name": "order_id", "type": "text"}, status]
    world.sql("shop", "orders", order, [("88231", "运输中")], grain=("order_id",))
    world.troubled("refunds", "shop", "", kind="Desk", side_effect=True)
    asked = {"order_id": "88231", "status": "已签收"}
    write = fetch(
        "g2",
        "refunds",
        "orders",
        depends_on=("g1",),
        when="g1.rows >= 1",
        params={"values": {"order_id": "88231"}, "filters": {}},
    )
    out = world.run(
        "订单88231到了就退掉", fetch("g1", "shop", "orders", asked), write, approved=frozenset({"*"})
    )
    assert out.rules == ["stop"]
    assert out.state.result("g2").status == "skipped"  # type: ignore[union-attr]
    assert "回执" not in out.answer.text
    alone = world.run("订单88231到了没", fetch("g1", "shop", "orders", asked))
    assert alone.rules == ["relax", "conclude"]


def test_sources_that_the_plan_itself_compares_are_not_reconciled(two_boards: World) -> None:
    asked = {"product": "A", "region": "华东", "month": "2024-01"}
    out = two_boards.run(
        "销售部和售后部的退货率一致吗",
        fetch("g1", "sales", "returns", asked),
        fetch("g2", "support", "returns", asked),
        derive("g3", "difference", "g1", "g2", value="return_rate"),
    )
    assert [g.relation for g in out.state.goals.values()] == ["plan", "plan", "plan"]
    (difference,) = [f for f in out.answer.findings if "个百分点" in f.statement]
    assert difference.value == pytest.approx(-0.009)
    assert "sales" in difference.statement
    assert "support" in difference.statement


def test_of_two_incomplete_sources_the_more_trusted_is_kept(two_boards: World) -> None:
    months = ["2024-01", "2024-02"]
    out = two_boards.run(
        "A产品华东的退货率",
        fetch(
            "g1", "sales", "returns", {"product": "A", "region": "华东", "month": {"from": months[0], "to": months[1]}},
            validation=f"rows >= 1 AND covers: month [{', '.join(months)}]",
        ),
    )  # fmt: skip
    (relaxed,) = out.answer.relaxations
    assert relaxed.used == ["2024-01"]
    assert out.state.goals[out.state.resolve("g1")].sub_goal.data_source == "sales"
