"""Rated tables: their restrictions, and the recorded results that ratings are computed from.

A result depends only on the table's log and is stored under the table's id, so recording it is
idempotent, from any process. Ratings are the fold of all results (`features/ratings/model.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wonderland.engine.options import read_options
from wonderland.engine.protocol import AnyGame
from wonderland.tables.accounts import Account
from wonderland.tables.households import counts
from wonderland.tables.storage.documents import DocumentStore
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

DEFAULT_CLOCK = 24 * 3600
"""Default clock in seconds per move: a rated game must come to an end."""
_ALL = 1_000_000_000


class RatedResult(msgspec.Struct, frozen=True):
    """The result of a rated game."""

    table: str
    game: str
    time: int
    """When it ended, in milliseconds since 1970."""
    people: tuple[str, ...]
    """The account id of each seat."""
    winners: tuple[int, ...]
    """The seats that won or shared the win."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(RatedResult).decode


def check_rated_request(request: ask.CreateTable, rules: AnyGame) -> ask.CreateTable:
    """Return the request with a clock; `Refusal` if it asks for help, bots or non-standard rules."""
    if request.hints or request.is_tutorial:
        raise Refusal(Code.RATED_WITHOUT_HELP, "Rated tables have no hints and no tutorial.")
    if request.bots or request.access == "bots" or request.seats < 2:
        raise Refusal(Code.RATED_NEEDS_PEOPLE, "A rated table is for two or more people, without bots.")
    if read_options(rules, request.options) != read_options(rules, {}):
        raise Refusal(
            Code.RATED_NEEDS_STANDARD_RULES, "Rated games use the standard rules, without options."
        )
    return msgspec.structs.replace(request, clock=request.clock or DEFAULT_CLOCK)


def check_rated_seat(table: Table, account: Account | None) -> Account:
    """Return the account that sits down; `Refusal` without one, or with a second seat."""
    if account is None:
        raise Refusal(
            Code.ACCOUNT_NEEDED,
            "This is a rated table. Choose a name for the ratings first, then sit down.",
        )
    if any(place.person == account.id for place in table.places):
        raise Refusal(
            Code.ALREADY_SEATED, "You already have a seat. At a rated table everyone gets just one."
        )
    return account


def check_claim(table: Table, seat: int, account: Account | None, *, has_link: bool) -> None:
    """Refuse a seat without its link; at a rated table, to everyone but the account that holds it.

    That account needs no link: it may come back to its seat on any device.
    """
    if not table.opened.rated:
        if not has_link:
            raise Refusal(Code.LINK_USED, "This link has already been used or replaced.")
    elif account is None or table.places[seat].person != account.id:
        raise Refusal(
            Code.SEAT_NOT_YOURS, "At a rated table, a seat belongs to the player who sat down there."
        )


def check_unrated(table: Table) -> None:
    """Refuse what could help or harm a player at a rated table."""
    if table.opened.rated:
        raise Refusal(Code.NOT_WHEN_RATED, "You can't do that at a rated table.")


def result_of(table: Table) -> RatedResult | None:
    """The result of a rated table once its game is over; `None` before, and if it doesn't count."""
    result = table.result
    if not counts(table) or result is None:
        return None
    people = tuple(place.person for place in table.places)
    # No turn begins or is taken over after the end, so `turn_time` is when the game ended.
    return RatedResult(table.id, table.opened.game, table.turn_time, people, tuple(result.winners))


def kind(game: str) -> str:
    """The document kind of a game's results."""
    return f"rated.{game}"


async def record_result(documents: DocumentStore, result: RatedResult) -> None:
    """Store a result, unless it is stored already."""
    await documents.swap(kind(result.game), result.table, None, _encode(result))


async def stored_result(documents: DocumentStore, table: Table) -> RatedResult | None:
    """The recorded result of a table, or `None`."""
    body = await documents.get(kind(table.opened.game), table.id)
    return None if body is None else _decode(body)


async def recent_results(documents: DocumentStore, game: str, most: int = _ALL) -> Sequence[RatedResult]:
    """The most recently recorded results of a game, newest first."""
    return [_decode(document.body) for document in await documents.newest(kind(game), most)]
