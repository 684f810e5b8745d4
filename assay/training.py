"""Training the local planner's parts, each within a time; what was begun in the same folder goes on."""

from __future__ import annotations

import importlib
import importlib.util
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import planner
from assay.errors import UsageError
from assay.triple_files import write_text

__all__ = ["PARTS", "Run", "check_parts", "export_site", "export_weights", "train_part"]

# a part that needs another's weights stands behind it
PARTS = {
    "generator": "planner.training.lora",
    "encoder": "planner.training.encoder_training",
    "judge": "planner.training.judge_training",
}
WEIGHTS = Path(planner.__path__[0]) / "weights"  # those that come with Assay
BESIDE = 2  # authors whose triples the generator reads beside a site's own, so that the rest is not forgotten
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Run:
    """`folders` are author folders, all that `data` holds, `own` those of a site's own runs; with these, training begins
    with the weights that come with Assay. `out` is the folder of all parts, `home` that of the installation;
    `minutes` hold for each part."""

    data: Path
    folders: Sequence[Path]
    own: Sequence[Path]
    out: Path
    home: Path
    minutes: float
    seed: int


def check_parts(part: str) -> list[str]:
    """The parts that `--part` names. Raises UsageError on another name and on a part that this version cannot train."""
    if part != "all" and part not in PARTS:
        raise UsageError(f"--part {part}: there is {', '.join(PARTS)}, all")
    wanted = list(PARTS) if part == "all" else [part]
    for name in wanted:
        if importlib.util.find_spec(PARTS[name]) is None:
            raise UsageError(f"the {name} cannot be trained by this version: {PARTS[name]} is not there")
    return wanted


def train_part(name: str, run: Run, tell: Tell) -> dict[str, Any]:
    """Gives what there is to say of it: `out`, and of the generator steps, questions and loss on held-out catalogues.

    Raises UsageError where a library is missing, PlannerError on data that cannot be trained on."""
    out = run.out / name
    tell(f"training the {name} for {run.minutes:g} minutes, in {out}")
    try:
        if name == "generator":
            return _generator(run, out, tell)
        module = importlib.import_module(PARTS[name])
    except ImportError as error:
        raise UsageError(f"the {name} cannot be trained: {error.name} is missing; pip install it") from None
    with (
        redirect_stdout(sys.stderr),
        _arguments(PARTS[name], _of_encoder(run, out) if name == "encoder" else _of_judge(run, out)),
    ):
        module.main()  # what it prints is no result of this command
    return {"out": str(out)}


def _of_encoder(run: Run, out: Path) -> list[str]:
    from kb_index.model import lay_out

    shipped = WEIGHTS / "encoder.safetensors"
    if run.own and shipped.is_file() and not (out / "checkpoint.pt").is_file():
        from planner.training.encoder_file import begin_with

        begin_with(shipped, out)
    return [
        "--data", *map(str, run.folders), "--model", str(lay_out(run.home)), "--out", str(out),
        "--minutes", str(run.minutes), "--seed", str(run.seed),
    ]  # fmt: skip


def _of_judge(run: Run, out: Path) -> list[str]:
    """Of the weights that plan here, on the held-out catalogues; it draws nothing and takes the time it takes."""
    return ["--data", str(run.data), "--models", str(run.home / "models"), "--out", str(out)]


def _generator(run: Run, out: Path, tell: Tell) -> dict[str, Any]:
    """From its own checkpoint; else, for a site's own runs, from the adapter that comes with Assay; else from nothing."""
    import torch

    from planner.training.base import unpack
    from planner.training.lora import Trainer, probed_device, train

    base = run.out / "base"
    if not (base / "base.safetensors").is_file():
        tell(f"unpacking the base model into {base} (1.1 GB, once)")
    unpack(base)
    torch.manual_seed(run.seed)
    torch.set_flush_denormal(True)
    trainer = Trainer(base, out, seed=run.seed, device=probed_device())
    if (out / "checkpoint.pt").is_file():
        trainer.resume()
        tell(f"going on at {trainer.seconds / 60:.0f} minutes; --minutes counts from the beginning")
    elif run.own and (shipped := WEIGHTS / "planner-lora.gguf").is_file():
        trainer.begin(shipped)
        tell(f"beginning with {shipped}")
    train(trainer, _read_by_generator(run), run.minutes)
    held = [e["held"] for e in _log(out / "log.jsonl") if "held" in e]
    return {**trainer.facts(), "out": str(out), "held_loss": held[-1] if held else None}


def _read_by_generator(run: Run) -> list[Path]:
    """It reads a catalogue in a second and more: a site's own would be few among all."""
    others = [f for f in run.folders if f not in run.own]
    if run.own and len(others) > BESIDE:
        others = random.Random(run.seed).sample(others, BESIDE)
    return [*others, *run.own]


def _log(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


@contextmanager
def _arguments(module: str, arguments: Sequence[str]) -> Iterator[None]:
    """The command line that a module's `main` reads."""
    before = sys.argv
    sys.argv = [module, *arguments]
    try:
        yield
    finally:
        sys.argv = before


def export_weights(source: Path, file: Path) -> int:
    """Writes what serving reads, through the suffix of `file`: the generator's checkpoint as `.gguf`, the encoder's as
    `.safetensors`; it lies in `source` or its folder of that name. Gives the bytes.

    Raises UsageError on another suffix, where there is no checkpoint, or it is damaged."""
    import pickle

    name = {".gguf": "generator", ".safetensors": "encoder"}.get(file.suffix)
    if name is None:
        raise UsageError(f"{file}: the generator is written as NAME.gguf, the encoder as NAME.safetensors")
    places = [source / name / "checkpoint.pt", source / "checkpoint.pt"]
    found = next((p for p in places if p.is_file()), None)
    if found is None:
        raise UsageError(
            f"{source}: no checkpoint of the {name}; `assay planner train --part {name}` makes one"
        )
    try:
        _write(name, found, file)
    except (KeyError, TypeError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        said = " ".join(str(error).split())[:200]
        raise UsageError(f"{found} is no checkpoint of the {name}: {said}") from None
    return file.stat().st_size


def export_site(source: Path, models: Path) -> dict[Path, int]:
    """Writes every part that was trained in `source` to where planning looks first (`planner.site_weights`). Gives the
    files and their bytes.

    Raises UsageError where nothing was trained, or something is damaged."""
    from planner.errors import ModelsMissing
    from planner.judge import Judge
    from planner.site_weights import ADAPTER, JUDGE, site_folder

    into, found = site_folder(models), dict[Path, int]()
    for part, file in (("generator", into / ADAPTER), ("encoder", into / "encoder.safetensors")):
        if (source / part / "checkpoint.pt").is_file():
            found[file] = export_weights(source, file)
    judge = source / "judge" / JUDGE
    if judge.is_file():
        try:
            Judge.load(judge)
        except ModelsMissing as error:
            raise UsageError(f"{judge}: {error}") from None
        write_text(into / JUDGE, judge.read_text(encoding="utf-8"))
        found[into / JUDGE] = (into / JUDGE).stat().st_size
    if not found:
        raise UsageError(f"{source}: nothing was trained there; `assay planner train` does it")
    return found


def _write(name: str, checkpoint: Path, file: Path) -> None:
    import torch

    kept = torch.load(checkpoint, weights_only=True, map_location="cpu")
    if name == "generator":
        from planner.training.export import export

        export(kept["adapter"], file)
        return
    from planner.training import encoder_export

    encoder_export.export(checkpoint, file)
