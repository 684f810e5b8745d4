"""How long `auto` takes for a plan on a catalogue of 20 datasets, and how much memory at most.

    python -m benchmarks.planner_speed [--models .assay/models] [--datasets 20] [--questions 40] [--threads 2]

Held-out catalogues are merged into one; asked are their own questions. First call: a new process reads the catalogue, loads
the models and makes a plan, once with a catalogue never seen and once with its vectors on disk. Warm: every later question.
Wall and CPU seconds; on a machine that does other things the CPU seconds are the ones to read. Nothing is said of how good the plans are.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.catalogue import Catalogue
    from planner.training.triples import Triple

DATA = Path(__file__).parents[1] / "planner" / "training" / "data"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def laid_out(models: Path, folder: Path) -> Path:
    """The same models under `folder`, without the vectors of catalogues that are kept beside them."""
    for path in models.iterdir():
        if path.name != "planner":
            (folder / path.name).symlink_to(path.resolve())
    (folder / "planner").mkdir()
    for path in (models / "planner").glob("*"):
        if not path.name.startswith("items-"):
            (folder / "planner" / path.name).symlink_to(path.resolve())
    return folder


def asked(datasets: int, questions: int) -> tuple[Catalogue, list[Triple]]:
    from benchmarks.shortlist_recall import merged
    from planner.training.split import split

    _, held = split(DATA)
    catalogue, names = merged(held, datasets)
    own = [w for w in held if any(key[0] == id(w) for key in names)]
    triples = [t for w in own for t in w.triples]
    return catalogue, triples[:: max(1, len(triples) // questions)][:questions]


def measure(catalogue: Catalogue, triples: Sequence[Triple], models: Path) -> dict[str, Any]:
    """In this process, which must be new: seconds to the first plan, then each plan's wall and CPU seconds."""
    begun = time.perf_counter()
    from planner.planners import make_planner

    planner = make_planner("auto", catalogue, models)
    wall, processor, names = [], [], set[str]()
    for n, triple in enumerate(triples):
        start, used = time.perf_counter(), time.process_time()
        names.add(planner.propose(triple.question, triple.today).planner)
        wall.append(time.perf_counter() - (start if n else begun))
        processor.append(time.process_time() - used)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux: in KiB
    return {"wall": wall, "cpu": processor, "planners": names, "peak": peak, "own": _private()}


def _private() -> float:
    """MiB of memory without the pages of files that are mapped, which the system may drop; 0 where it is not known."""
    try:
        rows = Path("/proc/self/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return sum(int(r.split()[1]) for r in rows if r.startswith("Anonymous:")) / 1024


def report(found: dict[str, Any], what: str) -> None:
    first, warm, cpu = found["wall"][0], sorted(found["wall"][1:]), sorted(found["cpu"][1:])
    print(f"{what}: first call {first:.2f} s; {', '.join(found['planners'])}")
    if warm:
        print(
            f"  then {len(warm)} plans: wall median {statistics.median(warm):.2f} s, 95 % below {warm[int(len(warm) * 0.95)]:.2f} s; "
            f"CPU median {statistics.median(cpu):.2f} s, 95 % below {cpu[int(len(cpu) * 0.95)]:.2f} s"
        )
    print(f"  peak {found['peak']:.0f} MiB resident; {found['own']:.0f} MiB at the end without mapped files")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, default=Path(".assay/models"))
    parser.add_argument("--datasets", type=int, default=20)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--here", help=argparse.SUPPRESS)  # a measured process
    given = parser.parse_args()
    if given.here:
        catalogue, triples = asked(given.datasets, given.questions)
        held = {d.name for s in catalogue.sources.values() for d in s.datasets}
        report(measure(catalogue, triples, given.models), f"{given.here} ({len(held)} datasets)")
        return
    environment = {**os.environ, **dict.fromkeys(_THREADS, str(given.threads))}
    with tempfile.TemporaryDirectory() as folder:
        models = laid_out(given.models, Path(folder))
        for what, questions in (("a catalogue never seen", 1), ("its vectors on disk", given.questions)):
            command = [
                sys.executable,
                "-m",
                "benchmarks.planner_speed",
                "--models",
                str(models),
                "--here",
                what,
            ]
            command += ["--datasets", str(given.datasets), "--questions", str(questions)]
            subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()
