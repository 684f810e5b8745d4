"""The public API: open an installation, ask it."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from assay.errors import UsageError
from assay.settings import Settings, find_configs

if TYPE_CHECKING:
    from adapters.base import Resources
    from executor.events import Event
    from executor.store import RunStore
    from planner.catalogue import Catalogue
    from planner.plan import Plan
    from planner.planners import Planner
    from planner.proposal import Proposal
    from reflector.decision import Answer

__all__ = ["Assay", "check_question"]

Listener = Callable[["Event"], None]


def check_question(question: str, instead: str = "") -> None:
    """Raises UsageError when the question holds no word; `instead` says what else could be given."""
    if not any(c.isalnum() for c in question):
        what = "holds no word" if question.strip() else "is empty"
        raise UsageError(f"the question {what}{instead and '; give one in quotes, or '}{instead}")
    try:
        question.encode()
    except UnicodeEncodeError as e:
        raise UsageError(f"the question is not UTF-8 (character {e.start + 1})") from None


class Assay:
    """One installation: its settings, its catalogue, its run store. Close it, or use it in `with`."""

    def __init__(
        self, settings: Settings, catalogue: Catalogue, resources: Resources, store: RunStore
    ) -> None:
        self.settings = settings
        self.catalogue = catalogue
        self.resources = resources
        self.store = store
        self._planners: dict[tuple[str, tuple[str, ...]], Planner] = {}

    @classmethod
    def load(cls, configs: str | Path | None = None) -> Assay:
        """Opens the installation whose configuration lies in `configs`.

        Raises UsageError or CatalogueError, each with file, line and key.
        """
        from adapters.base import Resources
        from executor.store import RunStore
        from planner.catalogue import Catalogue

        folder = find_configs(str(configs) if configs else None)
        settings = Settings.load(folder)
        catalogue = Catalogue.load(folder / "sources")
        settings.home.mkdir(parents=True, exist_ok=True)
        options = {
            "root": str(settings.root),
            "knowledge": settings.knowledge.model_dump(),
            "output_dir": str(settings.home / "reports"),
            "browser": settings.browser,
            "ocr_min_score": settings.ocr_min_score,
        }
        return cls(settings, catalogue, Resources(settings.home, options), RunStore(settings.store))

    def plan(
        self,
        question: str,
        *,
        today: dt.date | None = None,
        roles: Iterable[str] = (),
        planner: str | None = None,
    ) -> Proposal:
        """What would be done; nothing is fetched. `planner` overrides the settings'.

        Raises UsageError on a question without a word, PlannerError on a planner that is not to be had."""
        check_question(question)
        chosen = self._planner(planner or self.settings.planner, tuple(roles))
        return chosen.propose(question.strip(), today or dt.date.today())

    def _planner(self, name: str, roles: tuple[str, ...]) -> Planner:
        """One planner for each name and set of roles: it reads the catalogue once."""
        from planner.planners import make_planner

        if (name, roles) not in self._planners:
            visible = self.catalogue.for_roles(roles)
            endpoint = self.settings.planning.endpoint()
            self._planners[name, roles] = make_planner(name, visible, self.settings.home / "models", endpoint)
        return self._planners[name, roles]

    def ask(
        self,
        question: str = "",
        *,
        plan: Plan | Proposal | None = None,
        today: dt.date | None = None,
        planner: str | None = None,
        approve: Iterable[str] = (),
        roles: Iterable[str] = (),
        listen: Listener | None = None,
    ) -> Answer:
        """Plans, fetches, checks, and answers, however sure the planner is. `plan` takes the planner's place: one that
        a person wrote, or what `plan` proposed (`planner` then made it). `approve` names the sources with side effects that may be written to in this run ("*": all).

        Raises UsageError, PlanError; whatever a source does ends in the answer, not in an exception.
        """
        from assay.loop import answer_question
        from planner.parse import check_plan
        from planner.proposal import Proposal

        day, readers, approved = today or dt.date.today(), tuple(roles), frozenset(approve)
        self.check_approved(approved)
        replanner = planner or self.settings.planner
        if plan is None:
            proposal = self.plan(question, today=day, roles=readers, planner=planner)
        elif isinstance(plan, Proposal):
            proposal = plan
            replanner = "" if proposal.planner == "person" else replanner
        else:
            check_plan(plan, self.catalogue.for_roles(readers))
            proposal = Proposal(plan, "person", "1", 1.0, reason="a plan that a person wrote or edited")
            question, replanner = plan.question, ""  # nobody plans around what a person wrote
        return answer_question(
            question, proposal, self, run_id=uuid.uuid4().hex[:12], today=day, approved=approved,
            roles=readers, listen=listen, replanner=replanner,
        )  # fmt: skip

    def check_approved(self, names: Iterable[str]) -> None:
        """Raises UsageError on an approval that could never count: a mistyped one."""
        writable = {s.name for s in self.catalogue.sources.values() if s.side_effect}
        if wrong := sorted(set(names) - writable - {"*"}):
            known = ", ".join(sorted(writable)) or "none"
            raise UsageError(
                f"approved {wrong[0]}: no source of that name can be written to; there is {known}"
            )

    def close(self) -> None:
        try:
            self.resources.close()
        finally:
            self.store.close()

    def __enter__(self) -> Assay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.close()
