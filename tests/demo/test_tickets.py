"""The ticket system over HTTP: pages, changes, a busy first call, faults."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from demo import company

SEARCH = "/rest/api/3/search/jql"


@pytest.fixture
def client(ticket_client: httpx.Client) -> httpx.Client:
    """After the busy first call."""
    assert ticket_client.get(SEARCH, params={"jql": "project = CS"}).status_code == 429
    return ticket_client


def walk(client: httpx.Client, **params: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        reply = client.get(SEARCH, params=params).raise_for_status().json()
        found += reply["issues"]
        if reply["isLast"]:
            assert "nextPageToken" not in reply
            return found
        params["nextPageToken"] = reply["nextPageToken"]


def test_the_first_search_is_told_to_wait(ticket_client: httpx.Client) -> None:
    first = ticket_client.get(SEARCH, params={"jql": "project = CS"})
    assert (first.status_code, first.headers["retry-after"]) == (429, "1")
    assert ticket_client.get(SEARCH, params={"jql": "project = CS"}).status_code == 200


def test_complaints_come_page_by_page(client: httpx.Client) -> None:
    first = client.get(SEARCH, params={"jql": "project = CS"}).json()
    assert len(first["issues"]) == 50
    assert "total" not in first
    issues = walk(client, jql="project = CS ORDER BY created", maxResults=40)
    assert [i["key"] for i in issues] == [c.ticket_id for c in company.COMPLAINTS]
    assert "changelog" not in issues[0]


def test_changes_of_the_provider_stand_in_the_changelog(client: httpx.Client) -> None:
    changes = {
        (i["key"], h["created"][:10], item["fromString"], item["toString"])
        for i in walk(client, jql="project = LOG", expand="changelog")
        for h in i["changelog"]["histories"]
        for item in h["items"]
        if item["field"] == "Logistics provider"
    }
    assert changes == {(c.key, c.date, c.previous, c.provider) for c in company.PROVIDER_CHANGES}


def test_a_search_may_be_posted(client: httpx.Client) -> None:
    reply = client.post(SEARCH, json={"jql": "project = LOG ORDER BY created DESC", "maxResults": 1}).json()
    assert [i["key"] for i in reply["issues"]] == ["LOG-171"]


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"jql": "category = 服务"}, 400),
        ({"jql": "project = NONE"}, 400),
        ({}, 400),
        ({"jql": "project = CS", "nextPageToken": "made up"}, 400),
        ({"jql": "project = CS", "maxResults": "many"}, 400),
    ],
)
def test_what_cannot_be_read_is_refused(client: httpx.Client, params: dict[str, str], status: int) -> None:
    reply = client.get(SEARCH, params=params)
    assert reply.status_code == status
    assert reply.json()["errorMessages"]


@pytest.mark.parametrize("header", ["", "Bearer wrong", "Basic abc"])
def test_a_token_is_needed(ticket_client: httpx.Client, header: str) -> None:
    reply = ticket_client.get(SEARCH, params={"jql": "project = CS"}, headers={"Authorization": header})
    assert reply.status_code == 401


def test_a_person_can_open_a_ticket(client: httpx.Client) -> None:
    page = httpx.get(f"{client.base_url}/browse/LOG-157").text
    for text in ("华东", "安捷物流 → 迅达物流", "2024-01-03"):
        assert text in page
    assert client.get("/browse/LOG-1").status_code == 404
    assert client.get("/rest/api/3/issue/CS-2001").json()["key"] == "CS-2001"


def test_faults(client: httpx.Client) -> None:
    def status() -> int:
        return client.get(SEARCH, params={"jql": "project = CS"}).status_code

    client.post("/_control", json={"fault": "500", "times": 2})
    assert [status() for _ in range(3)] == [500, 500, 200]
    client.post("/_control", json={"fault": "429"})
    assert [status() for _ in range(3)] == [429, 429, 429]
    client.post("/_control", json={"reset": True, "fault": "empty_month", "month": "2023-12"})
    assert not [i for i in walk(client, jql="project = CS") if i["fields"]["created"].startswith("2023-12")]
    client.post("/_control", json={"reset": True})
    assert len(walk(client, jql="project = CS")) == len(company.COMPLAINTS)
