"""Side effects that the question asks for: which table writes them, and with which values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from planner.rules.english import stem
from planner.rules.fetch import Fetch
from planner.rules.free_values import FreeValue, attach
from planner.rules.lexicon import Lexicon, Table, units_of
from planner.rules.mentions import Mention
from planner.rules.numbers import find_numbers
from planner.rules.regions import Region
from planner.rules.text import Text, words_of
from planner.rules.vocabulary import pattern
from planner.times import TimeError, TimeSpan
from planner.times.atoms import fold

__all__ = ["Action", "find_action"]

_DO = pattern(
    r"帮我|请给|给它|给他|给她|提交|登记|下单|下一?单|开一?张|开单|开个|开具|发起|申请|补货|补\d|直接补|退掉|退款|退了|退货|扣住|冻结|停用|停掉|取消|创建|新建|发送|发一?[个条封]|通知|安排|预约|预订|派一?|派单|派人|"
    r"订\d|订一|下发|下达|关掉|关闭|锁定|锁住|放行|解除|升级|记一?[笔条个]|录入|写入|上报|报修|调[拨货]|采购|更换|换一|拦截|暂停|召回|加一?[单条]|追加|续[费约租]|催[办一]|立案|建一?[个张单条]|挂[起失]|转[给交派]|打标|标记|赔付|补发|重发|叫停",
    "record | submit | create | file | place | open | issue | raise | send | book | schedule | cancel | hold | refund | log | order | reorder | release | freeze | block | assign | notify | "
    "put in | put a | put it | request | register | escalate | reserve | dispatch | suspend | stop | reject | approve | return it | ship | replenish | restock | top up | transfer | flag | start | "
    "trigger | kick off | go ahead | make | get | set up | draft | ask | call | pull | quarantine | recall | lock | renew | extend | void | credit | compensate | pay",
)


@dataclass(slots=True)
class Action:
    table: Table
    values: dict[str, Any]
    conditional: bool


def find_action(
    text: Text,
    regions: list[Region],
    lexicon: Lexicon,
    mentions: list[Mention],
    frees: list[FreeValue],
    spans: list[TimeSpan],
) -> tuple[Table, list[Region], bool] | None:
    """The writing table, the stretch that orders it and whether a condition stands before it."""
    tables = [t for t in lexicon.tables.values() if t.side_effect]
    if not tables:
        return None
    ordered = [r for r in regions if r.role == "action"]
    if ordered:
        scored = sorted(((_score(t, text, ordered, mentions), t) for t in tables), key=lambda s: -s[0])
        score, table = scored[0]
        clause = " ".join(text.folded[r.start : r.end] for r in ordered)
        telling = _TELL.search(clause) is not None
        if not telling and (
            score >= 0.3
            or (_DO.search(clause) and (len(tables) == 1 or score > 0))
            or (score > 0 and _amount(table, text, ordered))
        ):
            return table, ordered, any(r.role == "condition" for r in regions)
    best: tuple[float, Table, Region] | None = None
    for region in regions:
        clause = text.folded[region.start : region.end]
        if region.role != "data":
            continue
        for table in tables:
            score = _score(table, text, [region], mentions)
            if (
                _imperative(clause, table)
                and _has_object(table, text, region, mentions, frees)
                and (best is None or score > best[0])
            ):
                best = (score, table, region)
    return (best[1], [best[2]], False) if best else None


_LEAD = re.compile(
    r"^(?:please|and|then|also|now|ok|okay|so|just|go ahead and|can you|could you|would you|i want (?:you )?to|i'd like (?:you )?to|let's|i need (?:you )?to|we need to)[\s,]+"
)
_LEAD_ZH = re.compile(
    r"^\s*(?:(?:并且?|然后|接着|同时)\s*)?(?:请|帮我?|麻烦|替我|直接|马上|立[即刻]|先|顺便|那?就|另外|再|给|把|将|申请|提交|发起)"
)


_VERBS = frozenset(
    [
        "refund",
        "cancel",
        "hold",
        "release",
        "freeze",
        "unfreeze",
        "block",
        "unblock",
        "submit",
        "create",
        "file",
        "place",
        "open",
        "issue",
        "raise",
        "send",
        "book",
        "schedule",
        "order",
        "reorder",
        "assign",
        "notify",
        "register",
        "escalate",
        "reserve",
        "dispatch",
        "suspend",
        "reject",
        "approve",
        "replenish",
        "restock",
        "transfer",
        "quarantine",
        "recall",
        "lock",
        "renew",
        "extend",
        "void",
        "credit",
        "compensate",
        "request",
        "put",
        "log",
        "flag",
        "reset",
        "grant",
        "revoke",
        "waive",
        "trigger",
        "record",
    ]
)
_ASKING_ZH = re.compile(
    r"^\s*(?:请|帮我?|麻烦|替我|给我?|再|先|顺便|另外|把)*\s*(?:查|看|算|列|找|调[取出]|拉|对比|比|分析|统计|核|告诉|说|写|做|出|整理|生成|排|汇总|翻)"
)


def _imperative(clause: str, table: Table) -> bool:
    """The clause orders something, with a verb that the table's own description uses."""
    own = _own_words(table)
    lead = clause.strip()
    while (match := _LEAD.match(lead)) is not None:
        lead = lead[match.end() :]
    first = re.match(r"[a-z]+", lead)
    if first:
        return first.group() in _VERBS and (stem(first.group()) in own or re.search(r"\d", lead) is not None)
    if not _LEAD_ZH.match(clause) or _ASKING_ZH.match(clause):
        return False
    verbs = {c for m in _DO.finditer(clause) for c in m.group() if "\u4e00" <= c <= "\u9fff"} - set(
        "帮我请给它他她一个条张单"
    )
    return bool(verbs & own) or any(c in own for c in _verb_characters(clause))


# "if it is closed, tell me who closed it" writes nothing
_TELL = re.compile(
    r"\b(?:tell|show|let me know|list|what|which|who|how|when|where|give me|pull up|also check)\b|告诉|列出|看看|查|说说|多少|哪"
)


def _amount(table: Table, text: Text, ordered: list[Region]) -> bool:
    """The order names a number, and the table takes one."""
    numeric = any(f.type in ("integer", "number", "money") for f in table.fields.values())
    return numeric and any(find_numbers(text.folded, r.start, r.end) for r in ordered)


def _verb_characters(clause: str) -> str:
    """The character behind 把…/给…: the verb of a Chinese order stands late; any of its characters may be it."""
    return "".join(c for c in clause if c in "补退扣停冻封派催订开发建换修调拦取")


def _own_words(table: Table) -> set[str]:
    texts = [
        table.dataset.name.replace("_", " "),
        table.dataset.description,
        *table.dataset.synonyms,
        table.holders[0].description,
    ]
    words = {w.stem for t in texts for w in words_of(fold(t))}
    return words | {c for t in texts for c in t if "\u4e00" <= c <= "\u9fff"}


def _has_object(
    table: Table, text: Text, region: Region, mentions: list[Mention], frees: list[FreeValue]
) -> bool:
    """An id, or a listed value of the table, in the clause."""
    if any(region.holds(m.start) and m.values(table.key) for m in mentions):
        return True
    return any(region.holds(f.start) and f.kind == "id" and attach(f, table, mentions, text) for f in frees)


def _score(table: Table, text: Text, regions: list[Region], mentions: list[Mention]) -> float:
    score = 0.0
    for m in mentions:
        if any(r.holds(m.start) for r in regions):
            for kind, key, _, _ in m.targets:
                if key == table.key:
                    score += {"dataset": 1.0, "value": 0.3, "field": 0.25, "source": 0.7}[kind] * m.weight
                    break
    clause = " ".join(text.folded[r.start : r.end] for r in regions)
    units = set(units_of(clause))
    score += sum(table.bag.get(u, 0.0) for u in units) * 0.5
    own = {
        c for c in table.dataset.description + table.holders[0].description if "\u4e00" <= c <= "\u9fff"
    } - set("的新建一个单为会真正下用对给")
    score += 0.12 * len({c for c in clause if c in own})
    return score


def action_values(
    table: Table,
    text: Text,
    ordered: list[Region],
    mentions: list[Mention],
    frees: list[FreeValue],
    spans: list[TimeSpan],
    fetches: list[Fetch],
) -> dict[str, Any]:
    """Said in the order itself, else fixed by the question, else the value that an earlier step will bring."""
    values: dict[str, Any] = {}
    inside = [m for m in mentions if any(r.holds(m.start) for r in ordered)]
    for m in inside:
        for name, value in m.values(table.key):
            values.setdefault(name, value)
    used: list[tuple[int, int]] = [(m.start, m.end) for m in inside if m.is_value]
    for free in [*(f for f in frees if any(r.holds(f.start) for r in ordered)), *frees]:
        place = attach(free, table, mentions, text)
        if place and place[0] not in values and place[1] >= 0.4:
            values[place[0]] = free.text
            used.append((free.start, free.end))
    for m in mentions:
        for name, value in m.values(table.key):
            if not any(
                name in f.table.fields
                and name not in f.filters[0]
                and m.is_value
                and _in_condition(m, ordered)
                for f in fetches
            ):
                values.setdefault(name, value)
    _numbers(table, text, ordered, used, spans, values)
    _times(table, ordered, spans, values)
    for fetch in fetches:
        for name in table.fields:
            if name in values or name not in fetch.table.fields:
                continue
            fixed = fetch.filters[0].get(name) if len(fetch.filters) == 1 else None
            if fixed is not None and not isinstance(fixed, list | dict):
                values[name] = fixed
            elif name in table.dataset.grain and len(fetch.ids) == 1:
                values[name] = f"{{{{{fetch.ids[0]}.rows[0].{name}}}}}"
    return {name: value for name, value in values.items() if name in table.fields}


def _in_condition(m: Mention, ordered: list[Region]) -> bool:
    return False


def _numbers(
    table: Table,
    text: Text,
    ordered: list[Region],
    used: list[tuple[int, int]],
    spans: list[TimeSpan],
    values: dict[str, Any],
) -> None:
    numeric = [
        f
        for f in table.fields.values()
        if f.type in ("integer", "number", "money", "percent") and f.name not in values
    ]
    taken = [*used, *((s.start, s.end) for s in spans)]
    for region in ordered:
        for number in find_numbers(text.folded, region.start, region.end):
            if numeric and not any(number.start < b and a < number.end for a, b in taken):
                f = numeric.pop(0)
                values[f.name] = int(number.value) if number.value.is_integer() else number.value


def _times(table: Table, ordered: list[Region], spans: list[TimeSpan], values: dict[str, Any]) -> None:
    for f in table.time_fields:
        for span in spans:
            if f.name not in values and span.dated and any(r.holds(span.start) for r in ordered):
                try:
                    value = span.as_filter(f.type)
                except TimeError:
                    continue
                if not isinstance(value, dict | list):
                    values[f.name] = value
