"""The rule planner on cases that were written by another hand, on catalogues of four invented companies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.bulk import plan_cases
from planner.errors import PlannerError
from planner.training.scoring import right

DATA = Path(__file__).parents[1] / "data" / "planner"
FLOOR = {
    "rules_dev_a": 60,
    "rules_dev_c": 56,
    "rules_dev_d": 53,
    "rules_heldout_b": 51,
}  # right of 60; none may be lost


@pytest.mark.parametrize("name", sorted(FLOOR))
def test_cases(name: str, tmp_path: Path) -> None:
    folder, out = DATA / name, tmp_path / "plans.jsonl"
    report = plan_cases(folder / "cases.jsonl", folder / "catalogues", out)
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    plans = {p["id"]: p["plan"] for p in map(json.loads, out.read_text(encoding="utf-8").splitlines())}
    assert report["planned"] == len(cases), "every one of these questions can be answered"
    assert sum(right(case, plans[case["id"]]) for case in cases) >= FLOOR[name], f"of {len(cases)}"


def test_a_case_without_a_date_is_named(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(
        '{"id": "x", "catalogue": "c", "question": "q"}\n', encoding="utf-8"
    )
    with pytest.raises(PlannerError, match=r"cases\.jsonl:1"):
        plan_cases(tmp_path / "cases.jsonl", tmp_path, tmp_path / "out.jsonl")
