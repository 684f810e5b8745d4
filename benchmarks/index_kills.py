"""kill -9 at random moments of a build, with readers asking all the time: `python -m benchmarks.index_kills`.

Each round changes some files, starts a build in a process of its own, kills it after a random part of the time that
a whole build takes, looks at what is left, and lets the next build complete. Readers in processes of their own note
every set of passages that they see; each must be the folder as it was at the end of one round, whole.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.index_corpus import SETTINGS, give_vectors, write_entry
from kb_index.build import build
from kb_index.search import Index
from kb_index.status import status

__all__ = ["Result", "run"]

PRELOAD = ["kb_index.build", "kb_index.search", "kb_index.word", "docx", "numpy", "qdrant_edge"]


@dataclass(slots=True)
class Result:
    """`torn`: sets of passages, seen by a reader, that no round had. `kills`: those that came before the build's end;
    `left`: those that left a rest for the next build to clear."""

    rounds: int = 0
    kills: int = 0
    left: int = 0
    questions: int = 0
    versions_seen: int = 0
    torn: list[list[str]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    incomplete: list[int] = field(default_factory=list)  # rounds whose next build was not as expected
    seconds: float = 0.0


def run(folder: Path, *, rounds: int, files: int = 12, readers: int = 2, seed: int = 0) -> Result:
    """Works in `folder`, which must be empty."""
    chance = random.Random(seed)
    docs, index_dir, notes = folder / "docs", folder / "index" / "default", folder / "notes"
    notes.mkdir(parents=True)
    started = time.monotonic()
    state = {f"entry-{n:03}.docx": 0 for n in range(files)}
    _write(docs, index_dir, state, state)
    begun = time.monotonic()
    build([docs], index_dir, settings=SETTINGS)
    whole = time.monotonic() - begun
    history = {_seen(state)}
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(PRELOAD)
    watching = [processes.Process(target=_read, args=(index_dir, notes / str(n))) for n in range(readers)]
    for reader in watching:
        reader.start()
    result = Result(rounds=rounds)
    try:
        for n in range(1, rounds + 1):
            changed = _change(state, n, chance)
            history.add(_seen(state))
            _write(docs, index_dir, state, changed)
            builder = processes.Process(target=_build, args=(docs, index_dir))
            begun = time.monotonic()
            builder.start()
            builder.join(chance.uniform(0, 1.3 * whole))
            if builder.is_alive():
                os.kill(builder.pid or 0, signal.SIGKILL)
                result.kills += 1
            else:
                whole = time.monotonic() - begun
            builder.join()
            result.left += bool(list((index_dir / "versions").glob(".building-*")))
            status(index_dir)  # raises when there is nothing whole
            build([docs], index_dir, settings=SETTINGS)
            with Index.open(index_dir, SETTINGS) as index:
                if _ask(index) != _seen(state) or list((index_dir / "versions").glob(".building-*")):
                    result.incomplete.append(n)
    finally:
        (notes / "stop").touch()
        for reader in watching:
            reader.join(60)
            if reader.is_alive():
                reader.kill()
    for n in range(readers):
        note = json.loads((notes / str(n)).read_text(encoding="utf-8"))
        result.questions += note["questions"]
        result.versions_seen = max(result.versions_seen, note["versions"])
        result.failures += note["failures"]
        result.torn += [s for s in note["seen"] if tuple(s) not in history]
    result.seconds = round(time.monotonic() - started, 1)
    return result


def _seen(state: dict[str, int]) -> tuple[str, ...]:
    return tuple(sorted(f"{name} state{n}" for name, n in state.items()))


def _change(state: dict[str, int], n: int, chance: random.Random) -> dict[str, int]:
    """One file goes, one comes, some are written anew; returns those to write."""
    names = sorted(state)
    del state[chance.choice(names)]
    again = chance.sample(sorted(state), max(1, len(state) // 4))
    changed = dict.fromkeys([*again, f"new-{n:03}.docx"], n)
    state.update(changed)
    return changed


def _write(docs: Path, index_dir: Path, state: dict[str, int], changed: dict[str, int]) -> None:
    for name, n in changed.items():
        write_entry(docs / name, f"ledger {name} state{n}")
    for file in docs.glob("*.docx"):
        if file.name not in state:
            file.unlink()
    give_vectors([docs / name for name in changed], index_dir)


def _build(docs: Path, index_dir: Path) -> None:
    build([docs], index_dir, settings=SETTINGS)


def _ask(index: Index) -> tuple[str, ...]:
    hits = index.search("ledger", by="words", limit=100)
    return tuple(sorted(h.text.split("ledger ")[-1].strip() for h in hits))


def _read(index_dir: Path, note: Path) -> None:
    """Asks until told to stop; what it saw is written at the end."""
    seen: set[tuple[str, ...]] = set()
    versions: set[str] = set()
    failures: list[str] = []
    questions = 0
    with Index.open(index_dir, SETTINGS) as index:
        while not (note.parent / "stop").exists():
            try:
                seen.add(_ask(index))
                versions.add(index.version)
                questions += 1
            except Exception as e:  # told to the one who counts
                failures.append(f"{type(e).__name__}: {e}")
            time.sleep(0.02)
    found: dict[str, Any] = {
        "seen": sorted(seen),
        "versions": len(versions),
        "failures": failures[:20],
        "questions": questions,
    }
    note.write_text(json.dumps(found), encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=30)
    options.add_argument("--files", type=int, default=12)
    options.add_argument("--readers", type=int, default=2)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = run(
            Path(folder), rounds=given.rounds, files=given.files, readers=given.readers, seed=given.seed
        )
    print(
        f"{result.rounds} rounds in {result.seconds} s: {result.kills} builds killed ({result.left} left a rest), "
        f"{result.questions} questions by {given.readers} readers over up to {result.versions_seen} versions; "
        f"torn or unknown sets {len(result.torn)}, readers' errors {len(result.failures)}, "
        f"next build not complete {len(result.incomplete)}"
    )
    for line in [*result.failures[:5], *map(str, result.torn[:3])]:
        print("  " + line)
    raise SystemExit(bool(result.torn or result.failures or result.incomplete))


if __name__ == "__main__":
    main()
