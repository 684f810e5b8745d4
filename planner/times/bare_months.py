"""Whether a bare "May" or "March", which are verbs and names too, can only be the month."""

from __future__ import annotations

import re

__all__ = ["is_month"]

_NOT_AFTER = re.compile(
    r"\s+(?:I|we|you|he|she|it|they|the|this|that|a|an|be|have|not|over|on|into|in|through|to|out|off|past|also|well|as|"
    r"there|need|want|his|her|my|our|their|s?he|us|contain)\b|\s+[A-Z][a-z]+"
)
_NAMES = re.compile(
    r"(?:\b(?:ask|tell|call|email|ring|phone|dear|hi|hello|hey|thanks|mrs?|ms|miss|dr|by|from|auntie?)\.?,?|[a-z0-9]['’]s)\s*$",
    re.I,
)
_NAMED_BEFORE = re.compile(r"(?<![.?!:]\s)(?<!^)\b[A-Z][a-z]+\s*$")


def is_month(question: str, start: int, end: int) -> bool:
    """A capitalised one that no pronoun, particle or name stands beside."""
    word, before, after = question[start:end], question[:start], question[end:]
    if not word[0].isupper() or _NOT_AFTER.match(after) or _NAMES.search(before):
        return False
    return not _NAMED_BEFORE.search(before) and not re.match(r"['’-]", after)
