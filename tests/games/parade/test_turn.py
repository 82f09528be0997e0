"""Parade: the deal and the turn, P1 to P7."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import CHANCE, FACE_DOWN, Acting, Chance, IllegalAction, Match, Seeded, UsageError
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK, Card, Colour
from wonderland.games.parade.rules.events import CardDrawn, CardPlayed, CardsTaken
from wonderland.games.parade.rules.notation import read_card
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.state import KeepCards, Options, PlayCard, StartWith


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read_card, text.split()))


def deal_match(seats: int, deck: str = "", parade: str = "", first: int = 0) -> Match:
    """Start a match with these cards dealt first: to the hands in turn, then from the pile."""
    given = {"start": [StartWith(first)], "card": cards(deck), "card.parade": cards(parade)}
    return Match(GAME, seats, chance=Seeded(0), given=given)


def test_p1_there_are_66_cards_six_colours_with_0_to_10_once_each() -> None:
    assert len(set(DECK)) == 66
    assert Counter(card.colour for card in DECK) == dict.fromkeys(Colour, 11)
    assert {card.value for card in DECK if card.colour is Colour.GREY} == set(range(11))


@pytest.mark.parametrize("seats", [1, 7, 0, -2])
def test_p2_two_to_six_can_play(seats: int) -> None:
    with pytest.raises(UsageError, match=r"Parade is for 2 to 6 players, not .* \(rule P2\)"):
        GAME.start(seats, Options())


@pytest.mark.parametrize("seats", GAME.info.seats)
def test_p2_the_start_player_is_random_and_turns_go_clockwise(seats: int) -> None:
    state = GAME.start(seats, Options())
    turn = GAME.turn(state)
    assert isinstance(turn, Chance)
    assert turn.outcomes == tuple(StartWith(seat) for seat in range(seats))
    assert turn.total == seats
    last = seats - 1
    match = deal_match(seats, first=last)
    order = []
    for _ in range(seats + 1):
        assert isinstance(match.turn, Acting)
        (seat,) = match.turn.seats
        order.append(seat)
        match.play(seat, match.legal(seat)[-1])
    assert order == [last, *range(seats)]


@pytest.mark.parametrize("seats", GAME.info.seats)
def test_p3_five_cards_each_six_in_the_parade_and_the_rest_in_the_pile(seats: int) -> None:
    match = deal_match(seats)
    assert [len(hand) for hand in match.state.hands] == [5] * seats
    assert len(match.state.parade) == 6
    assert match.state.pile == len(match.state.unseen) == 66 - 6 - 5 * seats
    assert match.view(None).pile == match.state.pile


def test_p3_the_parade_is_dealt_from_front_to_end() -> None:
    assert deal_match(2, parade="R1 B2 G3 Y4 O5 P6").state.parade == cards("R1 B2 G3 Y4 O5 P6")


def test_p4_the_card_goes_to_the_end_and_is_not_counted() -> None:
    match = deal_match(2, "R6 R7 R8 R9 R10", "G7 G8 G9 G10 Y9 Y10")
    match.play(0, PlayCard(read_card("R6")))
    assert match.state.parade == cards("G7 G8 G9 G10 Y9 Y10 R6")
    assert match.state.zones[0] == ()


def test_p4_only_a_card_in_hand_can_be_played() -> None:
    match = deal_match(2, "R6 R7 R8 R9 R10", "G7 G8 G9 G10 Y9 Y10")
    before = match.state
    assert match.legal(0) == tuple(map(PlayCard, cards("R6 R7 R8 R9 R10")))
    assert match.legal(1) == ()
    with pytest.raises(
        IllegalAction, match=r"G7 isn't allowed here: player 1 doesn't have this card \(rule P4\)"
    ):
        match.play(0, PlayCard(read_card("G7")))
    with pytest.raises(
        IllegalAction, match=r"R6 isn't allowed here: it's player 1's turn to play a card \(rule P4\)"
    ):
        match.play(1, PlayCard(read_card("R6")))
    with pytest.raises(IllegalAction, match="it's player 1's turn to play a card"):
        match.play(0, KeepCards(*cards("R6 R7")))
    assert match.state is before


def test_p5_p6_the_rulebook_example() -> None:
    parade = cards("P5 G0 G7 R3 P7 R1 G4")
    leaving, staying = split_parade(parade, read_card("G3"))
    assert leaving == list(cards("G0 G7 R3"))
    assert staying == cards("P5 P7 R1 G4")


def test_p5_p6_the_rulebook_example_as_a_turn() -> None:
    state = GAME.read_position(
        "parade stage=play turn=1 hands=G3.Y8.Y9.Y10.O10/B1.B2.B3.B4.B5 parade=P5.G0.G7.R3.P7.R1.G4 "
        "zones=-/- ending=- left=- kept=-"
    )
    step = GAME.apply(state, 0, PlayCard(read_card("G3")))
    assert step.state.parade == cards("P5 P7 R1 G4 G3")
    assert step.state.zones[0] == cards("R3 G0 G7")
    assert step.events == (
        CardPlayed(0, read_card("G3")),
        CardsTaken(0, cards("G0 G7 R3")),
    )


def test_p5_a_0_puts_every_card_in_removal_mode() -> None:
    leaving, staying = split_parade(cards("R0 G5 B0 G7 G1 O9"), read_card("G0"))
    assert leaving == list(cards("R0 G5 B0 G7 G1"))
    assert staying == cards("O9")


def test_p5_a_value_equal_to_the_parade_takes_nothing() -> None:
    parade = cards("G0 G1 G2 G3")
    assert split_parade(parade, read_card("G4")) == ([], parade)
    assert split_parade(parade, read_card("G10")) == ([], parade)
    assert split_parade((), read_card("G0")) == ([], ())


@given(st.lists(st.sampled_from(DECK), unique=True, max_size=20), st.sampled_from(DECK))
def test_p5_p6_checked_against_a_naive_count(parade: list[Card], card: Card) -> None:
    """The same rule, implemented the way the rulebook words it: numbers from the end."""
    taken = []
    for number, other in enumerate(reversed(parade), start=1):
        in_removal_mode = number > card.value
        if in_removal_mode and (other.colour == card.colour or other.value <= card.value):
            taken.append(other)
    leaving, staying = split_parade(tuple(parade), card)
    assert leaving == taken[::-1]
    assert staying == tuple(other for other in parade if other not in taken)


def test_p6_an_equal_value_leaves_and_a_higher_one_stays() -> None:
    leaving, staying = split_parade(cards("B4 B5 R9 R9 R9 R9"), read_card("G4"))
    assert leaving == list(cards("B4"))
    assert staying[0] == read_card("B5")


def test_p6_cards_taken_are_sorted_in_front_and_public() -> None:
    match = deal_match(2, "R0 Y8 Y9 Y10 O10", "O0 G7 R3 B9 R1 P0")
    match.play(0, PlayCard(read_card("R0")))
    assert match.state.zones[0] == cards("R1 R3 P0 O0")
    assert match.view(1).zones[0] == match.view(None).zones[0] == match.state.zones[0]
    assert match.state.parade == cards("G7 B9 R0")


def test_p7_the_player_draws_back_to_five() -> None:
    deck = "R6 R7 R8 R9 R10 B6 B7 B8 B9 B10 O0"
    match = deal_match(2, deck, "G7 G8 G9 G10 Y9 Y10")
    events = match.play(0, PlayCard(read_card("R6")))
    assert match.state.hands[0] == cards("R7 R8 R9 R10 O0")
    assert match.state.pile == 49
    assert events[-1] == CardDrawn(0, read_card("O0"))
    assert GAME.witness(events[-1], 0) == events[-1]
    assert GAME.witness(events[-1], 1) == GAME.witness(events[-1], None) == CardDrawn(0, FACE_DOWN)


def test_p3_chance_deals_no_card_that_is_elsewhere_and_nothing_out_of_turn() -> None:
    match = Match(GAME, 2)
    with pytest.raises(
        IllegalAction, match=r"\+R0 isn't allowed here: something else must happen first \(rule P3\)"
    ):
        match.decide(read_card("R0"))
    with pytest.raises(
        IllegalAction, match=r"seat6 isn't allowed here: nobody is in that seat \(rule P2\)"
    ):
        match.decide(StartWith(5))
    match.decide(StartWith(1))
    match.decide(read_card("R0"))
    with pytest.raises(
        IllegalAction, match=r"\+R0 isn't allowed here: this card is somewhere else \(rule P1\)"
    ):
        match.decide(read_card("R0"))
    with pytest.raises(
        IllegalAction,
        match=r"R1 isn't allowed here: the cards are still being dealt or drawn \(rule P3\)",
    ):
        match.play(0, PlayCard(read_card("R1")))
    for card in DECK[1:10]:
        match.decide(card)
    with pytest.raises(IllegalAction, match="something else must happen first"):
        match.decide(FACE_DOWN)  # the first six cards of the parade are public
    assert GAME.apply(match.state, CHANCE, DECK[20]).state.parade == (DECK[20],)
    with pytest.raises(IllegalAction, match="this card is somewhere else"):
        match.decide(Card.of(Colour.RED, 3))
