"""Fits the judge on the held-out worlds, and says how well its probabilities hold: by worlds left out in turn.

    python -m planner.training.judge_training --data FOLDER --models .assay/models --out planner/weights

`judge.json` gets the weights, `judge_report.json` the figures: exact plans of the chosen, of the best in the pool, of the
rules; share and exactness above each threshold; expected calibration error over ten bins; the reliability table."""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from planner.pool import FEATURES
from planner.site_weights import adapter_file, encoder_folder
from planner.training.split import split
from planner.training.triples import World

__all__ = ["Question", "collect", "fit", "report"]

Floats = npt.NDArray[np.float64]
PENALTY, STEPS = 0.02, 400
BINS = 10


@dataclass(slots=True)
class Question:
    """`rows` [options, features]; `right` [options]; `rules` whether the rules alone were right."""

    world: str
    language: str
    rows: list[list[float]]
    right: list[bool]
    rules: bool
    kinds: list[str]


def collect(world: World, models: Path, *, generator: bool = True) -> list[Question]:
    """Every option of every question of a world, and whether it is what the triple wants."""
    from planner.auto import gather
    from planner.encoder.predict import Encoder
    from planner.rules import RulePlanner
    from planner.training.scoring import case_of, right

    encoder, rules = (
        Encoder(world.catalogue, models, None, encoder_folder(models)),
        RulePlanner(world.catalogue),
    )
    local = _local(world, models) if generator else None
    found = []
    for triple in world.triples:
        case = case_of(triple, world.catalogue, encoder.lexicon)
        pool = gather(triple.question, triple.today, world.catalogue, encoder, rules, local)
        options = list(pool.options.values())
        plans = [o.plan.model_dump(mode="json") if o.plan else None for o in options]
        alone = pool.rules.plan if pool.rules else None
        by_rules = right(case, alone.model_dump(mode="json") if alone else None)
        kinds = [
            "rules" * o.rules + "encoder" * (o.encoder is not None) + "generator" * (o.generator is not None)
            for o in options
        ]
        rows = [pool.features(o) for o in options]
        found.append(
            Question(world.name, triple.language, rows, [right(case, p) for p in plans], by_rules, kinds)
        )
    return found


def _local(world: World, models: Path) -> Any:
    from planner.local import LocalPlanner

    return LocalPlanner(world.catalogue, models, adapter=adapter_file(models))


def fit(questions: Sequence[Question]) -> tuple[Floats, float]:
    """Weights and bias by regularised logistic regression, each question weighing the same (Newton's method)."""
    x = np.array([r for q in questions for r in q.rows])
    y = np.array([float(r) for q in questions for r in q.right])
    w = np.array([1 / len(q.rows) ** 0.5 for q in questions for _ in q.rows])
    mean, spread = x.mean(0), x.std(0) + 1e-6
    z = np.hstack([(x - mean) / spread, np.ones((len(x), 1))])
    theta = np.zeros(z.shape[1])
    penalty = np.full(z.shape[1], PENALTY * w.sum())
    penalty[-1] = 0.0
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-z @ theta))
        gradient = z.T @ (w * (p - y)) + penalty * theta
        hessian = (z * (w * p * (1 - p))[:, None]).T @ z + np.diag(penalty + 1e-9)
        step = np.linalg.solve(hessian, gradient)
        theta -= step
        if np.abs(step).max() < 1e-8:
            break
    weights = theta[:-1] / spread
    return weights, float(theta[-1] - (weights * mean).sum())


def judged(questions: Sequence[Question], weights: Floats, bias: float) -> list[tuple[float, bool]]:
    """(probability, right) of each question's chosen option."""
    chosen = []
    for q in questions:
        p = 1 / (1 + np.exp(-(np.array(q.rows) @ weights + bias)))
        best = int(p.argmax())
        chosen.append((float(p[best]), q.right[best]))
    return chosen


def report(questions: Sequence[Question]) -> dict[str, Any]:
    """Figures by leaving one world out in turn."""
    worlds = sorted({q.world for q in questions})
    chosen: list[tuple[float, bool, Question]] = []
    for world in worlds:
        own = [q for q in questions if q.world == world]
        weights, bias = fit([q for q in questions if q.world != world])
        chosen += [(p, r, q) for (p, r), q in zip(judged(own, weights, bias), own, strict=True)]
    total = len(chosen)
    languages = {
        lang: sum(r for _, r, q in chosen if q.language == lang)
        / max(1, sum(q.language == lang for _, _, q in chosen))
        for lang in ("zh", "en")
    }
    bins = []
    for n in range(BINS):
        inside = [
            (p, r) for p, r, _ in chosen if n / BINS <= p < (n + 1) / BINS or (n == BINS - 1 and p == 1)
        ]
        if inside:
            bins.append({
                "from": n / BINS, "questions": len(inside), "confidence": sum(p for p, _ in inside) / len(inside),
                "exact": sum(r for _, r in inside) / len(inside),
            })  # fmt: skip
    error = sum(b["questions"] * abs(b["confidence"] - b["exact"]) for b in bins) / total
    above = []
    for t in (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95):
        over = [r for p, r, _ in chosen if p >= t]
        above.append(
            {"threshold": t, "share": len(over) / total, "exact": sum(over) / len(over) if over else None}
        )
    return {
        "questions": total,
        "worlds": len(worlds),
        "exact": sum(r for _, r, _ in chosen) / total,
        **{f"exact_{k}": v for k, v in languages.items()},
        "exact_rules": sum(q.rules for q in questions) / total,
        "exact_encoder": sum(
            any(r and "encoder" in k for r, k in zip(q.right, q.kinds, strict=True)) for q in questions
        )
        / total,
        "best_in_pool": sum(any(q.right) for q in questions) / total,
        "calibration_error": error,
        "reliability": bins,
        "above": above,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=Path(".assay/models"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-generator", action="store_true")
    given = parser.parse_args()
    begun = time.monotonic()
    _, held = split(given.data)
    with ProcessPoolExecutor(given.workers) as workers:
        jobs = [workers.submit(collect, w, given.models, generator=not given.no_generator) for w in held]
        questions = [q for job in jobs for q in job.result()]
    weights, bias = fit(questions)
    figures = report(questions)
    named = {f: round(float(w), 6) for f, w in zip(FEATURES, weights, strict=True)}
    text = json.dumps({"bias": round(bias, 6), "weights": named}, indent=1)
    version = hashlib.sha256(text.encode()).hexdigest()[:8]
    given.out.mkdir(parents=True, exist_ok=True)
    kept = {"version": version, "generator": not given.no_generator, "bias": round(bias, 6), "weights": named}
    (given.out / "judge.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    (given.out / "judge_report.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({k: v for k, v in figures.items() if k != "reliability"}, indent=1))
    print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
