"""HTTP calls to a server: create a table, get its state, send commands."""

from __future__ import annotations

import http.client
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from wonderland.client.links import TableLink
from wonderland.engine.errors import WonderlandError, shorten
from wonderland.engine.language import ENGLISH, Message, phrase
from wonderland.engine.values import Value
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


class _Request(Value, frozen=True):
    """One request to a server; `language` is that of the refusals."""

    method: str
    path: str
    device: str = ""
    body: bytes | None = None
    language: str = ENGLISH.code


def get_table(
    link: TableLink,
    device: str = "",
    seat: int | None = None,
    after: int = 0,
    language: str = ENGLISH.code,
) -> TableUpdate:
    """Return a table as a seat sees it; `RequestDenied` if the device doesn't hold the seat.

    Without a seat, it is one that the device holds, or else the spectator's view.
    """
    query = f"?after={after}" if seat is None else f"?seat={seat}&after={after}"
    path = f"/api/tables/{link.table}{query}"
    return _call(link.server, _Request("GET", path, device, language=language), TableUpdate)


def send_command(
    link: TableLink, device: str, command: Command, language: str = ENGLISH.code
) -> CommandDone:
    """Send a command, with one retry if no answer comes; that is safe, as it has the same key."""
    body = msgspec.json.encode(command)
    request = _Request("POST", f"/api/tables/{link.table}/commands", device, body, language)
    try:
        return _call(link.server, request, CommandDone)
    except ServerUnreachable:
        return _call(link.server, request, CommandDone)


def create_table(
    server: str, device: str, wanted: CreateTable, language: str = ENGLISH.code
) -> TableLink:
    """Create a table; return the link to share."""
    request = _Request("POST", "/api/tables", device, msgspec.json.encode(wanted), language)
    created = _call(server, request, TableCreated)
    return TableLink(server, created.table, invitation=created.invitation)


def get_record(link: TableLink) -> str:
    """Return the record of a finished game."""
    status, body = _send(link.server, _Request("GET", f"/api/tables/{link.table}/record"))
    if status != http.client.OK:
        raise _read_refusal(link.server, status, body)
    return body.decode(errors="replace")


def _call(server: str, request: _Request, answer_type: type[T]) -> T:
    status, answer = _send(server, request)
    if status not in (http.client.OK, http.client.CREATED):
        raise _read_refusal(server, status, answer)
    try:
        return msgspec.json.decode(answer, type=answer_type)
    except msgspec.MsgspecError:
        raise ServerUnreachable(
            phrase("the server at {server} isn't a Wonderland server, or has a different version."),
            server=server,
        ) from None


def _read_refusal(server: str, status: int, answer: bytes) -> RequestDenied | ServerUnreachable:
    try:
        refused = msgspec.json.decode(answer, type=CommandRefused)
    except msgspec.MsgspecError:
        return ServerUnreachable(
            phrase("the server at {server} isn't a Wonderland server (HTTP status {status})."),
            server=server,
            status=status,
        )
    return RequestDenied(refused.problem, shorten(refused.says, 400))


def _send(server: str, request: _Request) -> tuple[int, bytes]:
    """Send one request. Redirects are not followed, as the cookie is for this server only."""
    parts = urlsplit(server)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=_REQUEST_TIMEOUT)
    headers = {"Accept": "application/json", "Accept-Language": request.language}
    if request.device:
        headers["Cookie"] = f"{COOKIE}={request.device}"
    if request.body is not None:
        headers["Content-Type"] = "application/json"
    try:
        connection.request(request.method, f"{parts.path}{request.path}", request.body, headers)
        response = connection.getresponse()
        return response.status, response.read(_MAX_RESPONSE)
    except (OSError, http.client.HTTPException) as error:
        raise ServerUnreachable(
            phrase("{server} can't be reached: {reason}. Is a server running there?"),
            server=server,
            reason=Message(explain_error(error)),
        ) from None
    finally:
        connection.close()


def explain_error(error: Exception) -> str:
    """Describe a network error in a few words."""
    if isinstance(error, TimeoutError):
        return phrase("the request timed out")
    return shorten(getattr(error, "strerror", None) or str(error) or type(error).__name__, 200)
