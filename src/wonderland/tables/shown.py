"""What somebody at a table is shown: the table as everybody knows it, and the game as they may see it.

A message is made from the log alone and from nothing that its reader can't see, so of two tables that
look the same to somebody they get the same bytes. There are no names for hidden cards in it: a card that
can't be seen is `?`, wherever it is.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Raw

from wonderland.core.outcome import Result
from wonderland.core.protocol import Over
from wonderland.core.record import Record
from wonderland.core.wire import writer, written
from wonderland.tables.entries import Proposed
from wonderland.tables.fairness import Secret, statement
from wonderland.tables.storage import Row
from wonderland.tables.table import Remark, Table


class SeatShown(msgspec.Struct, frozen=True):
    """A seat as everybody sees it; `level` is the bot that plays it, maybe in a person's stead."""

    kind: Literal["free", "reserved", "person", "bot"]
    name: str
    level: str


class ProposalShown(msgspec.Struct, frozen=True):
    """What waits for an answer."""

    seat: int
    what: Literal["undo", "bot"]
    about: int | None
    """The seat that a bot should play for."""
    agreed: list[int]


class TableShown(msgspec.Struct, frozen=True):
    """The table as everybody knows it."""

    id: str
    game: str
    rules: int
    options: dict[str, str]
    access: Literal["link", "open", "bots"]
    clock: int | None
    away: int | None
    hints: bool
    """Whether one may ask for a hint."""
    lesson: bool
    """Whether the luck was prepared, to explain the game; then there is no commitment."""
    rated: bool
    """Whether its end counts in the ratings."""
    begun: int
    """How many moves were made elsewhere, before this table went on from them."""
    status: Literal["waiting", "playing", "finished"]
    seats: list[SeatShown]
    proposal: ProposalShown | None
    silent: bool
    commitment: str
    """What the secret of the luck is committed to, before anyone sits down."""
    secret: str
    """That secret, once the game is over."""
    result: Result | None
    earlier: str
    """The table that this is a rematch of."""
    next: str
    """The table of the rematch."""


class Shown(msgspec.Struct, frozen=True, tag_field="type", tag="table"):
    """All that somebody is shown of a table: whole, every time."""

    version: int
    time: int
    """When that version came to be, in milliseconds since 1970."""
    table: Raw
    seat: int | None
    """The seat that it is shown to; `null` is a spectator."""
    view: Any
    """The game as this seat sees it; `null` before it begins."""
    to_act: tuple[int, ...]
    deadline: int | None
    legal: list[str]
    """What this seat may do now."""
    events: list[Any]
    """What has happened since the version that the reader knew, as this seat saw it."""
    complete: bool
    """Whether `events` is all that has happened since: after an undo it is not."""
    said: list[Remark]


class Present(msgspec.Struct, frozen=True, tag_field="type", tag="present"):
    """Who is connected now."""

    seats: list[int]
    spectators: int


class Card(msgspec.Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    status: str
    free: int
    changed: int
    seat: int | None = None
    """The seat of the one who asks."""


def table_shown(table: Table) -> TableShown:
    """What everybody knows of a table."""
    opened, proposal = table.opened, table.proposal
    turn = None if table.match is None else table.match.turn
    return TableShown(
        id=table.id,
        game=opened.game,
        rules=opened.rules,
        options=opened.options,
        access=opened.access,
        clock=opened.clock,
        away=opened.away,
        hints=opened.hints,
        lesson=opened.lesson,
        rated=opened.rated,
        begun=len(opened.begun),
        status=table.status,
        seats=[SeatShown(place.kind, place.name, place.level) for place in table.places],
        proposal=None if proposal is None else _proposal_shown(table, proposal),
        silent=table.silent,
        commitment=opened.commitment,
        secret=table.secret,
        result=turn.result if isinstance(turn, Over) else None,
        earlier=opened.earlier,
        next=table.next,
    )


def _proposal_shown(table: Table, proposal: Proposed) -> ProposalShown:
    about = proposal.about if proposal.what == "bot" else None
    return ProposalShown(proposal.seat, proposal.what, about, sorted(table.agreed))


def deadline(table: Table) -> int | None:
    """When the clock of those who are to act runs out, in milliseconds."""
    clock = table.opened.clock
    if clock is None or not table.to_act:
        return None
    return table.turn_time + 1000 * clock


def shown(table: Table, seat: int | None, after: int, common: Raw | None = None) -> bytes:
    """The message for a seat, or a spectator, that knew the table as it was at version `after`."""
    match = table.match
    view, events, legal, complete = None, [], [], True
    if match is not None:
        game = match.game
        view = game.view(match.state, seat)
        if seat is not None and seat in table.to_act:
            legal = [game.write(action) for action in game.legal(match.state, seat)]
        if after < table.version:
            complete = after >= table.events_from
            known = table.events_after[after] if complete else len(match.events)
            seen = [game.witness(event, seat) for event in match.events[known:]]
            events = [event for event in seen if event is not None]
    return writer(table.opened.game)(
        Shown(
            table.version,
            table.time,
            common or Raw(written(table_shown(table))),
            seat,
            view,
            table.to_act,
            deadline(table),
            legal,
            events,
            complete,
            [remark for remark in table.remarks if remark.version > after] if table.remarks else [],
        )
    )


def record_of(table: Table) -> Record[object, object, object, object, object] | None:
    """The record of a game that is over, with what its luck came from; `None` before that."""
    if table.match is None or table.status != "finished":
        return None
    if table.opened.given:
        return table.match.record  # which says what was given
    secret = Secret(table.id, bytes.fromhex(table.secret))
    contributions = [place.contribution for place in table.places]
    luck = statement(secret, contributions, len(table.opened.begun))
    record: Record[object, object, object, object, object] = table.match.record
    return msgspec.structs.replace(record, luck=luck)


def card_of(row: Row, seat: int | None = None) -> Card:
    """A table as it stands in a list."""
    return Card(row.table, row.game, row.status, row.free, row.changed, seat)
