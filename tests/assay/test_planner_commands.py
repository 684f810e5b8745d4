"""`assay runs accept` and `assay planner`: what is kept to learn from, and how it is verified, laid out and scored."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assay.accepted import accept
from assay.cli import app
from assay.errors import UsageError
from assay.training import export_site, export_weights
from assay.training_data import prepare
from executor.state import ExecutionState
from executor.store import RunStore
from planner.catalogue import Catalogue
from planner.catalogue_text import read_catalogue, show_catalogue
from planner.compact import expand, read_plan
from planner.errors import PlannerError
from planner.site_weights import adapter_file, judge_file, site_folder
from planner.training.split import split
from planner.training.triples import read_triples
from tests.assay.installation import ROOT, install

TODAY = dt.date(2025, 6, 18)
KILNS = """@ kiln_board bi_dashboard 0.8 kilns
firing figures of each kiln : kiln,month
  kiln text 窑 {K1|K2|K3}
  month month 月份
  breakage percent 破损率
"""
TRIPLES = """today 2025-06-18

Q en breakage of K1 in May 2025
firing breakage | kiln=K1 month=2025-05

Q zh K2在2025年4月的破损率
firing breakage | kiln=K2 month=2025-04

Q en what is the weather
? no dataset speaks of the weather
"""
CANNOT_RUN = "\nQ en growth of K1's breakage\nfiring breakage | kiln=K1 month=2025-05\n= growth 1.breakage\n"
UNKNOWN = "\nQ en what of the glaze\nglaze colour | kiln=K1\n"


REFUND = "orders | order_id=88231\n!apply_refund order_id=88231 if 1.status=已签收"


def write(folder: Path, name: str, triples: str = TRIPLES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.cat").write_text(KILNS, encoding="utf-8")
    (folder / f"{name}.txt").write_text(triples, encoding="utf-8")


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["planner", *arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue.load(ROOT / "configs" / "sources")


def record(catalogue: Catalogue, question: str, compact: str, **changes: Any) -> dict[str, Any]:
    """A run as the store shows it."""
    kept = expand(read_plan(compact), question, catalogue).model_dump(mode="json")
    known = {"run_id": "r1", "question": question, "status": "answered", "today": TODAY.isoformat()}
    return {**known, "plan": kept, "roles": [], **changes}


def test_an_accepted_run_is_a_triple_on_the_catalogue(catalogue: Catalogue, tmp_path: Path) -> None:
    kept = accept(record(catalogue, "订单88231到了没，\n到了就退掉", REFUND), catalogue, tmp_path)
    assert kept.kept == "added"
    (triple,) = read_triples(kept.file.read_text(encoding="utf-8"))
    assert (triple.question, triple.language, triple.today) == ("订单88231到了没， 到了就退掉", "zh", TODAY)
    assert triple.plan == REFUND
    text = kept.file.with_suffix(".cat").read_text(encoding="utf-8")
    assert text == show_catalogue(catalogue)
    expand(read_plan(triple.plan), triple.question, read_catalogue(text))


def test_the_same_run_is_kept_once_and_a_better_plan_takes_its_place(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    first = record(catalogue, "sales early in 2024", "sales | quarter=2024-Q1")
    other = record(catalogue, "sales early in 2024", "sales | quarter=2024-Q1,2024-Q2")
    assert [accept(r, catalogue, tmp_path).kept for r in (first, first, other, other)] == [
        "added", "known", "replaced", "known",
    ]  # fmt: skip
    accept(record(catalogue, "order 90417", "orders | order_id=90417"), catalogue, tmp_path)
    (file,) = tmp_path.glob("*.txt")
    assert [t.plan for t in read_triples(file.read_text(encoding="utf-8"))] == [
        "sales | quarter=2024-Q1,2024-Q2", "orders | order_id=90417",
    ]  # fmt: skip
    narrower = Catalogue(sources={"warehouse": catalogue.sources["warehouse"]})
    accept(first, narrower, tmp_path)
    assert len(list(tmp_path.glob("*.cat"))) == 2


def changed(run_of: dict[str, Any], **of_first_step: Any) -> dict[str, Any]:
    first, *others = run_of["plan"]["sub_goals"]
    return {**run_of, "plan": {**run_of["plan"], "sub_goals": [{**first, **of_first_step}, *others]}}


def test_what_cannot_be_learnt_from_is_refused(catalogue: Catalogue, tmp_path: Path) -> None:
    good = record(catalogue, "orders 88231", "orders status | order_id=88231")
    grows = record(catalogue, "q", "sales | quarter=2024-Q1 product_line=清洁电器\n= growth 1.revenue")
    refused = [
        ({**good, "plan": None}, "no plan"),
        ({**good, "status": "partial"}, "partial, not answered; --force"),
        (changed(good, validation="rows >= 0"), "the validation of g1 comes back changed"),
        (changed(good, required=False), "the required of g1 comes back changed"),
        (changed(good, params={"dataset": "nosuch"}), "nosuch"),
        (grows, "does not run on a made-up world: g2"),
    ]
    for one, words in refused:
        with pytest.raises(UsageError, match=words):
            accept(one, catalogue, tmp_path)
    assert not list(tmp_path.glob("*.txt"))
    assert accept({**good, "status": "partial"}, catalogue, tmp_path, force=True).kept == "added"


def test_ids_of_a_persons_plan_may_be_their_own(catalogue: Catalogue, tmp_path: Path) -> None:
    text = json.dumps(record(catalogue, "订单88231到了没，到了就退掉", REFUND))
    own = json.loads(text.replace('"g1"', '"order"').replace("g1.", "order.").replace('"g2"', '"refund"'))
    assert own["plan"]["sub_goals"][1]["when"].startswith("order.")
    assert "if 1.status=已签收" in accept(own, catalogue, tmp_path).triple.plan


def test_a_run_is_accepted_by_its_id(catalogue: Catalogue, tmp_path: Path) -> None:
    here = install(tmp_path / "here")
    plan = expand(read_plan(REFUND), "order 88231", catalogue)
    store = RunStore(here.home / "runs.db")
    store.begin(
        ExecutionState.of("abc123", plan, TODAY.isoformat(), frozenset()), "order 88231", {"name": "person"}
    )
    store.finish("abc123", "answered", {}, 1.0)
    store.close()
    done = here.run("runs", "accept", "abc", "--json")
    assert done.returncode == 0, done.stderr
    kept = json.loads(done.stdout)
    assert (kept["run_id"], kept["kept"], kept["plan"]) == ("abc123", "added", REFUND.splitlines())
    assert Path(kept["file"]).parent == here.home / "accepted"
    done = here.run("runs", "accept", "nosuch")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "nosuch" in done.stderr


def test_verify_names_every_fault(tmp_path: Path) -> None:
    write(tmp_path / "ann", "bakery", TRIPLES + CANNOT_RUN + UNKNOWN)
    write(tmp_path / "ann", "mill")
    code, said = run("verify", str(tmp_path), "--json")
    found = json.loads(said)
    assert code == 3
    assert (found["catalogues"], found["triples"], found["rehearsed"]) == (2, 8, 5)
    cannot, unknown = found["faults"]
    assert "bakery.txt:12: g2 failed" in cannot
    assert "bakery.txt:16: " in unknown
    assert "glaze" in unknown
    code, said = run("verify", str(tmp_path), "--no-rehearse")
    assert (code, len(said.splitlines())) == (3, 2)
    assert run("verify", str(tmp_path / "ann"), "--every", "99")[0] == 3
    (tmp_path / "ann" / "bakery.txt").write_text(TRIPLES, encoding="utf-8")
    assert run("verify", str(tmp_path))[0] == 0
    (tmp_path / "ann" / "mill.cat").write_text("  lost field\n", encoding="utf-8")
    assert "mill.cat: line 1" in run("verify", str(tmp_path))[1]
    with pytest.raises(UsageError, match="no such"):
        run("verify", str(tmp_path / "nosuch"))


def test_training_data_leaves_the_unsound_out_and_verifies_once(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    write(data / "ann", "bakery", TRIPLES + CANNOT_RUN + UNKNOWN)
    write(data / "ann", "mill")
    write(data / "bob", "zoo", UNKNOWN.replace("\nQ", "today 2025-06-18\nQ", 1))
    first = prepare([data], None, out, rehearse=True, tell=str)
    assert (first.catalogues, first.triples, len(first.left_out)) == (2, 6, 3)
    train, held = split(out)
    assert [(w.name, len(w.triples)) for w in [*train, *held]] == [("bakery", 3), ("mill", 3)]
    stamp = (out / "ann" / "mill.txt").stat().st_mtime_ns
    write(data / "ann", "mill", TRIPLES + UNKNOWN)
    (data / "ann" / "bakery.cat").unlink()
    second = prepare([data], None, out, rehearse=True, tell=str)
    assert (second.catalogues, second.triples, len(second.left_out)) == (1, 3, 2)
    assert not (out / "ann" / "bakery.cat").exists()
    again = prepare([data], None, out, rehearse=True, tell=str)
    assert again == second
    assert (out / "ann" / "mill.txt").stat().st_mtime_ns > stamp


def test_a_sites_own_runs_are_trained_on_and_some_held_out(catalogue: Catalogue, tmp_path: Path) -> None:
    accepted, out = tmp_path / "accepted", tmp_path / "out"
    write(tmp_path / "data" / "ann", "mill")
    numbers = [f"{n}" for n in range(70001, 70008)]
    with pytest.raises(UsageError, match="runs accept"):
        prepare([tmp_path / "data"], accepted, out, rehearse=True, tell=str)
    for n in numbers:
        accept(record(catalogue, f"order {n}", f"orders status | order_id={n}"), catalogue, accepted)
    found = prepare([tmp_path / "data"], accepted, out, rehearse=True, tell=str)
    assert [f.name for f in found.folders] == ["ann", next(accepted.glob("*.cat")).stem]
    assert found.own == found.folders[1:]
    train, held = split(found.own[0])
    assert [len(w.triples) for w in (*train, *held)] == [6, 1]
    assert held[0].triples[0].question == "order 70006"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("train", "--part", "all of it"), "generator, encoder"),
        (("train", "--data", "nowhere"), "nowhere"),
        (("eval", "cases.jsonl"), "CATALOGUES"),
        (("eval", "--planner", "magic"), "magic"),
        (("export", "--out", "x.bin"), "NAME.gguf"),
        (("export", "--out", "x.gguf", "--from", "nowhere"), "planner train"),
        (("export", "--site", "--from", "nowhere"), "planner train"),
        (("export", "--site", "--out", "x.gguf"), "--out FILE, or --site"),
        (("export",), "--out FILE, or --site"),
    ],
)
def test_calls_that_cannot_be_done(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        run(*arguments)


def test_planners_are_scored_on_triples_and_on_cases(tmp_path: Path) -> None:
    write(tmp_path / "data" / "ann", "bakery", TRIPLES)
    code, said = run("eval", "--data", str(tmp_path / "data"), "--planner", "rules", "--json")
    found = {s["language"]: s for s in json.loads(said)["scores"]}
    assert code == 0
    assert (found["all"]["cases"], found["all"]["format"]) == (3, 1.0)
    assert found["zh"]["exact"] == 1.0
    assert found["all"]["above"] is None, "the rules' confidence is not calibrated"

    (tmp_path / "kilns").mkdir()
    (tmp_path / "kilns" / "board.yaml").write_text(
        "kind: bi_dashboard\ntrust: 0.8\ndatasets:\n  - name: firing\n    grain: [month]\n    fields:\n"
        "      - {name: month, type: month}\n      - {name: breakage, type: percent, synonyms: [破损率]}\n"
    )
    case = {
        "id": "1", "catalogue": "kilns", "question": "2025年5月的破损率", "lang": "zh", "today": "2025-06-18", "route": "single",
        "needs": [{"source": "board", "dataset": "firing", "filters": {"month": "2025-05"}, "columns": ["breakage"]}], "derive": [],
    }  # fmt: skip
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(case) + "\n", encoding="utf-8")
    _, said = run("eval", str(cases), str(tmp_path), "--planner", "rules", "--json")
    (score,) = json.loads(said)["scores"]
    assert (score["cases"], score["exact"], score["needs"]) == (1, 1.0, 1.0)
    _, table = run("eval", str(cases), str(tmp_path), "--planner", "rules")
    assert "1.000" in table
    cases.write_text('{"catalogue": "kilns", "today": "2025-06-18"}\n', encoding="utf-8")
    with pytest.raises(PlannerError, match=r"cases\.jsonl:1: .*question"):
        run("eval", str(cases), str(tmp_path))


def test_a_checkpoint_becomes_an_adapter_that_training_can_begin_with(tmp_path: Path) -> None:
    import torch

    from planner.training.adapter_file import read_adapter
    from planner.training.gemma import ADAPTED, LAYERS, RANK

    drawn = torch.Generator().manual_seed(1)
    adapter = {}
    for layer in range(LAYERS):
        for group, members in ADAPTED.items():
            adapter[f"blk.{layer}.{group}.down"] = torch.randn(RANK * len(members), 8, generator=drawn)
            adapter[f"blk.{layer}.{group}.up"] = torch.randn(
                sum(size for _, size in members), RANK, generator=drawn
            )
    (tmp_path / "generator").mkdir()
    torch.save({"adapter": adapter}, tmp_path / "generator" / "checkpoint.pt")
    file = tmp_path / "planner-lora.gguf"
    assert export_weights(tmp_path, file) == file.stat().st_size
    back = read_adapter(file)
    assert back.keys() == adapter.keys()
    assert all(torch.equal(back[name], value.half().float()) for name, value in adapter.items())
    with pytest.raises(PlannerError, match="no adapter"):
        read_adapter(tmp_path / "generator" / "checkpoint.pt")
    models = tmp_path / "models"
    assert list(export_site(tmp_path, models)) == [adapter_file(models)]
    assert adapter_file(models).read_bytes() == file.read_bytes()
    (tmp_path / "judge").mkdir()
    shutil.copy(judge_file(models), tmp_path / "judge" / "judge.json")
    assert set(export_site(tmp_path, models)) == {adapter_file(models), judge_file(models)}
    assert judge_file(models).parent == site_folder(models)
    (tmp_path / "judge" / "judge.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"judge\.json"):
        export_site(tmp_path, models)
    (tmp_path / "generator" / "checkpoint.pt").write_bytes(b"not a checkpoint")
    with pytest.raises(UsageError, match="no checkpoint"):
        export_weights(tmp_path, file)
