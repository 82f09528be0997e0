"""One WebSocket for each table that somebody looks at: the view, whole, whenever it changes.

    GET /api/tables/{table}/live?seat=0&after=12

`seat` is one that the device of the sender holds; without it, it is the first of theirs, or the
spectator's view. `after` is the version that the reader knows. With `form=page` the table comes as HTML
in the language of the browser (`drawing.py`). What comes in are commands, as over HTTP; what goes out
are messages of type `table` (or `page`), `done`, `refused` and `present`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from wonderland.engine.language import ENGLISH
from wonderland.tables.handlers import HandlerResult
from wonderland.tables.rate_limit import TokenBucket
from wonderland.web.assets import release
from wonderland.web.languages import negotiate_language
from wonderland.web.security import allowed_origin, chosen_in, device_in
from wonderland.web.table_page import PageFormat
from wonderland.web.websocket import WebSocketProtocol
from wonderland.web.websocket_frames import Code
from wonderland.wire import commands as ask
from wonderland.wire.messages import CommandDone
from wonderland.wire.problems import UNREADABLE, Refusal, encode_refusal

if TYPE_CHECKING:
    from websockets.http11 import Request

    from wonderland.tables.live_table import Form, LiveTable
    from wonderland.web.app import Site

_MOST_UNASKED = 32
"""Messages that may come before the table has been found."""
MOST_WATCHERS = 300
"""At one table."""
PING_SECONDS = 20.0
_RATE, _BURST = 100.0, 200.0
_encode = msgspec.json.Encoder().encode


class TableSocket(WebSocketProtocol):
    """Somebody who looks at a table, and does things there."""

    __slots__ = ("_bucket", "_early", "_room", "device", "form", "seat", "was_handed_on")

    def __init__(self, site: Site, server_state: Any) -> None:
        super().__init__(site, server_state)
        self.device = ""
        self.seat: int | None = None
        self.form: Form | None = None
        self._bucket = TokenBucket(_RATE, _BURST)
        self._room: LiveTable | None = None
        self._early: list[bytes] = []
        self.was_handed_on = False
        """By another process."""

    def left(self) -> None:
        """Leave the room."""
        self.site.gone(self)
        if self._room is not None:
            room, self._room = self._room, None
            self.site.house.unwatch(room, self)

    def belongs_elsewhere(self, request: Request, data: bytes) -> bool:
        """Hand the connection on, if the table belongs to another process."""
        handing, (table, _, _) = self.site.handing, _asked(request)
        if handing is None or self.was_handed_on or handing.is_mine(table):
            return False
        return handing.hand_on(table, self._transport, data)

    def greet(self, request: Request) -> tuple[int, str] | None:
        """Let in whoever asks for a table, from one of our own pages or a program."""
        if any(len(request.headers.get_all(name)) > 1 for name in ("Origin", "Host", "Cookie")):
            return 400, "A request says these things once.\n"
        table, path, asked = _asked(request)
        if path != f"/api/tables/{table}/live" or "/" in table:
            return 404, "Nothing is here.\n"
        if not allowed_origin(request.headers.get("Origin"), request.headers.get("Host"), self.site):
            return 403, "This page may not open tables here.\n"
        numbers = [asked[name] for name in ("seat", "after") if name in asked]
        if not all(value.isascii() and value.isdecimal() and len(value) < 10 for value in numbers):
            return 400, "The seat and the version are numbers.\n"
        if self.site.is_crowded(self.address):
            return 429, "Too many connections from one address.\n"
        return None

    def opened(self, request: Request) -> None:
        """Find the table."""
        table, _, asked = _asked(request)
        self.site.come(self)
        self.device = device_in(request.headers.get("Cookie", ""))
        if asked.get("form") == "page":
            chosen = asked.get("lang") or chosen_in(request.headers.get("Cookie", ""))
            say = negotiate_language(request.headers.get("Accept-Language", ""), chosen)
            self.form = PageFormat(say, release())
        seat, after = (int(asked[name]) if name in asked else None for name in ("seat", "after"))
        self.site.spawn(self._join(table, seat, -1 if after is None else after))

    async def _join(self, table: str, seat: int | None, after: int) -> None:
        try:
            room = await self.site.house.fresh(table)
        except Refusal as refusal:
            self.end(Code.NOT_FOUND, str(refusal))
            return
        if not self.is_open:
            return
        mine = room.table.seats_of(self.device) if self.device else []
        if seat is not None and seat not in mine:
            self.end(Code.NOT_YOURS, "This seat is not yours.")
            return
        if len(room.watchers) >= MOST_WATCHERS:
            self.end(Code.TRY_LATER, "Too many watch this table.")
            return
        self.seat = seat if seat is not None or not mine else mine[0]
        self._room = room
        self.site.house.watch(room, self, after)
        early, self._early = self._early, []
        for message in early:
            self._command(room, message)

    def hear(self, message: bytes) -> None:
        """Take a command, unless there are too many."""
        if not self._bucket.take():
            self.site.metrics.limited.inc()
            self.end(Code.POLICY, "Too many messages; come again later.")
        elif self._room is not None:
            self._command(self._room, message)
        elif len(self._early) < _MOST_UNASKED:
            self._early.append(message)
        else:
            self.end(Code.POLICY, "Too many messages; come again later.")

    def _refuse(self, refusal: Refusal, key: str, version: int) -> None:
        """Say why not: to a page in its language, to programs in English."""
        say = self.form.say if isinstance(self.form, PageFormat) else ENGLISH
        self.send(encode_refusal(refusal, key, version, say))

    def _command(self, room: LiveTable, message: bytes) -> None:
        try:
            command = ask.read_command(message)
        except UNREADABLE as error:
            unread = Refusal("bad request", "This is no command: {reason}.", reason=error)
            self._refuse(unread, "", 0)
            return
        if not self.device:
            refusal = Refusal("not yours", "To do something, come with the cookie of a device.")
            self._refuse(refusal, command.key, room.table.version)
            return

        def reply(outcome: HandlerResult | Refusal, version: int) -> None:
            if isinstance(outcome, Refusal):
                self._refuse(outcome, command.key, version)
                if outcome.problem == "stale":
                    room.show(self, version)
            else:
                self.send(_encode(CommandDone(command.key, version, outcome.told)))

        self.site.house.command(room, self.device, command, reply)


def _asked(request: Request) -> tuple[str, str, dict[str, str]]:
    """The table, the path and the query of a request."""
    try:
        parts = urlsplit(request.path)
    except ValueError:
        return "", "", {}
    table = parts.path.removeprefix("/api/tables/").removesuffix("/live")
    return table, parts.path, {name: values[-1] for name, values in parse_qs(parts.query).items()}
