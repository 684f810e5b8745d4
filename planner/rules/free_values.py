"""Values that no catalogue lists: ids, quoted names, names behind the word for their field."""

from __future__ import annotations

import re
from dataclasses import dataclass

from planner.rules.english import STOP, stem
from planner.rules.lexicon import Table
from planner.rules.mentions import Mention
from planner.rules.text import Text

__all__ = ["FreeValue", "attach", "find_free_values"]

_ID = re.compile(r"(?<![a-z0-9_\-/.])#?(?=[a-z0-9_/.\-]*\d)[a-z0-9]+(?:[-_/.][a-z0-9]+)*(?![a-z0-9_])")
_NO_ID = re.compile(
    r"[vq]\d[\d.]*|h[12]|\d+(?:st|nd|rd|th)|\d+(?:\.\d+)?(?:km|kg|g|m|cm|mm|k|h|hrs?|min|mins|gb|mb|kwh|mwh|pm|am|x|s|t|l|ml|w|kw|mw|bn|mn|usd|eur|rmb|cny)|"
    r"\d+(?:\.\d+)+|\d+/\d+|(?:top|bottom|mid|early|late|pre|post|past|last|next|sub|over|under)[-_]?\d+|b2[bc]|[a-z]?\d[a-z]?|\d+-(?:day|week|month|year|hour|minute|point|star|page|digit)s?"
)
_UNIT_BEHIND = re.compile(
    r"\s*(?:%|％|元|块|万|千|百|亿|公里|小时|分钟|天|日|号楼|盒|件|个|台|份|人|吨|瓶|次|条|名|家|位|岁|月|年|周|季|成|点|度|倍|以内|以下|以上|percent|days?\b|hours?\b|minutes?\b|"
    r"weeks?\b|months?\b|years?\b|units?\b|boxes\b|pieces\b|points?\b|people\b|km\b|kg\b|k\b|m\b)"
)
_COMPARE_BEFORE = re.compile(
    r"(?:[$¥€£<>=≥≤~]|top|last|past|than|over|under|above|below|about|around|least|most|exceeds?|前|近|最近|过去|超过|低于|高于|不到|大于|小于|少于|不足|达到|预算|v|版本|version|within|in|of|for)\s*$"
)
_QUOTED = re.compile(r"[「『“\"‘《]([^」』”\"’》]{1,40})[」』”\"’》]|(?<![a-z])'([^']{2,40})'(?![a-z])")
_NAME = re.compile(
    r"(?<![A-Za-z])(?:[A-Z][A-Za-z&.'-]*|[A-Z]{2,})(?:\s+(?:[A-Z][A-Za-z&.'-]*|[A-Z]{2,}|de|of|van|&))*(?![A-Za-z])"
)


@dataclass(frozen=True, slots=True)
class FreeValue:
    start: int
    end: int
    text: str
    kind: str  # "id", "quoted", "name"


def find_free_values(text: Text, mentions: list[Mention], taken: list[tuple[int, int]]) -> list[FreeValue]:
    sure = [m for m in mentions if m.weight >= (0.8 if m.is_value else 0.95) and len(m.text) > 1]
    found: list[FreeValue] = []

    def free(start: int, end: int, *, by: list[Mention] = sure) -> bool:
        used = [*taken, *((m.start, m.end) for m in by), *((f.start, f.end) for f in found)]
        return not any(start < b and a < end for a, b in used)

    for match in _ID.finditer(text.folded):
        start, end = match.span()
        # NCR-26-0418 is an id, though a table is called ncr
        if not free(start, end, by=[m for m in sure if m.is_value or m.start > start or m.end >= end]):
            continue
        body = text.question[start:end].lstrip("#")
        start = end - len(body)
        if body.isdigit():
            hash_before = text.folded[start - 1 : start] == "#"
            beside = any(
                m.of("field") and m.end <= start and not text.folded[m.end : start].strip(" 是为:：")
                for m in mentions
            )
            if len(body) < 4 and not (hash_before or beside or _is_named(text.folded, start)):
                continue
            if _UNIT_BEHIND.match(text.folded[end:]) or (
                not hash_before and _COMPARE_BEFORE.search(text.folded[:start]) and len(body) < 6
            ):
                continue
        elif _UNIT_BEHIND.fullmatch(re.sub(r"^[\d.,]+", "", body)) or re.fullmatch(
            r"[vq]\d[\d.]*", body.lower()
        ):
            continue
        found.append(FreeValue(start, end, body, "id"))
    for match in _QUOTED.finditer(text.question):
        group = 1 if match[1] else 2
        if free(*match.span(group)):
            found.append(FreeValue(*match.span(group), match[group], "quoted"))
    for match in _NAME.finditer(text.question):
        start, end = match.span()
        body = match.group()
        words = body.split()
        first = start == 0 or re.search(r"[.?!:;。？！：]\s*$", text.question[:start]) is not None
        if first and len(words) == 1:
            continue
        if (first and stem(words[0]) in STOP | {"compar", "rank", "list"}) or words[0].lower() in STOP:
            start += len(words[0]) + 1
            body = text.question[start:end]
        body = re.sub(r"(?:'s?|[.&'-]+)$", "", body)
        if len(body) < 2 or body.lower() in STOP or not free(start, start + len(body)):
            continue
        found.append(FreeValue(start, start + len(body), body, "name"))
    return sorted(found, key=lambda f: f.start)


def _is_named(folded: str, start: int) -> bool:
    """A short token counts as an id behind a number sign or 'no.'"""
    return re.search(r"(?:#|no\.?|number|编号|号)\s*$", folded[:start]) is not None


def attach(value: FreeValue, table: Table, mentions: list[Mention], text: Text) -> tuple[str, float] | None:
    """The field of the table that the value fills, and how sure that is (0..1)."""
    best: tuple[str, float] | None = None
    candidates = [
        f
        for f in table.fields.values()
        if f.type in ("text", "integer") and not f.values and not table.is_year(f)
    ]
    for f in candidates:
        if f.type == "integer" and not value.text.isdigit():
            continue
        identity = f in table.identities
        if f.type == "integer" and not identity:
            continue
        score = 0.0
        near = _nearness(value, f.name, table, mentions, text)
        if value.kind == "id":
            score = (
                (0.45 if identity else 0.1)
                + near
                + (0.2 * _prefix(value.text, f.name, table) if identity else 0)
            )
            if not identity and near == 0:
                continue
        elif value.kind == "quoted":
            score = 0.4 + near - (0.2 if identity and f.name in table.dataset.grain and table.record else 0)
        else:
            if near == 0:
                continue
            score = 0.2 + near
        if best is None or score > best[1] + 1e-9:
            best = (f.name, score)
    return best


def _nearness(value: FreeValue, field: str, table: Table, mentions: list[Mention], text: Text) -> float:
    """0.5 beside the word for the field, less with a few characters between."""
    best = 0.0
    for m in mentions:
        if field not in m.fields(table.key):
            continue
        if m.start <= value.start and value.end <= m.end:
            continue
        gap = text.folded[m.end : value.start] if m.end <= value.start else text.folded[value.end : m.start]
        if re.search(r"[,，。;；?？!！]", gap):
            continue
        distance = len(gap.strip())
        if distance <= 1:
            best = max(best, 0.5 * min(1, m.weight + 0.2))
        elif distance <= 6:
            best = max(best, 0.25 * m.weight)
    return best


def _prefix(value: str, field: str, table: Table) -> float:
    """'CP-20871' with a table of complaints: the letters of the id begin a word of the table or the field."""
    letters = re.match(r"[A-Za-z]+", value)
    if not letters:
        return 0.0
    prefix = letters.group().lower()
    names = [table.dataset.name.lower(), field.lower(), *(w for w in field.lower().split("_"))]
    if any(n.startswith(prefix) for n in names):
        return 1.0
    if any(_subsequence(prefix, n) for n in names if n and n[0] == prefix[0]):
        return 0.6
    return 0.0


def _subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(c in letters for c in short)
