"""Below the threshold a person chooses: candidates and exit code 4 for a script, a question on a terminal."""

from __future__ import annotations

import datetime as dt
import errno
import io
import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from assay.choosing import pick
from assay.errors import UsageError
from executor.store import RunStore
from planner.catalogue import Catalogue
from planner.proposal import Proposal
from planner.rules import RulePlanner
from tests.assay.installation import ROOT, Installation
from tests.assay.unsure import ASKED, OTHER, QUESTION, unsure_planner


def configured(installation: Installation, name: str, threshold: float) -> str:
    """A configuration of the installation with a threshold of its own, whose demo company is up already."""
    folder = installation.root / name
    shutil.copytree(installation.configs, folder)
    text = (folder / "assay.yaml").read_text(encoding="utf-8").replace("demo: true", "demo: false")
    (folder / "assay.yaml").write_text(f"{text}planning: {{threshold: {threshold}}}\n", encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def careful(installation: Installation) -> str:
    """Its threshold is above what the planner is sure of."""
    return configured(installation, "careful", 0.9)


def runs(installation: Installation) -> list[dict[str, Any]]:
    """The records of all runs, the newest first."""
    store = RunStore(installation.home / "runs.db")
    try:
        return [store.show(row.run_id) for row in store.list(50)]
    finally:
        store.close()


def orders(plan: dict[str, Any]) -> list[str]:
    return [g["params"]["filters"]["order_id"] for g in plan["sub_goals"]]


def test_a_script_gets_candidates_and_can_give_one_back(
    installation: Installation, careful: str, tmp_path: Path
) -> None:
    before = runs(installation)
    with unsure_planner():
        found = installation.ask(QUESTION, "--configs", careful)
    assert (found["exit_code"], found["status"]) == (4, "unsure")
    assert (found["confidence"], found["threshold"]) == (0.6, 0.9)
    assert [orders(c["plan"]) for c in found["candidates"]] == [[ASKED], [OTHER]]
    assert [c["confidence"] for c in found["candidates"]] == [0.6, 0.2]
    assert found["candidates"][1]["unused"] == ["到了没"]
    assert "warehouse" in found["candidates"][0]["fetches"][0]
    assert runs(installation) == before, "nothing has run yet"

    chosen = tmp_path / "chosen.json"
    chosen.write_text(json.dumps(found["candidates"][1]["plan"]), encoding="utf-8")
    answer = installation.ask("", "--plan", str(chosen), "--configs", careful)
    assert answer["exit_code"] == 0
    assert answer["plan"] == found["candidates"][1]["plan"]
    assert answer["planner"]["name"] == "person"


@pytest.mark.parametrize("how", ["above the threshold", "--best"])
def test_a_sure_planner_and_best_do_not_ask(installation: Installation, careful: str, how: str) -> None:
    options = ("--best",) if how == "--best" else ()
    configs = careful if how == "--best" else configured(installation, "bold", 0.6)
    with unsure_planner():
        answer = installation.ask(QUESTION, *options, "--configs", configs)
    assert answer["exit_code"] == 0
    assert orders(answer["plan"]) == [ASKED]
    assert answer["planner"]["name"] != "person"


def at_terminal(installation: Installation, careful: str, typed: str, **env: str) -> tuple[int, str]:
    """Exit code and screen of `assay ask` on a pseudo-terminal where `typed` is entered at the prompt."""
    terminal, inside = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.assay.unsure", "ask", QUESTION, "--configs", careful],
        cwd=installation.root, env={**installation.env, **env}, stdin=inside, stdout=inside, stderr=inside, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(inside)
        screen, answered = b"", False
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError as error:  # Linux says so that the other end is closed
                if error.errno != errno.EIO:
                    raise
                break
            if not piece:
                break
            screen += piece
            if not answered and b"q for none" in screen:
                os.write(terminal, typed.encode() + b"\n")
                answered = True
        os.close(terminal)
        return process.wait(timeout=60), screen.decode()


def test_a_person_picks(installation: Installation, careful: str) -> None:
    code, screen = at_terminal(installation, careful, "2")
    assert code == 0, screen
    assert "I am not sure of the plan (60%)" in screen
    assert "words not used: 到了没" in screen
    run = runs(installation)[0]
    assert orders(run["plan"]) == [OTHER]
    assert run["question"] == QUESTION
    assert run["planner"]["name"] == "person"
    assert "chosen by a person among 2" in run["planner"]["reason"]
    assert "0.20" in run["planner"]["reason"]


def test_a_person_edits(installation: Installation, careful: str, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\nsed -i s/{ASKED}/{OTHER}/ "$1"\n')
    editor.chmod(0o755)
    code, screen = at_terminal(installation, careful, "e1", EDITOR=str(editor), VISUAL="")
    assert code == 0, screen
    run = runs(installation)[0]
    assert orders(run["plan"]) == [OTHER]
    assert "edited by a person" in run["planner"]["reason"]


def test_a_person_wants_none(installation: Installation, careful: str) -> None:
    before = runs(installation)
    code, screen = at_terminal(installation, careful, "q")
    assert code == 4, screen
    assert runs(installation) == before


@pytest.mark.parametrize("typed", ["7", "0x1", "e", "yes"])
def test_what_is_no_choice_is_refused(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    catalogue = Catalogue.load(ROOT / "configs" / "sources")
    proposal: Proposal = RulePlanner(catalogue).propose(QUESTION, dt.date(2024, 7, 15))
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\n"))
    with pytest.raises(UsageError, match="a number from 1 to 1"):
        pick(proposal, catalogue, Console(file=io.StringIO()))
