"""The commands on good and bad input: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.assay.installation import ROOT, Installation, install


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An installation whose servers are not needed: bad input must be refused before anything starts."""
    return install(tmp_path_factory.mktemp("bare"))


def assert_one_line(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert done.returncode == code, (done.returncode, done.stderr)
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in lines[0]


def quiet_configs(here: Installation) -> Path:
    """The same configuration without the demo company to start."""
    folder = here.root / "quiet" / "configs"
    if not folder.exists():
        shutil.copytree(here.configs, folder)
        settings = folder / "assay.yaml"
        settings.write_text(settings.read_text().replace("demo: true", "demo: false"))
    return folder


def test_help_costs_under_a_third_of_a_cpu_second() -> None:
    before = os.times()
    subprocess.run([sys.executable, "-m", "assay", "--help"], cwd=ROOT, check=True, capture_output=True)
    after = os.times()
    spent = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    assert spent < 0.3


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("ask",),
        ("plan",),
        ("check",),
        ("setup",),
        ("index",),
        ("index", "build"),
        ("index", "search"),
        ("index", "status"),
        ("index", "rollback"),
        ("runs",),
        ("runs", "list"),
        ("runs", "show"),
        ("runs", "accept"),
        ("planner",),
        ("planner", "train"),
        ("planner", "eval"),
        ("planner", "verify"),
        ("planner", "export"),
        ("demo",),
        ("demo", "up"),
        ("demo", "down"),
        ("demo", "status"),
        ("demo", "run"),
    ],
)
def test_every_command_has_help_and_stands_in_the_readme(
    command: tuple[str, ...], bare: Installation
) -> None:
    done = bare.run(*command, "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout
    assert f"assay {' '.join(command)}".strip() in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_is_refused(bare: Installation, question: str) -> None:
    assert_one_line(bare.run("ask", question), 2, "empty")


@pytest.mark.parametrize("question", ["。。。", "?!", "—"])
def test_a_question_without_a_word_is_refused(bare: Installation, question: str) -> None:
    assert_one_line(bare.run("ask", question), 2, "no word")
    assert_one_line(bare.run("plan", question), 2, "no word")


def test_bytes_that_are_no_text_are_refused(bare: Installation) -> None:
    assert_one_line(bare.run("plan", "\udcff"), 2, "argument 2", "UTF-8")
    assert_one_line(bare.run("runs", "show", "\udcff"), 2, "argument 3", "UTF-8")


@pytest.mark.parametrize("source", ["nosuch", "tickets"])
def test_an_approval_that_could_never_count_is_refused(installation: Installation, source: str) -> None:
    assert_one_line(installation.run("ask", "退货政策是什么", "--approve", source), 2, source, "refunds")


def test_a_plan_goes_to_standard_output(bare: Installation) -> None:
    done = bare.run("plan", "退货政策是什么")
    assert (done.returncode, done.stderr) == (0, "")
    assert "handbook" in done.stdout


def test_a_terminal_without_chinese_does_not_end_a_run(bare: Installation) -> None:
    bare.env["PYTHONIOENCODING"] = "ascii"
    try:
        done = bare.run("plan", "退货政策是什么", "--json")
    finally:
        del bare.env["PYTHONIOENCODING"]
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["plan"]["question"] == "退货政策是什么"


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_full_disk_and_a_reader_that_left_are_no_bugs(bare: Installation, options: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "assay", "plan", "退货政策是什么", *options]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=bare.root, env=bare.env, text=True, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert_one_line(done, 2, "No space left")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command, cwd=bare.root, env=bare.env, text=True, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_ctrl_c_is_one_line(bare: Installation, options: tuple[str, ...]) -> None:
    # Ctrl-C while a command waits for its standard input
    command = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import assay.__main__"
    with subprocess.Popen(
        [sys.executable, "-c", command, "ask", "--plan", "-", *options], cwd=bare.root, text=True, bufsize=0,
        env={**bare.env, "ASSAY_CONFIGS": str(quiet_configs(bare))}, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "assay: interrupted\n")
    if options:
        assert json.loads(out)["error"] == "interrupted"


def test_a_file_in_the_place_of_the_home_folder(tmp_path: Path) -> None:
    here = install(tmp_path / "blocked")
    here.home.rename(tmp_path / "moved") if here.home.exists() else None
    here.home.write_text("not a folder")
    for command in (("ask", "退货政策是什么"), ("plan", "退货政策是什么"), ("runs", "list"), ("index", "status"),
                    ("index", "build"), ("index", "search", "x"), ("check",), ("demo", "up")):  # fmt: skip
        assert_one_line(here.run(*command), 2, str(here.home))


def test_an_error_is_json_too_when_json_is_asked_for(bare: Installation) -> None:
    done = bare.run("ask", "", "--json")
    assert done.returncode == 2
    assert "empty" in json.loads(done.stdout)["error"]


def test_no_such_configuration_folder(bare: Installation) -> None:
    assert_one_line(bare.run("ask", "退货政策是什么", "--configs", "nowhere"), 2, "nowhere", "--configs")


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("assay.yaml", "tolerance: 0.05", "tolerance: plenty", ("assay.yaml:", "tolerance")),
        ("assay.yaml", "planner: rules", "planer: rules", ("assay.yaml:", "planer")),
        ("assay.yaml", "limits:", "limits: [", ("assay.yaml:",)),
        ("sources/tickets.yaml", "trust:", "trusted:", ("tickets.yaml:", "trust")),
        ("sources/tickets.yaml", "kind: ticket_api", "kind: [ticket_api", ("tickets.yaml:",)),
    ],
)
def test_a_broken_configuration_names_file_line_and_key(
    tmp_path: Path, file: str, old: str, new: str, words: tuple[str, ...]
) -> None:
    here = install(tmp_path / "broken")
    path = here.configs / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert_one_line(here.run("plan", "退货政策是什么"), 2, *words)


def plan_text(**changes: object) -> str:
    goal = {
        "id": "g1",
        "description": "订单",
        "data_source": "warehouse",
        "params": {"dataset": "orders", "filters": {"order_id": "88231"}},
        "expected_format": "csv",
        "validation": "rows >= 1",
        **changes,
    }
    return json.dumps(
        {"question": "订单88231到了没", "route": "single", "sub_goals": [goal]}, ensure_ascii=False
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"data_source": "wharehouse"}, ("g1", "data_source", "wharehouse")),
        ({"params": {"dataset": "orders", "filters": {"colour": "red"}}}, ("g1", "colour")),
        ({"params": {"dataset": "ordres"}}, ("g1", "ordres")),
        ({"validation": "(" * 5000}, ("g1", "validation")),
        ({"validation": "x" * 10_000}, ("g1", "validation", "2,000")),
        ({"validation": "__import__('os').system('true')"}, ("g1", "validation")),
        ({"validation": "please make sure that it is right"}, ("g1", "validation")),
        ({"depends_on": ["g9"]}, ("g1", "g9")),
    ],
)
def test_a_bad_plan_never_runs_and_says_where(
    bare: Installation, changes: dict[str, object], words: tuple[str, ...]
) -> None:
    path = bare.root / "plan.json"
    path.write_text(plan_text(**changes), encoding="utf-8")
    assert_one_line(bare.run("ask", "--plan", str(path)), 2, *words)


def test_a_plan_file_that_is_missing_or_binary(bare: Installation) -> None:
    assert_one_line(bare.run("ask", "--plan", "nowhere.json"), 2, "nowhere.json")
    (bare.root / "binary.json").write_bytes(b"\xff\xfe\x00\x81")
    assert_one_line(bare.run("ask", "--plan", "binary.json"), 2, "binary.json")


def test_what_assay_plan_prints_can_be_asked(installation: Installation) -> None:
    printed = installation.run("plan", "订单88231到了没", "--json")
    done = installation.run("ask", "--plan", "-", "--json", stdin=printed.stdout)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["plan"] == json.loads(printed.stdout)["plan"]
    none = json.dumps({"plan": None, "reason": "nothing fits"})
    assert_one_line(installation.run("ask", "--plan", "-", stdin=none), 2, "no plan", "nothing fits")


def test_outside_code_that_fails_does_not_stop_the_check_of_the_others(
    own_installation: Installation, tmp_path: Path
) -> None:
    (tmp_path / "outside.py").write_text(
        "class Failing:\n"
        "    def __init__(self, spec, resources): ...\n"
        "    def probe(self): raise LookupError('no luck')\n"
        "    def query(self, query): ...\n"
        "    def validate(self, raw): ...\n"
        "    def normalise(self, raw): ...\n"
        "    def ping(self, timeout_s): ...\n"
        "    def close(self): ...\n"
    )
    own_installation.env["PYTHONPATH"] += f"{os.pathsep}{tmp_path}"
    (own_installation.configs / "sources" / "outside.yaml").write_text(
        "kind: outside:Failing\ntrust: 1\ndatasets: [{name: d, fields: [{name: f, type: text}]}]\n"
    )
    done = own_installation.run("check", "outside", "warehouse", "--json")
    assert done.returncode == 3, done.stderr
    found = {r["source"]: r for r in json.loads(done.stdout)}
    assert found["warehouse"]["ok"]
    assert not found["outside"]["ok"]
    assert "LookupError: no luck" in found["outside"]["message"]


def test_a_day_that_is_none(bare: Installation) -> None:
    assert_one_line(bare.run("plan", "退货政策是什么", "--today", "yesterday"), 2, "--today", "2024-07-15")


def test_an_unknown_planner(bare: Installation) -> None:
    assert_one_line(bare.run("plan", "退货政策是什么", "--planner", "magic"), 2, "magic", "rules")


def test_an_unknown_source_and_an_unknown_run(installation: Installation) -> None:
    assert_one_line(installation.run("check", "nosuch"), 2, "nosuch", "warehouse")
    assert_one_line(installation.run("runs", "show", "nosuch"), 2, "nosuch")


def test_an_encrypted_pdf_is_named_and_the_rest_is_indexed(
    installation: Installation, tmp_path: Path
) -> None:
    from pypdf import PdfReader, PdfWriter

    source = next((installation.home / "demo" / "docs").glob("*.pdf"))
    writer = PdfWriter(clone_from=PdfReader(source))
    writer.encrypt("secret")
    folder = tmp_path / "docs"
    folder.mkdir()
    writer.write(folder / "locked.pdf")
    (folder / "open.pdf").write_bytes(source.read_bytes())
    here = install(tmp_path / "here")
    done = here.run("index", "build", str(folder), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if "locked.pdf" in line]
    assert [Path(f["path"]).name for f in report["failed"]] == ["locked.pdf"]
    assert (
        "encrypted" in report["failed"][0]["reason"].lower()
        or "password" in report["failed"][0]["reason"].lower()
    )
    assert report["chunks"] > 0


def test_no_text_steers_the_terminal() -> None:
    from assay.progress import printable

    assert printable("a\x1b[31mb\x9bc\rd\n\te") == "a\ufffd[31mb\ufffdc\ufffdd\n\te"
