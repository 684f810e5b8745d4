"""The switches that make a demo server misbehave on purpose: `POST /_control`.

`{"fault": NAME, …}` switches one on, `{"reset": true}` switches all off, `GET /_control` shows what is on.
What each server knows stands in README.md.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

__all__ = ["Faults"]


class Faults:
    """Faults that are on. One may be on several times, each for what it was switched on for (`board`, …)."""

    def __init__(self, known: dict[str, str]) -> None:
        self.known = known
        self.on: list[dict[str, Any]] = []  # the bodies that switched them on, "fault" among the keys

    def switch_on(self, params: dict[str, Any]) -> None:
        """Takes the place of the same fault on the same board."""
        fault, board = params["fault"], params.get("board")
        self.on = [b for b in self.on if (b["fault"], b.get("board")) != (fault, board)] + [params]

    def get(self, name: str, **scope: str) -> dict[str, Any] | None:
        """The fault's parameters when it is on and each of `scope` is what it was switched on for (or left open)."""
        return next(
            (b for b in self.on if b["fault"] == name and all(b.get(k, v) == v for k, v in scope.items())),
            None,
        )

    def spend(self, name: str) -> dict[str, Any] | None:
        """Like `get`, and off after as many calls as its `times` says (without one: stays on)."""
        params = self.get(name)
        if params is not None and "times" in params:
            params["times"] -= 1
            if params["times"] <= 0:
                self.on.remove(params)
        return params

    def route(self) -> Route:
        return Route("/_control", self._control, methods=["GET", "POST"])

    async def _control(self, request: Request) -> JSONResponse:
        if request.method == "POST":
            try:
                body = json.loads(await request.body())
            except ValueError:
                return JSONResponse({"error": "the body is not JSON"}, 400)
            if not isinstance(body, dict) or not (body.get("reset") or body.get("fault") in self.known):
                names = ", ".join(self.known)
                return JSONResponse({"error": f'say {{"reset": true}} or {{"fault": one of {names}}}'}, 400)
            if body.get("reset"):
                self.on.clear()
            if "fault" in body:
                self.switch_on({k: v for k, v in body.items() if k != "reset"})
        return JSONResponse({"on": self.on, "known": self.known})
