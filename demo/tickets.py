"""The demo's second server: a ticket system in the style of Jira.

The first search of every server's life is answered 429 with `Retry-After: 1`, as a busy system's first call may be.
"""

from __future__ import annotations

import base64
import html
import json
import re
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from demo import credentials, issues
from demo.faults import Faults
from demo.serving import health_route, main

__all__ = ["FAULTS", "PORT", "app"]

PORT = 8932
FAULTS = {
    "500": "searches answer 500 (`times`: only so many)",
    "429": "searches answer 429 with Retry-After: 1 (`times`: only so many)",
    "empty_month": "no ticket created in the month given as `month`",
}
_JQL = re.compile(r'\s*project\s*=\s*"?(\w+)"?\s*(?:order\s+by\s+(?:created|key)(\s+asc|\s+desc)?)?\s*', re.I)


def _errors(status: int, *messages: str, **headers: str) -> JSONResponse:
    body = {"errorMessages": list(messages), "errors": {}}
    return JSONResponse(body, status, headers={k.replace("_", "-"): v for k, v in headers.items()})


class Tickets:
    """Answers searches page by page; a page token is good for as long as the server lives."""

    def __init__(self) -> None:
        self.faults = Faults(FAULTS)
        self.faults.switch_on({"fault": "429", "times": 1})

    @staticmethod
    def refused(request: Request) -> JSONResponse | None:
        if credentials.bearer_is_good(request.headers.get("authorization", "")):
            return None
        return _errors(
            401, "Client must be authenticated to access this resource.", WWW_Authenticate="Bearer"
        )

    async def search(self, request: Request) -> Response:
        if denied := self.refused(request):
            return denied
        if self.faults.spend("500") is not None:
            return _errors(500, "Internal server error")
        if self.faults.spend("429") is not None:
            return _errors(429, "Rate limit exceeded.", Retry_After="1")
        asked: dict[str, Any] = dict(request.query_params)
        if request.method == "POST":
            try:
                asked = dict(json.loads(await request.body()))
            except (ValueError, TypeError):
                return _errors(400, "Invalid request payload.")
        found = _JQL.fullmatch(str(asked.get("jql", "")))
        if not found or found[1].upper() not in issues.PROJECTS:
            return _errors(400, f"Error in the JQL Query: {asked.get('jql')!r} cannot be read.")
        gone = (self.faults.get("empty_month") or {}).get("month", "never")
        hits = [i for i in issues.PROJECTS[found[1].upper()] if not i["fields"]["created"].startswith(gone)]
        if (found[2] or "").strip().lower() == "desc":
            hits.reverse()
        return self._page(hits, asked)

    def _page(self, hits: list[dict[str, Any]], asked: dict[str, Any]) -> Response:
        try:
            size = min(max(int(asked.get("maxResults", 50)), 1), 100)
            start = int(base64.urlsafe_b64decode(str(asked.get("nextPageToken") or "MDow")).split(b":")[1])
        except (ValueError, IndexError):
            return _errors(400, "The provided next page token or maxResults is invalid.")
        page = hits[start : start + size]
        if "changelog" not in str(asked.get("expand", "")):
            page = [{k: v for k, v in issue.items() if k != "changelog"} for issue in page]
        reply: dict[str, Any] = {"issues": page, "isLast": start + size >= len(hits)}
        if not reply["isLast"]:
            reply["nextPageToken"] = base64.urlsafe_b64encode(f"{size}:{start + size}".encode()).decode()
        return JSONResponse(reply)

    async def issue(self, request: Request) -> Response:
        if denied := self.refused(request):
            return denied
        found = issues.BY_KEY.get(request.path_params["key"])
        return JSONResponse(found) if found else _errors(404, "Issue does not exist.")

    async def browse(self, request: Request) -> Response:
        """A ticket as a person sees it; open, so that a citation's link opens."""
        found = issues.BY_KEY.get(request.path_params["key"])
        if not found:
            return HTMLResponse("<h1>没有这张工单 / no such ticket</h1>", 404)
        lines = "".join(
            f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in issues.lines(found)
        )
        title = html.escape(f"{found['key']} {found['fields']['summary']}")
        return HTMLResponse(_PAGE.replace("{title}", title).replace("{lines}", lines))


_PAGE = """<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>{title}</title><style>
body { font: 16px/1.6 "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; max-width: 760px;
  margin: 48px auto; padding: 0 24px; color: #1d2733 }
h1 { font-size: 22px } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: 9px 14px; border-bottom: 1px solid #dfe5ec } th { width: 190px; color: #66758a }
</style><h1>{title}</h1><table>{lines}</table></html>"""


def app() -> Starlette:
    """A new application: the first 429 still to come."""
    tickets = Tickets()

    async def home(_: Request) -> Response:
        return RedirectResponse("/browse/LOG-157", 302)

    return Starlette(
        routes=[
            Route("/", home),
            Route("/rest/api/3/search/jql", tickets.search, methods=["GET", "POST"]),
            Route("/rest/api/3/issue/{key}", tickets.issue),
            Route("/browse/{key}", tickets.browse),
            health_route("assay-demo-tickets"),
            tickets.faults.route(),
        ]
    )


if __name__ == "__main__":
    main(app, PORT)
