"""Errors of the executor itself; a source's own are in `adapters/errors.py`."""

from __future__ import annotations

__all__ = ["ExecutorError", "InputError", "StoreError"]


class ExecutorError(Exception):
    """The root; its text is one line that a person can act on."""


class StoreError(ExecutorError):
    """The run store cannot be opened, read or written. Ends the run: a result that is not kept is no result."""


class InputError(ExecutorError):
    """A reference to an earlier step gives no value to work with. The step that needs it is skipped."""
