"""Cookies in the browser: a scene for every state, a button for every legal action, no leaks."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from importlib.resources import files
from itertools import product
from typing import Any

import pytest
from markupsafe import escape
from msgspec.structs import replace

from wonderland.components.catalogues import load_language
from wonderland.components.scene import SceneContext
from wonderland.engine import CHANCE, Match, Seeded, laws
from wonderland.engine.match import seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.protocol import FACE_DOWN, Over
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.board import DEFAULT, SIZES, Kind, read_board
from wonderland.games.cookies.rules.components import COOKIE_VALUES, SEATS, SMALL_COOKIES, large_cookies
from wonderland.games.cookies.rules.events import CardDrawn, PawnMoved
from wonderland.games.cookies.rules.state import Climbing, Deciding, Drawing, Playing, Spinning, Taking
from wonderland.games.cookies.ui.board_picture import dial_angle, draw_board, tile_outline
from wonderland.games.cookies.ui.ring_shape import FORMS, TALL, WIDE, RingForm, ring_of, round_path
from wonderland.games.cookies.ui.scene import describe_ring, explain_places, scene
from wonderland.games.cookies.ui.score_pad import pad
from wonderland.games.cookies.ui.words import describe_action
from wonderland.web.rendering import environment, render_scene

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
    return str(render_scene(GAME, GAME.view(state, seat), setting))


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
    """Every space on which it was, from the start to where it is now."""
    match = Match(GAME, 2, chance=Seeded("along the ring"))
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
            spaces = [(before + step) % 16 + 1 for step in range(steps + 1)]
            assert paths[0].split() == [f"space-{space}" for space in spaces]
            assert spaces[-1] == match.state.pawns[seat] + 1
            assert {*paths[0].split()} <= {*words_in(html, "data-piece")}
            checked += 1
    assert checked > 10


def check_page(state: Any, seat: int | None, last: Any) -> None:
    """Check what holds for a page in every state."""
    html = render_state(state, seat, last)
    view = GAME.view(state, seat)
    legal = () if seat is None else GAME.legal(state, seat)
    assert sorted(words_in(html, "data-play")) == sorted(GAME.write(action) for action in legal)
    labels = re.findall(r'<button[^>]*aria-label="([^"]*)"', html)
    offers = [describe_action(view, action) for action in legal]
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
    plays = words_in(html, "data-play")
    assert {*words_in(html, "data-target")} <= {*plays}
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
            if move.actor is not CHANCE:
                told = []
            before = len(again.events)
            again.apply(move.actor, move.action)
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
    assert 'aria-label="3, locked in the middle"' in html
    assert words_in(html, "data-play") == ["left1", "right4"]
    assert words_in(html, "data-marks") == [
        "space-5:stop",
        "space-5:step space-6:step space-7:step space-8:stop",
    ]


def test_a_cat_shows_the_intermediate_stop_and_a_lap_shows_the_cookie(at: At) -> None:
    on = render_state(at(hands="2.3.4/1.2.5", pawns="1/9").state, 0)
    marks = {"space-2:step", "space-3:way", "space-4:step", "space-5:stop"}
    assert marks in [{*words.split()} for words in words_in(on, "data-marks")]
    past = render_state(at(hands="1.3.4/1.2.5", pawns="15/9").state, 0)
    assert any(marks.endswith("cookie-up:taken") for marks in words_in(past, "data-marks"))


def test_a_joker_with_a_large_pawn_has_ten_buttons(at: At) -> None:
    html = render_state(at(hands="J.3.4/1.2.5", pawns="4L/6").state, 0)
    ways = [word for word in words_in(html, "data-play") if word.startswith("leftJ")]
    assert len(ways) == 10
    assert words_in(html, "data-play")[-2:] == ["right4", "right4+1"]


def target_of(html: str, space: int) -> str:
    """The choice that a space stands for."""
    (found,) = re.findall(rf'data-piece="space-{space}" data-target="([^"]*)"', html)
    return str(found)


def test_the_space_that_a_card_leads_to_stands_for_the_card(at: At) -> None:
    html = render_state(at(hands="1.3.4/1.2.5", pawns="4/6").state, 0)
    assert (target_of(html, 5), target_of(html, 8)) == ("left1", "right4")
    assert len(words_in(html, "data-target")) == 2


def test_a_plain_card_comes_before_the_joker_and_before_an_extra_space(at: At) -> None:
    html = render_state(at(hands="J.3.3/1.2.5", pawns="4L/6").state, 0)
    assert target_of(html, 7) == "right3"
    assert target_of(html, 8) == "right3+1"
    assert target_of(html, 9) == "leftJ5"
    assert target_of(html, 10) == "leftJ5+1"


def test_a_fall_into_the_hole_is_marked_as_harmful_unless_large(at: At) -> None:
    small = render_state(at(hands="1.3.4/1.2.5", pawns="13/6").state, 0)
    large = render_state(at(hands="1.3.4/1.2.5", pawns="13L/6").state, 0)
    assert re.search(r'class="space rabbit-hole +harmful"', small)
    assert re.search(r'class="space rabbit-hole +reachable"', large)


def test_the_cookies_stand_for_the_choice_at_the_tea_party(at: At) -> None:
    html = render_state(at(hands="4.3.1/1.2.5", pawns="13/6")("left4").state, 0)
    assert words_in(html, "data-target") == ["up", "down"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("size", SIZES)
def test_the_spaces_of_a_ring_are_evenly_spaced_from_the_top(size: int, form: RingForm) -> None:
    ring = ring_of(form, size)
    middles = [ring.at(ring.middle(space)) for space in range(size)]
    (x, y), (next_x, next_y) = middles[:2]
    assert y < 0
    assert x <= 1
    assert (next_x, -next_y) > (x, -y - 1)  # clockwise: to the right, or up
    apart = [
        math.dist(here, there) for here, there in zip(middles, [*middles[1:], middles[0]], strict=True)
    ]
    assert max(apart) < 1.35 * min(apart)
    assert min(apart) > 50
    assert math.isclose(ring.length, size * ring.step)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("size", [8, 16, 40])
def test_the_tiles_of_a_ring_do_not_overlap_and_stay_inside(size: int, form: RingForm) -> None:
    ring = ring_of(form, size)
    for space in range(size):
        points = [
            tuple(map(float, point.split())) for point in tile_outline(ring, space)[1:-1].split("L")
        ]
        assert all(abs(x) < 560 and abs(y) < 480 for x, y in points)
        half = ring.middle(space + 0.5)
        for x, y in points:
            other = min(math.dist((x, y), ring.at(half, off)) for off in range(-60, 61, 5))
            assert other > 1


def test_the_line_of_a_ring_passes_through_its_spaces() -> None:
    assert round_path(WIDE).startswith("M-329 -155C")
    assert round_path(TALL, -10).count("A162 162") == 4


@pytest.mark.parametrize("word", ["T1-p2-C1-S3-p1-L2-R1-p3-p0", WIDEST])
def test_other_boards_are_drawn_with_their_own_ids(at: At, word: str) -> None:
    options = f"board={word}"
    html = render_state(at(hands="1.3.4/1.2.5", pawns="2/1", options=options).state, 0)
    size = len(read_board(word).spaces)
    assert f'id="own-wide-{size}"' in html
    assert f'href="#own-tall-{size}"' in html
    assert 'href="#wide-1"' not in html
    picture = draw_board(read_board(word))
    assert bool(picture["odd_field"]) == bool(size % 2)
    assert (picture["stars"] == []) == (size > 24)
    for form in picture["forms"]:
        assert [len(tile["cookies"]) for tile in form["tiles"]] == [
            space.cookies for space in read_board(word).spaces
        ]


def test_the_default_board_is_on_the_page_once(at: At) -> None:
    html = render_state(at(hands="1.3.4/1.2.5", pawns="4/6").state, 0)
    assert 'id="wide-1"' not in html
    macros: Any = environment(SAY).get_template("cookies/board.html").make_module()
    drawn = str(macros.board(draw_board(DEFAULT)))
    file = files("wonderland.games.cookies.ui") / "static" / "cookies-board.svg"
    assert drawn in file.read_text("utf-8"), (
        "put what board.html draws of the default board into the file"
    )


def test_every_special_space_explains_itself(at: At) -> None:
    state = at(hands="1.3.4/1.2.5", pawns="4/6").state
    html = render_state(state, 0)
    explained = explain_places(state.options.board, SAY)
    assert [place["kind"] for place in explained] == [
        kind.value.replace(" ", "-") for kind in Kind if kind is not Kind.PLAIN
    ]
    for place in explained:
        assert place["sentences"]
        label = re.search(rf'class="space {place["kind"]}[^>]*aria-label="([^"]*)"', html)
        assert label is not None
        assert all(escape(sentence) in label[1] for sentence in place["sentences"])
    assert html.count('role="img" aria-label="Space') == 5


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_the_needle_points_in_the_true_direction(form: RingForm) -> None:
    ring = ring_of(form, 16)
    for space in range(16):
        angle = math.radians(dial_angle(form, 16, space))
        x, y = ring.at(ring.middle(space))
        far = math.hypot(x, y - form.hub)
        assert math.dist((far * math.sin(angle), form.hub - far * math.cos(angle)), (x, y)) < 2


def test_the_needle_shows_the_number_of_the_space(at: At) -> None:
    play = at(hands="3.3.4/1.2.5", pawns="14/6")("left3 spin9")
    html = render_state(play.state, 0, play.events)
    angles = re.findall(r'class="needle" transform="[^"]*rotate\(([\d.]+)\)"', html)
    assert [float(angle) for angle in angles] == [dial_angle(form, 16, 8) for form in FORMS]
    assert 'class="space plain pointed' in html
    assert words_in(html, "data-play") == ["accept", "again"]
    assert target_of(html, 9) == "accept"
    assert "Go to space 9" in html
    assert "Spin again (2 spins left)" in html


def test_players_look_pleased_or_dismayed(at: At) -> None:
    def moods(play: Any) -> dict[int, str]:
        setting = SceneContext(NAMES[:2], (), play.events, SAY)
        players = scene(GAME.view(play.state, None), setting)["players"]
        return {player["seat"]: player["mood"] for player in players}

    start = {"hands": "1.3.4/1.2.5", "pawns": "13/6"}
    assert moods(at(**start)) == {0: "", 1: ""}
    assert moods(at(**start)("left1"))[0] == "dismayed"
    assert moods(at(hands="1.3.4/1.2.5", pawns="16/6", up="4")("left1 up"))[0] == "pleased"
    match = laws.random_match(GAME, 2, read_options(GAME, {}), random.Random(1))
    setting = SceneContext(NAMES[:2], (), (), SAY)
    over = scene(match.view(None), setting)
    by_points = sorted(over["players"], key=lambda player: player["points"])
    assert [player["mood"] for player in by_points] == ["dismayed", "pleased"]


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
    match = Match(GAME, 2, chance=Seeded(1))
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
