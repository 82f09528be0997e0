"""Parade: the last round and scoring, P8 to P15."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import CHANCE, FACE_DOWN, Acting, GameOver, IllegalAction, Match, Over, Seeded
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK, Card
from wonderland.games.parade.rules.events import CardsKept, ChoicesShown, LastRoundBegan
from wonderland.games.parade.rules.notation import read_card
from wonderland.games.parade.rules.scoring import result_of, score_sheets, totals
from wonderland.games.parade.rules.state import (
    Drawing,
    Ended,
    Ending,
    KeepCards,
    Keeping,
    PlayCard,
    Playing,
    State,
)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read_card, text.split()))


def play_words(state: State, *words: str) -> State:
    """Apply words of notation for the player to move."""
    for word in words:
        action = GAME.read(word)
        turn = GAME.turn(state)
        actor = turn.seats[0] if isinstance(turn, Acting) else CHANCE
        state = GAME.apply(state, actor, action).state
    return state


FIVE_COLOURS = "R1.B1.P1.G1.Y1"


def position(**facts: str) -> State:
    usual = {"ending": "-", "left": "-", "kept": "-"}
    return GAME.read_position(
        " ".join(["parade", *(f"{key}={value}" for key, value in (usual | facts).items())])
    )


def about_to_take_the_sixth_colour() -> State:
    """Seat 1 has five colours and holds a card that takes the orange one; the pile has one card left."""
    parade = "G10.O0.G0.G2.G3.G4.G5.G6.G7.G8.G9"
    hands = "O2.R7.R8.R9.R10/B6.B7.B8.B9.B10"
    lying = {*cards(f"{FIVE_COLOURS}.{parade}.{hands}".replace(".", " ").replace("/", " "))}
    *elsewhere, _ = [card for card in DECK if card not in lying]
    zones = f"{FIVE_COLOURS}/{'.'.join(map(str, elsewhere))}"
    return position(stage="play", turn="1", hands=hands, parade=parade, zones=zones)


def test_p8_the_sixth_colour_triggers_the_last_round_after_the_draw() -> None:
    state = position(
        stage="play",
        turn="1",
        hands="O2.R7.R8.R9.R10/B6.B7.B8.B9.B10",
        parade="O0.G8.G9",
        zones=f"{FIVE_COLOURS}/-",
    )
    state = play_words(state, "O2")
    assert state.stage == Drawing(0, Ending.SIXTH_COLOUR)
    step = GAME.apply(state, CHANCE, read_card("Y10"))
    assert step.state.stage == Playing(1, turns_left=2, ending=Ending.SIXTH_COLOUR)
    assert step.events[-1] == LastRoundBegan(0, Ending.SIXTH_COLOUR)
    assert len(step.state.hands[0]) == 5


def test_p8_the_last_card_of_the_pile_triggers_the_last_round() -> None:
    state = about_to_take_the_sixth_colour()
    assert state.pile == 1
    (last,) = state.unseen
    state = play_words(state, "R10", f"+{last}")
    assert state.pile == 0
    assert state.stage == Playing(1, turns_left=2, ending=Ending.EMPTY_PILE)


def test_p10_a_sixth_colour_on_the_turn_that_empties_the_pile_makes_one_last_round() -> None:
    state = about_to_take_the_sixth_colour()
    (last,) = state.unseen
    state = play_words(state, "O2", f"+{last}")
    assert state.stage == Playing(1, turns_left=2, ending=Ending.BOTH)
    state = play_words(state, "B6")
    assert state.stage == Playing(0, turns_left=1, ending=Ending.BOTH)
    state = play_words(state, str(state.hands[0][0]))
    assert isinstance(state.stage, Keeping)


@pytest.mark.parametrize("seats", GAME.info.seats)
@pytest.mark.parametrize("seed", range(6))
def test_p9_everyone_has_one_more_turn_without_drawing_and_the_trigger_player_is_last(
    seats: int, seed: int
) -> None:
    rng = random.Random(seed)
    match = Match(GAME, seats, chance=Seeded(seed))
    trigger = None
    order = []
    while not isinstance(match.state.stage, Keeping):
        assert isinstance(match.turn, Acting)
        (seat,) = match.turn.seats
        if trigger is not None:
            order.append(seat)
        pile = match.state.pile
        events = match.play(seat, rng.choice(match.legal(seat)))
        if trigger is not None:
            assert match.state.pile == pile
        for event in events:
            if isinstance(event, LastRoundBegan):
                assert trigger is None
                assert event.seat == seat
                trigger = seat
    assert trigger is not None
    assert order == [(trigger + 1 + n) % seats for n in range(seats)]
    assert [len(hand) for hand in match.state.hands] == [4] * seats


def test_p10_another_sixth_colour_in_the_last_round_changes_nothing() -> None:
    state = position(
        stage="play",
        turn="1",
        hands="O2.R7.R8.R9.R10/B6.B7.B8.B9.B10",
        parade="O0.G8.G9",
        zones=f"{FIVE_COLOURS}/R0.B0.P0.G0.Y0.O1",
        ending="sixth-colour",
        left="2",
    )
    state = play_words(state, "O2")
    assert state.stage == Playing(1, turns_left=1, ending=Ending.SIXTH_COLOUR)


def state_of_choosing(*kept: str) -> State:
    """Two players choose two of four cards to keep; the rest of the deck is elsewhere."""
    hands, zones = (cards("R1 R2 R3 R4"), cards("B1 B2 B3 B4")), (cards("Y10"), cards("O10"))
    pairs = tuple(KeepCards(*cards(pair)) if pair else None for pair in kept or ("", ""))
    return State(Keeping(Ending.EMPTY_PILE, pairs), hands, cards("G5"), zones, unseen=(), pile=0)


def test_p11_all_choose_simultaneously_in_secret_and_reveal_together() -> None:
    state = state_of_choosing()
    assert GAME.turn(state) == Acting((0, 1))
    assert len(GAME.legal(state, 0)) == len(GAME.legal(state, 1)) == 6
    step = GAME.apply(state, 1, KeepCards(*cards("B1 B2")))
    assert GAME.turn(step.state) == Acting((0,))
    assert GAME.legal(step.state, 1) == ()
    assert step.events == (CardsKept(1, KeepCards(*cards("B1 B2"))),)
    assert GAME.witness(step.events[0], 0) == CardsKept(1, FACE_DOWN)
    assert GAME.witness(step.events[0], 1) == step.events[0]
    seen = GAME.view(step.state, 0)
    assert isinstance(seen.stage, Keeping)
    assert seen.stage.kept == (None, FACE_DOWN)
    assert seen.hands[1] == (FACE_DOWN,) * 4
    own = GAME.view(step.state, 1)
    assert isinstance(own.stage, Keeping)
    assert own.stage.kept == (None, KeepCards(*cards("B1 B2")))
    last = GAME.apply(step.state, 0, KeepCards(*cards("R3 R4")))
    assert last.events[1] == ChoicesShown((KeepCards(*cards("R3 R4")), KeepCards(*cards("B1 B2"))))
    assert last.state.zones == (cards("R3 R4 Y10"), cards("B1 B2 O10"))


def test_p11_two_cards_are_discarded_and_the_parade_counts_for_nobody() -> None:
    state = play_words(state_of_choosing(), "R1&R2", "B1&B2")
    assert state.hands == (cards("R3 R4"), cards("B3 B4"))
    assert GAME.view(state, None).hands == state.hands
    assert state.parade == cards("G5")
    turn = GAME.turn(state)
    assert isinstance(turn, Over)
    assert turn.result.scores == (12, 12)


def test_p11_only_two_of_the_own_four_cards_can_be_kept_and_only_once() -> None:
    state = state_of_choosing("R1 R2", "")
    with pytest.raises(
        IllegalAction,
        match=r"R3&R4 isn't allowed here: player 1 has already chosen two cards \(rule P11\)",
    ):
        GAME.apply(state, 0, KeepCards(*cards("R3 R4")))
    with pytest.raises(IllegalAction, match=r"player 2 doesn't have these two cards \(rule P11\)"):
        GAME.apply(state, 1, KeepCards(*cards("R3 R4")))
    with pytest.raises(IllegalAction, match="everyone is choosing two cards to keep"):
        GAME.apply(state, 1, PlayCard(read_card("B1")))
    with pytest.raises(IllegalAction, match="everyone is choosing two cards to keep"):
        GAME.apply(state, 5, KeepCards(*cards("R3 R4")))
    assert GAME.legal(state, 5) == ()
    over = play_words(state, "B1&B2")
    with pytest.raises(GameOver, match="B1 comes too late: the game is over"):
        GAME.apply(over, 1, PlayCard(read_card("B1")))
    with pytest.raises(GameOver):
        GAME.apply(over, CHANCE, read_card("B1"))
    assert GAME.legal(over, 0) == ()


WORKED_EXAMPLE = (
    cards("R10 R8 R3 B9 B7 B6 B5 B0 P0 G4 G2 Y7 Y4 Y0"),
    cards("R1 R0 B8 P8 P7 P5 P3 Y9 Y8 Y1 O10 O1"),
    cards("R7 R6 R5 R2 B4 B3 P2 P1 G9 G8 G7 G6 Y10 O3 O2 O0"),
)


def test_p12_p14_the_rulebook_example_colour_by_colour() -> None:
    sheets = score_sheets(WORKED_EXAMPLE)
    points = [[score.points for score in sheet.colours] for sheet in sheets]
    assert points == [[21, 5, 0, 6, 3, 0], [1, 8, 4, 0, 3, 11], [4, 7, 3, 4, 10, 3]]
    assert [sheet.total for sheet in sheets] == [35, 27, 31]
    assert totals(WORKED_EXAMPLE) == (35, 27, 31)
    result = result_of(WORKED_EXAMPLE, Ending.SIXTH_COLOUR)
    assert result.winners == (1,)
    assert result.decided == "lowest score"
    assert result.text(["Alice", "Hatter", "Cheshire"]) == "Hatter wins (35 27 31)"


def points(*zones: str) -> list[int]:
    """Return the totals that decide the result; the score sheets must add up to the same."""
    lying = [cards(zone) for zone in zones]
    counted = totals(lying)
    assert counted == tuple(sheet.total for sheet in score_sheets(lying))
    return list(counted)


def test_p12_tied_majorities_count_for_all_tied_players() -> None:
    assert points("R10 R9", "R8 R7", "R6") == [2, 2, 6]


def test_p12_a_majority_can_cost_points_a_lone_0_counts_1() -> None:
    assert points("R0", "B5 B6", "B7") == [1, 2, 7]


def test_p12_nobody_has_the_majority_of_a_colour_nobody_holds() -> None:
    sheets = score_sheets([cards("R1"), (), ()])
    assert not any(score.majority for score in sheets[1].colours)
    assert not any(score.majority for score in sheets[0].colours[1:])


def test_p13_with_two_players_a_majority_needs_two_more_cards() -> None:
    assert points("R10 R9", "R8") == [19, 8]
    assert points("R10 R9 R7", "R8") == [3, 8]
    assert points("R10 R9", "") == [2, 0]
    assert points("R10", "") == [10, 0]
    assert points("R8", "R10 R9 R7") == [8, 3]  # it does not depend on the seat


def test_p12_a_majority_worth_more_than_the_printed_points_decides_the_result() -> None:
    assert points("R0", "B1", "G10 O10") == [1, 1, 2]
    assert result("R0", "B1", "G10 O10") == ((0, 1), "same score, same number of cards")


def test_p13_with_two_players_a_majority_can_cost_more_than_the_printed_points() -> None:
    assert points("R0 R1", "B2") == [2, 2]
    assert result("R0 R1", "B2") == ((1,), "fewest cards")


def test_p14_other_cards_count_their_printed_value() -> None:
    assert points("R10 R9", "R1 R2 R3", "B4") == [19, 3, 1]


def result(*zones: str) -> tuple[tuple[int, ...], str]:
    found = result_of([cards(zone) for zone in zones], Ending.EMPTY_PILE)
    return found.winners, found.decided


def test_p15_the_lowest_total_wins() -> None:
    assert result("R5", "B4", "G10 O10") == ((0, 1), "same score, same number of cards")
    assert result("R10", "B1") == ((1,), "lowest score")


def test_p15_a_tie_goes_to_the_player_with_fewest_cards_in_front() -> None:
    assert points("R10 R9", "B2") == [2, 2]
    assert result("R10 R9", "B2") == ((1,), "fewest cards")


def test_p15_a_full_tie_is_a_shared_win() -> None:
    assert result("R3", "B3") == ((0, 1), "same score, same number of cards")
    zones = ["R3", "B3", "P3", "G3", "Y3", "O3"]
    assert result(*zones) == ((0, 1, 2, 3, 4, 5), "same score, same number of cards")
    found = result_of([cards(zone) for zone in zones], Ending.BOTH)
    assert found.text("ABCDEF") == "A, B, C, D, E and F share the win (1 1 1 1 1 1)"


@given(st.permutations(DECK), st.integers(2, 6), st.data())
def test_p12_p13_checked_against_a_naive_count(
    deck: list[Card], seats: int, data: st.DataObject
) -> None:
    """The same rules, implemented the way the rulebook words them."""
    sizes = data.draw(st.lists(st.integers(0, 11), min_size=seats, max_size=seats))
    zones = [tuple(deck[11 * seat :][:size]) for seat, size in enumerate(sizes)]
    counted = totals(zones)
    for seat, sheet in enumerate(score_sheets(zones)):
        expected = 0
        for card in zones[seat]:
            counts = [sum(other.colour == card.colour for other in zone) for zone in zones]
            mine, others = counts[seat], counts[:seat] + counts[seat + 1 :]
            majority = mine - others[0] >= 2 if seats == 2 else all(mine >= it for it in others)
            expected += 1 if majority else card.value
        assert sheet.total == counted[seat] == expected


def test_p15_the_end_announces_the_result() -> None:
    state = play_words(state_of_choosing(), "R1&R2", "B1&B2")
    assert isinstance(state.stage, Ended)
    assert state.stage.result.ending == "empty pile"
    assert state.stage.result.winners == (0, 1)


def test_p11_in_a_handwritten_play_no_card_can_be_kept_twice() -> None:
    hidden = (FACE_DOWN,) * 4
    lying = cards("R1 R2 R3 R4 G5")
    unseen = tuple(card for card in DECK if card not in lying)
    state = State(
        Keeping(Ending.EMPTY_PILE, (None,) * 3),
        (hidden, hidden, lying[:4]),
        lying[4:],
        ((),) * 3,
        unseen,
        pile=0,
    )
    first = KeepCards(*cards("B1 B2"))
    state = GAME.apply(state, 0, first).state
    assert first not in GAME.legal(state, 1)
    assert KeepCards(*cards("B2 B3")) not in GAME.legal(state, 1)
    with pytest.raises(IllegalAction, match="player 2 doesn't have these two cards"):
        GAME.apply(state, 1, KeepCards(*cards("B2 B3")))
    for choice in GAME.legal(state, 1)[::50]:
        GAME.apply(GAME.apply(state, 1, choice).state, 2, KeepCards(*cards("R1 R2")))
