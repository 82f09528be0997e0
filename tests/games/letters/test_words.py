"""Letters as plain text."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.components.words import words_of
from wonderland.engine import Match, laws
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import CARDS, Colour
from wonderland.games.letters.rules.events import CardTurned
from wonderland.games.letters.rules.notation import read
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import TurnCard
from wonderland.games.letters.ui import words

Play: TypeAlias = Callable[..., Match[Any, Any, Any, Any, Any]]

NAMES = ["Alice", "Hatter", "Hare", "Queen"]
TURNS = ("1 redL", "2 redC", "3 Hatter", "4 greenA", "5 redA")


def descriptions(match: Match[Any, Any, Any, Any, Any]) -> list[str]:
    sentences = (words.describe_event(event, match.names) for event in match.events)
    return [sentence for sentence in sentences if sentence]


def test_the_words_are_found() -> None:
    assert words_of("letters") is words


def test_events_are_described(play: Play) -> None:
    assert descriptions(play(*TURNS)) == [
        "Alice goes first.",
        "Alice turns card 1: red L.",
        "Hatter turns card 2: red C.",
        "Alice turns card 3: the Mad Hatter.",
        "2 red letters are turned face down again.",
        "Hatter turns card 4: green A.",
        "Nobody is playing green, so the card is out of the game.",
        "Alice turns card 5: red A.",
        "Alice plays A.",
    ]


def test_one_letter_and_letters_of_several_colours_are_counted(play: Play) -> None:
    assert (
        descriptions(play("1 redL", "2 blueE", "3 King"))[-1]
        == "1 red letter is turned face down again."
    )
    duchess = descriptions(play("1 redL", "2 blueE", "3 Duchess", duchess=True))[-1]
    assert duchess == "2 letters are turned face down again."


def test_the_end_is_described(play: Play) -> None:
    match = play("1 redL", "2 redI", "3 redC", "4 redE", "5 redA")
    assert descriptions(match)[-2:] == [
        "Alice plays A-L-I-C-E.",
        "Alice wins (Alice: 5, Hatter: 0): A-L-I-C-E complete.",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Duchess", "the Duchess"),
        ("Hatter", "the Mad Hatter"),
        ("Hare", "the March Hare"),
        ("Turtle", "the Mock Turtle"),
        ("Walrus", "the Walrus"),
        ("Carpenter", "the Carpenter"),
        ("King", "the King of Hearts"),
        ("yellowI", "yellow I"),
    ],
)
def test_l1_cards_have_their_names(name: str, said: str) -> None:
    card = next(card for card in CARDS if str(card) == name)
    assert words.card_name(card) == said


def test_the_table_is_described(play: Play) -> None:
    view = play(*TURNS, "27 Carpenter").view(0)
    assert words.describe(view, NAMES[:2]) == [
        "The starred spaces (a number is a face-down card, a dot an empty space):",
        "  1       2       Hatter  .       .       6       7       8       9",
        "  10      11      12      13      14      15      16      17      18",
        "  19      20      21      22      23      24      25      26      Carpenter",
        "Out of the game: green A",
        "The players' rails:",
        "  Alice   red     A . . . .",
        "  Hatter  blue    . . . . .",
        "It's Alice's turn.",
    ]


def test_with_open_memory_the_table_shows_what_was_turned_down(play: Play) -> None:
    match = play(*TURNS, memory="open")
    lines = words.describe(match.view(0), NAMES[:2])
    assert lines[1].split()[:3] == ["1", "2", "Hatter"]
    assert lines[4] == "Face down again: 1 red L, 2 red C"
    assert words.describe_action(match.view(1), TurnCard(1)) == "turn card 2: red C"


def test_with_closed_memory_nothing_is_remembered_for_the_player(play: Play) -> None:
    match = play(*TURNS)
    lines = words.describe(match.view(0), NAMES[:2])
    assert not any("red L" in line or "red C" in line for line in lines)
    assert words.describe_action(match.view(1), TurnCard(1)) == "turn card 2"


def test_the_turn_is_described_at_every_stage(play: Play) -> None:
    def status(match: Match[Any, Any, Any, Any, Any]) -> str:
        return words.describe(match.view(None), NAMES[:2])[-1]

    assert status(Match(GAME, 2)) == "The first player is being drawn."
    match = play()
    assert status(match) == "It's Alice's turn."
    match.play(0, TurnCard(11))
    assert status(match) == "Alice turns card 12."
    over = play("1 redL", "2 redI", "3 redC", "4 redE", "5 redA")
    assert "Alice wins (5 0)" in status(over)


@pytest.mark.parametrize("memory", ["closed", "open"])
def test_turned_letters_are_not_repeated_unless_memory_is_open(memory: Any) -> None:
    match = laws.random_match(GAME, 2, Options(memory=memory), random.Random(1))
    turned = next(event for event in match.events if isinstance(event, CardTurned))
    again = words.describe_past_event(turned, match.view(0), NAMES)
    assert (again == words.describe_event(turned, NAMES)) is (memory == "open")
    assert again is not None
    assert (words.card_name(turned.card) in again) is (memory == "open")


def test_legal_actions_are_offered(play: Play) -> None:
    view = play().view(0)
    offers = [words.describe_action(view, read(word)) for word in ("12", "redA", "Walrus", "seat2")]
    assert offers == ["turn card 12", "red A", "the Walrus", "seat 2 goes first"]


def test_a_turn_has_a_prompt(play: Play) -> None:
    assert words.prompt(play().view(0)) == "Turn a card over."


@given(
    seats=st.sampled_from([2, 3, 4]),
    memory=st.sampled_from(["closed", "open"]),
    duchess=st.booleans(),
    seed=st.integers(min_value=0),
)
def test_the_description_fits_80_columns(seats: int, memory: Any, duchess: Any, seed: int) -> None:
    colours = tuple(Colour)[::-1][:seats]  # the longest name among them
    options = Options(duchess=duchess, memory=memory, colours=colours)
    match = laws.random_match(GAME, seats, options, random.Random(seed))
    names = [name.ljust(40, "!") for name in NAMES[:seats]]
    for state, _ in match.record.states():
        for line in words.describe(GAME.view(state, 0), names):
            assert len(line) <= 80
