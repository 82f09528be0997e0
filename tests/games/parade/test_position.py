"""Positions of Parade that random play hardly ever reaches."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec import structs

from wonderland.engine import CHANCE, Acting, IllegalAction, Match, NotationError, Seeded
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK, Card
from wonderland.games.parade.rules.notation import read_card
from wonderland.games.parade.rules.state import Drawing, Ending, KeepCards, Keeping, PlayCard, StartWith


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read_card, text.split()))


def test_p9_positions_of_a_last_round_triggered_by_the_first_turn_round_trip() -> None:
    given = {
        "start": [StartWith(1)],
        "card": cards("B1 B2 B3 B4 B5 R0 R1 R2 R3 R4"),
        "card.parade": cards("R5 B0 P0 G0 Y0 O0"),
    }
    match = Match(GAME, 3, chance=Seeded(0), given=given)
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


SIX_COLOURS = "R0.B0.P0.G0.Y0.O0"


def refusal(line: str) -> str:
    with pytest.raises(NotationError) as refused:
        GAME.read_position(line)
    return str(refused.value)


def test_p9_at_most_one_turn_per_player_is_left() -> None:
    line = (
        "parade stage=play turn=1 hands=R1.R2.R3.R4.R5/B1.B2.B3.B4.B5 parade=G1.G2.G3.G4.G5 "
        f"zones=-/{SIX_COLOURS} ending=sixth-colour left=3 kept=-"
    )
    for left in ("0", "3"):
        complaint = f"left={left} isn't possible: left must be a number from 1 to 2"
        assert complaint in refusal(line.replace("left=3", f"left={left}"))
    GAME.read_position(line.replace("left=3", "left=2"))


def test_p8_of_several_players_with_six_colours_the_next_is_the_trigger() -> None:
    line = (
        "parade stage=draw turn=1 hands=R1.R2.R3.R4/B1.B2.B3.B4.B5/Y1.Y2.Y3.Y4.Y5 parade=G1.G2.G3 "
        f"zones={SIX_COLOURS}/R6.B6.P6.G6.Y6.O6/R7.B7.P7.G7.Y7.O7 ending=sixth-colour left=- kept=-"
    )
    assert "player 2 has all six colours and would have started the last round" in refusal(line)


def test_p7_a_draw_from_an_empty_pile_is_rejected() -> None:
    elsewhere = cards("R1 R2 R3 R4 B1 B2 B3 B4 B5 G1")
    taken = ".".join(str(card) for card in DECK if card not in elsewhere)
    line = (
        "parade stage=draw turn=1 hands=R1.R2.R3.R4/B1.B2.B3.B4.B5 parade=G1 "
        f"zones={taken}/- ending=sixth-colour left=- kept=-"
    )
    assert "nobody draws in the last round (rule P9)" in refusal(line)


def test_p11_two_cards_of_a_partly_face_down_hand_are_listed_in_order() -> None:
    line = (
        "parade stage=keep turn=- hands=P1.?.?.?/R1.R2.R3.R4 parade=G1.G2.G3 "
        f"zones={SIX_COLOURS}/- ending=sixth-colour left=- kept=-/-"
    )
    choices = GAME.legal(GAME.read_position(line), 0)
    assert KeepCards(*cards("B1 P1")) in choices
    assert KeepCards(*cards("P1 O1")) in choices
    assert all(isinstance(it, KeepCards) and it.first < it.second for it in choices)


def test_p11_a_sampled_state_has_hands_and_choices_in_order() -> None:
    line = (
        "parade stage=keep turn=- hands=P1.P3.P5.P7/R1.R2.R3.R4/O1.O3.O5.O7 parade=G1.G2.G3.G4 "
        f"zones={SIX_COLOURS}/-/- ending=sixth-colour left=- kept=P1&P5/-/O1&O7"
    )
    seen = GAME.view(GAME.read_position(line), 1)
    sampled = [GAME.sample_state(seen, random.Random(seed)) for seed in range(10)]
    assert len({state.hands[0] for state in sampled}) > 5
    for state in sampled:
        assert all(list(hand) == sorted(hand) for hand in state.hands)
        assert state.hands[1] == cards("R1 R2 R3 R4")
        assert isinstance(state.stage, Keeping)
        first, none, third = state.stage.kept
        assert none is None
        for choice, hand in ((first, state.hands[0]), (third, state.hands[2])):
            assert isinstance(choice, KeepCards)
            assert choice.first < choice.second
            assert {choice.first, choice.second} <= set(hand)


def test_p1_pieces_are_the_66_cards_and_reveal_a_missing_one() -> None:
    state = Match(GAME, 2, chance=Seeded(0)).state
    assert GAME.pieces(state) == Counter(map(str, DECK))
    short = structs.replace(state, pile=state.pile - 1)
    assert GAME.pieces(short) != GAME.pieces(state)


def test_p1_pieces_count_face_down_cards_as_unseen() -> None:
    line = (
        "parade stage=play turn=1 hands=R1.R2.R3.?.?/?.?.?.?.? parade=G1.G2.G3.G4.G5.G6 "
        "zones=-/- ending=- left=- kept=-"
    )
    assert GAME.pieces(GAME.read_position(line)) == Counter(map(str, DECK))


def test_p1_the_lower_of_two_cards_kept_twice_is_reported() -> None:
    line = (
        "parade stage=keep turn=- hands=?.?.?.?/?.?.?.?/R1.R2.R3.R4 parade=G1.G2.G3.G4 "
        f"zones={SIX_COLOURS}/-/- ending=sixth-colour left=- kept=O5&O6/O5&O6/-"
    )
    assert "two seats keep O5, but there's only one (rule P1)" in refusal(line)


def test_p1_a_card_is_read_by_its_name() -> None:
    assert [Card.read(str(card)) for card in DECK] == list(DECK)
    with pytest.raises(ValueError, match="not in tuple"):
        Card.read("R11")


def test_p2_the_start_player_is_not_drawn_twice() -> None:
    state = Match(GAME, 2, chance=Seeded(0)).state
    with pytest.raises(IllegalAction, match="something else must happen first"):
        GAME.apply(state, CHANCE, StartWith(0))
