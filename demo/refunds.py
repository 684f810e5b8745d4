"""The demo's refund desk: the one thing in the demo that changes something. One refund an order, ever."""

from __future__ import annotations

import datetime as dt
import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from demo import credentials
from demo.company import ORDERS
from demo.faults import Faults

__all__ = ["Refunds"]


class Refunds:
    """Refunds live as long as the server."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._by_key: dict[str, dict[str, str]] = {}
        self._submitted: list[dict[str, str]] = []

    def route(self) -> Route:
        return Route("/refunds", self._handle, methods=["GET", "POST"])

    async def _handle(self, request: Request) -> Response:
        if not credentials.bearer_is_good(request.headers.get("authorization", "")):
            return JSONResponse({"error": "log in with a bearer token"}, 401)
        if self._faults.spend("500") is not None:
            return JSONResponse({"error": "internal error"}, 500)
        if request.method == "GET":
            return JSONResponse({"refunds": self._submitted})
        try:
            body = json.loads(await request.body())
            order_id, reason = str(body["order_id"]), str(body.get("reason") or "")
        except (ValueError, KeyError, TypeError):
            return JSONResponse({"error": "the body is JSON with order_id and reason"}, 400)
        key = request.headers.get("idempotency-key", "")
        if key in self._by_key:
            return JSONResponse(self._by_key[key], 200)
        order = next((o for o in ORDERS if o.order_id == order_id), None)
        if order is None:
            return JSONResponse({"error": f"no order {order_id}"}, 404)
        earlier = next((r for r in self._submitted if r["order_id"] == order_id), None)
        if earlier:
            return JSONResponse({"error": f"order {order_id} is refunded: {earlier['refund_id']}"}, 409)
        if order.status != "已签收":
            return JSONResponse(
                {"error": f"order {order_id} is {order.status}; only 已签收 is refunded"}, 422
            )
        receipt = {
            "refund_id": f"RF-{len(self._submitted) + 1:05d}",
            "order_id": order_id,
            "reason": reason,
            "amount": f"¥{order.price:,}",
            "status": "accepted",
            "submitted_at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        }
        self._submitted.append(receipt)
        if key:
            self._by_key[key] = receipt
        return JSONResponse(receipt, 201)
