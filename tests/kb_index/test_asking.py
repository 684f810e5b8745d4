"""What a question is searched for: without its instructions, with the passages' words."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb_index.asking import plainly, read_glossary
from kb_index.errors import BadSettings


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What was net debt in 2022? Round your answer to two decimals.", "What was net debt in 2022?"),
        ("What drove the margin? If it is not a useful metric, then please state that and explain why.", "What drove the margin?"),
        ("Basing your judgments off of the balance sheet, what is the debt?", "the balance sheet, what is the debt?"),
        ("You are an equity research analyst. Who are the customers?", "Who are the customers?"),
        ("二季度毛利率是多少？请保留两位小数。", "二季度毛利率是多少？"),
        ("请说明退货流程", "请说明退货流程"),  # nothing else would be left
        ("If sales fall, what happens to the bonus?", "If sales fall, what happens to the bonus?"),
        ("V2.3.1 release notes", "V2.3.1 release notes"),
    ],
)  # fmt: skip
def test_instructions_are_left_out(question: str, left: str) -> None:
    assert plainly(question) == left


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Does Corning have positive working capital?", "total current liabilities"),
        ("2022年的营运资金是多少", "流动负债合计"),
        ("How much capex in 2021?", "purchases of property plant and equipment"),
        ("According to the P&L, what is revenue?", "consolidated statements of operations"),
    ],
)
def test_the_glossary_adds_the_passages_words(question: str, word: str) -> None:
    asked = read_glossary().asked(question)
    assert word in asked.also
    assert asked.meant.startswith(asked.text)
    assert word in asked.meant


def test_a_name_is_found_as_a_whole_word() -> None:
    assert read_glossary().asked("Who sells the capexine?").also == ()
    assert read_glossary().asked("新员工怎么申请第二台显示器").also == ()


def test_a_site_adds_its_own_words(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("- names: [churn, 流失率]\n  words: [customers lost, 销户]\n", encoding="utf-8")
    glossary = read_glossary(str(own))
    assert glossary.asked("华东流失率").also == ("customers lost", "销户")
    assert "total current assets" in glossary.asked("working capital").also


@pytest.mark.parametrize(
    "text", ["- names: churn", "names: [x]", "- [a, b]", "- names: [a]\n  words: []", "a: ["]
)
def test_a_glossary_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings, match=r"glossary .*own\.yaml"):
        read_glossary(str(own))


def test_a_glossary_that_is_not_there_is_named() -> None:
    with pytest.raises(BadSettings, match="nowhere"):
        read_glossary("/nowhere/own.yaml")
