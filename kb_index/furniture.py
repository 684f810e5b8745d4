"""Page furniture: running heads, footers and page numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from kb_index.lines import Line

__all__ = ["without_furniture"]

BAND = 0.12  # of the page's height, at its top and its bottom
SHARE = 0.3  # of the pages must repeat it
_NUMBER = re.compile(
    r"[\W_]*(?:第\s*\d+\s*页(?:[\s,，/／]*共\s*\d+\s*页)?|page\s+\d+(?:\s*(?:of|/)\s*\d+)?|\d{1,4}(?:\s*(?:of|/)\s*\d+)?|[ivxl]{1,6})[\W_]*",
    re.IGNORECASE,
)
# a number that stands alone at the text's beginning or end, or as 第 n 页
_AT_AN_END = re.compile(r"^\s*(\d{1,4})(?![\w.,])|(?<![\w.,-])(\d{1,4})\s*$|第\s*(\d{1,4})\s*页")


def without_furniture(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[list[Line]]:
    """The pages' lines less what repeats at the edges. `heights` in points, parallel to `pages`."""
    seen: dict[tuple[str, int | None, bool], set[int]] = defaultdict(set)
    for i, lines in enumerate(pages):
        for line in lines:
            if (edge := _edge(line, heights[i])) is not None:
                seen[(*_pattern(line.text, i), edge)].add(i)
    enough = max(2.0, SHARE * len(pages))
    repeated = {key for key, where in seen.items() if len(where) >= enough}

    def is_furniture(line: Line, i: int) -> bool:
        edge = _edge(line, heights[i])
        if edge is None:
            return False
        return (*_pattern(line.text, i), edge) in repeated or bool(_NUMBER.fullmatch(line.text))

    return [[x for x in lines if not is_furniture(x, i)] for i, lines in enumerate(pages)]


def _edge(line: Line, height: float) -> bool | None:
    """True at the top, False at the bottom, None between."""
    if line.bottom <= BAND * height:
        return True
    return False if line.top >= (1 - BAND) * height else None


def _pattern(text: str, page: int) -> tuple[str, int | None]:
    """The text, a page number in it taken out, and what that number counts from: `V2.3.1` and `V2.3.2` at the
    top of two pages are headings, `… | 16` and `… | 17` are one footer."""
    bare = re.sub(r"\s+", "", text.casefold())
    number = _AT_AN_END.search(text)
    if not number:
        return bare, None
    value = int(next(g for g in number.groups() if g))
    return re.sub(r"\s+", "", text[: number.start()] + "#" + text[number.end() :]).casefold(), value - page
