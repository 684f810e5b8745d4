"""Grammar rules for the pieces of a text, by its suffix automaton: as many ways open as the text has places."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

__all__ = ["substring_rules"]

_BREAK = re.compile(r'[,，。；;、？?！!：:|"\\\s]+')


def substring_rules(text: str) -> list[str]:
    """Rules `free`, a piece without blanks and marks, and `spaced`, one that may hold single blanks. Latin words and
    numbers are taken from their beginning; the whole text's characters where nothing else is left."""
    runs = [run for run in _BREAK.split(text) if run]
    spans = [" ".join(p.split()) for p in re.split(r'[,，。；;、？?！!：:|"\\\n]+', text) if p.strip()]
    return [*_automaton("free", runs or ["-"]), *_automaton("spaced", spans or ["-"])]


def _automaton(name: str, pieces: Sequence[str]) -> list[str]:
    """Rule `name` and its helpers: every piece of one of the texts."""
    rows: list[str] = []
    starts: dict[str, list[str]] = {}
    for p, piece in enumerate(pieces):
        for i in range(len(piece)):
            following = f" {name}-{p}-{i + 1}?" if i + 1 < len(piece) else ""
            rows.append(f"{name}-{p}-{i} ::= {json.dumps(piece[i], ensure_ascii=False)}{following}")
            if piece[i] != " " and (i == 0 or not (_joined(piece[i - 1]) and _joined(piece[i]))):
                starts.setdefault(piece[i:], []).append(f"{name}-{p}-{i}")
    ways = [rules[0] for rules in starts.values()]
    return [f"{name} ::= {' | '.join(ways)}", *rows]


def _joined(character: str) -> bool:
    """Whether it is part of a word that is not cut: Latin letters, digits and what ties them."""
    return character.isascii() and (character.isalnum() or character in "-_.")
