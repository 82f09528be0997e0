"""The WebSocket of a table: sends the viewer's complete view whenever it changes, and takes commands.

    GET /api/tables/{table}/live?seat=0&after=12

`seat` must be held by the client's device; the default is its first seat, or the spectator's view.
`after` is the version that the client has already. With `form=page` the table comes as HTML in the
browser's language (`table_page.py`). Incoming messages are commands, as over HTTP; outgoing ones have
the type `table` (or `page`), `done`, `refused` or `present`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from wonderland.engine.language import ENGLISH
from wonderland.tables.fair_queue import Owner
from wonderland.tables.handlers import HandlerResult
from wonderland.tables.households import source_hash
from wonderland.web.assets import release
from wonderland.web.languages import negotiate_language
from wonderland.web.moderation import BANNED
from wonderland.web.security import device_in, is_allowed_origin, language_in, source_network
from wonderland.web.table_page import PageFormat
from wonderland.web.websocket import CloseCode, WebSocketProtocol
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.messages import CommandDone
from wonderland.wire.problems import UNREADABLE, Refusal, encode_refusal

if TYPE_CHECKING:
    from websockets.http11 import Request
    from websockets.server import ServerProtocol

    from wonderland.tables.live_table import LiveTable, MessageRenderer
    from wonderland.web.app import Site

_MAX_EARLY_MESSAGES = 32
"""Messages accepted before the table is loaded."""
PING_SECONDS = 20.0
_SAMPLED = 32
"""One command in this many is measured: reading the clock of a thread is a system call."""
_encode = msgspec.json.Encoder().encode


class TableSocket(WebSocketProtocol):
    """A player or spectator connected to a table."""

    __slots__ = (
        "_early",
        "_live_table",
        "_owner",
        "_source",
        "device",
        "form",
        "is_spectator",
        "say",
        "seat",
        "table",
        "was_handed_off",
    )

    def __init__(self, site: Site, server_state: Any) -> None:
        super().__init__(site, server_state)
        self.device = ""
        self.table = ""
        """The id of its table."""
        self.seat: int | None = None
        self.form: MessageRenderer | None = None
        self.is_spectator = False
        """Whether it counts as a spectator."""
        self.say = ENGLISH
        self._live_table: LiveTable | None = None
        self._owner = Owner("", "")
        """Who pays for its commands."""
        self._source = ""
        """The hash of its network."""
        self._early: list[bytes] = []
        self.was_handed_off = False
        """By another worker, so that it must stay here."""

    def on_closed(self) -> None:
        """Stop watching the table."""
        self.site.connections.remove(self)
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
        """Check the address, the origin, the query, the connection limit and what was spent so far."""
        if any(len(request.headers.get_all(name)) > 1 for name in ("Origin", "Host", "Cookie")):
            return 400, "A request says these things once.\n"
        table, path, query = _parse_request(request)
        if path != f"/api/tables/{table}/live" or "/" in table:
            return 404, "Nothing is here.\n"
        if not is_allowed_origin(request.headers.get("Origin"), self.host, self.site):
            return 403, "This page may not open tables here.\n"
        numbers = [query[name] for name in ("seat", "after") if name in query]
        if not all(value.isascii() and value.isdecimal() and len(value) < 10 for value in numbers):
            return 400, "The seat and the version are numbers.\n"
        device = device_in(request.headers.get("Cookie", ""))
        if self.site.moderation.find_ban(self.address, device) is not None:
            return 403, f"{BANNED}\n"
        if not self.site.connections.can_open(self.network, device):
            self.site.metrics.limited.inc()
            return 429, "There are too many connections from this address. Please try again later.\n"
        self._owner = Owner(self.network, device)
        try:
            self.site.work.check(self._owner, has_priority=True)
        except Refusal as refusal:
            return 429, f"{refusal}\n"
        return None

    def _open(self, handshake: ServerProtocol, data: bytes) -> None:
        started = time.thread_time()
        super()._open(handshake, data)
        self.site.work.charge(self._owner, time.thread_time() - started)

    def on_opened(self, request: Request) -> None:
        """Load the table in the background, and watch it."""
        self.table, _, query = _parse_request(request)
        self.site.connections.add(self)
        self.device = device_in(request.headers.get("Cookie", ""))
        self._source = source_hash(self.site.tables.key, source_network(self.address))
        if query.get("form") == "page":
            chosen = query.get("lang") or language_in(request.headers.get("Cookie", ""))
            self.say = negotiate_language(request.headers.get("Accept-Language", ""), chosen)
            self.form = PageFormat(self.say, release())
        elif "lang" in query:
            self.say = negotiate_language("", query["lang"])
        seat, after = (int(query[name]) if name in query else None for name in ("seat", "after"))
        self.site.spawn(self._join(self.table, seat, -1 if after is None else after))

    async def _join(self, table: str, seat: int | None, after: int) -> None:
        try:
            live = await self.site.tables.fresh(table)
        except Refusal as refusal:
            may_retry = refusal.problem == "storage"
            self.end(CloseCode.TRY_LATER if may_retry else CloseCode.NOT_FOUND, str(refusal))
            return
        if not self.is_open:
            return
        mine = live.table.seats_of(self.device) if self.device else []
        if seat is not None and seat not in mine:
            self.end(CloseCode.NOT_YOURS, "This seat isn't yours.")
            return
        self.seat = seat if seat is not None or not mine else mine[0]
        if not self.site.connections.can_stay(self, live):
            self.site.metrics.limited.inc()
            self.end(CloseCode.TRY_LATER, "There are too many spectators. Please try again later.")
            return
        self.site.connections.admit(self, live)
        self._live_table = live
        started = time.thread_time()
        self.site.tables.watch(live, self, after)
        self.site.work.charge(self._owner, time.thread_time() - started)
        early, self._early = self._early, []
        for message in early:
            self._command_at_cost(live, message)

    def receive_message(self, message: bytes) -> None:
        """Handle a command; queue it if the table is not loaded yet."""
        if self._live_table is not None:
            self._command_at_cost(self._live_table, message)
        elif len(self._early) < _MAX_EARLY_MESSAGES:
            self._early.append(message)
        else:
            self.end(CloseCode.POLICY, "Too many messages; come again later.")

    def _command_at_cost(self, live: LiveTable, message: bytes) -> None:
        """Handle a command; a sample of them is measured."""
        if random.random() * _SAMPLED < 1:
            started = time.thread_time()
            self._command(live, message, self._charge)
            self._charge(time.thread_time() - started)
        else:
            self._command(live, message)

    def _charge(self, seconds: float) -> None:
        """Charge the client for work, and for what was not measured."""
        self.site.work.charge(self._owner, seconds * _SAMPLED)

    def _refuse(self, refusal: Refusal, key: str, version: int) -> None:
        """Send a refusal: to a page in its language, to programs in English or the one they ask for."""
        self.send(encode_refusal(refusal, key, version, self.say))

    def _command(
        self, live: LiveTable, message: bytes, charge: Callable[[float], None] | None = None
    ) -> None:
        try:
            command = ask.read_command(message)
        except UNREADABLE as error:
            unreadable = Refusal(Code.INVALID_REQUEST, "Invalid command: {reason}.", reason=error)
            self._refuse(unreadable, "", 0)
            return
        if not self.device:
            refusal = Refusal(
                Code.UNKNOWN_DEVICE, "We don't recognise this device. Reload the page and try again."
            )
            self._refuse(refusal, command.key, live.table.version)
            return
        try:
            self.site.work.check(self._owner, has_priority=True)
        except Refusal as refusal:
            self._refuse(refusal, command.key, live.table.version)
            return

        def reply(outcome: HandlerResult | Refusal, version: int) -> None:
            if isinstance(outcome, Refusal):
                self._refuse(outcome, command.key, version)
                if outcome.problem == "stale":
                    live.show(self, version)
            else:
                self.send(_encode(CommandDone(command.key, version, outcome.told)))

        self.site.tables.command(live, self.device, command, reply, charge, source=self._source)


def _parse_request(request: Request) -> tuple[str, str, dict[str, str]]:
    """Return the table, the path and the query of a request."""
    try:
        parts = urlsplit(request.path)
    except ValueError:
        return "", "", {}
    table = parts.path.removeprefix("/api/tables/").removesuffix("/live")
    return table, parts.path, {name: values[-1] for name, values in parse_qs(parts.query).items()}
