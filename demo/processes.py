"""The demo's server processes, apart from what they answer: started, told from others by their arguments, ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from demo import credentials
from demo.errors import DemoError

__all__ = ["is_server", "spawn", "stop"]

STOP_S = 8.0


def spawn(name: str, port: int, home: Path) -> subprocess.Popen[bytes]:
    credentials.set_defaults()
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH", "")) if p)
    with (home / "demo" / f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", f"demo.{name}", "--port", str(port)],
            cwd=home,
            env={**os.environ, "PYTHONPATH": path, "ASSAY_DEMO_HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def stop(pid: int) -> None:
    """Asks the process to end, and kills it when it has not after STOP_S seconds."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, sign)
        except ProcessLookupError:
            return
        end = time.monotonic() + STOP_S
        while time.monotonic() < end:
            if not is_server(pid):
                return
            time.sleep(0.05)
    raise DemoError(f"process {pid} of the demo does not end")


def is_server(pid: int, name: str = "") -> bool:
    """Does a living process of that number run a server of the demo (`-m demo.NAME`; without a name, any)?"""
    shown = _command_line(pid)
    return f"-m demo.{name}" in shown


def _command_line(pid: int) -> str:
    """The process's arguments, from /proc where there is one, else from ps; empty for a dead one or a zombie."""
    if Path("/proc/self").exists():
        try:
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            return ""
    command = ["ps", "-o", "stat=,args=", "-p", str(pid)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return "" if shown.startswith("Z") else shown
