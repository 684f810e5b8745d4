"""Boards of a real server through a real browser. What needs only waiting is asked at the same time, as runs do."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from adapters import build
from adapters.base import Adapter, DatasetSpec, Evidence, FieldSpec, Query, Resources, SourceSpec
from adapters.errors import (
    AuthRequired,
    ConfigurationError,
    FormatError,
    SchemaDrift,
    SourceError,
    Timeout,
    Unavailable,
)
from tests.adapters.boards import PASSWORD, USER, Boards

pytestmark = pytest.mark.slow

RETURNS = (
    FieldSpec("product", "text"),
    FieldSpec("region", "text"),
    FieldSpec("month", "month"),
    FieldSpec("rate", "percent"),
)
REPURCHASE = (
    FieldSpec("tier", "text", values=("VIP", "普通")),
    FieldSpec("quarter", "quarter"),
    FieldSpec("rate", "percent"),
)
UNDER = "//h2[normalize-space()='{0}']/following-sibling::*[1]/descendant-or-self::*[{1}]"
COLUMNS = {"product": "产品", "region": "区域", "month": "月份", "rate": "退货率"}
DOM: dict[str, Any] = {"table": UNDER.format("退货率", "self::table or @role='grid'"), "columns": COLUMNS}
NETWORK = {"url": "/api/returns", "rows": "$.data[*]"}
CANVAS = UNDER.format("复购率", "self::canvas")
ONE_SERIES = {"chart": {"element": CANVAS, "x": "quarter"}, "constants": {"tier": "VIP"}}
TWO_SERIES = {"chart": {"element": CANVAS, "x": "quarter", "series": "tier"}}
DRAWN = {"chart": {"element": UNDER.format("退货率", "self::canvas"), "kind": "table"}, "columns": COLUMNS}
LOGIN = {
    "username": "//input[@name='username']",
    "password": "//input[@name='password']",
    "submit": "//button[@type='submit']",
}
OWN_PAGE = {"url": "/login", **LOGIN}
GOOD = {"username": USER, "password": PASSWORD}

Make = Callable[..., Adapter]
Outcomes = Mapping[str, Evidence | SourceError]


@pytest.fixture(scope="module")
def make(boards: Boards, board_resources: Resources) -> Make:
    def made(
        page: str,
        locate: Mapping[str, Any],
        *,
        fields: tuple[FieldSpec, ...] = RETURNS,
        auth: Mapping[str, str] | None = None,
        name: str = "board",
        **connection: Any,
    ) -> Adapter:
        grain = tuple(f.name for f in fields[:-1])
        spec = SourceSpec(
            name,
            "bi_dashboard",
            {"returns": DatasetSpec("returns", fields, grain, locate=locate)},
            connection={"url": f"{boards.url}/boards/{page}", **connection},
            auth=auth or {},
        )
        return build(spec, board_resources)

    return made


def ask(adapter: Adapter, timeout_s: float = 60.0, **filters: Any) -> Evidence:
    raw = adapter.query(Query("returns", filters, timeout_s=timeout_s))
    adapter.validate(raw)
    return adapter.normalise(raw)


@pytest.fixture(scope="module")
def outcomes(make: Make) -> Outcomes:
    """What each of these boards gives; four are asked at a time."""
    adapters = {
        "two tables": make("late", DOM),
        "network": make("late", {**DOM, "network": NETWORK}),
        "network that never comes": make("silent", {**DOM, "network": NETWORK}),
        "network alone that never comes": make("silent", {"network": NETWORK}),
        "network job": make("job", {"network": {**NETWORK, "url": "/api/job"}}),
        "renamed field": make("quick", {"network": {**NETWORK, "fields": {"rate": "$.return_rate"}}}),
        "renamed column": make("renamed", DOM),
        "no such table": make("other_place", DOM),
        "merged cells": make("merged", {**DOM, "columns": {**COLUMNS, "rate": "退货率 (%)"}}),
        "virtual rows": make("virtual", DOM),
        "no rows": make("empty", DOM),
        "no data": make("no_data", DOM),
        "failing call": make("failing", DOM),
        "dripping with ready": make("dripping", DOM, ready="//*[@data-ready='true']"),
        "dripping with a minimum": make("dripping", {**DOM, "minimum": {"rows": 3}}),
        "polling": make("polling", DOM),
        "down": make("down", DOM),
        "wrong address": make("nowhere", DOM),
        "no server": make("quick", DOM, url="http://127.0.0.1:9/boards/x"),
        "form in place": make("form", DOM, auth=GOOD, name="in_place", login=LOGIN),
        "wrong password": make("guarded", DOM, auth={**GOOD, "password": "no"}, name="wrong", login=OWN_PAGE),
        "no credentials": make("guarded", DOM, name="bare", login=OWN_PAGE),
        "never ready": make("quick", DOM, ready="//b"),
        "hung": make("hung", DOM),
        "blank canvas": make("blank", ONE_SERIES, fields=REPURCHASE),
    }
    late = {"never ready", "hung", "blank canvas"}

    def outcome(name: str) -> Evidence | SourceError:
        try:
            return ask(adapters[name], 20 if name in late else 60)
        except SourceError as e:
            return e

    with ThreadPoolExecutor(4) as pool:
        return dict(zip(adapters, pool.map(outcome, adapters), strict=True))


def evidence_of(outcomes: Outcomes, name: str) -> Evidence:
    found = outcomes[name]
    assert isinstance(found, Evidence), found
    return found


def test_dom_table_in_two_parts_gives_the_exact_value_and_its_cell(
    outcomes: Outcomes, boards: Boards
) -> None:
    evidence = evidence_of(outcomes, "two tables")
    assert evidence.rows[0] == {"product": "A", "region": "华东", "month": "2024-01", "rate": 0.0521}
    place = evidence.locate(0, "rate")
    assert place is not None
    assert place.as_dict() == {
        "kind": "cell",
        "source": "board",
        "dataset": "returns",
        "field": "rate",
        "text": "5.21%",
        "url": f"{boards.url}/boards/late",
        "read_at": evidence.read_at,
        "table": "退货率",
        "row": "A · 华东 · 2024-01",
        "column": "退货率",
        "method": "dom",
    }
    month = evidence.locate(0, "month")
    assert month is not None
    assert month.text == "2024年1月"
    assert evidence.types["rate"] == "percent"
    assert evidence.notes == ()


def test_network_reply_comes_before_the_dom(outcomes: Outcomes) -> None:
    evidence = evidence_of(outcomes, "network")
    assert [r["rate"] for r in evidence.rows] == [0.0521, 0.0432, 0.0218, 0.0305, 0.1249]
    place = evidence.locate(4, "rate")
    assert place is not None
    assert (place.method, place.path, place.text, place.table) == (
        "network",
        "$.data[4].rate",
        "0.1249",
        "退货率",
    )


def test_network_reply_that_never_comes_falls_through_to_the_dom(outcomes: Outcomes) -> None:
    place = evidence_of(outcomes, "network that never comes").locate(4, "rate")
    assert place is not None
    assert place.method == "dom"


def test_network_reply_that_says_running_first_is_awaited(outcomes: Outcomes) -> None:
    assert len(evidence_of(outcomes, "network job").rows) == 5


def test_filters_are_applied_to_canonical_values(make: Make) -> None:
    evidence = ask(make("quick", DOM), region="华东", month={"from": "2024-01", "to": "2024-01"})
    assert [(r["product"], r["rate"]) for r in evidence.rows] == [("A", 0.0521), ("B", 0.0305)]


def test_merged_cells_and_a_unit_in_the_header(outcomes: Outcomes) -> None:
    rows = evidence_of(outcomes, "merged cells").rows
    assert [(r["product"], r["region"], r["rate"]) for r in rows] == [
        ("A", "华东", 0.052),
        ("A", "华南", 0.022),
    ]


@pytest.mark.parametrize("name", ["no rows", "no data"])
def test_board_without_rows_is_a_sound_reply(outcomes: Outcomes, name: str) -> None:
    evidence = evidence_of(outcomes, name)
    assert evidence.rows == ()
    assert evidence.columns == ("product", "region", "month", "rate")


@pytest.mark.parametrize(
    ("name", "rows"), [("dripping with ready", 3), ("dripping with a minimum", 3), ("polling", 5)]
)
def test_page_is_read_when_it_is_painted(outcomes: Outcomes, name: str, rows: int) -> None:
    assert len(evidence_of(outcomes, name).rows) == rows


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        (
            "network alone that never comes",
            SchemaDrift,
            "never asked for /api/returns (it asked for /api/other)",
        ),
        ("renamed field", SchemaDrift, "missing $.return_rate; present: product、region、month、rate"),
        ("renamed column", SchemaDrift, "missing headers: 退货率; present: 产品、区域、月份、退款率"),
        ("no such table", SchemaDrift, "headings present: 销售看板、销量"),
        ("virtual rows", FormatError, "only 1 of 1201 rows"),
        ("failing call", Unavailable, "/api/broken answers 500"),
        ("down", Unavailable, "/boards/down answers 503"),
        ("wrong address", FormatError, "answers 404: check connection.url"),
        ("no server", Unavailable, "ERR_"),
        ("wrong password", AuthRequired, "refused for user 'analyst': 用户名或密码错误"),
        ("no credentials", AuthRequired, "set auth.username"),
        ("never ready", Timeout, "nothing at its ready XPath //b"),
        ("hung", Timeout, "no reply yet to /api/never"),
        ("blank canvas", Timeout, "it stayed blank"),
    ],
)
def test_fault_says_what_is_wrong(
    outcomes: Outcomes, name: str, kind: type[SourceError], message: str
) -> None:
    fault = outcomes[name]
    assert type(fault) is kind, fault
    assert message in str(fault)
    assert "\n" not in str(fault)
    assert fault.source


def test_login_form_in_place_of_the_board(outcomes: Outcomes) -> None:
    assert len(evidence_of(outcomes, "form in place").rows) == 5


def test_login_once_for_several_queries(make: Make, boards: Boards) -> None:
    adapter = make("guarded", DOM, auth=GOOD, name="guarded", login=OWN_PAGE)
    before = len(boards.logins)
    with ThreadPoolExecutor(2) as pool:
        first = list(pool.map(lambda _: ask(adapter), range(2)))
    assert all(len(e.rows) == 5 for e in first)
    assert len(ask(adapter, product="B").rows) == 2
    assert len(boards.logins) - before == 1
    adapter.ping(3)


def test_page_whose_script_hangs_is_cut_off_and_the_browser_goes_on(make: Make) -> None:
    ask(make("quick", DOM))
    began = time.monotonic()
    with pytest.raises(Timeout):
        ask(make("stuck", DOM), timeout_s=2)
    assert time.monotonic() - began < 6
    assert len(ask(make("quick", DOM)).rows) == 5


def test_ping_of_a_server_that_is_not_there(make: Make) -> None:
    with pytest.raises(Unavailable, match="no connection"):
        make("quick", DOM, url="http://127.0.0.1:9/boards/x").ping(3)


def test_chart_without_text_is_read_by_ocr_and_says_so(make: Make) -> None:
    evidence = ask(make("chart", ONE_SERIES, fields=REPURCHASE), 120, tier="VIP")
    assert [(r["quarter"], r["rate"]) for r in evidence.rows] == [
        ("2023-Q3", 0.312),
        ("2023-Q4", 0.298),
        ("2024-Q1", 0.345),
        ("2024-Q2", 0.361),
    ]
    place = evidence.locate(2, "rate")
    assert place is not None
    assert (place.method, place.table, place.row, place.text) == ("ocr", "复购率", "VIP · 2024-Q1", "34.5%")
    assert place.score is not None
    assert place.score > 0.8
    assert "OCR" in evidence.notes[0]
    assert "复购率" in evidence.notes[0]


def test_series_are_told_apart_by_colour(make: Make) -> None:
    evidence = ask(make("series", TWO_SERIES, fields=REPURCHASE), 120, tier="VIP")
    assert [r["rate"] for r in evidence.rows] == [0.422, 0.438, 0.245]


def test_table_drawn_on_a_canvas(make: Make) -> None:
    assert [tuple(r.values()) for r in ask(make("drawn", DRAWN), 120).rows] == [
        ("A", "华东", "2024-01", 0.052),
        ("B", "华南", "2024-02", 0.125),
    ]


def test_probe_asks_each_dataset_without_filters(make: Make) -> None:
    assert [(q.dataset, q.filters) for q in make("quick", DOM).probe()] == [("returns", {})]


@pytest.mark.parametrize(
    ("locate", "message"),
    [
        ({}, "give one of network, table, chart"),
        ({"tabel": "//x"}, "unknown key 'tabel'"),
        ({"table": "//x", "columns": {"prodct": "产品"}}, "unknown key 'prodct'"),
        ({"network": {"rows": "$[*]"}}, "missing key url"),
        ({"network": {"url": "/x", "rows": "$.["}}, "no JSONPath"),
        ({"chart": {"element": "//canvas", "x": "month"}}, "does not give product, region"),
        ({"chart": {"element": "//canvas", "x": "month", "kind": "pie"}}, "use one of bars"),
    ],
)
def test_wrong_mapping_is_told_at_once(make: Make, locate: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        make("quick", locate)
    assert caught.value.source == "board"


def test_dataset_that_the_source_lacks(make: Make) -> None:
    with pytest.raises(SourceError, match="no dataset 'sales'"):
        make("quick", DOM).query(Query("sales"))
