"""The split of authored worlds: the last catalogue of every author is held out."""

from __future__ import annotations

from pathlib import Path

from planner.training.split import split

CATALOGUE = (
    "@ board bi_dashboard 0.8 Board\nsales Sales : month\n  month month Month\n  revenue money Revenue\n"
)
TRIPLES = "today 2026-03-18\n\nQ en revenue last month\nsales revenue | month=2026-02\n"


def write(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True)
    for name in names:
        (folder / f"{name}.cat").write_text(CATALOGUE, encoding="utf-8")
        (folder / f"{name}.txt").write_text(TRIPLES, encoding="utf-8")


def test_last_of_every_author_is_held_out(tmp_path: Path) -> None:
    write(tmp_path / "ann", "mill", "bakery", "zoo")
    write(tmp_path / "bob", "hotel", "airport")
    train, held = split(tmp_path)
    assert [w.name for w in train] == ["bakery", "mill", "airport"]
    assert [w.name for w in held] == ["zoo", "hotel"]
    assert held[0].triples[0].question == "revenue last month"


def test_catalogue_without_questions_is_no_world(tmp_path: Path) -> None:
    write(tmp_path / "ann", "bakery", "mill")
    (tmp_path / "ann" / "zoo.cat").write_text(CATALOGUE, encoding="utf-8")
    train, held = split(tmp_path)
    assert [w.name for w in train] == ["bakery"]
    assert [w.name for w in held] == ["mill"]
