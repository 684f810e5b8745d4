"""The line that searches a document source."""

from __future__ import annotations

from planner.compact.lines import DocumentLine
from planner.encoder.decisions import Decisions
from planner.rules.documents import read_documents
from planner.rules.regions import split_regions

__all__ = ["search"]


def search(d: Decisions, at: int, *, alone: bool) -> DocumentLine:
    """The part of the question that the rules hear as for the documents, all of it where they hear none."""
    table = d.items.lexicon.tables[d.items.all[at].table]
    reading = d.reading
    query = ""
    if not alone:
        ask = read_documents(
            reading.text,
            split_regions(reading.text),
            d.items.lexicon,
            reading.mentions,
            reading.spans,
            reading.frees,
        )
        query = ask.query if ask.regions or ask.beside else ""
    return DocumentLine(table.holders[0].name, " ".join((query or d.question).split()))
