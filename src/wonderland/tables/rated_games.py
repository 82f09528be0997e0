"""Rated tables: how they are laid, who may sit there, and what is noted of their end.

What is noted of a table depends on its log alone and lies on the shelf under the table's name. So
whoever notes it, and how often, it is there once; the ratings are the fold of all that is noted
(`features/ratings/model.py`).
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

CLOCK = 24 * 3600
"""Seconds for a move at a rated table where nothing else was said: its game must come to an end."""
_EVERY = 1_000_000_000


class RatedResult(msgspec.Struct, frozen=True):
    """How the game at a rated table ended."""

    table: str
    game: str
    time: int
    """When, in milliseconds since 1970."""
    people: tuple[str, ...]
    """The person on each seat, whoever made the moves in the end."""
    winners: tuple[int, ...]
    """The seats that won, or shared the win."""


_written = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(RatedResult).decode


def rated_table(wanted: ask.CreateTable, rules: AnyGame) -> ask.CreateTable:
    """A table that can be rated: nobody gets help, all play by the usual rules, and it ends some day."""
    if wanted.hints or wanted.lesson:
        raise Refusal("bad request", "At a rated table there are no hints and no lessons.")
    if wanted.bots or wanted.access == "bots" or wanted.seats < 2:
        raise Refusal("bad request", "A rated table is for two people or more, without bots.")
    if read_options(rules, wanted.options) != read_options(rules, {}):
        raise Refusal("bad request", "A rated game is played by the usual rules, without options.")
    return msgspec.structs.replace(wanted, clock=wanted.clock or CLOCK)


def check_rated_seat(table: Table, device: str, who: Account | None) -> Account:
    """Who may sit down at a rated table: somebody with a name there, and once, as may a device."""
    if who is None:
        raise Refusal(
            "not yours", "This table is rated: take a name for the ratings first, then sit down."
        )
    if table.seats_of(device) or any(place.person == who.id for place in table.places):
        raise Refusal("not now", "At a rated table everyone has one seat, and you have yours.")
    return who


def check_own(table: Table, seat: int, who: Account | None) -> None:
    """Refuse a link to a seat of a rated table to all but the one who sits there."""
    if table.opened.rated and (who is None or table.places[seat].person != who.id):
        raise Refusal("not yours", "At a rated table a seat is for whoever sat down there.")


def check_unrated(table: Table) -> None:
    """Refuse what others could be harmed by, or helped, at a rated table."""
    if table.opened.rated:
        raise Refusal("not now", "That is not done at a rated table.")


def outcome_of(table: Table) -> RatedResult | None:
    """What counts of a rated table, once its game is over."""
    turn = None if table.match is None else table.match.turn
    if not table.opened.rated or not isinstance(turn, Over):
        return None
    people = tuple(place.person for place in table.places)
    # Nobody's turn begins or is taken over after the end.
    return RatedResult(table.id, table.opened.game, table.turn_time, people, tuple(turn.result.winners))


def kind(game: str) -> str:
    """What the outcomes of a game are on the shelf."""
    return f"rated.{game}"


async def record_result(shelf: DocumentStore, outcome: RatedResult) -> None:
    """Keep an outcome; whoever comes later finds it there."""
    await shelf.swap(kind(outcome.game), outcome.table, None, _written(outcome))


async def recent_results(shelf: DocumentStore, game: str, most: int = _EVERY) -> Sequence[RatedResult]:
    """The outcomes of a game that were noted last, the newest first."""
    return [_read(kept.body) for kept in await shelf.newest(kind(game), most)]
