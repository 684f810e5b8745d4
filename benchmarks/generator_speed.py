"""How long the local model takes for a plan, and how much memory: first call, median, 95th percentile, resident MB.

    python -m benchmarks.generator_speed [--models .assay/models] [--adapter FILE] [--texts 1] [--threads 2] [--questions 30]

Questions are those of one held-out world, so that the catalogue's state is kept as in use. Says nothing of how good the plans are,
but for how many questions had one that holds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from planner.generator import ADAPTER
from planner.local import LocalPlanner
from planner.training.split import split

DATA = Path(__file__).parents[1] / "planner" / "training" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, default=Path(".assay/models"))
    parser.add_argument("--adapter", type=Path, default=ADAPTER)
    parser.add_argument(
        "--texts", type=int, default=1, help="texts a question: the likeliest, the others sampled"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--questions", type=int, default=30)
    arguments = parser.parse_args()
    _, held = split(DATA)
    world, process = held[0], psutil.Process()
    start = time.perf_counter()
    planner = LocalPlanner(
        world.catalogue, arguments.models, adapter=arguments.adapter, threads=arguments.threads
    )
    made = time.perf_counter() - start
    seconds, processor, plans = [], [], 0
    for triple in world.triples[: arguments.questions]:
        start, used = time.perf_counter(), time.process_time()
        plans += bool(planner.candidates(triple.question, triple.today, arguments.texts))
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    warm = sorted(seconds[1:])
    print(
        f"{len(seconds)} questions, {arguments.texts} texts each, {arguments.threads} threads: "
        f"made in {made:.1f} s, first call {seconds[0]:.1f} s, then median {statistics.median(warm):.2f} s, "
        f"95 % below {warm[int(len(warm) * 0.95)]:.2f} s ({statistics.median(processor[1:]):.2f} s of processor); "
        f"{process.memory_info().rss / 1e6:.0f} MB resident; {plans} with a plan that holds"
    )


if __name__ == "__main__":
    main()
