"""`assay index build|search|status|rollback`: the knowledge index."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.commands.options import ConfigsOption, JsonOption, RolesOption, write_json
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.settings import Settings
    from kb_index.build import BuildReport

__all__ = ["app", "build_index", "index_folder"]

app = typer.Typer(
    help="Build, search and inspect the knowledge index.", rich_markup_mode=None, no_args_is_help=True
)
FAILED_FILES = 2


@app.command("build")
def build(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files and folders (default: the configured ones).")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=0, help="Read files in so many processes (0: Dask in this one)."),
    ] = None,
    scheduler: Annotated[
        str,
        typer.Option("--scheduler", metavar="ADDR", help="Read files on the workers of a Dask scheduler."),
    ] = "",
    full: Annotated[
        bool, typer.Option("--full", help="Read every file again, unchanged and given-up ones too.")
    ] = False,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Index PDF and Word files; unchanged ones are skipped. Exit code 2 when a file failed."""
    if workers is not None and scheduler:
        raise UsageError("--workers and --scheduler exclude each other: a scheduler has its own workers")
    settings = _settings(configs)
    report = build_index(
        settings, paths or [], quiet=as_json, full=full, workers=workers, scheduler=scheduler
    )
    if as_json:
        write_json(report.as_dict())
    else:
        typer.echo(str(report))
    for path, reason in report.failed:
        typer.echo(f"failed: {path}: {reason}", err=True)
    if report.failed:
        raise typer.Exit(FAILED_FILES)


@app.command("search")
def search(
    text: Annotated[str, typer.Argument(help="What to look for.")],
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many hits.")] = 5,
    roles: RolesOption = None,
    words: Annotated[bool, typer.Option("--words", help="By words alone: quick, no model.")] = False,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the passages nearest to a text, with document, page and section."""
    from kb_index.search import Index

    if not text.strip():
        raise UsageError("the text to look for is empty")
    settings = _settings(configs)
    index = Index.open(index_folder(settings), index_settings(settings))
    try:
        hits = index.search(text, limit=limit, roles=tuple(roles or ()), by="words" if words else "both")
    finally:
        index.close()
    if as_json:
        write_json([dataclasses.asdict(h) for h in hits])
        return
    for n, h in enumerate(hits, 1):
        table = f" · table {h.table_id}" if h.table_id else ""
        typer.echo(f"{n}. {h.document} p.{h.page_from} · {' > '.join(h.section_path)}{table} · {h.score:.3f}")
        typer.echo("   " + " ".join(h.text.split())[:200])


@app.command("status")
def status(configs: ConfigsOption = None, as_json: JsonOption = False) -> None:
    """Say which version serves, when it was built, and what it holds."""
    from kb_index.status import status as status_of

    found = status_of(index_folder(_settings(configs))).as_dict()
    if as_json:
        write_json(found)
        return
    for key in ("version", "built", "store", "files", "pages", "chunks", "bytes"):
        typer.echo(f"{key:<8} {found[key]}")
    for d in found["documents"]:
        read = f" ({d['ocr_pages']} by OCR)" if d["ocr_pages"] else ""
        typer.echo(f"         {d['document']} · {d['pages']} pages{read} · {d['chunks']} chunks")
    for f in found["failed"]:
        typer.echo(f"failed   {f['path']}: {f['reason']}")


@app.command("rollback")
def rollback(configs: ConfigsOption = None) -> None:
    """Serve the version before the current one again."""
    from kb_index.status import rollback as serve_earlier

    settings = _settings(configs)
    version = serve_earlier(index_folder(settings), index_settings(settings))
    typer.echo(f"serving version {version}")


def index_folder(settings: Settings) -> Path:
    return settings.home / "index" / settings.knowledge.collection


def index_settings(settings: Settings) -> dict[str, object]:
    """What kb_index needs to know, in its own words."""
    from kb_index.settings import of_installation

    return of_installation(settings.home, settings.knowledge.model_dump())


def build_index(
    settings: Settings,
    paths: list[Path],
    *,
    quiet: bool,
    full: bool = False,
    workers: int | None = None,
    scheduler: str = "",
) -> BuildReport:
    """Builds the configured collection from `paths`, or from the configured folders; returns its BuildReport.

    The demo company's documents are made first when the configuration is its.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from kb_index.build import build as build_version

    if settings.demo and not paths:
        from demo.files import make

        make(settings.home)
    wanted = paths or [settings.resolve(p) for p in settings.knowledge.paths]
    if not wanted:
        raise UsageError("nothing to index: name files or folders, or set knowledge.paths in assay.yaml")
    for path in wanted:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
    console = Console(stderr=True, quiet=quiet)
    columns = (TextColumn("[dim]index[/dim] {task.description}"), BarColumn(), MofNCompleteColumn())
    # only a terminal has a bar: elsewhere it would leave empty lines among those that matter
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def progress(doing: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, description=doing)

        return build_version(
            wanted,
            index_folder(settings),
            settings=index_settings(settings),
            progress=progress,
            full=full,
            workers=workers,
            scheduler=scheduler,
        )


def _settings(configs: str | None) -> Settings:
    from assay.settings import Settings, find_configs

    return Settings.load(find_configs(configs))
