"""Memory of a build over a folder of many small PDFs: `python -m benchmarks.index_size`.

Each PDF has one page of its own words. The first build reads them all in this process, with the real embedding model;
its memory is looked at after every file. The second finds nothing to do.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from pathlib import Path

from kb_index.build import build
from kb_index.model import lay_out
from kb_index.settings import IndexSettings

__all__ = ["write_pdfs"]

SYLLABLES = [
    "ka",
    "lo",
    "mi",
    "ren",
    "sta",
    "tor",
    "vel",
    "dun",
    "gri",
    "pas",
    "qui",
    "bel",
    "nor",
    "hem",
    "lis",
    "wat",
]
HOME = Path(__file__).resolve().parent.parent / ".assay"


def write_pdfs(folder: Path, count: int, seed: int = 0) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    chance = random.Random(seed)
    folder.mkdir(parents=True)
    for n in range(count):
        canvas = Canvas(str(folder / f"note-{n:05}.pdf"), pagesize=A4, invariant=True)
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(60, 780, f"Note {n}")
        canvas.setFont("Helvetica", 11)
        for line in range(4):
            words = ["".join(chance.choices(SYLLABLES, k=2)) for _ in range(9)]
            canvas.drawString(60, 750 - 16 * line, " ".join(words) + ".")
        canvas.save()


def _resident() -> float:
    """MB of this process now (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _cpu() -> float:
    own, children = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--files", type=int, default=1000)
    given = options.parse_args()
    memory: list[float] = []

    def progress(doing: str, done: int, total: int) -> None:
        memory.append(_resident())

    settings = IndexSettings(home=str(HOME), threads=1)
    lay_out(HOME)
    with tempfile.TemporaryDirectory() as folder:
        write_pdfs(Path(folder) / "docs", given.files)
        costs = []
        for _ in range(2):
            begun, cpu = time.monotonic(), _cpu()
            index_dir = Path(folder) / "index" / "default"
            report = build([Path(folder) / "docs"], index_dir, settings=settings, progress=progress)
            costs.append((time.monotonic() - begun, _cpu() - cpu))
            print(report, flush=True)
    for name, (seconds, cpu) in zip(("first", "second"), costs, strict=True):
        print(
            f"{name} build: {seconds:.1f} s, {cpu:.2f} CPU s ({100 * cpu / costs[0][1]:.2f} % of the first)"
        )
    at = [n for n in (10, 100, given.files // 2, given.files, given.files * 2 - 1) if n < len(memory)]
    print("resident MB after " + ", ".join(f"{n} steps {memory[n]:.0f}" for n in at), end="; ")
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f}")


if __name__ == "__main__":
    main()
