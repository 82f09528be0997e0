"""What Letters rejects: actions with the rule that forbids them, and invalid options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from wonderland.engine import LUCK, GameOver, IllegalAction, Match, UsageError
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
    expected = "12 is not allowed: no card lies face down on space 12 (L5)."
    assert refusal_of(match, 0, "12") == expected


def test_l5_an_empty_space_has_nothing_to_turn(play: Play) -> None:
    match = play("12 redA", "3 blueE")
    expected = "12 is not allowed: no card lies face down on space 12 (L5)."
    assert refusal_of(match, 0, "12") == expected


@pytest.mark.parametrize("space", [-1, 27])
def test_l5_no_other_spaces_exist(play: Play, space: int) -> None:
    match = play()
    with pytest.raises(IllegalAction, match="no card lies face down"):
        GAME.apply(match.state, 0, TurnCard(space))


def test_l5_a_turn_is_turning_a_card(play: Play) -> None:
    expected = "redA is not allowed: seat 1 is to choose a card to turn (L5)."
    assert refusal_of(play(), 0, "redA") == expected


def test_l5_one_card_is_turned_at_a_time(play: Play) -> None:
    match = play()
    match.play(0, TurnCard(11))
    assert refusal_of(match, 0, "13") == "13 is not allowed: the card on space 12 is being turned (L5)."
    assert GAME.legal(match.state, 0) == ()


def test_l4_only_the_seat_whose_turn_it_is_plays(play: Play) -> None:
    match = play()
    assert refusal_of(match, 1, "12") == "12 is not allowed: it is the turn of seat 1 (L4)."
    match.play(0, TurnCard(11))
    assert refusal_of(match, 1, "13") == "13 is not allowed: it is the turn of seat 1 (L4)."


def test_l4_nobody_plays_before_the_start_player_is_decided() -> None:
    match = Match(GAME, 2)
    assert refusal_of(match, 0, "12") == "12 is not allowed: luck decides now who begins (L4)."
    assert refusal_of(match, LUCK, "seat3") == "seat3 is not allowed: nobody sits there (L4)."
    assert refusal_of(match, LUCK, "redA") == "redA is not allowed: luck can't decide that now (L5)."


def test_l1_chance_cannot_show_a_card_that_is_elsewhere(play: Play) -> None:
    match = play("12 redE")
    match.play(1, TurnCard(12))
    assert refusal_of(match, LUCK, "redE") == "redE is not allowed: that card lies elsewhere (L1)."


def test_l10_chance_cannot_change_a_letter_that_was_turned_down(play: Play) -> None:
    match = play("12 redE", "3 blueE", "4 Hare", "5 blueL")
    match.play(0, TurnCard(11))
    expected = "redA is not allowed: another letter was turned down there (L10)."
    assert refusal_of(match, LUCK, "redA") == expected


def test_chance_decides_nothing_on_a_seats_turn(play: Play) -> None:
    match = play()
    assert refusal_of(match, LUCK, "redA") == "redA is not allowed: luck can't decide that now (L5)."
    assert refusal_of(match, LUCK, "seat1") == "seat1 is not allowed: luck can't decide that now (L5)."


def test_l12_every_action_after_the_end_is_rejected(play: Play) -> None:
    match = play(*WHOLE_GAME)
    with pytest.raises(GameOver, match="20 comes too late: the game is over"):
        GAME.apply(match.state, 1, TurnCard(19))
    with pytest.raises(GameOver, match="blueA comes too late"):
        GAME.apply(match.state, LUCK, read_card("blueA"))
    with pytest.raises(GameOver, match="seat1 comes too late"):
        GAME.apply(match.state, LUCK, StartWith(0))
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
        ("duchess", "yes", "duchess=yes is not known: duchess is true or false."),
        ("claim", "last", "claim=last is not known: claim is after or first."),
        ("memory", "", "memory= is not known: memory is closed or open."),
        ("colours", "red,pink", "'pink' is not one of red, blue, yellow, green."),
        ("colours", "", "'' is not one of red"),
        ("colours", "red,blue,red", "has red twice: each seat has its own colour (L3)."),
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
    assert f"does not give each of {seats} players a colour of their own (L3)." in str(caught.value)
