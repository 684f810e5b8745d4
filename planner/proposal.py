"""What a planner gives back: a plan or the reason why there is none, how sure it is, what it did not use."""

from __future__ import annotations

from dataclasses import dataclass

from planner.plan import Plan

__all__ = ["Alternative", "Proposal"]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another plan for the question, and how sure the planner is of it. `unused` as in Proposal."""

    plan: Plan
    planner: str
    confidence: float
    unused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """`plan` is None when the catalogue cannot answer or the question could not be read.

    confidence  0..1; a share of the question's content words that the plan uses, for the rule planner
    calibrated  whether `confidence` is the measured probability that the plan is right
    unused      content words of the question that the plan does not use
    missing     what the catalogue lacks ("no dataset speaks of 天气"), for an honest refusal; empty with a plan
    reason      one sentence for the run record: why this plan, or why none
    alternatives  other plans that were considered, the surest first
    """

    plan: Plan | None
    planner: str
    version: str
    confidence: float
    unused: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    reason: str = ""
    calibrated: bool = False
    alternatives: tuple[Alternative, ...] = ()

    def unsure(self, threshold: float) -> bool:
        """Whether a person should choose before anything runs: there is a plan, or one might do, and it may well be wrong."""
        return (
            self.calibrated
            and self.confidence < threshold
            and (self.plan is not None or bool(self.alternatives))
        )
