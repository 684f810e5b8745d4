from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_index.language import language_of, width
from kb_index.sparse import Frequencies, passage_weights
from kb_index.words import identifiers, question_tokens, token_id, tokens


def test_versions_and_part_numbers_stay_whole_beside_their_parts() -> None:
    found = tokens("CRM模块V2.3.1，滤芯 FX-220B")
    assert {"crm", "v2.3.1", "2.3.1", "fx-220b", "fx", "220b"} <= set(found)
    assert "v2.3.10" not in tokens("V2.3.1")


def test_text_without_spaces_gives_its_pairs() -> None:
    assert tokens("退货政策") == ["退货", "货政", "政策"]
    assert tokens("第 3 页") == ["第", "3", "页"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("退货政策是什么", ["退货", "货政", "政策"]),
        ("What is the return policy?", ["return", "polici"]),
        ("policies and refunds", ["polici", "refund"]),
        ("cyclicality", ["cyclic"]),
        ("FY2022", ["fy2022", "fy", "2022"]),
        ("2024Q2", ["2024q2", "2024", "q2"]),
        ("请问", ["请问"]),
    ],
)
def test_a_question_keeps_what_it_asks(question: str, expected: list[str]) -> None:
    assert question_tokens(question) == expected


def test_identifiers() -> None:
    assert identifiers("CRM V2.3.1, FX-220B, CRM-2341, 10.0.4; in 2023-Q4 3.5 and A4, part-time") == [
        "v2.3.1", "2.3.1", "fx-220b", "crm-2341", "10.0.4",
    ]  # fmt: skip


@given(st.text(max_size=300))
def test_any_text_has_tokens_or_none(text: str) -> None:
    for token in tokens(text):
        assert token
        assert token == token.casefold()
        assert 0 <= token_id(token) < 2**32
    assert width(text) >= len(text)
    assert language_of(text) in {"zh", "ja", "ko", "ru", "ar", "latin"}


def test_bm25_prefers_the_rare_word_and_the_short_passage() -> None:
    passages = [
        "fan and lamp",
        "fan",
        "fan heater",
        "lamp lamp lamp and a very long story about something else",
    ]
    frequencies = Frequencies()
    for p in passages:
        frequencies.add(tokens(p))
    question = frequencies.question("heater fan")

    def score(passage: str) -> float:
        weights = passage_weights(tokens(passage), frequencies.average)
        return sum(v * weights.get(k, 0.0) for k, v in question.items())

    ranked = sorted(passages, key=score, reverse=True)
    assert ranked[:2] == ["fan heater", "fan"]
    assert frequencies.coverage(question, "fan heater") == pytest.approx(1.0)
    assert frequencies.coverage(question, "nothing of it") == 0
    assert frequencies.knows_none(["v9.9.9"])
    assert not frequencies.knows_none([])
