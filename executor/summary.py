"""The one sentence that every evidence carries; written here where the adapter gave none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adapters.base import Evidence
from adapters.summary import summarise

__all__ = ["with_summary"]


def with_summary(evidence: Evidence, grain: Sequence[str] = ()) -> Evidence:
    """The same evidence, its summary filled in when it was empty: "A · 华东 · 2024-01: return_rate 5.2%"."""
    if evidence.summary:
        return evidence
    if evidence.kind == "text":
        places = dict.fromkeys(_place(evidence, i) for i in range(len(evidence.rows)))
        said = (
            f"{len(evidence.rows)} passages: {', '.join(p for p in places if p)}" if places else "0 passages"
        )
        return replace(evidence, summary=said[:300])
    types = {c: evidence.types.get(c, "text") for c in evidence.columns}
    return replace(evidence, summary=summarise(evidence.rows, types, [g for g in grain if g in types]))


def _place(evidence: Evidence, row: int) -> str:
    doc, page = evidence.rows[row].get("doc"), evidence.rows[row].get("page")
    return f"{doc} p. {page}" if page is not None else str(doc or "")
