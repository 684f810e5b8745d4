"""`assay check`: every source's own validation, by itself."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from assay.commands.options import ConfigsOption, JsonOption, open_installation, write_json
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.health import SourceCheck

__all__ = ["check"]

FAILED = 3
PIPED_WIDTH = 140


def check(
    sources: Annotated[list[str] | None, typer.Argument(help="Sources to check (default: all).")] = None,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask every source for a little and check the reply. Exit code 3 when one fails."""
    from assay.health import check_sources

    with open_installation(configs) as assay:
        unknown = sorted(set(sources or ()) - set(assay.catalogue.sources))
        if unknown:
            raise UsageError(
                f"no source {', '.join(unknown)}; there is {', '.join(sorted(assay.catalogue.sources))}"
            )
        results = check_sources(assay.catalogue, assay.resources, sources or None)
    if as_json:
        write_json([dataclasses.asdict(r) for r in results])
    else:
        _print(results)
    if not all(r.ok for r in results):
        raise typer.Exit(FAILED)


def _print(results: list[SourceCheck]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table()
    for heading in ("source", "kind", "dataset", "ok", "rows", "seconds"):
        table.add_column(heading, no_wrap=True)
    table.add_column("what", overflow="fold")
    for r in results:
        mark = "[green]✓[/green]" if r.ok else "[red]✗[/red]"
        rows = "" if r.rows is None else str(r.rows)
        table.add_row(r.source, r.kind, r.dataset, mark, rows, f"{r.seconds:.1f}", escape(r.message))
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, PIPED_WIDTH)
    console.print(table)
