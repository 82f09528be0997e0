"""Analysis is closed to the players of a running rated game: hints, advice, the coach, playing on.

A position is compared with every rated game that the asking device, or its account, is playing at the
moment. It is taken for that game if it holds the same hand, or if most of what can be seen in it is the
same. Cards, spaces and numbers are compared as bags, without order or seat, and without what every game
starts with, so moving a card or swapping seats changes nothing. Only the player's own view is compared,
which they know anyway: a refusal tells them nothing about the hands of others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import msgspec

from wonderland.engine.match import seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.protocol import AnyGame
from wonderland.engine.record_reader import AnyRecord
from wonderland.engine.registry import game
from wonderland.engine.serialization import encoder_for
from wonderland.engine.values import Value
from wonderland.tables.seats import rated_player
from wonderland.tables.service import TableService
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

_SIMILARITY = 0.85
"""The share of facts in common from which two views count as the same position (Dice coefficient).

Among positions of unrelated random games, 0 to 2% are as similar as this, depending on the game, while
a position in which a card or two were changed still is.
"""
_MAX_GAMES = 1000
_HIDDEN = "?"
"""A hidden card in the JSON of every view."""

Facts = Counter[tuple[str, str]]
"""What can be seen: how often a value occurs in a field of a view, at any depth."""


class RunningGame(Value, frozen=True):
    """A rated game in progress, as one of its players sees it."""

    rules: AnyGame
    seats: int
    state: Any
    seat: int

    def is_shown_by(self, state: Any, seat: int) -> bool:
        """Whether a position is this one, as far as its player knows it."""
        first = self.rules.start(self.seats, read_options(self.rules, {}))
        known = _facts(self.rules, first, self.seat)
        here = _facts(self.rules, self.state, self.seat) - known
        there = _facts(self.rules, state, seat) - known
        common, size = (here & there).total(), here.total() + there.total()
        return 2 * common >= _SIMILARITY * size

    def has_hand_of(self, state: Any, seat: int) -> bool:
        """Whether a seat holds the hand of this game's player, whatever else there is."""
        hand = _hand(self.rules, self.state, self.seat)
        return bool(hand) and hand == _hand(self.rules, state, seat)


async def running_games(service: TableService, device: str, name: str) -> list[RunningGame]:
    """Return the rated games of one kind that a device, or the account it is signed in to, plays."""
    if not device:
        return []
    account = await service.people.find_by_device(device)
    players = [device] if account is None else [device, account.id]
    found = {}
    for who in players:
        for row, seat in await service.storage.seats_of_device(rated_player(who), _MAX_GAMES):
            if row.game == name:
                found[row.table, seat] = (await service.fresh(row.table)).table
    return [
        RunningGame(game(name), len(table.places), table.match.state, seat)
        for (_, seat), table in found.items()
        if table.opened.rated and table.status == "playing" and table.match is not None
    ]


def check_position(games: Sequence[RunningGame], state: Any, seat: int) -> None:
    """Refuse to analyse a position that shows a running rated game, or its player's hand."""
    if any(each.has_hand_of(state, seat) or each.is_shown_by(state, seat) for each in games):
        _refuse()


def check_record(games: Sequence[RunningGame], record: AnyRecord) -> None:
    """Refuse to analyse a record in which a running rated game occurs.

    The hand alone doesn't count here: in a whole game, small hands come up by chance.
    """
    for state, _ in record.states() if games else ():
        for seat in seats_to_act(record.game.turn(state)):
            if any(each.is_shown_by(state, seat) for each in games):
                _refuse()


def _refuse() -> NoReturn:
    raise Refusal(
        Code.RATED_GAME_RUNNING,
        "This looks like a rated game that you're playing right now. You can analyse it once it's over.",
    )


def _facts(rules: AnyGame, state: Any, seat: int | None) -> Facts:
    """What a seat sees, without hidden cards."""
    found = _leaves("", msgspec.json.decode(encoder_for(rules.info.name)(rules.view(state, seat))))
    return Counter(fact for fact in found if fact[1] != _HIDDEN)


def _hand(rules: AnyGame, state: Any, seat: int) -> Facts:
    """What a seat sees where spectators see hidden cards."""
    encode = encoder_for(rules.info.name)
    own, public = (
        Counter(_leaves("", msgspec.json.decode(encode(rules.view(state, each)))))
        for each in (seat, None)
    )
    fields = {field for field, value in public - own if value == _HIDDEN}
    return Counter({fact: number for fact, number in (own - public).items() if fact[0] in fields})


def _leaves(field: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the values in JSON, each with the innermost field that it is in."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _leaves(name, each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(field, each)
    elif value is not None:
        yield field, str(value)
