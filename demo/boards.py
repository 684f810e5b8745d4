"""The demo's two BI boards, sales and after-sales: behind a login, painted by script after a random delay.

The sales board gets its return rates as JSON rows; the after-sales board gets scrambled ones and shows them only
in its page; the repurchase rate is drawn on a canvas and stands nowhere as text.
"""

from __future__ import annotations

import base64
import json
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from demo import company, credentials
from demo.faults import Faults
from demo.serving import health_route, main

__all__ = ["FAULTS", "PORT", "app"]

PORT = 8931
STATIC = Path(__file__).parent / "static"
TITLES = {"sales": "销售分析看板", "support": "售后服务看板"}
FAULTS = {
    "renamed": "the column 退货率 is called 退货比例, and return_rate is called return_ratio in replies",
    "hung": "the board's data never come; the page goes on waiting",
    "empty_month": "no returns for the month given as `month`",
}


def scramble(value: Any) -> str:
    """JSON under a rolling mask, in base64: what a page can paint and a reader of its traffic cannot read."""
    raw = json.dumps(value, ensure_ascii=False).encode()
    return base64.b64encode(bytes(b ^ (i * 31 + 89) % 256 for i, b in enumerate(raw))).decode()


class Boards:
    """Sessions live as long as the server."""

    def __init__(self) -> None:
        self.sessions: set[str] = set()
        self.faults = Faults(FAULTS)

    def known(self, request: Request) -> bool:
        return request.cookies.get("board_session", "") in self.sessions

    async def login(self, request: Request) -> Response:
        back = request.query_params.get("next", "/boards/sales")
        if not back.startswith("/") or back.startswith("//"):
            back = "/boards/sales"
        note = ""
        if request.method == "POST":
            form = parse_qs((await request.body()).decode("utf-8", "replace"))
            given = [form.get(k, [""])[0].encode() for k in ("username", "password")]
            wanted = [credentials.get(f"ASSAY_DEMO_{k}").encode() for k in ("USER", "PASSWORD")]
            if all([secrets.compare_digest(g, w) for g, w in zip(given, wanted, strict=True)]):  # noqa: C419 - both, always
                session = secrets.token_urlsafe(24)
                self.sessions.add(session)
                reply = RedirectResponse(back, 303)
                reply.set_cookie("board_session", session, httponly=True, samesite="lax")
                return reply
            note = '<p class="wrong" role="alert">用户名或密码不正确</p>'
        page = (STATIC / "login.html").read_text("utf-8").replace("<!--note-->", note)
        return HTMLResponse(page, 401 if note else 200)

    async def board(self, request: Request) -> Response:
        name = request.path_params["board"]
        if name not in TITLES:
            return HTMLResponse("没有这个看板", 404)
        if not self.known(request):
            return RedirectResponse(f"/login?next={quote(request.url.path)}", 302)
        page = (STATIC / "board.html").read_text("utf-8")
        return HTMLResponse(page.replace("{board}", name).replace("{title}", TITLES[name]))

    async def api(self, request: Request) -> Response:
        if not self.known(request):
            return JSONResponse({"error": "not logged in"}, 401)
        board, panel = request.path_params["board"], request.path_params["panel"]
        if self.faults.get("hung", board=board):
            return JSONResponse({"state": "running"}, 202)
        if panel == "returns" and board in TITLES:
            return self._returns(board)
        if (board, panel) == ("sales", "repurchase"):
            series = {tier: list(rates.items()) for tier, rates in company.REPURCHASE.items()}
            return JSONResponse({"state": "done", "chart": scramble(series)})
        if (board, panel) == ("sales", "campaigns"):
            campaigns = [
                {"季度": c.quarter, "渠道": c.channel, "活动场次": c.events} for c in company.CAMPAIGNS
            ]
            return JSONResponse({"state": "done", "sheet": scramble(campaigns)})
        return JSONResponse({"error": "no such panel"}, 404)

    def _returns(self, board: str) -> JSONResponse:
        gone = self.faults.get("empty_month", board=board)
        rows = [r for r in company.returns(board) if not gone or r.month != gone.get("month")]
        renamed = self.faults.get("renamed", board=board) is not None
        if board == "sales":
            name = "return_ratio" if renamed else "return_rate"
            data = [
                {"product": r.product, "region": r.region, "month": r.month, name: r.permille / 1000}
                for r in rows
            ]
            return JSONResponse({"state": "done", "rowcount": len(data), "data": data})
        head = "退货比例" if renamed else "退货率"
        sheet = [
            {"产品": r.product, "区域": r.region, "月份": r.month, head: r.percent, "口径": "含拒收"}
            for r in rows
        ]
        return JSONResponse({"state": "done", "sheet": scramble(sheet)})

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        return FileResponse(STATIC / name) if name in {"board.css", "board.js"} else Response(status_code=404)


def app() -> Starlette:
    """A new application, with no session and no fault on."""
    boards = Boards()

    async def home(_: Request) -> Response:
        return RedirectResponse("/boards/sales", 302)

    return Starlette(
        routes=[
            Route("/", home),
            Route("/login", boards.login, methods=["GET", "POST"]),
            Route("/boards/{board}", boards.board),
            Route("/api/{board}/{panel}", boards.api),
            Route("/static/{name}", boards.file),
            health_route("assay-demo-boards"),
            boards.faults.route(),
        ]
    )


if __name__ == "__main__":
    main(app, PORT)
