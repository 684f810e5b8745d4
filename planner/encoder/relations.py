"""How tokens, spots and items of one question relate: what the head's attention may lean on."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from planner.encoder.features import Features
from planner.encoder.items import Items
from planner.encoder.spots import Spot

__all__ = ["RELATIONS", "item_relations", "token_links", "token_spots"]

Floats = npt.NDArray[np.float32]
# between items: same table, below, above, same field's name or value; token–item mention; token in spot; spot may fill item;
# spot and item by the rules; token–item similarity
RELATIONS = ("table", "below", "above", "name", "mention", "within", "fills", "attached", "alike")


def item_relations(items: Items) -> Floats:
    """[4, N, N]: the first four relations."""
    n = len(items.all)
    found: Floats = np.zeros((4, n, n), np.float32)
    table = np.array([items.tables.get(i.table, -1) for i in items.all])
    found[0] = (table[:, None] == table[None, :]) & (table >= 0)[:, None]
    named = defaultdict(list)
    for at, item in enumerate(items.all):
        if item.parent != at and item.kind != "value":
            found[1, at, item.parent] = found[2, item.parent, at] = 1
        if item.kind not in ("read", "write", "documents", "source"):
            named[item.name].append(at)
    for group in named.values():
        found[3][np.ix_(group, group)] = 1
    return found


def token_links(offsets: list[tuple[int, int]], features: Features, n: int) -> Floats:
    """[T, N]: weight of the mention that covers the token."""
    found: Floats = np.zeros((len(offsets), n), np.float32)
    for item, start, end, weight in features.links:
        for t, (a, b) in enumerate(offsets):
            if a < end and start < b:
                found[t, item] = max(found[t, item], weight)
    return found


def token_spots(offsets: list[tuple[int, int]], spots: list[Spot]) -> Floats:
    """[S, T]: 1 where the token is part of the spot."""
    found: Floats = np.zeros((len(spots), len(offsets)), np.float32)
    for s, spot in enumerate(spots):
        for t, (a, b) in enumerate(offsets):
            found[s, t] = a < spot.end and spot.start < b
    return found
