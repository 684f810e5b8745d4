"""Runs one of the demo's applications: in this process until it ends (`serve`), or in a thread (`Running`)."""

from __future__ import annotations

import argparse
import os
import socket
import threading
from collections.abc import Callable
from types import TracebackType

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from demo.fingerprint import fingerprint

__all__ = ["Running", "health_route", "main"]


def health_route(service: str) -> Route:
    """`GET /health`: which server of the demo this is, of which version, for which home folder, as which process."""

    async def health(_: object) -> JSONResponse:
        return JSONResponse(
            {
                "service": service,
                "version": fingerprint(),
                "pid": os.getpid(),
                "home": os.environ.get("ASSAY_DEMO_HOME", ""),
            }
        )

    return Route("/health", health)


def main(make_app: Callable[[], Starlette], port: int) -> None:
    """The body of `python -m demo.boards` and `python -m demo.tickets`; loopback only."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=port)
    wanted = parser.parse_args().port
    uvicorn.run(
        make_app(), host="127.0.0.1", port=wanted, log_level="info", timeout_graceful_shutdown=2, ws="none"
    )


class Running:
    """`with Running(boards.app()) as server: server.url`: a real server on a free port of loopback."""

    def __init__(self, app: Starlette, port: int = 0) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", port))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            app, log_level="error", timeout_graceful_shutdown=1, ws="none", lifespan="off"
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )

    def __enter__(self) -> Running:
        self._socket.listen(128)  # from here on a client waits in the backlog until the loop takes it
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self._socket.close()
