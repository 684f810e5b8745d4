"""Where in a passage the words of a question stand: the sentence, or the row of a table, that holds most of what it asks."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kb_index.words import token_id, tokens

__all__ = ["span_in"]

_ROW = re.compile(r"[^\n]+")
_END = re.compile(r"[。！？!?]|\.(?=\s)")


def span_in(text: str, question: Mapping[int, float]) -> tuple[int, int]:
    """First and last+1 character of the piece whose tokens weigh most in the question's vector; the whole text where no
    token stands in it."""
    best, found = 0.0, (0, len(text))
    pieces = _pieces(text)
    for start, end in pieces if len(pieces) > 1 else ():
        held = {token_id(t) for t in tokens(text[start:end])}
        weight = sum(v for k, v in question.items() if k in held)
        if (
            weight >= best and weight
        ):  # of two alike the later: a header's words stand above the row that is meant
            best, found = weight, (start, end)
    return found


def _pieces(text: str) -> list[tuple[int, int]]:
    """Sentences and rows; a full stop within a number or a name ends none."""
    out: list[tuple[int, int]] = []
    for match in _ROW.finditer(text):
        start = match.start()
        for end in _END.finditer(match[0]):
            out.append((start, match.start() + end.end()))
            start = match.start() + end.end()
        out.append((start, match.end()))
    return [(s + len(text[s:e]) - len(text[s:e].lstrip()), e) for s, e in out if text[s:e].strip()]
