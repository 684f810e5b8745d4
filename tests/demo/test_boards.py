"""The boards over HTTP: the login, what is readable in their traffic and what is not, their faults."""

from __future__ import annotations

import base64
import re

import httpx
import pytest

from .conftest import USER


@pytest.fixture
def client(board_client: httpx.Client) -> httpx.Client:
    assert board_client.post("/login", data=USER).status_code == 200
    return board_client


def test_nothing_without_a_login(board_client: httpx.Client) -> None:
    assert board_client.get("/api/sales/returns").status_code == 401
    page = board_client.get("/boards/sales")
    assert page.url.path == "/login"
    assert page.url.params["next"] == "/boards/sales"
    wrong = board_client.post("/login", data={**USER, "password": "guess"})
    assert wrong.status_code == 401
    assert "不正确" in wrong.text
    assert board_client.get("/api/sales/returns").status_code == 401


@pytest.mark.parametrize("target", ["//elsewhere.example", "https://elsewhere.example/"])
def test_a_login_never_leads_elsewhere(board_client: httpx.Client, target: str) -> None:
    reply = board_client.post("/login", params={"next": target}, data=USER, follow_redirects=False)
    assert reply.headers["location"] == "/boards/sales"


def test_the_login_leads_back_to_the_board_asked_for(board_client: httpx.Client) -> None:
    reply = board_client.post(board_client.get("/boards/support").url, data=USER)
    assert reply.url.path == "/boards/support"
    assert "售后服务看板" in reply.text


def test_the_sales_board_sends_rows_the_other_does_not(client: httpx.Client) -> None:
    rows = client.get("/api/sales/returns").json()["data"]
    assert {"product": "A", "region": "华东", "month": "2024-01", "return_rate": 0.052} in rows
    other = client.get("/api/support/returns").text
    assert not re.search(r"华东|6\.1|0\.061|2024-01", other)


def test_the_repurchase_rates_stand_nowhere_as_text(client: httpx.Client) -> None:
    reply = client.get("/api/sales/repurchase")
    seen = (
        reply.text
        + base64.b64decode(reply.json()["chart"]).decode("latin-1")
        + client.get("/boards/sales").text
    )
    for text in ("31.2", "0.312", "312", "41.0", "410", "2023-Q1"):
        assert text not in seen


def test_faults_are_switched_on_and_off(client: httpx.Client) -> None:
    def switch(**body: object) -> httpx.Response:
        return client.post("/_control", json=body)

    switch(fault="renamed", board="sales")
    assert "return_ratio" in client.get("/api/sales/returns").json()["data"][0]
    switch(reset=True, fault="hung", board="support")
    assert client.get("/api/support/returns").status_code == 202
    assert client.get("/api/sales/returns").status_code == 200
    switch(fault="hung", board="sales")
    assert {client.get(f"/api/{b}/returns").status_code for b in ("sales", "support")} == {202}
    switch(reset=True, fault="empty_month", month="2024-01")
    assert all(r["month"] != "2024-01" for r in client.get("/api/sales/returns").json()["data"])
    switch(reset=True)
    assert client.get("/_control").json()["on"] == []
    assert len(client.get("/api/sales/returns").json()["data"]) == 161
    assert switch(fault="fire").status_code == 400
    assert client.post("/_control", content=b"{").status_code == 400


@pytest.mark.slow
def test_the_boards_paint_themselves(client: httpx.Client) -> None:
    from playwright.sync_api import sync_playwright

    from adapters.browser_finding import find_browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{client.base_url}/boards/support")
        page.fill("//input[@name='username']", USER["username"])
        page.fill("//input[@name='password']", USER["password"])
        page.click("//button[@type='submit']")
        page.wait_for_selector("//main[@data-ready='true']")
        shown = page.eval_on_selector_all(
            "tr", "rows => rows.map(r => Array.from(r.cells, c => c.innerText))"
        )
        page.goto(f"{client.base_url}/boards/sales")
        page.wait_for_selector("//main[@data-ready='true']")
        painted = page.eval_on_selector(
            "canvas", "c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size"
        )
        text = page.inner_text("body")
        browser.close()
    assert shown[0] == ["产品", "区域", "月份", "退货率", "口径"]
    assert ["A", "华东", "2024-01", "6.1%", "含拒收"] in shown
    assert painted > 3
    assert "31.2" not in text
