"""The one error of the time grammar."""

from __future__ import annotations

from planner.errors import PlannerError

__all__ = ["TimeError"]


class TimeError(PlannerError):
    """What looks like a time but is none ("2024年13月"), or a time that a field's type cannot express."""
