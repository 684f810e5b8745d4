"""A day that stands for its week: "week of Aug 11", "week starting 27 January", 3号那周."""

from __future__ import annotations

import re
from datetime import timedelta

from planner.times.atoms import Atom
from planner.times.periods import running

__all__ = ["weeks"]

_BEFORE = re.compile(
    r"(?:\b(?:in|for|over|during) )?(?:the )?\b(?:(?:week|w/?c|wk)\s*(?:of|from)?|week (?:of|starting|beginning|commencing|that (?:starts|began))(?: on)?)\s*(?:the )?$"
)
_ENDING = re.compile(r"(?:the )?\bweek ending(?: on)?\s*(?:the )?$")
_STARTING = re.compile(r"starting|beginning|commencing|starts|began|w/?c")
_AFTER = re.compile(r"\s*(?:那一?周|那个?星期|那个?礼拜|当周|这周| week\b)")


def weeks(atoms: list[Atom], folded: str) -> list[Atom]:
    """Each such day as the week that holds it, or as seven days where the text says that it starts or ends one."""
    for atom in atoms:
        if atom.unit != "day" or atom.first is None or atom.first != atom.last:
            continue
        before = folded[: atom.start]
        if ending := _ENDING.search(before):
            atom.start, atom.unit = ending.start(), "week"
            atom.first -= timedelta(days=6)
            continue
        said, after = _BEFORE.search(before), _AFTER.match(folded, atom.end)
        if said is None and after is None:
            continue
        starts = said is not None and _STARTING.search(said.group())
        atom.first = atom.first if starts else running("week", atom.first)[0]
        atom.last, atom.unit = atom.first + timedelta(days=6), "week"
        atom.start = said.start() if said else atom.start
        atom.end = after.end() if after else atom.end
    return atoms
