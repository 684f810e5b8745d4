"""Which part of the question is for the documents, and which document source holds them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from planner.rules.choose import STRONG
from planner.rules.english import GENERIC
from planner.rules.free_values import FreeValue
from planner.rules.lexicon import GENERIC_ZH, Lexicon, Table, units_of
from planner.rules.mentions import Mention
from planner.rules.queries import document_query
from planner.rules.regions import Region
from planner.rules.text import Text, is_cjk
from planner.rules.vocabulary import (
    DOCUMENT_ASK,
    DOCUMENT_MUST,
    DOCUMENT_NOUN,
    OPERATIONS,
    REPORT,
    REPORT_ANY,
)
from planner.times import TimeSpan

__all__ = ["DocumentAsk", "read_documents"]


@dataclass(slots=True)
class DocumentAsk:
    """`only`: the whole question is a knowledge question. `regions` are indexes of the clauses for the documents."""

    table: Table | None
    query: str
    only: bool
    regions: set[int]
    cue: bool
    spots: list[tuple[int, int]] = field(default_factory=list)  # what of the question the query carries

    @property
    def beside(self) -> bool:
        """Wanted beside the data, though no clause is for the documents alone."""
        return bool(self.spots) and not self.regions


def read_documents(
    text: Text,
    regions: list[Region],
    lexicon: Lexicon,
    mentions: list[Mention],
    spans: list[TimeSpan],
    frees: list[FreeValue],
) -> DocumentAsk:
    tables = [t for t in lexicon.tables.values() if t.document]
    if not tables:
        return DocumentAsk(None, "", False, set(), False)
    dated = [s for s in spans if s.dated or s.kind in ("yoy", "pop", "each")]
    ids = [f for f in frees if f.kind == "id"]
    scores = [_Clause.read(text, r, tables, lexicon, mentions, dated, ids) for r in regions]
    chosen: set[int] = set()
    for i, (region, s) in enumerate(zip(regions, scores, strict=True)):
        if region.role in ("action", "else"):
            continue
        follows = bool(chosen) and i - 1 in chosen and not s.measure and not s.fixed and region.role == "data"
        if (
            (s.noun and not (s.measure and s.fixed))
            or (s.ask and not s.measure and not s.fixed)
            or s.must
            or follows
        ):
            chosen.add(i)
    cue = any(s.noun or s.ask for s in scores) or _named(text.folded, tables, lexicon)
    data = [i for i, s in enumerate(scores) if i not in chosen and (s.measure or s.fixed or s.value)]
    firm = [i for i in data if scores[i].fixed or (scores[i].measure and not _asks_documents_only(scores, i))]
    only = bool(chosen) and not firm and not (dated and any(scores[i].measure for i in data))
    if only:
        chosen = set(range(len(regions)))
    taken = [(s.start, s.end) for s in dated] + [(f.start, f.end) for f in ids]
    if not chosen and (more := related(text, tables, mentions, taken)):
        return DocumentAsk(more[0], more[1], False, set(), cue, more[2])
    query, spots = text.question.strip(), list[tuple[int, int]]()
    if chosen and not only:
        query, spots = _query(text, regions, chosen, mentions, taken)
    return DocumentAsk(_best(tables, query), query, only, chosen, cue, spots)


def _asks_documents_only(scores: list[_Clause], i: int) -> bool:
    """A measure's word in a clause without time, id or value, beside clauses that ask for rules."""
    return not scores[i].fixed and not scores[i].value and not scores[i].asks_amount


@dataclass(slots=True)
class _Clause:
    noun: bool
    ask: bool
    must: bool
    measure: bool
    value: bool
    fixed: bool
    asks_amount: bool

    @classmethod
    def read(
        cls, text: Text, region: Region, tables: list[Table], lexicon: Lexicon, mentions: list[Mention], dated: list[TimeSpan],
        ids: list[FreeValue],
    ) -> _Clause:  # fmt: skip
        clause = text.folded[region.start : region.end]
        inside = [m for m in mentions if region.holds(m.start)]
        report = any(words.search(clause) for words in (*REPORT.values(), REPORT_ANY))
        noun = not report and (
            DOCUMENT_NOUN.search(clause) is not None
            or (DOCUMENT_ASK.search(clause) is not None and _named(clause, tables, lexicon))
        )
        measure = any(
            m.weight >= STRONG
            and m.text not in GENERIC_ZH
            and m.text.lower() not in GENERIC
            and _asks_number(m, lexicon)
            for m in inside
        )
        fixed = any(region.holds(s.start) for s in dated) or any(region.holds(f.start) for f in ids)
        amount = any(w in clause for w in ("多少", "几", "how many", "how much", "list", "which", "哪"))
        return cls(
            noun=noun,
            ask=DOCUMENT_ASK.search(clause) is not None,
            must=DOCUMENT_MUST.search(clause) is not None and not fixed and not amount,
            measure=measure,
            value=any(m.is_value and m.weight >= 0.7 for m in inside),
            fixed=fixed,
            asks_amount=amount,
        )


def _asks_number(m: Mention, lexicon: Lexicon) -> bool:
    for kind, key, name, _ in m.targets:
        table = lexicon.tables.get(key)
        if table is None or not table.readable:
            continue
        if kind == "dataset" or (
            kind == "field" and (table.measure(name) or name not in table.dataset.grain)
        ):
            return True
    return False


def _named(clause: str, tables: list[Table], lexicon: Lexicon) -> bool:
    """A unit that stands in a document source's description and in no table's words."""
    others: set[str] = set()
    for table in lexicon.tables.values():
        if not table.document:
            others |= set(table.bag)
    own = {u for t in tables for u in t.bag if u not in others and u not in GENERIC and u not in GENERIC_ZH}
    asked = set(units_of(clause)) - {
        u for words in OPERATIONS.values() for m in words.finditer(clause) for u in units_of(m.group())
    }
    return any(u in own and (len(u) > 3 or not u.isascii()) for u in asked)


_QUESTION = re.compile(
    r"[?？]|什么|怎么|哪|多少|几|吗|咋|说|写|规定|翻|查|what|how|which|when|who|say|look|check|find"
)
_JOINT = re.compile(r"^\s*(?:并且?|另外|同时|顺便|再|以及|还有|此外|and|then|also|plus)\s*")


def _query(
    text: Text, regions: list[Region], chosen: set[int], mentions: list[Mention], taken: list[tuple[int, int]]
) -> tuple[str, list[tuple[int, int]]]:
    """The clauses for the documents, one after the other."""
    rest = [
        (r.start, r.end) for i, r in enumerate(regions) if i not in chosen and r.role in ("data", "condition")
    ]
    parts: list[list[int]] = []
    for i in sorted(chosen):
        if parts and parts[-1][-1] == i - 1:
            parts[-1].append(i)
        else:
            parts.append([i])
    pieces: list[str] = []
    spots: list[tuple[int, int]] = []
    for run in parts:
        part = _without_joint(text, regions[run[0]].start, regions[run[-1]].end)
        query, used = document_query(text, part, [] if pieces else rest, mentions, taken)
        pieces.append(query)
        spots += used
    return ("，" if is_cjk(text.question) else ", ").join(pieces), spots


def _without_joint(text: Text, start: int, end: int) -> tuple[int, int]:
    joint = _JOINT.match(text.folded[start:end])
    return (start + joint.end() if joint else start), end


# what is asked about, what a document source must say that it holds, and whether only an analysis wants it
_RELATED = [
    (
        re.compile(r"上线|版本|发布|升级|\brelease|\bversion|\blaunch|\brollout"),
        re.compile(r"发布|版本|release|changelog"),
        True,
    ),
    (
        re.compile(
            r"(?:审批|评审|审核|核准|合规)(?:的)?(?:结论|意见|结果)|该不该批|能不能批|\bapproval decision|\bdecide whether|\bverdict|\beligib"
        ),
        re.compile(r"审批|评审|审核|制度|准入|approval|lending|polic|rules"),
        False,
    ),
]
_WHY = re.compile(r"分析|原因|为什么|为何|关联|\bwhy\b|\banaly[sz]|\bexplain|\breason")


def related(
    text: Text, tables: list[Table], mentions: list[Mention], taken: list[tuple[int, int]]
) -> tuple[Table, str, list[tuple[int, int]]] | None:
    """An analysis that touches a release wants the release notes beside the figures; a decision wants its rules."""
    for asked, held, analysis in _RELATED:
        if analysis and not _WHY.search(text.folded):
            continue
        for start, end in text.clauses:
            if not asked.search(text.folded[start:end]):
                continue
            for table in tables:
                if held.search(f"{table.holders[0].description} {table.dataset.description}".lower()):
                    part = _without_joint(text, start, end)
                    rest = [c for c in text.clauses if c != (start, end)]
                    return table, *document_query(text, part, rest, mentions, taken)
    return None


def _best(tables: list[Table], query: str) -> Table:
    units = set(units_of(query))
    return max(tables, key=lambda t: (sum(t.bag.get(u, 0.0) for u in units), t.holders[0].trust))
