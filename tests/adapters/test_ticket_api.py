"""The ticket adapter against a real server on loopback, a well-behaved one and one that sets every known trap."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from adapters import build
from adapters.base import DatasetSpec, Evidence, FieldSpec, Query, Raw, Resources, SourceSpec
from adapters.errors import (
    AuthRequired,
    ConfigurationError,
    FormatError,
    RateLimited,
    Refused,
    SchemaDrift,
    Timeout,
    Unavailable,
)
from adapters.http_client import retry_after
from adapters.ticket_api import TicketApi

Answer = tuple[int, dict[str, str], bytes]
Respond = Callable[["Asked"], Answer]


class Asked:
    """One request as the server saw it."""

    def __init__(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        self.method, self.headers, self.body = method, headers, body
        self.path = urlsplit(path).path
        self.params = {k: v[0] for k, v in parse_qs(urlsplit(path).query).items()}
        if body and method == "POST":
            self.params |= json.loads(body)


class Server:
    """A server on loopback whose answer each test sets; `asked` keeps what came in."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.respond: Respond = lambda asked: (404, {}, b"")
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {k.lower(): v for k, v in self.headers.items()}
                asked = Asked(self.command, self.path, headers, body)
                outer.asked.append(asked)
                status, headers, payload = outer.respond(asked)
                try:
                    if headers.pop("x-drip", None):
                        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                        for _ in range(100):
                            self.wfile.write(b"x-more: 1\r\n")
                            time.sleep(0.05)
                    self.send_response(status)
                    for name, value in {"content-length": str(len(payload)), **headers}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(payload)
                except OSError:
                    self.close_connection = True  # the client cut it off, as some tests want

            do_GET = do_POST = handle_any  # noqa: N815

            def log_message(self, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    s = Server()
    yield s
    s.close()


def reply(value: Any, status: int = 200, **headers: str) -> Answer:
    return (
        status,
        {"content-type": "application/json", **headers},
        json.dumps(value, ensure_ascii=False).encode(),
    )


FIELDS = (
    FieldSpec("id", "text"),
    FieldSpec("region", "text"),
    FieldSpec("opened", "date"),
    FieldSpec("hours", "number"),
)
LOCATE: dict[str, Any] = {
    "path": "/issues",
    "rows": "$.issues[*]",
    "key": "$.key",
    "link": "/browse/{key}",
    "fields": {
        "id": "$.key",
        "region": "$.fields.region.value",
        "opened": "$.fields.created",
        "hours": "$.fields.hours",
    },
}


def adapter(url: str, locate: dict[str, Any] | None = None, **more: Any) -> TicketApi:
    fields = more.pop("fields", FIELDS)
    dataset = DatasetSpec("issues", fields, grain=("id",), locate={**LOCATE, **(locate or {})})
    connection = {"url": url, **more.pop("connection", {})}
    spec = SourceSpec("desk", "ticket_api", {"issues": dataset}, connection=connection, **more)
    built = build(spec, Resources(Path(".")))
    assert isinstance(built, TicketApi)
    return built


def ask(a: TicketApi, filters: dict[str, Any] | None = None, **more: Any) -> tuple[Evidence, Raw]:
    raw = a.query(Query("issues", filters or {}, **{"timeout_s": 5, **more}))
    a.validate(raw)
    return a.normalise(raw), raw


def issue(n: int, region: str = "north", **fields: Any) -> dict[str, Any]:
    created = f"2024-01-{n % 28 + 1:02d}T09:00:00.000+0800"
    return {
        "key": f"D-{n}",
        "fields": {"region": {"value": region}, "created": created, "hours": n / 2, **fields},
    }


def test_records_values_and_places(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [issue(1), issue(2, "south")]})
    evidence, raw = ask(adapter(server.url, auth={"bearer": "s3cret"}))
    assert evidence.rows[0] == {"id": "D-1", "region": "north", "opened": "2024-01-02", "hours": 0.5}
    place = evidence.locate(0, "opened")
    assert place is not None
    assert (place.kind, place.key, place.path) == ("ticket", "D-1", "$.fields.created")
    assert place.text == "2024-01-02T09:00:00.000+0800"
    assert place.url == f"{server.url}/browse/D-1"
    assert server.asked[0].headers["authorization"] == "Bearer s3cret"
    assert "s3cret" not in repr(raw)
    assert raw.status == 200
    assert "D-2" in raw.snapshot


@pytest.mark.parametrize(
    ("auth", "header", "value"),
    [
        ({"username": "u", "password": "p"}, "authorization", "Basic dTpw"),
        ({"header": "X-Key", "value": "k"}, "x-key", "k"),
    ],
)
def test_credentials(server: Server, auth: dict[str, str], header: str, value: str) -> None:
    server.respond = lambda a: reply({"issues": []})
    ask(adapter(server.url, auth=auth))
    assert server.asked[0].headers[header] == value


def test_a_filter_that_the_server_ignores_is_checked_here(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [issue(1), issue(2, "south"), issue(3, "South")]})
    a = adapter(server.url, {"filters": {"region": {"parameter": "region"}}})
    evidence, raw = ask(a, {"region": "south"})
    assert [r["id"] for r in evidence.rows] == ["D-2", "D-3"]
    assert server.asked[0].params["region"] == "south"
    assert raw.sent["region"] == "south"
    assert [r["id"] for r in ask(a, {"opened": {"from": "2024-01-03", "to": None}})[0].rows] == ["D-2", "D-3"]


def test_pushed_filters(server: Server) -> None:
    server.respond = lambda a: reply({"issues": []})
    filters = {
        "region": {"parameter": "r", "separator": ",", "values": {"north": "N"}},
        "opened": {"from": "since", "to": "until"},
    }
    ask(
        adapter(server.url, {"filters": filters}),
        {"region": ["north", "south"], "opened": {"from": "2024-01-01"}},
    )
    assert server.asked[0].params == {"r": "N,south", "since": "2024-01-01"}


def test_an_empty_reply_is_sound(server: Server) -> None:
    server.respond = lambda a: reply({"issues": []})
    assert ask(adapter(server.url))[0].rows == ()


def test_an_unknown_filter_field_is_an_error(server: Server) -> None:
    with pytest.raises(FormatError, match="no field 'colour'"):
        ask(adapter(server.url), {"colour": "red"})


def offset_pages(count: int, cap: int, **extra: Any) -> Respond:
    def respond(a: Asked) -> Answer:
        start, size = int(a.params.get("offset", 0)), min(cap, int(a.params.get("limit", 10)))
        return reply({"issues": [issue(n) for n in range(start, min(count, start + size))], **extra})

    return respond


OFFSET = {"paging": {"style": "offset", "size": 50, "total": "$.total"}}


@pytest.mark.parametrize("total", [0, 1, 19, 20, 47])
def test_offset_with_a_page_size_capped_in_silence(server: Server, total: int) -> None:
    server.respond = offset_pages(total, cap=10, total=total)
    assert len(ask(adapter(server.url, OFFSET))[0].rows) == total
    server.respond = offset_pages(total, cap=10)  # without a total, only an empty page is an end
    assert len(ask(adapter(server.url, OFFSET))[0].rows) == total


def test_fewer_than_stated(server: Server) -> None:
    server.respond = offset_pages(15, cap=10, total=20)
    with pytest.raises(FormatError, match="states 20 records but gave 15"):
        ask(adapter(server.url, OFFSET))


def test_total_in_a_header(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [issue(1)]}, **{"X-Total-Count": "2"})
    with pytest.raises(FormatError, match="states 2 records but gave 1"):
        ask(adapter(server.url, {"paging": {"style": "none", "total": "header:X-Total-Count"}}))


def test_page_numbers(server: Server) -> None:
    def respond(a: Asked) -> Answer:
        page = int(a.params["page"])
        return reply({"issues": [issue(n) for n in range(page * 3, min(page * 3 + 3, 10))]})

    server.respond = respond
    evidence, _ = ask(adapter(server.url, {"paging": {"style": "page", "size": 100, "first": 1}}))
    assert len(evidence.rows) == 7
    assert [a.params["page"] for a in server.asked] == ["1", "2", "3", "4"]


def test_tokens_in_a_post(server: Server) -> None:
    def respond(a: Asked) -> Answer:
        n = int(a.params.get("nextPageToken", "0"))
        more = {"nextPageToken": str(n + 1), "isLast": False} if n < 3 else {"isLast": True}
        return reply({"issues": [issue(n)], **more})

    server.respond = respond
    paging = {"style": "token", "token": "$.nextPageToken", "last": "$.isLast", "size": 1}
    evidence, _ = ask(adapter(server.url, {"method": "POST", "params": {"jql": "x"}, "paging": paging}))
    assert len(evidence.rows) == 4
    assert all(a.method == "POST" and a.params["jql"] == "x" for a in server.asked)


TOKEN = {"paging": {"style": "token", "token": "$.next", "last": "$.last"}}


def test_the_same_token_twice(server: Server) -> None:
    count = iter(range(100))
    server.respond = lambda a: reply({"issues": [issue(next(count))], "next": "again"})
    with pytest.raises(FormatError, match="same next page twice"):
        ask(adapter(server.url, TOKEN))


def test_more_but_no_token(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [issue(1)], "last": False})
    with pytest.raises(FormatError, match="gives no token"):
        ask(adapter(server.url, TOKEN))


def test_a_record_twice(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [issue(1), issue(int(a.params.get("offset", 0)) + 2)]})
    with pytest.raises(FormatError, match="record D-1 came twice"):
        ask(adapter(server.url, OFFSET))


def test_the_same_page_again_without_keys(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [{**issue(1), "key": "x"}]})
    with pytest.raises(FormatError, match="same page again"):
        ask(adapter(server.url, {"key": None, "paging": {"style": "page"}}))


def test_next_url(server: Server) -> None:
    def respond(a: Asked) -> Answer:
        n = int(a.params.get("after", "0"))
        return reply({"issues": [issue(n)], "links": {"next": f"/issues?after={n + 1}" if n < 3 else None}})

    server.respond = respond
    assert (
        len(ask(adapter(server.url, {"paging": {"style": "next_url", "next": "$.links.next"}}))[0].rows) == 4
    )


@pytest.mark.parametrize(
    "link",
    [
        "http://localhost:1/x",
        "http://evil.example/issues",
        "//evil.example/",
        "file:///etc/passwd",
        "http://[::1",
    ],
)
def test_a_next_url_to_another_host_is_not_followed(server: Server, link: str) -> None:
    server.respond = lambda a: reply({"issues": [issue(1)], "next": link})
    with pytest.raises(FormatError, match=r"another host|cannot be read"):
        ask(adapter(server.url, {"paging": {"style": "next_url", "next": "$.next"}}))
    assert len(server.asked) == 1


def test_link_header(server: Server) -> None:
    def respond(a: Asked) -> Answer:
        n = int(a.params.get("p", "0"))
        link = f'<{server.url}/issues?p=9>; rel="last", </issues?p={n + 1}>; title="a, b"; rel="next"'
        return reply({"issues": [issue(n)]}, **({"Link": link} if n < 2 else {}))

    server.respond = respond
    assert len(ask(adapter(server.url, {"paging": {"style": "link_header"}}))[0].rows) == 3


def test_a_limit_stops_the_walk(server: Server) -> None:
    server.respond = offset_pages(1000, cap=10, total=1000)
    a = adapter(server.url, OFFSET)
    (probe,) = a.probe()
    raw = a.query(probe)
    a.validate(raw)
    assert len(a.normalise(raw).rows) == 1
    assert len(server.asked) == 1


CHANGES = {
    "each": "$.changelog.histories[*]",
    "items": "$.items[*]",
    "where": {"$.field": "Carrier"},
    "fields": {
        "moved": {"of": "each", "path": "$.created"},
        "carrier": {"of": "item", "path": "$.toString"},
    },
}
CHANGE_FIELDS = (FieldSpec("region", "text"), FieldSpec("moved", "date"), FieldSpec("carrier", "text"))


def changed() -> dict[str, Any]:
    histories = [
        {"created": "2024-01-05T08:00:00Z", "items": [{"field": "status", "toString": "open"}]},
        {
            "created": "2024-02-06T08:00:00Z",
            "items": [{"field": "status", "toString": "done"}, {"field": "Carrier", "toString": "Swift"}],
        },
    ]
    return {**issue(7), "changelog": {"histories": histories}}


def test_nested_changes(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [changed(), {**issue(8), "changelog": {"histories": []}}]})
    locate = {"fields": {"region": "$.fields.region.value"}, "changes": CHANGES}
    evidence, _ = ask(adapter(server.url, locate, fields=CHANGE_FIELDS))
    assert evidence.rows == ({"region": "north", "moved": "2024-02-06", "carrier": "Swift"},)
    assert evidence.locate(0, "carrier").path == "$.changelog.histories[1].items[1].toString"  # type: ignore[union-attr]
    assert evidence.locate(0, "moved").path == "$.changelog.histories[1].created"  # type: ignore[union-attr]


def test_changes_that_were_not_expanded_are_drift(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [issue(1)]})
    locate = {"fields": {"region": "$.fields.region.value"}, "changes": CHANGES}
    with pytest.raises(SchemaDrift, match="no record has changes"):
        ask(adapter(server.url, locate, fields=CHANGE_FIELDS))


def test_a_path_missing_in_some_records_is_none_and_in_all_drift(server: Server) -> None:
    some, none = issue(1), issue(2)
    del none["fields"]["hours"]
    server.respond = lambda a: reply({"issues": [some, none]})
    assert ask(adapter(server.url))[0].rows[1]["hours"] is None
    server.respond = lambda a: reply({"issues": [none]})
    with pytest.raises(SchemaDrift, match=r"field hours: nothing stands at \$\.fields\.hours"):
        ask(adapter(server.url))


def test_the_list_of_records_is_gone(server: Server) -> None:
    server.respond = lambda a: reply({"values": [], "errors": []})
    with pytest.raises(
        SchemaDrift, match=r"no list of records at \$\.issues\[\*\]; the reply has values, errors"
    ):
        ask(adapter(server.url))


def test_a_value_that_cannot_be_read_names_field_and_record(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [issue(4, hours="soon")]})
    with pytest.raises(FormatError, match=r"field hours of D-4 at .*'soon'"):
        ask(adapter(server.url))


def test_field_settings(server: Server) -> None:
    server.respond = lambda a: reply({"issues": [issue(4, rate="5.2", state="Done", tags=["a", "b"])]})
    fields = (
        FieldSpec("quarter", "quarter"),
        FieldSpec("week", "text"),
        FieldSpec("rate", "percent"),
        FieldSpec("state", "text"),
        FieldSpec("tags", "text"),
    )
    mapping = {
        "quarter": "$.fields.created",
        "week": {"path": "$.fields.created", "as": "week"},
        "rate": {"path": "$.fields.rate", "scale": 0.01},
        "state": {"path": "$.fields.state", "values": {"Done": "已完成"}},
        "tags": "$.fields.tags[*]",
    }
    evidence, _ = ask(adapter(server.url, {"fields": mapping}, fields=fields))
    assert evidence.rows[0] == {
        "quarter": "2024-Q1", "week": "2024-W01", "rate": 0.052, "state": "已完成", "tags": "a, b"
    }  # fmt: skip
    assert evidence.locate(0, "state").text == "Done"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("status", "headers", "error", "match"),
    [
        (401, {}, AuthRequired, "401"),
        (403, {}, AuthRequired, "403"),
        (404, {}, FormatError, "/issues gave 404"),
        (400, {}, FormatError, "400"),
        (500, {}, Unavailable, "500"),
        (503, {}, Unavailable, "503"),
        (429, {"Retry-After": "12"}, RateLimited, "wait 12 s"),
        (429, {}, RateLimited, "429"),
    ],
)
def test_statuses(
    server: Server, status: int, headers: dict[str, str], error: type[Exception], match: str
) -> None:
    server.respond = lambda a: (status, dict(headers), b"no")
    with pytest.raises(error, match=match) as caught:
        ask(adapter(server.url))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("source desk:")
    if isinstance(caught.value, RateLimited):
        assert caught.value.retry_after == (12 if headers else None)
        assert caught.value.status == 429


def test_retry_after_as_a_date() -> None:
    now = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)
    assert retry_after(format_datetime(now + dt.timedelta(seconds=90), usegmt=True), now) == 90
    assert retry_after(format_datetime(now - dt.timedelta(seconds=90), usegmt=True), now) == 0
    assert retry_after("soon", now) is None
    assert retry_after(None) is None


@pytest.mark.parametrize("how", ["silent", "dripping headers"])
def test_what_hangs_is_cut_off(server: Server, how: str) -> None:
    release = threading.Event()

    def respond(a: Asked) -> Answer:
        if how == "silent":
            release.wait(5)
        return 200, {"x-drip": "1"} if how != "silent" else {}, b"{}"

    server.respond = respond
    started = time.monotonic()
    with pytest.raises(Timeout):
        ask(adapter(server.url), timeout_s=0.4)
    assert time.monotonic() - started < 1.5
    release.set()


def test_nobody_listens() -> None:
    with pytest.raises(Unavailable, match="no connection"):
        ask(adapter("http://127.0.0.1:9"))


@pytest.mark.parametrize(
    ("body", "kind", "match"),
    [
        (b"<html>please log in</html>", "text/html", "login page"),
        (b"{", "application/json", "no JSON"),
        (b'{"issues": NaN}', "application/json", "NaN"),
        (b"[" * 100_000, "application/json", "no JSON"),
        (b"", "application/json", "no JSON"),
        (b'"text"', "application/json", "no list of records"),
        (b'{"issues": {"a": 1}}', "application/json", "no list of records"),
    ],
)
def test_replies_in_another_shape(server: Server, body: bytes, kind: str, match: str) -> None:
    server.respond = lambda a: (200, {"content-type": kind}, body)
    with pytest.raises(FormatError, match=match):
        ask(adapter(server.url))


def test_redirects_stay_on_the_host(server: Server) -> None:
    server.respond = lambda a: (302, {"location": "http://localhost:1/"}, b"")
    with pytest.raises(FormatError, match="another host"):
        ask(adapter(server.url, auth={"header": "X-Key", "value": "k"}))
    server.respond = lambda a: (
        (302, {"location": "/moved"}, b"") if a.path == "/issues" else reply({"issues": [issue(1)]})
    )
    assert len(ask(adapter(server.url))[0].rows) == 1


XML = {
    "format": "xml",
    "rows": "/reports/report",
    "key": "@id",
    "fields": {"id": "@id", "region": "./where/text()", "opened": "when", "hours": "sum(./spent)"},
}


def test_xml(server: Server) -> None:
    body = (
        "<reports><report id='R1'><where>北</where><when>2024年3月1日</when><spent>1</spent><spent>2.5</spent></report>"
        "<report id='R2'><where>南</where><when/><spent>4</spent></report></reports>"
    ).encode()
    server.respond = lambda a: (200, {"content-type": "application/xml"}, body)
    evidence, _ = ask(adapter(server.url, XML), {"region": ["北", "南"]})
    assert evidence.rows[0] == {"id": "R1", "region": "北", "opened": "2024-03-01", "hours": 3.5}
    assert evidence.rows[1]["opened"] is None
    assert evidence.locate(0, "region").path == "./where/text()"  # type: ignore[union-attr]
    assert evidence.locate(1, "id").path == "./@id"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("body", "error", "match"),
    [
        (b"<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><reports><report id='1'>&x;</report></reports>",
         FormatError, "document type"),
        (b"<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><reports>&b;</reports>",
         FormatError, "document type"),
        (b"<reports><report>", FormatError, "no XML"),
        (b"<error>busy</error>", SchemaDrift, "no list of records at /reports/report; the reply has <error>"),
    ],
)  # fmt: skip
def test_hostile_xml(server: Server, body: bytes, error: type[Exception], match: str) -> None:
    server.respond = lambda a: (200, {"content-type": "application/xml"}, body)
    with pytest.raises(error, match=match):
        ask(adapter(server.url, XML))


WRITE = {
    "write": {
        "path": "/orders/{order}/refund",
        "body": {"order": "{order}", "note": "for {reason}"},
        "receipt": "$.refund_id",
    }
}


def writer(url: str) -> TicketApi:
    fields = (FieldSpec("order", "text"), FieldSpec("reason", "text"))
    dataset = DatasetSpec("refund", fields, grain=("order",), locate=WRITE)
    spec = SourceSpec("till", "ticket_api", {"refund": dataset}, connection={"url": url}, side_effect=True)
    return TicketApi(spec, Resources(Path(".")))


def submit(a: TicketApi, **more: Any) -> Evidence:
    values = {"order": "A/1", "reason": "坏了"}
    raw = a.query(Query("refund", timeout_s=2, **{"values": values, "idempotency_key": "k1", **more}))
    a.validate(raw)
    return a.normalise(raw)


def test_a_write_is_sent_once_with_its_key(server: Server) -> None:
    server.respond = lambda a: reply({"refund_id": "RF-9", "status": "accepted"}, 201)
    evidence = submit(writer(server.url))
    assert evidence.rows == ({"order": "A/1", "reason": "坏了", "receipt": "RF-9", "status": "accepted"},)
    (asked,) = server.asked
    assert asked.headers["idempotency-key"] == "k1"
    assert asked.params == {"order": "A/1", "note": "for 坏了"}
    assert asked.path == "/orders/A%2F1/refund"
    assert writer(server.url).probe() == []


def test_a_value_that_does_not_identify_may_be_left_out(server: Server) -> None:
    server.respond = lambda a: reply({"refund_id": 17})
    evidence = submit(writer(server.url), values={"order": "1"})
    assert evidence.rows == ({"order": "1", "receipt": "17", "status": "200"},)
    assert server.asked[0].params == {"order": "1"}


@pytest.mark.parametrize("status", [500, 429, 302])
def test_a_failed_write_is_not_repeated(server: Server, status: int) -> None:
    server.respond = lambda a: (status, {"location": "/again"}, b"")
    with pytest.raises((Unavailable, RateLimited, FormatError)):
        submit(writer(server.url))
    assert len(server.asked) == 1


def test_a_write_without_key_or_values_is_refused(server: Server) -> None:
    a = writer(server.url)
    with pytest.raises(Refused, match="idempotency key"):
        submit(a, idempotency_key="")
    with pytest.raises(Refused, match="lack order"):
        a.query(Query("refund", values={"reason": "1"}, idempotency_key="k"))
    assert server.asked == []


def test_a_write_without_receipt_says_that_it_happened(server: Server) -> None:
    server.respond = lambda a: (200, {}, b"ok")
    with pytest.raises(FormatError, match=r"written .* no receipt"):
        submit(writer(server.url))


def test_ping(server: Server) -> None:
    server.respond = lambda a: (204, {}, b"") if a.path == "/health" else (404, {}, b"")
    adapter(server.url, connection={"ping": "/health"}).ping(2)
    adapter(server.url).ping(2)  # a server that answers anything is there
    with pytest.raises(FormatError, match="404"):
        adapter(server.url, connection={"ping": "/helth"}).ping(2)
    with pytest.raises(Unavailable):
        adapter("http://127.0.0.1:9").ping(2)


@pytest.mark.parametrize(
    ("locate", "match"),
    [
        ({"path": ""}, "dataset issues: locate: path is missing"),
        ({"colour": 1}, "colour is not a key"),
        ({"format": "csv"}, "json or xml"),
        ({"rows": "$.[["}, "no JSONPath"),
        ({"fields": {"id": "$.key"}}, "lacks a path for hours, opened, region"),
        ({"fields": {**LOCATE["fields"], "x": "$.x"}}, "fields.x is no field"),
        ({"fields": {**LOCATE["fields"], "id": {"pth": "$.x"}}}, "unknown key pth"),
        ({"fields": {**LOCATE["fields"], "id": {"path": "$.x", "as": "decade"}}}, "as is year"),
        ({"paging": {"style": "scroll"}}, "style is one of"),
        ({"paging": {"style": "token"}}, "needs the key token"),
        ({"paging": {"stile": "token"}}, "unknown key stile"),
        ({"filters": {"x": {"parameter": "x"}}}, "filters.x is no field"),
        ({"changes": {"each": "$.x"}}, "changes takes"),
        ({"method": "DELETE"}, "GET or POST"),
        ({"format": "xml", "rows": "/a/b", "key": "@id", "fields": dict.fromkeys(LOCATE["fields"], "//x")}, "from the record"),
        ({"format": "xml", "rows": "/a[", "key": "@id"}, "no XPath"),
        ({"write": {"path": "/x"}}, "side_effect: true"),
    ],
)  # fmt: skip
def test_a_mapping_that_cannot_work(locate: dict[str, Any], match: str) -> None:
    with pytest.raises(ConfigurationError, match=match) as caught:
        adapter("http://127.0.0.1:9", locate)
    assert str(caught.value).startswith("source desk: dataset issues: locate: ")


def test_the_address_is_missing() -> None:
    with pytest.raises(ConfigurationError, match=r"connection\.url"):
        adapter("")


@pytest.mark.parametrize("packed", [False, True])
def test_a_reply_without_end_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    import adapters.http_client

    monkeypatch.setattr(adapters.http_client, "MAX_BYTES", 1 << 20)
    body = b'{"issues": [' + b" " * (4 << 20) + b"]}"
    headers = {"content-encoding": "gzip"} if packed else {}
    server.respond = lambda a: (200, dict(headers), gzip.compress(body) if packed else body)
    with pytest.raises(FormatError, match="larger than 1 MiB"):
        ask(adapter(server.url))


def test_several_threads_at_once(server: Server) -> None:
    server.respond = offset_pages(25, cap=10, total=25)
    a = adapter(server.url, OFFSET)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: len(ask(a)[0].rows), range(16)))
    assert found == [25] * 16
