"""`assay plan`: what would be done, without doing it; in bulk for measuring a planner."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.commands.options import (
    ConfigsOption,
    JsonOption,
    RolesOption,
    TodayOption,
    jsonable,
    read_day,
    write_json,
)
from assay.errors import UsageError

__all__ = ["check_planner", "plan"]


def check_planner(name: str | None) -> None:
    """Raises UsageError for a planner that is not here."""
    from planner.planners import NAMES

    if name is not None and name not in NAMES:
        raise UsageError(f"--planner {name}: there is {', '.join(NAMES)}")


def plan(
    question: Annotated[str, typer.Argument(help="The question, Chinese or English.")] = "",
    cases: Annotated[Path | None, typer.Option("--cases", help="Plan every case of this JSONL file.")] = None,
    catalogues: Annotated[
        Path | None, typer.Option("--catalogues", help="Folder with the cases' catalogues.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Where the plans of --cases go, JSONL.")] = None,
    planner: Annotated[str | None, typer.Option("--planner", help="auto, local, rules or remote.")] = None,
    today: TodayOption = None,
    roles: RolesOption = None,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the plan for a question; with --cases, write the plans of a whole file."""
    check_planner(planner)
    if cases is not None:
        _plan_cases(cases, catalogues, out, planner, configs, as_json)
        return
    import dataclasses

    from assay.front import Assay, check_question
    from assay.progress import Progress

    check_question(question, "a file of them with --cases")
    with Assay.load(configs) as assay:
        proposal = assay.plan(question, today=read_day(today), roles=roles or (), planner=planner)
        if as_json:
            found = dataclasses.asdict(proposal)
            write_json(jsonable(found))
        else:
            with Progress(to_stderr=False) as progress:
                progress.show(proposal)
    if proposal.plan is None:
        raise typer.Exit(3)


def _plan_cases(
    cases: Path,
    catalogues: Path | None,
    out: Path | None,
    planner: str | None,
    configs: str | None,
    as_json: bool,
) -> None:
    from assay.settings import Settings, find_configs
    from planner.bulk import plan_cases

    if catalogues is None or out is None:
        raise UsageError("--cases needs --catalogues DIR and --out FILE")
    for path in (cases, catalogues):
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
    settings = Settings.load(find_configs(configs))
    summary = plan_cases(
        cases,
        catalogues,
        out,
        planner or settings.planner,
        models=settings.home / "models",
        endpoint=settings.planning.endpoint(),
    )
    write_json(summary) if as_json else typer.echo(
        f"{out}: {', '.join(f'{value} {key}' for key, value in summary.items())}"
    )
