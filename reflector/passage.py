"""A passage taken apart: its sentences, or the header and rows of its table."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Table", "sentences", "table_of"]

_END = re.compile(r"(?<=[。！？；!?])|(?<=\.)\s+(?=[A-Z0-9\u3400-\u9fff])|\n+")
_RULE = re.compile(r"[\s|:\-—=+]*")
_PRICE = re.compile(r"价|费用|金额|预算|price|cost|fee|[¥$€£]", re.I)
_PRICED = re.compile(r"[¥$€£]\s*\d|\d[\d,.]*\s*(?:元|块|rmb|yuan|usd)\b", re.I)


@dataclass(frozen=True, slots=True)
class Table:
    """`lines` are the rows verbatim, parallel to `rows`; `before` is the text that stands above the table, `head` the
    header verbatim."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...]
    before: str = ""
    head: str = ""

    def price_column(self) -> int | None:
        """The column that holds prices, by its heading or by the currency in its cells."""
        for n, name in enumerate(self.header):
            if _PRICE.search(name):
                return n
        for n in range(len(self.header)):
            cells = [r[n] for r in self.rows if n < len(r) and r[n]]
            if cells and sum(bool(_PRICED.search(c)) for c in cells) * 2 > len(cells):
                return n
        return None

    def told(self, row: tuple[str, ...]) -> str:
        """A row with its headings: "型号 X1，价格 1,599元"; parts that are empty are left out."""
        pairs = [
            f"{self.header[n]} {cell}" if n < len(self.header) and self.header[n] else cell
            for n, cell in enumerate(row)
            if cell
        ]
        return "，".join(pairs) if any(_is_cjk(p) for p in pairs) else ", ".join(pairs)


def _is_cjk(text: str) -> bool:
    return any("\u3400" <= c <= "\u9fff" for c in text)


def sentences(text: str) -> list[str]:
    """In order and verbatim, without the blanks around them."""
    return [s.strip() for s in _END.split(text) if s and s.strip()]


def table_of(text: str) -> Table | None:
    """The table in a text whose rows are lines with `|` or tabs; None when there are not two such lines."""
    lines = text.splitlines()
    for mark in ("|", "\t"):
        marked = [n for n, line in enumerate(lines) if mark in line.strip()]
        if len(marked) < 2:
            continue
        cut = [(lines[n], _cells(lines[n], mark)) for n in marked if not _RULE.fullmatch(lines[n])]
        if len(cut) < 2:
            continue
        before = "\n".join(lines[: marked[0]]).strip()
        return Table(
            cut[0][1],
            tuple(c for _, c in cut[1:]),
            tuple(line.strip() for line, _ in cut[1:]),
            before,
            cut[0][0].strip(),
        )
    return None


def _cells(line: str, mark: str) -> tuple[str, ...]:
    if mark == "|":
        line = line.strip()
        line = line[1:] if line.startswith("|") else line
        line = line[:-1] if line.endswith("|") else line
    return tuple(c.strip() for c in line.split(mark))
