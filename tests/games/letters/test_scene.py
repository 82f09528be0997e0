"""Letters in the browser: a scene for every state, a button for every legal action, no leaks."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import product
from typing import Any, TypeAlias

import pytest

from wonderland.components.catalogues import load_language
from wonderland.components.scene import SceneContext
from wonderland.engine import CHANCE, Acting, Match, UsageError, laws
from wonderland.engine.options import read_options
from wonderland.engine.protocol import Over
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import CARDS
from wonderland.games.letters.rules.state import FaceUp, TurnedDown
from wonderland.games.letters.rules.view import View
from wonderland.games.letters.ui.scene import can_step_back, scene
from wonderland.games.letters.ui.words import card_name, describe_action
from wonderland.web.assets import assets, symbols
from wonderland.web.rendering import render, render_scene

AnyMatch: TypeAlias = Match[Any, Any, Any, Any, Any]
Play: TypeAlias = Callable[..., AnyMatch]

NAMES = ("Alice", "Hatter", "Hare", "<Queen>")
SAY = load_language("en")
LARGEST_DRAWINGS = 80_000
"""Bytes of the drawings of a game, before compression."""
TABLES = [2, *(pytest.param(seats, marks=pytest.mark.uncounted) for seats in (3, 4))]


def page(view: View, legal: Any, last: Any = (), seats: int = 4) -> str:
    """Render the scene as a browser gets it."""
    setting = SceneContext(NAMES[:seats], tuple(legal), tuple(last), SAY)
    return str(render_scene(GAME, view, setting))


def render_state(state: Any, seat: int | None, last: Any = ()) -> str:
    legal = () if seat is None else GAME.legal(state, seat)
    seen = [GAME.witness(event, seat) for event in last]
    return page(GAME.view(state, seat), legal, seen, len(state.rails))


def observation(_game: Any, state: Any, seat: int | None) -> str:
    """The observation that law 7 compares."""
    return render_state(state, seat)


def moods(state: Any, last: Any) -> dict[str, str]:
    """The expression of each player."""
    setting = SceneContext(NAMES[: len(state.rails)], (), tuple(last), SAY)
    return {player["name"]: player["mood"] for player in scene(GAME.view(state, 0), setting)["players"]}


def words_in(html: str, attribute: str) -> list[str]:
    return re.findall(rf'\b{attribute}="([^"]*)"', html)


def option_sets(seats: int) -> list[Any]:
    """Every combination of example options."""
    known = GAME.info.options
    sets = []
    for texts in product(*(option.examples for option in known)):
        options = read_options(GAME, dict(zip([option.name for option in known], texts, strict=True)))
        try:
            GAME.start(seats, options)
        except UsageError:
            continue  # colours for another number of seats
        sets.append(options)
    return sets


def check_page(state: Any, seat: int | None, last: Any) -> None:
    """Check what holds for a page in every state."""
    html = render_state(state, seat, last)
    view = GAME.view(state, seat)
    legal = () if seat is None else GAME.legal(state, seat)
    assert sorted(words_in(html, "data-play")) == sorted(GAME.write(action) for action in legal)
    labels = words_in(html, "aria-label")
    for action in legal:
        words = describe_action(view, action)
        assert labels.count(words[0].upper() + words[1:]) == 1
    pieces = words_in(html, "data-piece")
    assert len(pieces) == len(set(pieces))
    rails = [
        f"{colour.word}{letter}"
        for colour, placed in zip(state.options.colours, state.rails, strict=True)
        for letter in "ALICE"[:placed]
    ]
    open_cards = [str(lies.card) for lies in state.spaces if isinstance(lies, FaceUp)]
    removed = [str(letter) for letter in state.removed]
    named = {piece for piece in pieces if not piece.startswith("space-")}
    assert named == {*rails, *open_cards, *removed}
    assert "style=" not in html
    assert "<script" not in html
    assert "<Queen>" not in html


@pytest.mark.slow
@pytest.mark.parametrize("seats", TABLES)
def test_every_state_of_a_play_renders_for_everyone(seats: int) -> None:
    for number, options in enumerate(option_sets(seats)):
        rng = random.Random(number)
        match = laws.random_match(GAME, seats, options, rng)
        again: AnyMatch = Match(GAME, seats, options)
        told: list[Any] = []
        for move in match.moves:
            if move.actor is not CHANCE:
                told = []
            before = len(again.events)
            again.apply(move.actor, move.action)
            told += again.events[before:]
            check_page(again.state, rng.choice([*range(seats), None]), told)
        assert isinstance(again.turn, Over)
        for seat in (*range(seats), None):
            check_page(again.state, seat, told)


@pytest.mark.parametrize("memory", ["closed", "open"])
def test_history_is_open_at_the_end_or_with_open_memory(memory: str) -> None:
    match = laws.random_match(GAME, 2, read_options(GAME, {"memory": memory}), random.Random(2))
    views = [GAME.view(state, 0) for state, _ in match.record.states()]
    assert {can_step_back(view) for view in views[:-1]} == {memory == "open"}
    assert can_step_back(views[-1])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equal_views_give_equal_bytes(seats: int) -> None:
    rng = random.Random(seats)
    for options in rng.sample(option_sets(seats), 4):
        match = laws.random_match(GAME, seats, options, rng)
        states = [state for state, _ in match.record.states()]
        for state in rng.sample(states, 6):
            laws.check_secrecy(GAME, seats, state, rng, [observation])


def test_with_closed_memory_a_letter_turned_down_looks_like_any_back(play: Play) -> None:
    match = play("1 redL", "2 blueC", "3 redC", "4 blueE", "5 Hatter", "6 Walrus")
    html = render_state(
        match.state, 1, match.events[-3:]
    )  # the Walrus: the blue C and E are turned down
    for letter in ("blueC", "blueE", "redL", "redC"):
        assert letter not in html
    assert "blue C" not in html
    assert html.count("hidden-again") == 2
    later = render_state(match.state, 1)
    assert "hidden-again" not in later
    backs = re.findall(r'<li class="space back.*?</li>', later, re.DOTALL)
    plain = {re.sub(r"\d+", "", re.sub(r'd="M[^"]*"', "", back)) for back in backs}
    assert len(backs) == 25
    assert len(plain) == 1


def test_with_open_memory_it_is_marked_and_described(play: Play) -> None:
    match = play("1 redL", "2 blueC", "3 Hatter", memory="open")
    assert any(isinstance(lies, TurnedDown) for lies in match.state.spaces)
    assert 'class="note paper-red"' in render_state(match.state, 0)
    assert 'aria-label="Turn card 1: red L"' in render_state(match.state, 1)
    assert 'aria-label="1: face down, red L"' in render_state(match.state, None)


def test_a_played_letter_animates_from_its_space(play: Play) -> None:
    match = play("7 redA")
    html = render_state(match.state, 0, match.events)
    assert 'data-piece="redA" data-from="space-7" data-step="0"' in html


def test_letters_played_together_move_in_the_order_of_the_word(play: Play) -> None:
    match = play("1 redL", "2 blueC", "3 redA")
    html = render_state(match.state, 0, match.events[-2:])
    assert 'data-piece="redA" data-from="space-3" data-step="0"' in html
    assert 'data-piece="redL" data-from="space-1" data-step="1"' in html


def test_letters_are_turned_down_one_after_another(play: Play) -> None:
    match = play("1 redL", "2 blueC", "3 redC", "4 blueE", "5 Hatter")
    html = render_state(match.state, 0, match.events[-2:])
    orders = dict(re.findall(r'data-anchor="space-(\d+)" data-turns="([1-9])"', html))
    assert orders == {"1": "1", "3": "2"}


def test_every_face_up_card_is_described_in_words(play: Play) -> None:
    turns = [f"{space} {card}" for space, card in enumerate(CARDS[5:], start=1)]
    match = play(*turns[-7:], seats=4)
    labels = words_in(render_state(match.state, None), "aria-label")
    for space, lies in enumerate(match.state.spaces):
        if isinstance(lies, FaceUp):
            assert f"{space + 1}: {card_name(lies.card)}" in labels


def test_only_the_seat_to_move_has_buttons(play: Play) -> None:
    match = play("1 redL")
    turn = match.turn
    assert isinstance(turn, Acting)
    (seat,) = turn.seats
    assert "<button" in render_state(match.state, seat)
    assert "<button" not in render_state(match.state, 1 - seat)
    assert "<button" not in render_state(match.state, None)


def test_players_look_pleased_with_a_letter_and_dismayed_by_a_menace(play: Play) -> None:
    match = play("1 redA", "2 blueC")
    assert moods(match.state, match.events[:-2]) == {"Alice": "pleased", "Hatter": ""}
    match = play("1 redL", "2 blueC", "3 Hatter")
    assert moods(match.state, match.events[-2:]) == {"Alice": "dismayed", "Hatter": ""}


def test_every_drawing_exists_once_and_all_of_them_are_small(play: Play) -> None:
    drawn = symbols("scenery.svg") + render("letters/figures.html", SAY, symbols=symbols)
    ids = words_in(drawn, "id")
    assert len(ids) == len(set(ids))
    endless = [card for card in CARDS if str(card) not in ("redA", "blueA")]
    turns = [f"{space} {card}" for space, card in enumerate(endless, start=1)]
    state = play(*turns, memory="open").state
    used = words_in(drawn + render_state(state, 0), "href")
    assert {name.removeprefix("#") for name in used} <= set(ids)
    assert len(assets()["letters-cards.svg"]) < LARGEST_DRAWINGS


def test_every_player_has_a_colour_with_a_sign_and_a_name(play: Play) -> None:
    html = render_state(play("1 redL", seats=4).state, 1)
    for colour in ("red", "blue", "yellow", "green"):
        assert f'paper-{colour}" viewBox="-13 -13 26 26" role="img" aria-label="{colour}"' in html
        assert f'href="#sign-{colour}"' in html


def test_the_door_out_of_the_game_is_drawn_unless_all_colours_are_played(play: Play) -> None:
    assert 'href="#door"' in render_state(play("1 yellowC").state, 0)
    assert 'href="#door"' in render_state(play("1 greenC", seats=3).state, 0)
    assert 'href="#door"' not in render_state(play("1 greenC", seats=4).state, 0)


def test_the_winner_has_a_crown_and_the_reason_is_given(play: Play) -> None:
    turns = []
    for space, letter in enumerate("ALICE", start=1):
        turns += [f"{space} red{letter}", f"{space + 10} blue{'ECILA'[space - 1]}"]
    match = play(*turns[:-1])
    html = render_state(match.state, 1, match.events[-3:])
    assert html.count('class="crown"') == 1
    assert html.index('class="crown"') < html.index(">Alice<") < html.index("winner")
    assert "Alice turned up the missing letter" in html
