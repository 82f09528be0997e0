"""HTTP calls to a server: create a table, get its state, send commands."""

from __future__ import annotations

import http.client
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from wonderland.client.links import TableLink
from wonderland.engine.errors import WonderlandError, shorten
from wonderland.wire.api import TableCreated
from wonderland.wire.commands import Command, CreateTable
from wonderland.wire.messages import CommandDone, CommandRefused, TableUpdate

T = TypeVar("T")
_REQUEST_TIMEOUT = 15.0
"""Request timeout in seconds."""
_MAX_RESPONSE = 4 * 1024 * 1024
COOKIE = "wonderland"


class ServerUnreachable(WonderlandError):  # noqa: N818 - named for what happened
    """The server can't be reached, or isn't a Wonderland server; a later retry may succeed."""


class RequestDenied(WonderlandError):  # noqa: N818 - named for what happened
    """The server refused a request, with the kind of problem and a sentence that explains it."""

    def __init__(self, problem: str, says: str) -> None:
        super().__init__(says)
        self.problem = problem


def get_table(link: TableLink, device: str = "", seat: int | None = None, after: int = 0) -> TableUpdate:
    """Return a table as a seat sees it; `RequestDenied` if the device doesn't hold the seat.

    Without a seat, it is one that the device holds, or else the spectator's view.
    """
    query = f"?after={after}" if seat is None else f"?seat={seat}&after={after}"
    return _call(link.server, "GET", f"/api/tables/{link.table}{query}", TableUpdate, device)


def send_command(link: TableLink, device: str, command: Command) -> CommandDone:
    """Send a command, with one retry if no answer comes; that is safe, as it has the same key."""
    body = msgspec.json.encode(command)
    path = f"/api/tables/{link.table}/commands"
    try:
        return _call(link.server, "POST", path, CommandDone, device, body)
    except ServerUnreachable:
        return _call(link.server, "POST", path, CommandDone, device, body)


def create_table(server: str, device: str, wanted: CreateTable) -> TableLink:
    """Create a table; return the link to share."""
    body = msgspec.json.encode(wanted)
    created = _call(server, "POST", "/api/tables", TableCreated, device, body)
    return TableLink(server, created.table, invitation=created.invitation)


def get_record(link: TableLink) -> str:
    """Return the record of a finished game."""
    status, body = _request(link.server, "GET", f"/api/tables/{link.table}/record", "", None)
    if status != http.client.OK:
        raise _read_refusal(link.server, status, body)
    return body.decode()


def _call(  # noqa: PLR0913, PLR0917 - the parts of a request
    server: str, method: str, path: str, answer_type: type[T], device: str, body: bytes | None = None
) -> T:
    status, answer = _request(server, method, path, device, body)
    if status not in (http.client.OK, http.client.CREATED):
        raise _read_refusal(server, status, answer)
    try:
        return msgspec.json.decode(answer, type=answer_type)
    except msgspec.MsgspecError:
        raise ServerUnreachable(
            f"what answers at {server} is no server of Wonderland that this program knows."
        ) from None


def _read_refusal(server: str, status: int, answer: bytes) -> RequestDenied | ServerUnreachable:
    try:
        refused = msgspec.json.decode(answer, type=CommandRefused)
    except msgspec.MsgspecError:
        return ServerUnreachable(
            f"what answers at {server} is no server of Wonderland (it says {status})."
        )
    return RequestDenied(refused.problem, shorten(refused.says, 400))


def _request(server: str, method: str, path: str, device: str, body: bytes | None) -> tuple[int, bytes]:
    """Send one request. Redirects are not followed, as the cookie is for this server only."""
    parts = urlsplit(server)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=_REQUEST_TIMEOUT)
    headers = {"Accept": "application/json"}
    if device:
        headers["Cookie"] = f"{COOKIE}={device}"
    if body is not None:
        headers["Content-Type"] = "application/json"
    try:
        connection.request(method, f"{parts.path}{path}", body, headers)
        response = connection.getresponse()
        return response.status, response.read(_MAX_RESPONSE)
    except (OSError, http.client.HTTPException) as error:
        raise ServerUnreachable(f"{server} can't be reached: {explain_error(error)}.") from None
    finally:
        connection.close()


def explain_error(error: Exception) -> str:
    """Describe a network error in a few words."""
    if isinstance(error, TimeoutError):
        return "no answer came in time"
    return shorten(getattr(error, "strerror", None) or str(error) or type(error).__name__, 200)
