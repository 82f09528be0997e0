"""Cookies on the full screen."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from wonderland.components.terminal import Spot, TextPicture, Viewport, terminal_ui_of
from wonderland.engine.laws import LawBroken, check_secrecy, random_match
from wonderland.engine.options import read_options
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.events import PawnGrew, SpinMade
from wonderland.games.cookies.rules.state import Answer, State, TakeCookie
from wonderland.games.cookies.rules.view import View
from wonderland.games.cookies.ui import terminal
from wonderland.games.cookies.ui.preview import foresee
from wonderland.games.cookies.ui.ring import SYMBOLS, WORDS, shape_for

NAMES = ["Alice", "Hatter", "Queen of Hearts", "三月うさぎとお茶会"]
SHORT, TALL = Viewport(76, 17), Viewport(138, 36)
VIEWPORTS = [
    Viewport(76, 15),
    Viewport(76, 16),
    Viewport(100, 45, dark=False),
    Viewport(60, 12),
    Viewport(20, 5),
]
EXAMPLES = next(option for option in GAME.info.options if option.name == "board").examples
LONGEST = "-".join(["T3", *["p1", "S2", "C1", "R2", "L4", "p0", "p2", "p3"] * 4, *["p1"] * 7])
WAYS: list[dict[str, str]] = [
    *({"board": board} for board in (*EXAMPLES, LONGEST)),
    {"hands": "open", "board": EXAMPLES[1]},
    {"hand_size": "2", "kind_hole": "true", "board": EXAMPLES[2]},
]
PLAYS = [*((seats, WAYS[0]) for seats in GAME.info.seats), *zip((3, 2, 4, 3, 2), WAYS[1:], strict=True)]
_COUNTED, *_OTHERS = PLAYS[1], PLAYS[0], *PLAYS[2:]  # three seats reach all branches
ONE_COUNTED = [_COUNTED, *(pytest.param(*play, marks=pytest.mark.uncounted) for play in _OTHERS)]


def states(way: dict[str, str], seats: int, seed: int) -> list[State]:
    """States of a random play."""
    match = random_match(GAME, seats, read_options(GAME, way), random.Random(seed))
    return [state for state, _ in match.record.states()]


def draw(view: View, viewport: Viewport = SHORT, word: str = "") -> TextPicture:
    """Draw the picture, with the action of this word marked."""
    marked = GAME.read(word) if word else None
    return terminal.draw(view, NAMES[: len(view.hands)], viewport, marked)


def lines_of(picture: TextPicture) -> list[str]:
    """Return the lines without their styles."""
    return [line.plain for line in picture.lines]


def cell(picture: TextPicture, view: View, space: int, viewport: Viewport = SHORT) -> list[str]:
    """Return the lines in the box of one space, counted from 1."""
    layout = terminal._layout(
        len(view.options.board.spaces), viewport.height - len(view.hands), viewport.width
    )
    assert layout is not None
    box = layout[1].spaces(len(view.options.board.spaces))[space - 1]
    return [line[box.left : box.right + 1] for line in lines_of(picture)[box.top : box.bottom + 1]]


def overlap(one: Spot, other: Spot) -> bool:
    rows = one.row < other.row + other.height and other.row < one.row + one.height
    return rows and one.column < other.column + other.width and other.column < one.column + one.width


def test_the_drawing_is_found() -> None:
    assert terminal_ui_of("cookies") is terminal


@pytest.mark.parametrize(("seats", "way"), ONE_COUNTED, ids=str)
def test_every_view_fits_the_screen_and_its_spots_are_legal_actions(
    seats: int, way: dict[str, str]
) -> None:
    rng = random.Random(seats)
    for state in states(way, seats, seats):
        acting = [seat for seat in range(seats) if GAME.legal(state, seat)]
        for seat in (*acting, rng.choice([*({*range(seats)} - {*acting}), None])):
            view = GAME.view(state, seat)
            legal = GAME.legal(state, seat) if seat is not None else ()
            marked = rng.choice([None, *legal])
            for viewport in (SHORT, TALL, rng.choice(VIEWPORTS)):
                picture = terminal.draw(view, NAMES[:seats], viewport, marked)
                check(picture, viewport)
                assert all(spot.action in legal for spot in picture.spots)
                ring = "◉" in "".join(lines_of(picture)) or "[2 spin again]" in "".join(
                    lines_of(picture)
                )
                assert ring or viewport in VIEWPORTS


def check(picture: TextPicture, viewport: Viewport) -> None:
    """A picture fits, and its spots don't overlap."""
    assert len(picture.lines) <= viewport.height
    assert max(line.cell_len for line in picture.lines) <= viewport.width
    assert not any(overlap(*pair) for pair in combinations(picture.spots, 2))
    for spot in picture.spots:
        assert min(spot.row, spot.column) >= 0
        assert spot.row + spot.height <= len(picture.lines)
        assert spot.column + spot.width <= viewport.width


def everything_shown(game: AnyGame, state: State, seat: Seat | None) -> list[object]:
    """Return everything a seat is shown of a state, with styles and spots."""
    view = game.view(state, seat)
    seen: list[object] = []
    for marked in (None, *(game.legal(state, seat) if seat is not None else ())):
        picture = terminal.draw(view, NAMES[: len(view.hands)], SHORT, marked)
        seen += [(line.plain, line.spans) for line in picture.lines]
        seen.append(picture.spots)
    seen += lines_of(terminal.sheet(view, NAMES[: len(view.hands)], SHORT))
    return [*seen, terminal.rule(view)]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values())[:30])
def test_nothing_hidden_from_a_seat_is_drawn(way: dict[str, str]) -> None:
    rng = random.Random(7)
    for state in rng.sample(states(way, 3, 7), 8):
        check_secrecy(GAME, 3, state, rng, [everything_shown])


def test_a_drawing_that_leaks_is_caught(at: Any) -> None:
    def leak(game: AnyGame, state: State, seat: Seat | None) -> object:
        return lines_of(terminal.draw(game.reveal(state), NAMES[:2], SHORT))

    with pytest.raises(LawBroken, match="law 7"):
        check_secrecy(GAME, 2, at("3.4.2/2.3.5", "6/9").state, random.Random(1), [leak])


def test_a_four_player_table_on_a_small_screen(at: Any) -> None:
    play = at(
        "3.4.2/2.3.5/1.2.3/4.4.5",
        "15/10L/14/2",
        cookies="-/2.5.5/-/4",
        small="0/3/0/0",
        spinner="12",
    )
    names = ["Alice", "Hatter", "Queen of Hearts", "Dodo"]
    picture = terminal.draw(GAME.view(play.state, 0), names, SHORT, GAME.read("left3"))
    assert [line.rstrip() for line in lines_of(picture)] == PICTURE


PICTURE = """\
┌Tea Party──┬───────────╔Cat════════╗───────────┐ Alice's hand
│♨ 1      2•│  2  d   1•║☺ 3 →a→  2•║  4      3•│ ╔═════╗ ┌╌╌╌╌╌┐ ┌─────┐
├───────────┼───────────╚═══════════╝───────────┤ ║3    ║ ╎⊗    ╎ │2    │
│ 16      1•│                       │  5      1•│ ║  3  ║ ╎  4  ╎ │  2  │
├───────────┤   [up (3)] stack 19   ╔═══════════╗ ║    3║ ╎    ⊗╎ │    2│
│ 15  a   3•│                       ║  6  →a  2•║ ╚═════╝ └╌╌╌╌╌┘ └─────┘
├Rabbit Hole┤           ◉           ╚Cookies════╝ 1 left  locked  2 right
│●14  c↓  2•│       ∙ ∙             │∴ 7      1•│
├───────────┤  ∙ 17 small • left    ├───────────┤ It's Alice's turn.
│ 13      1•│↙                      │  8      3•│ Last card: 1.
┏━━━━━━━━━━━┓───────────┬Caterpillar┼───────────┤
┃ 12      2•┃ 11      3•│§10  B   1•│  9      2•│ a small, A large
┗━━━━━━━━━━━┛───────────┴───────────┴───────────┘ a↓ fell, 3• per spin
▶ a Alice       0 =            0•  on 15   played 1  10 left
  B Hatter     15 = (2) (5)x2  3•  on 10   played 1  10 left
  c Queen of…   0 =            0•  in hole played 1  10 left
  d Dodo        4 = (4)        0•  on 2    played 1  10 left
""".splitlines()


def test_the_centre_card_of_a_three_card_hand_is_locked(at: Any) -> None:
    hand = [line[50:] for line in lines_of(draw(GAME.view(at("3.4.2/2.3.5", "6/9").state, 0)))[:7]]
    assert hand == [
        "Alice's hand",
        "┌─────┐ ┌╌╌╌╌╌┐ ┌─────┐",
        "│3    │ ╎⊗    ╎ │2    │",
        "│  3  │ ╎  4  ╎ │  2  │",
        "│    3│ ╎    ⊗╎ │    2│",
        "└─────┘ └╌╌╌╌╌┘ └─────┘",
        "1 left  locked  2 right",
    ]


def test_no_card_of_a_two_card_hand_is_locked(at: Any) -> None:
    play = at("3.4/2.3", "6/9", options="hand_size=2")
    picture = draw(GAME.view(play.state, 0))
    assert "locked" not in "\n".join(lines_of(picture))
    assert [GAME.write(spot.action) for spot in picture.spots] == ["left3", "right4"]


def test_a_card_with_a_single_action_is_a_spot(at: Any) -> None:
    usual = draw(GAME.view(at("3.4.2/2.3.5", "6/9").state, 0))
    assert [GAME.write(spot.action) for spot in usual.spots] == ["left3", "right2"]
    joker = draw(GAME.view(at("J.4.2/2.3.5", "6/9").state, 0))
    assert [GAME.write(spot.action) for spot in joker.spots] == ["right2"]
    assert "  left   locked  6 right" in "".join(lines_of(joker)), (
        "the key is the place among all choices"
    )
    large = draw(GAME.view(at("3.4.2/2.3.5", "6L/9").state, 0))
    assert large.spots == []
    waiting = draw(GAME.view(at("3.4.2/2.3.5", "6/9").state, 1))
    assert waiting.spots == []


def test_an_unrecorded_hand_is_drawn_face_down(at: Any) -> None:
    picture = draw(GAME.view(at("?.?.?/2.3.5", "6/9").state, 0))
    assert "│  ?  │ ╎  ?  ╎ │  ?  │" in "\n".join(lines_of(picture))
    assert picture.spots == []


def test_open_hands_are_shown_with_the_players(at: Any) -> None:
    lines = lines_of(draw(GAME.view(at("3.4.2/2.3.5", "6/9", options="hands=open").state, 0)))
    assert lines[-2:] == [
        "▶ a Alice    0 =   0•  on 6    played 1  10 left",
        "  b Hatter   0 =   0•  on 9    hand 2[3]5  played 1  10 left",
    ]


def test_small_and_large_pawns_and_those_in_the_hole_look_different(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5/1.2.3", "14/10L/9").state, 0)
    for viewport in (SHORT, TALL):
        picture = draw(view, viewport)
        assert "a↓" in "".join(cell(picture, view, 14, viewport))
        assert "B" in "".join(cell(picture, view, 10, viewport))
        assert "c" in "".join(cell(picture, view, 9, viewport))
    assert "│B│" in "".join(cell(draw(view, TALL), view, 10, TALL))
    assert lines_of(draw(view))[-3].startswith("▶ a Alice")
    assert "in hole" in lines_of(draw(view))[-3]
    assert lines_of(draw(view))[-2].startswith("  B Hatter")


def test_marking_a_card_shows_where_the_pawn_would_stop(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "6/9").state, 0)
    marked = draw(view, word="left3")
    assert cell(marked, view, 10) == ["╔Caterpillar╗", "║§10  →A  1•║", "╚═══════════╝"]
    assert marked.lines[1].plain[50:57] == "╔═════╗"
    other = draw(view, word="right2")
    assert "→a" in cell(other, view, 8)[1]
    assert "→" not in "".join(cell(other, view, 10))
    assert "→" not in "".join(lines_of(draw(view)))


def test_marking_shows_the_path_beyond_the_cat_and_the_cookie_passed(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "15/2").state, 0)
    assert [stop for stop, _ in foresee(view, GAME.read("left3")).stops] == [2, 5]
    picture = draw(view, word="left3")
    assert "→a→" in cell(picture, view, 3)[1]
    assert "→a" in cell(picture, view, 6)[1]
    assert "[up (3)]" in "".join(lines_of(picture))
    assert foresee(view, GAME.read("left3")).cookie is TakeCookie.FACE_UP


def test_marking_a_fall_shows_it(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "11/9").state, 0)
    assert cell(draw(view, word="left3"), view, 14)[1] == "║●14 →a↓  2•║"


def test_marking_a_card_in_the_hole_shows_the_spinner(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "14/9").state, 0)
    assert "(◉)" in "".join(lines_of(draw(view, word="left3")))
    assert "(◉)" not in "".join(lines_of(draw(view)))


def test_unavailable_actions_show_nothing(at: Any) -> None:
    play = at("3.4.2/2.3.5", "6/9")
    view = GAME.view(play.state, 0)
    assert lines_of(draw(view, word="left5")) == lines_of(draw(view))
    spinning = GAME.view(at("3.4.2/2.3.5", "4/9")("left3").state, 0)
    assert lines_of(draw(spinning, word="left3")) == lines_of(draw(spinning))


@pytest.mark.parametrize("viewport", [SHORT, TALL], ids=["short", "tall"])
def test_a_large_cookie_is_chosen_on_the_board(at: Any, viewport: Viewport) -> None:
    view = GAME.view(at("2.4.3/2.3.5", "15/9")("left2").state, 0)
    picture = draw(view, viewport)
    assert [spot.action for spot in picture.spots] == list(TakeCookie)
    drawn = {word: lines_of(draw(view, viewport, word)) for word in ("", "up", "down")}
    assert drawn["up"] != drawn["down"] != drawn[""] != drawn["up"]
    other = GAME.view(at("2.4.3/2.3.5", "15/9")("left2").state, 1)
    assert draw(other, viewport).spots == []


@pytest.mark.parametrize("viewport", [SHORT, TALL], ids=["short", "tall"])
def test_when_no_large_cookie_is_left_none_is_drawn(at: Any, viewport: Viewport) -> None:
    cookies = "2.2.2.2.3.3.3.3.4.4.4.4/5.5.5.5"
    lines = lines_of(
        draw(GAME.view(at("3.4.2/2.3.5", "6/9", cookies=cookies, up="-").state, 0), viewport)
    )
    assert "up (-)  stack 0" in "".join(lines) or "│   -   │  │   0   │ " in "".join(lines)
    assert "(2)x4 (3)x4 (4)x4" in lines[-2]


def test_a_spin_is_answered_on_the_space_or_on_the_spinner(at: Any) -> None:
    play = at("3.4.2/2.3.5", "14/9")("left3 spin3")
    view = GAME.view(play.state, 0)
    picture = draw(view)
    assert {spot.action for spot in picture.spots} == set(Answer)
    assert "[2 spin again]" in "".join(lines_of(picture))
    assert "1 go" in cell(picture, view, 3)[1]
    assert "→a→" in cell(draw(view, word="accept"), view, 3)[1]
    assert draw(view, word="again").lines != picture.lines
    assert "[2 spin again]" not in "".join(lines_of(draw(GAME.view(play.state, 1))))


@pytest.mark.parametrize("board", [*EXAMPLES, LONGEST], ids=len)
@pytest.mark.parametrize("viewport", [SHORT, TALL], ids=["short", "tall"])
def test_the_spinner_points_at_the_space_in_the_view(board: str, viewport: Viewport) -> None:
    view = GAME.view(states({"board": board}, 2, 1)[-1], 0)
    size = len(view.options.board.spaces)
    pictures = []
    for space in range(size):
        spun = replace(view, spinner=space)
        picture = draw(spun, viewport)
        around = cell(picture, spun, space + 1, viewport)
        assert (around[0][0], around[0][-1], around[-1][0], around[-1][-1]) == tuple("┏┓┗┛")
        thick = [
            number for number in range(size) if cell(picture, spun, number + 1, viewport)[0][0] == "┏"
        ]
        assert thick == [space]
        arrows = [sign for sign in "".join(lines_of(picture)[: -len(view.hands)]) if sign in "↖▲↗◀▶↙▼↘"]
        assert len(arrows) == 1
        pictures.append(lines_of(picture))
    assert all(one != other for one, other in pairwise(pictures))


def test_the_spinner_spins_and_comes_to_rest(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "14/9")("left3 spin3").state, 0)
    frames = list(terminal.frames(SpinMade(0, 2), view))
    assert 12 <= len(frames) <= 18
    assert all(one.spinner != other.spinner for one, other in pairwise([*frames, view]))
    assert frames[-1].spinner == 1
    assert {frame.stage for frame in frames} == {view.stage}
    assert len({tuple(lines_of(draw(frame))) for frame in frames}) > 9


def test_earlier_spins_are_shown_at_rest(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "14/9")("left3 spin9 spin3").state, 0)
    frames = list(terminal.frames(SpinMade(0, 8), view))
    assert [frame.spinner for frame in frames[-3:]] == [8, 8, 8]


def test_nothing_else_is_animated(at: Any) -> None:
    assert not list(terminal.frames(PawnGrew(0), GAME.view(at("3.4.2/2.3.5", "14/9").state, 0)))


def test_every_kind_has_a_symbol_and_a_word() -> None:
    assert len(set(SYMBOLS.values())) == len(set(WORDS.values())) == len(Kind)


@pytest.mark.parametrize("size", range(8, 41))
def test_every_ring_is_closed(size: int) -> None:
    for height, width in ((13, 49), (31, 108)):
        shape = shape_for(size, height, width)
        assert shape is not None
        assert shape.height <= height
        assert shape.width <= width
        boxes = shape.spaces(size)
        assert len(boxes) == size
        for one, other in pairwise([*boxes, boxes[0]]):
            beside = one.left == other.right or one.right == other.left
            above = one.bottom == other.top or one.top == other.bottom
            assert beside or above


def test_a_window_that_is_too_small_still_describes_the_situation(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "14/9").state, 0)
    assert lines_of(draw(view, Viewport(60, 9))) == [
        "It's Alice's turn.",
        "Last card: 1.",
        "Make the window larger to see the ring.",
        "hand 3[4]2",
        "▶ a Alice    0 =   0•  in hole played 1  10 left",
        "  b Hatter   0 =   0•  on 9    played 1  10 left",
    ]
    assert len(draw(GAME.view(at("3.4.2/2.3.5", "14/9").state, None), Viewport(60, 9)).lines) == 5
    assert len(draw(view, Viewport(20, 1)).lines) == 1


def test_there_is_no_spot_outside_the_screen(at: Any) -> None:
    view = GAME.view(at("3.4.2/2.3.5", "6/9").state, 0)
    picture = terminal._crop(draw(view), Viewport(76, 4))
    assert len(picture.lines) == 4
    assert picture.spots == []
