"""An index on a server: what a build, a death, a rollback do to its collections and its alias."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.index_corpus import SETTINGS, give_vectors, write_entry
from kb_index.build import build
from kb_index.errors import IndexBroken
from kb_index.search import Index
from kb_index.settings import IndexSettings
from kb_index.status import rollback
from kb_index.versions import Versions
from tests.kb_index.qdrant_rest import QdrantRest, serve


@pytest.fixture
def rest() -> Iterator[QdrantRest]:
    with serve() as server:
        yield server


def collections(rest: QdrantRest) -> set[str]:
    return {c.name for c in rest.client.get_collections().collections}


def alias(rest: QdrantRest) -> str:
    (found,) = rest.client.get_aliases().aliases
    assert found.alias_name == "assay-default"
    return found.collection_name


def test_collections_and_alias_follow_the_versions(rest: QdrantRest, tmp_path: Path) -> None:
    settings: IndexSettings = dataclasses.replace(SETTINGS, store="server", server=rest.url)
    docs, index_dir = tmp_path / "docs", tmp_path / "index" / "default"

    def write(name: str, words: str) -> None:
        write_entry(docs / name, words)
        give_vectors([docs / name], index_dir)

    write("a.docx", "ledger of apples")
    first = build([docs], index_dir, settings=settings).version
    assert (collections(rest), alias(rest)) == ({first}, first)

    write("b.docx", "ledger of pears")
    (docs / "a.docx").rename(docs / "c.docx")
    with Index.open(index_dir, settings) as index:
        second = build([docs], index_dir, settings=settings)
        assert (second.files, second.read, second.moved, second.removed) == (2, 1, 1, 0)
        assert index.version == second.version
        found = {h.document for h in index.search("ledger", by="words")}
        assert found == {"b.docx", "c.docx"}
    assert (collections(rest), alias(rest)) == ({first, second.version}, second.version)

    assert rollback(index_dir, settings) == first
    assert alias(rest) == first

    # a build that died: its folder and its collection are there, and an alias that points past `current`
    dead, _ = Versions(index_dir).begin()
    rest.client.create_collection(dead, vectors_config={})
    write("d.docx", "ledger of plums")
    third = build([docs], index_dir, settings=settings).version
    assert dead not in collections(rest)
    assert Versions(index_dir).rests() == []
    assert alias(rest) == third
    assert len(collections(rest)) == 2  # one old version is kept

    write("e.docx", "ledger of quinces")
    rest.read_only = True
    with pytest.raises(IndexBroken, match=r"403.*read-only"):
        build([docs], index_dir, settings=settings)
    assert alias(rest) == third == Versions(index_dir).current()
    assert len(collections(rest)) == 2


def test_a_key_goes_with_each_request(
    rest: QdrantRest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = dataclasses.replace(SETTINGS, store="server", server=rest.url)
    docs, index_dir = tmp_path / "docs", tmp_path / "index" / "default"
    write_entry(docs / "a.docx", "ledger of apples")
    give_vectors([docs / "a.docx"], index_dir)
    rest.key = "a secret of 20 letters"
    with pytest.raises(IndexBroken, match="401"):
        build([docs], index_dir, settings=settings)
    monkeypatch.setenv("ASSAY_QDRANT_KEY", rest.key)
    build([docs], index_dir, settings=settings)
    with Index.open(index_dir, settings) as index:
        assert [h.document for h in index.search("ledger", by="words")] == ["a.docx"]
