"""Errors of sources, named by what the caller should do.

SourceError                     the root; carries the source's name and a line that can be acted on
├── Timeout                     ask again with more time
├── RateLimited                 ask again after `retry_after` seconds
├── Unavailable                 5xx or no connection: ask again, then elsewhere
├── NoResults                   the source answered, soundly, that it has nothing: widen the question
├── FormatError                 the reply is not in the shape this source has: ask another source
│   └── SchemaDrift             a field that the mapping names is gone or renamed: mend the mapping
├── AuthRequired                no, or wrong, credentials: a person must act
├── Refused                     policy says no (a write without approval, an SQL that is not a SELECT)
└── ConfigurationError          the source's YAML lacks a key or says what cannot be done: mend it
"""

from __future__ import annotations

__all__ = [
    "AuthRequired",
    "ConfigurationError",
    "FormatError",
    "NoResults",
    "RateLimited",
    "Refused",
    "SchemaDrift",
    "SourceError",
    "Timeout",
    "Unavailable",
]


class SourceError(Exception):
    """A source did not give a sound reply.

    `kind` is the failure kind that goes into the run record. `status` is the HTTP status where there was
    one. `headers` and `snapshot` (a bounded copy of the raw reply) are kept so that nothing is lost.
    """

    kind = "bug"

    def __init__(
        self,
        message: str,
        *,
        source: str = "",
        status: int | None = None,
        headers: dict[str, str] | None = None,
        snapshot: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.status = status
        self.headers = headers or {}
        self.snapshot = snapshot


class Timeout(SourceError):  # noqa: N818 - the tree names what happened, not that it is an error
    kind = "timeout"


class RateLimited(SourceError):  # noqa: N818
    """`retry_after` is in seconds; None when the source did not say."""

    kind = "rate_limited"

    def __init__(self, message: str, *, retry_after: float | None = None, **details: object) -> None:
        super().__init__(message, **details)  # type: ignore[arg-type]
        self.retry_after = retry_after


class Unavailable(SourceError):  # noqa: N818
    kind = "unavailable"


class NoResults(SourceError):  # noqa: N818
    kind = "no_results"


class FormatError(SourceError):
    kind = "format_error"


class SchemaDrift(FormatError):  # noqa: N818
    kind = "schema_drift"


class AuthRequired(SourceError):  # noqa: N818
    kind = "auth"


class Refused(SourceError):  # noqa: N818
    kind = "refused"


class ConfigurationError(SourceError):
    """Raised while an adapter is built, so at start-up; the message names source, dataset and key."""

    kind = "format_error"
