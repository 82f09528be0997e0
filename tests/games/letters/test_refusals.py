"""What Letters rejects: actions with the rule that forbids them, and invalid options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from wonderland.engine import CHANCE, GameOver, IllegalAction, Match, UsageError
from wonderland.engine.options import default_text, read_options, write_options
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import Colour
from wonderland.games.letters.rules.notation import read, read_card
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import StartWith, TurnCard

Play: TypeAlias = Callable[..., Match[Any, Any, Any, Any, Any]]

WHOLE_GAME = (
    "1 redA",
    "2 blueL",
    "3 redL",
    "4 blueI",
    "5 redI",
    "6 blueC",
    "7 redC",
    "8 blueE",
    "9 redE",
)


def refusal_of(match: Match[Any, Any, Any, Any, Any], actor: Any, word: str) -> str:
    """Return the message with which an action is refused; it must change nothing."""
    before = repr(match.state)
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(match.state, actor, read(word))
    assert repr(match.state) == before
    return str(caught.value)


def test_l5_a_face_up_card_cannot_be_turned(play: Play) -> None:
    match = play("12 redE", "3 blueE")
    expected = "12 isn't allowed here: there is no face-down card on space 12 (rule L5)."
    assert refusal_of(match, 0, "12") == expected


def test_l5_an_empty_space_has_nothing_to_turn(play: Play) -> None:
    match = play("12 redA", "3 blueE")
    expected = "12 isn't allowed here: there is no face-down card on space 12 (rule L5)."
    assert refusal_of(match, 0, "12") == expected


@pytest.mark.parametrize("space", [-1, 27])
def test_l5_no_other_spaces_exist(play: Play, space: int) -> None:
    match = play()
    with pytest.raises(IllegalAction, match="there is no face-down card"):
        GAME.apply(match.state, 0, TurnCard(space))


def test_l5_a_turn_is_turning_a_card(play: Play) -> None:
    expected = "redA isn't allowed here: player 1 must choose a card to turn (rule L5)."
    assert refusal_of(play(), 0, "redA") == expected


def test_l5_one_card_is_turned_at_a_time(play: Play) -> None:
    match = play()
    match.play(0, TurnCard(11))
    assert (
        refusal_of(match, 0, "13")
        == "13 isn't allowed here: the card on space 12 is being turned (rule L5)."
    )
    assert GAME.legal(match.state, 0) == ()


def test_l4_only_the_seat_whose_turn_it_is_plays(play: Play) -> None:
    match = play()
    assert refusal_of(match, 1, "12") == "12 isn't allowed here: it's player 1's turn (rule L4)."
    match.play(0, TurnCard(11))
    assert refusal_of(match, 1, "13") == "13 isn't allowed here: it's player 1's turn (rule L4)."


def test_l4_nobody_plays_before_the_start_player_is_decided() -> None:
    match = Match(GAME, 2)
    assert (
        refusal_of(match, 0, "12")
        == "12 isn't allowed here: it isn't decided yet who goes first (rule L4)."
    )
    assert (
        refusal_of(match, CHANCE, "seat3")
        == "seat3 isn't allowed here: nobody is in that seat (rule L4)."
    )
    assert (
        refusal_of(match, CHANCE, "redA")
        == "redA isn't allowed here: something else must happen first (rule L5)."
    )


def test_l1_chance_cannot_show_a_card_that_is_elsewhere(play: Play) -> None:
    match = play("12 redE")
    match.play(1, TurnCard(12))
    assert (
        refusal_of(match, CHANCE, "redE")
        == "redE isn't allowed here: this card is somewhere else (rule L1)."
    )


def test_l10_chance_cannot_change_a_letter_that_was_turned_down(play: Play) -> None:
    match = play("12 redE", "3 blueE", "4 Hare", "5 blueL")
    match.play(0, TurnCard(11))
    expected = "redA isn't allowed here: another letter was turned face down there (rule L10)."
    assert refusal_of(match, CHANCE, "redA") == expected


def test_chance_decides_nothing_on_a_seats_turn(play: Play) -> None:
    match = play()
    assert (
        refusal_of(match, CHANCE, "redA")
        == "redA isn't allowed here: something else must happen first (rule L5)."
    )
    assert (
        refusal_of(match, CHANCE, "seat1")
        == "seat1 isn't allowed here: something else must happen first (rule L5)."
    )


def test_l12_every_action_after_the_end_is_rejected(play: Play) -> None:
    match = play(*WHOLE_GAME)
    with pytest.raises(GameOver, match="20 comes too late: the game is over"):
        GAME.apply(match.state, 1, TurnCard(19))
    with pytest.raises(GameOver, match="blueA comes too late"):
        GAME.apply(match.state, CHANCE, read_card("blueA"))
    with pytest.raises(GameOver, match="seat1 comes too late"):
        GAME.apply(match.state, CHANCE, StartWith(0))
    assert GAME.legal(match.state, 1) == ()


def test_options_round_trip() -> None:
    texts = {"duchess": "true", "claim": "first", "memory": "open", "colours": "green,red"}
    options = read_options(GAME, texts)
    assert options == Options(True, "first", "open", (Colour.GREEN, Colour.RED))  # noqa: FBT003
    assert write_options(GAME, options) == texts


def test_the_default_of_every_option_round_trips() -> None:
    texts = {option.name: default_text(GAME, option) for option in GAME.info.options}
    assert texts == {"duchess": "false", "claim": "after", "memory": "closed", "colours": "first"}
    assert read_options(GAME, texts) == Options()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("duchess", "yes", "duchess=yes isn't possible: duchess must be one of false, true."),
        ("claim", "last", "claim=last isn't possible: claim must be one of after, first."),
        ("memory", "", "memory= isn't possible: memory must be one of closed, open."),
        ("colours", "red,pink", "'pink' isn't a colour: the colours are red, blue, yellow, green."),
        ("colours", "", "'' isn't a colour: the colours are red"),
        ("colours", "red,blue,red", "has red twice: each player needs their own colour (rule L3)."),
        ("colour", "red", "Letters has no option 'colour'"),
    ],
)
def test_bad_options_are_reported(name: str, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_options(GAME, {name: text})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("colours", "seats"),
    [
        ((Colour.RED, Colour.BLUE), 3),
        ((Colour.RED, Colour.BLUE, Colour.GREEN), 2),
        ((Colour.RED, Colour.RED), 2),
        ((Colour.RED, Colour.RED, Colour.BLUE), 2),
    ],
)
def test_l3_each_seat_needs_a_colour_of_its_own(colours: tuple[Colour, ...], seats: int) -> None:
    with pytest.raises(UsageError) as caught:
        GAME.start(seats, Options(colours=colours))
    assert f"doesn't give each of the {seats} players their own colour (rule L3)." in str(caught.value)
