"""Joining a table: return to a seat, claim one by a link, take a free one, or watch as a spectator."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from wonderland.client import http
from wonderland.client.credentials import Credentials
from wonderland.client.game_view import game_of
from wonderland.client.http import RequestDenied
from wonderland.client.links import TableLink
from wonderland.client.shuffle import KeptShuffle
from wonderland.engine.errors import UsageError
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.record import validate_names
from wonderland.engine.values import Value
from wonderland.wire.commands import Claim, Sit, new_key
from wonderland.wire.messages import TableUpdate

_WATCHING = phrase("You're watching.")
_BACK = phrase("You're back in seat {number}.")


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
    kept: KeptShuffle | None = None
    """What this device has kept to verify the shuffle, from before it added its contribution; `None` at
    a tutorial, or if it came when the game was over."""


def arrive(
    link: TableLink,
    request: SeatRequest,
    credentials: Credentials,
    ask_name: Callable[[], str],
    say: Language = ENGLISH,
) -> Arrival:
    """Join a table; `ask_name` is called if a name is needed. `WonderlandError` if it fails."""
    device = credentials.device(link.server)
    shown = http.get_table(link, device, language=say.code)
    game_of(shown.table)
    kept = _keep_shuffle(link, shown, credentials)
    if request.watch:
        return Arrival(link, device, None, say(_WATCHING), kept)
    if link.secret is not None and link.seat is not None:
        return _join_by_link(link, device, credentials, shown, kept, say)
    if (seat := _find_own_seat(link, device, request, credentials, shown, say)) is not None:
        credentials.remember_seat(link.address, seat)
        says = say(_BACK, number=seat + 1)
        return Arrival(link, device, seat, says, kept)
    return _sit_or_watch(link, device, request, credentials, shown, ask_name, say)


def _is_held(link: TableLink, device: str, seat: int, say: Language) -> bool:
    try:
        http.get_table(link, device, seat, language=say.code)
    except RequestDenied as denied:
        if denied.problem == "not yours":
            return False
        raise
    return True


def _find_own_seat(  # noqa: PLR0913, PLR0917 - everything that decides on the seat
    link: TableLink,
    device: str,
    request: SeatRequest,
    credentials: Credentials,
    shown: TableUpdate,
    say: Language,
) -> int | None:
    """The seat to return to, if any: the requested one, or the one last used."""
    known = credentials.seats(link.address)
    if shown.seat is not None and shown.seat not in known:
        known = [*known, shown.seat]  # the server may know a seat that this machine has forgotten
    for seat in known:
        name = shown.table.seats[seat].name if seat < len(shown.table.seats) else ""
        wanted = request.seat in (None, seat) and request.name.casefold() in ("", name.casefold())
        if wanted and _is_held(link, device, seat, say):
            return seat
    return None


def _join_by_link(  # noqa: PLR0913, PLR0917 - everything that decides on the seat
    link: TableLink,
    device: str,
    credentials: Credentials,
    shown: TableUpdate,
    kept: KeptShuffle | None,
    say: Language,
) -> Arrival:
    seat = link.seat or 0
    says = say(_BACK, number=seat + 1)
    if not _is_held(link, device, seat, say):
        claim = Claim(seat=seat, secret=link.secret or "", at=shown.version, key=new_key())
        http.send_command(link, device, claim, say.code)
        if kept is not None:
            kept = credentials.keep_shuffle(link.address, kept.commitment, claimed=seat)
        says = say("Seat {number} is yours.", number=seat + 1)
    credentials.remember_seat(link.address, seat)
    plain = TableLink(link.server, link.table)
    return Arrival(plain, device, seat, says, kept)


def _sit_or_watch(  # noqa: PLR0913, PLR0917 - everything that decides on the seat
    link: TableLink,
    device: str,
    request: SeatRequest,
    credentials: Credentials,
    shown: TableUpdate,
    ask_name: Callable[[], str],
    say: Language,
) -> Arrival:
    why = _find_obstacle(link, request, shown)
    if why is not None and request.seat is None:
        says = say.sentences([why.said(say), say(_WATCHING)])
        return Arrival(link, device, None, says, credentials.shuffle(link.address))
    if why is not None:
        raise why
    return take_seat(link, device, request.name or ask_name(), request.seat, credentials, shown, say)


def _find_obstacle(link: TableLink, request: SeatRequest, shown: TableUpdate) -> UsageError | None:
    """The visible reason why a request for a seat would fail, or `None`."""
    table = shown.table
    kinds = {place.kind for place in table.seats}
    if request.seat is not None and request.seat >= len(table.seats):
        return UsageError(
            phrase("There's no seat {number} here. The seats are numbered 1 to {last}."),
            number=request.seat + 1,
            last=len(table.seats),
        )
    if table.status != "waiting":
        return UsageError(phrase("The game has already started."))
    if not kinds & {"free", "reserved"}:
        return UsageError(phrase("All seats are taken."))
    is_unspecific = not request.name and request.seat is None
    if is_unspecific and link.invitation is None and table.access != "open" and "reserved" not in kinds:
        return UsageError(phrase("To join this table, ask the host for its link."))
    return None


def take_seat(  # noqa: PLR0913, PLR0917 - as above
    link: TableLink,
    device: str,
    name: str,
    seat: int | None,
    credentials: Credentials,
    shown: TableUpdate,
    say: Language = ENGLISH,
) -> Arrival:
    """Take a seat at the table that was shown: the given one, or any free one."""
    validate_names([name])
    contribution = secrets.token_hex(32)
    # Kept before it is sent: from now on, the commitment can't be exchanged unnoticed.
    kept = _keep_shuffle(link, shown, credentials, contribution)
    sit = Sit(
        name=name,
        contribution=contribution,
        seat=seat,
        invitation=link.invitation,
        at=shown.version,
        key=new_key(),
    )
    http.send_command(link, device, sit, say.code)
    names = [place.name for place in http.get_table(link, device, language=say.code).table.seats]
    seat = names.index(name)  # names are unique at a table
    credentials.remember_seat(link.address, seat)
    credentials.remember_name(name)
    says = say("You're in seat {number}.", number=seat + 1)
    return Arrival(link, device, seat, says, kept)


def _keep_shuffle(
    link: TableLink, shown: TableUpdate, credentials: Credentials, contribution: str = ""
) -> KeptShuffle | None:
    """Keep the commitment that a table shows, if there is one and the game isn't over."""
    if not shown.table.commitment or shown.table.status == "finished":
        return credentials.shuffle(link.address)
    return credentials.keep_shuffle(link.address, shown.table.commitment, contribution)
