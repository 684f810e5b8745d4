"""`assay planner train|eval|export|verify`: how good the planners are here, and how the local one is made better."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.commands.options import ConfigsOption, JsonOption, write_json
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.settings import Settings
    from planner.training.evaluation import Asked, Score

__all__ = ["app"]

FAULTY = 3
app = typer.Typer(
    help="Measure the planners; train the local one.", rich_markup_mode=None, no_args_is_help=True
)

DataOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--data", help="Folder of triples, NAME.cat beside NAME.txt; repeatable (default: the authored ones)."
    ),
]
RehearseOption = Annotated[
    bool, typer.Option("--rehearse/--no-rehearse", help="Run each plan on a made-up world.")
]


@app.command("verify")
def verify(
    folders: Annotated[list[Path], typer.Argument(help="Folders of triples.")],
    rehearse: RehearseOption = True,
    every: Annotated[int, typer.Option("--every", min=1, help="Run only every so many-th plan.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Check triples: each parses, names what its catalogue has, and its plan runs. Exit code 3 on any fault."""
    from assay.triple_checks import check_worlds

    _exist(folders)
    paths = sorted({p for f in folders for p in f.rglob("*.cat")})
    if not paths:
        raise UsageError(f"{folders[0]}: no NAME.cat in it")
    triples = rehearsed = 0
    faults: list[str] = []
    for world in check_worlds(paths, every=every if rehearse else 0):
        triples += len(world.triples)
        rehearsed += sum(c.rehearsed for c in world.triples)
        for fault in world.faults:
            faults.append(fault)
            if not as_json:
                typer.echo(fault)
    found = {"catalogues": len(paths), "triples": triples, "rehearsed": rehearsed, "faults": len(faults)}
    if as_json:
        write_json({**found, "faults": faults})
    else:
        typer.echo(", ".join(f"{value} {key}" for key, value in found.items()))
    if faults:
        raise typer.Exit(FAULTY)


@app.command("train")
def train(
    data: DataOption = None,
    from_runs: Annotated[
        bool, typer.Option("--from-runs", help="Also on the runs kept with `assay runs accept`.")
    ] = False,
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="Of training, for each part.")] = 30,
    seed: Annotated[int, typer.Option("--seed", help="Of all that is drawn.")] = 1,
    part: Annotated[str, typer.Option("--part", help="generator, encoder, judge or all.")] = "all",
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder of the checkpoints (default: training/ in the home folder)."),
    ] = None,
    rehearse: RehearseOption = True,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the local planner on verified triples. Interrupted, it goes on from its last checkpoint when called again."""
    from assay.training import Run, check_parts, train_part
    from assay.training_data import prepare

    parts = check_parts(part)
    _exist(data or ())
    settings = _settings(configs)
    folder = (out or settings.home / "training").absolute()
    accepted = settings.home / "accepted" if from_runs else None
    laid_out = folder / ("data_of_runs" if from_runs else "data")
    prepared = prepare(data or (), accepted, laid_out, rehearse=rehearse, tell=_tell)
    for line in prepared.left_out:
        _tell(f"left out: {line}")
    _tell(
        f"{prepared.triples} triples on {prepared.catalogues} catalogues; {len(prepared.left_out)} left out"
    )
    run = Run(laid_out, prepared.folders, prepared.own, folder, settings.home, minutes, seed)
    found = {name: train_part(name, run, _tell) for name in parts}
    if as_json:
        write_json({
            "triples": prepared.triples, "catalogues": prepared.catalogues, "left_out": list(prepared.left_out), "parts": found,
        })  # fmt: skip
        return
    for name, facts in found.items():
        typer.echo(f"{name}: {', '.join(f'{key} {value}' for key, value in facts.items())}")


@app.command("export")
def export(
    out: Annotated[
        Path | None, typer.Option("--out", help="The file to write: NAME.gguf or NAME.safetensors.")
    ] = None,
    site: Annotated[
        bool,
        typer.Option(
            "--site",
            help="Write all that was trained to where planning here looks first, models/planner/ in the home folder.",
        ),
    ] = False,
    source: Annotated[
        Path | None, typer.Option("--from", help="A training folder (default: training/ in the home folder).")
    ] = None,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write trained weights as planning reads them: the generator's as NAME.gguf, the encoder's as NAME.safetensors."""
    from assay.training import export_site, export_weights

    if (out is None) != site:
        raise UsageError("give --out FILE, or --site")
    home = _settings(configs).home
    trained = source or home / "training"
    if out is None:
        written = export_site(trained, home / "models")
        if as_json:
            write_json({"files": [{"file": str(f), "bytes": size} for f, size in written.items()]})
            return
    else:
        written = {out: export_weights(trained, out)}
        if as_json:
            write_json({"file": str(out), "bytes": written[out]})
            return
    for file, size in written.items():
        typer.echo(f"{file}: {size / 1e6:.1f} MB")


@app.command("eval")
def evaluate(
    cases: Annotated[Path | None, typer.Argument(help="JSONL file of scored cases.")] = None,
    catalogues: Annotated[Path | None, typer.Argument(help="Folder with the cases' catalogues.")] = None,
    data: DataOption = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="With triples: also the catalogues that training uses, not only those held out."
        ),
    ] = False,
    every: Annotated[int, typer.Option("--every", min=1, help="With triples: only every so many-th.")] = 1,
    planner: Annotated[
        list[str] | None,
        typer.Option("--planner", help="auto, local, rules or remote; repeatable (default: rules and auto)."),
    ] = None,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score planners side by side, on cases or on triples: exact plans, right data, sound plans, CPU seconds."""
    from assay.commands.plan import check_planner
    from planner.training.evaluation import outcomes, scores

    names = planner or ["rules", "auto"]
    for name in names:
        check_planner(name)
    settings = _settings(configs)
    asked = _asked(cases, catalogues, data, everything=everything, every=every)
    found: list[Score] = []
    for name in dict.fromkeys(names):
        _tell(f"planning {sum(len(a.cases) for a in asked)} questions with {name}")
        own = list(outcomes(name, asked, settings.home / "models", settings.planning.endpoint()))
        found += scores(name, own, settings.planning.threshold)
    _show_scores(found, settings.planning.threshold, as_json)


def _asked(
    cases: Path | None, catalogues: Path | None, data: Sequence[Path] | None, *, everything: bool, every: int
) -> list[Asked]:
    from planner.training.evaluation import authored, read_cases
    from planner.training.split import split

    if cases is not None:
        if catalogues is None or data:
            raise UsageError("give CASES and CATALOGUES, or --data")
        _exist([cases, catalogues])
        return read_cases(cases, catalogues)
    from assay.training_data import AUTHORED

    _exist(data or ())
    worlds = []
    for folder in data or [AUTHORED]:
        used, held = split(folder)
        worlds += [*used, *held] if everything else held
    if not worlds:
        raise UsageError(f"{(data or [AUTHORED])[0]}: no NAME.cat beside a NAME.txt in it")
    return authored(worlds, every)


def _show_scores(found: Sequence[Score], threshold: float, as_json: bool) -> None:
    import dataclasses

    if as_json:
        write_json({"threshold": threshold, "scores": [dataclasses.asdict(s) for s in found]})
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE)
    for heading in (
        "planner",
        "lang",
        "cases",
        "exact",
        "needs",
        "format",
        "CPU s",
        "p95",
        f"≥{threshold:g}",
        "exact",
    ):
        table.add_column(heading, no_wrap=True)
    for s in found:
        table.add_row(
            s.planner, s.language, str(s.cases), *(f"{v:.3f}" for v in (s.exact, s.needs, s.format, s.cpu_median_s, s.cpu_p95_s)),
            *("–" if v is None else f"{v:.3f}" for v in (s.above, s.above_exact)),
        )  # fmt: skip
    Console().print(table)
    typer.echo(
        f"CPU s: of one plan, median and 95th percentile; ≥{threshold:g}: share of calibrated plans, and the exact among them"
    )


def _exist(paths: Sequence[Path]) -> None:
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")


def _settings(configs: str | None) -> Settings:
    from assay.settings import Settings, find_configs

    return Settings.load(find_configs(configs))


def _tell(line: Any) -> None:
    typer.echo(line, err=True)
