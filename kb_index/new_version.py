"""A version being written: statistics over all its files, then its points, then the proof that they are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kb_index.centring import LanguageMeans, Means
from kb_index.errors import IndexBroken
from kb_index.language import language_of
from kb_index.parsed import ParsedFile, ParsedFiles
from kb_index.points import points_of
from kb_index.settings import IndexSettings
from kb_index.sparse import Frequencies
from kb_index.store import Store, Where, create_store, open_store
from kb_index.versions import IndexedFile, Manifest
from kb_index.words import token_id, tokens

if TYPE_CHECKING:
    from kb_index.centring import Vectors

__all__ = ["NewVersion"]

PROBES = 8


class NewVersion:
    """`folder` is not yet seen by readers. One file's chunks are in memory at a time."""

    def __init__(
        self,
        index_dir: Path,
        folder: Path,
        manifest: Manifest,
        settings: IndexSettings,
        parsed: ParsedFiles,
    ) -> None:
        self._index_dir = index_dir
        self._folder = folder
        self._manifest = manifest
        self._settings = settings
        self._parsed = parsed
        self._with_text = [f for f in manifest.files if f.chunks]
        self._means: Means | None = None
        self._frequencies = Frequencies()

    def write(self, progress: Callable[[str, int, int], None], *, prior_again: bool) -> None:
        """Raises IndexBroken, and what a full disk raises."""
        means = self._statistics(prior_again)
        means.save(self._folder / "means.npz")
        self._frequencies.save(self._folder / "frequencies.npz")
        store = create_store(self._settings, self._folder, self._manifest.version, len(means.passages[""]))
        try:
            for i, file in enumerate(self._with_text):
                progress(f"writing {file.document}", i, len(self._with_text))
                parsed = self._load(file)
                contexts = parsed.contexts()
                vectors = means.centre(self._raw(file), [language_of(c) for c in contexts])
                store.upsert(points_of(file, parsed, contexts, vectors, self._frequencies))
            progress("indexing", len(self._with_text), len(self._with_text))
            store.finish()
        finally:
            store.close()

    def verify(self) -> None:
        """Opened anew: every chunk is there, and passages from all over are found by their vectors and by their
        words. Raises IndexBroken."""
        if self._means is None:
            raise IndexBroken("nothing was written yet")
        store = open_store(self._settings, self._folder, self._manifest.version)
        try:
            if (n := store.count()) != self._manifest.chunks:
                raise IndexBroken(
                    f"the new version holds {n} chunks instead of {self._manifest.chunks}; the old one stays"
                )
            for file, context, vector in self._probes(self._means):
                self._probe(store, file, context, vector)
        finally:
            store.close()

    def _probe(self, store: Store, file: IndexedFile, context: str, vector: list[float]) -> None:
        here = Where(documents=(file.document,))
        near = store.dense(vector, 3, here)
        words = {token_id(t): 1.0 for t in tokens(context)}
        # the index may hold many passages of the same words: that any of this document comes is what is asked
        if not near or near[0].score < 0.99 or (words and not store.words(words, 3, here)):
            raise IndexBroken(f"the new version does not find {file.document} again; the old one stays")

    def _probes(self, means: Means) -> Iterator[tuple[IndexedFile, str, list[float]]]:
        """Some files, spread over the index, by one of their chunks each: the first, the middle, the last."""
        chosen = self._with_text[:: max(1, len(self._with_text) // PROBES)][:PROBES]
        for i, file in enumerate(chosen):
            contexts, vectors = self._load(file).contexts(), self._raw(file)
            at = (0, len(contexts) // 2, len(contexts) - 1)[i % 3]
            moved = means.centre(vectors[at : at + 1], [language_of(contexts[at])])
            yield file, contexts[at], moved[0].tolist()

    def _statistics(self, prior_again: bool) -> Means:
        sums = LanguageMeans()
        for file in self._with_text:
            contexts = self._load(file).contexts()
            sums.add(self._raw(file), [language_of(c) for c in contexts])
            for context in contexts:
                self._frequencies.add(tokens(context))
        self._means = sums.means(self._prior(prior_again))
        return self._means

    def _prior(self, again: bool) -> Means:
        """Ordinary texts' means, kept beside the parsed files: the model need not be loaded for them."""
        path = self._index_dir / "parsed" / f"prior~{self._settings.model_key}.npz"
        if not path.is_file() or again:
            from kb_index.embed import embedder

            prior = embedder(self._settings, self._index_dir).prior()
            path.parent.mkdir(parents=True, exist_ok=True)
            aside = path.with_name(f".{path.name}")
            prior.save(aside)
            aside.replace(path)
        return Means.load(path)

    def _load(self, file: IndexedFile) -> ParsedFile:
        parsed = self._parsed.load(file.sha)
        if parsed is None:
            raise IndexBroken(f"{file.document}: its parsed form disappeared during the build; build again")
        return parsed

    def _raw(self, file: IndexedFile) -> Vectors:
        vectors = self._parsed.vectors(file.sha, self._settings.model_key, file.chunks)
        if vectors is None:
            raise IndexBroken(f"{file.document}: its vectors disappeared during the build; build again")
        return vectors
