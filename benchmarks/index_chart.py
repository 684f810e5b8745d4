"""One picture of the index beside its peers: `python -m benchmarks.index_chart [--out docs/index_quality.png]`.

Runs the benchmarks of tables, headings and filings on the shared files and draws what they give; the peers' figures are
those of the same scorers on files of the same kinds.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# name -> (benchmark, what its output says before the figure, the best peer, what is asked)
FIGURES = {
    "tables, macro F1": ("index_tables", r"macro P R F1 \S+ \S+ ", 0.76, 0.85),
    "headings, outline": ("index_headings", r"outline micro P R F1 \S+ \S+ ", 0.58, 0.75),
    "headings, tagged": ("index_headings", r"tagged micro P R F1 \S+ \S+ ", 0.57, 0.75),
    "headings, silver": ("index_headings", r"docling_silver micro P R F1 \S+ \S+ ", 0.87, 0.85),
    "filings, page in 5 of its document": (
        "index_filings",
        r"both\s+page in the first 5 of its document ",
        0.36,
        0.65,
    ),
    "filings, page in 10 of all": ("index_filings", r"both.* in the first 10 of all documents ", 0.22, 0.55),
}


def measured() -> dict[str, float]:
    """Each benchmark's figures; those whose files are not at hand are left out."""
    out: dict[str, float] = {}
    for name in dict.fromkeys(f[0] for f in FIGURES.values()):
        said = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{name}"], capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout
        for title, (benchmark, before, _, _) in FIGURES.items():
            if benchmark == name and (found := re.search(before + r"([01]\.\d+)", said)):
                out[title] = float(found[1])
    return out


def draw(ours: dict[str, float], out: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    titles = [t for t in FIGURES if t in ours][::-1]
    rows = range(len(titles))
    figure, axes = pyplot.subplots(figsize=(7, 0.55 * len(titles) + 1.2), layout="constrained")
    axes.barh([r + 0.19 for r in rows], [ours[t] for t in titles], 0.36, color="#1f5fa8", label="Assay")
    axes.barh(
        [r - 0.19 for r in rows], [FIGURES[t][2] for t in titles], 0.36, color="#c3cbd6", label="best peer"
    )
    axes.scatter(
        [FIGURES[t][3] for t in titles], list(rows), marker="|", s=420, color="#b3261e", label="asked"
    )
    for r, t in zip(rows, titles, strict=True):
        axes.text(ours[t] + 0.01, r + 0.19, f"{ours[t]:.2f}", va="center", fontsize=8)
    axes.set(yticks=list(rows), yticklabels=titles, xlim=(0, 1.08))
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(out, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "index_quality.png")
    asked = parser.parse_args()
    ours = measured()
    if not ours:
        print("the files with known truth are not here: ../shared/data")
        return
    draw(ours, asked.out)
    print(*(f"{title}: {value:.3f}" for title, value in ours.items()), sep="\n")
    print(asked.out)


if __name__ == "__main__":
    main()
