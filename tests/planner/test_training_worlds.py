"""Random worlds: each plan holds on its catalogue, whatever the seed; none borrows from what planners are measured on."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue import Catalogue
from planner.catalogue_text import read_catalogue, show_catalogue
from planner.compact import DeriveLine, FetchLine, WriteLine, collapse, expand, read_plan, show_plan
from planner.compact.tags import read_times, tag
from planner.errors import PlanError
from planner.parse import check_plan
from planner.training.split import split
from planner.training.worlds import RandomWorld, check_triple, main, make_world, show_triples
from planner.training.worlds_shapes import SHAPES
from planner.training.worlds_words import TRADES, Listed, Measure, Term

SETS = Path(__file__).parents[1] / "data" / "planner"


@pytest.fixture(scope="module")
def several() -> list[RandomWorld]:
    """Two of each trade."""
    return [make_world(seed, 2 * len(SHAPES)) for seed in range(12)]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_every_plan_holds_and_is_the_same_when_written_back(seed: int) -> None:
    world = make_world(seed, len(SHAPES))
    catalogue = read_catalogue(world.text)
    for triple in world.triples:
        compact = read_plan(triple.plan)
        assert triple.question.strip() == triple.question
        assert "\x01" not in triple.question
        if compact.missing is None:
            plan = expand(compact, triple.question, catalogue)
            check_plan(plan, catalogue)
            back = collapse(plan, catalogue)
            assert read_plan(show_plan(back)) == back
            assert [type(line) for line in back.lines] == [type(line) for line in compact.lines]


def test_the_same_seed_gives_the_same_world() -> None:
    assert make_world(7) == make_world(7)
    assert make_world(7).triples != make_world(13).triples, "another seed of the same trade"


def test_a_plan_that_does_not_hold_is_a_fault() -> None:
    world = make_world(1, 1)
    (triple,) = world.triples
    import dataclasses

    for plan in ("no_such_dataset", triple.plan + "\n= sum 1.no_such_field", triple.plan + "\n= sum 3"):
        with pytest.raises(PlanError):
            check_triple(dataclasses.replace(triple, plan=plan), read_catalogue(world.text))


def test_both_languages_and_every_shape_are_there(several: list[RandomWorld]) -> None:
    languages, operations = Counter[str](), Counter[str]()
    conditions = references = missing = documents = several_values = 0
    for world in several:
        for triple in world.triples:
            languages[triple.language] += 1
            compact = read_plan(triple.plan)
            missing += compact.missing is not None
            for line in compact.lines:
                if isinstance(line, DeriveLine):
                    operations[line.operation] += 1
                elif isinstance(line, WriteLine):
                    conditions += line.when is not None
                    references += any(not isinstance(v, str) for v in line.values.values())
                elif isinstance(line, FetchLine):
                    several_values += any(isinstance(v, tuple) and len(v) > 2 for v in line.filters.values())
            documents += "#" in triple.plan
    assert abs(languages["zh"] - languages["en"]) <= len(several)
    assert set(operations) == {"sum", "growth", "ratio", "rank", "difference", "count", "join", "mean", "share", "correlate", "trend"}  # fmt: skip
    assert min(conditions, references, missing, documents, several_values) >= 12


def test_questions_are_said_in_many_ways(several: list[RandomWorld]) -> None:
    """No two alike, and few that begin alike: of a trade's questions with numbers and names taken out."""
    asked = [t.question for w in several for t in w.triples]
    assert len(set(asked)) == len(asked)
    begun = Counter(re.sub(r"[\d]+", "0", q)[:8] for q in asked)
    assert begun.most_common(1)[0][1] < len(asked) / 12


def test_its_times_are_those_that_the_tagger_reads(several: list[RandomWorld]) -> None:
    """The dates are reckoned here without the tagger; the two seldom differ."""
    told = agreed = 0
    for world in several:
        catalogue = read_catalogue(world.text)
        for triple in world.triples:
            if re.search(r"=\d{4}-\d\d", triple.plan):
                tagged = tag(triple.plan, read_times(triple.question, triple.today), triple.today, catalogue)
                told += 1
                agreed += not re.search(r"=\d{4}-\d\d", show_plan(tagged))
    assert told > 300
    assert agreed / told > 0.98


def test_a_folder_is_read_like_an_authors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["worlds", "--out", str(tmp_path), "--worlds", "3", "--seed", "2", "--questions", "9"])  # fmt: skip
    main()
    assert "3 worlds, 27 triples" in capsys.readouterr().out
    train, held = split(tmp_path)
    assert [len(w.triples) for w in (*train, *held)] == [9, 9, 9]
    own = make_world(200_000, 9)
    read = next(w for w in (*train, *held) if w.name == own.name)
    assert [t.question for t in read.triples] == [t.question for t in own.triples]
    assert show_catalogue(read.catalogue) == show_catalogue(read_catalogue(own.text))
    assert show_triples(own.triples).startswith("today ")


def test_nothing_of_the_test_sets_is_in_it() -> None:
    """No name of a dataset or field of theirs, no listed value, and no question of theirs word for word."""
    own = {w for trade in TRADES for term in _terms(trade) for w in (*term.codes, *term.zh, *term.en)}
    values = {w for trade in TRADES for listed in _listed(trade) for pair in listed.values for w in pair}
    names, held = set[str](), set[str]()
    folders = [p for p in SETS.glob("*/catalogues/*") if p.is_dir()]
    assert len(folders) >= 12
    for folder in folders:
        for source in Catalogue.load(folder).sources.values():
            names |= {d.name for d in source.datasets} | {f.name for d in source.datasets for f in d.fields}
            held |= {v for d in source.datasets for f in d.fields for v in f.values}
    assert not {c for c in own if "_" in c} & names
    assert not values & held
    asked = {json.loads(line)["question"] for f in SETS.glob("*/cases.jsonl") for line in f.read_text("utf-8").splitlines()}  # fmt: skip
    assert not asked & {t.question for seed in range(6) for t in make_world(seed).triples}


def _listed(trade: object) -> list[Listed]:
    found = [getattr(trade, n) for n in ("place", "sort")]
    record = trade.record  # type: ignore[attr-defined]
    return [*found, record.status, record.kind, record.traits]


def _terms(trade: object) -> list[Term]:
    measures: list[Measure] = [*trade.first, *trade.second]  # type: ignore[attr-defined]
    record = trade.record  # type: ignore[attr-defined]
    return [
        *(m.term for m in measures),
        *(x.term for x in _listed(trade)),
        record.noun,
        record.id,
        record.day,
        record.amount,
        record.owner,
    ]
