"""What the executor may be told. Every value has a default that suits one machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

__all__ = ["ExecutorSettings"]


@dataclass(frozen=True, slots=True)
class ExecutorSettings:
    """Times in seconds.

    parallel            how many steps run at the same time
    tolerance           relative difference up to which two sources agree, where a field names none of its own
    output_dir          where `report` steps write; None means `<home>/reports`
    open_s              how long a source's adapter may take to be built (a browser or a model starts)
    grace_s             a call gets its timeout and this much more before it is abandoned
    retry_deadline_s    no attempt at a step starts later than this after its first one
    retry_wait_s        the first wait before a retry; doubles each time, with as much jitter at most
    retry_wait_max_s    the longest wait of our own choosing (a source's Retry-After may be longer)
    breaker_failures    consecutive failures after which a source is left alone
    breaker_cooldown_s  and for how long
    """

    parallel: int = 8
    tolerance: float = 0.05
    output_dir: Path | None = None
    open_s: float = 60.0
    grace_s: float = 2.0
    retry_deadline_s: float = 120.0
    retry_wait_s: float = 0.25
    retry_wait_max_s: float = 5.0
    breaker_failures: int = 5
    breaker_cooldown_s: float = 30.0

    @classmethod
    def of(cls, given: Any) -> ExecutorSettings:
        """From None, a mapping, or any object with attributes of these names, its own or its `limits`'.

        What is absent keeps its default.
        """
        if isinstance(given, cls):
            return given
        known: dict[str, Any] = {}
        for part in (given, _get(given, "limits")):
            for f in fields(cls):
                value = _get(part, f.name)
                if value is not None:
                    known[f.name] = Path(value) if f.name == "output_dir" else value
        return cls(**known)


def _get(given: Any, name: str) -> Any:
    return given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)
