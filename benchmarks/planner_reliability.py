"""A picture of how far the planner's probabilities can be trusted: for each tenth of probability, how many plans were exact.

    python -m benchmarks.planner_reliability [--report planner/weights/judge_report.json] [--out docs/planner_reliability.png]

The report is what training the judge measures, on catalogues that no model was trained on. Bars below are the number of questions.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_Z = 1.96  # of a 95 % interval


def interval(share: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a share of n (Wilson's score interval, 1927)."""
    middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    return min(middle - half, share), max(middle + half, share)


def draw(report: dict[str, Any], out: Path) -> None:
    """Writes a PNG. `report` has `reliability` (from, questions, confidence, exact), `calibration_error`, `questions`, `worlds`."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    bins = [b for b in report["reliability"] if b["questions"]]
    x, y = [b["confidence"] for b in bins], [b["exact"] for b in bins]
    ends = [interval(b["exact"], b["questions"]) for b in bins]
    errors = [[a - low for a, (low, _) in zip(y, ends, strict=True)], [high - a for a, (_, high) in zip(y, ends, strict=True)]]  # fmt: skip
    figure, (upper, lower) = pyplot.subplots(
        2, 1, figsize=(5, 5.6), height_ratios=[3, 1], sharex=True, layout="constrained"
    )
    upper.plot([0, 1], [0, 1], color="0.7", linewidth=1, label="perfect")
    upper.errorbar(
        x, y, yerr=errors, fmt="o-", color="#1f5fa8", capsize=3, linewidth=1.2, label="measured, 95 %"
    )
    upper.set(xlim=(0, 1), ylim=(0, 1), ylabel="share of exact plans")
    upper.legend(loc="upper left", frameon=False)
    upper.set_title(
        f"{report['questions']} questions on {report['worlds']} catalogues not trained on\n"
        f"expected calibration error {report['calibration_error']:.3f}",
        fontsize=10,
    )
    lower.bar([b["from"] + 0.05 for b in bins], [b["questions"] for b in bins], width=0.09, color="#9db8d6")
    lower.set(xlabel="probability that the judge gave", ylabel="questions")
    out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(out, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, default=ROOT / "planner" / "weights" / "judge_report.json")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "planner_reliability.png")
    given = parser.parse_args()
    report = json.loads(given.report.read_text(encoding="utf-8"))
    draw(report, given.out)
    print(f"{given.out}: expected calibration error {report['calibration_error']:.3f}")


if __name__ == "__main__":
    main()
