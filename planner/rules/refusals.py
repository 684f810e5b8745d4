"""When the catalogue plainly cannot answer: what is asked for is named by words that no source has."""

from __future__ import annotations

import re

from planner.rules.choose import Choice, Evidence
from planner.rules.coverage import is_analysis
from planner.rules.english import GENERIC, stem
from planner.rules.lexicon import GENERIC_ZH
from planner.rules.mentions import Mention

__all__ = ["missing_lines", "unanswerable"]

Word = tuple[str, int, int]
# words that any company uses
_COMMON = frozenset(
    [
        "price", "cost", "income", "revenue", "amount", "number", "market", "sale", "sales", "fee", "rate", "company", "customer", "share",
        "价格", "价", "成本", "收入", "市场", "金额", "用户", "公司", "电话", "客户", "员工",
    ]
)  # fmt: skip
_FIGURE = re.compile(r"(?:率|数|量|额|价|费|工资|薪|成本|利润|收入|人数|分|时长|天数)$")
_FIGURE_EN = frozenset(
    stem(w)
    for w in (
        "price", "cost", "salary", "wage", "rate", "profit", "revenue", "income", "population", "temperature", "score", "value", "valuation",
        "fee", "number", "amount",
    )
)  # fmt: skip
_HOW_MUCH = re.compile(
    r"多少|是几|有多[高大]|\bhow (?:many|much|high|low|big)|\bwhat (?:is|was|are|were|will)\b|\bwhat's"
)


def unanswerable(
    evidence: Evidence, choices: list[Choice], share: float, unused: list[Word], *, guessed: bool
) -> bool:
    """`guessed`: the tables were taken as the nearest ones, no word of the question names them."""
    if not choices:
        return True
    if any(f.kind == "id" for f in evidence.frees):
        return False
    if guessed and not _telling(choices):
        asks = is_analysis(evidence) or _HOW_MUCH.search(evidence.text.folded) is not None
        return not asks or (share == 0 and _names_figure(evidence, unused))
    words = [w for w, _, _ in unused]
    return (
        _hollow(evidence, choices, share, words)
        or _lacks_measure(evidence, choices, words)
        or _foreign(evidence, choices, unused)
    )


def missing_lines(evidence: Evidence, unused: list[Word], *, zh: bool) -> tuple[str, ...]:
    """What no source speaks of, in the question's language; words side by side are one thing."""
    text = evidence.text
    spots: list[tuple[int, int]] = []
    for _, start, end in unused:
        if spots and not text.question[spots[-1][1] : start].strip():
            spots[-1] = (spots[-1][0], end)
        else:
            spots.append((start, end))
    names = list(dict.fromkeys(text.question[a:b] for a, b in spots))[:5]
    if not names:
        return ("问题里没有说明要查什么",) if zh else ("nothing in the question names what to look for",)
    return tuple(f"没有来源涉及‘{n}’" if zh else f"no source speaks of '{n}'" for n in names)


def _telling(choices: list[Choice]) -> list[Mention]:
    """Mentions by words that are not everybody's."""
    return [
        m
        for c in choices
        for m in c.mentions
        if m.weight >= 0.5 and m.text.lower() not in GENERIC | _COMMON and m.text not in GENERIC_ZH
    ]


def _names_figure(evidence: Evidence, unused: list[Word]) -> bool:
    stems = {w.start: w.stem for w in evidence.text.words}
    return any(
        stems.get(start) in _FIGURE_EN if word.isascii() else _FIGURE.search(word)
        for word, start, _ in unused
    )


def _hollow(evidence: Evidence, choices: list[Choice], share: float, unused: list[str]) -> bool:
    """The only link to the catalogue is a word that any company uses, and most of the question is left over."""
    if share >= 0.34 or _telling(choices):
        return False
    return any(f.kind == "name" for f in evidence.frees) or any(
        not w.isascii() and len(w) >= 4 for w in unused
    )


def _lacks_measure(evidence: Evidence, choices: list[Choice], unused: list[str]) -> bool:
    """A figure is asked by a name that nothing in the catalogue has, only its place or time is known."""
    if len(choices) != 1:
        return False
    table, figures = choices[0].table, [w for w in unused if _FIGURE.search(w) and len(w) > 2]
    spoken = [
        m for m in choices[0].mentions for kind, key, name, _ in m.targets
        if key == table.key and m.weight >= 0.4 and (kind == "dataset" or (kind == "field" and name not in table.dataset.grain))
    ]  # fmt: skip
    if any(len(w) > 4 for w in figures):  # said at such length, it is no other word for a count
        spoken = [m for m in spoken if m.of("dataset") or any(table.measure(n) for n in m.fields(table.key))]
    elif choices[0].wanted:
        return False
    return (
        bool(figures) and not spoken and re.search(r"多少|是几|有多[高大]", evidence.text.folded) is not None
    )


def _foreign(evidence: Evidence, choices: list[Choice], unused: list[Word]) -> bool:
    """'share price of our competitor' where prices are kept: a common word, made another thing by the word before it."""
    if len(choices) != 1 or _telling(choices) or not unused:
        return False
    table, text = choices[0].table, evidence.text
    for m in choices[0].mentions:
        if m.text.lower() not in _COMMON or not any(table.measure(n) for n in m.fields(table.key)):
            continue
        before = next((w for w in text.words if 0 <= m.start - w.end <= 1), None)
        if before is None or not before.content or before.stem in GENERIC or before.stem in table.bag:
            continue
        named = any(n.start <= before.start < n.end for n in evidence.mentions)
        others = [w for w, start, _ in unused if start != before.start]
        if not named and others:
            return True
    return False
