"""Values in the other language."""

from __future__ import annotations

import pytest

from planner.rules.bilingual import Bilingual


@pytest.fixture(scope="module")
def bilingual() -> Bilingual:
    return Bilingual.shared()


@pytest.mark.parametrize(
    ("value", "word"), [("餐饮", "catering"), ("质量", "quality"), ("佳美", "jiamei"), ("上海", "shanghai")]
)
def test_chinese_values_in_english(bilingual: Bilingual, value: str, word: str) -> None:
    assert word in bilingual.other(value)


@pytest.mark.parametrize(
    ("value", "word"), [("rabbit", "兔子"), ("Manchester", "曼彻斯特"), ("brake", "刹车")]
)
def test_english_values_in_chinese(bilingual: Bilingual, value: str, word: str) -> None:
    assert word in bilingual.other(value)


@pytest.mark.parametrize("value", ["B-12", "a", "", "处", "V2.3"])
def test_no_word_for_a_code(bilingual: Bilingual, value: str) -> None:
    assert bilingual.other(value) == []
