"""A write to a ticket API: sent once, with the key by which the source too can refuse a repeat."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from adapters.base import DatasetSpec, Evidence, Locator, Raw, Value
from adapters.errors import ConfigurationError, FormatError, Refused
from adapters.http_client import Reply
from adapters.mapping import Path, compile_path
from adapters.values import canonical

__all__ = ["WriteMap", "Written"]

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Written:
    """What came back of a write; `document` is None when the body is no JSON."""

    reply: Reply
    document: Any


class WriteMap:
    """`locate.write` of a dataset: {path, method, body, receipt, status}. Raises ConfigurationError."""

    def __init__(self, dataset: DatasetSpec) -> None:
        config = dataset.locate["write"]
        unknown = set(config) - {"path", "method", "body", "receipt", "status"}
        if unknown or not config.get("path"):
            raise ConfigurationError("write takes path, method, body, receipt and status; path is needed")
        self.path = str(config["path"])
        self.method = str(config.get("method", "POST")).upper()
        if self.method not in ("POST", "PUT", "PATCH", "DELETE"):
            raise ConfigurationError(f"write.method is POST, PUT, PATCH or DELETE, not {self.method}")
        self.body = config.get("body") or {}
        self.receipt: Path | None = (
            compile_path(str(config["receipt"]), "json") if config.get("receipt") else None
        )
        self.status = compile_path(str(config.get("status", "$.status")), "json")
        in_path, places = set(_PLACE.findall(self.path)), set(_PLACE.findall(repr(self.body)))
        self.needed = sorted(in_path | (places & set(dataset.grain) if dataset.grain else places))
        stray = (in_path | places) - {f.name for f in dataset.fields}
        if stray:
            raise ConfigurationError(f"write: {{{min(stray)}}} is no field of the dataset")

        self.types = {f.name: f.type for f in dataset.fields}
        self.dataset = dataset.name

    def request(self, values: Mapping[str, Any]) -> tuple[str, Any]:
        """The path and the JSON body. Raises Refused when a value of the path or the grain is missing: it would not
        be known what is written to. A missing one of the rest is left out of the body.
        """
        missing = [n for n in self.needed if values.get(n) is None]
        if missing:
            raise Refused(f"not written: the values lack {', '.join(missing)}")
        path = _PLACE.sub(lambda m: quote(str(values[m[1]]), safe=""), self.path)
        return path, _fill(self.body, values)

    def _receipt(self, written: Written) -> str:
        found = self.receipt.find(written.document) if self.receipt and written.document is not None else []
        return str(found[0].value) if found and found[0].value not in (None, "") else ""

    def check(self, written: Written) -> None:
        """Raises FormatError when the receipt is missing. The write has happened all the same."""
        if self.receipt is not None and not self._receipt(written):
            raise FormatError(
                f"written (status {written.reply.status}), but the reply has no receipt at {self.receipt.text}; "
                "ask the source before submitting again",
                status=written.reply.status,
            )

    def evidence(self, source: str, raw: Raw) -> Evidence:
        """One record: the values written, `receipt` (the source's id for it) and `status` (its word, else HTTP's)."""
        written: Written = raw.payload
        receipt = self._receipt(written) or None
        stated = self.status.find(written.document) if written.document is not None else []
        status = str(stated[0].value) if stated else str(written.reply.status)
        types = {n: t for n, t in self.types.items() if n in raw.query.values}
        row: dict[str, Value] = {n: canonical(raw.query.values[n], t) for n, t in types.items()}
        row |= {"receipt": receipt, "status": status}
        paths = {
            "receipt": self.receipt.text if self.receipt else None,
            "status": self.status.text if stated else None,
        }
        places = {
            name: Locator(
                kind="ticket",
                source=source,
                dataset=self.dataset,
                field=name,
                text=None if value is None else str(value),
                url=raw.url,
                read_at=raw.read_at,
                key=receipt,
                path=paths.get(name),
            )
            for name, value in row.items()
        }
        return Evidence(
            kind="records",
            source=source,
            dataset=self.dataset,
            columns=tuple(row),
            rows=(row,),
            locators=(places,),
            types={**types, "receipt": "text", "status": "text"},
            summary=f"{self.dataset}: {receipt or ''} {status}".strip(),
            read_at=raw.read_at,
        )


_LEFT_OUT = object()


def _fill(template: Any, values: Mapping[str, Any]) -> Any:
    """ "{x}" alone becomes the value with its type; within other words, its text. _LEFT_OUT when it is missing."""
    if isinstance(template, str):
        whole = _PLACE.fullmatch(template)
        if any(values.get(name) is None for name in _PLACE.findall(template)):
            return _LEFT_OUT
        return values[whole[1]] if whole else _PLACE.sub(lambda m: str(values[m[1]]), template)
    if isinstance(template, Mapping):
        filled = {k: _fill(v, values) for k, v in template.items()}
        return {k: v for k, v in filled.items() if v is not _LEFT_OUT}
    if isinstance(template, list):
        return [v for v in (_fill(t, values) for t in template) if v is not _LEFT_OUT]
    return template
