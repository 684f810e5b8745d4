"""Numbers, dates and names of a text against its evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.base import Locator
from reflector.decision import Answer, Citation, Finding
from reflector.grounding import check, grounds_of
from reflector.quantities import moments, names, quantities

ANSWER = Answer(
    "r", "2024年1月A产品退货率", "answered", "single", "",
    findings=(Finding("", 0.0185, "pp", ("c1",)),),
    citations=(
        Citation("c1", "board", "returns", Locator("cell", "board", "returns", text="5.2%", row="A · 华东 · 2024-01")),
        Citation("c2", "tickets", "changes", Locator("ticket", "tickets", "changes", text="2024-01-03", key="LOG-157")),
        Citation("c3", "shop", "sales", Locator("row", "shop", "sales", text="12345678.0")),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "退货率 5.2% [c1]", "5.20 % [c1]", "about 5% [c1]", "高 1.85 个百分点 [c1]", "低 1.9 pp [c1]", "1.85 percentage points [c1]",
        "LOG-157 于 2024-01-03 [c2]", "2024年1月3日 [c2]", "2024年1月 [c2]", "营收 12,345,678 [c3]", "营收 1,234.57万 [c3]",
        "营收 0.12亿 [c3]", "12.3m [c3]", "2024年1月的问题", "没有数字", "[c1][c2–c3]",
    ],
)  # fmt: skip
def test_what_stands_on_its_evidence(text: str) -> None:
    assert check(text, grounds_of(ANSWER)) == []


@pytest.mark.parametrize(
    ("text", "token", "kind"),
    [
        ("退货率 5.3% [c1]", "5.3%", "number"),
        ("退货率 5.2% [c3]", "5.2%", "number"),  # held by another place than the one cited
        ("退货率 5.2% ", "5.2%", "number"),
        ("高 1.7 个百分点 [c1]", "1.7 个百分点", "number"),
        ("LOG-158 [c2]", "LOG-158", "name"),
        ("2024年2月3日 [c2]", "2024年2月3日", "date"),
        ("2024-02 [c1]", "2024-02", "date"),
        ("营收 1,235万 [c3]", "", ""),
        ("营收 1,236万 [c3]", "1,236万", "number"),
    ],
)
def test_what_does_not(text: str, token: str, kind: str) -> None:
    assert [(u.token, u.kind) for u in check(text, grounds_of(ANSWER))] == ([(token, kind)] if token else [])


def test_numbers_within_dates_and_names_are_not_numbers() -> None:
    text = "V2.3.1 于 2024-01-15，LOG-157，3 条"
    assert [q.value for q in quantities(text)] == [3]
    assert [m.value for m in moments("2024年第一季度与2023-Q4、2023年")] == ["2024-Q1", "2023-Q4", "2023"]
    assert names(text) == ["V2.3.1", "LOG-157"]


@given(st.text(max_size=80))
def test_any_text_can_be_judged(text: str) -> None:
    check(text, grounds_of(ANSWER))


@given(st.floats(min_value=1e-4, max_value=1e9), st.integers(0, 4))
def test_a_rounded_number_is_grounded_by_the_exact_one(value: float, digits: int) -> None:
    (q,) = quantities(f"{value:,.{digits}f}")
    assert q.agrees(value)
