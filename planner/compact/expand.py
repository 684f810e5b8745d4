"""From compact lines to a plan: ids, typed values, references, descriptions and validation strings."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from planner.catalogue import Catalogue, Field, Source
from planner.compact.lines import (
    Asked,
    CompactPlan,
    DeriveLine,
    DocumentLine,
    FetchLine,
    Line,
    Operand,
    Range,
    ReportLine,
    WriteLine,
)
from planner.condition import parse_condition
from planner.errors import PlanError, ValidationSyntaxError
from planner.parse import check_plan
from planner.plan import Plan, SubGoal
from planner.references import find_references
from planner.router import route
from planner.rules.fetch import Derive, Fetch, Operands
from planner.rules.lexicon import Lexicon, Table
from planner.rules.steps import derive_goal, document_goal, fetch_goals, report_goal, write_goal
from planner.rules.text import is_cjk
from planner.rules.wording import Wording

__all__ = ["expand"]

L = TypeVar("L", bound=Line)
_NUMERIC = ("number", "percent", "money", "integer")
_TAKEN = re.compile(r"(?P<step>\d{1,2})\.(?P<name>[^\s.\d]\S*)")
_CLAUSE = re.compile(
    r'(?P<step>\d{1,2})\.(?P<name>[^\s=!<>()"]+)\s*(?P<sign>!=|>=|<=|=|>|<)\s*(?P<value>"(?:[^"\\]|\\.)*"|[^\s()]+)'
)


def expand(compact: CompactPlan, question: str, catalogue: Catalogue, lexicon: Lexicon | None = None) -> Plan:
    """The plan, checked. `lexicon` is the catalogue's, where it is at hand.

    Raises PlanError on a name that the catalogue lacks, a step that does not exist, a value that its field's type
    cannot hold, and for a plan that says what is missing."""
    if compact.missing is not None:
        raise PlanError(compact.missing)
    plan = _Expansion(compact, question, catalogue, lexicon or Lexicon(catalogue)).plan()
    check_plan(plan, catalogue)
    return plan


class _Expansion:
    def __init__(self, compact: CompactPlan, question: str, catalogue: Catalogue, lexicon: Lexicon) -> None:
        self.lines, self.question, self.catalogue, self.lexicon = compact.lines, question, catalogue, lexicon
        zh = is_cjk(question) and sum(map(is_cjk, question)) * 4 >= sum(c.isalpha() for c in question)
        self.words = Wording(zh)
        self.fetches = {n: self._fetch(f) for n, f in self._numbered(FetchLine)}
        self.derived = [n for n, _ in self._numbered(DeriveLine)]
        derives = [self._derive(line) for _, line in self._numbered(DeriveLine)]
        described = self.words.derives(derives, list(self.fetches.values()))
        self.derives = dict(zip(self.derived, zip(derives, described, strict=True), strict=True))

    def _numbered(self, kind: type[L]) -> list[tuple[int, L]]:
        return [(n, line) for n, line in enumerate(self.lines, 1) if isinstance(line, kind)]

    def plan(self) -> Plan:
        goals = [
            self._conditioned(self._goal(line, number), line) for number, line in enumerate(self.lines, 1)
        ]
        return Plan(question=self.question, route=route(goals), sub_goals=tuple(goals))

    def _goal(self, line: Line, number: int) -> SubGoal:
        goal_id = f"g{number}"
        match line:
            case FetchLine():
                counted = any(
                    d.operation == "count" and any(o.step == number for o in d.operands)
                    for _, d in self._numbered(DeriveLine)
                )
                fetch = self.fetches[number]
                (goal,) = fetch_goals(
                    fetch, number, self.words, counted and fetch.table.record and not fetch.measures
                )
                taken = dict.fromkeys(r.step for r in find_references(fetch.filters[0]))
                return goal.model_copy(update={"depends_on": tuple(taken)})
            case DocumentLine():
                return document_goal(self._documents(line.source), line.query, goal_id, self.words)
            case DeriveLine():
                one, described = self.derives[number]
                steps: Operands = [
                    (f"g{o.step}", name) for o, (_, name) in zip(line.operands, one.inputs, strict=True)
                ]
                return derive_goal(one, steps, goal_id, described)
            case WriteLine():
                table = self._table(line.dataset, None, written=True)
                values = {n: self._written(v, self._field(table, n)) for n, v in line.values.items()}
                steps_read = [o for o in line.values.values() if isinstance(o, Operand)]
                return write_goal(
                    table, values, None, [f"g{o.step}" for o in steps_read], goal_id, self.words
                )
            case ReportLine():
                read = {o.step for _, d in self._numbered(DeriveLine) for o in d.operands}
                ends = [
                    n
                    for n, other in enumerate(self.lines, 1)
                    if n not in read and not isinstance(other, ReportLine | WriteLine)
                ]
                return report_goal(
                    line.format, self.question.strip()[:80], [f"g{n}" for n in ends], goal_id, self.words
                )

    def _conditioned(self, goal: SubGoal, line: Line) -> SubGoal:
        if not line.when:
            return goal
        when = _CLAUSE.sub(self._clause, line.when)
        try:
            steps = parse_condition(when).steps
        except ValidationSyntaxError as error:
            raise PlanError(f"the condition {line.when!r}: {error}", sub_goal=goal.id, key="when") from error
        depends = dict.fromkeys([*goal.depends_on, *sorted(steps)])
        return goal.model_copy(update={"when": when, "depends_on": tuple(depends)})

    def _clause(self, match: re.Match[str]) -> str:
        name, sign, value = match["name"], match["sign"], match["value"]
        step = self._step(int(match["step"]))
        fetch = self.fetches.get(int(match["step"]))
        f = fetch.table.fields.get(name) if fetch else None
        if value[0] != '"':
            plain = re.fullmatch(r"-?\d+(?:\.\d+)?%?", value) or value in ("true", "false", "null")
            if not plain or (f is not None and f.type == "text"):
                value = '"' + value + '"'
        return f"{step}.{name} {'==' if sign == '=' else sign} {value}"

    def _fetch(self, line: FetchLine) -> Fetch:
        table = self._table(line.dataset, line.source, written=False)
        source = next((s for s in table.holders if s.name == line.source), None) or table.holders[0]
        for name in line.columns:
            self._field(table, name)
        number = next(n for n, other in enumerate(self.lines, 1) if other is line)
        filters = {
            n: self._taken(a, number) or self._asked(a, self._field(table, n))
            for n, a in line.filters.items()
        }
        groups = [
            plain
            for _, d in self._numbered(DeriveLine)
            if any(o.step == number for o in d.operands)
            for plain in (name.partition(":")[0] for name in d.by)
            if plain in table.fields
        ]
        times = [f.name for f in table.time_fields]
        when = next((n for n in filters if n in times), times[0] if times else None)
        return Fetch(table, source, [filters], list(line.columns), groups, when)

    def _derive(self, line: DeriveLine) -> Derive:
        """Two operands of one field name it as `value`; two fields are named as inputs."""
        fields = [o.field for o in line.operands]
        for operand in line.operands:
            self._step(operand.step)
            fetch = self.fetches.get(operand.step)
            if fetch is not None and operand.field is not None:
                self._field(fetch.table, operand.field)
        single = len(set(fields)) == 1
        inputs: Operands = [
            (
                f"d{self.derived.index(o.step)}" if o.step in self.derived else f"g{o.step}",
                None if single else o.field or "value",
            )
            for o in line.operands
        ]
        value = fields[0] if single else None
        if value is None and single and line.operation != "count" and line.operands[0].step in self.derived:
            value = "value"
        order = (line.order or "desc") if line.operation == "rank" or line.top else line.order
        return Derive(line.operation, inputs, value, list(line.by), order, line.top)

    def _step(self, number: int) -> str:
        if not 1 <= number <= len(self.lines):
            raise PlanError(f"there is no step {number}; the plan has {len(self.lines)}")
        return f"g{number}"

    def _table(self, name: str, source: str | None, *, written: bool) -> Table:
        for table in self.lexicon.tables.values():
            if (
                table.dataset.name == name
                and not table.document
                and table.side_effect == written
                and (source is None or any(s.name == source for s in table.holders))
            ):
                return table
        held = f" in {source}" if source else ""
        raise PlanError(
            f"no dataset {name!r}{held}{' that can be written' if written else ''}", key="dataset"
        )

    def _documents(self, source: str) -> Table:
        for table in self.lexicon.tables.values():
            if table.document and any(s.name == source for s in table.holders):
                return _held_by(table, source)
        raise PlanError(f"no document source {source!r}", key="data_source")

    def _field(self, table: Table, name: str) -> Field:
        f = table.fields.get(name)
        if f is None:
            raise PlanError(
                f"{table.dataset.name} has no field {name!r}; it has {', '.join(table.fields)}", key=name
            )
        return f

    def _taken(self, asked: Asked, number: int) -> str | None:
        """The reference that a value such as `1.order_id` is, to a field that an earlier fetch has."""
        found = _TAKEN.fullmatch(asked[0]) if isinstance(asked, tuple) and len(asked) == 1 else None
        if found is None or not 0 < int(found["step"]) < number:
            return None
        earlier = self.lines[int(found["step"]) - 1]
        if not isinstance(earlier, FetchLine):
            return None
        table = self._table(earlier.dataset, earlier.source, written=False)
        return f"{{{{g{found['step']}.result.{found['name']}}}}}" if found["name"] in table.fields else None

    def _asked(self, asked: Asked, f: Field) -> Any:
        if isinstance(asked, Range):
            low, high = (None if end is None else _typed(end, f) for end in (asked.low, asked.high))
            return {"from": low, "to": high}
        typed = [_typed(v, f) for v in asked]
        return typed[0] if len(typed) == 1 else typed

    def _written(self, value: str | Operand, f: Field) -> Any:
        if isinstance(value, Operand):
            return f"{{{{{self._step(value.step)}.result.{value.field}}}}}"
        return _typed(value, f)


def _held_by(table: Table, source: str) -> Table:
    holder: list[Source] = [s for s in table.holders if s.name == source]
    return Table(table.key, table.dataset, holder, table.fields, table.bag)


def _typed(value: str, f: Field) -> Any:
    """Raises PlanError on a number or a truth value that cannot be read, and on a value that is not listed."""
    if f.type == "bool":
        if value not in ("true", "false"):
            raise PlanError(f"{f.name}: {value!r} is neither true nor false", key=f.name)
        return value == "true"
    if f.type in _NUMERIC:
        try:
            number = float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
        except ValueError as error:
            raise PlanError(f"{f.name}: {value!r} is no number", key=f.name) from error
        return int(number) if number.is_integer() else round(number, 12)
    if f.values and value not in f.values:
        raise PlanError(f"{f.name}: {value!r} is not listed: {', '.join(f.values[:20])}", key=f.name)
    return value
