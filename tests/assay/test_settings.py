"""`configs/assay.yaml`: what is read from it, and one line with file, line and key for whatever is wrong in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.settings import Settings


@pytest.fixture
def configs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("ASSAY_HOME", raising=False)
    folder = tmp_path / "configs"
    folder.mkdir()
    return folder


def load(configs: Path, text: str | bytes) -> Settings:
    data = text.encode() if isinstance(text, str) else text
    (configs / "assay.yaml").write_bytes(data)
    return Settings.load(configs)


def test_without_a_file_and_with_an_empty_one_the_defaults_hold(configs: Path) -> None:
    assert Settings.load(configs) == load(configs, "# nothing yet\n")
    assert Settings.load(configs).home == configs.parent / ".assay"
    assert Settings.load(configs).store == str(configs.parent / ".assay" / "runs.db")


def test_the_variable_takes_the_place_of_the_home_in_the_file(
    configs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "elsewhere"))
    found = load(configs, "home: .assay\n")
    assert found.home == tmp_path / "elsewhere"
    assert found.store == str(tmp_path / "elsewhere" / "runs.db")


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        ("kept/runs.db", "{root}/kept/runs.db"),
        ("${home}/r.db", "{root}/.assay/r.db"),
        ("/var/r.db", "/var/r.db"),
        ("postgresql://host/db", "postgresql://host/db"),
    ],
)
def test_a_relative_store_stands_against_the_root_wherever_one_works(
    configs: Path, store: str, expected: str
) -> None:
    assert load(configs, f"store: {store}\n").store == expected.format(root=configs.parent)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("home:\n", (":1", "home")),
        ("home: [a, b]\n", (":1", "home")),
        ("demo: true\nroot: /x\n", (":2", "root")),
        ("demo: true\ndemo: false\n", (":2", "demo", "twice")),
        ("1: x\n", (":1", "1")),
        ("store: 5\n", (":1", "store")),
        ("limits:\n  rounds: 2\n  seconds: .inf\n", (":3", "limits.seconds")),
        ("limits: {tolerance: .inf}\n", (":1", "limits.tolerance")),
        ("limits: 5\n", (":1", "limits")),
        ("planner: 2024-13-45\n", (":1", "planner")),
        ("? [a]\n: 1\n", (":1",)),
        ("demo: true\n\tplanner: auto\n", (":2",)),
        ("[" * 3000, ("deep",)),
        ("a: &a [*a]\n", (":1",)),
        ("[1, 2]\n", (":1",)),
        (b"\xff\xfe\x00", ("UTF-8",)),
        (b"\x00", (":1",)),
    ],
)
def test_whatever_is_wrong_is_one_line_with_its_place(
    configs: Path, text: str | bytes, words: tuple[str, ...]
) -> None:
    with pytest.raises(UsageError) as caught:
        load(configs, text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(configs / "assay.yaml"))
    for word in words:
        assert word in message


def test_a_folder_in_the_place_of_the_file(configs: Path) -> None:
    (configs / "assay.yaml").mkdir()
    with pytest.raises(UsageError, match=r"assay\.yaml: cannot be read"):
        Settings.load(configs)
