"""`wonderland serve` as users start it: where it listens, what it prints, and which browser it opens."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.server import STOP_TIMEOUT, run_server
from wonderland.engine.errors import UsageError
from wonderland.web import startup
from wonderland.web.server import Settings, mark_for
from wonderland.web.startup import AlreadyOpen, ServerAddress, has_screen, open_socket, server_address

HERE = "127.0.0.1"


@contextmanager
def occupied_port() -> Iterator[int]:
    """A port on which another program listens."""
    with socket.create_server((HERE, 0)) as somebody:
        somebody.settimeout(0)
        yield somebody.getsockname()[1]


@contextmanager
def running_command(port: int, *arguments: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command with this default port until the end of the block."""
    program = (
        "import sys; from wonderland.web import startup; "
        f"startup.PORT = {port}; from wonderland.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", program, "serve", *arguments]
    environment = {**os.environ, **variables}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def lines_until(process: subprocess.Popen[str], *, until: str) -> list[str]:
    """Return the lines up to one that contains this word."""
    lines = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line.strip())
        if until in line:
            return lines
    raise AssertionError(lines)


def opened_address(opened: Path) -> str:
    """Return what the browser was asked to open, once it has been written."""
    late = time.monotonic() + STOP_TIMEOUT
    while not opened.exists():
        assert time.monotonic() < late, "no browser was opened"
        time.sleep(0.05)
    address = opened.read_text().strip()
    opened.unlink()
    return address


def test_if_the_default_port_is_taken_the_next_one_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "_PROBE_TIMEOUT", 0.2)
    with occupied_port() as port:
        monkeypatch.setattr(startup, "PORT", port)
        with open_socket(HERE, None, "a mark") as sock:
            found = server_address(sock, None)
            assert found.taken
            assert found.address == f"http://{HERE}:{sock.getsockname()[1]}" != f"http://{HERE}:{port}"
        with pytest.raises(UsageError, match=f"port {port}: .*--port"):
            open_socket(HERE, port)  # it was requested


def test_if_no_default_port_is_free_any_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "_PORT_ATTEMPTS", 1)
    with occupied_port() as port:
        monkeypatch.setattr(startup, "PORT", port)
        with open_socket(HERE, None) as sock:
            assert sock.getsockname()[1] != port


def test_the_same_tables_are_served_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with run_server(tmp_path) as server:
        monkeypatch.setattr(startup, "PORT", server.port)
        mark = mark_for(Settings(database=str(server.database)))
        with pytest.raises(AlreadyOpen) as there:
            open_socket(HERE, None, mark)
        assert there.value.opened == ServerAddress(server.address, already=True)
        others = mark_for(Settings(database=str(tmp_path / "others.db")))
        with open_socket(HERE, None, others) as sock:  # which are not the same
            assert sock.getsockname()[1] != server.port
        assert str(tmp_path) not in mark


def test_serving_everyone_prints_an_address_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere = "0.0.0.0"  # noqa: S104 - that is the point
    for host, others in (("192.0.2.7", "http://192.0.2.7:{port}"), ("", "")):
        monkeypatch.setattr(startup, "lan_host", lambda host=host: host)
        with open_socket(everywhere, 0) as sock:
            port = sock.getsockname()[1]
            assert server_address(sock, 0) == ServerAddress(
                f"http://{HERE}:{port}", others.format(port=port)
            )


def test_a_machine_without_a_network_has_no_address_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(self: socket.socket, address: object) -> None:
        raise OSError(101, "Network is unreachable")

    assert not startup.lan_host().startswith("127.")
    monkeypatch.setattr(startup.socket.socket, "connect", unreachable, raising=False)
    assert startup.lan_host() == ""


@pytest.mark.parametrize(
    ("variables", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"SSH_CONNECTION": "a b c d"}, "linux", False),
        ({"SSH_CONNECTION": "a b c d", "DISPLAY": "localhost:10.0"}, "linux", True),
        ({"DISPLAY": ":0", "BROWSER": "/usr/bin/w3m"}, "linux", False),
        ({"DISPLAY": ":0", "BROWSER": "lynx %s"}, "linux", False),
        ({"DISPLAY": ":0", "BROWSER": "firefox"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_TTY": "/dev/ttys1"}, "darwin", False),
        ({}, "win32", True),
    ],
)
def test_a_browser_is_opened_where_there_is_a_display(
    variables: dict[str, str], platform: str, expected: bool
) -> None:
    assert has_screen(variables, platform) is expected


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is one")
def test_no_browser_is_opened_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not startup.open_browser("http://localhost")


@pytest.mark.skipif(sys.platform == "win32", reason="the browser of this test is a script of the shell")
def test_the_whole_command(tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    given = ("--open", "--database", str(tmp_path / "tables.db"))
    screen = {"DISPLAY": ":0", "BROWSER": str(browser)}
    with occupied_port() as port, running_command(port, *given, **screen) as first:
        lines = lines_until(first, until="Ctrl-C")
        address = lines[0].rpartition(" ")[2]
        assert lines[0] == f"Wonderland is running at {address}"
        assert "port is in use" in lines[1]
        assert opened_address(opened) == address
        with running_command(int(address.rpartition(":")[2]), *given, **screen) as second:
            assert second.wait(STOP_TIMEOUT) == 0
            assert lines_until(second, until="") == [f"Wonderland is already running at {address}"]
        assert opened_address(opened) == address
        first.send_signal(signal.SIGINT)
        assert first.wait(STOP_TIMEOUT) == 0
        assert lines_until(first, until="stopped") == ["Server stopped. All tables are saved."]


@pytest.mark.skipif(sys.platform == "win32", reason="signals stop processes differently there")
def test_workers_that_are_still_starting_are_stopped_cleanly(tmp_path: Path) -> None:
    given = ("--workers", "2", "--port", "0", "--database", str(tmp_path / "tables.db"))
    with running_command(0, *given, PYTHONUNBUFFERED="1") as process:
        lines_until(process, until="running at")
        process.send_signal(signal.SIGINT)
        assert process.wait(STOP_TIMEOUT) == 0
