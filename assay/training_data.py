"""Triples laid out for training: verified first, the unsound left out; a site's own accepted runs beside the authored."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import assay
import planner.training
from assay.errors import UsageError
from assay.triple_checks import CheckedWorld, check_worlds
from assay.triple_files import show_triples, write_text
from planner.training.triples import Triple

__all__ = ["AUTHORED", "Prepared", "authors", "prepare"]

AUTHORED = Path(planner.training.__file__).parent / "data"  # the triples that come with Assay
HELD = 6  # of a site's triples every so many-th is not trained on
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """`folders` are author folders as `planner.training.split` reads them, `own` those of the site's own runs among them;
    `left_out` a line for each triple or catalogue."""

    folders: tuple[Path, ...]
    own: tuple[Path, ...]
    catalogues: int
    triples: int
    left_out: tuple[str, ...]


def authors(folder: Path) -> list[Path]:
    """The folders that hold `NAME.cat` beside `NAME.txt`, at any depth. Raises UsageError where there is none."""
    found = sorted({p.parent for p in folder.rglob("*.cat") if p.with_suffix(".txt").is_file()})
    if not found:
        raise UsageError(f"{folder}: no NAME.cat beside a NAME.txt in it")
    return found


def prepare(
    folders: Sequence[Path], accepted: Path | None, out: Path, *, rehearse: bool, tell: Tell
) -> Prepared:
    """Writes what is sound under `out`, one folder an author, and removes any other; what was verified there before,
    and is the same, stays.

    `accepted` holds a site's own triples (`assay.accepted`). Without `folders` the authored triples are taken. Raises UsageError."""
    chosen = [a for f in folders or [AUTHORED] for a in authors(f)]
    taken: dict[str, Path] = {}
    for author in chosen:
        if taken.setdefault(author.name, author).resolve() != author.resolve():
            raise UsageError(f"{author} and {taken[author.name]}: two folders of one name")
    laid_out: list[Path] = []
    sites: list[Path] = []
    left_out: list[str] = []
    counts = [0, 0]
    for name, author in taken.items():
        tell(f"verifying {author}")
        into = out / name
        laid_out.append(into)
        for path in sorted(author.glob("*.cat")):
            if path.with_suffix(".txt").is_file():
                count, faults = _verified(path, into, rehearse)
                counts = [counts[0] + bool(count), counts[1] + count]
                left_out += faults
        _remove_others(into, {p.stem for p in author.glob("*.cat")})
    for path in sorted(accepted.glob("*.cat")) if accepted is not None else ():
        (world,) = check_worlds([path], every=1 if rehearse else 0)
        left_out += world.faults
        own = [c.triple for c in world.triples if not c.fault]
        if len(own) < 2:
            left_out.append(f"{path}: {len(own)} sound triple(s); two are needed, one of them to measure on")
            continue
        sites.append(_site(world, own, out))
        counts = [counts[0] + 1, counts[1] + len(own)]
    if accepted is not None and not sites:
        raise UsageError(
            f"{accepted}: no catalogue with two accepted runs; keep some with `assay runs accept RUN`"
        )
    for stale in out.iterdir():
        if stale.is_dir() and stale not in [*laid_out, *sites]:
            shutil.rmtree(stale)
    return Prepared((*laid_out, *sites), tuple(sites), counts[0], counts[1], tuple(left_out))


def _verified(path: Path, into: Path, rehearse: bool) -> tuple[int, list[str]]:
    """How many triples are sound, and the faults of the others."""
    read = [
        path.read_bytes(),
        path.with_suffix(".txt").read_bytes(),
        f"{assay.__version__} {rehearse}".encode(),
    ]
    key = hashlib.sha256(b"\0".join(read)).hexdigest()
    note, target = into / f"{path.stem}.json", into / path.name
    if note.is_file() and (known := json.loads(note.read_text(encoding="utf-8")))["key"] == key:
        return int(known["triples"]), list(known["left_out"])
    (world,) = check_worlds([path], every=1 if rehearse else 0)
    sound = [c.triple for c in world.triples if not c.fault]
    faults = list(world.faults)
    if sound:
        write_text(target, world.catalogue_text)
        write_text(target.with_suffix(".txt"), show_triples(sound))
    else:
        target.unlink(missing_ok=True)
    write_text(note, json.dumps({"key": key, "triples": len(sound), "left_out": faults}, ensure_ascii=False))
    return len(sound), faults


def _site(world: CheckedWorld, own: Sequence[Triple], out: Path) -> Path:
    """A site's triples on one catalogue, as two worlds: the last by name is the one that training leaves alone."""
    into = out / world.path.stem
    held = own[HELD - 1 :: HELD] or own[-1:]
    asked = [t for t in own if t not in held]
    for name, triples in (("asked", asked), ("held", held)):
        write_text(into / f"{name}.cat", world.catalogue_text)
        write_text(into / f"{name}.txt", show_triples(triples))
    return into


def _remove_others(folder: Path, names: Iterable[str]) -> None:
    kept = set(names)
    for path in folder.glob("*.*"):
        if path.suffix in (".cat", ".txt", ".json") and path.stem not in kept:
            path.unlink()
