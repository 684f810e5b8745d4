"""How long a filtered hybrid question takes without its embedding: `python -m benchmarks.index_query`.

A made-up index of 100,000 passages (random unit vectors in clusters, words with a natural distribution, 2,000 documents,
roles on a tenth of them) in the embedded store. A question is what `Index.search` does once its vector is there: the
dense list, the word list and the named list, each under the filter, then fusion and the floors.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb_index.centring import Means
from kb_index.search import Index
from kb_index.settings import IndexSettings
from kb_index.sparse import Frequencies, passage_weights
from kb_index.store import EVERYONE, Point, create_store
from kb_index.versions import IndexedFile, Manifest, Versions

if TYPE_CHECKING:
    from kb_index.centring import Vectors

__all__ = ["Made", "ask", "make"]

DIMENSION = 384
PER_DOCUMENT = 50
WORDS = 40  # in a passage
VOCABULARY = 30_000
KINDS = ("text", "text", "text", "table")


class Made:
    """Passages in clusters of 100 (as texts of one subject are), and questions near some of them."""

    def __init__(self, chunks: int, seed: int = 0) -> None:
        import numpy as np

        self.chunks = chunks
        self._random = np.random.default_rng(seed)
        self._centres = self._random.normal(size=(max(1, chunks // 100), DIMENSION)).astype("float32")
        shares = 1 / np.arange(1, VOCABULARY + 1, dtype="float64")
        self._up_to = np.cumsum(shares) / shares.sum()
        self.frequencies = Frequencies()
        self.documents = [f"folder/document-{n:04}.pdf" for n in range(-(-chunks // PER_DOCUMENT))]

    def near(self, cluster: int) -> Vectors:
        import numpy as np

        v = self._centres[cluster % len(self._centres)] + self._random.normal(size=DIMENSION)
        return np.asarray(v / np.linalg.norm(v), dtype=np.float32)

    def words(self, count: int) -> list[str]:
        import numpy as np

        return [f"w{n}" for n in np.searchsorted(self._up_to, self._random.random(count))]

    def points(self) -> Iterator[Point]:
        for n in range(self.chunks):
            document, page = divmod(n, PER_DOCUMENT)
            words = self.words(WORDS)
            self.frequencies.add(words)
            payload: dict[str, Any] = {
                "document": self.documents[document],
                "path": f"/{self.documents[document]}",
                "title": f"Document {document}",
                "order": page,
                "page_from": page + 1,
                "page_to": page + 1,
                "section_path": [f"Part {page // 10}"],
                "section": [f"Part {page // 10}"],
                "kind": KINDS[n % 4],
                "table_id": f"t{n}" if n % 4 == 3 else None,
                "roles": ["hr"] if document % 10 == 0 else [EVERYONE],
                "date": 20200101 + 10000 * (document % 5),
                "text": " ".join(words),
            }
            ident = f"00000000-0000-4000-8000-{n:012}"
            yield Point(ident, self.near(n // 100).tolist(), passage_weights(words, WORDS), payload)


def make(index_dir: Path, made: Made, settings: IndexSettings) -> float:
    """Writes and publishes the version as a build does; returns the seconds it took."""
    import numpy as np

    begun = time.monotonic()
    versions = Versions(index_dir)
    version, folder = versions.begin()
    store = create_store(settings, folder, version, DIMENSION)
    batch: list[Point] = []
    for point in made.points():
        batch.append(point)
        if len(batch) == 1000:
            store.upsert(batch)
            batch.clear()
    store.upsert(batch)
    store.finish()
    store.close()
    none = {"": np.zeros(DIMENSION, np.float32)}
    Means(none, none).save(folder / "means.npz")
    made.frequencies.save(folder / "frequencies.npz")
    files = tuple(
        IndexedFile(name, f"/{name}", str(n), (EVERYONE,), f"Document {n}", PER_DOCUMENT, PER_DOCUMENT)
        for n, name in enumerate(made.documents)
    )
    Manifest(version, "", "", settings.model_key, settings.store, (), files).save(folder)
    versions.publish(version, folder)
    return time.monotonic() - begun


def ask(index: Index, made: Made, questions: int) -> dict[str, list[float]]:
    """Milliseconds (wall, CPU) of each question, by the filter it had."""
    filters: dict[str, dict[str, Any]] = {
        "none": {},
        "kind": {"kind": "table"},
        "page": {"page": {"from": 1, "to": 10}},
        "date": {"date": "2022"},
        "document": {"doc": "document-0123"},
        "kind, page, date": {"kind": "text", "page": {"from": 5, "to": 40}, "date": {"from": "2021"}},
    }
    out: dict[str, list[float]] = {}
    for n in range(questions):
        name = list(filters)[n % len(filters)]
        vector, text = made.near(n * 37), " ".join(made.words(6))
        begun, cpu = time.perf_counter(), time.process_time()
        index.search(text, vector=vector, filters=filters[name], roles=("sales",))
        wall, spent = time.perf_counter() - begun, time.process_time() - cpu
        if n >= 2 * len(filters):  # the first ones read the files in
            out.setdefault(name, []).append(wall * 1000)
            out.setdefault(f"{name} (CPU)", []).append(spent * 1000)
    return out


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--chunks", type=int, default=100_000)
    options.add_argument("--questions", type=int, default=600)
    options.add_argument("--server", default="", help="URL of a Qdrant server, instead of the embedded store")
    options.add_argument("--folder", type=Path, help="keep the index here, and use it when it is there")
    given = options.parse_args()
    settings = IndexSettings(
        model="given-vectors", store="server" if given.server else "edge", server=given.server
    )
    made = Made(given.chunks)
    with tempfile.TemporaryDirectory() as home:
        folder = (given.folder or Path(home)) / "index" / "default"
        if not (folder / "current").exists():
            print(f"{given.chunks} chunks written and indexed in {make(folder, made, settings):.0f} s")
        size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
        with Index.open(folder, settings) as index:
            times = ask(index, made, given.questions)
        print(f"{size / 1e6:.0f} MB on disk; milliseconds per question, embedding not counted")
        both = [(n, t) for n, t in times.items() if not n.endswith("(CPU)")]
        for name, wall in [*both, ("all", [t for _, ts in both for t in ts])]:
            cpu = times.get(f"{name} (CPU)") or [
                t for n, ts in times.items() if n.endswith("(CPU)") for t in ts
            ]
            print(f"  {name:<18} {_row(wall)}   CPU {_row(cpu)}")


def _row(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return f"p50 {cuts[49]:6.2f}  p95 {cuts[94]:6.2f}  p99 {cuts[98]:6.2f}"


if __name__ == "__main__":
    main()
