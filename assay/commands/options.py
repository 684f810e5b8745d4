"""Options that several commands share, and how a command opens the installation."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated

import typer

from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.front import Assay

__all__ = [
    "ConfigsOption",
    "JsonOption",
    "RolesOption",
    "TodayOption",
    "jsonable",
    "open_installation",
    "read_day",
    "write_json",
]

ConfigsOption = Annotated[
    str | None, typer.Option("--configs", help="Folder with assay.yaml and sources/ (default: ./configs).")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
TodayOption = Annotated[
    str | None, typer.Option("--today", help="The day that 'last month' is counted from, YYYY-MM-DD.")
]
RolesOption = Annotated[
    list[str] | None, typer.Option("--role", help="A role of the asker; repeat for several.")
]


def read_day(text: str | None) -> dt.date:
    """The day given, today without one. Raises UsageError when it is no date."""
    if text is None:
        return dt.date.today()
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--today {text!r} is not a date; write it as 2024-07-15") from None


def open_installation(configs: str | None) -> Assay:
    """Opens the configuration; the demo company's servers are started when it is theirs and none is up."""
    from assay.front import Assay
    from assay.settings import Settings, find_configs

    settings = Settings.load(find_configs(configs))
    if settings.demo:
        from assay.commands.demo import prepare

        prepare(settings)
    return Assay.load(configs)


def jsonable(value: object) -> object:
    """Plans within dataclasses' dictionaries, lists and tuples as JSON has them."""
    if isinstance(value, dict):
        return {k: jsonable(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(v) for v in value]
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if dump else value


def write_json(value: object) -> None:
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
