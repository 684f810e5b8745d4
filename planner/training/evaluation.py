"""How well a planner plans: exact plans, right data, sound plans, seconds, and how far its confidence can be trusted."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.catalogue import Catalogue
from planner.errors import PlannerError
from planner.parse import check_plan
from planner.planners import Planner, make_planner
from planner.proposal import Proposal
from planner.rules.lexicon import Lexicon
from planner.training.scoring import case_of, faults
from planner.training.triples import World

if TYPE_CHECKING:
    from planner.remote import Endpoint

__all__ = ["Asked", "Outcome", "Score", "authored", "outcomes", "read_cases", "scores"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The cases of one catalogue, as `scoring.faults` reads them; each holds `question`, `lang` and `today`."""

    catalogue: Catalogue
    cases: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`needs` whether the right data is fetched, `sound` whether a plan passes the checks of any plan (None without
    one); `seconds` of CPU time; `confidence` None where it is not calibrated."""

    language: str
    exact: bool
    needs: bool
    sound: bool | None
    seconds: float
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Score:
    """Shares of `cases`, `format` of those with a plan. `above` is the share at the threshold or over it, `above_exact`
    the share of those that are exact; both None where no proposal is calibrated."""

    planner: str
    language: str
    cases: int
    exact: float
    needs: float
    format: float
    cpu_median_s: float
    cpu_p95_s: float
    above: float | None
    above_exact: float | None


def read_cases(path: Path, catalogues: Path) -> list[Asked]:
    """The cases of a JSONL file by catalogue. Raises PlannerError, which names the line, and CatalogueError."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            date.fromisoformat(case["today"])
            lacking = {"question", "lang", "needs", "route", "derive"} - case.keys()
            if lacking and not case.get("missing"):
                raise ValueError(f"it lacks {', '.join(sorted(lacking))}")  # noqa: TRY301
            found.setdefault(case["catalogue"], []).append(case)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise PlannerError(f"{path}:{number}: not a scored case: {error}") from error
    return [Asked(Catalogue.load(catalogues / name), tuple(cases)) for name, cases in found.items()]


def authored(worlds: Iterable[World], every: int = 1) -> list[Asked]:
    """Every so many-th triple of each world as a case. Raises PlannerError on a plan that its catalogue does not allow."""
    found = []
    for world in worlds:
        lexicon = Lexicon(world.catalogue)
        cases = tuple(case_of(t, world.catalogue, lexicon) for t in world.triples[::every])
        found.append(Asked(world.catalogue, cases))
    return found


def outcomes(
    name: str, asked: Sequence[Asked], models: Path, endpoint: Endpoint | None = None
) -> Iterator[Outcome]:
    """Plans every case with the planner of that name. Raises PlannerError where it is not to be had."""
    for one in asked:
        planner = make_planner(name, one.catalogue, models, endpoint)
        yield from (_outcome(planner, one.catalogue, case) for case in one.cases)


def _outcome(planner: Planner, catalogue: Catalogue, case: Mapping[str, Any]) -> Outcome:
    begun = time.process_time()
    proposal = planner.propose(case["question"], date.fromisoformat(case["today"]))
    seconds = time.process_time() - begun
    wrong = _wrong(dict(case), proposal)
    confidence = proposal.confidence if proposal.calibrated else None
    return Outcome(
        case["lang"], not wrong, not wrong & {"needs", "missing", "plan"}, _sound(proposal, catalogue), seconds, confidence
    )  # fmt: skip


def _wrong(case: dict[str, Any], proposal: Proposal) -> set[str]:
    if proposal.plan is None:
        return set() if case.get("missing") else {"plan"}
    return set(faults(case, proposal.plan.model_dump(mode="json")))


def _sound(proposal: Proposal, catalogue: Catalogue) -> bool | None:
    if proposal.plan is None:
        return None
    try:
        check_plan(proposal.plan, catalogue)
    except PlannerError:
        return False
    return True


def scores(planner: str, found: Sequence[Outcome], threshold: float) -> list[Score]:
    """One for each language, and one for all."""
    languages = sorted({o.language for o in found})
    groups = {lang: [o for o in found if o.language == lang] for lang in languages}
    if len(languages) != 1:
        groups["all"] = list(found)
    return [_score(planner, lang, own, threshold) for lang, own in groups.items() if own]


def _score(planner: str, language: str, found: Sequence[Outcome], threshold: float) -> Score:
    sound = [o.sound for o in found if o.sound is not None]
    above = [o for o in found if o.confidence is not None and o.confidence >= threshold]
    calibrated = any(o.confidence is not None for o in found)
    seconds = sorted(o.seconds for o in found)
    return Score(
        planner,
        language,
        len(found),
        exact=_share([o.exact for o in found]),
        needs=_share([o.needs for o in found]),
        format=_share(sound),
        cpu_median_s=round(statistics.median(seconds), 3),
        cpu_p95_s=round(seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))], 3),
        above=round(len(above) / len(found), 4) if calibrated else None,
        above_exact=_share([o.exact for o in above]) if above else None,
    )


def _share(which: Sequence[bool]) -> float:
    return round(sum(which) / len(which), 4) if which else 0.0
