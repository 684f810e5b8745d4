from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_index.access import declared, roles_of
from kb_index.errors import BadSettings
from kb_index.settings import read_settings

RULES = {"hr/**": ("hr",), "*.docx": ("everyone",), "finance/*.pdf": ("finance", "board")}


@pytest.mark.parametrize(
    ("file", "roles"),
    [
        ("hr/a/b.pdf", ("hr",)),
        ("hr/x.docx", ("hr",)),  # the first glob decides
        ("deep/x.docx", ("*",)),
        ("finance/q1.pdf", ("finance", "board")),
        ("finance/old/q1.pdf", ()),
        ("other.pdf", ()),
    ],
)
def test_the_first_glob_decides_and_the_rest_is_closed(file: str, roles: tuple[str, ...]) -> None:
    assert roles_of(file, RULES, {}) == roles


def test_without_a_declaration_everything_is_open(tmp_path: Path) -> None:
    assert declared(tmp_path) is None
    assert roles_of("any.pdf", None, {}) == ("*",)
    assert roles_of("any.pdf", {}, {}) == ()  # an empty declaration is one


@pytest.mark.parametrize("text", ["a: [b", "- a\n- b", "a: {b: c}", "a: [1]"])
def test_an_access_file_that_cannot_be_meant_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "access.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings, match=r"access\.yaml"):
        declared(tmp_path)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_glob_is_safe(glob: str, file: str) -> None:
    assert roles_of(file, {glob: ("r",)}, {}) in ((), ("r",))


@pytest.mark.parametrize(
    ("given_settings", "word"),
    [
        ({"colour": 1}, "colour"),
        ({"threads": -1}, "threads"),
        ({"chunk": "big"}, "chunk"),
        ({"store": "mysql"}, "store"),
        ({"store": "server"}, "server"),
        ({"floor": "x"}, "floor"),
        ({"access": []}, "access"),
    ],
)
def test_settings_name_the_key_that_is_wrong(given_settings: dict[str, object], word: str) -> None:
    with pytest.raises(BadSettings, match=word):
        read_settings(given_settings)
