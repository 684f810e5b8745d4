"""The planners by name: what `--planner` and `planner:` in assay.yaml choose from."""

from __future__ import annotations

import dataclasses
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from planner.catalogue import Catalogue
from planner.errors import PlannerError
from planner.proposal import Proposal

if TYPE_CHECKING:
    from planner.remote import Endpoint
    from planner.unfinished import Unfinished


__all__ = ["NAMES", "Planner", "make_planner"]

NAMES = ("auto", "local", "rules", "remote")


class Planner(Protocol):
    """Raises nothing: what cannot be planned is a proposal without a plan, and says why."""

    def propose(self, question: str, today: date, /) -> Proposal: ...


def make_planner(
    name: str,
    catalogue: Catalogue,
    models: Path,
    endpoint: Endpoint | None = None,
    unfinished: Unfinished | None = None,
) -> Planner:
    """`models` is the folder that model files are laid out in, once, from their wheels. `unfinished`: a run whose rest
    is planned (`planner.replan`); the models are shown what is done, `rules` plan the whole question.

    auto    every local model and the rules together, the likeliest plan of all; rules alone where no model is installed
    local   the models without the rules' own plans
    remote  an endpoint, and auto for what it does not answer
    Raises PlannerError on another name, on `local` without its models, on `remote` without an endpoint."""
    if name == "rules":
        from planner.rules import RulePlanner

        return RulePlanner(catalogue)
    if name == "remote":
        from planner.remote import RemotePlanner

        if endpoint is None:
            raise PlannerError("--planner remote needs planning.remote in assay.yaml: url and model")
        second = make_planner("auto", catalogue, models, unfinished=unfinished)
        return _Falling(RemotePlanner(catalogue, endpoint, unfinished), second)
    if name not in NAMES:
        raise PlannerError(f"no planner {name!r}; there is {', '.join(NAMES)}")
    from planner.auto import AutoPlanner
    from planner.errors import ModelsMissing

    try:
        return AutoPlanner(catalogue, models, with_rules=name == "auto", unfinished=unfinished)
    except ModelsMissing as missing:
        if name == "local":
            raise
        return _Noting(make_planner("rules", catalogue, models), str(missing))


class _Falling:
    """Asks the second planner where the first gives no plan, and says so."""

    def __init__(self, first: Planner, second: Planner) -> None:
        self._first, self._second = first, second

    def propose(self, question: str, today: date) -> Proposal:
        try:
            proposal = self._first.propose(question, today)
            if proposal.plan is not None or proposal.missing:
                return proposal
            why = proposal.reason
        except PlannerError as error:
            why = str(error)
        found = self._second.propose(question, today)
        return dataclasses.replace(found, reason=f"{found.reason}; planned here because {why}"[:600])


class _Noting:
    """A planner, with a remark in every proposal's reason."""

    def __init__(self, planner: Planner, remark: str) -> None:
        self._planner, self._remark = planner, remark

    def propose(self, question: str, today: date) -> Proposal:
        found = self._planner.propose(question, today)
        return dataclasses.replace(found, reason=f"{found.reason}; {self._remark}"[:600])
