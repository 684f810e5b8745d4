"""Charts and drawn tables from text boxes as OCR gives them; no OCR is run here."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.base import DatasetSpec, FieldSpec
from adapters.board_mapping import Mapped
from adapters.board_reply import BoardReply
from adapters.board_visit import Drawn
from adapters.chart_reading import Chart, read_chart
from adapters.chart_table import drawn_table
from adapters.errors import FormatError, SchemaDrift
from adapters.ocr import TextBox
from adapters.reading import Reading
from adapters.stability import Minimum

DATASET = DatasetSpec(
    "repurchase",
    (
        FieldSpec("tier", "text", values=("VIP", "普通")),
        FieldSpec("quarter", "quarter"),
        FieldSpec("shop", "text"),
        FieldSpec("rate", "percent"),
    ),
)
CHART = Chart("quarter", "rate", title="复购率")
BOTTOM, TOP = 560.0, 100.0  # where 0 % and 50 % stand
WIDTH = 9.0  # of a character


def box(text: str, x: float, y: float, score: float = 0.99, right: bool = False) -> TextBox:
    width = WIDTH * len(text)
    left = x - width if right else x - width / 2
    return TextBox(text, score, left, y - 12, left + width, y + 12)


def height(value: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * value / 50


def scale() -> list[TextBox]:
    return [box(f"{v}%", 90, height(v), right=True) for v in range(0, 60, 10)]


def columns(values: dict[str, float], start: float = 200, step: float = 200) -> list[TextBox]:
    boxes = [box("复购率", 640, 20)]
    for i, (name, value) in enumerate(values.items()):
        boxes += [
            box(name, start + step * i, 590),
            box(f"{value:.1f}%", start + step * i, height(value) - 18),
        ]
    return boxes


def read(boxes: list[TextBox], chart: Chart = CHART) -> list[tuple[str, ...]]:
    return [tuple(r.text for r in row.values()) for row in read_chart(boxes, chart, DATASET)]


FOUR = {"2023Q3": 31.2, "2023Q4": 29.8, "2024Q1": 34.5, "2024Q2": 36.1}
PAIRS = [(q, f"{v:.1f}%") for q, v in FOUR.items()]


def test_labels_are_paired_with_categories_and_the_scale_is_left_out() -> None:
    assert read(columns(FOUR) + scale()) == PAIRS


def test_without_a_scale() -> None:
    assert read(columns(FOUR)) == PAIRS


def test_line_chart_that_begins_on_its_axis() -> None:
    assert read(columns(FOUR, start=98) + scale()) == PAIRS


def test_a_single_category() -> None:
    assert read(columns({"2024Q1": 34.5}) + scale()) == [("2024Q1", "34.5%")]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 490), min_size=3, max_size=8), st.randoms(use_true_random=False))
def test_any_heights_in_any_order(tenths: list[int], random: Random) -> None:
    values = {f"{2020 + i // 4}Q{i % 4 + 1}": t / 10 for i, t in enumerate(tenths)}
    boxes = columns(values, step=140) + scale()
    random.shuffle(boxes)
    assert read(boxes) == [(q, f"{v:.1f}%") for q, v in values.items()]


def test_a_label_too_few_is_refused() -> None:
    boxes = [b for b in columns(FOUR) + scale() if b.text != "34.5%"]
    with pytest.raises(FormatError, match="3 value labels were read for 4 categories; wrong at 2024Q1: none"):
        read(boxes)


def test_a_category_too_few_is_refused() -> None:
    boxes = [b for b in columns(FOUR) + scale() if b.text != "2023Q4"]
    with pytest.raises(
        FormatError, match=r"4 value labels were read for 3 categories|stands over no category"
    ):
        read(boxes)


def test_a_bar_at_the_edge_of_which_nothing_was_read_is_refused() -> None:
    pixels = np.full((640, 1200, 3), 255, np.uint8)
    for i, value in enumerate(FOUR.values()):
        pixels[int(height(value)) : int(BOTTOM), 130 + 200 * i : 270 + 200 * i] = (198, 112, 84)
    rows = read_chart(columns(FOUR) + scale(), CHART, DATASET, pixels)
    assert len(rows) == 4
    seen = [b for b in columns(FOUR) + scale() if b.text not in ("2024Q2", "36.1%")]
    with pytest.raises(FormatError, match="beside 2024Q1 stands a bar whose category was not read"):
        read_chart(seen, CHART, DATASET, pixels)


def test_a_category_twice_is_refused() -> None:
    boxes = [*columns(FOUR), box("2024年第一季度", 1000, 590), box("33.0%", 1000, height(33) - 18)]
    with pytest.raises(FormatError, match="a category stands twice"):
        read(boxes)


def test_no_category_at_all_says_what_the_picture_says() -> None:
    with pytest.raises(
        FormatError, match="no category label of type quarter was read; the picture says: 加载失败"
    ):
        read([box("加载失败", 100, 100)])


@pytest.mark.parametrize("misread", ["345%", "3.45%"])
def test_label_that_contradicts_its_height_is_refused(misread: str) -> None:
    boxes = columns(FOUR) + scale()
    at = next(i for i, b in enumerate(boxes) if b.text == "34.5%")
    boxes[at] = box(misread, boxes[at].x, boxes[at].y)
    with pytest.raises(FormatError, match=rf"'{misread}' \(score 0\.99\) does not fit its height"):
        read(boxes)


def test_unit_that_the_labels_leave_out() -> None:
    boxes = [box(b.text.rstrip("%"), b.x, b.y) for b in columns(FOUR)]
    rows = read_chart(boxes, Chart("quarter", "rate", title="复购率", unit="%"), DATASET)
    assert rows[0]["rate"].understood("percent") == (0.312, "31.2")


def test_bars_beside_their_categories() -> None:
    shops = {"徐汇店": 31.2, "静安店": 29.8, "浦东店": 12.0}
    boxes = [box("门店复购率", 300, 20), *(box(f"{v}%", 100 + 8 * v, 300) for v in (0, 20, 40))]
    for i, (name, value) in enumerate(shops.items()):
        boxes += [box(name, 80, 80 + 60 * i, right=True), box(f"{value:.1f}%", 140 + 8 * value, 80 + 60 * i)]
    chart = Chart("shop", "rate", form="sideways", title="门店复购率")
    assert read(boxes, chart) == [(n, f"{v:.1f}%") for n, v in shops.items()]


def _two_series() -> list[TextBox]:
    boxes = [box("VIP", 540, 30), box("普通", 740, 30)]
    for i, (quarter, vip, plain) in enumerate([("2024Q1", 42.2, 21.2), ("2024Q2", 43.8, 19.8)]):
        x = 300 + 400 * i
        boxes += [box(quarter, x, 590)]
        boxes += [box(f"{vip}%", x - 70, height(vip) - 18), box(f"{plain}%", x + 70, height(plain) - 18)]
    return boxes


SERIES = Chart("quarter", "rate", series="tier")


def test_series_by_their_order() -> None:
    assert read(_two_series() + scale(), SERIES) == [
        ("2024Q1", "42.2%", "VIP"),
        ("2024Q1", "21.2%", "普通"),
        ("2024Q2", "43.8%", "VIP"),
        ("2024Q2", "19.8%", "普通"),
    ]


def test_series_by_colour_even_against_their_order() -> None:
    boxes = _two_series()
    pixels = np.full((640, 1200, 3), 255, np.uint8)
    blue, green = (198, 112, 84), (117, 204, 145)
    pixels[20:40, 480:520], pixels[20:40, 680:725] = blue, green  # the legend's swatches
    for b in boxes:
        if b.text.endswith("%"):
            colour = blue if b.text in ("21.2%", "19.8%") else green
            pixels[int(b.bottom) : 560, int(b.left) : int(b.right)] = colour
    rows = read_chart(boxes, SERIES, DATASET, pixels)
    assert [(r["tier"].text, r["rate"].text) for r in rows] == [
        ("VIP", "21.2%"),
        ("普通", "42.2%"),
        ("VIP", "19.8%"),
        ("普通", "43.8%"),
    ]


def test_series_that_cannot_be_told_apart_are_refused() -> None:
    boxes = [box("VIP", 540, 30), box("普通", 740, 30)]
    boxes += [box("2024Q1", 300, 590), box("42.2%", 300, 150), box("21.2%", 300, 350)]
    with pytest.raises(FormatError, match="the series over 2024Q1 cannot be told apart"):
        read(boxes, SERIES)


def _drawn(rows: list[list[str]]) -> list[TextBox]:
    boxes = [box("退货率一览", 300, 20)]
    for i, row in enumerate(rows):
        boxes += [box(text, 100 + 200 * j, 80 + 50 * i + (j % 2) * 4) for j, text in enumerate(row) if text]
    return boxes


def test_drawn_table_by_rows_and_columns() -> None:
    rows = [["产品", "区域", "退货率"], ["A", "华东", "5.2%"], ["智能手表", "华南", "12.5%"]]
    table = drawn_table(_drawn(rows), "退货率", ["产品", "退货率"])
    assert table.headers == ("产品", "区域", "退货率")
    assert [[c.text for c in row] for row in table.rows] == rows[1:]


def test_drawn_table_with_a_cell_that_was_not_read_is_refused() -> None:
    boxes = _drawn([["产品", "区域", "退货率"], ["A", "华东", ""], ["B", "华南", "12.5%"]])
    with pytest.raises(FormatError, match="row 1 shows nothing under 退货率"):
        drawn_table(boxes, None, ["产品"])


def test_drawn_table_without_the_headers_names_them() -> None:
    with pytest.raises(SchemaDrift, match="missing headers: 金额"):
        drawn_table(_drawn([["产品", "区域"], ["A", "华东"]]), None, ["金额"])


def test_low_score_names_label_and_score() -> None:
    boxes = columns(FOUR)
    boxes[2] = box("31.2%", boxes[2].x, boxes[2].y, score=0.41)
    way = Mapped("http://board", None, None, None, Minimum(), {}, {}, element="//canvas", chart=CHART)
    blank = cv2.imencode(".png", np.full((640, 1200, 3), 255, np.uint8))[1].tobytes()
    reply = BoardReply(Drawn(blank, "复购率"), boxes)
    with pytest.raises(
        FormatError, match=r"chart 复购率: the label '31\.2%' was read with score 0\.41, below 0\.60"
    ):
        reply.readings(DATASET, way, 0.6)
    assert len(reply.readings(DATASET, way, 0.4)) == 4
    assert '"31.2%", 0.41' in reply.snapshot(10_000)


@pytest.mark.parametrize(
    ("reading", "kind", "value"),
    [
        (Reading("5.2%", exact="5.21%"), "percent", 0.0521),
        (Reading("136k", exact="135,623"), "number", 135_623.0),
        (Reading("5.2%", exact="点击查看明细"), "percent", 0.052),
        (Reading("5.2%", exact="2024"), "percent", 0.052),
        (Reading("5.2", column="退货率(%)"), "percent", 0.052),
        (Reading("5.2%", column="退货率(%)"), "percent", 0.052),
        (Reading("智能扫地机…", exact="智能扫地机器人"), "text", "智能扫地机器人"),
        (Reading("华东", exact="点击筛选"), "text", "华东"),
        (Reading("-", column="退货率(%)"), "percent", None),
        (Reading("0.05", raw=0.05, path="$.rate"), "percent", 0.05),
    ],
)
def test_reading_prefers_the_exact_value_where_it_is_one(reading: Reading, kind: str, value: object) -> None:
    assert reading.understood(kind)[0] == value
