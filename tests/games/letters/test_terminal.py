"""Letters on the full screen."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from typing import Any, TypeAlias

import pytest
from rich.cells import cell_len

from wonderland.components.terminal import TextPicture, Viewport, terminal_ui_of
from wonderland.components.text_layout import fit_lines
from wonderland.engine import Match, laws
from wonderland.engine.protocol import CHANCE, Chance
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import WORD, Colour, Menace
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import EMPTY, Ending, StartWith, State, TurnCard
from wonderland.games.letters.rules.view import View
from wonderland.games.letters.ui import card_art, terminal
from wonderland.games.letters.ui.words import HOW_IT_ENDED, SHORT_NAMES

AnyMatch: TypeAlias = Match[Any, Any, Any, Any, Any]
Play: TypeAlias = Callable[..., AnyMatch]

NAMES = ["Alice", "Hatter", "Hare", "Queen"]
SMALL = Viewport(76, 17)
LARGE = Viewport(138, 36)
VIEWPORTS = [
    SMALL,
    LARGE,
    Viewport(78, 16),
    Viewport(108, 30),
    Viewport(104, 24),
    Viewport(78, 20),
    Viewport(130, 31),
]
TURNS = ("1 redL", "2 redC", "3 Hatter", "4 greenA", "5 redA")
"""The red L and C lie face down again on spaces 1 and 2; the A has been played."""
WON = ("1 redL", "2 redI", "3 redC", "4 redE", "5 redA")
MENACES = [f"{number} {menace}" for number, menace in enumerate(Menace, start=1)]

PLAYS = [*product((2, 3, 4), ("after", "first"), ("closed", "open"))]
each_play = pytest.mark.parametrize(("seats", "claim", "memory"), PLAYS)


@cache
def random_states(seats: int, claim: Any, memory: Any) -> list[State]:
    """States of one random play."""
    rng = random.Random(f"{seats} {claim} {memory}")
    colours = tuple(rng.sample(list(Colour), seats))
    options = Options(duchess=rng.random() < 0.5, claim=claim, memory=memory, colours=colours)
    match = laws.random_match(GAME, seats, options, rng)
    return [state for state, _ in match.record.states()]


def lines_of(picture: TextPicture) -> list[str]:
    return [line.plain for line in picture.lines]


def everything_shown(picture: TextPicture) -> object:
    """Return everything a screen shows of a picture."""
    lines = [(line.plain, line.style, line.spans) for line in picture.lines]
    return lines, picture.spots


def text_of(view: View, viewport: Viewport = SMALL, marked: object = None) -> str:
    return "\n".join(lines_of(terminal.draw(view, NAMES[: len(view.rails)], viewport, marked)))


def box_of(match: AnyMatch, space: int, viewport: Viewport = SMALL) -> list[tuple[str, Any]]:
    """Return the characters and styles in the spot of a space, as the seat to move sees it."""
    seat = match.turn.seats[0]
    picture = terminal.draw(match.view(seat), match.names, viewport)
    spot = next(spot for spot in picture.spots if spot.action == TurnCard(space))
    lines = picture.lines[spot.row : spot.row + spot.height]
    cut = [line.divide([spot.column, spot.column + spot.width])[1] for line in lines]
    return [(line.plain, line.spans) for line in cut]


def test_the_drawing_is_found() -> None:
    assert terminal_ui_of("letters") is terminal


@pytest.mark.slow
@pytest.mark.uncounted
@each_play
def test_every_view_fits_the_screen_and_spots_are_legal_actions(
    seats: int, claim: str, memory: str
) -> None:
    for state in random_states(seats, claim, memory):
        for seat, viewport in product((*range(seats), None), (SMALL, LARGE)):
            if not (seat is None or GAME.legal(state, seat)):
                continue  # the others see what a spectator sees
            picture = terminal.draw(GAME.view(state, seat), NAMES[:seats], viewport)
            assert len(picture.lines) <= viewport.height
            assert all(line.cell_len <= viewport.width for line in picture.lines)
            may_do = () if seat is None else GAME.legal(state, seat)
            assert tuple(spot.action for spot in picture.spots) == may_do


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
@each_play
def test_the_end_fits_every_screen(seats: int, claim: str, memory: str, viewport: Viewport) -> None:
    for state in random_states(seats, claim, memory)[-2:]:
        picture = terminal.draw(GAME.view(state, 0), NAMES[:seats], viewport)
        assert len(picture.lines) <= viewport.height
        assert all(line.cell_len <= viewport.width for line in picture.lines)


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
@pytest.mark.parametrize("name", ["W" * 60, "白" * 30], ids=["long", "wide"])
def test_names_are_truncated_to_fit(play: Play, viewport: Viewport, name: str) -> None:
    view = play(*WON, seats=4).view(0)
    for picture in (
        terminal.draw(view, [name] * 4, viewport),
        terminal.sheet(view, [name] * 4, viewport),
    ):
        assert all(line.cell_len <= viewport.width for line in picture.lines)
        assert any("…" in line for line in lines_of(picture))


def test_a_screen_that_is_too_small_gets_the_smallest_cards(play: Play) -> None:
    match = play(*TURNS)
    tiny = terminal.draw(match.view(1), match.names, Viewport(20, 5))
    assert len(tiny.lines) == 3 * terminal.SIZES[-1].height + 2
    assert len(tiny.spots) == len(match.legal(1))


@pytest.mark.uncounted
@each_play
def test_same_view_same_screen(seats: int, claim: str, memory: str) -> None:
    def screen(game: Any, state: Any, seat: int | None) -> object:
        view = game.view(state, seat)
        marked = game.legal(state, seat)[:1] if seat is not None else ()
        pictures = [terminal.draw(view, NAMES[:seats], viewport, *marked) for viewport in (SMALL, LARGE)]
        pictures.append(terminal.sheet(view, NAMES[:seats], SMALL))
        return [everything_shown(picture) for picture in pictures], terminal.rule(view)

    rng = random.Random(1)
    for state in rng.sample(random_states(seats, claim, memory), 4):
        laws.check_secrecy(GAME, seats, state, rng, [screen])


def test_a_drawing_from_the_state_is_caught(play: Play) -> None:
    def screen(game: Any, state: Any, seat: int | None) -> object:
        return everything_shown(terminal.draw(game.reveal(state), NAMES[:2], SMALL))

    with pytest.raises(laws.LawBroken):
        laws.check_secrecy(GAME, 2, play(*TURNS).state, random.Random(1), [screen])


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
def test_spots_are_separate_and_cover_their_numbers(play: Play, viewport: Viewport) -> None:
    picture = terminal.draw(play().view(0), NAMES[:2], viewport)
    assert len(picture.spots) == 27
    for one, other in combinations(picture.spots, 2):
        apart_down = one.row + one.height <= other.row or other.row + other.height <= one.row
        assert apart_down or one.column + one.width <= other.column
    for spot in picture.spots:
        lines = lines_of(picture)[spot.row : spot.row + spot.height]
        inside = [line[spot.column : spot.column + spot.width] for line in lines]
        assert (inside[0][0], inside[-1][-1]) == ("┌", "┘")
        assert any(f" {spot.action.space + 1} " in line for line in inside)
        assert spot.column + spot.width <= viewport.width


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
def test_with_closed_memory_a_card_turned_down_looks_like_any_other(
    play: Play, viewport: Viewport
) -> None:
    again, fresh = play(*TURNS), play("6 blueE", "7 blueC", "3 Hatter", "4 greenA", "5 redA")
    for space in (0, 1):
        assert box_of(again, space, viewport) == box_of(fresh, space, viewport)
        assert box_of(again, space, viewport) == box_of(play(), space, viewport)


def test_with_open_memory_it_is_marked(play: Play) -> None:
    match = play(*TURNS, memory="open")
    for space, letter in ((0, "(L♥)"), (1, "(C♥)")):
        box = [line for line, _ in box_of(match, space)]
        assert any(letter in line for line in box)
        assert any(f" {space + 1} " in line for line in box)
    assert "(" not in "".join(line for line, _ in box_of(match, 6))


def test_cards_revealed_at_the_end_are_shown(play: Play) -> None:
    assert "(L♥)" in text_of(GAME.reveal(play(*TURNS).state))


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
def test_the_marked_card_has_another_border(play: Play, viewport: Viewport) -> None:
    view = play(*TURNS).view(1)
    unmarked, marked = text_of(view, viewport), text_of(view, viewport, TurnCard(6))
    assert "┏" not in unmarked
    assert marked.count("┏") == marked.count("┛") == 1
    assert text_of(view, viewport, TurnCard(7)) != marked


def test_a_card_someone_is_turning_is_marked_for_all(play: Play) -> None:
    match = play()
    match.play(0, TurnCard(11))
    assert "┏" in text_of(match.view(1))
    assert "┃▒ 12 ▒┃" in text_of(match.view(1))
    assert "▶ Alice" in text_of(match.view(1))


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
def test_light_and_dark_differ_only_in_colour(play: Play, viewport: Viewport) -> None:
    view = play(*TURNS).view(1)
    dark, light = (
        terminal.draw(view, NAMES[:2], Viewport(viewport.width, viewport.height, on)) for on in (1, 0)
    )
    assert lines_of(dark) == lines_of(light)
    assert everything_shown(dark) != everything_shown(light)


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=str)
def test_l1_menaces_have_a_double_border_and_a_name(play: Play, viewport: Viewport) -> None:
    text = text_of(play(*MENACES).view(0), viewport)
    assert text.count("╔") == 7
    whole = viewport.width >= 9 * len("║Carpenter║")
    for menace in Menace:
        parts = fit_lines(SHORT_NAMES[menace], 9 if whole else 6)
        assert all(part in text for part in parts)
        assert "".join(parts).replace("-", "") == str(menace)


def test_letters_are_distinguished_by_symbols(play: Play) -> None:
    turns = ("1 redL", "2 blueL", "3 yellowL", "4 greenL")
    first = text_of(play(*turns, seats=4).view(0)).splitlines()[1]
    assert first.startswith("  │ █   ♥││ █   ♦││ █   ●││ █   ♣││░")
    large = text_of(play(*turns, seats=4).view(0), LARGE)
    small = text_of(play(*turns, seats=4).view(0), Viewport(76, 16))
    for symbol, colour in zip("♥♦●♣", Colour, strict=True):
        assert large.count(f"{symbol} {colour.word}") == 2  # on the card and on the rail
        assert f" L {symbol}  " in small


def test_pictures_fit_their_cards() -> None:
    for glyph in WORD:
        assert {len(row) for row in card_art.GLYPHS[glyph]} == {3}
        assert {len(row) for row in card_art.LARGE_GLYPHS[glyph]} == {6}
    for menace in Menace:
        assert cell_len(card_art.PICTURES[menace]) == terminal.SMALL - 2
        assert {cell_len(row) for row in card_art.LARGE_PICTURES[menace]} == {10}
    assert len({*card_art.PICTURES.values()}) == len(Menace)


def test_the_rails_show_placed_and_missing_letters(play: Play) -> None:
    lines = text_of(play(*TURNS).view(0)).splitlines()
    assert len(lines) == 17
    assert lines[15] == "  Alice  ♥ red     A · · · ·          ▶ Hatter ♦ blue    · · · · ·"
    assert lines[16] == "  Out of the game:  ♣ green A"
    assert lines[2].startswith("  │░ 1 ░░││░ 2 ░░│║      ║   ☆       ☆    │░ 6 ░░│")


def test_large_rails_show_cards(play: Play) -> None:
    lines = text_of(play("1 redA", "2 greenA", "3 King", seats=3).view(0), LARGE).splitlines()
    assert lines[-6].startswith("▶ Alice    ┌───┐┌╌╌╌┐┌╌╌╌┐┌╌╌╌┐┌╌╌╌┐  ")
    assert lines[-5].startswith("  ♥ red    │ A │╎ · ╎╎ · ╎╎ · ╎╎ · ╎  ")
    assert lines[-4].startswith("           └───┘└╌╌╌┘└╌╌╌┘└╌╌╌┘└╌╌╌┘  ")
    assert lines[-2].startswith("  ● yellow ╎ · ╎")
    assert lines[-2].endswith("  Out of the game:  ♣ green A")


def test_before_the_start_it_is_nobodys_turn() -> None:
    assert "▶" not in text_of(GAME.view(GAME.start(2, Options()), 0))


def test_l12_the_sheet_names_the_winner(play: Play) -> None:
    view = play(*WON).view(1)
    assert lines_of(terminal.sheet(view, NAMES[:2], SMALL)) == [
        "★ Alice  ♥ red     A L I C E  5 letters  wins",
        "  Hatter ♦ blue    · · · · ·  0 letters",
        "",
        "★ Alice turned up the missing letter.",
    ]
    assert "★ Alice" in text_of(view)
    assert "▶" not in text_of(view)


def test_the_sheet_says_how_exposed_letters_won(play: Play) -> None:
    turns = ("1 redL", "2 redI", "3 redC", "4 redE", "5 blueL", "6 redA")
    after = play(*turns, "7 blueE").view(0)
    assert lines_of(terminal.sheet(after, NAMES[:2], SMALL)) == [
        "★ Alice  ♥ red     A L I C E  5 letters  wins",
        "  Hatter ♦ blue    · · · · ·  0 letters",
        "",
        "★ Alice had the missing letters face up and didn't meet a menace.",
    ]
    first = play(*turns, claim="first").view(0)
    last = lines_of(terminal.sheet(first, NAMES[:2], SMALL))[-1]
    assert last == f"★ {HOW_IT_ENDED[Ending.CLAIMED_FIRST].format(who='Alice')}"


def test_the_sheet_of_an_unfinished_play_names_no_winner(play: Play) -> None:
    lines = lines_of(terminal.sheet(play(*TURNS).view(0), NAMES[:2], SMALL))
    assert lines == [
        "  Alice  ♥ red     A · · · ·  1 letter",
        "▶ Hatter ♦ blue    · · · · ·  0 letters",
    ]


def test_the_relevant_rule_is_named(play: Play) -> None:
    def rule(match: AnyMatch) -> str:
        return terminal.rule(match.view(0))

    assert terminal.rule(GAME.view(GAME.start(2, Options()), 0)) == "L4"
    match = play()
    assert rule(match) == "L5"
    match.play(0, TurnCard(3))
    assert rule(match) == "L6"
    assert rule(play("1 blueA")) == "L9"
    assert rule(play("1 blueE")) == "L10"
    assert rule(play("1 blueE", "2 redL", "3 Hare")) == "L10"
    assert rule(play("1 redE")) == "L5"
    assert rule(play(*WON)) == "L12"


def card_after_keys(view: View, start: int, *directions: str) -> int:
    """Return the card reached from another by these keys; cards are numbered as on the screen."""
    marked = TurnCard(start - 1)
    for direction in directions:
        marked = terminal.step(view, marked, direction)
    return marked.space + 1


def test_arrow_keys_move_over_the_board(play: Play) -> None:
    view = play().view(0)
    ways = {"right": 14, "left": 12, "up": 4, "down": 22}
    assert {direction: card_after_keys(view, 13, direction) for direction in ways} == ways
    assert card_after_keys(view, 9, "right") == 10
    assert card_after_keys(view, 1, "left") == 27
    assert card_after_keys(view, 4, "up") == 22
    assert card_after_keys(view, 22, "down") == 4


def test_arrow_keys_skip_face_up_cards(play: Play) -> None:
    view = play("14 blueE", "13 redE").view(0)
    assert card_after_keys(view, 12, "right") == 15
    assert card_after_keys(view, 15, "left") == 12
    assert card_after_keys(view, 4, "down") == 22  # straight on rather than sideways
    assert card_after_keys(play("4 redE").view(0), 13, "up") == 3  # sideways rather than over the edge


def test_arrow_keys_stay_where_there_is_nowhere_to_go(play: Play) -> None:
    view = play().view(0)

    def with_cards(count: int) -> View:
        spaces = view.spaces[:count] + (EMPTY,) * (27 - count)
        return View(0, view.stage, view.options, spaces, view.rails, ())

    assert card_after_keys(with_cards(9), 5, "down") == card_after_keys(with_cards(9), 5, "up") == 5
    assert card_after_keys(with_cards(1), 1, "left") == card_after_keys(with_cards(1), 1, "right") == 1


@each_play
def test_every_card_can_be_reached_by_arrow_keys(seats: int, claim: str, memory: str) -> None:
    for state, seat in product(random_states(seats, claim, memory)[::5], range(seats)):
        legal, view = GAME.legal(state, seat), GAME.view(state, seat)
        for action, direction in product(legal, ("left", "right", "up", "down")):
            assert terminal.step(view, action, direction) in legal
        assert [terminal.step(view, action, "right") for action in legal] == [*legal[1:], *legal[:1]]


def test_nothing_is_animated_on_its_own() -> None:
    state = GAME.start(2, Options())
    assert isinstance(GAME.turn(state), Chance)
    begun = GAME.apply(state, CHANCE, StartWith(0))
    assert not [*terminal.frames(begun.events[0], GAME.view(begun.state, 0))]
