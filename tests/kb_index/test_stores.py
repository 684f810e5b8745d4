"""One contract over the embedded store, the client's local mode, and the client's way to a server."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb_index.errors import IndexBroken
from kb_index.store import EVERYONE, Point, Store, Where
from kb_index.store_client import ClientStore, drop, switch_alias
from kb_index.store_edge import EdgeStore
from tests.kb_index.qdrant_rest import QdrantRest, serve

DIMENSION = 4
MAKERS: dict[str, Callable[[Path, str], Store]] = {
    "edge": lambda folder, url: EdgeStore.create(folder / "edge", DIMENSION),
    "memory": lambda folder, url: ClientStore.create(":memory:", "v1", DIMENSION),
    "local": lambda folder, url: ClientStore.create(str(folder / "qdrant"), "v1", DIMENSION),
    "server": lambda folder, url: ClientStore.create(url, f"v-{folder.name}", DIMENSION),
}


@pytest.fixture(scope="module")
def rest() -> Iterator[QdrantRest]:
    with serve() as server:
        yield server


def point(n: int, document: str, page: int, roles: list[str], kind: str = "text", date: int = 0) -> Point:
    dense = [0.0] * DIMENSION
    dense[n % DIMENSION] = 1.0
    payload = {
        "document": document,
        "section": ["A", "A > B"] if n % 2 else ["C"],
        "kind": kind,
        "table_id": f"t{n}" if kind == "table" else None,
        "page_from": page,
        "page_to": page + 1,
        "roles": roles,
        "text": f"passage {n}",
        **({"date": date} if date else {}),
    }
    return Point(str(uuid.uuid5(uuid.NAMESPACE_OID, str(n))), dense, {n: 1.5, 4_000_000_000: 0.5}, payload)


POINTS = [
    point(0, "a.pdf", 1, [EVERYONE], date=20240309),
    point(1, "a.pdf", 5, ["hr"], "table", date=20240309),
    point(2, "b.pdf", 1, [], date=20231231),
    point(3, "b.pdf", 9, [EVERYONE]),
]


@pytest.fixture(params=MAKERS)
def store(request: pytest.FixtureRequest, tmp_path: Path, rest: QdrantRest) -> Iterator[Store]:
    made = MAKERS[request.param](tmp_path, rest.url)
    made.upsert(POINTS)
    made.finish()
    yield made
    made.close()


def texts(store: Store, where: Where) -> set[str]:
    return {str(m.payload["text"]) for m in store.dense([1.0, 0.9, 0.8, 0.7], 10, where)}


def test_dense_is_ranked_by_dot_product(store: Store) -> None:
    found = store.dense([1.0, 0.9, 0.8, 0.7], 3, Where())
    assert [m.payload["text"] for m in found] == ["passage 0", "passage 1", "passage 2"]
    assert found[0].score == pytest.approx(1.0)
    assert found[0].id == POINTS[0].id
    assert found[1].payload["section"] == ["A", "A > B"]
    bare = store.dense([1.0, 0.9, 0.8, 0.7], 3, Where(), bare=True)
    assert [(m.id, m.payload) for m in bare] == [(m.id, {}) for m in found]
    told = store.payloads([bare[1].id, str(uuid.uuid4())])
    assert told == {bare[1].id: found[1].payload}


def test_words_score_by_shared_weights_and_leave_out_strangers(store: Store) -> None:
    found = store.words({3: 2.0, 4_000_000_000: 1.0}, 10, Where())
    assert found[0].payload["text"] == "passage 3"
    assert found[0].score == pytest.approx(3.5)
    assert len(found) == 4
    assert len(store.words({3: 2.0}, 10, Where())) == 1
    assert store.words({}, 10, Where()) == []


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Where(), {0, 1, 2, 3}),
        (Where(documents=("a.pdf",)), {0, 1}),
        (Where(documents=()), set()),
        (Where(sections=("A > B",)), {1, 3}),
        (Where(kinds=("table",)), {1}),
        (Where(tables=("t1", "t9")), {1}),
        (Where(pages=(2, 5)), {0, 1, 2}),
        (Where(pages=(None, 1)), {0, 2}),
        (Where(pages=(6, None)), {1, 3}),
        (Where(dates=(20240101, 20241231)), {0, 1}),
        (Where(dates=(None, 20240308)), {2}),
        (Where(dates=(20231231, None)), {0, 1, 2}),
        (Where(roles=()), {0, 3}),
        (Where(roles=("hr", "sales")), {0, 1, 3}),
        (Where(roles=("sales",), documents=("a.pdf",)), {0}),
    ],
)
def test_conditions(store: Store, where: Where, expected: set[int]) -> None:
    assert texts(store, where) == {f"passage {n}" for n in expected}
    assert store.count(where) == len(expected)


def test_writing_a_point_again_changes_nothing(store: Store) -> None:
    store.upsert(POINTS[:2])
    assert store.count() == 4


def test_a_closed_store_opens_again(tmp_path: Path) -> None:
    for made, load in (
        (EdgeStore.create(tmp_path / "edge", DIMENSION), lambda: EdgeStore.load(tmp_path / "edge")),
        (
            ClientStore.create(str(tmp_path / "q"), "v", DIMENSION),
            lambda: ClientStore.load(str(tmp_path / "q"), "v"),
        ),
    ):
        made.upsert(POINTS)
        made.finish()
        made.close()
        again: Store = load()
        assert again.count() == 4
        again.close()


def test_a_server_that_is_busy_is_asked_again(rest: QdrantRest, tmp_path: Path) -> None:
    store = ClientStore.create(rest.url, "busy", DIMENSION)
    rest.refusals = 2
    store.upsert(POINTS)
    assert store.count() == 4
    rest.refusals = 99
    with pytest.raises(IndexBroken, match=r"did not answer as asked.*503"):
        store.count()
    rest.refusals = 0
    store.close()


def test_a_servers_points_come_in_batches_into_indexed_fields(rest: QdrantRest) -> None:
    store = ClientStore.create(rest.url, "batches", DIMENSION)
    fields = {key for name, key in rest.indexed if name == "batches"}
    assert fields >= {"document", "section", "kind", "roles", "page_from", "page_to", "date"}
    rest.requests.clear()
    store.upsert([point(n, f"{n}.pdf", 1, [EVERYONE]) for n in range(450)])
    assert rest.requests == ["PUT /collections/batches/points"] * 3
    assert store.count() == 450
    store.close()


def test_an_alias_moves_and_a_dropped_collection_is_gone(rest: QdrantRest) -> None:
    for name in ("old", "new"):
        ClientStore.create(rest.url, name, DIMENSION).close()
        switch_alias(rest.url, "assay-default", name)
    assert [a.collection_name for a in rest.client.get_aliases().aliases] == ["new"]
    rest.requests.clear()
    switch_alias(rest.url, "assay-default", "new")
    assert rest.requests == ["GET /aliases"]  # nothing to do
    drop(rest.url, "old")
    drop(rest.url, "old")
    with pytest.raises(IndexBroken, match="no collection old"):
        ClientStore.load(rest.url, "old")


def test_several_processes_read_one_shard(tmp_path: Path) -> None:
    store = EdgeStore.create(tmp_path / "edge", DIMENSION)
    store.upsert(POINTS)
    store.finish()
    store.close()
    reader = EdgeStore.load(tmp_path / "edge")
    code = (
        "import sys; from pathlib import Path; from kb_index.store_edge import EdgeStore; "
        "print(EdgeStore.load(Path(sys.argv[1])).count())"
    )
    root = Path(__file__).resolve().parents[2]
    ran = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "edge")], cwd=root, stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    assert [p.communicate()[0].strip() for p in ran] == [b"4", b"4"]
    assert reader.count() == 4
    reader.close()


def test_what_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(IndexBroken, match="assay index build"):
        EdgeStore.load(tmp_path / "none")
    with pytest.raises(IndexBroken, match="no collection v1"):
        ClientStore.load(str(tmp_path / "q"), "v1")
    with pytest.raises(IndexBroken, match="did not answer"):
        ClientStore.load("http://127.0.0.1:9", "v1")
