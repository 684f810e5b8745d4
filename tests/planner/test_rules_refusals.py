"""What no source holds is refused, and the reader is told which words of the question are to blame."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from planner.catalogue import Catalogue
from planner.rules import RulePlanner
from planner.rules.text import is_cjk

ROOT = Path(__file__).parents[2]
TODAY = date(2024, 7, 15)
STRANGE = [
    "明天上海天气怎么样", "张三的工资是多少", "员工张三的工资是多少", "What is Tesla's stock price?", "竞争对手去年的市场份额是多少",
    "苹果公司的股价是多少", "公司CEO的电话号码是多少", "How many employees do we have?", "华东区2024年1月的员工离职率是多少",
    "What is the weather in Paris?", "What was the share price of our largest competitor last week?", "火星基地2024年的氧气消耗量是多少",
    "What's the weather in Berlin tomorrow", "公司明年会上市吗", "how many stars are in the galaxy",
]  # fmt: skip


@pytest.fixture(scope="module")
def planner() -> RulePlanner:
    return RulePlanner(Catalogue.load(ROOT / "configs" / "sources"))


@pytest.mark.parametrize("question", STRANGE)
def test_what_no_source_holds_is_refused(planner: RulePlanner, question: str) -> None:
    proposal = planner.propose(question, TODAY)
    assert proposal.plan is None
    assert proposal.confidence == 0
    assert proposal.missing
    if question.isascii():
        assert all(not is_cjk(line) for line in proposal.missing)
    else:
        assert all(is_cjk(line) for line in proposal.missing)


def test_the_missing_words_are_named_as_the_question_writes_them(planner: RulePlanner) -> None:
    missing = planner.propose("火星基地2024年的氧气消耗量是多少", TODAY).missing
    assert missing == ("没有来源涉及‘火星基地’", "没有来源涉及‘氧气消耗量’")
    missing = planner.propose("How many Mars rovers are in the galaxy", TODAY).missing
    assert missing == ("no source speaks of 'Mars rovers'", "no source speaks of 'galaxy'")


@pytest.mark.parametrize("folder", ["rules_dev_a", "rules_dev_d"])
def test_the_same_on_catalogues_of_other_companies(folder: str) -> None:
    """A question about another world altogether; one company in four may know a word of it."""
    refused = asked = 0
    for path in sorted((ROOT / "tests/data/planner" / folder / "catalogues").iterdir()):
        planner = RulePlanner(Catalogue.load(path))
        for question in ("员工张三的工资是多少", "火星基地2024年的氧气消耗量是多少", "公司明年会上市吗"):
            asked += 1
            refused += planner.propose(question, TODAY).plan is None
    assert refused * 4 >= asked * 3


@pytest.mark.parametrize(
    "question",
    [
        "去年各产品线的营收是多少",
        "What was the average price of our orders?",
        "订单88231多少钱",
        "Which region had the highest return rate last month?",
        "上个月线上活动办了几场",
    ],
)
def test_what_is_held_is_not_refused(planner: RulePlanner, question: str) -> None:
    assert planner.propose(question, TODAY).plan is not None
