"""The same decisions with one unsure filter turned round: what a plan would be had it gone the other way."""

from __future__ import annotations

from dataclasses import replace

from planner.encoder.decisions import Decisions
from planner.encoder.labels import ROLES

__all__ = ["variants"]

MOST = 5
UNSURE = 0.12  # nearer to certain than this, a decision stands

_FILTERED, _TURNED = ROLES.index("filtered"), 0.9


def variants(d: Decisions, tables: tuple[int, ...]) -> list[Decisions]:
    """Most unsure first: filtered fields and chosen values of these tables, spots that fill their fields, where a period ends."""
    keys = {d.items.all[at].table for at in tables}
    fields = {i: n for (k, n), i in d.items.fields.items() if k in keys}
    names = set(fields.values())
    values = [i for (n, _), i in d.items.values.items() if n in names]
    found: list[tuple[float, Decisions]] = []
    for at in [*fields, *values]:
        p = float(d.roles[at, _FILTERED])
        if UNSURE < p < 1 - UNSURE:
            roles = d.roles.copy()
            roles[at, _FILTERED] = _TURNED if p < 0.5 else 1 - _TURNED
            if at not in fields and p < 0.5:
                for f, n in fields.items():
                    if n == d.items.all[at].name:
                        roles[f, _FILTERED] = max(float(roles[f, _FILTERED]), _TURNED)
            found.append((abs(p - 0.5), replace(d, roles=roles)))
    for s in range(len(d.reading.spots)):
        for at in fields:
            p = float(d.pairs[s, at])
            if UNSURE < p < 1 - UNSURE:
                pairs, roles = d.pairs.copy(), d.roles
                pairs[s, at] = _TURNED if p < 0.5 else 1 - _TURNED
                if p < 0.5:
                    roles = d.roles.copy()
                    roles[at, _FILTERED] = max(float(roles[at, _FILTERED]), _TURNED)
                found.append((abs(p - 0.5), replace(d, pairs=pairs, roles=roles)))
        order = d.endings[s].argsort()[::-1]
        p = float(d.endings[s, order[1]]) if d.reading.spots[s].span is not None else 0.0
        if p > UNSURE:
            endings = d.endings.copy()
            endings[s] = 0
            endings[s, order[1]] = 1
            found.append((0.5 - p, replace(d, endings=endings)))
    return [one for _, one in sorted(found, key=lambda f: f[0])[:MOST]]
