"""Two ranked lists into one: cosines of centred vectors, and BM25.

Both are brought to 0..1 and added with weights. BM25 is divided by the most that the question could score
(every token of it, saturated), so that a good match of half the question counts as half; the cosine is taken
as it is. Weights and the floor are measured in tests/kb_index/test_retrieval.py.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from kb_index.sparse import K
from kb_index.store import Match

__all__ = ["Fused", "fuse"]

# of 0.5 to 0.9: the most questions answered first (0.90), exact words 1.00; equal weights 0.85, RRF 0.68
DENSE = 0.75
WORDS = 0.25
NAMED = 0.2


@dataclass(frozen=True, slots=True)
class Fused:
    """`cosine`: of the centred vectors, None when the passage was only found by words. `words`: BM25's share of
    what the question could score, 0..1."""

    match: Match
    score: float
    cosine: float | None
    words: float


def fuse(
    dense: Sequence[Match],
    words: Sequence[Match],
    most: float,
    named: Set[str] = frozenset(),
    weights: tuple[float, float] = (DENSE, WORDS),
) -> list[Fused]:
    """Best first. `most`: the question's summed IDF. `named`: ids of passages that hold a version or part number
    of the question; they come before others that are as near. A passage missing from the dense list counts as
    its last."""
    cosines = {m.id: m.score for m in dense}
    last = min(cosines.values(), default=0.0)
    bm25 = {m.id: m.score / (most * (K + 1)) if most else 0.0 for m in words}
    out = []
    for match in {m.id: m for m in [*dense, *words]}.values():
        cosine = cosines.get(match.id)
        share = min(bm25.get(match.id, 0.0), 1.0)
        score = weights[0] * max(last if cosine is None else cosine, 0.0) + weights[1] * share
        if match.id in named:
            score += NAMED
        out.append(Fused(match, score, cosine, share))
    return sorted(out, key=rank)


def rank(found: Fused) -> tuple[float, str, int, str]:
    """Equal passages (copies of a file) score equal but for their last bits: they stand by name and place."""
    payload = found.match.payload
    if not payload:
        return -round(found.score, 5), "", 0, found.match.id
    return (
        -round(found.score, 5),
        str(payload.get("document", "")),
        int(payload.get("order", 0)),
        found.match.id,
    )
