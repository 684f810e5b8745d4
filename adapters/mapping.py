"""Paths into a record, JSONPath or XPath, each value with the exact path at which it stood."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from adapters.base import Value
from adapters.dates import bucket
from adapters.errors import ConfigurationError, FormatError
from adapters.values import canonical

__all__ = ["FieldMap", "Found", "Path", "compile_path", "parse_document", "plain"]


@dataclass(frozen=True, slots=True)
class Found:
    """A value (for XML: text, or an element) and its concrete path, indices included."""

    value: Any
    path: str


class Path(Protocol):
    """A compiled path. `find` gives every match in `document`, in order."""

    text: str

    def find(self, document: Any, /) -> list[Found]: ...


class _JsonPath:
    def __init__(self, text: str) -> None:
        from jsonpath_ng.exceptions import JSONPathError
        from jsonpath_ng.ext.parser import parse

        self.text = text
        try:
            self._compiled = parse(text)
        except (JSONPathError, ValueError, AttributeError, TypeError) as e:
            raise ConfigurationError(
                f"{text!r} is no JSONPath: {str(e).splitlines()[0] if str(e) else e!r}"
            ) from e

    def find(self, document: Any) -> list[Found]:
        return [Found(m.value, _json_path(m)) for m in self._compiled.find(document)]


def _json_path(match: Any) -> str:
    parts: list[str] = []
    while match is not None and match.context is not None:
        step = match.path
        if hasattr(step, "indices"):
            parts.append("".join(f"[{i}]" for i in step.indices))
        elif hasattr(step, "fields"):
            name = step.fields[0]
            parts.append(
                f".{name}" if re.fullmatch(r"[A-Za-z_]\w*", name) else "['" + name.replace("'", r"\'") + "']"
            )
        else:
            parts.append(f".{step}")
        match = match.context
    return "$" + "".join(reversed(parts))


class _XPath:
    """Relative to the record: "score", "./score/@unit", "name(.)" """

    def __init__(self, text: str, namespaces: tuple[tuple[str, str], ...]) -> None:
        from lxml import etree

        self.text = text
        try:
            self._compiled = etree.XPath(text, namespaces=dict(namespaces) or None, regexp=False)
        except etree.XPathError as e:
            raise ConfigurationError(f"{text!r} is no XPath: {e}") from e

    def find(self, document: Any) -> list[Found]:
        from lxml import etree

        try:
            result = self._compiled(document)
        except etree.XPathError as e:
            raise ConfigurationError(f"XPath {self.text!r}: {e}") from e
        if not isinstance(result, list):
            return [Found(result, self.text)] if result != "" else []
        return [Found(r, self._where(r, document)) for r in result]

    def _where(self, result: Any, document: Any) -> str:
        parent = result.getparent() if hasattr(result, "is_attribute") else result
        if parent is None or not hasattr(parent, "getroottree"):
            return self.text
        tree = parent.getroottree()
        path, base = tree.getpath(parent), tree.getpath(document) if hasattr(document, "getroottree") else ""
        if base and path.startswith(base):
            path = "." + path[len(base) :]
        if getattr(result, "is_attribute", False):
            return f"{path}/@{result.attrname}"
        return f"{path}/text()" if getattr(result, "is_text", False) else path


@lru_cache(maxsize=2048)
def compile_path(text: str, format: str, namespaces: tuple[tuple[str, str], ...] = ()) -> Path:
    """Compiled once for all records. Raises ConfigurationError. `format` is json or xml."""
    return _XPath(text, namespaces) if format == "xml" else _JsonPath(text)


def parse_document(body: bytes, format: str) -> Any:
    """The reply as JSON values or as an lxml element. Raises FormatError.

    XML with a document type is refused: entities could read files or grow without end.
    """
    if format == "xml":
        from lxml import etree

        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
        )
        try:
            root = etree.fromstring(body, parser)
        except (etree.XMLSyntaxError, ValueError) as e:
            raise FormatError(f"the reply is no XML: {e}") from e
        if root.getroottree().docinfo.internalDTD is not None:
            raise FormatError("the reply declares a document type; refused, since its entities are not safe")
        return root
    import json

    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as e:
        raise FormatError(f"the reply is no JSON: {e}") from e


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


class FieldMap:
    """How one field is read: a path, or {path, as, values, scale, of}.

    as      year, quarter, month or week: the bucket of the date that stands there
    values  the source's word → the catalogue's
    scale   a factor for numbers, 0.01 for percentages given as 5.2
    of      in `changes`: record, each or item
    """

    def __init__(
        self,
        name: str,
        config: Any,
        field_type: str,
        format: str,
        namespaces: tuple[tuple[str, str], ...],
    ) -> None:
        settings: Mapping[str, Any] = config if isinstance(config, Mapping) else {"path": config}
        unknown = set(settings) - {"path", "as", "values", "scale", "of"}
        if unknown or not isinstance(settings.get("path"), str):
            raise ConfigurationError(
                f"field {name}: " + (f"unknown key {min(unknown)}" if unknown else "needs a path")
            )
        self.name = name
        self.type = field_type
        self.of = str(settings.get("of", "record"))
        if self.of not in ("record", "each", "item"):
            raise ConfigurationError(f"field {name}: of is record, each or item, not {self.of!r}")
        self.bucket = settings.get("as")
        if self.bucket not in (None, "year", "quarter", "month", "week"):
            raise ConfigurationError(f"field {name}: as is year, quarter, month or week, not {self.bucket!r}")
        self.words = {str(k): v for k, v in (settings.get("values") or {}).items()}
        self.scale = settings.get("scale")
        path = str(settings["path"])
        if format == "xml" and path.startswith("/"):
            raise ConfigurationError(
                f"field {name}: {path!r} starts at the document; write it from the record, ./…"
            )
        self.path = compile_path(path, format, namespaces)

    def find(self, record: Any) -> Found | None:
        """The value as it stands; several texts are one, joined with ", ". None when the path leads nowhere."""
        found = self.path.find(record)
        if not found:
            return None
        if len(found) == 1 and not isinstance(found[0].value, list):
            return Found(plain(found[0].value), found[0].path)
        values = [plain(v) for f in found for v in (f.value if isinstance(f.value, list) else [f.value])]
        if self.type != "text" and len(values) > 1:
            raise FormatError(
                f"{self.name}: {self.path.text} has {len(values)} values where one {self.type} is needed"
            )
        text = ", ".join(str(v) for v in values if v is not None and not isinstance(v, dict))
        return Found(text or None, found[0].path if len(found) == 1 else self.path.text)

    def read(self, raw: Any) -> Value:
        """The canonical value. Raises FormatError."""
        if self.words and raw is not None:
            raw = self.words.get(str(raw).strip(), raw)
        if self.bucket:
            day = canonical(raw, "quarter" if self.bucket == "quarter" else "date")
            return canonical(None if day is None else bucket(str(day), str(self.bucket)), self.type)
        value = canonical(raw, self.type)
        if self.scale is not None and isinstance(value, int | float) and not isinstance(value, bool):
            return canonical(round(value * float(self.scale), 12), self.type)
        return value


def plain(value: Any) -> Any:
    """The text within an XML element; anything else as it is."""
    return "".join(value.itertext()).strip() if hasattr(value, "itertext") else value
