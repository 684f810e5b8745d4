"""YAML as plain data, with the line of every key and value, so that a fault found later can still be pointed at.

Plain data only: mappings with text keys, lists, text, numbers, booleans, null. Dates stay text. A key given twice
is a fault here (YAML itself would keep the last in silence).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from planner.errors import CatalogueError

__all__ = ["Marked", "Place", "key_of", "read_yaml"]

Place = tuple[str | int, ...]

_MAX_DEPTH = 50
_MAX_NODES = 100_000  # after aliases are expanded
_PLAIN = {f"tag:yaml.org,2002:{t}" for t in ("str", "int", "float", "bool", "null")}
_TEXT = {f"tag:yaml.org,2002:{t}" for t in ("str", "timestamp")}


def key_of(place: Place) -> str:
    """("datasets", 0, "name") → datasets[0].name"""
    out = ""
    for part in place:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else part
    return out


@dataclass(slots=True)
class Marked:
    """`lines` gives the line (from 1) of each key's and each item's place; `written` each scalar as it stands."""

    data: Any
    lines: dict[Place, int] = field(default_factory=dict)
    written: dict[Place, str] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """The line of `place`, or of the nearest place above it that is in the file."""
        while place not in self.lines and place:
            place = place[:-1]
        return self.lines.get(place, 1)


def read_yaml(text: str, file: str) -> Marked:
    """Raises CatalogueError with file and line on whatever is not plain data in one document; empty, it is null."""
    loader = yaml.SafeLoader("")
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        raise CatalogueError(
            f"broken YAML: {e.problem or e.context}", file, mark.line + 1 if mark else 1
        ) from None
    except yaml.reader.ReaderError as e:
        line = text.count("\n", 0, e.position) + 1
        raise CatalogueError(
            f"broken YAML: a character that YAML does not allow ({e.reason})", file, line
        ) from None
    except RecursionError:
        raise CatalogueError(f"nested more than {_MAX_DEPTH} deep", file, 1) from None
    marked = Marked(None)
    if root is not None:
        marked.data = _Reader(loader, file, marked).read(root, ())
    return marked


@dataclass(slots=True)
class _Reader:
    loader: yaml.SafeLoader
    file: str
    marked: Marked
    nodes: int = 0

    def read(self, node: yaml.Node, place: Place) -> Any:
        self.marked.lines.setdefault(place, node.start_mark.line + 1)
        self.nodes += 1
        if len(place) > _MAX_DEPTH or self.nodes > _MAX_NODES:
            raise self.fault(node, place[:3], f"nested more than {_MAX_DEPTH} deep, or too large")
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, place)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(child, (*place, i)) for i, child in enumerate(node.value)]
        return self.scalar(node, place)

    def mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self.fault(key_node, place, "a key must be a plain word")
            key = str(key_node.value)
            here = (*place, key)
            if key in out:
                raise self.fault(key_node, here, f"given twice, first in line {self.marked.lines[here]}")
            self.marked.lines[here] = key_node.start_mark.line + 1
            out[key] = self.read(value_node, here)
        return out

    def scalar(self, node: yaml.Node, place: Place) -> Any:
        self.marked.written[place] = str(node.value)
        if node.tag in _TEXT:
            return str(node.value)
        if node.tag not in _PLAIN:
            raise self.fault(node, place, f"the tag {node.tag} is not accepted")
        try:
            return self.loader.construct_object(node)
        except (ValueError, LookupError, AttributeError, yaml.YAMLError):
            raise self.fault(node, place, f"{str(node.value)[:40]!r} is not what its tag says") from None

    def fault(self, node: yaml.Node, place: Place, message: str) -> CatalogueError:
        return CatalogueError(message, self.file, node.start_mark.line + 1, key_of(place))
