"""Finds, or installs, what pip cannot bring. Each piece: one that is there, else a package, else one line of advice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Finding", "provision"]

INSTALL_TIMEOUT_S = 600


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece: is it there, and where; or how to get it. Without one that is not `needed` all works, less well."""

    name: str
    ok: bool
    detail: str
    needed: bool = True


def provision(home: Path) -> list[Finding]:
    """Looks for each piece, installing it where this can be done. Nothing raises: each piece has its own line."""
    return [
        _piece("browser", _browser),
        _piece("font", _chinese_font),
        _piece("opencv", _opencv),
        _piece("java", _java),
        _piece("ocr", lambda: _ocr_models(home)),
        _piece("embedding", lambda: _embedding_model(home)),
        _piece("planner", lambda: _planner(home), needed=False),
    ]


def _piece(name: str, find: Callable[[], str], *, needed: bool = True) -> Finding:
    try:
        return Finding(name, True, find(), needed)
    except Exception as e:
        return Finding(name, False, " ".join(str(e).split()), needed)


def _browser() -> str:
    from adapters.browser import find_browser
    from adapters.errors import SourceError

    try:
        return str(find_browser())
    except SourceError:
        _run(sys.executable, "-m", "playwright", "install", "chromium", timeout_s=180)
    try:
        return str(find_browser())
    except SourceError:
        _apt("chromium")
    return str(find_browser())


def _chinese_font() -> str:
    """Charts and boards with Chinese labels need one; without it a browser paints empty boxes, which OCR cannot read."""
    found = _first_chinese_font()
    if found is None:
        _apt("fonts-noto-cjk")
        found = _first_chinese_font()
    if found is None:
        raise RuntimeError(
            "no font with Chinese characters: install one (Debian: apt-get install fonts-noto-cjk)"
        )
    return found


def _first_chinese_font() -> str | None:
    from matplotlib import font_manager

    names = (
        "Noto Sans CJK",
        "Noto Serif CJK",
        "Source Han",
        "WenQuanYi",
        "SimHei",
        "Microsoft YaHei",
        "PingFang",
    )
    for path in font_manager.findSystemFonts():
        stem = Path(path).stem.replace("-", "").replace(" ", "").lower()
        if any(n.replace(" ", "").lower() in stem for n in (*names, "wqy")):
            return path
    return None


def _opencv() -> str:
    """PaddleOCR's OpenCV wants the system's libGL and GLib, which a bare container lacks."""
    try:
        import cv2
    except ImportError:
        _apt("libgl1", "libglib2.0-0")
        probe = subprocess.run(
            [sys.executable, "-c", "import cv2"], capture_output=True, text=True, check=False
        )
        if probe.returncode != 0:
            raise RuntimeError(
                "OpenCV cannot be loaded: install libGL and GLib (Debian: apt-get install libgl1 libglib2.0-0)"
            ) from None
        return "libgl1 libglib2.0-0"
    return str(cv2.__version__)


def _java() -> str:
    from kb_index.java import find_java

    return str(find_java())


def _ocr_models(home: Path) -> str:
    from kb_index.ocr_models import lay_out

    return str(lay_out(home))


def _embedding_model(home: Path) -> str:
    from kb_index.model import lay_out

    return str(lay_out(home))


def _planner(home: Path) -> str:
    """The planning model's base, put together and checked; the weights that go with it, a site's own or those that come
    with Assay."""
    import importlib.util

    from planner.gemma_file import lay_out_checked
    from planner.site_weights import adapter_file, encoder_folder

    models = home / "models"
    base = lay_out_checked(models)
    if importlib.util.find_spec("xllamacpp") is None:
        raise RuntimeError(
            "xllamacpp, which runs the planning model, is missing; please run: pip install xllamacpp"
        )
    adapter, encoders = adapter_file(models), encoder_folder(models)
    if not adapter.is_file():
        raise RuntimeError(f"{adapter} is missing: please install Assay again")
    return f"{base} ({base.stat().st_size / 1e6:.0f} MB, sound); adapter {adapter}; encoder in {encoders}"


def _apt(*packages: str) -> None:
    """Installs Debian packages when this can be done without asking; says nothing when it cannot."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        _run("apt-get", "update", "-qq", timeout_s=INSTALL_TIMEOUT_S)
        _run(
            "apt-get",
            "install",
            "-y",
            "-qq",
            "--no-install-recommends",
            *packages,
            timeout_s=INSTALL_TIMEOUT_S,
        )


def _run(*command: str, timeout_s: float) -> None:
    """Runs an installer; its failure shows in the look-up that follows, its words on stderr."""
    print(f"· {' '.join(command)}", file=sys.stderr)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, env=environment, timeout=timeout_s, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as e:
        print(f"  {e}", file=sys.stderr)
        return
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        print(f"  {' '.join(last) or f'exit code {done.returncode}'}", file=sys.stderr)
