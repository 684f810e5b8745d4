"""Field names are one vocabulary across sources: what one dataset calls a field, another may be asked by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from planner.catalogue import Field

__all__ = ["pooled"]


def pooled(fields: Iterable[Field]) -> Callable[[Field], Field]:
    """Fields of one name that list the same values are one thing: each takes the words that any of them has."""
    alike: dict[tuple[str, str], list[Field]] = defaultdict(list)
    for f in fields:
        if f.values:
            alike[f.name, f.type].append(f)

    def shared(f: Field) -> Field:
        others = [o for o in alike.get((f.name, f.type), ()) if set(o.values) & set(f.values)]
        if len(others) < 2:
            return f
        words = dict.fromkeys([*f.synonyms, *(s for o in others for s in o.synonyms)])
        spoken = {
            v: tuple(dict.fromkeys(s for o in (f, *others) for s in o.value_synonyms.get(v, ())))
            for v in f.values
        }
        return f.model_copy(
            update={"synonyms": tuple(words), "value_synonyms": {v: s for v, s in spoken.items() if s}}
        )

    return shared
