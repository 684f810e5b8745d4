"""Which weights plan here: those that a site trained, in `planner/` beside the other model files, else those that come
with Assay. Each file stands for itself: a site's encoder goes with the adapter that is there."""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "ADAPTER",
    "ENCODERS",
    "JUDGE",
    "SHIPPED",
    "adapter_file",
    "encoder_folder",
    "judge_file",
    "site_folder",
]

SHIPPED = Path(__file__).parent / "weights"
ADAPTER, JUDGE, ENCODERS = "planner-lora.gguf", "judge.json", "encoder*.safetensors"


def site_folder(models: Path) -> Path:
    """Where a site's own weights lie; `models` is the folder that model files are laid out in."""
    return models / "planner"


def encoder_folder(models: Path) -> Path:
    """The folder whose networks are heard: all of a site's, or all that come with Assay."""
    site = site_folder(models)
    return site if any(site.glob(ENCODERS)) else SHIPPED


def adapter_file(models: Path) -> Path:
    return _file(models, ADAPTER)


def judge_file(models: Path) -> Path:
    return _file(models, JUDGE)


def _file(models: Path, name: str) -> Path:
    own = site_folder(models) / name
    return own if own.is_file() else SHIPPED / name
