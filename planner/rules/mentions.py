"""Where the question speaks of the catalogue: exact terms by longest match, then parts of terms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from planner.rules.bilingual import Bilingual
from planner.rules.english import GENERIC, STOP, stem
from planner.rules.lexicon import GENERIC_ZH, TRANSLATED, Lexicon, Target, Term
from planner.rules.text import Text, Word, is_cjk

__all__ = ["Mention", "find_mentions"]

Kind = Literal["field", "value", "dataset", "source"]
SCATTERED = 0.7  # the weight of a term whose words stand apart
_UNITS = re.compile(
    r"\s*(?:%|％|天|日|元|块|万|千|公里|小时|分钟|盒|件|个|台|份|人|吨|瓶|days?\b|hours?\b|percent\b|units?\b|k\b)"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """question[start:end] names `targets`; `weight` is 1 for a whole term, less for a part of one."""

    start: int
    end: int
    text: str
    targets: tuple[Target, ...]
    weight: float

    def of(self, kind: Kind) -> list[Target]:
        return [t for t in self.targets if t[0] == kind]

    def fields(self, table: str) -> list[str]:
        return [name for kind, key, name, _ in self.targets if kind == "field" and key == table]

    def values(self, table: str) -> list[tuple[str, str]]:
        return [(name, value) for kind, key, name, value in self.targets if kind == "value" and key == table]

    @property
    def is_value(self) -> bool:
        return any(t[0] == "value" for t in self.targets)


def find_mentions(text: Text, lexicon: Lexicon, taken: list[tuple[int, int]]) -> list[Mention]:
    """`taken` are the spans of time expressions, which no term may overlap."""
    folded = text.masked(taken)
    words = [w for w in text.words if not any(w.start < end and start < w.end for start, end in taken)]
    words = sorted([*words, *_joined(words)], key=lambda w: w.start)
    kept: list[Mention] = _exact([t for t in lexicon.terms if not t.late], [], text, folded, words)
    kept += _most([t for t in lexicon.terms if not t.late], kept, text, folded)
    kept += _exact([t for t in lexicon.terms if t.late], kept, text, folded, words)
    kept += _most([t for t in lexicon.terms if t.late], kept, text, folded)
    kept += _parts(lexicon, kept, folded, words)
    return sorted(kept, key=lambda m: (m.start, m.end))


def _joined(words: list[Word]) -> list[Word]:
    """'sign-ups', 'break down': two words that a catalogue may write as one."""
    particles = ("down", "up", "out", "off", "in", "over", "time")
    return [
        Word(a.start, b.end, part + b.text, stem(part + b.text))
        for a, b in pairwise(words)
        if b.start - a.end <= 1 and a.text.isalpha() and b.text in particles
        for part in {a.text, a.stem}
    ]


def _exact(
    terms: list[Term], kept: list[Mention], text: Text, folded: str, words: list[Word]
) -> list[Mention]:
    candidates: list[Mention] = []
    for term in terms:
        for start, end, share in _occurrences(term, folded, words):
            weight = term.weight * share * _strength(term, folded, start, end)
            if weight > 0 and not any(start < k.end and k.start < end for k in kept):
                candidates.append(Mention(start, end, text.question[start:end], term.targets, weight))
    return _resolve(candidates)


def _resolve(candidates: list[Mention]) -> list[Mention]:
    """Longest first; the same stretch keeps every target it names."""
    merged: dict[tuple[int, int], Mention] = {}
    for m in candidates:
        old = merged.get((m.start, m.end))
        if old is None:
            merged[m.start, m.end] = m
        else:
            targets = tuple(dict.fromkeys((*old.targets, *m.targets)))
            merged[m.start, m.end] = Mention(m.start, m.end, m.text, targets, max(old.weight, m.weight))
    kept: list[Mention] = []
    for m in sorted(
        merged.values(), key=lambda c: (c.weight == SCATTERED, -(c.end - c.start), -c.weight, c.start)
    ):
        if not any(m.start < k.end and k.start < m.end for k in kept):
            kept.append(m)
    return kept


def _occurrences(term: Term, folded: str, words: list[Word]) -> list[tuple[int, int, float]]:
    """Start, end and the share of the term that is there."""
    if not term.words:
        pattern = "的?".join(re.escape(c) for c in term.surface.replace(" ", "")) if len(term.surface) > 2 else re.escape(
            term.surface
        )  # fmt: skip
        return [(m.start(), m.end(), 1.0) for m in re.finditer(pattern, folded)]
    n = len(term.words)
    found = []
    if n == 1 and all(t[0] == "value" for t in term.targets):  # "opened" is not the state "open"
        return [
            (w.start, w.end, 1.0)
            for w in words
            if w.text in (term.surface, term.surface + "s", term.surface + "es")
        ]
    for i in range(len(words) - n + 1):
        if all(words[i + j].stem == term.words[j] for j in range(n)) and _close(words[i : i + n]):
            found.append((words[i].start, words[i + n - 1].end, 1.0))
    if found or n < 2:
        return found
    return _scattered(term, words)


def _close(words: list[Word]) -> bool:
    return all(b.start - a.end <= 3 for a, b in pairwise(words))


def _scattered(term: Term, words: list[Word]) -> list[tuple[int, int, float]]:
    """All content words of a longer term within a short window, in any order."""
    wanted = {w for w in term.words if w not in STOP}
    if len(wanted) < 2:
        return []
    for i, word in enumerate(words):
        if word.stem not in wanted:
            continue
        window = words[i : i + len(wanted) + 3]
        hits = [w for w in window if w.stem in wanted]
        if {w.stem for w in hits} == wanted:
            return [(hits[0].start, hits[0].end, SCATTERED)]
    return []


def _strength(term: Term, folded: str, start: int, end: int) -> float:
    """Short surfaces need support: a lone letter or number is a value only as a word of its own."""
    surface = term.surface
    is_value = any(t[0] == "value" for t in term.targets)
    if surface.isdigit() and len(surface) < 5:
        if _UNITS.match(folded[end:]) or re.search(
            r"(?:[$¥€£<>=]|top|last|past|最近|前|than|over|under|超过|低于|高于)\s*$", folded[:start]
        ):
            return 0.0
        return 0.9 if is_value else 0.5
    if surface.isascii():
        if (
            surface in STOP and not is_value
        ):  # "lot B-88": a word without content names a field only before an id
            return 0.7 if re.match(r"(?:\s*(?:no\.?|number|#))?\s*[a-z]{0,6}-?\d", folded[end:]) else 0.0
        if surface in ("a", "i", "s", "t") and not (
            (start and is_cjk(folded[start - 1])) or is_cjk(folded[end : end + 1])
        ):
            around = folded[max(0, start - 12) : start]
            return (
                0.9
                if is_value
                and re.search(r"(?:product|type|class|grade|group|line|model|plan|tier|zone)\s$", around)
                else 0.0
            )
        return 0.6 if surface in GENERIC else 1.0
    if len(surface) == 1:
        if term.weight == TRANSLATED and _within_word(folded, start):
            return 0.0
        return 0.7 if is_value else 0.3
    return 0.6 if surface in GENERIC_ZH and not is_value else 1.0


def _within_word(folded: str, at: int) -> bool:
    """A single character that is part of a longer word of the dictionary."""
    knows = Bilingual.shared().knows
    return (at > 0 and knows(folded[at - 1 : at + 1])) or (
        len(folded) > at + 1 and knows(folded[at : at + 2])
    )


def _most(terms: list[Term], kept: list[Mention], text: Text, folded: str) -> list[Mention]:
    """Most of a longer Chinese term."""
    found: list[Mention] = []
    for term in terms:
        surface = term.surface
        if term.words or len(surface) < 4 or all(t[0] == "source" for t in term.targets):
            continue
        for size in range(len(surface) - 1, max(2, (len(surface) * 3 + 4) // 5) - 1, -1):
            spots = [(folded.find(surface[i : i + size]), i) for i in range(len(surface) - size + 1)]
            hit = next((at for at, i in spots if at >= 0 and surface[i : i + size] not in GENERIC_ZH), None)
            if hit is not None and not any(hit < k.end and k.start < hit + size for k in (*kept, *found)):
                weight = 0.8 * size / len(surface)
                found.append(Mention(hit, hit + size, text.question[hit : hit + size], term.targets, weight))
                break
    return found


def _parts(lexicon: Lexicon, kept: list[Mention], folded: str, words: list[Word]) -> list[Mention]:
    """Rare words or Chinese fragments that belong to the terms of one field only."""
    found: list[Mention] = []

    def free(start: int, end: int) -> bool:
        return not any(start < k.end and k.start < end for k in (*kept, *found))

    for word in words:
        homes = lexicon.homes.get(word.stem, set())
        if (
            len(homes) == 1
            and word.content
            and word.stem not in GENERIC
            and len(word.stem) > 2
            and free(word.start, word.end)
        ):
            found.append(Mention(word.start, word.end, word.text, _targets(lexicon, homes), 0.45))
    for match in re.finditer(r"(?=([\u4e00-\u9fff]{2}))", folded):
        unit, start = match.group(1), match.start()
        homes = lexicon.homes.get(unit, set())
        if len(homes) == 1 and unit not in GENERIC_ZH and free(start, start + 2):
            found.append(Mention(start, start + 2, unit, _targets(lexicon, homes), 0.4))
    return found


def _targets(lexicon: Lexicon, homes: set[str]) -> tuple[Target, ...]:
    return tuple(
        ("field", key, name, "")
        for key, table in lexicon.tables.items()
        for name in homes
        if name in table.fields
    )
