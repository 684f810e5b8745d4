"""The part in a share: "what share of X came from P" fetches all of X, so P is no filter."""

from __future__ import annotations

import re

from planner.rules.filters import Atom
from planner.rules.intents import Intents
from planner.rules.text import Text

__all__ = ["drop_part"]

_BEHIND_EN = re.compile(
    r"\b(?:share|proportion|percent|percentage|fraction|portion|slice|chunk|part|how much|piece)\b.*?\b(?P<verb>came|comes|come|was|were|is|are|from|made|went|go|goes|through|due|by|that|did|does|do|has|had|have|for|on|falls?|fell|belongs?|belonged|sits?|sat|ran|run)\b"
)
_BEFORE_EN = re.compile(
    r"\b(?:account(?:s|ed)? for|make up|makes up|made up|contribut\w+|represent\w*|as a (?:share|percentage|proportion|fraction)|'s share|share of)\b"
)
_IN_ZH = re.compile(r"里头|里面|当中|其中|之中|中(?=[,，有])|里(?=[,，有])")
_ZHAN = re.compile(r"占|贡献|份额|比重|几成")


def drop_part(
    text: Text, atoms: list[Atom], intents: Intents, time_name: str | None
) -> tuple[list[Atom], str | None]:
    """Atoms without the part, and the field that the share runs over."""
    values = [a for a in atoms if a.field != time_name]
    if not values:
        return atoms, None
    part = _chinese(text, values) or _english(text, values, intents)
    if part is None:
        return atoms, None
    return [a for a in atoms if a.field != part.field], part.field


def _chinese(text: Text, values: list[Atom]) -> Atom | None:
    mark = _ZHAN.search(text.folded)
    if mark is None:
        return None
    before = [a for a in values if a.end <= mark.start()]
    behind = [a for a in values if a.position >= mark.end()]
    cut = max((m.end() for m in _IN_ZH.finditer(text.folded, 0, mark.start())), default=-1)
    inner = [a for a in before if a.position >= cut] if cut >= 0 else before
    if cut >= 0 and inner:
        return inner[-1]
    if cut >= 0 and before and not inner and behind:
        return behind[0]
    if len(before) > 1:
        return (
            before[0]
            if not behind and re.search(r"在", text.folded[before[0].end : before[-1].position])
            else before[-1]
        )
    if before:
        return before[0]
    return behind[0] if len(behind) == 1 and not cut >= 0 else None


def _english(text: Text, values: list[Atom], intents: Intents) -> Atom | None:
    folded = text.folded
    asked = re.search(r"\b(?:what|which|how (?:big|large|much))\b", folded)
    front = _BEFORE_EN.search(folded)
    if front and asked is not None:
        between = [a for a in values if a.end <= front.start()]
        if between and not re.match(r"share of", front.group()):
            return between[-1]
        if between and not re.search(r"\bwhat\s+$", folded[: front.start()]):
            return between[-1]
    match = _BEHIND_EN.search(folded)
    if match is None:
        return None
    verb = None
    for found in re.finditer(
        r"\b(?:came|comes|come|was|were|is|are|made up|went|goes|through|due to|that|did|does|has|had|falls?|fell|belongs?|belonged|sits?|sat)\b",
        folded[match.start() :],
    ):
        verb = match.start() + found.start()
        if any(a.position >= verb for a in values):
            break
    behind = [a for a in values if verb is not None and a.position >= verb]
    if behind:
        return behind[0]
    return None
