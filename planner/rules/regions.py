"""What each stretch of the question is for: data, a condition, an action, a document."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from planner.rules.text import Text

__all__ = ["Region", "Role", "split_regions"]

Role = Literal["data", "condition", "action", "else"]
_IF = re.compile(
    r"如果|要是|假如|倘若|假设|一旦|只要|万一|若(?![干是以])|若是|如(?=还|已|仍|果|确|没|有|超|低|高)|"
    r"(?<!see )(?<!check )(?<!know )(?<!sure )(?<!tell me )(?<!me )(?<!out )(?<!wonder )(?<!ask )(?<!even )(?<!what )(?<!as )\bif\b|"
    r"\bin case\b|\bprovided\b|\bassuming\b|\bonce it\b|\bas soon as\b|\bunless\b|\bshould (?:it|that|the|they)\b(?= (?:be|turn|come|exceed|have|fall|drop|show))|"
    r"\bwhere that's the case\b|\bwhen (?:it|that) (?:is|has)\b"
)
_HUA = re.compile(r"的话|的时候就|(?<=了)就(?=帮|请|替|把|给|直接|马上)")
_THEN = re.compile(
    r"(?<![成造去前])就(?=[\u4e00-\u9fff])(?!是|诊|业|要求|算|餐|读|职|近|位|医|地)|\bthen\b|则(?!是)|便(?=[把给帮立])|那就"
)
_SO = re.compile(
    r"^\s*(?:if|when)?\s*(?:so|yes|not|true|that is the case|that's the case|it has|it is|it does|they have|they are|needed|necessary)\s*$"
)
# "otherwise leave it": nothing is asked for
_ELSE = re.compile(
    r"^\s*(?:没|不|未|还|否则|要不|不然|如果[没不]|要是[没不]).{0,14}(?:别|不要|不用|不必|算了|等|不动|放着|再说)|^\s*(?:否则|不然)|"
    r"^\s*(?:otherwise|if not|or else|else|but if not|don't|leave it|do nothing)\b|\b(?:otherwise|if not),? (?:don't|leave|do nothing|skip|ignore|no)"
)
_SENTENCE = re.compile(r"[。；;？?！!\n]|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Region:
    start: int
    end: int
    role: Role

    def holds(self, position: int) -> bool:
        return self.start <= position < self.end


def split_regions(text: Text) -> list[Region]:
    """Clause by clause; a clause that holds a condition and its consequence is cut in two.

    Which clauses speak of documents is decided later, with the catalogue in hand."""
    regions: list[Region] = []
    pending = False  # a condition has been read and its action is still to come
    sentence_of = _sentences(text)
    action_sentence = -1
    for start, end in text.clauses:
        clause = text.folded[start:end]
        sentence = sentence_of(start)
        if regions and any(r.role == "condition" for r in regions) and _ELSE.search(clause):
            regions.append(Region(start, end, "else"))
            pending = False
            continue
        hua, condition = _HUA.search(clause), _IF.search(clause)
        if condition or hua:
            regions += _cut(start, end, clause, condition, hua)
            pending = regions[-1].role == "condition"
            action_sentence = sentence
        elif pending:
            regions.append(Region(start, end, "action"))
            pending, action_sentence = False, sentence
        elif regions and regions[-1].role == "action" and sentence == action_sentence:
            regions.append(Region(start, end, "action"))
        else:
            regions.append(Region(start, end, "data"))
    return regions


def _cut(
    start: int, end: int, clause: str, condition: re.Match[str] | None, hua: re.Match[str] | None
) -> list[Region]:
    head = condition.start() if condition else 0
    if hua and hua.end() < len(clause):
        return _parts(start, end, [(head, hua.end(), "condition"), (hua.end(), len(clause), "action")], head)
    then = _THEN.search(clause, head + 1)
    if then and len(clause) - then.end() > 1:
        return _parts(
            start, end, [(head, then.start(), "condition"), (then.start(), len(clause), "action")], head
        )
    before = clause[:head].strip()
    if condition and clause[head:].startswith("if") and len(before) > 8:  # "refund it if it has arrived"
        return [Region(start, start + head, "action"), Region(start + head, end, "condition")]
    return _parts(start, end, [(head, len(clause), "condition")], head)


def _parts(start: int, end: int, pieces: list[tuple[int, int, Role]], head: int) -> list[Region]:
    regions = [Region(start, start + head, "data")] if head else []
    return regions + [Region(start + a, start + b, role) for a, b, role in pieces]


def empty_condition(clause: str) -> bool:
    """'if so': the condition is what was asked before."""
    return _SO.match(clause) is not None or clause.strip() in (
        "如果是",
        "要是是",
        "是的话",
        "如果没有",
        "若是",
        "如是",
        "如果有",
    )


def _sentences(text: Text):  # type: ignore[no-untyped-def]
    breaks = [m.start() for m in _SENTENCE.finditer(text.folded)]
    return lambda position: sum(b < position for b in breaks)
