"""The next page of a reply, in the five ways that APIs have of saying so.

A source that says the same next page twice, or one on another host, is an error and not an end. A page shorter
than asked is no end either: many servers cap the size in silence, so only an empty page, the stated total or the
source's own "last" ends a walk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from adapters.errors import ConfigurationError, FormatError
from adapters.mapping import compile_path, plain

__all__ = ["KEYS", "MAX_PAGES", "STYLES", "Pager", "Request", "same_host"]

MAX_PAGES = 1000
STYLES = ("none", "offset", "page", "token", "next_url", "link_header")
KEYS = {"style", "size", "size_parameter", "parameter", "token", "last", "next", "total", "first"}
_DEFAULT = {
    "offset": ("offset", "limit"),
    "page": ("page", "per_page"),
    "token": ("nextPageToken", "maxResults"),
}


@dataclass(frozen=True, slots=True)
class Request:
    """Where to ask next. `params` go into the query string, or the body of a POST."""

    url: str
    params: Mapping[str, Any] = field(default_factory=dict)


class Pager:
    """The settings of `locate.paging`; holds no state of a walk. Raises ConfigurationError."""

    def __init__(
        self, config: Mapping[str, Any], format: str, namespaces: tuple[tuple[str, str], ...]
    ) -> None:
        unknown = set(config) - KEYS
        if unknown:
            raise ConfigurationError(
                f"paging: unknown key {min(unknown)}; known are {', '.join(sorted(KEYS))}"
            )
        self.style = str(config.get("style", "none"))
        if self.style not in STYLES:
            raise ConfigurationError(f"paging: style is one of {', '.join(STYLES)}, not {self.style!r}")
        parameter, size_parameter = _DEFAULT.get(self.style, ("", ""))
        self.parameter = str(config.get("parameter", parameter))
        self.size = config.get("size")
        self.size_parameter = str(config.get("size_parameter", size_parameter))
        self.start = int(config.get("first", 1 if self.style == "page" else 0))
        self._format, self._namespaces = format, namespaces
        self._paths = {k: str(config[k]) for k in ("token", "last", "next", "total") if k in config}
        for needed, style in (("token", "token"), ("next", "next_url")):
            if self.style == style and needed not in self._paths:
                raise ConfigurationError(f"paging: style {style} needs the key {needed}")
        for path in self._paths.values():
            if not path.startswith("header:"):
                compile_path(path, format, namespaces)

    def first(self, url: str, params: Mapping[str, Any]) -> Request:
        extra: dict[str, Any] = {}
        if self.size and self.size_parameter:
            extra[self.size_parameter] = self.size
        if self.style in ("offset", "page") and self.start:
            extra[self.parameter] = self.start
        return Request(url, {**params, **extra})

    def total(self, document: Any, headers: Mapping[str, str]) -> int | None:
        """The number of records that the source says there are."""
        value = self._value("total", document, headers)
        if value in (None, ""):
            return None
        try:
            return int(str(value))
        except ValueError as e:
            raise FormatError(f"the total {str(value)[:40]!r} at {self._paths['total']} is no number") from e

    def following(
        self, request: Request, document: Any, headers: Mapping[str, str], got: int, fetched: int
    ) -> Request | None:
        """The next request, None at the end. `got`: records on this page; `fetched`: in all, this page included."""
        if self.style == "none":
            return None
        last = str(self._value("last", document, headers)).strip().lower()
        if last in ("true", "1", "yes"):
            return None
        if self.style in ("offset", "page"):
            total = self.total(document, headers)
            if got == 0 or (total is not None and fetched >= total):
                return None
            value = (
                self.start + fetched
                if self.style == "offset"
                else int(request.params.get(self.parameter, 1)) + 1
            )
            return Request(request.url, {**request.params, self.parameter: value})
        if self.style == "token":
            token = self._value("token", document, headers)
            if token in (None, ""):
                if last in ("false", "0", "no"):
                    raise FormatError(
                        f"the source says that there is more but gives no token at {self._paths['token']}"
                    )
                return None
            return Request(request.url, {**request.params, self.parameter: str(token)})
        link = (
            self._value("next", document, headers)
            if self.style == "next_url"
            else _link(headers.get("link", ""))
        )
        if link in (None, ""):
            return None
        return Request(same_host(request.url, str(link)))

    def _value(self, name: str, document: Any, headers: Mapping[str, str]) -> Any:
        path = self._paths.get(name)
        if path is None:
            return None
        if path.startswith("header:"):
            return headers.get(path[7:].strip().lower())
        found = compile_path(path, self._format, self._namespaces).find(document)
        return plain(found[0].value) if found else None


def same_host(base: str, link: str) -> str:
    """`link` made absolute. Raises FormatError when it leads to another scheme, host or port: the credentials that
    go with it are not for others."""
    try:
        url = urljoin(base, link)
        here, there = urlsplit(base), urlsplit(url)
        same = (here.scheme, here.hostname, here.port) == (there.scheme, there.hostname, there.port)
    except ValueError as e:
        raise FormatError(f"the next page's address {link[:200]!r} cannot be read: {e}") from e
    if not same:
        raise FormatError(f"the next page is on another host: {link[:200]!r}; not followed")
    return url


def _link(header: str) -> str | None:
    """The target of rel="next" in a Link header (RFC 8288)."""
    for target, attributes in re.findall(r"<([^>]*)>((?:\s*;\s*[^,;=]+=(?:\"[^\"]*\"|[^,;\s]+))*)", header):
        relation = re.search(r";\s*rel\s*=\s*\"?([^\";]*)\"?", attributes, re.I)
        if relation and "next" in relation[1].lower().split():
            return str(target)
    return None
