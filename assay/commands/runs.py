"""`assay runs list|show|accept`: what was asked, what came of it, every attempt on the way; what a planner may learn from."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from assay.commands.options import ConfigsOption, JsonOption, write_json

if TYPE_CHECKING:
    from executor.store import RunStore

__all__ = ["app"]

app = typer.Typer(
    help="Read the records of earlier runs; keep good ones to learn from.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@app.command("list")
def list_runs(
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, newest first.")] = 20,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the newest runs."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    store = _store(configs)
    try:
        rows = store.list(limit)
    finally:
        store.close()
    if as_json:
        write_json([dataclasses.asdict(r) for r in rows])
        return
    table = Table()
    for heading in ("run", "started", "status", "seconds", "question"):
        table.add_column(heading)
    for r in rows:
        seconds = "" if r.seconds is None else f"{r.seconds:.1f}"
        table.add_row(r.run_id, r.started, r.status, seconds, escape(r.question))
    Console().print(table)


@app.command("show")
def show(
    run_id: Annotated[str, typer.Argument(help="The run's id, as `assay runs list` shows it.")],
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one run: its plan, steps, attempts, decisions and answer."""
    from rich.console import Console
    from rich.markup import escape

    store = _store(configs)
    try:
        run = store.show(run_id)
    finally:
        store.close()
    if as_json:
        write_json(run)
        return
    console = Console(highlight=False)
    console.print(
        f"[bold]{escape(str(run['question']))}[/bold]\n{run['run_id']} · {run['status']} · {run['started']}"
    )
    for step in run["steps"]:
        console.print(f"{step['goal_id']:<6} {step['status']:<16} {escape(str(step.get('message') or ''))}")
        for a in step["attempts"]:
            console.print(
                f"       [dim]{a['request_id']} · {a['elapsed']:.2f} s · HTTP {a['status'] or '–'} · "
                f"{a['failure'] or 'ok'} {escape(a['message'])}[/dim]"
            )
    for e in run["events"]:
        console.print(f"[dim]{e['at']} {e['kind']} {escape(str(e['detail']))}[/dim]", soft_wrap=True)
    if run.get("answer"):
        console.print("\n" + escape(str(run["answer"]["answer"]["text"])))


@app.command("accept")
def accept(
    run_id: Annotated[str, typer.Argument(help="The run's id, as `assay runs list` shows it.")],
    force: Annotated[bool, typer.Option("--force", help="Also a run that was not answered.")] = False,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep a run's question and plan for `assay planner train --from-runs`, once its plan is verified."""
    from assay.accepted import accept as keep
    from assay.settings import Settings, find_configs
    from planner.catalogue import Catalogue

    folder = find_configs(configs)
    store = _store(configs)
    try:
        run = store.show(run_id)
    finally:
        store.close()
    kept = keep(run, Catalogue.load(folder / "sources"), Settings.load(folder).home / "accepted", force=force)
    if as_json:
        write_json({
            "run_id": run["run_id"], "kept": kept.kept, "file": str(kept.file), "question": kept.triple.question,
            "language": kept.triple.language, "today": kept.triple.today.isoformat(), "plan": kept.triple.plan.splitlines(),
        })  # fmt: skip
        return
    typer.echo(kept.triple.plan)
    typer.echo(f"run {run['run_id']} {kept.kept}: {kept.file}")


def _store(configs: str | None) -> RunStore:
    from assay.settings import Settings, find_configs
    from executor.store import RunStore

    return RunStore(Settings.load(find_configs(configs)).store)
