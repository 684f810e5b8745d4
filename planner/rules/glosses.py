"""Other words for listed values that a catalogue gives in its descriptions: "(LHR Heathrow, MAN Manchester)", "upheld=成立"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from planner.catalogue import Dataset, Source

__all__ = ["read_glosses"]

_GROUP = re.compile(r"[(（]([^()（）]{3,400})[)）]")
_ITEM = re.compile(r"[,，;；、/]")
_PAIR = re.compile(r"([\w-]+)\s*[=＝:：]\s*([^\s,，;；。()（）=]{1,20})")
_BEHIND = re.compile(r"([\u4e00-\u9fff]{2,6})[(（]([A-Za-z_ -]{2,20})[)）]")


def read_glosses(described: Iterable[tuple[Source, Dataset]]) -> dict[tuple[str, str], set[str]]:
    """(field, value) → its glosses. A gloss counts for every dataset that has the field with that value."""
    described = list(described)
    texts = {
        t
        for s, d in described
        for t in (s.description, d.description, *(f.description for f in d.fields))
        if t
    }
    values: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for _, dataset in described:
        for f in dataset.fields:
            for value in f.values:
                values[value.lower()].add((f.name, value))
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for text in texts:
        for value, gloss in _pairs(text, values):
            for target in values[value]:
                found[target].add(gloss)
    return found


def _pairs(text: str, values: dict[str, set[tuple[str, str]]]) -> Iterable[tuple[str, str]]:
    for group in _GROUP.findall(text):
        for item in _ITEM.split(group):
            words = item.split()
            for i in range(len(words)):
                for j in range(len(words), i, -1):
                    value, gloss = " ".join(words[i:j]).lower(), " ".join(words[j:]).strip()
                    if value in values and gloss and len(gloss.split()) <= 3 and len(gloss) <= 24:
                        yield value, gloss
                        break
                else:
                    continue
                break
    for value, gloss in _PAIR.findall(text):
        if value.lower() in values:
            yield value.lower(), gloss
    for gloss, value in _BEHIND.findall(text):
        if value.lower() in values:
            yield value.lower(), gloss
            yield value.lower(), gloss[-2:]
