"""The question as words, Chinese characters and clauses, all by offset into the original text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from planner.rules.english import STOP, stem
from planner.times.atoms import fold

__all__ = ["Text", "Word", "is_cjk", "words_of"]

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_BREAK = re.compile(
    r"[，,。；;？?！!：:\n]|\.(?=\s|$)|\s-+\s|——|"
    r"(?=\band (?:what|how|which|who|does|do|is|are|was|were|did|whether|check|tell|see|also|then|where|when|why|if|please|look)\b)|"
    r"(?=以及|并且|同时|另外|顺便|此外|还有[没]?|并(?=[结查给分生按核附看出对]))"
)
_ITEM = re.compile(_BREAK.pattern + "|、")


@dataclass(frozen=True, slots=True)
class Word:
    start: int
    end: int
    text: str
    stem: str

    @property
    def content(self) -> bool:
        return self.text not in STOP and self.stem not in STOP


def is_cjk(text: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text)


def words_of(folded: str, offset: int = 0) -> list[Word]:
    """ASCII words; the possessive is cut off, underscores and hyphens separate."""
    words = []
    for match in _WORD.finditer(folded):
        text = match.group().split("'")[0]
        words.append(Word(match.start() + offset, match.start() + offset + len(text), text, stem(text)))
    return words


@dataclass(slots=True)
class Text:
    question: str
    folded: str = ""
    words: list[Word] = field(default_factory=list)
    clauses: list[tuple[int, int]] = field(default_factory=list)
    items: list[tuple[int, int]] = field(default_factory=list)  # clauses, cut at the marks of a list too

    @classmethod
    def read(cls, question: str) -> Text:
        folded = fold(question)
        return cls(question, folded, words_of(folded), _cut(folded, _BREAK), _cut(folded, _ITEM))

    def clause_of(self, position: int) -> int:
        for i, (start, end) in enumerate(self.clauses):
            if position < end or i == len(self.clauses) - 1:
                return i if position >= start else max(i - 1, 0)
        return 0

    def masked(self, spans: list[tuple[int, int]]) -> str:
        """The folded text with spans blanked by a character that matches nothing."""
        characters = list(self.folded)
        for start, end in spans:
            characters[start:end] = "\x00" * (end - start)
        return "".join(characters)


def _cut(folded: str, marks: re.Pattern[str]) -> list[tuple[int, int]]:
    pieces, start = [], 0
    for match in [*marks.finditer(folded), None]:
        end = match.start() if match else len(folded)
        if match and match.group() in ",，.：:" and _numeric(folded, match.start()):
            continue
        if folded[start:end].strip():
            pieces.append((start, end))
        start = match.end() if match else end
    return pieces


def _numeric(folded: str, at: int) -> bool:
    """A comma or a colon inside a number."""
    return 0 < at < len(folded) - 1 and folded[at - 1].isdigit() and folded[at + 1].isdigit()
