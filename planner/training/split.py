"""Which authored worlds are trained on and which are held out: of every author folder the last catalogue."""

from __future__ import annotations

from pathlib import Path

from planner.training.triples import World, read_worlds

__all__ = ["split"]


def split(folder: Path) -> tuple[list[World], list[World]]:
    """(trained on, held out). An author folder is one that holds `NAME.cat` beside `NAME.txt`, at any depth.

    The last name of each is held out, so a folder is to be read when its author is done. Raises PlanError."""
    train: list[World] = []
    held: list[World] = []
    authors = sorted({path.parent for path in folder.rglob("*.cat") if path.with_suffix(".txt").is_file()})
    for author in authors:
        own = {path.stem for path in author.glob("*.cat") if path.with_suffix(".txt").is_file()}
        last = max(own)
        for world in read_worlds(author):
            if world.name in own:
                (held if world.name == last else train).append(world)
    return train, held
