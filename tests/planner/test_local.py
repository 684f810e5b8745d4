"""The local model in this process: under a grammar, with the same text for the same seed, and plans that hold."""

from datetime import date
from pathlib import Path

import pytest

from planner.catalogue_text import read_catalogue
from planner.compact import expand, read_plan
from planner.errors import ModelsMissing, PlannerError
from planner.gemma_file import lay_out
from planner.generator import Generator
from planner.local import LocalPlanner
from planner.plan import Plan
from planner.unfinished import Failure, Unfinished

pytestmark = pytest.mark.slow
TODAY = date(2026, 3, 18)
CATALOGUE = read_catalogue("""
@ board sql 0.8 Harbour office
sailings Sailings by month : route,mth
  route text line {Alba|Brise}
  mth month month
  late_pct percent share late
  seats number seats sold
""")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def weights(models: Path) -> Path:
    return lay_out(models)


@pytest.fixture(scope="module")
def generator(weights: Path) -> Generator:
    return Generator(weights, None, threads=1, context=1024)


def test_the_model_is_joined_once_with_its_terms(models: Path, weights: Path) -> None:
    written = weights.stat().st_mtime_ns
    assert lay_out(models) == weights
    assert weights.stat().st_mtime_ns == written
    assert [p.name for p in sorted(weights.parent.iterdir())] == ["GEMMA_TERMS.html", weights.name]


def test_what_is_written_is_in_the_grammar_and_has_its_probabilities(generator: Generator) -> None:
    one = generator.write(
        "Capitals.\n", "\nThe capital of France is", 'root ::= " " ("Paris" | "Lima") "\\n"'
    )
    assert one.text == " Paris"
    assert one.finished
    assert one.logprobs
    assert one.logprob <= 0
    other = generator.score("Capitals.\n", "\nThe capital of France is", " Lima")
    assert other.text == " Lima"
    assert other.logprob < one.logprob


def test_samples_are_the_same_for_the_same_seed(generator: Generator) -> None:
    grammar = 'root ::= [a-z] [a-z]? [a-z]? [a-z]? "\\n"'
    ask = ("Words.\n", "\nA word: ", grammar)
    texts = [s.text for s in generator.sample(*ask, 5, seed=3)]
    assert len(texts) == 5
    assert len(set(texts)) > 1
    assert [s.text for s in generator.sample(*ask, 5, seed=3)] == texts


def test_it_goes_on_behind_what_counts_as_written(generator: Generator) -> None:
    round = " red, green, blue,"
    ask = ("Colours.\n", f"\nIn turn:{5 * round}", 'root ::= " " ("red" | "green" | "blue") "\\n"')
    assert generator.write(*ask).text == " red"
    assert generator.write(*ask, " red,").text == " green"
    assert generator.write(*ask, " red, green,").text == " blue"
    assert " green" in {s.text for s in generator.sample(*ask, 3, begun=" red,")}


def test_a_prompt_that_does_not_fit_is_refused(generator: Generator) -> None:
    with pytest.raises(PlannerError, match="exceed"):
        generator.write("word " * 3000, "\nQ: ", 'root ::= "a\\n"')


def test_missing_files_say_what_to_do(tmp_path: Path, weights: Path) -> None:
    with pytest.raises(ModelsMissing, match=r"lora\.gguf"):
        Generator(weights, tmp_path / "lora.gguf")
    (tmp_path / "bad.gguf").write_bytes(b"GGUF no more")
    with pytest.raises(ModelsMissing, match="cannot be loaded"):
        Generator(tmp_path / "bad.gguf", None)
    with pytest.raises(ModelsMissing, match=r"none\.gguf"):
        LocalPlanner(CATALOGUE, weights.parents[1], adapter=tmp_path / "none.gguf")


def test_the_base_model_alone_says_so_and_names_only_what_exists(models: Path) -> None:
    planner = LocalPlanner(CATALOGUE, models, adapter=None, threads=1)
    question = "seats sold on Alba last month"
    for candidate in planner.candidates(question, TODAY, 2):
        assert candidate.plan is not None or candidate.compact.missing
        assert candidate.logprob < 0
        assert candidate.tokens > 0
    proposal = planner.propose(question, TODAY)
    assert "without its adapter" in proposal.reason
    assert planner.propose("  ", TODAY).plan is None


def test_the_rest_of_a_run_is_written_behind_what_is_done(models: Path) -> None:
    question = "difference between seats sold on Alba and on Brise last month"
    lines = "sailings seats | route=Alba mth=2026-02\nsailings seats | route=Brise mth=2026-02"
    plan: Plan = expand(read_plan(lines), question, CATALOGUE)
    failed = Failure("g2", "old_cube", "sailings", "timeout", whole_source=True)
    left = Unfinished(plan, plan.sub_goals[:1], (failed,), frozenset({"g1", "g2"}))
    planner = LocalPlanner(CATALOGUE, models, unfinished=left, threads=1)
    found = planner.candidates(question, TODAY, 2)
    assert found
    for candidate in found:
        assert candidate.plan is not None or candidate.compact.missing
        if candidate.plan is not None:
            assert candidate.plan.sub_goals[0].params == plan.sub_goals[0].params
            assert len(candidate.plan.sub_goals) > 1
