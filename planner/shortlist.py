"""Which of a catalogue's datasets a question may need, where they are too many to show all.

Three orders are joined by reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): names and words of the catalogue
that stand in the question, pieces of words that they share weighted by rarity, and, where a function is handed in,
nearness of embeddings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from planner.prompt import tables_prefix, tokens_about
from planner.rules.lexicon import Lexicon, Table, units_of
from planner.rules.mentions import find_mentions
from planner.rules.text import Text

__all__ = ["Embed", "Shortlist"]

Embed = Callable[[Sequence[str], bool], Any]  # texts, whether they are questions → [n, d] rows of length one
_WHOLE = 1200  # tokens up to which a catalogue is shown whole
_CHOSEN = 800  # tokens of a choice; read anew for every question
_RANK = 60  # reciprocal rank fusion's constant


class Shortlist:
    """Reads the catalogue once. `embed` is called at the first question that needs it."""

    def __init__(
        self, lexicon: Lexicon, embed: Embed | None = None, *, whole: int = _WHOLE, chosen: int = _CHOSEN
    ) -> None:
        self._lexicon, self._embed = lexicon, embed
        self._tables = lexicon.tables
        self._sizes = {key: tokens_about(tables_prefix([table])) for key, table in self._tables.items()}
        self._all = tokens_about(tables_prefix(self._tables.values())) <= whole
        self._budget = chosen
        self._cards: Any = None

    def tables(
        self, question: str, spans: Iterable[tuple[int, int]], needed: Iterable[str] = ()
    ) -> list[Table]:
        """In the catalogue's order: all where they fit, else as many of the likeliest as fit, `needed` (names of
        datasets, of document sources) first. `spans` are stretches of the question that no word may use."""
        if self._all:
            return list(self._tables.values())
        order = self.ranked(question, spans)
        names = set(needed)
        order.sort(key=lambda key: not names & self._names(key))
        kept: set[str] = set()
        room = self._budget
        for key in order:
            if self._sizes[key] <= room:
                kept.add(key)
                room -= self._sizes[key]
        kept |= {key for key in self._tables if self._first(key, kept)}
        return [table for key, table in self._tables.items() if key in kept]

    def _names(self, key: str) -> set[str]:
        table = self._tables[key]
        return {s.name for s in table.holders} if table.document else {table.dataset.name}

    def _first(self, key: str, kept: set[str]) -> bool:
        """Whether a kept namesake of other content is told apart from it only by its source."""
        return any(k != key and not self._tables[k].document and k.endswith(f".{key}") for k in kept)

    def ranked(self, question: str, spans: Iterable[tuple[int, int]]) -> list[str]:
        """Keys of all tables, the likeliest first."""
        orders = [self._by_mentions(question, list(spans)), self._by_units(question)]
        if self._embed is not None:
            orders.append(self._by_embedding(question))
        fused: dict[str, float] = defaultdict(float)
        for scores in orders:
            ranking = sorted((k for k, score in scores.items() if score > 0), key=lambda k: -scores[k])
            for rank, key in enumerate(ranking):
                fused[key] += 1 / (_RANK + rank)
        return sorted(self._tables, key=lambda k: -fused[k])

    def _by_mentions(self, question: str, spans: list[tuple[int, int]]) -> dict[str, float]:
        """A mention counts by its length and by how few tables it fits."""
        found: dict[str, float] = defaultdict(float)
        for mention in find_mentions(Text.read(question), self._lexicon, spans):
            tables = {target[1] for target in mention.targets if target[0] != "source"}
            holders = {target[2] for target in mention.targets if target[0] == "source"}
            tables |= {k for k, t in self._tables.items() if holders & {s.name for s in t.holders}}
            for key in tables:
                found[key] += mention.weight * min(len(mention.text), 6) / len(tables) ** 0.5
        return found

    def _by_units(self, question: str) -> dict[str, float]:
        units = set(units_of(question))
        return {key: sum(t.bag.get(u, 0.0) for u in units) for key, t in self._tables.items()}

    def _by_embedding(self, question: str) -> dict[str, float]:
        assert self._embed is not None
        if self._cards is None:
            self._cards = self._embed([card(table) for table in self._tables.values()], False)
        nearness = self._cards @ self._embed([question], True)[0]
        return {key: 1.0 + float(near) for key, near in zip(self._tables, nearness, strict=True)}


def card(table: Table) -> str:
    """A dataset in words, for an embedding."""
    words = [f.synonyms[0] if f.synonyms else f.name for f in table.fields.values()]
    sources = " ".join(s.description for s in table.holders)
    return f"{table.dataset.description} {' '.join(table.dataset.synonyms)} ({sources}): {', '.join(words)}"
