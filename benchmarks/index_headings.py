"""Headings: F1 over files whose headings are known, by outline, tags or another tool's reading.

    python -m benchmarks.index_headings [--folder DIR] [--wrong]

DIR holds PDFs beside truth.json; by default the shared set, where there is one."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.index_tables import SHARED, scorer

HOME = Path(__file__).resolve().parents[1] / ".assay"  # where OCR has its models
KINDS = ("outline", "tagged", "docling_silver")


def predicted(folder: Path, names: list[str]) -> dict[str, list[tuple[int, str]]]:
    """Page and text of each heading, file by file."""
    from kb_index.blocks import Heading
    from kb_index.pdf import read_pdf

    return {
        n: [(b.page, b.text) for b in read_pdf(folder / n, HOME).blocks if isinstance(b, Heading)]
        for n in names
    }


def wrong(score: Any, truth: list[dict[str, Any]], found: list[tuple[int, str]], slack: int) -> list[str]:
    """A line for each heading that is missing, and each that is none."""
    left = [h for h in truth if h["page"] <= 20]
    lines = []
    for page, text in (f for f in found if f[0] <= 20):
        hit = next((h for h in left if abs(h["page"] - page) <= slack and score.match(score.norm(text), score.norm(h["text"]))), None)  # fmt: skip
        if hit:
            left.remove(hit)
        else:
            lines.append(f"    + p{page} {text[:90]}")
    return [*lines, *(f"    - p{h['page']} {h['text'][:90]}" for h in left)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=SHARED / "data" / "pdf" / "headings")
    parser.add_argument(
        "--wrong", action="store_true", help="name what is missing (-) and what is no heading (+)"
    )
    asked = parser.parse_args()
    script = SHARED / "scripts" / "score_headings.py"
    if not (asked.folder / "truth.json").is_file() or not script.is_file():
        print(
            "the files with known headings are not here: ../shared/data/pdf/headings, ../shared/scripts/score_headings.py"
        )
        return
    truth = json.loads((asked.folder / "truth.json").read_text(encoding="utf-8"))
    found = predicted(asked.folder, list(truth))
    score = scorer(script)
    for kind in KINDS:
        slack = 1 if kind == "outline" else 0
        total = [0, 0, 0]
        for name, one in truth.items():
            if one["kind"] != kind:
                continue
            own = score.score(one["h"], found[name], slack)
            total = [a + b for a, b in zip(total, own, strict=True)]
            print(f"  {name:40s} " + " ".join(f"{x:.2f}" for x in score.prf(*own)))
            if asked.wrong:
                print(*wrong(score, one["h"], found[name], slack), sep="\n")
        print(kind, "micro P R F1", " ".join(f"{x:.3f}" for x in score.prf(*total)))


if __name__ == "__main__":
    main()
