"""Plans for many cases at once, in the form that a scorer reads: `python -m planner.bulk CASES CATALOGUES OUT [PLANNER]`."""

from __future__ import annotations

import json
import sys
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.catalogue import Catalogue
from planner.errors import PlannerError
from planner.planners import Planner, make_planner

if TYPE_CHECKING:
    from planner.remote import Endpoint

__all__ = ["plan_cases"]

MODELS = Path(".assay/models")  # where an installation keeps model files, seen from its folder


def plan_cases(
    cases_path: Path | str,
    catalogues_dir: Path | str,
    out_path: Path | str,
    planner: str = "rules",
    *,
    models: Path = MODELS,
    endpoint: Endpoint | None = None,
) -> dict[str, Any]:
    """Write one line a case: {"id", "plan", "error", "seconds", "planner", "confidence"}. `today` comes from each case.

    Gives {"cases", "planned", "seconds"}. Raises PlannerError for a planner that is not known or a case that cannot be read."""
    planners: dict[str, Planner] = {}
    planned, total, lines = 0, 0.0, []
    for number, line in enumerate(Path(cases_path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            name, question, today = case["catalogue"], case["question"], date.fromisoformat(case["today"])
        except (ValueError, KeyError, TypeError) as error:
            raise PlannerError(
                f"{cases_path}:{number}: a case needs id, catalogue, question and today: {error}"
            ) from error
        if name not in planners:
            catalogue = Catalogue.load(Path(catalogues_dir) / name)
            planners[name] = make_planner(planner, catalogue, Path(models), endpoint)
        begun = time.perf_counter()
        proposal = planners[name].propose(question, today)
        seconds = time.perf_counter() - begun
        total += seconds
        planned += proposal.plan is not None
        lines.append(
            {
                "id": case["id"],
                "plan": proposal.plan.model_dump(mode="json") if proposal.plan else None,
                "error": None if proposal.plan else proposal.reason,
                "seconds": round(seconds, 4),
                "planner": proposal.planner,
                "confidence": round(proposal.confidence, 4),
            }
        )
    Path(out_path).write_text(
        "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8"
    )
    return {"cases": len(lines), "planned": planned, "seconds": round(total, 3)}


if __name__ == "__main__":
    print(json.dumps(plan_cases(*sys.argv[1:5])))
