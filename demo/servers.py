"""Starts and stops the demo's three servers, each a process of its own that outlives the command.

A server says at `/health` which version of the demo it is and whose home folder it serves; that, and not the pid
file, decides whether it is ours. The pid file serves to stop one that no longer answers.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demo.errors import DemoError
from demo.fingerprint import fingerprint
from demo.processes import is_server, spawn, stop

__all__ = ["ServerStatus", "down", "status", "up"]

_PORTS = {
    "boards": 8931,
    "tickets": 8932,
    "office": 8933,
}  # as configs/sources names them; ASSAY_DEMO_BOARDS_PORT overrides
START_S = 30.0
# loopback is never asked for through a proxy that the environment names
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """`up`: a server of the demo answers on its port. `note` says what else is to be known, or is empty."""

    name: str
    url: str
    up: bool
    pid: int | None = None
    note: str = ""


def up(home: Path, ports: Mapping[str, int] | None = None) -> list[str]:
    """Starts what is not up, replaces what is of another version, waits until all answer; a line a server.

    Raises DemoError when a port is taken by something else or a server does not come up.
    """
    home = home.resolve()
    (home / "demo").mkdir(parents=True, exist_ok=True)
    lines, started = [], []
    for name, port in _ports(ports).items():
        health = _health(name, port)
        if health and health["version"] == fingerprint():
            lines.append(f"{name}: already up on http://127.0.0.1:{port} (pid {health['pid']})")
            continue
        if health and not _is_ours(health, home):
            raise DemoError(
                f"port {port} serves the demo of another version (pid {health['pid']}, home "
                f"{health['home'] or 'unknown'}); stop that one first"
            )
        if health:
            stop(int(health["pid"]))
        elif _taken(port):
            raise DemoError(f"port {port} is taken by another program; the demo's {name} server needs it")
        started.append((name, port, spawn(name, port, home)))
    for name, port, process in started:
        pid = _wait(name, port, process, home)
        _pid_file(home, name).write_text(f"{pid}\n", encoding="ascii")
        lines.append(f"{name}: up on http://127.0.0.1:{port} (pid {pid})")
    return lines


def down(home: Path, ports: Mapping[str, int] | None = None) -> list[str]:
    """Stops the servers of this home folder, also one that hangs; a line a server. A stale pid file is removed."""
    home = home.resolve()
    lines = []
    for name, port in _ports(ports).items():
        health, file = _health(name, port), _pid_file(home, name)
        pid = int(health["pid"]) if health and _is_ours(health, home) else _recorded(file, name)
        if pid is None:
            other = f"; another home's answers on port {port} (pid {health['pid']})" if health else ""
            lines.append(f"{name}: not running{other}")
        else:
            stop(pid)
            lines.append(f"{name}: stopped (pid {pid})")
        file.unlink(missing_ok=True)
    return lines


def status(home: Path, ports: Mapping[str, int] | None = None) -> list[ServerStatus]:
    """What answers on each port now. Starts and changes nothing."""
    home = home.resolve()
    found = []
    for name, port in _ports(ports).items():
        health = _health(name, port)
        note = ""
        if health and not _is_ours(health, home):
            note = f"started for another home folder: {health['home'] or 'unknown'}"
        elif health and health["version"] != fingerprint():
            note = "of an earlier version; assay demo up replaces it"
        elif not health and _taken(port):
            note = f"port {port} is taken by another program"
        pid = int(health["pid"]) if health else None
        found.append(ServerStatus(name, f"http://127.0.0.1:{port}", health is not None, pid, note))
    return found


def _ports(given: Mapping[str, int] | None) -> Mapping[str, int]:
    if given is not None:
        return given
    found = {}
    for name, port in _PORTS.items():
        variable = f"ASSAY_DEMO_{name.upper()}_PORT"
        text = os.environ.get(variable, str(port))
        if not text.isdecimal() or not 0 < int(text) < 65536:
            raise DemoError(f"{variable} is {text[:40]!r}, not a port")
        found[name] = int(text)
    return found


def _health(name: str, port: int) -> dict[str, Any] | None:
    """What a server of the demo says of itself; None when none answers on this port."""
    try:
        with _DIRECT.open(f"http://127.0.0.1:{port}/health", timeout=3) as reply:
            said = json.loads(reply.read(10_000))
    except (OSError, ValueError, urllib.error.URLError):
        return None
    ours = isinstance(said, dict) and said.get("service") == f"assay-demo-{name}"
    return said if ours and {"pid", "version", "home"} <= said.keys() else None


def _is_ours(health: dict[str, Any], home: Path) -> bool:
    return bool(health["home"] == str(home))


def _taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def _wait(name: str, port: int, process: subprocess.Popen[bytes], home: Path) -> int:
    """The pid that answers. Another `up` may have won the port; then its server is the one."""
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if health := _health(name, port):
            if int(health["pid"]) == process.pid:
                process.returncode = 0  # it outlives this object on purpose: no warning when that is dropped
            return int(health["pid"])
        if process.poll() is not None and not _taken(port):
            break
        time.sleep(0.05)
    process.kill()
    log = home / "demo" / f"{name}.log"
    last = log.read_text("utf-8", "replace").strip().splitlines()[-1:] or ["no output"]
    raise DemoError(f"the demo's {name} server did not come up on port {port}: {last[0][:200]} (see {log})")


def _pid_file(home: Path, name: str) -> Path:
    return home / "demo" / f"{name}.pid"


def _recorded(file: Path, name: str) -> int | None:
    """The pid in the file, when that process still is this server and not another that took its number."""
    try:
        pid = int(file.read_text("ascii"))
    except (OSError, ValueError):
        return None
    return pid if is_server(pid, name) else None
