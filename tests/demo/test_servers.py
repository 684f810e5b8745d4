"""The servers as processes: started once, found again, stopped, and a port that something else holds."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from demo import servers, tickets
from demo.errors import DemoError
from demo.serving import Running


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[dict[str, int]]:
    chosen = {name: free_port() for name in ("boards", "tickets", "office")}
    yield chosen
    servers.down(tmp_path, chosen)


def test_up_twice_down_twice(tmp_path: Path, ports: dict[str, int]) -> None:
    assert [s.up for s in servers.status(tmp_path, ports)] == [False] * 3
    first = servers.up(tmp_path, ports)
    pids = [s.pid for s in servers.status(tmp_path, ports)]
    assert all(f"pid {pid}" in line for pid, line in zip(pids, first, strict=True))
    assert all("already up" in line for line in servers.up(tmp_path, ports))
    assert [s.pid for s in servers.status(tmp_path, ports)] == pids
    assert [s.note for s in servers.status(tmp_path, ports)] == [""] * 3
    assert all("stopped" in line for line in servers.down(tmp_path, ports))
    assert [s.up for s in servers.status(tmp_path, ports)] == [False] * 3
    assert all("not running" in line for line in servers.down(tmp_path, ports))


def test_one_that_was_killed_comes_up_again(tmp_path: Path, ports: dict[str, int]) -> None:
    one = {"office": ports["office"]}
    servers.up(tmp_path, one)
    (before,) = servers.status(tmp_path, one)
    assert before.pid
    os.kill(before.pid, signal.SIGKILL)
    file = tmp_path / "demo" / "office.pid"
    assert file.read_text().strip() == str(before.pid)  # now stale
    (line,) = servers.up(tmp_path, one)
    assert "already" not in line
    (after,) = servers.status(tmp_path, one)
    assert after.up
    assert after.pid != before.pid


def test_a_stale_pid_file_stops_nobody_else(tmp_path: Path, ports: dict[str, int]) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "boards.pid").write_text(
        f"{os.getpid()}\n"
    )  # a living process that is no server of ours
    lines = servers.down(tmp_path, ports)
    assert lines[0] == "boards: not running"
    assert not (tmp_path / "demo" / "boards.pid").exists()


def test_another_home_uses_the_same_servers_and_does_not_stop_them(
    tmp_path: Path, ports: dict[str, int]
) -> None:
    one = {"tickets": ports["tickets"]}
    servers.up(tmp_path, one)
    other = tmp_path / "other"
    assert "already up" in servers.up(other, one)[0]
    assert "another home" in servers.status(other, one)[0].note
    assert "not running" in servers.down(other, one)[0]
    assert servers.status(tmp_path, one)[0].up


def test_a_port_that_something_else_holds(tmp_path: Path) -> None:
    with Running(tickets.app()) as other:  # any other program; this one happens to answer HTTP
        port = {"boards": other.port}
        with pytest.raises(DemoError, match=rf"port {other.port} is taken") as e:
            servers.up(tmp_path, port)
        assert "\n" not in str(e.value)
        (status,) = servers.status(tmp_path, port)
        assert not status.up
        assert "taken" in status.note


def test_ports_come_from_the_environment(
    tmp_path: Path, ports: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, port in ports.items():
        monkeypatch.setenv(f"ASSAY_DEMO_{name.upper()}_PORT", str(port))
    assert [s.url for s in servers.status(tmp_path)] == [f"http://127.0.0.1:{p}" for p in ports.values()]
    monkeypatch.setenv("ASSAY_DEMO_OFFICE_PORT", "many")
    with pytest.raises(DemoError, match="ASSAY_DEMO_OFFICE_PORT"):
        servers.status(tmp_path)


def test_a_server_says_what_it_is(tmp_path: Path, ports: dict[str, int]) -> None:
    servers.up(tmp_path, {"office": ports["office"]})
    said = httpx.get(f"http://127.0.0.1:{ports['office']}/health").json()
    assert said["service"] == "assay-demo-office"
    assert said["home"] == str(tmp_path.resolve())
