"""References to earlier results: `{{g1.result}}`, `{{g1.result.status}}`, `{{g1.rows[0].price}}`.

A reference is a whole string, a typed value to be resolved when the step runs; it never stands inside a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Reference", "find_references", "looks_like_reference", "parse_reference"]

STEP = r"[A-Za-z][A-Za-z0-9_]*(?:\.[0-9]+)*"
_REFERENCE = re.compile(
    rf"\{{\{{\s*(?P<step>{STEP})\.(?:"
    r"result(?:\.(?P<field>[^\s{}\[\]](?:[^{}\[\]]*[^\s{}\[\]])?))?"
    r"|rows\[(?P<row>[0-9]{1,6})\]\.(?P<cell>[^\s{}\[\]](?:[^{}\[\]]*[^\s{}\[\]])?)"
    r")\s*\}\}"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """`path` is ("result",), ("result", field) or ("rows", index, field)."""

    step: str
    path: tuple[str | int, ...]

    @property
    def field(self) -> str | None:
        """The field's name; None for a whole result."""
        return str(self.path[-1]) if len(self.path) > 1 else None

    @property
    def row(self) -> int | None:
        """The row's number from 0; None when the reference is to all rows."""
        return int(self.path[1]) if self.path[0] == "rows" else None

    def __str__(self) -> str:
        if self.row is not None:
            return f"{{{{{self.step}.rows[{self.row}].{self.field}}}}}"
        return f"{{{{{'.'.join([self.step, *map(str, self.path)])}}}}}"


def parse_reference(text: object) -> Reference | None:
    """The reference that `text` is as a whole, else None."""
    m = _REFERENCE.fullmatch(text.strip()) if isinstance(text, str) else None
    if m is None:
        return None
    if m["cell"]:
        return Reference(m["step"], ("rows", int(m["row"]), m["cell"]))
    return Reference(m["step"], ("result", m["field"]) if m["field"] else ("result",))


def looks_like_reference(text: object) -> bool:
    """Whether a string holds reference braces anywhere; such a string must be a reference as a whole."""
    return isinstance(text, str) and ("{{" in text or "}}" in text)


def find_references(params: Any) -> list[Reference]:
    """All references anywhere in `params` (mappings, lists, strings), in order of occurrence, each once."""
    return list(dict.fromkeys(r for _, text in strings(params) if (r := parse_reference(text)) is not None))


def strings(params: Any, key: str = "params") -> Iterator[tuple[str, str]]:
    """Every string in `params`, mappings' keys included, with its place: `params.inputs[0]`."""
    if isinstance(params, str):
        yield key, params
    elif isinstance(params, dict):
        for k, v in params.items():
            yield f"{key}.{k}", str(k)
            yield from strings(v, f"{key}.{k}")
    elif isinstance(params, list | tuple):
        for i, v in enumerate(params):
            yield from strings(v, f"{key}[{i}]")
