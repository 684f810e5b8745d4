"""A grammar (GBNF, llama.cpp's) of the flat plans that a catalogue's datasets and one question allow.

Every sentence of it can be read by `read_flat`, and names only datasets, fields, listed values, sources and tags that
exist. Free values are pieces of the question. Steps are named behind their line only. Not in the grammar, and left to
`expand`: that an operand's field is one of its step's dataset, and that no field is filtered twice.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from planner.built_in_params import OPERATIONS
from planner.catalogue import Field
from planner.compact.lines import quote
from planner.compact.tags import tag_fields, taggable
from planner.rules.lexicon import Table
from planner.substrings import substring_rules
from planner.times import TimeSpan

__all__ = ["PlanGrammar", "trie"]

_LINES = 9  # behind them, lines are as the ninth
_LITERALS = {
    "month": 'y "-" mm',
    "quarter": 'y "-Q" [1-4]',
    "date": "day",
    "datetime": r'day | "\"" day " " [0-2] [0-9] ":" [0-5] [0-9] "\""',
}  # a year otherwise
_FIXED = r"""
plan ::= "? " [^ \n] [^\n]* | line1
words ::= [^ \n;|] [^\n;|]*
op ::= OPERATIONS
ends ::= (" top " [1-9] [0-9]?)? (" asc" | " desc")?
y ::= "20" [0-9] [0-9]
mm ::= "0" [1-9] | "1" [0-2]
dd ::= "0" [1-9] | [12] [0-9] | "3" [01]
day ::= y "-" mm "-" dd
num ::= "-"? [0-9]+ ("." [0-9]+)? "%"?
nums ::= num (("," num)* | ".." num?) | ".." num
bool ::= "true" | "false"
text ::= free | "\"" spaced "\""
sign ::= "=" | "!=" | ">=" | "<=" | ">" | "<"
same ::= "=" | "!="
docs ::= "#" source " " words
"""


def trie(choices: Mapping[str, str]) -> str:
    """An expression for literal → what follows it, in which literals that begin alike share their beginning: a
    sampler that walks it keeps few ways open."""
    heads: dict[str, dict[str, str]] = defaultdict(dict)
    for literal, rest in choices.items():
        heads[literal[:1]][literal[1:]] = rest
    ways = []
    for head, tails in heads.items():
        if not head:
            ways.append(tails[""] or '""')
        else:
            common = head + _common(list(tails))
            inner = {tail[len(common) - 1 :]: rest for tail, rest in tails.items()}
            last = inner[""] if len(inner) == 1 else f"({trie(inner)})"
            ways.append(f"{_quoted(common)} {last}".strip())
    return " | ".join(ways)


def _common(texts: list[str]) -> str:
    low, high = min(texts), max(texts)
    n = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[:n]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _literals(texts: Iterable[str]) -> str:
    return trie(dict.fromkeys(texts, ""))


class PlanGrammar:
    """Reads the datasets once; `for_question` adds what only the question decides."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = list(tables)
        self._vocabulary: dict[str, dict[str, None]] = defaultdict(dict)  # one name, one vocabulary of values
        for table in self._tables:
            for field in table.fields.values():
                self._vocabulary[field.name] |= dict.fromkeys(field.values)
        self._rules: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._body = self._catalogue_rules()

    def for_question(self, question: str, spans: Sequence[TimeSpan], done: int = 0) -> str:
        """The grammar's text; its root is a flat plan and a line feed, or with `done` what may follow that many lines
        and ` ;`."""
        numbers = _literals([f"T{n}" for n in range(len(taggable(spans)) + 1)])
        root = f'" " ("? " [^ \\n] [^\\n]* | line{min(done + 1, _LINES)})' if done else "plan"
        rows = [f'root ::= {root} "\\n"', f"tag ::= ({numbers}) [az]?", self._body]
        return "\n".join([*rows, *substring_rules(question)]) + "\n"

    def _rule(self, body: str, stem: str) -> str:
        """The name of a rule of this body, one for all that have the same."""
        if body not in self._names:
            name = self._names[body] = f"{stem}{len(self._names)}"
            self._rules[name] = body
        return self._names[body]

    def _catalogue_rules(self) -> str:
        read = [t for t in self._tables if t.readable]
        written = [t for t in self._tables if t.side_effect]
        sources = [s.name for t in self._tables if t.document for s in t.holders]
        fields = [f for t in read for f in t.fields.values()]
        self._rules["fetch"] = self._heads(read)
        self._rules["operandfield"] = _literals(dict.fromkeys(["value", *(f.name for f in fields)]))
        self._rules["group"] = self._groups(fields)
        if sources:
            self._rules["source"] = _literals(dict.fromkeys(sources))
        self._rules["asked"] = self._asked(fields)
        fixed = _FIXED.replace("OPERATIONS", _literals(OPERATIONS)).strip().splitlines()
        self._lines(written, documents=bool(sources), fetches=bool(read))
        rows = [row for row in fixed if sources or not row.startswith("docs ")]
        return "\n".join([*rows, *(f"{name} ::= {body}" for name, body in self._rules.items())])

    def _lines(self, written: list[Table], *, documents: bool, fetches: bool) -> None:
        """A line may name the steps before it; the first has none before it."""
        for n in range(1, _LINES + 1):
            kinds = ["fetch"] * fetches + ["docs"] * documents
            condition = ""
            if n > 1:
                self._rules[f"step{n}"] = f"[1-{n - 1}]"
                self._rules[f"operand{n}"] = f'step{n} ("." operandfield)?'
                self._rules[f"derive{n}"] = f'"= " op (" " operand{n})+ (" by " group ("," group)*)? ends'
                self._rules[f"clause{n}"] = f'step{n} "." asked'
                self._rules[f"if{n}"] = f'(" if " clause{n} ((" and " | " or ") clause{n})*)?'
                kinds += [f"derive{n}", '"> " ("docx" | "html")']
                condition = f" if{n}"
            if written:
                self._rules[f"write{n}"] = self._writes(written, n)
                kinds.append(f"write{n}")
            following = f'(" ; " line{min(n + 1, _LINES)})?'
            self._rules[f"line{n}"] = f"({' | '.join(kinds) or 'words'}){condition} {following}"

    def _heads(self, tables: list[Table]) -> str:
        """Each dataset's name, with `@source` where several hold it or another has its name."""
        ways: dict[str, dict[str, str]] = defaultdict(dict)
        for table in tables:
            rest = self._rule(self._fetch(table), "rest")
            first = table.dataset.name not in ways
            names = ways[table.dataset.name]
            if first:
                names[""] = rest
            if len(table.holders) > 1 or not first:
                names |= {f"@{s.name}": rest for s in table.holders if f"@{s.name}" not in names}
        return trie({name + suffix: rest for name, own in ways.items() for suffix, rest in own.items()})

    def _fetch(self, table: Table) -> str:
        columns = self._rule(_literals(table.fields), "col")
        filters = trie({f"{f.name}=": self._value(f) for f in table.fields.values()})
        one = self._rule(filters, "flt")
        return f'(" " {columns} ("," {columns})*)? (" | " {one} (" " {one})*)?'

    def _value(self, field: Field) -> str:
        """The rule for what a filter on this field may ask."""
        if not field.values and tag_fields(field):
            end = self._end(field)
            return self._rule(f'{end} (("," {end})* | ".." {end}?) | ".." {end}', "times")
        one = self._single(field)
        if one == "num":
            return "nums"
        return one if one == "bool" else self._rule(f'{one} ("," {one})*', "vals")

    def _end(self, field: Field) -> str:
        literal = _LITERALS.get(field.type, "y | text" if field.type == "text" else "y")
        return self._rule(f"tag | {literal}", "end")

    def _single(self, field: Field) -> str:
        """The rule for one value, as it is written or compared with."""
        if field.values:
            return self._rule(_literals(quote(v) for v in field.values), "val")
        if tag_fields(field):
            return self._end(field)
        if field.type != "text":
            return "bool" if field.type == "bool" else "num"
        listed = self._vocabulary[field.name]
        return self._rule(_literals(quote(v) for v in listed) + " | text", "val") if listed else "text"

    def _groups(self, fields: list[Field]) -> str:
        ways = {}
        for field in fields:
            buckets = {
                "date": '(":month" | ":week" | ":quarter" | ":year")?',
                "datetime": '(":month" | ":week" | ":quarter" | ":year")?',
                "month": '(":quarter" | ":year")?',
                "quarter": '":year"?',
            }
            ways[field.name] = buckets.get(field.type, "")
        return trie(ways) or '"value"'

    def _asked(self, fields: list[Field]) -> str:
        """A condition's clause behind its step: field, sign, value."""
        ways: dict[str, dict[str, None]] = {"value": {"sign num": None}, "rows": {"sign num": None}}
        for field in fields:
            sign = "same" if field.values or field.type in ("text", "bool") else "sign"
            ways.setdefault(field.name, {})[f"{sign} {self._single(field)}"] = None
        return trie({name: _either(list(bodies)) for name, bodies in ways.items()})

    def _writes(self, tables: list[Table], line: int) -> str:
        ways: dict[str, str] = {}
        for table in tables:
            own = {}
            for field in table.fields.values():
                value = self._single(field)
                own[f"{field.name}="] = value if line == 1 else f'({value} | step{line} "." operandfield)'
            one = self._rule(trie(own), "put")
            ways.setdefault(table.dataset.name, f'(" " {one})+')
        return f'"!" ({trie(ways)})'


def _either(bodies: list[str]) -> str:
    return bodies[0] if len(bodies) == 1 else f"({' | '.join(bodies)})"
