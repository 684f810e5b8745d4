"""Which derive steps follow the fetches: across two of them here, along one in `chain`."""

from __future__ import annotations

import re

from planner.rules.chain import Chain, main_measure
from planner.rules.fetch import Derive, Fetch, Operands
from planner.rules.intents import Intents

__all__ = ["plan_derives"]


def plan_derives(fetches: list[Fetch], intents: Intents, *, agree: bool) -> list[Derive]:
    out: list[Derive] = []
    if not fetches:
        return out
    if agree:
        first, second = fetches[0], fetches[1]
        out.append(Derive("difference", [(first.ids[0], None), (second.ids[0], None)], main_measure(first)))
        return out
    pairs = [(f, m) for f in fetches for m in f.measures]
    if len(pairs) >= 2 and (two := _two_measures(pairs, intents)):
        if two.operation == "correlate":
            out += Chain(fetches[0], intents, 0).trend()
        out.append(two)
        if intents.planned and "rank" in intents:
            last = f"d{len(out) - 1}"
            out.append(Derive("rank", [(last, None)], "value", [], intents.order, intents.top))
        return out
    if both := _counted_and_measured(fetches, intents):
        return both
    for fetch in fetches:
        if fetch.measures or fetch.asks_rows or fetch is fetches[0]:
            out += Chain(fetch, intents, len(out)).derives()
    return out


# "per plant" groups; these words want a quotient
_STATED = re.compile(r"ratio|比|除|率|divided|relative|multiple")


def _alike(pairs: list[tuple[Fetch, str]]) -> tuple[tuple[Fetch, str], tuple[Fetch, str]]:
    """The first two measures of one type (money by money), else the first two."""
    for i, (f, m) in enumerate(pairs):
        for g, n in pairs[i + 1 :]:
            if f.table.fields[m].type == g.table.fields[n].type:
                return (f, m), (g, n)
    return pairs[0], pairs[1]


def _two_measures(pairs: list[tuple[Fetch, str]], intents: Intents) -> Derive | None:
    (a, m), (b, n) = _alike(pairs) if "ratio" in intents or "difference" in intents else (pairs[0], pairs[1])
    inputs: Operands = [(a.ids[0], m), (b.ids[0], n)]
    if intents.planned:
        return Derive("ratio" if _STATED.search(intents.words.get("ratio", "")) else "difference", inputs)
    if "product" in intents and not _STATED.search(intents.words.get("ratio", "")):
        return Derive("product", inputs)
    if "correlate" in intents and not ("ratio" in intents and a is b):
        return Derive("correlate", inputs)
    if "ratio" in intents:
        return Derive("ratio", inputs)
    if "product" in intents:
        return Derive("product", inputs)
    compared = any(f.periods() == 2 or len(f.ids) > 1 or f.listed() for f in (a, b))
    if compared or not (a is b or {a.time, b.time} == {a.time}):
        return None
    kinds = {a.table.fields[m].type, b.table.fields[n].type}
    if "share" in intents and not a.groups and a.part is None and "percent" not in kinds:
        return Derive("ratio", inputs)
    if "difference" in intents and "rank" not in intents and len(kinds) == 1 and len(pairs) == 2:
        return Derive("difference", inputs)
    return None


def _counted_and_measured(fetches: list[Fetch], intents: Intents) -> list[Derive]:
    """Records of one table against a measure of another: records are counted along the time that both have."""
    if "correlate" not in intents or len(fetches) != 2:
        return []
    records = [f for f in fetches if f.table.record and not f.measures]
    measured = [f for f in fetches if f.measures]
    if len(records) != 1 or len(measured) != 1:
        return []
    counted, other = records[0], measured[0]
    shared = [
        g for g in other.table.dataset.grain if g in counted.table.fields and g not in counted.filters[0]
    ]
    by = [name for name in shared if name != other.time][:2]
    if counted.time:
        kind = other.table.fields[other.time].type if other.time else "month"
        own = counted.table.fields[counted.time].type
        by.append(
            f"{counted.time}:{kind}"
            if own in ("date", "datetime") and kind in ("month", "quarter")
            else counted.time
        )
    first = Derive("count", [(counted.ids[0], None)], None, by=by)
    return [first, Derive("correlate", [(other.ids[0], other.measures[0]), ("d0", "value")])]
