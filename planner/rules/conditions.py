"""The `when` of a conditional step, from the words of the condition and the steps already planned."""

from __future__ import annotations

import re
from typing import Any

from planner.rules.fetch import Fetch
from planner.rules.mentions import Mention
from planner.rules.numbers import find_comparison
from planner.rules.regions import Region, empty_condition
from planner.rules.status_words import groups_of, same_state
from planner.rules.text import Text

__all__ = ["read_condition"]

_NOT = re.compile(r"(?:还没|没有?|未|不是|并非|尚未|不再|\bnot\b|n't\b|\bno longer\b|\bnever\b|\bunless\b)")
_STATE_FIELD = re.compile(r"status|state|stage|result|状态|进度|阶段|结果|是否")


def read_condition(
    text: Text, conditions: list[Region], before: list[Region], fetches: list[Fetch], mentions: list[Mention]
) -> str | None:
    """An expression over the fetches, or None when there is nothing to read it from."""
    stretch = [r for r in conditions if not empty_condition(text.folded[r.start : r.end])] or before
    if not fetches or not stretch:
        return None
    for region in stretch:
        for read in (_number, _value, _state, _flag):
            made = read(text, region, fetches, mentions)
            if made:
                return made
    main = next((f for f in fetches if f.table.record), fetches[0])
    return f"{main.ids[0]}.rows >= 1"


def _number(text: Text, region: Region, fetches: list[Fetch], mentions: list[Mention]) -> str | None:
    comparison = find_comparison(text.folded, region.start, region.end)
    if comparison is None:
        return None
    named = [m for m in mentions if region.holds(m.start) and m.weight >= 0.4]
    for fetch in fetches:
        for m in named:
            for name in m.fields(fetch.table.key):
                if fetch.table.fields[name].type in (
                    "number",
                    "percent",
                    "money",
                    "integer",
                ) and not fetch.table.is_year(fetch.table.fields[name]):
                    return _numeric(
                        fetch, name, comparison.sign, comparison.number.value, comparison.number.percent
                    )
    for fetch in fetches:
        names = (
            fetch.measures
            or [
                n
                for n in fetch.wanted
                if fetch.table.fields[n].type in ("number", "percent", "money", "integer")
            ]
            or fetch.table.measures
        )
        if names:
            return _numeric(
                fetch, names[0], comparison.sign, comparison.number.value, comparison.number.percent
            )
    return None


def _numeric(fetch: Fetch, name: str, sign: str, value: float, percent: bool) -> str:
    if fetch.table.fields[name].type == "percent" and not percent and value >= 1:
        value /= 100
    shown = f"{value:.9f}".rstrip("0").rstrip(".")
    return f"{fetch.ids[0]}.{name} {sign} {shown}"


def _value(text: Text, region: Region, fetches: list[Fetch], mentions: list[Mention]) -> str | None:
    for m in mentions:
        if not region.holds(m.start) or not m.is_value:
            continue
        for fetch in fetches:
            for name, value in m.values(fetch.table.key):
                if any(name in one for one in fetch.filters):
                    continue
                return _equals(fetch, name, value, _negated(text, region, m.start))
    return None


def _state(text: Text, region: Region, fetches: list[Fetch], mentions: list[Mention]) -> str | None:
    clause = text.folded[region.start : region.end]
    for group, at, _ in groups_of(clause):
        for fetch in fetches:
            fields = sorted(
                (f for f in fetch.table.fields.values() if f.values),
                key=lambda f: not any(_STATE_FIELD.search(n.lower()) for n in (f.name, *f.synonyms)),
            )
            for f in fields:
                states = same_state(group, f.values)
                if states and not any(f.name in one for one in fetch.filters):
                    return _equals(fetch, f.name, states[0], _negated(text, region, region.start + at))
    return None


def _flag(text: Text, region: Region, fetches: list[Fetch], mentions: list[Mention]) -> str | None:
    for m in mentions:
        if not region.holds(m.start):
            continue
        for fetch in fetches:
            for name in m.fields(fetch.table.key):
                if fetch.table.fields[name].type == "bool":
                    return (
                        f"{fetch.ids[0]}.{name} == {'false' if _negated(text, region, m.start) else 'true'}"
                    )
    return None


def _equals(fetch: Fetch, name: str, value: Any, negated: bool) -> str:
    shown = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'{fetch.ids[0]}.{name} {"!=" if negated else "=="} "{shown}"'


def _negated(text: Text, region: Region, position: int) -> bool:
    return _NOT.search(text.folded, max(region.start, position - 12), position) is not None
