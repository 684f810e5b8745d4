"""The plans of random worlds run: on made-up rows, with the real executor and the real operations."""

from __future__ import annotations

from pathlib import Path

from assay.triple_checks import check_worlds
from planner.training.worlds import make_world, show_triples
from planner.training.worlds_shapes import SHAPES


def test_every_plan_runs(tmp_path: Path) -> None:
    for seed in (4, 11):
        world = make_world(seed, len(SHAPES))
        (tmp_path / f"{world.name}.cat").write_text(world.text, encoding="utf-8")
        (tmp_path / f"{world.name}.txt").write_text(show_triples(world.triples), encoding="utf-8")
    found = list(check_worlds(sorted(tmp_path.glob("*.cat")), every=1))
    assert [fault for world in found for fault in world.faults] == []
    assert sum(c.rehearsed for world in found for c in world.triples) > 40
