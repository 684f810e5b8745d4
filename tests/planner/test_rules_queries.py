"""What the documents are searched for, and what a plan counts as explained."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from planner.catalogue import Catalogue
from planner.rules import RulePlanner

TODAY = date(2024, 7, 15)


@pytest.fixture(scope="module")
def planner() -> RulePlanner:
    return RulePlanner(Catalogue.load(Path(__file__).parents[2] / "configs" / "sources"))


def query(planner: RulePlanner, question: str) -> str:
    plan = planner.propose(question, TODAY).plan
    assert plan is not None
    (found,) = [g.params["query"] for g in plan.sub_goals if "query" in g.params]
    return str(found)


def test_a_part_that_refers_back_is_searched_by_its_own_content(planner: RulePlanner) -> None:
    asked = query(planner, "对比2023年Q3与Q4客户投诉中的服务类问题，并分析其与新上线的CRM模块版本号的关联性")
    assert asked == "新上线 CRM模块版本号"


def test_a_short_part_takes_the_subject_of_the_whole(planner: RulePlanner) -> None:
    words = query(planner, "用户U123申请贷款，请查征信、计算负债率、校验收入流水，并给出审批结论").split()
    assert words[0] == "审批结论"
    assert {"贷款", "征信", "负债率", "收入流水"} <= set(words)
    assert not any("U123" in w or w in ("请", "计算", "给出") for w in words)


def test_an_english_part(planner: RulePlanner) -> None:
    asked = query(planner, "Where is order 88231, and does the return policy allow that?")
    assert "88231" not in asked
    assert "return policy" in asked


def test_a_part_that_stands_alone_is_searched_as_it_is(planner: RulePlanner) -> None:
    question = "我家老人想要一台扫地机，预算2000以内，要好操作的。另外帮我看看订单88231到了没"
    assert query(planner, question) == "我家老人想要一台扫地机，预算2000以内，要好操作的"
    assert query(planner, "退货政策是什么") == "退货政策是什么"


@pytest.mark.parametrize(
    "question",
    [
        "用户U123申请贷款，请查征信、计算负债率、校验收入流水，并给出审批结论",
        "我家老人想要一台扫地机，预算2000以内，要好操作的。另外帮我看看订单88231到了没，到了的话帮我把那台坏的退掉。",
        "How many quality complaints were filed between April and June 2024?",
    ],
)
def test_words_that_only_ask_leave_nothing_unused(planner: RulePlanner, question: str) -> None:
    proposal = planner.propose(question, TODAY)
    assert proposal.unused == ()
    assert proposal.confidence == 1.0


def test_a_word_that_no_step_uses_is_told(planner: RulePlanner) -> None:
    proposal = planner.propose("2024年1月火星基地A产品的退货率", TODAY)
    assert proposal.plan is None or proposal.confidence < 1
