"""Who reads the files: Dask inside the process, worker processes, one of them killed, and a file that kills them all."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from benchmarks.index_corpus import SETTINGS, give_vectors, write_entry
from kb_index.build import build
from kb_index.errors import NoWorkers
from kb_index.parsed import ParsedFiles
from kb_index.prepare import HUNG, TRIES, Outcome, Work, content_hash, prepare
from kb_index.search import Index
from kb_index.versions import Versions

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    for n in range(6):
        write_entry(folder / f"entry-{n}.docx", f"ledger entry {n}", paragraphs=1 if n else 300)
    give_vectors(sorted(folder.iterdir()), tmp_path / "index" / "default")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nthis is not a PDF\n%%EOF")
    return folder


@pytest.fixture
def index_dir(tmp_path: Path) -> Path:
    return tmp_path / "index" / "default"


def documents(index_dir: Path) -> set[str]:
    with Index.open(index_dir, SETTINGS) as index:
        return {h.document for h in index.search("ledger", by="words", limit=50)}


ENTRIES = {f"entry-{n}.docx" for n in range(6)}


def test_dask_in_this_process_builds_the_same(docs: Path, index_dir: Path) -> None:
    report = build([docs], index_dir, settings=SETTINGS, workers=0)
    assert (report.files, report.read) == (6, 6)
    assert [Path(p).name for p, _ in report.failed] == ["broken.pdf"]
    assert documents(index_dir) == ENTRIES
    again = build([docs], index_dir, settings=SETTINGS, workers=0)
    assert (again.changed, again.skipped, len(again.failed)) == (False, 6, 1)


def test_a_schedulers_workers_build_the_same(docs: Path, index_dir: Path) -> None:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address=":0",
    ) as cluster:
        report = build([docs], index_dir, settings=SETTINGS, scheduler=cluster.scheduler_address)
    assert (report.files, len(report.failed)) == (6, 1)
    assert documents(index_dir) == ENTRIES


def test_a_second_build_says_so_in_one_line(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "assay.yaml").write_text("home: home\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "assay",
        "index",
        "build",
        str(docs),
        "--configs",
        str(tmp_path / "configs"),
    ]
    with Versions(tmp_path / "home" / "index" / "default").building():
        done = subprocess.run(
            command, cwd=ROOT, check=False, capture_output=True, text=True, env=_without_home()
        )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "another build of" in line


def _without_home() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k != "ASSAY_HOME"}


def test_a_scheduler_that_is_not_there_is_one_line(
    docs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb_index.workers.WAIT_S", 1)
    with pytest.raises(NoWorkers, match=r"no Dask workers at tcp://127\.0\.0\.1:9"):
        build([docs], index_dir, settings=SETTINGS, scheduler="tcp://127.0.0.1:9")


class Reaper(threading.Thread):
    """Ends the process that reads `poison`, each time; and, once, one that reads another file: what the kernel does
    to a process that needs too much memory."""

    def __init__(self, index_dir: Path, poison: str) -> None:
        super().__init__(daemon=True)
        self.parsed = index_dir / "parsed"
        self.poison = poison
        self.poisoned: set[int] = set()
        self.innocent: set[int] = set()
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.is_set():
            for mark in self.parsed.glob("*/*.tries"):
                victims = self.poisoned if mark.name.startswith(self.poison) else self.innocent
                if victims is self.innocent and self.innocent:
                    continue
                with contextlib.suppress(FileNotFoundError, ProcessLookupError, IndexError, ValueError):
                    pid = int(mark.read_text(encoding="ascii").splitlines()[-1].split()[-1])
                    if pid not in victims:
                        os.kill(pid, signal.SIGKILL)
                        victims.add(pid)
            time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.timeout(600)  # six worker processes start, one after another
def test_two_workers_outlive_a_kill_and_a_poison_file(docs: Path, index_dir: Path) -> None:
    poison = docs / "poison.docx"
    write_entry(poison, "ledger of poison", paragraphs=3000)  # long to read, so that it is caught at it
    reaper = Reaper(index_dir, content_hash(poison))
    reaper.start()
    try:
        report = build([docs], index_dir, settings=SETTINGS, workers=2)
    finally:
        reaper.done.set()
        reaper.join()
    assert len(reaper.innocent) == 1
    assert len(reaper.poisoned) == TRIES
    assert os.getpid() not in reaper.innocent | reaper.poisoned
    reasons = {Path(p).name: r for p, r in report.failed}
    assert set(reasons) == {"poison.docx", "broken.pdf"}
    assert "died, 3 times" in reasons["poison.docx"]
    assert documents(index_dir) == ENTRIES
    again = build([docs], index_dir, settings=SETTINGS)  # it is not tried again, or it would end this process
    assert (again.changed, {Path(p).name for p, _ in again.failed}) == (False, set(reasons))


def work_on(path: Path, index_dir: Path, *, full: bool = False) -> Work:
    return Work(path, path.name, content_hash(path), index_dir, SETTINGS, full)


def test_a_file_that_ended_its_processes_is_given_up_and_tried_again_when_told(
    docs: Path, index_dir: Path
) -> None:
    work = work_on(docs / "entry-0.docx", index_dir)
    kept = ParsedFiles.of(index_dir, SETTINGS)
    for _ in range(TRIES):
        with contextlib.suppress(FileNotFoundError), kept.trying(work.sha):
            mark = next(index_dir.glob("parsed/*/*.tries"))
            left = mark.read_text(encoding="ascii")
        mark.write_text(left, encoding="ascii")  # as a process that was killed leaves it
    assert "died, 3 times" in prepare(work).failure
    assert "died, 3 times" in prepare(work).failure  # remembered
    kept.forget_failures()
    assert prepare(work).failure == ""


def test_a_file_that_changes_while_it_is_read_is_not_kept_under_its_old_hash(
    docs: Path, index_dir: Path
) -> None:
    work = work_on(docs / "entry-0.docx", index_dir)
    write_entry(docs / "entry-0.docx", "ledger of something else")
    assert prepare(work) == Outcome(work.sha, failure="changed while it was read; build again")
    assert ParsedFiles.of(index_dir, SETTINGS).failure(work.sha) == ""


def test_a_failure_of_the_moment_is_tried_again(docs: Path, index_dir: Path) -> None:
    gone = work_on(docs / "entry-0.docx", index_dir)
    (docs / "entry-0.docx").rename(docs / "away.docx")
    assert prepare(gone).failure
    (docs / "away.docx").rename(docs / "entry-0.docx")
    assert prepare(gone).failure == ""


def long_pdf(path: Path, pages: int) -> None:
    canvas = Canvas(str(path))
    for n in range(pages):
        for k in range(40):
            canvas.drawString(
                60, 800 - 18 * k, f"page {n} line {k} of a ledger that goes on and on for a long while"
            )
        canvas.showPage()
    canvas.save()


@pytest.mark.parametrize("workers", [None, 0])
def test_a_file_that_takes_too_long_is_named_and_the_rest_is_built(
    docs: Path, index_dir: Path, workers: int | None
) -> None:
    long_pdf(docs / "endless.pdf", 60)
    hurried = replace(SETTINGS, file_seconds=0.2)
    report = build([docs], index_dir, settings=hurried, workers=workers)
    reasons = {Path(p).name: reason for p, reason in report.failed}
    assert set(reasons) == {"broken.pdf", "endless.pdf"}
    assert "takes longer than 0.2 s (page" in reasons["endless.pdf"]
    assert report.files == 6


HANGS = """
import sys, time
import kb_index.parse
kb_index.parse.parse = lambda *_: time.sleep(60)
from pathlib import Path
from kb_index.prepare import Work, prepare
from kb_index.settings import IndexSettings
prepare(Work(Path(sys.argv[1]), "x", sys.argv[2], Path(sys.argv[3]), IndexSettings(file_seconds=0.2)), True)
"""


def test_a_process_that_hangs_within_a_page_ends_and_leaves_its_mark(docs: Path, index_dir: Path) -> None:
    path = docs / "entry-1.docx"
    sha = content_hash(path)
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", HANGS, str(path), sha, str(index_dir)], cwd=ROOT, timeout=60)
    assert done.returncode == HUNG
    assert time.monotonic() - begun < 30
    assert ParsedFiles.of(index_dir, SETTINGS).tries(sha) == 1
