"""What happens while a run goes on, as it is shown live and kept in the run store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Emit", "Event", "EventKind", "Listener"]

EventKind = Literal["started", "attempt", "waiting", "effect", "finished", "note"]


@dataclass(frozen=True, slots=True)
class Event:
    """`message` is one line for a person. `detail` holds JSON values, by kind:

    started   dataset, description
    attempt   number, request_id, failure (None when it went well), http_status
    waiting   —; `seconds` is exact when the source named it, else a lower bound without jitter
    effect    key, what: "intent" | "receipt" | "withdrawn" | "known"
    finished  failure, rows, artefact; `status` is the result's
    note      —; something to know that belongs to no attempt
    """

    kind: EventKind
    goal_id: str = ""
    source: str = ""
    message: str = ""
    status: str = ""
    seconds: float = 0.0
    detail: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """For the audit trail; the kind stands beside it there."""
        return {
            "goal_id": self.goal_id,
            "source": self.source,
            "message": self.message,
            "status": self.status,
            "seconds": round(self.seconds, 4),
            **self.detail,
        }


Listener = Callable[[Event], None]
Emit = Callable[[Event], None]
