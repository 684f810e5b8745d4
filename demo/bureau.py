"""The demo's credit bureau: reports in XML, paged by page number, behind an API key."""

from __future__ import annotations

from xml.sax.saxutils import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from demo import credentials
from demo.borrowers import BORROWERS, Borrower
from demo.faults import Faults

__all__ = ["bureau_route"]

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def _xml(body: str, status: int = 200) -> Response:
    return Response(_HEAD + body, status, media_type="application/xml")


def bureau_route(faults: Faults) -> Route:
    """`?user_id=` one person's report, or all; `?page=` from 1, `?size=` at most 20."""

    async def reports(request: Request) -> Response:
        if not credentials.token_is_good(request.headers.get("x-api-key", "")):
            return _xml("<error code='401'>X-Api-Key is missing or wrong</error>", 401)
        if faults.spend("500") is not None:
            return _xml("<error code='500'>internal error</error>", 500)
        try:
            page = max(int(request.query_params.get("page", "1")), 1)
            size = min(max(int(request.query_params.get("size", "2")), 1), 20)
        except ValueError:
            return _xml("<error code='400'>page and size are whole numbers</error>", 400)
        user = request.query_params.get("user_id")
        found = [b for b in BORROWERS.values() if user in (None, "", b.user_id)]
        return _xml(_page(found, page, size))

    return Route("/bureau/reports.xml", reports)


def _page(found: list[Borrower], page: int, size: int) -> str:
    pages = max(-(-len(found) // size), 1)
    reports = "".join(
        f'<report id="CR-{b.query_date.replace("-", "")}-{escape(b.user_id)}">'
        f"<userId>{escape(b.user_id)}</userId><score>{b.credit_score}</score>"
        f"<queryDate>{b.query_date}</queryDate></report>"
        for b in found[(page - 1) * size : page * size]
    )
    return f'<reports page="{page}" pages="{pages}" total="{len(found)}">{reports}</reports>'
