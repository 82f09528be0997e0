"""Startup helpers: find a free port, recognise a server that is already running, open a browser."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.engine.values import Value

PORT = 8000
_PORT_ATTEMPTS = 20
"""Ports to try, from the default one on, if none was given."""
_BACKLOG = 2048
_ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to
_LOOPBACK = "127.0.0.1"
_PROBE_TIMEOUT = 2.0
"""Seconds to wait for another server to identify itself."""
_TEXT_BROWSERS = frozenset({"elinks", "links", "links2", "lynx", "w3m", "www-browser"})


class ServerAddress(Value, frozen=True):
    """Where a running server can be reached."""

    address: str
    """For a browser on this machine."""
    others: str = ""
    """For other machines on the local network; empty if they can't connect."""
    taken: bool = False
    """Whether the default port was taken."""
    already: bool = False
    """Whether it was running before, in another process."""


class AlreadyOpen(Exception):  # noqa: N818 - a condition rather than an error
    """Another process serves the same tables."""

    def __init__(self, opened: ServerAddress) -> None:
        super().__init__(opened.address)
        self.opened = opened


def open_socket(host: str, port: int | None, mark: str = "") -> socket.socket:
    """Return a listening socket: on the given port, or on the default one or the next free one.

    Raise `AlreadyOpen` if a server with the same mark is listening already.
    """
    if port is not None:
        return bind(host, port)
    for number in range(PORT, PORT + _PORT_ATTEMPTS):
        try:
            return bind(host, number)
        except PortTaken:
            there = format_address(
                (lan_host() or _LOOPBACK) if host in _ALL_INTERFACES else host, number
            )
            if mark and mark == _fetch_mark(there):
                here = format_address(_LOOPBACK if host in _ALL_INTERFACES else host, number)
                others = there if host in _ALL_INTERFACES else ""
                raise AlreadyOpen(ServerAddress(here, others, already=True)) from None
    return bind(host, 0)


class PortTaken(UsageError):  # noqa: N818 - named after the condition
    """Another process listens on the port."""


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; `PortTaken` or another `UsageError` if there can be none."""
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(_BACKLOG)
    except OSError as error:
        sock.close()
        kind = PortTaken if error.errno == errno.EADDRINUSE else UsageError
        raise kind(
            phrase("can't listen on {host}, port {port}: {reason}. Choose another --port or --host."),
            host=host,
            port=port,
            reason=error.strerror or error,
        ) from None
    sock.set_inheritable(True)
    return sock


def server_address(sock: socket.socket, requested: int | None) -> ServerAddress:
    """Return the address at which clients reach a listening socket."""
    host, port = sock.getsockname()[:2]
    taken = requested is None and port != PORT
    if host not in _ALL_INTERFACES:
        return ServerAddress(format_address(host, port), taken=taken)
    other = lan_host()
    return ServerAddress(
        format_address(_LOOPBACK, port), format_address(other, port) if other else "", taken
    )


def format_address(host: str, port: int) -> str:
    """Return the URL of a server."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def lan_host() -> str:
    """Return this machine's address on the local network; empty if it has none.

    Connecting a datagram socket makes the system choose a source address; nothing is sent.
    """
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        host: str = probe.getsockname()[0]
        return "" if host.startswith(("127.", "0.")) else host
    return ""


def mark_of(fingerprint: str, database: str) -> str:
    """Return a hash that identifies servers of one database and key without revealing its location."""
    where = database if "://" in database else str(Path(database).resolve())
    return hashlib.sha256(f"{fingerprint}\0{where}".encode()).hexdigest()[:16]


def _fetch_mark(address: str) -> str:
    """Return the mark of the server at an address; empty if it is not a Wonderland server."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=_PROBE_TIMEOUT)
    try:
        connection.request("GET", "/healthz")
        health = json.loads(connection.getresponse().read(10_000))
    except (OSError, HTTPException, ValueError):  # no answer, or not JSON
        return ""
    finally:
        connection.close()
    return str(health.get("mark", "")) if isinstance(health, dict) else ""


def has_screen(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a graphical browser can be expected here.

    >>> has_screen({"DISPLAY": ":0"}, "linux"), has_screen({"SSH_TTY": "/dev/pts/1"}, "darwin")
    (True, False)
    """
    browser_name = environment.get("BROWSER", "").split(os.pathsep)[0].split(" ")[0]
    if Path(browser_name).name in _TEXT_BROWSERS:
        return False
    if platform in ("win32", "darwin"):
        return not any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_TTY"))
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_browser(address: str) -> bool:
    """Open an address in a graphical browser, if there is one; return whether it was started.

    It gets no terminal, so that a text browser, should it be the only one, can't take over ours.
    """
    if not has_screen(os.environ):
        return False
    devnull = subprocess.DEVNULL
    command = [sys.executable, "-m", "webbrowser", address]
    try:
        browser = subprocess.Popen(  # noqa: S603 - a standard library module
            command, stdin=devnull, stdout=devnull, stderr=devnull, start_new_session=True
        )
    except OSError:
        return False
    threading.Thread(target=browser.wait, daemon=True).start()  # reaps the process
    return True
