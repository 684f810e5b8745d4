"""How well the planners plan, side by side, on the repository's own sets, and on the handed ones where
`../shared/data/planner` lies beside the checkout: `python -m benchmarks.planner [--planner rules]... [--set NAME]...`

What counts as exact stands in `planner.training.scoring`; a question that the catalogue cannot answer is right when it gets no plan."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console
from rich.table import Table

from planner.training.evaluation import Score, outcomes, read_cases, scores

__all__ = ["main"]

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "tests" / "data" / "planner"
HANDED = ROOT.parent / "shared" / "data" / "planner"
MODELS = ROOT / ".assay" / "models"
SURE = 0.5  # the default threshold of assay.yaml


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--planner", action="append", choices=("rules", "local", "auto"))
    parser.add_argument("--set", action="append", help="a set's folder name; repeat for several")
    given = parser.parse_args()
    console = Console(width=120)
    table = Table(title="exact plans", title_justify="left")
    for heading in (
        "set", "planner", "language", "cases", "exact", "needs", "format", "sure", "exact of sure", "CPU s, median", "p95",
    ):  # fmt: skip
        table.add_column(heading, no_wrap=True)
    for cases in [*sorted(OWN.glob("*/cases.jsonl")), *sorted(HANDED.glob("*/cases.jsonl"))]:
        if given.set and cases.parent.name not in given.set:
            continue
        asked = read_cases(cases, cases.parent / "catalogues")
        for planner in given.planner or ("rules", "local", "auto"):
            for score in scores(planner, list(outcomes(planner, asked, MODELS)), SURE):
                table.add_row(cases.parent.name, *_row(score))
    console.print(table)
    if not HANDED.is_dir():
        console.print(
            "the handed sets are not here (../shared/data/planner): only the repository's own were measured"
        )


def _row(s: Score) -> tuple[str, ...]:
    above = "" if s.above is None else f"{s.above:.2f}"
    exact = "" if s.above_exact is None else f"{s.above_exact:.3f}"
    return (
        s.planner, s.language, str(s.cases), f"{s.exact:.3f}", f"{s.needs:.3f}", f"{s.format:.3f}", above, exact,
        f"{s.cpu_median_s:.3f}", f"{s.cpu_p95_s:.3f}",
    )  # fmt: skip


if __name__ == "__main__":
    main()
