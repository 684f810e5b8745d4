"""A site's own weights are used where they lie, file by file."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from planner.auto import AutoPlanner
from planner.catalogue_text import read_catalogue
from planner.judge import WEIGHTS
from planner.site_weights import SHIPPED, adapter_file, encoder_folder, judge_file, site_folder

ROOT = Path(__file__).resolve().parents[2]


def test_what_comes_with_assay_is_used_where_a_site_has_nothing(tmp_path: Path) -> None:
    assert adapter_file(tmp_path) == SHIPPED / "planner-lora.gguf"
    assert judge_file(tmp_path) == WEIGHTS
    assert encoder_folder(tmp_path) == SHIPPED
    assert all(f.is_file() for f in (adapter_file(tmp_path), judge_file(tmp_path)))


@pytest.mark.parametrize("name", ["planner-lora.gguf", "judge.json", "encoder.safetensors", "encoder-2.safetensors"])  # fmt: skip
def test_each_file_of_a_site_stands_for_itself(tmp_path: Path, name: str) -> None:
    folder = site_folder(tmp_path)
    folder.mkdir()
    (folder / "items-0.npy").write_bytes(b"")  # the cache of item vectors lies there too
    (folder / name).write_bytes(b"own")
    adapter, judge, encoders = adapter_file(tmp_path), judge_file(tmp_path), encoder_folder(tmp_path)
    assert (adapter.parent == folder) == (name == "planner-lora.gguf")
    assert (judge.parent == folder) == (name == "judge.json")
    assert (encoders == folder) == name.startswith("encoder")


@pytest.mark.slow
def test_planning_goes_by_the_sites_judge(tmp_path: Path) -> None:
    from kb_index.model import lay_out

    models = tmp_path / "models"
    lay_out(tmp_path)
    assert (models / "e5").is_dir()
    catalogue = read_catalogue(
        "@ board sql 0.8 kilns\nfiring figures of each kiln : kiln,month\n"
        "  kiln text kiln {K1|K2}\n  month month month\n  breakage percent breakage\n"
    )
    asked = ("breakage of K1 last month", date(2025, 6, 18))
    before = AutoPlanner(catalogue, models).propose(*asked)
    own = site_folder(models) / "judge.json"
    text = WEIGHTS.read_text(encoding="utf-8")
    own.write_text(text.replace(f'"{before.version}"', '"site-1"'), encoding="utf-8")
    shutil.copy(SHIPPED / "encoder.safetensors", site_folder(models))
    after = AutoPlanner(catalogue, models).propose(*asked)
    assert (before.version != "site-1", after.version) == (True, "site-1")
