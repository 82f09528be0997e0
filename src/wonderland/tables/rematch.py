"""Rematches: another table for the same players, where the chat goes on and the next player starts.

They may also go on to another game, which has its standard rules and draws its start player. People sit
down again, so that their devices contribute to the new shuffle; bots are there already.
"""

from __future__ import annotations

import random

from wonderland.bots.characters import difficulty, may_appear, pick_character
from wonderland.bots.levels import default_level, levels
from wonderland.tables import entries as log
from wonderland.tables.creation import find_game
from wonderland.tables.fairness import ServerKey
from wonderland.tables.handlers import hash_secret, validate_level
from wonderland.tables.invitations import invitations_after, rematch_id, rematch_invitation
from wonderland.tables.seats import SeatState
from wonderland.tables.start_player import next_start
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal


def rematch_of(table: Table, key: ServerKey, request: ask.Rematch) -> tuple[str, log.Opened]:
    """The id and the opening of a rematch; `Refusal` if it is impossible."""
    following, opened = rematch_id(table), table.opened
    rules = find_game(request.game or opened.game)
    name, is_same = rules.info.name, rules.info.name == opened.game
    kept = _reserve_again(table, name, request.level and validate_level(name, request.level))
    if request.more:
        kept.append(log.Reserved())
    if len(kept) not in rules.info.seats:
        raise Refusal(Code.NO_ROOM, "There's no room for another player in this game.")
    return following, log.changed(
        opened,
        game=name,
        rules=rules.info.rules_version,
        seats=len(kept),
        options=opened.options if is_same else {},
        # A table for its host and bots has no link, without which nobody could join.
        access="link" if request.more and opened.access == "bots" else opened.access,
        invitation=hash_secret(rematch_invitation(key, following)),
        earlier=table.id,
        invited=invitations_after(table),
        reserved=tuple(kept),
        quick=False,
        heard=tuple(
            log.Heard(
                message.seat,
                message.name or table.places[message.seat].name,
                message.time,
                message.phrase,
                message.text,
            )
            for message in table.remarks
        ),
        silent=table.silent,
        is_tutorial=False,
        topic="",
        given={},
        begun=next_start(table, len(kept)) if is_same else (),
    )


def _reserve_again(table: Table, game: str, level: str | None) -> list[log.Reserved]:
    """The seats of a table, reserved for the same people, and for the same bots or those of a level."""
    is_same = game == table.opened.game

    def stays(place: SeatState) -> bool:
        if place.kind != "bot":
            return True
        return level in (None, place.level) and (is_same or may_appear(game, place.name))

    staying = [place for place in table.places if stays(place)]
    taken = {text for place in staying for text in (place.name, place.portrait)}
    kept, rng = [], random.Random(table.id)
    for place in table.places:
        if place.kind != "bot":
            kept.append(log.Reserved(place.name, place.devices, portrait=place.portrait))
            continue
        word = level or _same_difficulty(table.opened.game, place.level, game)
        name = place.name if stays(place) else pick_character(game, word, taken, rng)
        taken.add(name)
        kept.append(log.Reserved(name, level=word))
    return kept


def _same_difficulty(game: str, word: str, other: str) -> str:
    """The level of another game that is as hard as one of a game; the default if there is none."""
    if game == other:
        return word
    known = {difficulty(other, each.word): each.word for each in reversed(levels(other))}
    return known.get(difficulty(game, word), default_level(other).word)
