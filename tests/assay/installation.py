"""An installation of its own for a test: the default configuration on free ports, with its own home folder."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PORTS = (8931, 8932, 8933)  # as configs/sources names them


@dataclass(frozen=True)
class Installation:
    """A folder with configs/ and a home; `run` is the `assay` command on it."""

    root: Path
    env: dict[str, str]
    ports: dict[int, int]  # the port that the committed configuration names → the one in use here

    @property
    def configs(self) -> Path:
        return self.root / "configs"

    @property
    def home(self) -> Path:
        return self.root / ".assay"

    def run(
        self, *args: str, timeout: float = 180, stdin: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "assay", *args], cwd=self.root, env=self.env, text=True, capture_output=True,
            timeout=timeout, input=stdin, check=False,
        )  # fmt: skip

    def ask(self, question: str, *args: str) -> dict[str, Any]:
        """The JSON of `assay ask`, with the exit code under "exit_code".

        The command runs in this process, so that libraries and models are loaded once for all questions.
        """
        from typer.testing import CliRunner

        from assay.cli import app

        with self._entered():
            done = CliRunner().invoke(app, ["ask", question, "--json", *args])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return {**json.loads(done.stdout), "exit_code": done.exit_code}

    @contextmanager
    def _entered(self) -> Iterator[None]:
        """This installation's environment and folder, for the time of a call in this process."""
        before, folder = dict(os.environ), Path.cwd()
        os.environ.clear()
        os.environ.update(self.env)
        os.chdir(self.root)
        try:
            yield
        finally:
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(before)

    def url(self, port: int) -> str:
        return f"http://127.0.0.1:{self.ports[port]}"


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def install(root: Path) -> Installation:
    """Copies the committed configuration to `root` with its ports replaced by free ones."""
    ports = {p: _free_port() for p in PORTS}
    shutil.copytree(ROOT / "configs", root / "configs")
    for file in (root / "configs").rglob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        for committed, free in ports.items():
            text = text.replace(f"127.0.0.1:{committed}", f"127.0.0.1:{free}")
        file.write_text(text, encoding="utf-8")
    (root / ".assay").mkdir()
    models = ROOT / ".assay" / "models"
    if models.is_dir():  # laid out once by `assay setup`; without it each installation lays out its own
        (root / ".assay" / "models").symlink_to(models)
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "ASSAY_DEMO_BOARDS_PORT": str(ports[8931]),
        "ASSAY_DEMO_TICKETS_PORT": str(ports[8932]),
        "ASSAY_DEMO_OFFICE_PORT": str(ports[8933]),
    }
    for name in ("ASSAY_HOME", "ASSAY_CONFIGS"):
        env.pop(name, None)
    return Installation(root, env, ports)
