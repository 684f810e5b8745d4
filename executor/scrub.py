"""Takes secrets out of what is kept: known values wherever they stand, and what looks like one by its name."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, quote_plus

from adapters.base import Evidence, Locator

__all__ = ["MASK", "Scrubber"]

MASK = "***"
# a password of one or two characters would blot out half of every record and protect nothing
SHORTEST = 3
UNMISTAKABLE = 8
_SECRET_NAME = re.compile(
    r"authori[sz]ation|cookie|passw|passphrase|secret|token|api[-_]?key|x-.*key|credential|signature|session[-_]?id",
    re.IGNORECASE,
)
# names that contain such a word and are not secret: paging cursors are needed to read a record
_PUBLIC_NAME = re.compile(r"^(next_?page_?token|page_?token|continuation_?token)$", re.IGNORECASE)
_IN_TEXT = (
    (re.compile(r"\b(Bearer|Basic|Token)\s+[A-Za-z0-9._~+/=-]{6,}"), rf"\1 {MASK}"),
    (re.compile(r"(\w://)[^/\s:@]+:[^/\s@]+@"), rf"\1{MASK}@"),
    (
        re.compile(
            r"([?&](?:access_token|token|api_?key|password|passwd|secret|sig|signature)=)[^&#\s\"']+", re.I
        ),
        rf"\1{MASK}",
    ),
)


class Scrubber:
    """`secrets`: values known to be secret, as they are resolved from the environment."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = list(secrets)
        self._known = _pattern(known, SHORTEST)
        self._unmistakable = _pattern(known, UNMISTAKABLE)

    @classmethod
    def of_auth(cls, auth: Mapping[str, str], more: Iterable[str] = ()) -> Scrubber:
        """From a source's resolved `auth`. Names of users and of headers are not secret; `more` are further secrets."""
        secrets = [v for k, v in auth.items() if k not in ("username", "user", "header")]
        if "username" in auth and "password" in auth:
            pair = f"{auth['username']}:{auth['password']}".encode()
            secrets.append(base64.b64encode(pair).decode())
        return cls([*secrets, *more])

    def text(self, text: str) -> str:
        """The text with every secret masked."""
        if self._known is not None:
            text = self._known.sub(MASK, text)
        for pattern, shown in _IN_TEXT:
            text = pattern.sub(shown, text)
        return text

    def value(self, value: Any, name: str = "") -> Any:
        """A JSON-like value with every secret masked; `name` is the key under which it stands."""
        if name and value is not None and _SECRET_NAME.search(name) and not _PUBLIC_NAME.match(name):
            return MASK
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {str(k): self.value(v, str(k)) for k, v in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(v) for v in value]
        if value is None or isinstance(value, (bool, int, float)):
            return value
        return self.text(str(value))

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Headers as text, secret ones masked by name."""
        return {k: str(self.value(str(v), k)) for k, v in headers.items()}

    def evidence(self, evidence: Evidence) -> Evidence:
        """The same evidence without secrets. Addresses and statements of locators are masked as any text is; in
        values only a secret too long to be a word of the data, since a masked value is a lost one."""
        seen: dict[str, str] = {}

        def address(text: str | None) -> str | None:
            if not text:
                return text
            if text not in seen:
                seen[text] = self.text(text)
            return seen[text]

        def value(found: Any) -> Any:
            return (
                self._unmistakable.sub(MASK, found)
                if self._unmistakable and isinstance(found, str)
                else found
            )

        def place(at: Locator) -> Locator:
            parts = {
                "url": address(at.url),
                "sql": address(at.sql),
                "text": value(at.text),
                "row": value(at.row),
            }
            same = all(getattr(at, k) == v for k, v in parts.items())
            return at if same else replace(at, **parts)

        return replace(
            evidence,
            rows=tuple({k: value(v) for k, v in r.items()} for r in evidence.rows)
            if self._unmistakable
            else evidence.rows,
            locators=tuple({k: place(v) for k, v in row.items()} for row in evidence.locators),
            summary=value(evidence.summary),
            notes=tuple(value(n) for n in evidence.notes),
        )


def _pattern(secrets: Iterable[str], shortest: int) -> re.Pattern[str] | None:
    """Matches each secret of at least that length, as it is and as it stands in URLs and JSON."""
    shapes: set[str] = set()
    for s in secrets:
        if len(s) >= shortest:
            quoted = (json.dumps(s)[1:-1], json.dumps(s, ensure_ascii=False)[1:-1])
            shapes |= {s, quote(s, safe=""), quote_plus(s), *quoted}
    # longest first, so that no part of a longer one stays behind
    ordered = sorted(shapes, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered))) if ordered else None
