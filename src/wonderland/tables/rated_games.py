"""Rated tables: their restrictions, and the recorded results that ratings are computed from.

A result depends only on the table's log and is stored under the table's id, so recording it is
idempotent, from any process. Ratings are the fold of all results (`features/ratings/model.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wonderland.engine.options import read_options
from wonderland.engine.protocol import AnyGame, Over
from wonderland.tables.accounts import Account
from wonderland.tables.storage.documents import DocumentStore
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
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
    """The account id of each seat, even if a bot finished the game for it."""
    winners: tuple[int, ...]
    """The seats that won or shared the win."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(RatedResult).decode


def check_rated_request(request: ask.CreateTable, rules: AnyGame) -> ask.CreateTable:
    """Return the request with a clock; `Refusal` if it asks for help, bots or non-standard rules."""
    if request.hints or request.lesson:
        raise Refusal("bad request", "At a rated table there are no hints and no lessons.")
    if request.bots or request.access == "bots" or request.seats < 2:
        raise Refusal("bad request", "A rated table is for two people or more, without bots.")
    if read_options(rules, request.options) != read_options(rules, {}):
        raise Refusal("bad request", "A rated game is played by the usual rules, without options.")
    return msgspec.structs.replace(request, clock=request.clock or DEFAULT_CLOCK)


def check_rated_seat(table: Table, device: str, account: Account | None) -> Account:
    """Return the account that sits down; `Refusal` without one, or with a second seat."""
    if account is None:
        raise Refusal(
            "not yours", "This table is rated: take a name for the ratings first, then sit down."
        )
    if table.seats_of(device) or any(place.person == account.id for place in table.places):
        raise Refusal("not now", "At a rated table everyone has one seat, and you have yours.")
    return account


def check_own_seat(table: Table, seat: int, account: Account | None) -> None:
    """Refuse a link to a rated seat to everyone but the account that holds it."""
    if table.opened.rated and (account is None or table.places[seat].person != account.id):
        raise Refusal("not yours", "At a rated table a seat is for whoever sat down there.")


def check_unrated(table: Table) -> None:
    """Refuse what could help or harm a player at a rated table."""
    if table.opened.rated:
        raise Refusal("not now", "That is not done at a rated table.")


def result_of(table: Table) -> RatedResult | None:
    """The result of a rated table once its game is over, else `None`."""
    turn = None if table.match is None else table.match.turn
    if not table.opened.rated or not isinstance(turn, Over):
        return None
    people = tuple(place.person for place in table.places)
    # No turn begins or is taken over after the end, so `turn_time` is when the game ended.
    return RatedResult(table.id, table.opened.game, table.turn_time, people, tuple(turn.result.winners))


def kind(game: str) -> str:
    """The document kind of a game's results."""
    return f"rated.{game}"


async def record_result(documents: DocumentStore, result: RatedResult) -> None:
    """Store a result, unless it is stored already."""
    await documents.swap(kind(result.game), result.table, None, _encode(result))


async def recent_results(documents: DocumentStore, game: str, most: int = _ALL) -> Sequence[RatedResult]:
    """The most recently recorded results of a game, newest first."""
    return [_decode(document.body) for document in await documents.newest(kind(game), most)]
