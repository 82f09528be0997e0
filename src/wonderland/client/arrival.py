"""Joining a table: return to a seat, claim one by a link, take a free one, or watch as a spectator."""

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
    """A player's request when joining a table."""

    name: str = ""
    seat: int | None = None
    watch: bool = False


class Arrival(Value, frozen=True):
    """The result of joining: table, device, seat (`None` for a spectator), and a sentence about it."""

    link: TableLink
    device: str
    seat: int | None
    says: str
    commitment: str
    """The table's commitment to its shuffle, as seen before this device added its contribution."""


def arrive(
    link: TableLink, request: SeatRequest, credentials: Credentials, ask_name: Callable[[], str]
) -> Arrival:
    """Join a table; `ask_name` is called if a name is needed. `WonderlandError` if it fails."""
    device = credentials.device(link.server)
    shown = http.get_table(link, device)
    game_of(shown.table)
    if request.watch:
        return Arrival(link, device, None, "You watch.", shown.table.commitment)
    if link.secret is not None and link.seat is not None:
        return _join_by_link(link, device, link.seat, credentials, shown)
    if (seat := _find_own_seat(link, device, request, credentials, shown)) is not None:
        credentials.remember_seat(link.address, seat)
        says = f"You are back on seat {seat + 1}."
        return Arrival(link, device, seat, says, shown.table.commitment)
    return _sit_or_watch(link, device, request, credentials, shown, ask_name)


def _is_held(link: TableLink, device: str, seat: int) -> bool:
    try:
        http.get_table(link, device, seat)
    except RequestDenied as denied:
        if denied.problem == "not yours":
            return False
        raise
    return True


def _find_own_seat(
    link: TableLink, device: str, request: SeatRequest, credentials: Credentials, shown: TableUpdate
) -> int | None:
    """The seat to return to, if any: the requested one, or the one last used."""
    known = credentials.seats(link.address)
    if shown.seat is not None and shown.seat not in known:
        known = [*known, shown.seat]  # the server may know a seat that this machine has forgotten
    for seat in known:
        name = shown.table.seats[seat].name if seat < len(shown.table.seats) else ""
        wanted = request.seat in (None, seat) and request.name.casefold() in ("", name.casefold())
        if wanted and _is_held(link, device, seat):
            return seat
    return None


def _join_by_link(
    link: TableLink, device: str, seat: int, credentials: Credentials, shown: TableUpdate
) -> Arrival:
    says = f"You are back on seat {seat + 1}."
    if not _is_held(link, device, seat):
        claim = Claim(seat=seat, secret=link.secret or "", at=shown.version, key=new_key())
        http.send_command(link, device, claim)
        says = f"Seat {seat + 1} is yours."
    credentials.remember_seat(link.address, seat)
    plain = TableLink(link.server, link.table)
    return Arrival(plain, device, seat, says, shown.table.commitment)


def _sit_or_watch(  # noqa: PLR0913, PLR0917 - everything that decides on the seat
    link: TableLink,
    device: str,
    request: SeatRequest,
    credentials: Credentials,
    shown: TableUpdate,
    ask_name: Callable[[], str],
) -> Arrival:
    why = _find_obstacle(link, request, shown)
    if why is not None and request.seat is None:
        return Arrival(link, device, None, f"{why}: you watch.", shown.table.commitment)
    if why is not None:
        raise UsageError(f"{why}.")
    return take_seat(link, device, request.name or ask_name(), request.seat, credentials, shown)


def _find_obstacle(link: TableLink, request: SeatRequest, shown: TableUpdate) -> str | None:
    """The visible reason why a request for a seat would fail, or `None`."""
    table = shown.table
    kinds = {place.kind for place in table.seats}
    if request.seat is not None and request.seat >= len(table.seats):
        return f"There is no seat {request.seat + 1}, for the table has {len(table.seats)}"
    if table.status != "waiting":
        return "The game has begun already"
    if not kinds & {"free", "reserved"}:
        return "All seats are taken"
    is_unspecific = not request.name and request.seat is None
    if is_unspecific and link.invitation is None and table.access != "open" and "reserved" not in kinds:
        return "Nobody has invited you to sit here"
    return None


def take_seat(  # noqa: PLR0913, PLR0917 - as above
    link: TableLink,
    device: str,
    name: str,
    seat: int | None,
    credentials: Credentials,
    shown: TableUpdate,
) -> Arrival:
    """Take a seat at the table that was shown: the given one, or any free one."""
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
    seat = names.index(name)  # names are unique at a table
    credentials.remember_seat(link.address, seat)
    credentials.remember_name(name)
    return Arrival(link, device, seat, f"You sit on seat {seat + 1}.", shown.table.commitment)
