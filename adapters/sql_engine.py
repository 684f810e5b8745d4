"""Connections that can only read, and statements that end in time.

SQLite is opened with mode=ro and query_only, DuckDB read_only with no access to files or settings, PostgreSQL in a
READ ONLY transaction with a statement timeout. A statement in SQLite or DuckDB is interrupted from outside.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from adapters.base import Resources, SourceSpec
from adapters.errors import AuthRequired, ConfigurationError, SourceError, Timeout, Unavailable

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

__all__ = ["first_line", "mask", "open_engine", "reading"]


def open_engine(spec: SourceSpec, resources: Resources) -> Engine:
    """An engine for the source's `connection.url`; connects to nothing yet.

    `${home}` in the URL is the home folder, `env:NAME` the variable's value; a relative path of a file counts from
    `settings["root"]`, the configuration's project. Raises ConfigurationError.
    """
    from sqlalchemy import create_engine
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError
    from sqlalchemy.pool import NullPool

    text = str(spec.connection.get("url") or "")
    if text.startswith("env:"):
        text = os.environ.get(text[4:], "")
    if not text:
        raise ConfigurationError(f"source {spec.name}: connection.url is missing", source=spec.name)
    try:
        url = make_url(text.replace("${home}", str(resources.home.absolute())))
    except (ArgumentError, ValueError) as e:
        raise ConfigurationError(f"source {spec.name}: connection.url: {e}", source=spec.name) from e
    backend = url.get_backend_name()
    if backend in ("sqlite", "duckdb"):
        root = Path(str(resources.settings.get("root") or Path.cwd()))
        path = root / (url.database or "")
        if backend == "sqlite":
            return create_engine(
                url.set(database=str(path)), creator=lambda: _sqlite(path, spec), poolclass=NullPool
            )
        options = {"read_only": True, "config": {"enable_external_access": False, "lock_configuration": True}}
        return create_engine(f"duckdb:///{path}", connect_args=options, poolclass=NullPool)
    if backend != "postgresql":
        raise ConfigurationError(
            f"source {spec.name}: connection.url: {backend} is not one of sqlite, duckdb, postgresql",
            source=spec.name,
        )
    url = url.set(
        username=spec.auth.get("username") or url.username, password=spec.auth.get("password") or url.password
    )
    try:
        return create_engine(url, pool_pre_ping=True)
    except (ImportError, ArgumentError) as e:
        raise ConfigurationError(f"source {spec.name}: connection.url: {e}", source=spec.name) from e


def _sqlite(path: Path, spec: SourceSpec) -> Any:
    import sqlite3

    if not path.is_file():
        raise Unavailable(f"source {spec.name}: there is no database file {path}", source=spec.name)
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro",
        uri=True,
        timeout=min(5.0, spec.timeout_s),
        check_same_thread=False,
    )
    connection.execute("PRAGMA query_only = ON")
    return connection


@contextmanager
def reading(engine: Engine, source: str, timeout_s: float) -> Iterator[Connection]:
    """A read-only connection on which all work ends within `timeout_s` seconds.

    Raises Timeout, AuthRequired or Unavailable in place of the driver's errors; others pass as SQLAlchemyError.
    """
    from sqlalchemy import text
    from sqlalchemy.exc import DBAPIError, OperationalError

    deadline = time.monotonic() + timeout_s
    backend = engine.dialect.name
    if backend == "duckdb" and not Path(str(engine.url.database)).is_file():
        raise Unavailable(f"source {source}: there is no database file {engine.url.database}", source=source)
    try:
        connection = engine.connect()
    except DBAPIError as e:
        raise _connect_error(e, source) from e
    stop = _watch(connection.connection.driver_connection, deadline) if backend != "postgresql" else None
    try:
        if backend == "postgresql":
            connection.execute(text("SET TRANSACTION READ ONLY"))
            connection.execute(text(f"SET LOCAL statement_timeout = {max(1, int(timeout_s * 1000))}"))
        yield connection
    except DBAPIError as e:
        if time.monotonic() >= deadline or "statement timeout" in str(e.orig):
            raise Timeout(
                f"source {source}: the statement was cut off after {timeout_s:g} s", source=source
            ) from e
        if isinstance(e, OperationalError) and re.search("locked|connection|terminat", str(e.orig), re.I):
            raise Unavailable(f"source {source}: {first_line(e)}", source=source) from e
        raise
    finally:
        if stop is not None:
            stop.set()
        connection.close()


def _watch(driver_connection: Any, deadline: float) -> threading.Event:
    """Interrupts the connection from `deadline` on until the returned event is set.

    Again and again, since an interrupt between two statements stops neither.
    """
    done = threading.Event()

    def interrupt() -> None:
        while not done.wait(max(0.02, deadline - time.monotonic())):
            driver_connection.interrupt()

    threading.Thread(target=interrupt, name="sql-deadline", daemon=True).start()
    return done


def _connect_error(error: Any, source: str) -> SourceError:
    if re.search("password|authentication|role .* does not exist", str(error.orig), re.I):
        return AuthRequired(f"source {source}: {first_line(error)}", source=source)
    return Unavailable(f"source {source}: {first_line(error)}", source=source)


def first_line(error: Any) -> str:
    """What a driver said, without SQLAlchemy's additions, in one line."""
    return str(getattr(error, "orig", None) or error).strip().split("\n")[0][:300]


def mask(values: Mapping[str, Any]) -> dict[str, Any]:
    """Bound parameters as JSON can hold them."""
    return {k: v if isinstance(v, str | int | float | bool | None) else str(v) for k, v in values.items()}
