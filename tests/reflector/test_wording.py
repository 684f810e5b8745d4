"""Failures, remarks and what is missing, in the question's language and no more than is known."""

from __future__ import annotations

import re

import pytest

from planner.proposal import Proposal
from reflector.answer import compose, refusal
from reflector.labels import Labels
from reflector.notes import remark
from reflector.phrases import language_of
from reflector.titles import own_word
from tests.reflector.world import World, assert_grounded, derive, fetch


@pytest.mark.parametrize(
    ("error", "chinese"),
    [
        ("Timeout", "来源在限定时间内没有答复"), ("Unavailable", "来源当前无法访问"), ("RateLimited", "来源限制了访问频率"),
        ("SchemaDrift", "来源的字段与目录中登记的不一致"), ("AuthRequired", "来源拒绝了登录"), ("FormatError", "来源的返回内容无法解析"),
        ("Refused", "按策略不允许"),
    ],
)  # fmt: skip
def test_a_failure_is_a_chinese_sentence_with_the_message_in_brackets(
    two_boards: World, error: str, chinese: str
) -> None:
    two_boards.troubled("desk", "sales", error)
    out = two_boards.run("A产品的退货率", fetch("g1", "desk", "returns", {"product": "A"}))
    assert out.answer.status in ("insufficient", "refused")
    why = out.answer.gaps[0].why
    assert chinese in why
    assert "（desk is troubled" in why


def test_an_insufficient_answer_holds_no_digit_that_the_question_lacks(two_boards: World) -> None:
    two_boards.troubled("desk", "sales", "Unavailable")
    out = two_boards.run(
        "A产品上月的退货率",
        fetch("g1", "desk", "returns", {"month": "2024-06"}, description="获取退货率（month = 2024-06）"),
        fetch("g2", "desk", "returns", {"month": "2024-05"}, description="2024年5月退货率"),
        fetch("g3", "sales", "returns", {"product": "A"}, required=False),
        derive("g4", "difference", "g1", "g2", description="计算环比差异：退货率"),
    )
    assert out.answer.status == "insufficient"
    first = out.answer.text.split("\n")[0]
    assert first == "数据不足，无法判断：没有取得“获取退货率”、“desk”、“环比差异”。"
    assert not re.search(r"\d", out.answer.text)


def test_a_partial_answer_says_first_what_is_known_and_what_is_missing(two_boards: World) -> None:
    two_boards.troubled("desk", "sales", "Unavailable")
    out = two_boards.run(
        "A产品退货率与工单",
        fetch("g1", "sales", "returns", {"product": "A"}, description="获取退货率（product = A）"),
        fetch("g2", "desk", "returns", {"product": "A"}, description="获取工单（product = A）"),
    )
    assert out.answer.text.startswith("以下只是部分结果：已有“获取退货率”；缺少“获取工单”。")
    assert "获取工单（产品 = A）：desk 无法访问" in out.answer.text
    asked = fetch(
        "g3", "desk", "returns", description="检索知识库：A产品退货率与工单", params={"query": "A产品"}
    )
    long = two_boards.run(
        "A产品退货率与工单", fetch("g1", "sales", "returns", description="获取退货率"), asked
    )
    assert long.answer.text.startswith("以下只是部分结果：已有“获取退货率”；缺少“检索知识库”。")
    assert_grounded(out)


def test_what_no_source_speaks_of() -> None:
    lines = ("no source speaks of 火星基地", "no source speaks of 氧气")
    proposal = Proposal(
        None, "rules", "1", 0.0, missing=lines, reason="the sources do not hold what is asked"
    )
    answer = refusal("火星基地2024年的氧气消耗量", proposal, run_id="r")
    assert answer.text == "数据不足，无法判断：没有来源涉及“火星基地”、“氧气”。"
    assert (answer.gaps[0].what, answer.gaps[0].why) == ("没有来源涉及“火星基地”", "各来源都没有所问的内容")
    strange = Proposal(None, "rules", "1", 0.0, missing=("the time cannot be read: month 13 of 12",))
    assert not re.search(r"\d", refusal("几月的销量", strange, run_id="r").text)
    english = refusal(
        "What is the pay on Mars?",
        Proposal(None, "r", "1", 0.0, missing=("no source speaks of Mars",)),
        run_id="r",
    )
    assert english.text.endswith("as no source speaks of Mars.")


def test_remarks_in_chinese(two_boards: World) -> None:
    labels = Labels(two_boards.catalogue, "zh", [])
    said = {
        "read by OCR from the picture of 复购率, lowest score 0.98": "数值由 OCR 从图“复购率”中识别（最低置信度 0.98）",
        "g1 return_rate: mean of 3 rows over region, month": "退货率取 3 行（各区域、月份）的平均",
        "return_rate: mean by product": "退货率按产品取平均",
        "1 of 4 values of g2 return_rate have no counterpart": "退货率的 4 个值中有 1 个没有对应项",
        "2 of 9 rows have no return_rate": "9 行中有 2 行没有退货率",
        "sum of percentages, each with the same weight": "百分比按相同权重取合计",
        "something else": "something else",
    }
    assert {note: remark(labels, note) for note in said} == said


@pytest.mark.parametrize(
    ("description", "word"),
    [
        ("计算负债率：负债 / 收入", "负债率"), ("计算负债率", "负债率"), ("计算比值：debt_amount / income", ""), ("计数：行，按 quarter", ""),
        ("Compute the debt ratio: debt / income", "debt ratio"), ("Compute the ratio of a / b", ""), ("查负债", ""), ("算差值", ""),
    ],
)  # fmt: skip
def test_the_word_of_a_computation(description: str, word: str) -> None:
    assert own_word(description) == word


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("A产品的退货率和天气", "问题中的这些词没有用上：天气"),
        ("return rate of product A and the weather", "words of the question that were not used: weather"),
    ],
)
def test_words_that_the_plan_left_out_are_told(two_boards: World, question: str, line: str) -> None:
    out = two_boards.run(question, fetch("g1", "sales", "returns", {"product": "A"}))
    word = line.split("：" if "：" in line else ": ")[1]
    proposal = Proposal(out.state.plan, "rules", "1", 0.5, unused=(word,))
    told = compose(out.state, two_boards.catalogue, out.decisions, proposal, two_boards.settings)
    assert line in told.text
    assert line not in out.answer.text


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("A产品的退货率", "zh"), ("Which carriers serve 华东 now?", "en"), ("CRM V2.3.1 发布说明", "zh"), ("退货率", "zh"),
        ("how many", "en"), ("2024", "en"),
    ],
)  # fmt: skip
def test_the_language_is_that_of_most_of_the_question(question: str, language: str) -> None:
    assert language_of(question) == language
