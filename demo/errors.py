"""What can go wrong with the demo company itself; its message is one line."""

from __future__ import annotations

__all__ = ["DemoError"]


class DemoError(Exception):
    """A server of the demo did not start, or its port is taken by something else."""
