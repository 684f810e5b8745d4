"""A file's chunks as the store keeps them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb_index.parsed import ParsedFile
from kb_index.sparse import Frequencies, passage_weights
from kb_index.store import Point
from kb_index.versions import IndexedFile
from kb_index.words import tokens

if TYPE_CHECKING:
    from kb_index.centring import Vectors

__all__ = ["point_id", "points_of"]

_SPACE = uuid.UUID("6f1d8f6e-6d0b-5a53-9a0c-3d6b8d7a4b11")  # of our point ids; any constant would do


def point_id(document: str, order: int) -> str:
    """The same for the same passage in every version and store."""
    return str(uuid.uuid5(_SPACE, f"{document}\n{order}"))


def points_of(
    file: IndexedFile, parsed: ParsedFile, contexts: Sequence[str], vectors: Vectors, frequencies: Frequencies
) -> list[Point]:
    """`contexts` and `vectors` (centred) are parallel to the chunks. Ids depend on document and place alone, so
    that writing a file twice changes nothing."""
    out = []
    for i, (chunk, context, vector) in enumerate(zip(parsed.chunks, contexts, vectors, strict=True)):
        path = chunk.section_path
        payload = {
            "document": file.document,
            "path": file.path,
            "title": parsed.title,
            "order": i,
            "page_from": chunk.page_from,
            "page_to": chunk.page_to,
            "section_path": list(path),
            "section": [" > ".join(path[: n + 1]) for n in range(len(path))],
            "kind": chunk.kind,
            "table_id": chunk.table_id,
            "roles": list(file.roles),
            "text": chunk.text,
        }
        if parsed.date:
            payload["date"] = parsed.date
        words = passage_weights(tokens(context), frequencies.average)
        out.append(Point(point_id(file.document, i), vector.tolist(), words, payload))
    return out
