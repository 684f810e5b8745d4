"""The compact language: a step a line, numbered from 1 in their order.

    returns return_rate | product=A region=华东,华北 month=2024-01..2024-03     fetch: dataset, columns | filters
    returns@bi_support return_rate                                              of one particular holder
    #handbook 物流服务商变更                                                      documents: source, query
    = rank 1.return_rate by region top 3 asc                                    derive: operation, operands
    !apply_refund order_id=88231 amount=1.amount if 1.status=已签收              write; any line may end in a condition
    > docx                                                                      report
    ? no dataset speaks of the weather                                          the catalogue cannot answer

A value `1.order_id` is taken from an earlier step. Values are bare words, or "quoted" where they hold a blank, a comma, `..`, `|` or a quote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from planner.built_in_params import OPERATIONS
from planner.errors import PlanError

__all__ = [
    "CompactPlan",
    "DeriveLine",
    "DocumentLine",
    "FetchLine",
    "Line",
    "Operand",
    "Range",
    "ReportLine",
    "WriteLine",
    "quote",
    "read_plan",
    "show_plan",
]


@dataclass(frozen=True, slots=True)
class Range:
    """Both ends inclusive; None is open."""

    low: str | None
    high: str | None


@dataclass(frozen=True, slots=True)
class Operand:
    """`step` counts from 1; `field` None is the whole result."""

    step: int
    field: str | None = None


Asked = tuple[str, ...] | Range  # one value or several, or a range
Filters = Mapping[str, Asked]


@dataclass(frozen=True, slots=True)
class FetchLine:
    dataset: str
    source: str | None = None
    columns: tuple[str, ...] = ()
    filters: Filters = field(default_factory=dict)
    when: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentLine:
    source: str
    query: str
    when: str | None = None


@dataclass(frozen=True, slots=True)
class DeriveLine:
    operation: str
    operands: tuple[Operand, ...]
    by: tuple[str, ...] = ()
    top: int | None = None
    order: str | None = None
    when: str | None = None


@dataclass(frozen=True, slots=True)
class WriteLine:
    """A value is a text, or an Operand where it is taken from an earlier step."""

    dataset: str
    values: Mapping[str, str | Operand] = field(default_factory=dict)
    when: str | None = None


@dataclass(frozen=True, slots=True)
class ReportLine:
    format: str
    when: str | None = None


Line = FetchLine | DocumentLine | DeriveLine | WriteLine | ReportLine


@dataclass(frozen=True, slots=True)
class CompactPlan:
    """`missing` says why there are no lines."""

    lines: tuple[Line, ...] = ()
    missing: str | None = None


_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,"]+|,|\s+')
_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|(?:(?!\.\.)[^\s,"])+')
_RANGE = re.compile(rf"(?!\.\.$)({_VALUE.pattern})?\.\.({_VALUE.pattern})?", re.DOTALL)
_LIST = re.compile(rf"(?:{_VALUE.pattern})(?:,(?:{_VALUE.pattern}))*", re.DOTALL)
_BARE = re.compile(r'[^\s,"|.](?:[^\s,"|]*[^\s,"|.])?')
_OPERAND = re.compile(r"(\d{1,2})(?:\.(\S+))?")
_IF = re.compile(r'(?:^|\s)if\s+(?=(?:[^"]|"(?:[^"\\]|\\.)*")*$)(?=(?:not\s+)?\(?\s*\d)')


def quote(value: str) -> str:
    """The value as it stands in a line."""
    if _BARE.fullmatch(value) and ".." not in value and value not in ("by", "top", "if"):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _unquote(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def read_plan(text: str) -> CompactPlan:
    """Raises PlanError, which names the line, on what is not in the language."""
    rows = [row.strip() for row in text.strip().splitlines() if row.strip()]
    if not rows:
        raise PlanError("an empty plan")
    if rows[0].startswith("?"):
        if len(rows) > 1:
            raise PlanError("a plan that cannot be made has one line, '? what is missing'")
        return CompactPlan((), rows[0][1:].strip() or "not said")
    return CompactPlan(tuple(_read_line(row, number) for number, row in enumerate(rows, 1)))


def _read_line(row: str, number: int) -> Line:
    where = f"line {number}"
    when = None
    found = list(_IF.finditer(row)) if not row.startswith("#") or " if " in row else []
    if found:
        row, when = row[: found[-1].start()].strip(), row[found[-1].end() :].strip()
    if row.startswith("#"):
        source, _, query = row[1:].strip().partition(" ")
        if not query.strip():
            raise PlanError(f"{where}: a query is needed: #{source or 'source'} what to look for")
        return DocumentLine(source, query.strip(), when)
    if row.startswith("="):
        return _read_derive(row[1:].strip(), where, when)
    if row.startswith("!"):
        dataset, _, rest = row[1:].strip().partition(" ")
        values: dict[str, str | Operand] = {}
        for name, asked in _read_filters(rest, where).items():
            if isinstance(asked, Range):
                raise PlanError(f"{where}: {name}: a range cannot be written")
            taken = _OPERAND.fullmatch(asked[0]) if len(asked) == 1 else None
            values[name] = (
                Operand(int(taken[1]), taken[2])
                if taken and taken[2] and not taken[2].isdigit()
                else ",".join(asked)
            )
        return WriteLine(dataset, values, when)
    if row.startswith(">"):
        fmt = row[1:].strip()
        if fmt not in ("docx", "html"):
            raise PlanError(f"{where}: {fmt!r}: a report is docx or html")
        return ReportLine(fmt, when)
    head, _, rest = row.partition("|")
    name, _, columns = head.strip().partition(" ")
    dataset, _, source = name.partition("@")
    if not dataset or "=" in head:
        raise PlanError(f"{where}: {row[:60]!r}: a dataset is needed first, filters come behind |")
    listed = tuple(c for c in (c.strip() for c in columns.split(",")) if c)
    return FetchLine(dataset, source or None, listed, _read_filters(rest, where), when)


def _read_filters(text: str, where: str) -> dict[str, Asked]:
    found: dict[str, Asked] = {}
    for piece in _split(text):
        name, equals, value = piece.partition("=")
        if not equals or not name or not value:
            raise PlanError(f"{where}: {piece[:60]!r}: field=value is needed")
        if name in found:
            raise PlanError(f"{where}: {name}: filtered twice")
        found[name] = _read_value(value, where)
    return found


def _read_value(value: str, where: str) -> Asked:
    if found := _RANGE.fullmatch(value):
        return Range(*(None if end is None else _unquote(end) for end in found.groups()))
    if _LIST.fullmatch(value):
        return tuple(_unquote(v) for v in _VALUE.findall(value))
    if ".." in value and "," in value:
        raise PlanError(f"{where}: {value[:60]!r}: a list of ranges; write a fetch line for each")
    raise PlanError(f"{where}: {value[:60]!r}: a value, a list a,b or a range a..b is needed")


def _split(text: str) -> list[str]:
    """Blank-separated pieces; a quoted value may hold blanks, and one may stand after a comma."""
    out, current = [], ""
    for piece in _PIECE.findall(text):
        if piece.isspace() and not current.endswith(","):
            if current:
                out.append(current)
            current = ""
        elif not piece.isspace():
            current += piece
    return [*out, current] if current else out


def _read_derive(text: str, where: str, when: str | None) -> DeriveLine:
    words = text.split()
    if not words or words[0] not in OPERATIONS:
        raise PlanError(f"{where}: {text[:40]!r}: an operation is needed: {', '.join(OPERATIONS)}")
    operands: list[Operand] = []
    by: tuple[str, ...] = ()
    top: int | None = None
    order: str | None = None
    rest = iter(words[1:])
    for word in rest:
        operand = _OPERAND.fullmatch(word)
        if word in ("asc", "desc"):
            order = word
        elif word == "by":
            by = tuple(n for n in next(rest, "").split(",") if n)
            if not by:
                raise PlanError(f"{where}: fields are needed behind 'by'")
        elif word == "top":
            count = next(rest, "")
            if not count.isdigit() or int(count) < 1:
                raise PlanError(f"{where}: a number is needed behind 'top'")
            top = int(count)
        elif operand:
            operands.append(Operand(int(operand[1]), operand[2]))
        else:
            raise PlanError(f"{where}: {word!r}: a step such as 1 or 1.field, 'by', 'top', asc or desc")
    if not operands:
        raise PlanError(f"{where}: a step is needed, such as 1 or 1.field")
    return DeriveLine(words[0], tuple(operands), by, top, order, when)


def show_plan(plan: CompactPlan) -> str:
    """The text of a plan; `read_plan` gives it back."""
    if plan.missing is not None:
        return f"? {plan.missing}"
    return "\n".join(_show(line) + (f" if {line.when}" if line.when else "") for line in plan.lines)


def _show(line: Line) -> str:
    match line:
        case FetchLine():
            name = line.dataset + (f"@{line.source}" if line.source else "")
            head = f"{name} {','.join(line.columns)}" if line.columns else name
            return f"{head} | {_show_filters(line.filters)}" if line.filters else head
        case DocumentLine():
            return f"#{line.source} {line.query}"
        case DeriveLine():
            parts = ["=", line.operation, *(_show_operand(o) for o in line.operands)]
            parts += ["by", ",".join(line.by)] if line.by else []
            parts += ["top", str(line.top)] if line.top else []
            return " ".join([*parts, line.order] if line.order else parts)
        case WriteLine():
            pairs = [
                f"{n}={_show_operand(v) if isinstance(v, Operand) else quote(v)}"
                for n, v in line.values.items()
            ]
            return " ".join([f"!{line.dataset}", *pairs])
        case ReportLine():
            return f"> {line.format}"


def _show_operand(operand: Operand) -> str:
    return f"{operand.step}.{operand.field}" if operand.field else str(operand.step)


def _show_filters(filters: Filters) -> str:
    return " ".join(f"{name}={_show_value(asked)}" for name, asked in filters.items())


def _show_value(asked: Asked) -> str:
    if isinstance(asked, Range):
        return f"{quote(asked.low) if asked.low else ''}..{quote(asked.high) if asked.high else ''}"
    return ",".join(quote(v) for v in asked)
