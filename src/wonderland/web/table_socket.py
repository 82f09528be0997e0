"""The WebSocket of a table: sends the viewer's complete view whenever it changes, and takes commands.

    GET /api/tables/{table}/live?seat=0&after=12

`seat` must be held by the client's device; the default is its first seat, or the spectator's view.
`after` is the version that the client has already. With `form=page` the table comes as HTML in the
browser's language (`table_page.py`). Incoming messages are commands, as over HTTP; outgoing ones have
the type `table` (or `page`), `done`, `refused` or `present`.
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
from wonderland.web.security import device_in, is_allowed_origin, language_in
from wonderland.web.table_page import PageFormat
from wonderland.web.websocket import WebSocketProtocol
from wonderland.web.websocket_frames import CloseCode
from wonderland.wire import commands as ask
from wonderland.wire.messages import CommandDone
from wonderland.wire.problems import UNREADABLE, Refusal, encode_refusal

if TYPE_CHECKING:
    from websockets.http11 import Request

    from wonderland.tables.live_table import Form, LiveTable
    from wonderland.web.app import Site

_MAX_EARLY_MESSAGES = 32
"""Messages accepted before the table is loaded."""
_MAX_WATCHERS = 300
"""Connections per table, spectators included."""
PING_SECONDS = 20.0
_RATE, _BURST = 100.0, 200.0
_encode = msgspec.json.Encoder().encode


class TableSocket(WebSocketProtocol):
    """A player or spectator connected to a table."""

    __slots__ = ("_bucket", "_early", "_live_table", "device", "form", "seat", "was_handed_off")

    def __init__(self, site: Site, server_state: Any) -> None:
        super().__init__(site, server_state)
        self.device = ""
        self.seat: int | None = None
        self.form: Form | None = None
        self._bucket = TokenBucket(_RATE, _BURST)
        self._live_table: LiveTable | None = None
        self._early: list[bytes] = []
        self.was_handed_off = False
        """By another worker, so that it must stay here."""

    def on_closed(self) -> None:
        """Stop watching the table."""
        self.site.remove_connection(self)
        if self._live_table is not None:
            live, self._live_table = self._live_table, None
            self.site.tables.unwatch(live, self)

    def hand_off(self, request: Request, data: bytes) -> bool:
        """Hand the connection off, if another worker owns the table."""
        handoff, (table, _, _) = self.site.handoff, _parse_request(request)
        if handoff is None or self.was_handed_off or handoff.owns(table):
            return False
        return handoff.hand_off(table, self._transport, data)

    def check_request(self, request: Request) -> tuple[int, str] | None:
        """Check the address, the origin, the query and the connection limit."""
        if any(len(request.headers.get_all(name)) > 1 for name in ("Origin", "Host", "Cookie")):
            return 400, "A request says these things once.\n"
        table, path, query = _parse_request(request)
        if path != f"/api/tables/{table}/live" or "/" in table:
            return 404, "Nothing is here.\n"
        if not is_allowed_origin(request.headers.get("Origin"), request.headers.get("Host"), self.site):
            return 403, "This page may not open tables here.\n"
        numbers = [query[name] for name in ("seat", "after") if name in query]
        if not all(value.isascii() and value.isdecimal() and len(value) < 10 for value in numbers):
            return 400, "The seat and the version are numbers.\n"
        if self.site.is_crowded(self.address):
            return 429, "Too many connections from one address.\n"
        return None

    def on_opened(self, request: Request) -> None:
        """Load the table in the background, and watch it."""
        table, _, query = _parse_request(request)
        self.site.add_connection(self)
        self.device = device_in(request.headers.get("Cookie", ""))
        if query.get("form") == "page":
            chosen = query.get("lang") or language_in(request.headers.get("Cookie", ""))
            say = negotiate_language(request.headers.get("Accept-Language", ""), chosen)
            self.form = PageFormat(say, release())
        seat, after = (int(query[name]) if name in query else None for name in ("seat", "after"))
        self.site.spawn(self._join(table, seat, -1 if after is None else after))

    async def _join(self, table: str, seat: int | None, after: int) -> None:
        try:
            live = await self.site.tables.fresh(table)
        except Refusal as refusal:
            self.end(CloseCode.NOT_FOUND, str(refusal))
            return
        if not self.is_open:
            return
        mine = live.table.seats_of(self.device) if self.device else []
        if seat is not None and seat not in mine:
            self.end(CloseCode.NOT_YOURS, "This seat is not yours.")
            return
        if len(live.watchers) >= _MAX_WATCHERS:
            self.end(CloseCode.TRY_LATER, "Too many watch this table.")
            return
        self.seat = seat if seat is not None or not mine else mine[0]
        self._live_table = live
        self.site.tables.watch(live, self, after)
        early, self._early = self._early, []
        for message in early:
            self._command(live, message)

    def receive_message(self, message: bytes) -> None:
        """Handle a command, subject to the rate limit; queue it if the table is not loaded yet."""
        if not self._bucket.take():
            self.site.metrics.limited.inc()
            self.end(CloseCode.POLICY, "Too many messages; come again later.")
        elif self._live_table is not None:
            self._command(self._live_table, message)
        elif len(self._early) < _MAX_EARLY_MESSAGES:
            self._early.append(message)
        else:
            self.end(CloseCode.POLICY, "Too many messages; come again later.")

    def _refuse(self, refusal: Refusal, key: str, version: int) -> None:
        """Send a refusal: to a page in its language, to programs in English."""
        say = self.form.say if isinstance(self.form, PageFormat) else ENGLISH
        self.send(encode_refusal(refusal, key, version, say))

    def _command(self, live: LiveTable, message: bytes) -> None:
        try:
            command = ask.read_command(message)
        except UNREADABLE as error:
            unreadable = Refusal("bad request", "This is no command: {reason}.", reason=error)
            self._refuse(unreadable, "", 0)
            return
        if not self.device:
            refusal = Refusal("not yours", "To do something, come with the cookie of a device.")
            self._refuse(refusal, command.key, live.table.version)
            return

        def reply(outcome: HandlerResult | Refusal, version: int) -> None:
            if isinstance(outcome, Refusal):
                self._refuse(outcome, command.key, version)
                if outcome.problem == "stale":
                    live.show(self, version)
            else:
                self.send(_encode(CommandDone(command.key, version, outcome.told)))

        self.site.tables.command(live, self.device, command, reply)


def _parse_request(request: Request) -> tuple[str, str, dict[str, str]]:
    """Return the table, the path and the query of a request."""
    try:
        parts = urlsplit(request.path)
    except ValueError:
        return "", "", {}
    table = parts.path.removeprefix("/api/tables/").removesuffix("/live")
    return table, parts.path, {name: values[-1] for name, values in parse_qs(parts.query).items()}
