"""The credit bureau and the refund desk over HTTP."""

from __future__ import annotations

import httpx
import pytest
from lxml import etree

from demo import company


def test_credit_reports_come_page_by_page(office_client: httpx.Client) -> None:
    seen = {}
    for page in (1, 2, 3):
        root = etree.fromstring(office_client.get("/bureau/reports.xml", params={"page": page}).content)
        assert root.get("total") == str(len(company.BORROWERS))
        seen |= {r.findtext("userId"): int(r.findtext("score") or 0) for r in root}
    assert seen == {b.user_id: b.credit_score for b in company.BORROWERS.values()}


def test_one_persons_report(office_client: httpx.Client) -> None:
    root = etree.fromstring(office_client.get("/bureau/reports.xml", params={"user_id": "U123"}).content)
    assert [r.findtext("score") for r in root] == ["712"]
    none = etree.fromstring(office_client.get("/bureau/reports.xml", params={"user_id": "U000"}).content)
    assert none.get("total") == "0"


def test_keys_are_needed(office_client: httpx.Client) -> None:
    assert office_client.get("/bureau/reports.xml", headers={"X-Api-Key": "no"}).status_code == 401
    assert office_client.get("/refunds", headers={"Authorization": "Bearer no"}).status_code == 401


def test_a_refund_is_submitted_once(office_client: httpx.Client) -> None:
    body = {"order_id": "88231", "reason": "无法开机"}
    first = office_client.post("/refunds", json=body, headers={"Idempotency-Key": "k1"})
    again = office_client.post("/refunds", json=body, headers={"Idempotency-Key": "k1"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert office_client.post("/refunds", json=body, headers={"Idempotency-Key": "k2"}).status_code == 409
    assert office_client.get("/refunds").json()["refunds"] == [first.json()]


@pytest.mark.parametrize(
    ("body", "status"),
    [(b'{"order_id": "11111"}', 404), (b'{"order_id": "90417"}', 422), (b"[]", 400), (b"{", 400)],
)
def test_refunds_that_cannot_be(office_client: httpx.Client, body: bytes, status: int) -> None:
    assert office_client.post("/refunds", content=body).status_code == status
    assert office_client.get("/refunds").json()["refunds"] == []


def test_a_fault(office_client: httpx.Client) -> None:
    office_client.post("/_control", json={"fault": "500", "times": 1})
    assert office_client.get("/bureau/reports.xml").status_code == 500
    assert office_client.get("/bureau/reports.xml").status_code == 200
