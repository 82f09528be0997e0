"""One WebSocket for each table that somebody looks at: the view, whole, whenever it changes.

    GET /api/tables/{table}/live?seat=0&after=12

`seat` is one that the device of the sender holds; without it, and for whom it does not belong to, it is
the spectator's view. `after` is the version that the reader knows. With `form=page` the table comes as
HTML in the language of the browser (`drawing.py`). What comes in are commands, as over
HTTP; what goes out are messages of type `table`, `done`, `refused` and `present`.

This is a protocol of asyncio's on the sans-I/O part of `websockets`, handed to uvicorn in place of its
own: a move is answered without a task or a queue in between. Whoever does not read what is sent is cut
off when too much of it waits; that costs nobody else anything.
"""

from __future__ import annotations

import asyncio
import time
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, urlsplit

import msgspec
from websockets.datastructures import Headers
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from wonderland.tables import commands as ask
from wonderland.tables.commands import Refusal
from wonderland.tables.deciding import Decision, hashed
from wonderland.web.drawing import PageForm
from wonderland.web.guard import COOKIE, LARGEST_MESSAGE, Bucket, allowed_origin
from wonderland.web.language import preferred
from wonderland.web.messages import Done, Present, problem

if TYPE_CHECKING:
    from wonderland.tables.room import Form, Room
    from wonderland.web.app import Site

_MOST_UNREAD = 512 * 1024
"""Bytes that may wait to be read by one client."""
_MOST_UNASKED = 32
"""Messages that may come before the table has been found."""
_PATIENCE = 60.0
"""Seconds without any sign of life."""
PING_SECONDS = 20.0
_RATE, _BURST = 100.0, 200.0


class Live(asyncio.Protocol):
    """One connection."""

    def __init__(self, site: Site, server_state: Any) -> None:
        self.site = site
        self.connections: set[Any] = server_state.connections
        self.device = ""
        self.seat: int | None = None
        self.form: Form | None = None
        self.heard = time.monotonic()
        self._bucket = Bucket(_RATE, _BURST)
        self._room: Room | None = None
        self._early: list[bytes] = []
        self._parts: list[bytes] = []
        self._ws = ServerProtocol(max_size=LARGEST_MESSAGE)
        self._flushing = False

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over from HTTP."""
        self._transport = cast("asyncio.Transport", transport)
        self.connections.add(self)
        self.site.live.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - whatever the reason
        """Leave the room."""
        self.connections.discard(self)
        self.site.live.discard(self)
        if self._room is not None:
            room, self._room = self._room, None
            self.site.house.unwatch(room, self)
            tell_presence(room)

    def eof_received(self) -> None:
        """Close when the other side has."""
        self._ws.receive_eof()
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Take what came: the request first, then messages."""
        self.heard = time.monotonic()
        self._ws.receive_data(data)
        for event in self._ws.events_received():
            if isinstance(event, Request):
                self._greet(event)
            elif isinstance(event, Frame):
                self._take(event)
        self._flush()

    # What the site calls

    def send(self, message: bytes) -> None:
        """Send a message, unless too many wait unread: then the connection ends."""
        if self._ws.state is not State.OPEN or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() > _MOST_UNREAD:
            self.site.metrics.stalled.inc()
            self._transport.abort()
            return
        self._ws.send_text(message)
        if not self._flushing:  # what is sent in the same tick goes out together
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def ping(self) -> None:
        """Ask whether anyone is there, and give up who has not answered for long."""
        if time.monotonic() > self.heard + _PATIENCE:
            self._transport.abort()
        elif self._ws.state is State.OPEN:
            self._ws.send_ping(b"")
            self._flush()

    def shutdown(self) -> None:
        """Say good-bye: the server stops, and the client should come again."""
        self._end(CloseCode.SERVICE_RESTART, "The server stops; come again.")

    # Inside

    def _flush(self) -> None:
        self._flushing = False
        waiting = self._ws.data_to_send()
        if data := b"".join(waiting):
            self._transport.write(data)
        if b"" in waiting:  # the library's sign for the end
            self._transport.close()

    def _end(self, code: int, reason: str) -> None:
        try:
            self._ws.send_close(code, reason)
        except InvalidState:
            self._transport.close()
        self._flush()
        asyncio.get_running_loop().call_later(2.0, self._transport.abort)

    def _greet(self, request: Request) -> None:
        """Answer the request to open: accept it for a table, from one of our own pages or a program."""
        parts = urlsplit(request.path)
        table = parts.path.removeprefix("/api/tables/").removesuffix("/live")
        asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        status = self._refused(request, parts.path, table, asked)
        if status is not None:
            self._ws.send_response(self._ws.reject(*status))
            return
        response = self._ws.accept(request)
        self._ws.send_response(response)
        if response.status_code == 101:
            self.device = device_in(request.headers)
            if asked.get("form") == "page":
                self.form = PageForm(preferred(request.headers.get("Accept-Language", "")))
            seat, after = (int(asked[n]) if n in asked else None for n in ("seat", "after"))
            self.site.spawn(self._join(table, seat, -1 if after is None else after))

    def _refused(
        self, request: Request, path: str, table: str, asked: dict[str, str]
    ) -> tuple[int, str] | None:
        if path != f"/api/tables/{table}/live" or "/" in table:
            return 404, "Nothing is here.\n"
        if not allowed_origin(request.headers.get("Origin"), request.headers.get("Host"), self.site):
            return 403, "This page may not open tables here.\n"
        numbers = [asked[name] for name in ("seat", "after") if name in asked]
        if not all(value.isdecimal() and len(value) < 10 for value in numbers):
            return 400, "The seat and the version are numbers.\n"
        return None

    async def _join(self, table: str, seat: int | None, after: int) -> None:
        try:
            room = await self.site.house.room(table)
        except Refusal as refusal:
            self._end(4404, str(refusal)[:120])
            return
        if self._ws.state is not State.OPEN or self._transport.is_closing():
            return
        mine = room.table.seats_of(self.device) if self.device else []
        if seat is None:
            self.seat = mine[0] if mine else None
        elif seat in mine:
            self.seat = seat
        else:
            self._end(4403, "This seat is not yours.")
            return
        self._room = room
        self.site.house.watch(room, self, after)
        tell_presence(room)
        early, self._early = self._early, []
        for message in early:
            self._command(room, message)

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT or frame.opcode is Opcode.CONT:
            self._parts.append(bytes(frame.data))
            if sum(map(len, self._parts)) > LARGEST_MESSAGE:
                self._end(CloseCode.MESSAGE_TOO_BIG, "A message has 8 KiB at most.")
            elif frame.fin:
                message, self._parts = b"".join(self._parts), []
                self._hear(message)
        elif frame.opcode is Opcode.BINARY:
            self._end(CloseCode.UNSUPPORTED_DATA, "Messages are text.")

    def _hear(self, message: bytes) -> None:
        if not self._bucket.take():
            self.site.metrics.limited.inc()
            self._end(CloseCode.POLICY_VIOLATION, "Too many messages; come again later.")
        elif self._room is not None:
            self._command(self._room, message)
        elif len(self._early) < _MOST_UNASKED:
            self._early.append(message)
        else:
            self._end(CloseCode.POLICY_VIOLATION, "Too many messages; come again later.")

    def _command(self, room: Room, message: bytes) -> None:
        try:
            command = ask.read(message)
        except msgspec.MsgspecError as error:
            self.send(problem(Refusal("bad request", f"This is no command: {error}."), "", 0))
            return
        if not self.device:
            refusal = Refusal("not yours", "To do something, come with the cookie of a device.")
            self.send(problem(refusal, command.key, room.table.version))
            return

        def reply(outcome: Decision | Refusal, version: int) -> None:
            if isinstance(outcome, Refusal):
                self.send(problem(outcome, command.key, version))
                if outcome.problem == "stale":
                    room.show(self, room.table.version)
            else:
                self.send(msgspec.json.encode(Done(command.key, version, outcome.told)))

        self.site.house.command(room, self.device, command, reply)


def tell_presence(room: Room) -> None:
    """Tell all who watch a table who else is there."""
    message = msgspec.json.encode(Present(room.present(), _spectators(room)))
    for watcher in room.watchers.copy():
        watcher.send(message)


def _spectators(room: Room) -> int:
    return sum(watcher.seat is None for watcher in room.watchers)


def device_in(headers: Headers | Any) -> str:
    """The hash of the device that a request comes from; empty if it does not say."""
    try:
        cookies: SimpleCookie = SimpleCookie(headers.get("Cookie", ""))
    except CookieError:
        return ""
    value = cookies[COOKIE].value if COOKIE in cookies else ""
    return hashed(value) if 20 <= len(value) <= 100 else ""
