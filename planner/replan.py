"""The rest of a question planned anew, when a step of its plan has failed for good.

The planner sees the catalogue without what failed, and what is done already; only the rest is new. A plan is taken that
uses every word which the first plan used, and of which the planner is as sure as it must be of any other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator
from datetime import date

from planner.catalogue import Catalogue
from planner.errors import PlanError, PlannerError
from planner.grafting import graft
from planner.planners import Planner
from planner.proposal import Proposal
from planner.unfinished import Unfinished

__all__ = ["MakePlanner", "plan_rest"]

MakePlanner = Callable[[Catalogue, Unfinished], Planner]


def plan_rest(
    make: MakePlanner, unfinished: Unfinished, catalogue: Catalogue, today: date, *,
    unused: Collection[str] = (), threshold: float = 0.0,
) -> Proposal:  # fmt: skip
    """The proposal whose plan holds the done steps and new ones for the rest; without a plan where none will do, with
    the reason. `make` gives a planner for the smaller catalogue; `unused` are the words that the first plan did not
    use. Raises nothing."""
    last = Proposal(None, "", "", 0.0, reason="no source is left")
    for visible in _catalogues(unfinished, catalogue):
        done = dataclasses.replace(unfinished, done=unfinished.restricted(visible))
        try:
            found = make(visible, done).propose(unfinished.plan.question, today)
        except PlannerError as error:
            last = Proposal(None, "", "", 0.0, reason=str(error))
            continue
        last, refused = dataclasses.replace(found, plan=None, alternatives=()), [found.reason]
        for one in _candidates(found):
            try:
                return _taken(one, unfinished, catalogue, unused, threshold)
            except PlanError as error:
                refused.append(str(error))
        last = dataclasses.replace(last, reason="; ".join(dict.fromkeys(r for r in refused if r))[:600])
    return last


def _catalogues(unfinished: Unfinished, catalogue: Catalogue) -> Iterator[Catalogue]:
    """With what the done steps read, then without it where that failed later: a planner may ask more of it."""
    with_done = unfinished.catalogue(catalogue)
    without = unfinished.catalogue(catalogue, with_done=False)
    if with_done.sources:
        yield with_done
    if without.sources and without != with_done:
        yield without


def _candidates(found: Proposal) -> Iterator[Proposal]:
    if found.plan is not None:
        yield found
    for other in found.alternatives:
        yield dataclasses.replace(
            found, plan=other.plan, confidence=other.confidence, unused=other.unused, missing=()
        )


def _taken(
    one: Proposal, unfinished: Unfinished, catalogue: Catalogue, unused: Collection[str], threshold: float
) -> Proposal:
    """Raises PlanError where the plan will not do."""
    if one.plan is None:
        raise PlanError("no plan")
    if one.calibrated and one.confidence < threshold:
        raise PlanError(f"held for right with {one.confidence:.2f} only")
    if left := [w for w in one.unused if w not in unused]:
        raise PlanError(f"it leaves out {', '.join(left)}")
    plan = graft(one.plan, unfinished, catalogue)
    return dataclasses.replace(one, plan=plan, alternatives=())
