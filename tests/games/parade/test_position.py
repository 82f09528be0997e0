"""Positions of Parade that random play hardly ever reaches."""

from __future__ import annotations

from wonderland.core import Acting, Match, Seeded
from wonderland.games.parade import GAME
from wonderland.games.parade.components import Card
from wonderland.games.parade.notation import read_card
from wonderland.games.parade.state import Drawing, Ending, Keeping, PlayCard, StartWith


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read_card, text.split()))


def test_p9_positions_of_a_last_round_that_the_very_first_turn_sets_off_read_back() -> None:
    given = {
        "start": [StartWith(1)],
        "card": cards("B1 B2 B3 B4 B5 R0 R1 R2 R3 R4"),
        "card.parade": cards("R5 B0 P0 G0 Y0 O0"),
    }
    match = Match(GAME, 3, luck=Seeded(0), given=given)
    match.play(1, PlayCard(read_card("R0")))
    assert match.state.zones[1] == cards("R5 B0 P0 G0 Y0 O0")
    while not isinstance(match.state.stage, Keeping):
        assert isinstance(match.turn, Acting)
        (seat,) = match.turn.seats
        match.play(seat, match.legal(seat)[0])
    states = [state for state, _ in match.record.states()]
    assert Drawing(1, Ending.SIXTH_COLOUR) in [state.stage for state in states]
    for state in states:
        assert GAME.read_position(GAME.write_position(state)) == state
