from __future__ import annotations

import sys
from pathlib import Path

import pytest

from adapters import KINDS, build
from adapters.base import Adapter, DatasetSpec, Resources, SourceSpec
from adapters.errors import ConfigurationError

HERE = Resources(Path("."))

OUTSIDE = """
class Echo:
    def __init__(self, spec, resources): self.spec = spec
    def query(self, query): ...
    def validate(self, raw): ...
    def normalise(self, raw): ...
    def probe(self): return []
    def ping(self, timeout_s): ...
    def close(self): ...

class Half:
    def __init__(self, spec, resources): ...

class Angry:
    def __init__(self, spec, resources): raise LookupError("no luck")
"""


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside_source.py").write_text(OUTSIDE)
    (tmp_path / "outside_broken.py").write_text("def (")
    (tmp_path / "outside_failing.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "outside_source", raising=False)


def test_every_kind_can_be_imported() -> None:
    import importlib

    for path in KINDS.values():
        module, _, name = path.partition(":")
        assert hasattr(importlib.import_module(module), name)


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize("path", ["outside_source:Echo", "outside_source.Echo"])
def test_outside_code_by_dotted_path(path: str) -> None:
    adapter = build(SourceSpec("x", path, {}), HERE)
    assert isinstance(adapter, Adapter)


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize(
    ("kind", "match"),
    [
        ("nothing", "unknown kind 'nothing'; use one of bi_dashboard, pdf_knowledge_base, sql, ticket_api"),
        ("no_such_module:X", "cannot be imported"),
        ("outside_source:Missing", "cannot be imported"),
        ("outside_source:Half", "is no adapter"),
        ("outside_source:Angry", "makes no adapter: LookupError: no luck"),
        ("outside_broken:X", "cannot be imported: invalid syntax"),
        ("outside_failing:X", "cannot be imported: division by zero"),
        ("os.path", "makes no adapter"),
        ("os.path.join", "makes no adapter"),
        ("", "unknown kind"),
        (":", "unknown kind"),
    ],
)
def test_a_kind_that_cannot_be_built(kind: str, match: str) -> None:
    with pytest.raises(ConfigurationError, match=match) as caught:
        build(SourceSpec("x", kind, {}), HERE)
    assert str(caught.value).startswith("source x:")
    assert "\n" not in str(caught.value)


def test_a_source_without_connection_says_which_key_is_missing() -> None:
    for kind in ("sql", "ticket_api"):
        with pytest.raises(ConfigurationError, match=r"source x: connection\.url"):
            build(SourceSpec("x", kind, {"d": DatasetSpec("d", ())}), HERE)


def test_every_key_is_documented() -> None:
    from adapters import paging, ticket_api
    from adapters.derive import OPERATIONS

    docs = Path(__file__).parents[2] / "docs"
    sources = (docs / "sources.md").read_text(encoding="utf-8")
    keys = {
        *KINDS,
        *ticket_api.KEYS,
        *paging.KEYS,
        *paging.STYLES,
        "table",
        "select",
        "columns",
        "each",
        "items",
        "where",
    }
    missing = [k for k in keys if f"`{k}`" not in sources and f"*{k}*" not in sources]
    assert missing == []
    derive = (docs / "derive.md").read_text(encoding="utf-8")
    assert [o for o in OPERATIONS if f"`{o}`" not in derive] == []
