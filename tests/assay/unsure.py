"""The `assay` command with a planner that knows how likely it is right: the rules' own plan held for six in ten, and
beside it their plan for the question with another order: `python -m tests.assay.unsure ask QUESTION`."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from assay.front import Assay
from planner.proposal import Alternative, Proposal

ASKED, OTHER = "88231", "90417"
QUESTION = f"订单{ASKED}到了没"
CONFIDENCE = 0.6


@contextmanager
def unsure_planner() -> Iterator[None]:
    """For its time every proposal has a calibrated confidence and another plan beside it."""
    made = Assay.plan

    def plan(self: Assay, question: str, **how: Any) -> Proposal:
        first = made(self, question, **{**how, "planner": "rules"})
        day = how.get("today") or dt.date.today()
        other = made(self, question.replace(ASKED, OTHER), today=day, planner="rules")
        assert other.plan is not None
        beside = Alternative(other.plan, "rules", 0.2, ("到了没",))
        return dataclasses.replace(first, confidence=CONFIDENCE, calibrated=True, alternatives=(beside,))

    with patch.object(Assay, "plan", plan):
        yield


if __name__ == "__main__":
    from assay.cli import main

    with unsure_planner():
        main()
