"""All planners together on a catalogue that no model has seen, with the weights that the repository holds."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from planner.auto import AutoPlanner
from planner.catalogue import Catalogue
from planner.compact import read_plan
from planner.judge import Judge
from planner.parse import check_plan
from planner.planners import make_planner
from planner.pool import FEATURES, same

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SET = ROOT / "tests" / "data" / "planner" / "heldout_e"


@pytest.fixture(scope="module")
def models() -> Path:
    from kb_index.model import lay_out

    home = ROOT / ".assay" / "models"
    lay_out(home)
    return home


@pytest.fixture(scope="module")
def pools(models: Path) -> AutoPlanner:
    return AutoPlanner(Catalogue.load(SET / "catalogues" / "pools"), models)


def test_every_plan_passes_its_checks_and_is_judged(pools: AutoPlanner) -> None:
    catalogue = Catalogue.load(SET / "catalogues" / "pools")
    cases = [json.loads(line) for line in (SET / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    for case in [c for c in cases if c["catalogue"] == "pools"][::4]:
        proposal = pools.propose(case["question"], date.fromisoformat(case["today"]))
        assert proposal.calibrated
        assert 0 < proposal.confidence < 1
        assert proposal.planner == "auto"
        assert "likely" in proposal.reason
        for plan in [proposal.plan, *(a.plan for a in proposal.alternatives)]:
            if plan is not None:
                check_plan(plan, catalogue)
        sure = [a.confidence for a in proposal.alternatives]
        assert sure == sorted(sure, reverse=True)
        assert not sure or proposal.confidence >= sure[0]


def test_the_same_question_gets_the_same_plan(pools: AutoPlanner) -> None:
    asked = ("which pool had the most visitors last month", date(2025, 6, 18))
    assert pools.propose(*asked) == pools.propose(*asked)


def test_nothing_is_asked_of_nothing(pools: AutoPlanner) -> None:
    assert pools.propose("  ", date(2025, 6, 18)).plan is None


def test_without_its_files_auto_plans_by_rules_and_local_says_what_is_missing(tmp_path: Path) -> None:
    from planner.errors import ModelsMissing

    catalogue = Catalogue.load(SET / "catalogues" / "pools")
    assert (
        make_planner("auto", catalogue, tmp_path).propose("visitors last month", date(2025, 6, 18)).planner
        == "rules"
    )
    with pytest.raises(ModelsMissing):
        make_planner("local", catalogue, tmp_path)


def test_the_judge_knows_every_feature_and_its_figures_are_kept() -> None:
    judge = Judge.load()
    assert 0 < judge.probability([0.0] * len(FEATURES)) < 1
    figures = json.loads((ROOT / "planner" / "weights" / "judge_report.json").read_text(encoding="utf-8"))
    assert figures["calibration_error"] < 0.1
    assert figures["exact"] > figures["exact_rules"]


def test_order_of_columns_and_words_of_a_search_make_no_other_plan() -> None:
    one = read_plan("firing gas,breakage | month=2025-05 kiln=K1\n#manual lost parcels")
    two = read_plan("firing breakage,gas | kiln=K1 month=2025-05\n#manual parcels that were lost")
    assert same(one) == same(two)
    assert same(one) != same(read_plan("firing gas | kiln=K1 month=2025-05\n#manual lost parcels"))
