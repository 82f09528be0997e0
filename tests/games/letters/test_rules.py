"""The rules of Letters, in order. Alice is red and the Hatter blue, unless stated otherwise."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import FACE_DOWN, Acting, Chance, Match, Over, Result, Seeded, UsageError, laws
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import CARDS, Colour, Letter, Menace
from wonderland.games.letters.rules.events import (
    CardChosen,
    CardTurned,
    GameEnded,
    LetterRemoved,
    LettersPlayed,
    LettersTurnedDown,
    StartChosen,
)
from wonderland.games.letters.rules.notation import read_card
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.rules import is_face_down
from wonderland.games.letters.rules.state import EMPTY, Choosing, FaceUp, StartWith, TurnCard, TurnedDown

AnyMatch: TypeAlias = Match[Any, Any, Any, Any, Any]
Play: TypeAlias = Callable[..., AnyMatch]

OPTION_SETS = st.builds(
    Options,
    duchess=st.booleans(),
    claim=st.sampled_from(["after", "first"]),
    memory=st.sampled_from(["closed", "open"]),
)
WORKED_EXAMPLE = ("1 redL", "2 redC", "3 redE", "4 blueA", "5 redA")


def card(text: str) -> Any:
    return read_card(text)


def letters(*texts: str) -> tuple[Any, ...]:
    return tuple(map(card, texts))


def content_of(match: AnyMatch, space: int) -> Any:
    """Return the content of a space, counted from 1 as players do."""
    return match.state.spaces[space - 1]


def result_of(match: AnyMatch) -> Result:
    turn = match.turn
    assert isinstance(turn, Over)
    return turn.result


def test_l1_there_are_twenty_letters_and_seven_names() -> None:
    assert len(CARDS) == len(set(CARDS)) == 27
    count = Counter(card.colour.word if isinstance(card, Letter) else "name" for card in CARDS)
    assert count == {"red": 5, "blue": 5, "yellow": 5, "green": 5, "name": 7}
    reds = [str(card) for card in CARDS if isinstance(card, Letter) and card.colour is Colour.RED]
    assert reds == ["redA", "redL", "redI", "redC", "redE"]
    names = "Duchess Hatter Hare Turtle Walrus Carpenter King"
    assert [str(card) for card in CARDS if isinstance(card, Menace)] == names.split()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_l2_l3_all_cards_start_face_down_for_any_number_of_players(seats: int) -> None:
    state = GAME.start(seats, Options())
    assert state.spaces == (FACE_DOWN,) * 27
    assert state.rails == (0,) * seats
    assert state.unseen == CARDS
    assert state.options.colours == (Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.GREEN)[:seats]


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_l3_neither_one_nor_five_can_play(seats: int) -> None:
    with pytest.raises(UsageError, match=rf"Letters is for 2 to 4 players, not {seats} \(rule L3\)\."):
        GAME.start(seats, Options())


def test_l3_colours_can_be_chosen(play: Play) -> None:
    match = play("5 redA", "6 greenA", "7 blueA", colours=(Colour.GREEN, Colour.RED))
    assert match.state.rails == (1, 1)
    assert match.state.removed == letters("blueA")


def test_l4_the_start_player_is_uniform() -> None:
    turn = GAME.turn(GAME.start(3, Options()))
    assert turn == Chance((StartWith(0), StartWith(1), StartWith(2)), "start")


def test_l4_play_passes_to_the_left(play: Play) -> None:
    match = play("1 yellowE", "2 yellowC", "3 yellowI", seats=3, first=1)
    assert match.events[0] == StartChosen(1)
    assert [event.seat for event in match.events if isinstance(event, CardTurned)] == [1, 2, 0]
    assert match.turn == Acting((1,))


def test_l5_a_turn_turns_one_face_down_card(play: Play) -> None:
    match = play("12 redE", "3 blueE")
    assert GAME.legal(match.state, 0) == tuple(
        TurnCard(space) for space in range(27) if space not in (11, 2)
    )
    assert GAME.legal(match.state, 1) == ()
    assert content_of(match, 12) == FaceUp(card("redE"))
    assert content_of(match, 13) is FACE_DOWN


def test_l5_any_card_never_turned_can_be_shown(play: Play) -> None:
    match = play("12 redE")
    match.play(1, TurnCard(12))
    never_turned = tuple(card for card in CARDS if str(card) != "redE")
    assert match.turn == Chance(never_turned, "space.13", 1)


def test_l5_a_card_given_to_one_space_is_not_turned_on_another() -> None:
    for seed in range(20):
        match = Match(
            GAME, 2, chance=Seeded(seed), given={"start": [StartWith(0)], "space.27": [card("redA")]}
        )
        for space in range(10):
            match.play(space % 2, TurnCard(space))
        assert card("redA") in match.state.unseen


def test_l5_letters_turned_down_may_be_turned_again(play: Play) -> None:
    match = play("12 redE", "3 blueE", "4 Hare", "5 blueL")
    assert content_of(match, 12) == TurnedDown(card("redE"))
    assert TurnCard(11) in match.legal(0)
    match.play(0, TurnCard(11))
    assert match.turn == Chance(letters("redE"), "space.12", 0)
    match.decide(card("redE"))
    assert content_of(match, 12) == FaceUp(card("redE"))


def test_l6_turning_the_a_plays_it_at_once(play: Play) -> None:
    match = play("12 redA")
    assert match.state.rails == (1, 0)
    assert content_of(match, 12) is EMPTY
    assert match.events[1:] == [
        CardChosen(0, 11),
        CardTurned(0, 11, card("redA")),
        LettersPlayed(0, letters("redA"), (11,)),
    ]


def test_l6_turning_the_a_plays_a_and_l_but_not_c_and_e(play: Play) -> None:
    match = play(*WORKED_EXAMPLE)
    assert match.events[-1] == LettersPlayed(0, letters("redA", "redL"), (4, 0))
    assert match.state.rails == (2, 1)
    assert [content_of(match, space) for space in (1, 5)] == [EMPTY, EMPTY]
    assert [content_of(match, space).card for space in (2, 3)] == list(letters("redC", "redE"))


def test_l6_the_i_then_plays_i_c_and_e(play: Play) -> None:
    match = play(*WORKED_EXAMPLE, "6 yellowA", "7 redI")
    assert match.state.rails == (5, 1)
    assert match.events[-2] == LettersPlayed(0, letters("redI", "redC", "redE"), (6, 1, 2))


def test_l7_an_own_letter_that_is_not_next_stays_exposed(play: Play) -> None:
    match = play("12 redL")
    assert content_of(match, 12) == FaceUp(card("redL"))
    assert match.state.rails == (0, 0)
    assert match.events[2:] == [CardTurned(0, 11, card("redL"))]


def test_l8_another_players_letter_waits_for_the_owners_turn(play: Play) -> None:
    match = play("12 blueA")
    assert content_of(match, 12) == FaceUp(card("blueA"))
    assert match.state.rails == (0, 0)


def test_l9_letters_exposed_by_others_are_played_after_turning_a_card(play: Play) -> None:
    match = play("12 blueA", "13 redE")
    assert match.state.rails == (0, 1)
    assert match.events[-1] == LettersPlayed(1, letters("blueA"), (11,))


def test_l9_letters_exposed_by_others_can_make_the_turned_letter_next(play: Play) -> None:
    match = play("12 blueA", "13 blueL")
    assert match.events[-1] == LettersPlayed(1, letters("blueA", "blueL"), (11, 12))


def test_l9_claim_after_leaves_a_letter_to_the_menace(play: Play) -> None:
    match = play("12 blueA", "13 Hatter")
    assert match.state.rails == (0, 0)
    assert content_of(match, 12) == TurnedDown(card("blueA"))


def test_l9_claim_first_saves_a_letter_from_the_menace(play: Play) -> None:
    match = play("12 blueA", "13 Hatter", claim="first")
    assert match.state.rails == (0, 1)
    assert content_of(match, 12) is EMPTY


def test_l9_claim_first_happens_before_the_card_is_chosen(play: Play) -> None:
    match = play("11 blueL", "1 yellowA", "12 blueA", claim="first")
    assert match.state.stage == Choosing(1)
    assert match.state.rails == (0, 2)
    assert match.events[-1] == LettersPlayed(1, letters("blueA", "blueL"), (11, 10))


def test_l9_claim_first_plays_after_the_turn_as_well(play: Play) -> None:
    match = play("11 redL", "12 blueL", "13 redA", claim="first")
    assert match.events[-1] == LettersPlayed(0, letters("redA", "redL"), (12, 10))


def test_l9_claim_first_leaves_letters_that_are_not_next_to_the_menace(play: Play) -> None:
    match = play("12 blueL", "13 Hatter", claim="first")
    assert content_of(match, 12) == TurnedDown(card("blueL"))


@pytest.mark.parametrize("name", list(Menace))
def test_l10_every_name_turns_down_the_exposed_letters_of_the_player_who_turns_it(
    play: Play, name: Menace
) -> None:
    match = play("1 redL", "2 blueC", "3 redE", "4 redC", f"5 {name}")
    assert [content_of(match, space) for space in (1, 3, 4)] == [
        TurnedDown(card) for card in letters("redL", "redE", "redC")
    ]
    assert content_of(match, 2) == FaceUp(card("blueC"))
    assert content_of(match, 5) == FaceUp(name)
    assert match.events[-1] == LettersTurnedDown(letters("redL", "redE", "redC"), (0, 2, 3))


@pytest.mark.parametrize(("seats", "turner"), [(n, seat) for n in (2, 3, 4) for seat in range(n)])
def test_l10_a_name_spares_the_letters_of_everyone_else(play: Play, seats: int, turner: int) -> None:
    colours = ("red", "blue", "yellow", "green")[:seats]
    exposed = [f"{space} {colour}C" for space, colour in enumerate(colours, start=1)]
    match = play(*exposed, "9 Carpenter", seats=seats, first=turner)
    assert match.events[-1] == LettersTurnedDown(letters(f"{colours[turner]}C"), (turner,))
    face_up = [isinstance(content_of(match, space), FaceUp) for space in range(1, seats + 1)]
    assert face_up == [seat != turner for seat in range(seats)]


@pytest.mark.parametrize("space", range(1, 28))
def test_l10_a_name_reaches_letters_on_every_space(play: Play, space: int) -> None:
    before, after = (space + 25) % 27 + 1, space % 27 + 1
    match = play(f"{space} redL", f"{before} blueL", f"{after} Walrus")
    assert content_of(match, space) == TurnedDown(card("redL"))
    assert content_of(match, before) == FaceUp(card("blueL"))
    assert match.events[-1] == LettersTurnedDown(letters("redL"), (space - 1,))


def test_l10_letters_on_the_rail_are_safe(play: Play) -> None:
    match = play("1 redA", "2 blueL", "3 redL", "4 blueI", "5 redC", "6 blueC", "7 King")
    assert match.state.rails == (2, 0)
    assert content_of(match, 5) == TurnedDown(card("redC"))


def test_l10_precedes_l9_letters_turned_down_are_not_played(play: Play) -> None:
    match = play("1 yellowA", "2 redA", "3 Walrus")
    assert match.state.rails == (0, 0)
    assert content_of(match, 2) == TurnedDown(card("redA"))


def test_l10_with_nothing_exposed_a_name_does_nothing(play: Play) -> None:
    match = play("1 Turtle")
    assert match.events[2:] == [CardTurned(0, 0, Menace.MOCK_TURTLE)]
    assert content_of(match, 1) == FaceUp(Menace.MOCK_TURTLE)


def test_l11_with_two_players_the_third_and_fourth_colour_are_removed(play: Play) -> None:
    match = play("12 greenE", "13 yellowA")
    assert match.state.removed == letters("yellowA", "greenE")
    assert (content_of(match, 12), content_of(match, 13)) == (EMPTY, EMPTY)
    assert match.events[-1] == LetterRemoved(card("yellowA"), 12)
    assert match.turn == Acting((0,))


def test_l11_with_three_players_only_the_fourth_colour_is_removed(play: Play) -> None:
    match = play("12 greenE", "13 yellowE", seats=3)
    assert match.state.removed == letters("greenE")
    assert content_of(match, 13) == FaceUp(card("yellowE"))


def test_l11_a_removed_letter_does_not_stop_the_turn(play: Play) -> None:
    match = play("12 blueA", "13 yellowA")
    assert match.state.rails == (0, 1)


def test_l12_completing_the_word_on_the_turned_card_wins_at_once(play: Play) -> None:
    match = play(*WORKED_EXAMPLE, "6 yellowA", "7 redI")
    result = result_of(match)
    assert (result.winners, result.scores) == ((0,), (5, 1))
    assert (result.decided, result.ending) == ("A-L-I-C-E complete", "turned")
    assert match.events[-1] == GameEnded(result)


def test_l12_completing_the_word_after_turning_another_card_wins(play: Play) -> None:
    match = play(*WORKED_EXAMPLE, "6 redI", "7 blueE")
    assert result_of(match).ending == "claimed after"
    assert result_of(match).scores == (5, 1)


def test_l12_completing_the_word_before_turning_a_card_wins(play: Play) -> None:
    match = play(*WORKED_EXAMPLE, "6 redI", claim="first")
    assert result_of(match).ending == "claimed first"
    assert result_of(match).winners == (0,)


def test_l13_the_player_who_turns_the_last_card_has_all_letters_and_wins(play: Play) -> None:
    names = "Duchess Hatter Hare Turtle Walrus Carpenter King"
    unused = " ".join(f"{colour}{letter}" for colour in ("yellow", "green") for letter in "ALICE")
    cards = f"{names} {unused} redL blueL redI blueI redC blueC redE blueE redA blueA".split()
    match = play(*(f"{space} {word}" for space, word in enumerate(cards, start=1)))
    assert not any(map(is_face_down, match.state.spaces))
    assert match.events[-3] == CardTurned(0, 26, card("blueA"))
    assert (result_of(match).winners, result_of(match).ending) == ((0,), "claimed after")


@given(seats=st.sampled_from([2, 3, 4]), options=OPTION_SETS, seed=st.integers(min_value=0))
def test_l13_there_is_always_a_card_to_turn(seats: int, options: Options, seed: int) -> None:
    match = laws.random_match(GAME, seats, options, random.Random(seed))
    for state, _ in match.record.states():
        if isinstance(state.stage, Choosing):
            assert GAME.legal(state, state.stage.seat)
    if not any(map(is_face_down, match.state.spaces)):
        last = next(event for event in reversed(match.events) if isinstance(event, CardTurned))
        assert result_of(match).winners == (last.seat,)


def test_l14_the_duchess_turns_down_all_colours(play: Play) -> None:
    match = play("1 redL", "2 blueC", "3 yellowE", "4 Duchess", seats=3, duchess=True)
    assert [content_of(match, space) for space in (1, 2, 3)] == [
        TurnedDown(card) for card in letters("redL", "blueC", "yellowE")
    ]
    assert match.events[-1] == LettersTurnedDown(letters("redL", "blueC", "yellowE"), (0, 1, 2))
    assert content_of(match, 4) == FaceUp(Menace.DUCHESS)


@pytest.mark.parametrize(("duchess", "left_alone"), [(True, False), (False, True)])
def test_l14_the_duchess_turned_by_a_player_with_nothing_exposed(
    play: Play,
    duchess: bool,
    left_alone: bool,
) -> None:
    match = play("1 blueL", "2 blueC", "3 Duchess", duchess=duchess)
    assert [isinstance(content_of(match, space), FaceUp) for space in (1, 2)] == [left_alone, left_alone]


@pytest.mark.parametrize("name", [name for name in Menace if name is not Menace.DUCHESS])
def test_l14_the_other_six_names_work_as_usual(play: Play, name: Menace) -> None:
    match = play("1 redL", "2 blueC", f"3 {name}", duchess=True)
    assert content_of(match, 1) == TurnedDown(card("redL"))
    assert content_of(match, 2) == FaceUp(card("blueC"))


def test_l14_letters_on_the_rails_are_safe_from_the_duchess(play: Play) -> None:
    match = play("1 redA", "2 blueA", "3 Duchess", duchess=True)
    assert match.state.rails == (1, 1)
