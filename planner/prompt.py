"""What the local model reads: the catalogue once, then a question, and the plan that it goes on with.

    returns@bi_sales 各产品各区域月度退货率: 产品=product{A|B|C} 月份=month:m 退货率/return rate=returns.return_rate:%
    #handbook 制度与手册
    !apply_refund 办理退款: 订单号=order_id 金额=amount:$

    Q: A产品上个月[T1m]退货率多少
    D: returns return_rate | product=A month=T1
    P: returns return_rate | product=A month=T1

Words that people use stand before names; a field that an earlier line explained is only named again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from planner.catalogue import Catalogue, Field
from planner.compact import CompactPlan, DocumentLine, collapse, read_plan, show_plan
from planner.compact.tags import tag, taggable
from planner.errors import PlanError
from planner.rules.lexicon import Lexicon, Table
from planner.rules.planner import RulePlanner
from planner.times import TimeSpan

__all__ = [
    "PLAN_END",
    "catalogue_prefix",
    "flat",
    "question_part",
    "read_flat",
    "rule_draft",
    "tagged_question",
]

PLAN_END = "\n"  # what the model writes behind a plan
_TYPES = {
    "month": "m", "quarter": "q", "date": "d", "datetime": "t", "percent": "%", "money": "$", "number": "n",
    "integer": "n", "bool": "b",
}  # fmt: skip
_UNITS = {"day": "d", "week": "w", "month": "m", "quarter": "q", "half": "h", "year": "y"}
_VALUES = 12  # listed values shown a field
_WORDS = 3  # synonyms shown a field
_DESCRIPTION = 40  # characters of a description
_CHINESE, _LATIN = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[A-Za-z]+")
_MARK = re.compile(r"[^\sA-Za-z\u4e00-\u9fff]")
_SPLIT = re.compile(r'("(?:[^"\\]|\\.)*")|\s;\s')


def catalogue_prefix(catalogue: Catalogue, lexicon: Lexicon | None = None) -> str:
    """One line a dataset, in the catalogue's order, each ended by a line feed. `lexicon` is the catalogue's,
    where it is at hand."""
    return tables_prefix((lexicon or Lexicon(catalogue)).tables.values())


def tables_prefix(tables: Iterable[Table]) -> str:
    """The same of some of a catalogue's datasets."""
    ordered = sorted(tables, key=lambda t: 2 if t.document else 1 if t.side_effect else 0)
    shared = {s.name: s for t in ordered if len(t.holders) > 1 for s in t.holders}
    rows = [f"@{s.name} {_cut(s.description)}".rstrip() for s in shared.values()]
    explained: dict[str, Field] = {}
    rows += [_row(table, explained) for table in ordered]
    return "\n".join(rows) + "\n"


def tokens_about(text: str) -> int:
    """How many tokens the model cuts it into: within a tenth on catalogues (measured on 81 of them)."""
    chinese, other = len(_CHINESE.findall(text)), len(_MARK.findall(text))
    return round(0.87 * chinese + 1.07 * len(_LATIN.findall(text)) + 1.04 * other)


def _row(table: Table, explained: dict[str, Field]) -> str:
    holders = ",".join(s.name for s in table.holders)
    if table.document:
        return f"#{holders} {_cut(table.holders[0].description or table.dataset.description)}"
    name = f"!{table.dataset.name}" if table.side_effect else f"{table.dataset.name}@{holders}"
    fields = " ".join(_field(f, table, explained) for f in table.fields.values())
    return f"{name} {_cut(table.dataset.description)}".rstrip() + f": {fields}"


def _field(field: Field, table: Table, explained: dict[str, Field]) -> str:
    qualified = f"{table.dataset.name}.{field.name}" if table.measure(field.name) else field.name
    kind = f":{_TYPES[field.type]}" if field.type in _TYPES else ""
    before = explained.setdefault(field.name, field)
    if before is not field and (before.synonyms, before.values) == (field.synonyms, field.values):
        return qualified + kind
    words = "/".join(field.synonyms[:_WORDS])
    values = "|".join(_value(v, field) for v in field.values[:_VALUES])
    more = "|…" if len(field.values) > _VALUES else ""
    return (f"{words}=" if words else "") + qualified + kind + (f"{{{values}{more}}}" if values else "")


def _value(value: str, field: Field) -> str:
    """A listed value, with its first other word where it has one."""
    others = field.value_synonyms.get(value, ())
    return f"{value}={others[0]}" if others else value


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _DESCRIPTION else plain[:_DESCRIPTION].rstrip() + "…"


def tagged_question(question: str, spans: Sequence[TimeSpan]) -> str:
    """The question on one line, with `[T1m]` behind each time expression: its number and its unit."""
    pieces, reached = [], 0
    numbered = sorted(enumerate(taggable(spans), 1), key=lambda pair: (pair[1].end, pair[0]))
    for number, span in numbered:
        pieces += [question[reached : span.end], f"[T{number}{_UNITS[span.unit]}]"]
        reached = max(reached, span.end)
    return " ".join("".join([*pieces, question[reached:]]).split())


def question_part(
    question: str, spans: Sequence[TimeSpan], draft: CompactPlan | None, failures: Sequence[object] = ()
) -> str:
    """What follows the prefix; the model goes on with a flat plan and PLAN_END. `draft` has its times as tags.
    `failures` are told on a line of their own, where the rest of a run is planned."""
    drafted = flat(draft) if draft is not None else "-"
    told = f"\nX: {' ; '.join(map(str, failures))}" if failures else ""
    return f"\nQ: {tagged_question(question, spans)}{told}\nD: {drafted}\nP: "


def rule_draft(
    rules: RulePlanner, question: str, today: date, spans: Sequence[TimeSpan], catalogue: Catalogue
) -> CompactPlan | None:
    """The rules' plan as a draft with tags; None where they have none, or one that has no compact form."""
    plan = rules.propose(question, today).plan
    if plan is None:
        return None
    try:
        compact = collapse(plan, catalogue)
        read_plan(show_plan(compact))
        return tag(compact, spans, today, catalogue)
    except PlanError:
        return None


def flat(plan: CompactPlan) -> str:
    """The compact plan on one line, ` ; ` between its lines."""
    if plan.missing is not None:
        return f"? {' '.join(plan.missing.split())}"
    rows = []
    for line, row in zip(plan.lines, show_plan(plan).split("\n"), strict=True):
        text = " ".join(row.split())
        rows.append(text.replace(" ; ", "; ") if isinstance(line, DocumentLine) else text)
    return " ; ".join(rows)


def read_flat(text: str) -> CompactPlan:
    """Raises PlanError on what is not in the language."""
    if text.lstrip().startswith("?"):
        return read_plan(text)
    return read_plan(_SPLIT.sub(lambda m: m[1] or "\n", text.strip()))
