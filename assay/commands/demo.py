"""`assay demo up|down|status|run`: the small company to try Assay on."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from assay.commands.options import ConfigsOption, JsonOption, write_json
from assay.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from assay.settings import Settings

__all__ = ["app", "prepare"]

app = typer.Typer(
    help="Start, stop and try the demo company's servers.", rich_markup_mode=None, no_args_is_help=True
)
QUESTION = (
    "对比A产品在华东区2024年1月的退货率与B产品在华北区同期的退货率，并结合两地物流服务商变更记录分析可能原因"
)


ServersArgument = Annotated[list[str] | None, typer.Argument(help="boards, tickets, office (default: all).")]


@app.command("up")
def up(servers: ServersArgument = None, configs: ConfigsOption = None) -> None:
    """Make the company's files and start its servers; those that are up stay as they are."""
    from demo.files import make
    from demo.servers import up as start

    home = _home(configs)
    make(home)
    for line in start(home, _chosen(home, servers)):
        typer.echo(line)


@app.command("down")
def down(servers: ServersArgument = None, configs: ConfigsOption = None) -> None:
    """Stop the servers."""
    from demo.servers import down as stop

    home = _home(configs)
    for line in stop(home, _chosen(home, servers)):
        typer.echo(line)


@app.command("status")
def status(configs: ConfigsOption = None, as_json: JsonOption = False) -> None:
    """Say which servers are up. Exit code 3 when one is not."""
    from demo.servers import status as status_of

    servers = status_of(_home(configs))
    if as_json:
        write_json([dataclasses.asdict(s) for s in servers])
    else:
        for s in servers:
            typer.echo(f"{s.name:<10} {s.url:<24} {'up' if s.up else 'down'}")
    if not all(s.up for s in servers):
        raise typer.Exit(3)


@app.command("run")
def run() -> None:
    """The main job on the demo company: files, servers, index, and the question that needs all of it."""
    from assay.commands.ask import ask
    from assay.commands.index import build_index
    from assay.settings import Settings, find_configs

    settings = Settings.load(find_configs(None))
    prepare(settings)
    build_index(settings, [], quiet=False)
    typer.echo(f"\n{QUESTION}\n", err=True)
    ask(QUESTION)


def prepare(settings: Settings) -> None:
    """Makes what is missing of the demo company: its files, its index, its servers.

    Servers are started only when none is up: one that was stopped on purpose stays stopped.
    """
    from assay.commands.index import build_index, index_folder
    from demo.credentials import set_defaults
    from demo.files import make
    from demo.servers import status as status_of
    from demo.servers import up as start

    set_defaults()
    make(settings.home)
    if not any(s.up for s in status_of(settings.home)):
        start(settings.home)
    if not (index_folder(settings) / "current").exists():
        build_index(settings, [], quiet=False)


def _chosen(home: Path, names: list[str] | None) -> dict[str, int]:
    """The ports of the servers named, of all without names. Raises UsageError for a name that is none."""
    from demo.servers import status as status_of

    ports = {s.name: int(s.url.rsplit(":", 1)[1]) for s in status_of(home)}
    unknown = sorted(set(names or ()) - set(ports))
    if unknown:
        raise UsageError(f"no server {', '.join(unknown)}; there is {', '.join(ports)}")
    return {name: port for name, port in ports.items() if not names or name in names}


def _home(configs: str | None) -> Path:
    from assay.settings import Settings, find_configs

    return Settings.load(find_configs(configs)).home
