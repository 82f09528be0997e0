"""What a server does for whoever started it: finds a place to listen, and opens a browser there."""

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
from wonderland.engine.values import Value

PORT = 8000
_MORE_PORTS = 20
"""How many are tried where nobody asked for a certain one."""
_WAITING_CONNECTIONS = 2048
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - asking, not binding
_HERE = "127.0.0.1"
_PATIENCE = 2.0
"""Seconds for another server to say who it is."""
_TEXT_BROWSERS = frozenset({"elinks", "links", "links2", "lynx", "w3m", "www-browser"})


class ServerAddress(Value, frozen=True):
    """A server that is open, for those who want to come."""

    address: str
    """To type into a browser on this machine."""
    others: str = ""
    """The same for other machines in the house, if they can come."""
    taken: bool = False
    """Whether the usual port was taken."""
    already: bool = False
    """Whether it was open before, in another process."""


class AlreadyOpen(Exception):  # noqa: N818 - it says what is the case
    """The same tables are served already."""

    def __init__(self, opened: ServerAddress) -> None:
        super().__init__(opened.address)
        self.opened = opened


def open_socket(host: str, port: int | None, mark: str = "") -> socket.socket:
    """The socket that clients come to: at this port, or at the usual one or the next that is free.

    `AlreadyOpen` if the server at the usual one has the same mark as the one that wants to listen.
    """
    if port is not None:
        return _bound(host, port)
    for number in range(PORT, PORT + _MORE_PORTS):
        try:
            return _bound(host, number)
        except PortTaken:
            there = _address((others_host() or _HERE) if host in _EVERYWHERE else host, number)
            if mark and mark == _mark_at(there):
                here = _address(_HERE if host in _EVERYWHERE else host, number)
                others = there if host in _EVERYWHERE else ""
                raise AlreadyOpen(ServerAddress(here, others, already=True)) from None
    return _bound(host, 0)


class PortTaken(UsageError):  # noqa: N818 - it says what is the case
    """Somebody else listens there."""


def _bound(host: str, port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(_WAITING_CONNECTIONS)
    except OSError as error:
        found.close()
        kind = PortTaken if error.errno == errno.EADDRINUSE else UsageError
        raise kind(
            f"nothing can listen at {host} port {port} "
            f"({error.strerror or error}): choose another with --port."
        ) from None
    found.set_inheritable(True)
    return found


def server_address(sock: socket.socket, asked: int | None) -> ServerAddress:
    """Where people find what listens at a socket."""
    host, port = sock.getsockname()[:2]
    taken = asked is None and port != PORT
    if host not in _EVERYWHERE:
        return ServerAddress(_address(host, port), taken=taken)
    other = others_host()
    return ServerAddress(_address(_HERE, port), _address(other, port) if other else "", taken)


def _address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def others_host() -> str:
    """This machine's address in its own network; empty if it has none.

    The system says from where it would send to a far place; nothing is sent.
    """
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        host: str = probe.getsockname()[0]
        return "" if host.startswith(("127.", "0.")) else host
    return ""


def mark_of(fingerprint: str, database: str) -> str:
    """What tells the servers of one database from all others, without telling where it is."""
    where = database if "://" in database else str(Path(database).resolve())
    return hashlib.sha256(f"{fingerprint}\0{where}".encode()).hexdigest()[:16]


def _mark_at(address: str) -> str:
    """The mark of the server at an address; empty if there is none of ours."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=_PATIENCE)
    try:
        connection.request("GET", "/healthz")
        found = json.loads(connection.getresponse().read(10_000))
    except (OSError, HTTPException, ValueError):  # nobody answers, or not in JSON
        return ""
    finally:
        connection.close()
    return str(found.get("mark", "")) if isinstance(found, dict) else ""


def has_screen(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a browser with windows can be expected here.

    >>> has_screen({"DISPLAY": ":0"}, "linux"), has_screen({"SSH_TTY": "/dev/pts/1"}, "darwin")
    (True, False)
    """
    wanted = environment.get("BROWSER", "").split(os.pathsep)[0].split(" ")[0]
    if Path(wanted).name in _TEXT_BROWSERS:
        return False
    if platform in ("win32", "darwin"):
        return not any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_TTY"))
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def show(address: str) -> bool:
    """Open a browser there, if there is one with windows; gives whether it was tried.

    It gets no terminal: a browser for text, should it be the only one, finds nothing to write to.
    """
    if not has_screen(os.environ):
        return False
    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-m", "webbrowser", address]
    try:
        browser = subprocess.Popen(  # noqa: S603 - Python's own
            command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
        )
    except OSError:
        return False
    threading.Thread(target=browser.wait, daemon=True).start()  # nobody else would
    return True
