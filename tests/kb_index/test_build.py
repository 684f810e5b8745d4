"""Whole builds on real files with the real model. What a build does to an index that is being read."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import docx
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from kb_index.build import BuildReport, build
from kb_index.errors import BadSettings, BuildRunning, NoIndex, UnreadableFile
from kb_index.search import Index
from kb_index.settings import IndexSettings
from kb_index.status import rollback, status
from kb_index.versions import Versions

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


def write_pdf(path: Path, title: str, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(60, 760, title)
    canvas.setFont("Helvetica", 11)
    for i, text in enumerate(lines):
        canvas.drawString(60, 720 - 16 * i, text)
    canvas.save()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    write_pdf(docs / "parking.pdf", "Parking rules", "Visitors may park in row C for up to four hours.")
    write_pdf(
        docs / "hr" / "leave.pdf", "Leave", "Employees have fifteen days of paid holiday after ten years."
    )
    document = docx.Document()
    document.add_heading("退货政策", level=1)
    document.add_paragraph("签收后七天内，商品完好可以无理由退货，运费由顾客承担。")
    document.save(str(docs / "退货.docx"))
    return docs


@pytest.fixture
def settings(e5_home: Path) -> IndexSettings:
    return IndexSettings(home=str(e5_home))


@pytest.fixture
def index_dir(tmp_path: Path) -> Path:
    return tmp_path / "index" / "default"


def documents(index_dir: Path, settings: IndexSettings, question: str, **more: object) -> list[str]:
    with Index.open(index_dir, settings) as index:
        return [h.document for h in index.search(question, **more)]  # type: ignore[arg-type]


def test_what_is_built_is_found_with_its_place(
    folder: Path, index_dir: Path, settings: IndexSettings
) -> None:
    report = build([folder], index_dir, settings=settings)
    assert (report.files, report.pages, report.skipped, report.failed) == (3, 3, 0, [])
    with Index.open(index_dir, settings) as index:
        hit = index.search("买了七天之内能不能退")[0]
        assert (hit.document, hit.page_from, hit.section_path, hit.kind) == (
            "退货.docx",
            1,
            ("退货政策",),
            "text",
        )
        assert "运费由顾客承担" in hit.text
        assert index.search("where can guests leave their car")[0].document == "parking.pdf"
        assert index.search("how do vaccines work") == []
        assert index.search("release V9.9.9") == []  # a version that no document names
        assert index.search("  ") == []
    shown = status(index_dir)
    assert shown.version == report.version
    assert shown.chunks == report.chunks


def test_filters_narrow_the_search(folder: Path, index_dir: Path, settings: IndexSettings) -> None:
    build([folder], index_dir, settings=settings)
    assert set(documents(index_dir, settings, "holiday", filters={"doc": "leave"})) == {"hr/leave.pdf"}
    assert documents(index_dir, settings, "holiday", filters={"doc": "no such document"}) == []
    assert documents(index_dir, settings, "退货", filters={"section": "退货政策"}) == ["退货.docx"]
    assert documents(index_dir, settings, "parking row", filters={"page": {"from": 2, "to": None}}) == []
    with pytest.raises(BadSettings, match="colour"):
        documents(index_dir, settings, "holiday", filters={"colour": "red"})


def test_only_what_changed_is_done_again(folder: Path, index_dir: Path, settings: IndexSettings) -> None:
    first = build([folder], index_dir, settings=settings)
    again = build([folder], index_dir, settings=settings)
    assert (again.version, again.changed, again.skipped) == (first.version, False, 3)

    write_pdf(folder / "parking.pdf", "Parking rules", "Visitors may park in row F only.")
    (folder / "hr" / "leave.pdf").rename(folder / "holiday.pdf")
    changed = build([folder], index_dir, settings=settings)
    assert (changed.files, changed.skipped, changed.changed) == (3, 2, True)
    with Index.open(index_dir, settings) as index:
        assert "row F" in index.search("where do visitors park")[0].text
        assert index.search("days of paid holiday")[0].document == "holiday.pdf"

    (folder / "holiday.pdf").unlink()
    fewer = build([], index_dir, settings=settings)  # the folders of the last build
    assert fewer.files == 2
    assert "holiday.pdf" not in documents(index_dir, settings, "days of paid holiday")


def test_a_reader_moves_on_by_itself_and_back(folder: Path, index_dir: Path, settings: IndexSettings) -> None:
    first = build([folder], index_dir, settings=settings)
    with Index.open(index_dir, settings) as index:
        assert index.version == first.version
        shutil.copy(folder / "parking.pdf", folder / "parking-copy.pdf")
        second = build([folder], index_dir, settings=settings)
        assert second.skipped == 4  # a copy has its original's vectors
        found = {h.document for h in index.search("where do visitors park")}
        assert {"parking.pdf", "parking-copy.pdf"} <= found
        assert index.version == second.version
        assert rollback(index_dir) == first.version
        assert "parking-copy.pdf" not in {h.document for h in index.search("where do visitors park")}


def test_bad_files_are_named_and_the_rest_is_built(
    folder: Path, pdfs: Path, index_dir: Path, settings: IndexSettings
) -> None:
    for name in ("locked.pdf", "broken.pdf", "scanned.pdf"):
        shutil.copy(pdfs / name, folder / name)
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    settings = replace(settings, ocr=False)
    report = build([folder], index_dir, settings=settings)
    reasons = {Path(p).name: r for p, r in report.failed}
    assert set(reasons) == {"locked.pdf", "broken.pdf", "scanned.pdf", "old.doc"}
    assert "encrypted" in reasons["locked.pdf"]
    assert reasons["scanned.pdf"].startswith("page 2 of 3: needs OCR")
    assert report.files == 4  # the readable page of scanned.pdf is in
    again = build([folder], index_dir, settings=settings)
    assert {Path(p).name for p, _ in again.failed} == set(reasons)  # named until it is mended


def test_a_folder_without_documents_leaves_the_index_as_it_is(
    folder: Path, index_dir: Path, settings: IndexSettings, tmp_path: Path
) -> None:
    version = build([folder], index_dir, settings=settings).version
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("text")
    with pytest.raises(NoIndex, match="holds no PDF or Word file; nothing was built"):
        build([tmp_path / "other"], index_dir, settings=settings)
    with pytest.raises(NoIndex, match="is not read"):
        build([tmp_path / "other" / "notes.txt"], index_dir, settings=settings)
    assert Versions(index_dir).current() == version


def test_a_damaged_version_is_built_anew_and_cleared_away(
    folder: Path, index_dir: Path, settings: IndexSettings
) -> None:
    damaged = build([folder], index_dir, settings=settings).version
    (index_dir / "versions" / damaged / "manifest.json").write_text("{")
    mended = build([folder], index_dir, settings=settings).version
    assert Versions(index_dir).complete() == [mended]
    assert not (index_dir / "versions" / damaged).exists()


def test_roles_close_what_is_declared(folder: Path, index_dir: Path, settings: IndexSettings) -> None:
    (folder / "access.yaml").write_text('"hr/**": [hr]\n"parking.pdf": everyone\n', encoding="utf-8")
    build([folder], index_dir, settings=settings)
    question = "days of paid holiday"
    assert "hr/leave.pdf" not in documents(index_dir, settings, question)
    assert "hr/leave.pdf" not in documents(index_dir, settings, question, roles=("sales",))
    assert documents(index_dir, settings, question, roles=("sales", "hr"))[0] == "hr/leave.pdf"
    assert documents(index_dir, settings, "where do visitors park") == ["parking.pdf"]
    assert documents(index_dir, settings, "退货政策", roles=("hr",)) == []  # matched by no glob: closed
    (folder / "access.yaml").write_text('"hr/**": [hr\n', encoding="utf-8")
    with pytest.raises(BadSettings, match=r"access\.yaml:\d"):
        build([folder], index_dir, settings=settings)


def test_two_builds_do_not_collide(folder: Path, index_dir: Path, settings: IndexSettings) -> None:
    with Versions(index_dir).building(), pytest.raises(BuildRunning, match="another build"):
        build([folder], index_dir, settings=settings)


def test_no_index_and_no_folder_say_what_to_do(tmp_path: Path, settings: IndexSettings) -> None:
    with pytest.raises(NoIndex, match="run: assay index build"):
        Index.open(tmp_path / "none", settings)
    with pytest.raises(UnreadableFile, match="does not exist"):
        build([tmp_path / "gone"], tmp_path / "index", settings=settings)


_KILLED = """
import os, signal, sys
from pathlib import Path
from kb_index.build import build
def progress(what, done, total):
    if what.startswith(sys.argv[4]) and done == int(sys.argv[5]):
        os.kill(os.getpid(), signal.SIGKILL)
build([Path(sys.argv[1])], Path(sys.argv[2]), settings={"home": sys.argv[3]}, progress=progress)
"""


@pytest.mark.parametrize(("stage", "at"), [("writing", "0"), ("writing", "1"), ("verifying", "2")])
def test_a_killed_build_leaves_the_old_index(
    folder: Path, index_dir: Path, settings: IndexSettings, stage: str, at: str
) -> None:
    first = build([folder], index_dir, settings=settings)
    (folder / "hr" / "leave.pdf").unlink()
    ran = subprocess.run(
        [sys.executable, "-c", _KILLED, str(folder), str(index_dir), settings.home, stage, at],
        cwd=ROOT,
        check=False,
    )
    assert ran.returncode == -signal.SIGKILL
    assert status(index_dir).version == first.version
    assert documents(index_dir, settings, "days of paid holiday")[0] == "hr/leave.pdf"
    after = build([folder], index_dir, settings=settings)
    assert after.files == 2
    assert not list((index_dir / "versions").glob(".building-*"))


def test_readers_are_served_while_versions_change(
    folder: Path, index_dir: Path, settings: IndexSettings
) -> None:
    build([folder], index_dir, settings=settings)
    failures: list[BaseException] = []
    reports: list[BuildReport] = []
    done = threading.Event()

    def read() -> None:
        try:
            with Index.open(index_dir, settings) as index:
                while not done.is_set():
                    assert "row C" in index.search("where do visitors park")[0].text
        except BaseException as e:  # handed to the test's own thread
            failures.append(e)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for n in range(4):
            shutil.copy(folder / "parking.pdf", folder / f"copy-{n}.pdf") if n % 2 else os.utime(folder)
            (folder / "access.yaml").write_text(f'"**": everyone\n"round {n}": [nobody]\n', encoding="utf-8")
            reports.append(build([folder], index_dir, settings=settings))
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert failures == []
    assert reports[-1].files == 5


def test_versions_begun_within_a_second_sort_by_age(tmp_path: Path) -> None:
    versions = Versions(tmp_path)
    names = [versions.begin()[0] for _ in range(20)]
    assert names == sorted(names)
