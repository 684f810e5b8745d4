"""Errors of the front door."""

from __future__ import annotations

__all__ = ["AssayError", "UsageError"]


class AssayError(Exception):
    """The root. Its text is one line that says what to do."""


class UsageError(AssayError):
    """The call or the configuration is wrong; the exit code is 2."""
