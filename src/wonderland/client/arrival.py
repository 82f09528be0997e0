"""How one comes to a table: back to one's seat, by a link to a seat, to a free seat, or to watch."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from wonderland.client import http
from wonderland.client.credentials import Credentials
from wonderland.client.game_view import game_of
from wonderland.client.http import RequestDenied
from wonderland.client.links import TableLink
from wonderland.engine.errors import UsageError
from wonderland.engine.values import Value
from wonderland.wire.commands import Claim, Sit, new_key
from wonderland.wire.messages import TableUpdate


class SeatRequest(Value, frozen=True):
    """What somebody who comes to a table wants."""

    name: str = ""
    seat: int | None = None
    watch: bool = False


class Arrival(Value, frozen=True):
    """Somebody who has come: where to, as which device, on which seat (`None`: to watch), and how."""

    link: TableLink
    device: str
    seat: int | None
    says: str
    commitment: str
    """The table's commitment to its shuffle, as it was before this device added its contribution."""


def arrive(
    link: TableLink, wish: SeatRequest, memory: Credentials, ask_name: Callable[[], str]
) -> Arrival:
    """Come to a table; `ask_name` is called if a name is needed. `WonderlandError` if it can't be."""
    device = memory.device(link.server)
    shown = http.get_table(link, device)
    game_of(shown.table)
    if wish.watch:
        return Arrival(link, device, None, "You watch.", shown.table.commitment)
    if link.secret is not None and link.seat is not None:
        return _by_link(link, device, link.seat, memory, shown)
    if (seat := _own(link, device, wish, memory, shown)) is not None:
        memory.hold(link.address, seat)
        says = f"You are back on seat {seat + 1}."
        return Arrival(link, device, seat, says, shown.table.commitment)
    return _sit(link, device, wish, memory, shown, ask_name)


def _held(link: TableLink, device: str, seat: int) -> bool:
    try:
        http.get_table(link, device, seat)
    except RequestDenied as denied:
        if denied.problem == "not yours":
            return False
        raise
    return True


def _own(
    link: TableLink, device: str, wish: SeatRequest, memory: Credentials, shown: TableUpdate
) -> int | None:
    """The seat to come back to, if there is one: as asked for, or the one last used."""
    known = memory.seats(link.address)
    if shown.seat is not None and shown.seat not in known:
        known = [*known, shown.seat]  # the server knows more than this machine
    for seat in known:
        name = shown.table.seats[seat].name if seat < len(shown.table.seats) else ""
        wanted = wish.seat in (None, seat) and wish.name.casefold() in ("", name.casefold())
        if wanted and _held(link, device, seat):
            return seat
    return None


def _by_link(
    link: TableLink, device: str, seat: int, memory: Credentials, shown: TableUpdate
) -> Arrival:
    says = f"You are back on seat {seat + 1}."
    if not _held(link, device, seat):
        claim = Claim(seat=seat, secret=link.secret or "", at=shown.version, key=new_key())
        http.send_command(link, device, claim)
        says = f"Seat {seat + 1} is yours."
    memory.hold(link.address, seat)
    plain = TableLink(link.server, link.table)
    return Arrival(plain, device, seat, says, shown.table.commitment)


def _sit(  # noqa: PLR0913, PLR0917 - all that matters for who may sit where
    link: TableLink,
    device: str,
    wish: SeatRequest,
    memory: Credentials,
    shown: TableUpdate,
    ask_name: Callable[[], str],
) -> Arrival:
    why = _why_not(link, wish, shown)
    if why is not None and wish.seat is None:
        return Arrival(link, device, None, f"{why}: you watch.", shown.table.commitment)
    if why is not None:
        raise UsageError(f"{why}.")
    return take_seat(link, device, wish.name or ask_name(), wish.seat, memory, shown)


def _why_not(link: TableLink, wish: SeatRequest, shown: TableUpdate) -> str | None:
    """Why it is no use to ask for a seat, if that can be seen."""
    table = shown.table
    kinds = {place.kind for place in table.seats}
    if wish.seat is not None and wish.seat >= len(table.seats):
        return f"There is no seat {wish.seat + 1}, for the table has {len(table.seats)}"
    if table.status != "waiting":
        return "The game has begun already"
    if not kinds & {"free", "reserved"}:
        return "All seats are taken"
    asks_nothing = not wish.name and wish.seat is None
    if asks_nothing and link.invitation is None and table.access != "open" and "reserved" not in kinds:
        return "Nobody has invited you to sit here"
    return None


def take_seat(  # noqa: PLR0913, PLR0917 - the same
    link: TableLink, device: str, name: str, seat: int | None, memory: Credentials, shown: TableUpdate
) -> Arrival:
    """Sit down at the table that was shown: on this seat, or on any that is free."""
    sit = Sit(
        name=name,
        contribution=secrets.token_hex(32),
        seat=seat,
        invitation=link.invitation,
        at=shown.version,
        key=new_key(),
    )
    http.send_command(link, device, sit)
    names = [place.name for place in http.get_table(link, device).table.seats]
    seat = names.index(name)  # no two at a table are called the same
    memory.hold(link.address, seat)
    memory.call(name)
    return Arrival(link, device, seat, f"You sit on seat {seat + 1}.", shown.table.commitment)
