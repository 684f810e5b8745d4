"""Tables as people draw them: few rules, wrapped cells, headings over several columns. Each is drawn and read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from kb_index.pdf import tables_of

HEIGHT = A4[1]
Draw = Callable[[Any], None]
PROSE = "This sentence fills the line so that the page holds ordinary running text for its reader."
BODY = [("Oslo", "12.5", "310", "4"), ("Bergen", "9.1", "205", "3"), ("Narvik", "7.4", "118", "2"), ("Tromsø", "6.6", "97", "1")]  # fmt: skip
HEAD = ("Port", "Depth", "Berths", "Cranes")


def say(c: Any, x: float, y: float, text: str, size: float = 10) -> None:
    """`y` from the page's top."""
    c.setFont("Helvetica", size)
    c.drawString(x, HEIGHT - y, text)


def table(
    c: Any, rows: Sequence[Sequence[str]], top: float = 200, wide: float = 90, tall: float = 16
) -> None:
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            say(c, 60 + wide * j, top + tall * i, cell)


def rules(c: Any, xs: Sequence[float], ys: Sequence[float]) -> None:
    """Lines at these places, from the page's left and top, as long as the others reach."""
    for x in xs:
        c.line(x, HEIGHT - ys[0], x, HEIGHT - ys[-1])
    for y in ys:
        c.line(xs[0], HEIGHT - y, xs[-1], HEIGHT - y)


@pytest.fixture
def read(tmp_path: Path) -> Callable[[Draw], list[tuple[tuple[str, ...], ...]]]:
    def drawn(draw: Draw) -> list[tuple[tuple[str, ...], ...]]:
        path = tmp_path / "page.pdf"
        canvas = Canvas(str(path), pagesize=A4, invariant=True)
        for i in range(4):
            say(canvas, 60, 80 + 14 * i, PROSE)
        draw(canvas)
        canvas.save()
        (found,) = tables_of(path).values()
        return [grid.rows for grid in found]

    return drawn


Read = Callable[[Draw], list[tuple[tuple[str, ...], ...]]]


def test_rules_round_all_rows_do_not_make_them_one(read: Read) -> None:
    def draw(c: Any) -> None:
        table(c, [HEAD, *BODY])
        rules(c, [56, 146, 236, 326, 410], [188, 205, 270])

    assert read(draw) == [(HEAD, *BODY)]


def test_columns_outside_the_rules_belong_to_the_table(read: Read) -> None:
    def draw(c: Any) -> None:
        table(c, [HEAD, *BODY])
        rules(c, [146, 236, 326], [188 + 16 * i for i in range(6)])

    assert read(draw) == [(HEAD, *BODY)]


def test_tables_side_by_side_stay_apart(read: Read) -> None:
    def draw(c: Any) -> None:
        for left in (56, 206):
            for i, (name, depth, *_) in enumerate(BODY):
                say(c, left + 4, 200 + 16 * i, name)
                say(c, left + 74, 200 + 16 * i, depth)
            rules(c, [left, left + 70, left + 120], [188 + 16 * i for i in range(5)])

    assert read(draw) == [tuple((n, d) for n, d, *_ in BODY)] * 2


def test_a_heading_over_several_columns_does_not_join_them(read: Read) -> None:
    def draw(c: Any) -> None:
        say(c, 155, 184, "measured in a dry summer")
        say(c, 330, 184, "lifting")
        table(c, [HEAD, *BODY])

    (rows,) = read(draw)
    assert rows[1:] == (HEAD, *BODY)
    assert [c for c in rows[0] if c] == ["measured in a dry summer", "lifting"]


def test_wrapped_cells_are_one_row(read: Read) -> None:
    def draw(c: Any) -> None:
        y = 200.0
        for first, second in (("Item", "What it pays for"), ("Travel and", "The way to the place of work"), ("Board and", "A room, and meals on all"), ("Books", "What is read in the course")):  # fmt: skip
            say(c, 60, y, first)
            say(c, 200, y, second)
            if first.endswith("and"):
                say(c, 60, y + 11, "others")
                say(c, 200, y + 11, "days of the week")
                y += 11
            y += 22

    assert read(draw) == [
        (
            ("Item", "What it pays for"),
            ("Travel and others", "The way to the place of work days of the week"),
            ("Board and others", "A room, and meals on all days of the week"),
            ("Books", "What is read in the course"),
        )
    ]


def test_a_long_name_beside_a_number_is_a_row(read: Read) -> None:
    names = [
        "Share of qualified staff among all who were there",
        "Staff",
        "Share of places that were taken up by newcomers",
    ]

    def draw(c: Any) -> None:
        for i, (name, n) in enumerate(zip(names, ("41", "7", "12"), strict=True)):
            say(c, 60, 200 + 16 * i, name)
            say(c, 400, 200 + 16 * i, n)

    assert read(draw) == [tuple(zip(names, ("41", "7", "12"), strict=True))]


def test_numbers_that_ran_together_go_to_their_columns(read: Read) -> None:
    def draw(c: Any) -> None:
        for i in range(7):
            say(c, 60, 200 + 16 * i, f"{i} years")
            say(c, 160, 200 + 16 * i, "1,087")
            say(c, 215, 200 + 16 * i, "2,250")
        say(c, 60, 312, "all")
        say(c, 137, 312, "1,387,948,117")
        say(c, 207, 312, "22,022,490")

    (rows,) = read(draw)
    assert rows[-1] == ("all", "1,387,948,117", "22,022,490")


def test_the_labels_of_a_chart_are_no_table(read: Read) -> None:
    def draw(c: Any) -> None:
        for i in range(12):
            say(c, 60, 200 + 14 * i, f"{450 - 50 * i}")
            say(c, 300, 207 + 14 * i, f"{2 + i}")
            if i % 4 == 1:
                say(c, 150, 200 + 14 * i, "Spread")
                say(c, 420, 200 + 14 * i, "Yield")

    assert read(draw) == []


def test_a_column_of_text_beside_a_table_is_not_its_cells(read: Read) -> None:
    def draw(c: Any) -> None:
        for i in range(12):
            say(c, 60, 200 + 16 * i, "justified words fill the column from end to end")
        for i, (name, depth, *_) in enumerate(BODY):
            say(c, 330, 232 + 16 * i, name)
            say(c, 430, 232 + 16 * i, depth)

    assert read(draw) == [tuple((n, d) for n, d, *_ in BODY)]
