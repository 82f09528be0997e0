"""Cookies in the browser: a scene for every state, a button for every legal action, no leaks."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from wonderland.components.catalogues import load_language
from wonderland.components.scene import SceneContext
from wonderland.engine import LUCK, Match, Seeded, laws
from wonderland.engine.match import seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.protocol import FACE_DOWN, Over
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.board import SIZES
from wonderland.games.cookies.rules.components import COOKIE_VALUES, SEATS, SMALL_COOKIES, large_cookies
from wonderland.games.cookies.rules.events import CardDrawn, PawnMoved
from wonderland.games.cookies.rules.state import Climbing, Deciding, Drawing, Playing, Spinning, Taking
from wonderland.games.cookies.ui.scene import describe_ring, ring_of, scene
from wonderland.games.cookies.ui.score_pad import pad
from wonderland.games.cookies.ui.words import offer
from wonderland.web.rendering import render

NAMES = ("Alice", "Hatter", "Hare", "<Queen>")
SAY = load_language("en")
TABLES = [2, *(pytest.param(seats, marks=pytest.mark.uncounted) for seats in (3, 4))]
WIDEST = "-".join(["T1", *["p9", "S3", "L0", "C2", "R1"] * 7, "p1", "p2", "p3", "p4"])
At = Callable[..., Any]


def render_state(state: Any, seat: int | None, last: Any = ()) -> str:
    """Render the scene as a browser gets it."""
    legal = () if seat is None else GAME.legal(state, seat)
    seen = [GAME.witness(event, seat) for event in last]
    setting = SceneContext(NAMES[: len(state.pawns)], tuple(legal), tuple(seen), SAY)
    return str(render("cookies/scene.html", SAY, **scene(GAME.view(state, seat), setting)))


def observation(_game: Any, state: Any, seat: int | None) -> str:
    """The observation that law 7 compares."""
    return render_state(state, seat)


def words_in(html: str, attribute: str) -> list[str]:
    return re.findall(rf'\b{attribute}="([^"]*)"', html)


def option_sets() -> list[Any]:
    """Every combination of example options, and the largest board."""
    known = GAME.info.options
    examples = [[*option.examples] + [WIDEST] * (option.name == "board") for option in known]
    names = [option.name for option in known]
    return [read_options(GAME, dict(zip(names, texts, strict=True))) for texts in product(*examples)]


def test_a_pawns_path_follows_the_ring() -> None:
    """One point per step, starting where the pawn stood."""
    match = Match(GAME, 2, luck=Seeded("along the ring"))
    checked = 0
    while not isinstance(match.turn, Over):
        seat = seats_to_act(match.turn)[0]
        before = match.state.pawns[seat]
        events = match.play(seat, match.legal(seat)[0])
        moves = [event for event in events if isinstance(event, PawnMoved)]
        steps = sum((move.end - move.start) % 16 for move in moves)
        html = render_state(match.state, None, events)
        paths = words_in(html, "data-path")
        assert len(paths) == bool(moves)
        if moves:
            x, y = map(
                float, re.findall(rf'translate\((\S+) (\S+)\)"><g class="pawn seat-{seat} ', html)[0]
            )
            there = [tuple(map(float, point.split(","))) for point in paths[0].split()]
            assert len(there) == steps
            begun = ring_of(16)[before].middle.at(18)
            assert math.dist((x + there[0][0], y + there[0][1]), begun) < 0.2
            checked += 1
    assert checked > 10


def check_page(state: Any, seat: int | None, last: Any) -> None:
    """Check what holds for a page in every state."""
    html = render_state(state, seat, last)
    view = GAME.view(state, seat)
    legal = () if seat is None else GAME.legal(state, seat)
    assert sorted(words_in(html, "data-play")) == sorted(GAME.write(action) for action in legal)
    labels = re.findall(r'<button[^>]*aria-label="([^"]*)"', html)
    offers = [offer(view, action) for action in legal]
    assert sorted(labels) == sorted(words[0].upper() + words[1:] for words in offers)
    pieces = words_in(html, "data-piece")
    assert len(pieces) == len(set(pieces))
    cards = [piece.split("-")[1] for piece in pieces if piece.startswith("card-")]
    mine = () if seat is None else view.hands[seat]
    assert cards == [card.mark for card in mine if card is not FACE_DOWN]
    anchors = {*words_in(html, "data-anchor")}
    assert {*words_in(html, "data-from")} <= anchors
    marks = {mark.split(":")[0] for words in words_in(html, "data-marks") for mark in words.split()}
    assert marks <= {*pieces}
    assert "style=" not in html
    assert "<script" not in html
    assert "<Queen>" not in html


@pytest.mark.slow
@pytest.mark.parametrize("seats", TABLES)
def test_every_state_of_a_play_renders_for_everyone(seats: int) -> None:
    stages: set[type[Any]] = set()
    for number, options in enumerate(random.Random(seats).sample(option_sets(), 10)):
        rng = random.Random(number)
        match = laws.random_match(GAME, seats, options, rng)
        again: Any = Match(GAME, seats, options)
        told: list[Any] = []
        for move in match.moves:
            if move.actor is not LUCK:
                told = []
            before = len(again.events)
            again.note(move.actor, move.action)
            told += again.events[before:]
            stage = type(again.state.stage)
            if stage not in stages or rng.random() < 0.1:
                stages.add(stage)
                for seat in (*range(seats), None):
                    check_page(again.state, seat, told)
        assert isinstance(again.turn, Over)
        for seat in (*range(seats), None):
            check_page(again.state, seat, told)
    assert {Playing, Deciding, Taking, Spinning, Climbing, Drawing} <= stages


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equal_views_give_equal_bytes(seats: int) -> None:
    rng = random.Random(seats)
    for options in rng.sample(option_sets(), 3):
        match = laws.random_match(GAME, seats, options, rng)
        states = [state for state, _ in match.record.states()]
        for state in rng.sample(states, 5):
            laws.check_secrecy(GAME, seats, state, rng, [observation])


def test_cards_drawn_by_others_are_not_on_the_page(at: At) -> None:
    play = at(hands="1.3.4/1.2.5", pawns="3/5", played="2/3", last="left3")
    shown = {}
    for card in "5J":
        after = GAME.read_position(GAME.write_position(play.state))
        once = type(play)(after)
        once("left1 +" + card)
        assert [event.card.mark for event in once.saw(CardDrawn)] == [card]
        shown[card] = [render_state(once.state, seat, once.events) for seat in (0, 1, None)]
    mine, other, spectator = zip(*shown.values(), strict=True)
    assert mine[0] != mine[1]
    assert other[0] == other[1]
    assert spectator[0] == spectator[1]


def test_the_centre_card_is_locked_and_the_end_cards_name_their_destinations(at: At) -> None:
    html = render_state(at(hands="1.3.4/1.2.5", pawns="4/6").state, 0)
    assert 'aria-label="3, locked in the centre"' in html
    assert words_in(html, "data-play") == ["left1", "right4"]
    assert words_in(html, "data-marks") == ["space-5:stop", "space-8:stop"]


def test_a_cat_shows_the_intermediate_stop_and_a_lap_shows_the_cookie(at: At) -> None:
    on = render_state(at(hands="2.3.4/1.2.5", pawns="1/9").state, 0)
    assert "space-3:way space-5:stop" in words_in(on, "data-marks")
    past = render_state(at(hands="1.3.4/1.2.5", pawns="15/9").state, 0)
    assert any(marks.endswith("cookie-up:taken") for marks in words_in(past, "data-marks"))


def test_a_joker_with_a_large_pawn_has_ten_buttons(at: At) -> None:
    html = render_state(at(hands="J.3.4/1.2.5", pawns="4L/6").state, 0)
    ways = [word for word in words_in(html, "data-play") if word.startswith("leftJ")]
    assert len(ways) == 10
    assert words_in(html, "data-play")[-2:] == ["right4", "right4+1"]


@pytest.mark.parametrize("size", SIZES)
def test_the_spaces_of_a_ring_are_evenly_spaced_from_the_top(size: int) -> None:
    middles = [cell.middle for cell in ring_of(size)]
    assert len(middles) == size
    assert math.isclose(middles[0].x, 0, abs_tol=1)
    assert middles[0].y < -100
    assert middles[1].x > 0  # clockwise
    ends = [*middles[1:], middles[0]]
    apart = [math.hypot(b.x - a.x, b.y - a.y) for a, b in zip(middles, ends, strict=True)]
    assert max(apart) < 1.35 * min(apart)
    assert min(apart) > 24


def test_the_needle_points_at_the_space(at: At) -> None:
    play = at(hands="3.3.4/1.2.5", pawns="14/6")("left3 spin9")
    html = render_state(play.state, 0, play.events)
    (angle,) = re.findall(r"rotate\(([\d.]+) 0 28\)", html)
    assert math.isclose(float(angle), 180, abs_tol=2)  # the ninth of sixteen is opposite
    assert 'class="space plain pointed' in html
    assert words_in(html, "data-play") == ["accept", "again"]
    assert "Go to space 9" in html
    assert "Spin again, 2 spins left" in html


@pytest.mark.parametrize(
    ("pawn", "stuck", "sentence"),
    [
        ("4", "-", "Alice is small, on space 4"),
        ("4L", "-", "Alice is large, on space 4"),
        ("14", "-", "Alice is in the Rabbit Hole: space 14"),
        ("14", "1", "Alice is stuck in the Rabbit Hole: space 14"),
    ],
)
def test_screen_readers_hear_a_pawns_state(at: At, pawn: str, stuck: str, sentence: str) -> None:
    state = at("3.4.2/2.3.5", f"{pawn}/9", stuck=stuck, options="kind_hole=true").state
    told = describe_ring(GAME.view(state, None), NAMES[:2], SAY)
    assert [each for each in told if each.startswith(sentence)]
    assert len([each for each in told if each.startswith("Alice")]) == 1


def test_unseen_cards_of_a_handwritten_play_are_not_shown() -> None:
    """In a play recorded from another seat the player's own hand is face down."""
    match = Match(GAME, 2, luck=Seeded(1))
    view = match.view(0)
    unseen = tuple((FACE_DOWN,) * len(hand) for hand in view.hands)
    setting = SceneContext(match.names, (), (), load_language("en"))
    assert scene(view, setting)["hand"]
    assert not scene(replace(view, hands=unseen), setting)["hand"]


def test_the_score_pad_has_exactly_the_cookies_of_the_game() -> None:
    found = pad(SAY)
    assert [kind["value"] for kind in found["kinds"]] == [*COOKIE_VALUES, 1]
    assert len({kind["name"] for kind in found["kinds"]}) == len(found["kinds"])
    counts = [large_cookies(seats).count(COOKIE_VALUES[-1]) for seats in SEATS]
    assert (found["of_each"], found["small"]) == (counts, SMALL_COOKIES)
