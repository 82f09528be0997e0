"""Messages about a table: its public part, and the game as one seat sees it.

A message is built from the log and from nothing that its reader can't see, so two tables that look the
same to a reader give the same bytes. Hidden cards have no ids in it: a card that can't be seen is `?`,
wherever it is.
"""

from __future__ import annotations

from typing import cast

import msgspec
from msgspec import Raw

from wonderland.engine.record import Record
from wonderland.engine.serialization import encode, encoder_for
from wonderland.tables.entries import Proposed
from wonderland.tables.fairness import Secret, statement
from wonderland.tables.forfeits import forfeits_at
from wonderland.tables.households import household
from wonderland.tables.names import is_bot_name, is_visible, look_alikes
from wonderland.tables.storage.interface import TableIndexRow
from wonderland.tables.table import Table
from wonderland.tables.undo import can_undo
from wonderland.wire.api import TableSummary
from wonderland.wire.messages import ProposalInfo, SeatInfo, TableInfo, TableUpdate


def describe_table(table: Table) -> TableInfo:
    """The public part of a table."""
    opened, proposal = table.opened, table.proposal
    return TableInfo(
        id=table.id,
        game=opened.game,
        rules=opened.rules,
        options=opened.options,
        access=opened.access,
        clock=opened.clock,
        away=opened.away,
        hints=opened.hints,
        is_tutorial=opened.is_tutorial,
        rated=opened.rated,
        begun=len(opened.begun),
        status=table.status,
        seats=[_describe_seat(table, seat) for seat in range(len(table.places))],
        proposal=None if proposal is None else _describe_proposal(table, proposal),
        silent=table.silent,
        commitment=opened.commitment,
        secret=table.secret,
        result=table.result,
        earlier=opened.earlier,
        next=table.next,
        next_game=table.next_game,
        taken_back=len(table.undone),
        forfeited=() if table.forfeit is None else table.forfeit.seats,
        household=household(table),
    )


def _describe_seat(table: Table, seat: int) -> SeatInfo:
    place, names = table.places[seat], tuple(each.name for each in table.places)
    return SeatInfo(
        place.kind,
        place.name,
        place.level,
        alike=bool(place.name) and (seat in look_alikes(names) or not is_visible(place.name)),
        like_bot=place.kind == "person" and is_bot_name(place.name),
        forfeits_at=forfeits_at(table, seat),
    )


def _describe_proposal(table: Table, proposal: Proposed) -> ProposalInfo:
    about = proposal.about if proposal.what == "bot" else None
    return ProposalInfo(proposal.seat, proposal.what, about, sorted(table.agreed))


def deadline(table: Table) -> int | None:
    """When the current turn times out, in milliseconds; `None` without a clock."""
    clock = table.opened.clock
    if clock is None or not table.to_act:
        return None
    return table.turn_time + 1000 * clock


def build_update(table: Table, seat: int | None, after: int, common: Raw | None = None) -> bytes:
    """Encode the update for a seat or a spectator (`None`), with the events since version `after`."""
    match = table.match
    view, events, legal, complete = None, [], [], True
    if match is not None:
        game = match.game
        view = game.view(match.state, seat)
        if seat is not None and seat in table.to_act:
            legal = [game.write(action) for action in game.legal(match.state, seat)]
        if after < table.version:
            complete = after >= table.events_valid_from
            known = table.events_after[after] if complete else len(match.events)
            seen = [game.witness(event, seat) for event in match.events[known:]]
            events = [event for event in seen if event is not None]
    return encoder_for(table.opened.game)(
        TableUpdate(
            table.version,
            table.time,
            # Encoded once for all seats.
            cast("TableInfo", common or Raw(encode(describe_table(table)))),
            seat,
            view,
            table.to_act,
            deadline(table),
            legal,
            events,
            complete,
            [message for message in table.remarks if message.version > after] if table.remarks else [],
            seat is not None and can_undo(table, seat),
            [notice for notice in table.notices if notice.version > after] if table.notices else [],
        )
    )


def build_record(table: Table) -> Record[object, object, object, object, object] | None:
    """The record of a finished game, with the proof of its shuffle; `None` while it isn't over."""
    if table.match is None or table.status != "finished":
        return None
    if table.opened.given:
        # it contains the prepared outcomes
        return msgspec.structs.replace(table.match.record, undone=table.undone)
    secret = Secret(table.id, bytes.fromhex(table.secret))
    contributions = [place.contribution for place in table.places]
    said = statement(secret, contributions, len(table.opened.begun))
    record: Record[object, object, object, object, object] = table.match.record
    return msgspec.structs.replace(record, shuffle_statement=said, undone=table.undone)


def summarise_table(row: TableIndexRow, seat: int | None = None) -> TableSummary:
    """A table as a line of a list."""
    return TableSummary(row.table, row.game, row.status, row.free, row.changed, seat)
