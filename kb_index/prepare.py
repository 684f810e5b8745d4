"""The work on one file: parsed, embedded, kept beside the versions under its content's hash.

It is what a build hands out, to this process or to workers, so it takes and gives little, may be done twice, and
leaves what it made where every process of the build sees it. A file during whose work the process died TRIES times
(it needs more memory than there is, or crashes a library) is given up, by name.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kb_index.errors import UnreadableFile
from kb_index.parsed import ParsedFile, ParsedFiles
from kb_index.settings import IndexSettings

__all__ = ["TRIES", "Outcome", "Work", "content_hash", "give_up", "prepare"]

TRIES = 3
HANGS = 2  # times the time that a file is given: its parsing looks at the clock after each page, so it hangs within one
HUNG = 75  # the process's exit status then


@dataclass(frozen=True, slots=True)
class Work:
    """`path` must be the same file, and `index_dir` the same folder, wherever the work is done."""

    path: Path
    document: str
    sha: str
    index_dir: Path
    settings: IndexSettings
    full: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """`failure`: why the file as a whole gives nothing. `reused`: nothing had to be done."""

    sha: str
    title: str = ""
    pages: int = 0
    chunks: int = 0
    sections: tuple[str, ...] = ()
    failed_pages: str = ""
    date: int = 0
    ocr_pages: int = 0
    failure: str = ""
    reused: bool = False


def prepare(work: Work, may_end: bool = False) -> Outcome:
    """`may_end`: this process may be ended where a library hangs within a page, since its nanny starts it anew; after TRIES
    such ends the file is given up. Raises NoModel, NoJava and what a full disk raises: faults of the place, not of the file."""
    kept = ParsedFiles.of(work.index_dir, work.settings)
    if not work.full and (failure := kept.failure(work.sha)):
        return Outcome(work.sha, failure=failure, reused=True)
    if kept.tries(work.sha) >= TRIES:
        return give_up(work, f"the process that read it died, {TRIES} times; not tried again")
    with kept.trying(work.sha):
        try:
            parsed = None if work.full else kept.load(work.sha)
            if parsed and kept.has_vectors(work.sha, work.settings.model_key, len(parsed.chunks)):
                return _outcome_of(work.sha, parsed, reused=True)
            return _embed(kept, work, parsed or _parse(kept, work, may_end))
        except UnreadableFile as e:
            moment = _fault_of_the_moment(work)
            return Outcome(work.sha, failure=moment) if moment else give_up(work, e.reason)
        except MemoryError:
            return give_up(work, "needs more memory than there is")


def _parse(kept: ParsedFiles, work: Work, may_end: bool) -> ParsedFile:
    from kb_index.parse import parse

    ocr_home = work.settings.home_of(work.index_dir) if work.settings.ocr else None
    seconds = work.settings.file_seconds
    with _ended_after(HANGS * seconds if may_end else 0.0):
        parsed = parse(work.path, work.settings.chunk, ocr_home, seconds)
    if moment := _fault_of_the_moment(work):
        raise UnreadableFile(work.path, moment)
    kept.save(work.sha, parsed)
    return parsed


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """The whole process, unless this is left before; 0 for never."""
    watch = threading.Timer(seconds, os._exit, [HUNG])
    watch.daemon = True
    if seconds:
        watch.start()
    try:
        yield
    finally:
        watch.cancel()


def _embed(kept: ParsedFiles, work: Work, parsed: ParsedFile) -> Outcome:
    key = work.settings.model_key
    if work.full or not kept.has_vectors(work.sha, key, len(parsed.chunks)):
        from kb_index.embed import embedder

        vectors = embedder(work.settings, work.index_dir).passages(parsed.contexts())
        kept.save_vectors(work.sha, key, vectors)
    return _outcome_of(work.sha, parsed)


def _fault_of_the_moment(work: Work) -> str:
    """Why what was just read is not the content that was asked for: the file is away, closed to us, or another one
    now. Not remembered."""
    try:
        return "" if content_hash(work.path) == work.sha else "changed while it was read; build again"
    except OSError as e:
        return f"cannot be read: {e.strerror or e}"


def _outcome_of(sha: str, parsed: ParsedFile, *, reused: bool = False) -> Outcome:
    from kb_index.parse import failed_pages

    sections = dict.fromkeys(" > ".join(c.section_path) for c in parsed.chunks if c.section_path)
    return Outcome(
        sha,
        parsed.title,
        len(parsed.pages),
        len(parsed.chunks),
        tuple(sections),
        failed_pages(parsed.pages),
        parsed.date,
        sum(p.status == "ocr" for p in parsed.pages),
        reused=reused,
    )


def give_up(work: Work, reason: str) -> Outcome:
    """The content is not tried again until it is told to (`full`)."""
    ParsedFiles.of(work.index_dir, work.settings).save_failure(work.sha, reason)
    return Outcome(work.sha, failure=reason)


def content_hash(path: Path) -> str:
    """SHA-256, hexadecimal. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as f:
        while block := f.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
