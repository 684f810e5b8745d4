"""Headings that a PDF's own tags name: H1 to H6 of its structure tree, and which pieces of which page they mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["TaggedHeading", "headings_of"]

_LEVELS = {"/Title": 1, "/H": 1, **{f"/H{n}": n for n in range(1, 7)}}
DEEPEST = 100  # a tree that nests further is broken


@dataclass(slots=True)
class TaggedHeading:
    """`level` from 1, `page` from 1; `marks` are the marked-content ids of its text on that page."""

    level: int
    page: int
    marks: set[int] = field(default_factory=set)


def headings_of(reader: Any) -> list[TaggedHeading]:
    """In the tree's order; empty without a tree. `reader` is pypdf's. A broken tree gives what was read of it."""
    from pypdf.errors import PyPdfError

    found: list[TaggedHeading] = []
    try:
        root = reader.trailer["/Root"].get_object().get("/StructTreeRoot")
        tree = root.get_object() if root is not None else None
        if not isinstance(tree, Mapping):
            return []
        roles = {str(k): str(v) for k, v in (_object(tree.get("/RoleMap")) or {}).items()}
        pages = {p.indirect_reference.idnum: n for n, p in enumerate(reader.pages, 1)}
        for level, parts in _walk(tree.get("/K"), roles, None, 0):
            by_page: dict[int, set[int]] = {}
            for page, mark in parts:
                if page in pages:
                    by_page.setdefault(pages[page], set()).add(mark)
            if by_page:
                first = min(by_page)
                found.append(TaggedHeading(level, first, by_page[first]))
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return found
    return found


def _object(node: Any) -> Any:
    return node.get_object() if hasattr(node, "get_object") else node


def _page(node: Mapping[str, Any], before: int | None) -> int | None:
    raw = node.raw_get("/Pg") if hasattr(node, "raw_get") and "/Pg" in node else None
    return int(raw.idnum) if raw is not None and hasattr(raw, "idnum") else before


def _walk(
    node: Any, roles: Mapping[str, str], page: int | None, depth: int
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """(level, pieces) of each heading below; a piece is a page's object number and a mark."""
    node = _object(node)
    if depth > DEEPEST:
        return
    if isinstance(node, list):
        for one in node:
            yield from _walk(one, roles, page, depth + 1)
    elif isinstance(node, Mapping):
        page = _page(node, page)
        kind = str(node.get("/S", ""))
        level = _LEVELS.get(roles.get(kind, kind))
        if level is not None:
            yield level, list(_marks(node.get("/K"), page, depth))
        else:
            yield from _walk(node.get("/K"), roles, page, depth + 1)


def _marks(node: Any, page: int | None, depth: int) -> Iterator[tuple[int, int]]:
    node = _object(node)
    if depth > DEEPEST:
        return
    if isinstance(node, list):
        for one in node:
            yield from _marks(one, page, depth + 1)
    elif isinstance(node, Mapping):
        page = _page(node, page)
        if "/MCID" in node and page is not None:
            yield page, int(node["/MCID"])
        else:
            yield from _marks(node.get("/K"), page, depth + 1)
    elif isinstance(node, int) and page is not None:
        yield page, int(node)
