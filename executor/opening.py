"""Opens the run store's database: the file and its folder, WAL mode, the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from executor.errors import StoreError
from executor.tables import metadata

__all__ = ["one_line", "open_engine"]


def open_engine(where: str | Path, busy_s: float) -> tuple[Engine, Path | None]:
    """The engine, ready to be written to, and the folder for what is too large for a row (None: rows hold it).

    Raises StoreError: no such folder and none can be made, not a database, read-only, an unknown URL.
    """
    text = str(where)
    try:
        url = make_url(text if "://" in text else f"sqlite:///{text}")
    except SQLAlchemyError as e:
        raise StoreError(f"run store {text!r}: {one_line(e)}") from e
    lite = url.get_backend_name() == "sqlite"
    if lite and url.database in (None, "", ":memory:"):
        raise StoreError("run store: an in-memory database is a different one in each thread; give a file")
    path = Path(url.database or "runs")
    shown = url.render_as_string(hide_password=True)
    try:
        if lite:
            path.parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(url, connect_args={"timeout": busy_s} if lite else {})
    except (SQLAlchemyError, OSError, ImportError) as e:
        raise StoreError(f"run store {shown} cannot be opened: {one_line(e)}") from e
    if lite:
        event.listen(engine, "connect", _pragmas)
        event.listen(engine, "begin", _immediate)
    try:
        metadata.create_all(engine)
        _check_writable(engine)
    except (SQLAlchemyError, OSError) as e:
        engine.dispose()
        raise StoreError(f"run store {shown} cannot be used: {one_line(e)}") from e
    # a server's database is shared by machines that do not share a folder
    return engine, path.with_name(f"{path.name}.blobs") if lite else None


def _pragmas(connection: Any, _record: Any) -> None:
    # the driver must not open transactions by itself: `_immediate` does
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # FULL: an intent that is committed must survive a power cut, or a write could be done twice
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _immediate(connection: Any) -> None:
    # takes the write lock at the start, where SQLite waits for it; a read that turns into a write would fail at once
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _check_writable(engine: Engine) -> None:
    """BEGIN IMMEDIATE fails on a file that cannot be written, and a foreign database lacks the columns."""
    with engine.begin() as db:
        found = inspect(db)
        for table in metadata.sorted_tables:
            have = {c["name"] for c in found.get_columns(table.name)}
            missing = [c.name for c in table.columns if c.name not in have]
            if missing:
                raise OSError(
                    f"its table {table.name!r} lacks {', '.join(missing)}: made by another program or version"
                )


def one_line(error: BaseException) -> str:
    """The driver's own words, without the statement and its parameters."""
    cause = getattr(error, "orig", None) or error
    return " ".join(str(cause).split()) or type(error).__name__
