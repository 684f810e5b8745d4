"""Errors of the planner, each one line that a person can act on.

PlannerError
├── CatalogueError         a source's YAML is wrong: file, line, key
├── ModelsMissing          a local model's file is not installed, or cannot be read
├── PlanError              a plan is refused: sub-goal, key
└── ValidationSyntaxError  a validation or a condition cannot be read: position
"""

from __future__ import annotations

__all__ = ["CatalogueError", "ModelsMissing", "PlanError", "PlannerError", "ValidationSyntaxError"]


_LONGEST = 600


def _one_line(text: str) -> str:
    """Keeps a message on one line, and short, whatever was quoted in it."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"


class PlannerError(Exception):
    """Root of the planner's errors."""


class CatalogueError(PlannerError):
    """`line` counts from 1, 0 where the fault has none (a missing folder); `key` is like `datasets[0].name`."""

    def __init__(self, message: str, file: str = "", line: int = 0, key: str = "") -> None:
        where = f"{file}:{line}" if line else file
        super().__init__(_one_line(": ".join(part for part in (where, key, message) if part)))
        self.message = message
        self.file = file
        self.line = line
        self.key = key


class ModelsMissing(PlannerError):  # noqa: N818 - names what happened
    """The message names the file and says how to get it."""


class PlanError(PlannerError):
    """`sub_goal` is the id (or `sub_goals[2]` where it has none), `key` the place in it: `params.filters.month`."""

    def __init__(self, message: str, *, sub_goal: str = "", key: str = "") -> None:
        super().__init__(_one_line(": ".join(part for part in (sub_goal, key, message) if part)))
        self.message = message
        self.sub_goal = sub_goal
        self.key = key


class ValidationSyntaxError(PlannerError):
    """`position` counts characters from 0."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(_one_line(f"at character {position + 1}: {message}"))
        self.message = message
        self.position = position
