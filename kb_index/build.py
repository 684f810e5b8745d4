"""Builds an index: a new version beside the old, from changed files parsed and embedded and all others copied,
verified, then published in one step. Whatever happens before that step, readers keep the old version."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kb_index.errors import IndexBroken, NoIndex
from kb_index.new_version import NewVersion
from kb_index.parsed import ParsedFiles
from kb_index.prepare import Outcome, Work
from kb_index.report import BuildReport, report_of
from kb_index.settings import IndexSettings, read_settings
from kb_index.source_files import SourceFile, find_files
from kb_index.store import alias_of, drop_store, open_store, publish
from kb_index.versions import IndexedFile, Manifest, Versions
from kb_index.workers import Crew, crew

__all__ = ["BuildReport", "build"]

Progress = Callable[[str, int, int], None]  # what is done now, files done, files in all


def build(
    paths: Sequence[Path],
    index_dir: Path,
    *,
    settings: IndexSettings | Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    full: bool = False,
    workers: int | None = None,
    scheduler: str = "",
) -> BuildReport:
    """Makes the index hold exactly the files in `paths` (files or folders; none: those of the last build).

    `full`: parse and embed everything again, files given up too. `workers`, `scheduler`: see `workers.crew`; worker
    processes import the calling program's main module, so a script keeps its own work under `if __name__ ==
    "__main__"`. Raises KnowledgeIndexError: BuildRunning, BadSettings, NoModel, NoWorkers, UnreadableFile for a path
    that does not exist. A file that cannot be read is in `failed`, the rest is built.
    """
    started = time.monotonic()
    chosen = read_settings(settings)
    index_dir = index_dir.absolute()
    chosen = dataclasses.replace(chosen, home=str(chosen.home_of(index_dir).absolute()))
    versions = Versions(index_dir)
    with versions.building():
        before = versions.manifest()
        roots = [p.absolute() for p in paths] or [Path(r) for r in (before.roots if before else ())]
        if not roots:
            raise NoIndex("nothing to build: name the folders or files to index")
        job = _Job(versions, chosen, progress or (lambda *_: None), full)
        job.clear_rests(before)
        report = job.run(roots, before, lambda: crew(workers, scheduler))
    return dataclasses.replace(report, seconds=round(time.monotonic() - started, 2))


class _Job:
    """One build, under the lock."""

    def __init__(self, versions: Versions, settings: IndexSettings, progress: Progress, full: bool) -> None:
        self._versions = versions
        self._settings = settings
        self._progress = progress
        self._full = full
        self._parsed = ParsedFiles.of(versions.folder, settings)

    def clear_rests(self, before: Manifest | None) -> None:
        """What a build that died has left; and, on a server, an alias that it did not come to switch."""
        for version in self._versions.rests():
            drop_store(self._settings, version)
            self._versions.clear(version)
        if before and before.store == self._settings.store:
            publish(self._settings, alias_of(self._versions.folder), before.version)

    def run(self, roots: Sequence[Path], before: Manifest | None, new_crew: Callable[[], Any]) -> BuildReport:
        sources, unread = find_files(roots, self._settings)
        if not sources:  # a mistyped folder must not take every document out of the index
            why = unread[0] if unread else (", ".join(map(str, roots)), "holds no PDF or Word file")
            raise NoIndex(f"{why[0]}: {why[1]}; nothing was built")
        if before and not self._full and self._is_same(before, roots, sources):
            return report_of(before, before, {}, unread)
        if self._full:
            self._parsed.forget_failures()
        done = self._known(before, sources)
        todo = [self._work(s) for s in {s.sha: s for s in sources}.values() if s.sha not in done]
        if todo:
            with new_crew() as hands:
                done |= self._read(todo, hands, len(sources))
        files = [_entry(s, done[s.sha]) for s in sources]
        manifest = self._new_version(roots, files)
        self._tidy(manifest)
        return report_of(manifest, before, {sha: o.reused for sha, o in done.items()}, unread)

    def _is_same(self, before: Manifest, roots: Sequence[Path], sources: Sequence[SourceFile]) -> bool:
        was = {f.document: (f.sha, f.roles, f.path) for f in before.files}
        now = {s.document: (s.sha, s.roles, str(s.path.absolute())) for s in sources}
        made = (before.pipeline, before.model, before.store, before.roots)
        if was != now or made != self._made_by(roots):
            return False
        if any(f.failure and not self._parsed.failure(f.sha) for f in before.files):
            return False  # it failed for a reason of that moment
        try:  # the same in name is not enough: it must also be there
            store = open_store(self._settings, self._versions.path(before.version), before.version)
        except IndexBroken:
            return False
        try:
            return store.count() == before.chunks
        finally:
            store.close()

    def _made_by(self, roots: Sequence[Path]) -> tuple[str, str, str, tuple[str, ...]]:
        made = self._parsed.pipeline, self._settings.model_key, self._settings.store
        return (*made, tuple(map(str, roots)))

    def _known(self, before: Manifest | None, sources: Sequence[SourceFile]) -> dict[str, Outcome]:
        """What the version before says of contents that are still there, whole, so that nobody need look."""
        if self._full or before is None or before.pipeline != self._parsed.pipeline:
            return {}
        wanted = {s.sha for s in sources}
        key = self._settings.model_key
        return {
            f.sha: _outcome(f)
            for f in before.files
            if f.sha in wanted
            and not f.failure
            and self._parsed.has(f.sha)
            and self._parsed.has_vectors(f.sha, key, f.chunks)
        }

    def _work(self, source: SourceFile) -> Work:
        path = source.path.absolute()
        return Work(path, source.document, source.sha, self._versions.folder, self._settings, self._full)

    def _read(self, todo: Sequence[Work], hands: Crew, files: int) -> dict[str, Outcome]:
        """Parses and embeds what was not yet. A file that failed before and has not changed is not tried again."""
        done: dict[str, Outcome] = {}
        names = {w.sha: w.document for w in todo}
        ready = files - len(todo)
        self._progress(f"reading {todo[0].document}", ready, files)
        for outcome in hands(todo):
            done[outcome.sha] = outcome
            self._progress(f"reading {names[outcome.sha]}", ready + len(done), files)
        return done

    def _new_version(self, roots: Sequence[Path], files: Sequence[IndexedFile]) -> Manifest:
        version, folder = self._versions.begin()
        built = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        manifest = Manifest(version, built, *self._made_by(roots), files=tuple(files))
        try:
            new = NewVersion(self._versions.folder, folder, manifest, self._settings, self._parsed)
            new.write(self._progress, prior_again=self._full)
            self._progress("verifying", len(files), len(files))
            new.verify()
            manifest.save(folder)
            self._versions.publish(version, folder)
        except BaseException:
            self._versions.clear(version)
            if self._settings.store == "server" and not self._versions.path(version).exists():
                drop_store(self._settings, version)
            raise
        publish(self._settings, alias_of(self._versions.folder), version)
        return manifest

    def _tidy(self, manifest: Manifest) -> None:
        for gone in self._versions.prune(self._settings.keep):
            drop_store(self._settings, gone)
        shas = {f.sha for f in manifest.files}
        for version in self._versions.complete():
            shas |= {f.sha for f in Manifest.load(self._versions.path(version)).files}
        self._parsed.keep(shas)


def _entry(source: SourceFile, outcome: Outcome) -> IndexedFile:
    return IndexedFile(
        source.document,
        str(source.path.absolute()),
        source.sha,
        source.roles,
        outcome.title,
        outcome.pages,
        outcome.chunks,
        outcome.sections,
        outcome.failure,
        outcome.failed_pages,
        outcome.date,
        outcome.ocr_pages,
    )


def _outcome(file: IndexedFile) -> Outcome:
    return Outcome(
        file.sha,
        file.title,
        file.pages,
        file.chunks,
        file.sections,
        file.failed_pages,
        file.date,
        file.ocr_pages,
        reused=True,
    )
