"""Steps in the reader's words: descriptions with the catalogue's labels and the question's own name for a computed figure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from planner.catalogue import Dataset, Field
from planner.rules.fetch import Derive, Fetch
from planner.rules.lexicon import Table
from planner.rules.mentions import Mention
from planner.rules.text import Text, is_cjk

__all__ = ["Wording", "label", "named_figure", "subject"]

_NOUN = {
    "difference": ("差值", "difference"), "growth": ("增长率", "growth"), "share": ("占比", "share"), "sum": ("合计", "total"),
    "mean": ("平均值", "average"), "min": ("最小值", "minimum"), "max": ("最大值", "maximum"), "trend": ("变化趋势", "trend"),
    "ratio": ("比值", "ratio"), "product": ("乘积", "product"), "count": ("数量", "count"), "rank": ("排名", "rank"),
    "correlate": ("相关性", "correlation"), "join": ("合并", "join"),
}  # fmt: skip
_PERIOD_ZH: dict[str, str] = {"month": "月份", "quarter": "季度"}
_GLOSS = re.compile(r"\s*[(（][^()（）]*[)）]|[;；].*$")
_BUCKET = {"week": "周", "month": "月", "quarter": "季度", "year": "年"}
# what stands right behind a word for computing, and any word for a rate
_COMPUTED_ZH = re.compile(
    r"(?:计算|算一?[下算出]|测算|核算|求出?)(?:一下|其|该|他的|她的|出)?(?P<name>[\u4e00-\u9fff]{2,10}?)(?=[，,。；;、？?！!]|并|和|与|及|$|\s|是)"
)
_RATE_ZH = re.compile(r"(?<![\u4e00-\u9fff])(?P<name>[\u4e00-\u9fff]{2,6}[率比])(?![\u4e00-\u9fff])")
_COMPUTED_EN = re.compile(
    r"\b(?:calculate|compute|work out|figure out) (?:the |their |his |her |its |our |a )?"
    r"(?P<name>[a-z][a-z-]*(?: (?!of\b|for\b|in\b|and\b|by\b|from\b|over\b|between\b|per\b|to\b)[a-z][a-z-]*){0,3})"
)
_RATE_EN = re.compile(r"\b(?P<name>(?:[a-z]+-)?[a-z-]+(?:[ -]to[ -][a-z]+)? (?:ratio|rate))\b")
_PLAIN = re.compile(
    r"^(?:the |a |what |which )?(?:ratio|rate|difference|sum|total|average|share|growth(?: rate)?|number|change|mean|按.*|比[率值例]|增长率|比例|占比|环比|同比|多少|.*(?:平均|合计|总和|差[值额异距]|趋势))$"
)


def label(f: Field, zh: bool) -> str:
    """The field's first synonym in the language, else its name with blanks for underscores."""
    own = next((s for s in f.synonyms if is_cjk(s) == zh), None)
    return own or (_PERIOD_ZH.get(f.type) if zh else None) or f.name.replace("_", " ")


def half(description: str, zh: bool) -> str:
    """Descriptions may hold both languages with a slash between."""
    pieces = [p.strip() for p in re.split(r"\s+/\s+", description) if p.strip()]
    fitting = [p for p in pieces if is_cjk(p) == zh]
    return (fitting or pieces or [""])[0]


def named_figure(text: Text, mentions: list[Mention]) -> str | None:
    """What the question calls the figure that is to be computed: 'calculate X', 'X率', where X is no field of the catalogue."""
    known = [(m.start, m.end) for m in mentions if m.weight >= 0.7 and (m.of("field") or m.of("dataset"))]
    for words in (_COMPUTED_ZH, _RATE_ZH, _COMPUTED_EN, _RATE_EN):
        for match in words.finditer(text.folded):
            name, (start, end) = match["name"], match.span("name")
            if any(a <= start and end <= b for a, b in known) or _PLAIN.match(name):
                continue
            return text.question[start:end]
    return None


def subject(dataset: Dataset, zh: bool) -> str:
    """What a dataset holds, in the language: its description, else a synonym, else its name."""
    described = _GLOSS.sub("", half(dataset.description, zh)).strip()
    if described and is_cjk(described) == zh:
        return described
    plain = next((s for s in dataset.synonyms if is_cjk(s) == zh), None)
    return plain or (described if zh and described else dataset.name.replace("_", " "))


@dataclass(slots=True)
class Wording:
    """`figure` is the question's own name for what a ratio or a product gives."""

    zh: bool
    figure: str | None = None

    def fetch(self, table: Table, filters: dict[str, Any]) -> str:
        what, shown = subject(table.dataset, self.zh), self.shown(table, filters)
        if self.zh:
            return f"获取{what}（{shown or '全部'}）"
        return f"Fetch {what} ({shown or 'all'})"

    def write(self, table: Table, values: dict[str, Any]) -> str:
        what, shown = subject(table.dataset, self.zh), self.shown(table, values)
        return f"{what}（{shown}）" if self.zh else f"{what[:1].upper()}{what[1:]} ({shown})"

    def shown(self, table: Table, filters: dict[str, Any]) -> str:
        grain = [n for n in table.dataset.grain if n in filters]
        names = [*grain, *(n for n in filters if n not in grain)]
        parts = [
            f"{label(table.fields[n], self.zh) if n in table.fields else n} {self._value(filters[n])}"
            for n in names
        ]
        return ("，" if self.zh else ", ").join(parts)

    def _value(self, value: Any) -> str:
        if isinstance(value, dict):
            low, high = value.get("from"), value.get("to")
            if low is None or high is None:
                edge = low if high is None else high
                word = (
                    ("起" if high is None else "止") if self.zh else ("from " if high is None else "up to ")
                )
                return f"{edge}{word}" if self.zh else f"{word}{edge}"
            return f"{low} 至 {high}" if self.zh else f"{low} to {high}"
        if isinstance(value, list):
            return ("、" if self.zh else ", ").join(str(v) for v in value)
        return str(value)

    def search(self, query: str) -> str:
        return f"在知识库检索：{query}" if self.zh else f"Search the knowledge base: {query}"

    def report(self, fmt: str) -> str:
        kind = "Word" if fmt == "docx" else "HTML"
        return f"生成{kind}报告" if self.zh else f"Write the {kind} report"

    def derives(self, derives: list[Derive], fetches: list[Fetch]) -> list[str]:
        """One description a step, in their order; a step that works on an earlier one names what that one gave."""
        nouns: dict[str, str] = {}
        out = []
        for i, one in enumerate(derives):
            out.append(self._derive(one, fetches, nouns))
            nouns[f"d{i}"] = self._noun(one, fetches, nouns)
        return out

    def _derive(self, one: Derive, fetches: list[Fetch], nouns: dict[str, str]) -> str:
        by = "、".join(self._by(one, fetches)) if self.zh else ", ".join(self._by(one, fetches))
        sides = self._sides(one, fetches, nouns)
        what, noun = sides[0], self._noun(one, fetches, nouns)
        top = f"，前 {one.top} 名" if self.zh else f", top {one.top}"
        top = top if one.top else ""
        if one.operation == "rank":
            low = one.order == "asc"
            if self.zh:
                return f"按{what}从{'低到高' if low else '高到低'}排序{top}"
            return f"Rank by {what}, {'lowest' if low else 'highest'} first{top}"
        if one.operation == "count":
            if self.zh:
                return (f"按{by}计数" if by else "计数") + (f"，从多到少{top}" if one.order else "")
            return (f"Count by {by}" if by else "Count the rows") + (
                f", most first{top}" if one.order else ""
            )
        if one.operation in ("ratio", "product") and len(sides) > 1:
            sign = " / " if one.operation == "ratio" else " × "
            name = self.figure or _NOUN[one.operation][0 if self.zh else 1]
            return f"计算{name}：{sign.join(sides)}" if self.zh else f"Compute the {name}: {sign.join(sides)}"
        if one.operation == "correlate" and len(sides) > 1:
            return (
                f"{sides[0]}与{sides[1]}的相关性" if self.zh else f"Correlation of {sides[0]} and {sides[1]}"
            )
        if self.zh:
            verb = "看" if one.operation == "trend" else "计算"
            return f"按{by}{verb}{noun}" if by else f"{verb}{noun}"
        return f"Compute the {noun}" + (f" by {by}" if by else "")

    def _noun(self, one: Derive, fetches: list[Fetch], nouns: dict[str, str]) -> str:
        """What the step gives, as a noun that a later step can take up."""
        own = _NOUN[one.operation][0 if self.zh else 1]
        sides = self._sides(one, fetches, nouns)
        if one.operation in ("count", "correlate"):
            return own
        if one.operation in ("ratio", "product") and self.figure:
            return self.figure
        if one.operation == "rank":
            return sides[0]
        if len(sides) > 1 and sides[0] != sides[1]:
            return f"{sides[0]}与{sides[1]}的{own}" if self.zh else f"{own} between {sides[0]} and {sides[1]}"
        if self.zh:
            return f"{sides[0]}的{own}" if set(own[:2]) & set(sides[0]) else f"{sides[0]}{own}"
        return f"{own} of {sides[0]}"

    def _sides(self, one: Derive, fetches: list[Fetch], nouns: dict[str, str]) -> list[str]:
        found = []
        for step, name in one.inputs:
            table = _table(step, fetches)
            field = name or one.value
            if table is None:
                found.append(nouns.get(step, field or ""))
            elif field and field in table.fields:
                found.append(label(table.fields[field], self.zh))
            else:
                found.append("行" if self.zh else "rows")
        return found if any(n for _, n in one.inputs) else found[:1]

    def _by(self, one: Derive, fetches: list[Fetch]) -> list[str]:
        shown = []
        for name in one.by:
            plain, _, bucket = name.partition(":")
            f = next((f.table.fields[plain] for f in fetches if plain in f.table.fields), None)
            words = label(f, self.zh) if f else plain
            if bucket:
                words += f"（{_BUCKET[bucket]}）" if self.zh else f" ({bucket})"
            shown.append(words)
        return shown


def _table(step: str, fetches: list[Fetch]) -> Table | None:
    return next((f.table for f in fetches if step in f.ids), None)
