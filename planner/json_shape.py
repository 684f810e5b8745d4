"""Plain JSON, and not too deep: what a plan's params may be made of."""

from __future__ import annotations

import math
from typing import Any

from planner.errors import PlanError

__all__ = ["check_json"]

_MAX_DEPTH = 20


def check_json(value: Any, key: str = "", depth: int = 0) -> None:
    """Raises PlanError (without a sub-goal) on what JSON cannot hold, or what nests too deep to walk."""
    if depth > _MAX_DEPTH:
        raise PlanError(f"nested more than {_MAX_DEPTH} deep", key=key[:60])
    if isinstance(value, dict):
        for k, v in value.items():
            if not isinstance(k, str):
                raise PlanError(f"a key must be text, not {type(k).__name__}", key=key[:120])
            check_json(v, f"{key}.{k}" if key else k, depth + 1)
    elif isinstance(value, list | tuple):
        for i, v in enumerate(value):
            check_json(v, f"{key}[{i}]", depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise PlanError(f"{value} is no number of JSON", key=key[:120])
    elif value is not None and not isinstance(value, str | bool | int | float):
        raise PlanError(f"{type(value).__name__} is no type of JSON", key=key[:120])
