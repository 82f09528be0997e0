"""Parade on the full screen: it fits, shows what it should, and leaks nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rich.cells import cell_len

from support.paths import RECORDS
from wonderland.components.terminal import TextPicture, Viewport
from wonderland.engine import Match, Seeded, laws, read_record
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK, Colour
from wonderland.games.parade.rules.notation import read_card
from wonderland.games.parade.rules.state import KeepCards, PlayCard
from wonderland.games.parade.ui.terminal import (
    LARGE,
    MEDIUM,
    SMALL,
    SYMBOLS,
    box,
    draw,
    frames,
    label,
    rule,
    sheet,
)

VIEWPORT = Viewport(76, 17)
WIDE = Viewport(138, 36)
NAMES = ["Alice", "Hatter", "Cheshire", "Queen", "Dodo", "Rabbit"]
OURS = RECORDS / "parade"


def text_in(picture: TextPicture) -> str:
    return "\n".join(line.plain.rstrip() for line in picture.lines)


def everything_shown(picture: TextPicture) -> object:
    return [(line.plain, line.spans) for line in picture.lines], picture.spots


@pytest.mark.parametrize("seats", GAME.info.seats)
@pytest.mark.parametrize("viewport", [VIEWPORT, WIDE], ids=["80x24", "140x45"])
def test_every_view_of_a_play_fits_the_screen(seats: int, viewport: Viewport) -> None:
    match = laws.random_match(GAME, seats, GAME.options_type(), random.Random(seats))
    for state, move in list(match.record.states())[::3]:
        for seat in (0, None):
            marked = move.action if move and move.actor == seat else None
            picture = draw(GAME.view(state, seat), NAMES[:seats], viewport, marked)
            assert len(picture.lines) <= viewport.height
            assert max(line.cell_len for line in picture.lines) <= viewport.width
            assert rule(GAME.view(state, seat)).startswith("P")
        opened = draw(GAME.reveal(state), NAMES[:seats], viewport, None)
        assert len(opened.lines) <= viewport.height
        assert max(line.cell_len for line in opened.lines) <= viewport.width


def test_exactly_the_open_hands_are_drawn() -> None:
    record = read_record((OURS / "3-players-sixth-colour.record").read_text()).whole
    state = Match.resume(record, upto=40).state
    found = text_in(draw(GAME.reveal(state), NAMES[:3], VIEWPORT)).partition("Hands\n")[2].split()
    wanted = []
    for name, hand in zip(NAMES, state.hands, strict=False):
        values = {card: "T" if card.value == 10 else str(card.value) for card in hand}
        wanted += [name, *(f"{SYMBOLS[card.colour]}{value}" for card, value in values.items())]
    assert found == wanted
    noted = read_record((OURS / "noted-by-the-hatter.record").read_text()).whole
    seen = text_in(draw(GAME.reveal(Match.resume(noted, upto=40).state), NAMES[:3], VIEWPORT))
    assert "Hatter " in seen.partition("Hands\n")[2]
    assert "Alice" not in seen.partition("Hands\n")[2]
    assert "Hands" not in text_in(draw(GAME.view(state, None), NAMES[:3], VIEWPORT))


def test_a_parade_of_18_cards_and_six_players_is_readable_at_80_by_24() -> None:
    taken = [DECK[n] for n in range(0, 60, 2)]
    parade = [card for card in DECK if card not in taken][:18]
    line = (
        f"parade stage=play turn=1 hands={'/'.join(['?.?.?.?.?'] * 6)} "
        f"parade={'.'.join(map(str, parade))} zones={taken[0]}.{taken[8]}/-/-/-/-/- "
        "ending=- left=- kept=-"
    )
    state = GAME.read_position(line)
    text = text_in(draw(GAME.view(state, None), NAMES, VIEWPORT, None))
    assert len(text.split("\n")) <= VIEWPORT.height
    for card in parade:
        value = "T" if card.value == 10 else str(card.value)
        assert f"│{SYMBOLS[card.colour]}{value}│" in text


EXAMPLE = (
    "parade stage=play turn=1 hands=R7.G3.Y8.O9.O10/?.?.?.?.? parade=P5.G0.G7.R3.P7.R1.G4 "
    "zones=R2.R10/B5 ending=- left=- kept=-"
)


def test_the_preview_shows_what_a_card_would_take() -> None:
    view = GAME.view(GAME.read_position(EXAMPLE), 0)
    text = text_in(draw(view, NAMES[:2], VIEWPORT, PlayCard(read_card("G3")))).split("\n")
    notes = next(line for line in text if "▲" in line)
    assert notes.split() == ["-", "▲", "▲", "▲", "safe", "·", "·"]
    unmarked = text_in(draw(view, NAMES[:2], VIEWPORT, None))
    assert "▲" not in unmarked
    assert "new" in unmarked
    everything_safe = text_in(draw(view, NAMES[:2], VIEWPORT, PlayCard(read_card("O10"))))
    assert everything_safe.count("▲") == 1  # in the legend
    assert "-  " not in everything_safe.split("\n")[5]


def test_marking_a_card_changes_its_frame() -> None:
    view = GAME.view(GAME.read_position(EXAMPLE), 0)
    one = draw(view, NAMES[:2], VIEWPORT, PlayCard(read_card("G3")))
    two = draw(view, NAMES[:2], VIEWPORT, PlayCard(read_card("R7")))
    assert everything_shown(one) != everything_shown(two)
    assert one.spots == two.spots


def test_exactly_the_cards_of_the_hand_are_spots() -> None:
    state = GAME.read_position(EXAMPLE)
    picture = draw(GAME.view(state, 0), NAMES[:2], VIEWPORT, None)
    assert [spot.action for spot in picture.spots] == list(GAME.legal(state, 0))
    for spot in picture.spots:
        assert picture.action_at(spot.row, spot.column) == spot.action
        below, behind = spot.row + spot.height, spot.column + spot.width
        assert picture.action_at(spot.row + 1, behind - 1) == spot.action
        assert picture.action_at(below, spot.column) is None
        assert picture.action_at(spot.row, behind) != spot.action
    assert draw(GAME.view(state, None), NAMES[:2], VIEWPORT, None).spots == []


def test_the_pile_is_a_stack_with_the_number_of_cards_left() -> None:
    view = GAME.view(GAME.read_position(EXAMPLE), 0)
    first = text_in(draw(view, NAMES[:2], VIEWPORT, None)).split("\n")
    assert any(str(view.pile) in line and "│││" in line for line in first)


@pytest.mark.parametrize("size", [LARGE, MEDIUM, SMALL])
def test_a_card_shows_its_suit_without_colour(size: Any) -> None:
    drawn = {}
    for colour in Colour:
        card = next(card for card in DECK if card.colour is colour and card.value == 10)
        lines = box(card, size, VIEWPORT)
        assert {line.cell_len for line in lines} == {size.width}
        assert len(lines) == size.height
        text = "\n".join(line.plain for line in lines)
        assert text.count("T") == (1 if size == SMALL else 2)
        assert SYMBOLS[colour] in text
        drawn[text] = colour
    assert len(drawn) == 6


def test_the_two_cards_to_keep_are_marked() -> None:
    state = GAME.read_position(
        "parade stage=keep turn=- hands=R1.R2.R3.R4/B1.B2.B3.B4 parade=G5.G6.G7.G8 "
        "zones=R0.B0.P0.G0.Y0.O0/O10 ending=sixth-colour left=- kept=-/-"
    )
    view = GAME.view(state, 0)
    picture = draw(view, NAMES[:2], VIEWPORT, KeepCards(read_card("R1"), read_card("R4")))
    assert "keep 2 of these" in text_in(picture)
    assert label(view, KeepCards(read_card("R1"), read_card("R4"))) == "♥1 ♥4 = 3"
    assert label(GAME.view(state, None), KeepCards(read_card("R1"), read_card("R4"))) == "♥1 ♥4"
    assert label(view, PlayCard(read_card("R1"))) == "♥1"
    assert picture.spots == []
    assert everything_shown(picture) != everything_shown(draw(view, NAMES[:2], VIEWPORT, None))
    assert rule(view) == "P11"


def test_long_names_and_wide_characters_stay_aligned() -> None:
    view = GAME.view(GAME.read_position(EXAMPLE), 0)
    for names in (["A" * 40, "B"], ["爱丽丝", "Hatter"]):
        lines = [line.plain for line in draw(view, names, VIEWPORT, None).lines]
        zones = [line for line in lines if "♥2" in line or "♦5" in line]
        assert len(zones) == 2
        points = [cell_len(line[: line.index(" ♥" if "♥" in line else " ♦")]) for line in zones]
        assert points[0] == points[1]


def test_light_and_dark_have_their_own_colours() -> None:
    view = GAME.view(GAME.read_position(EXAMPLE), 0)
    dark = everything_shown(draw(view, NAMES[:2], Viewport(76, 17, dark=True), None))
    light = everything_shown(draw(view, NAMES[:2], Viewport(76, 17, dark=False), None))
    assert dark != light


def test_the_score_sheet_of_the_rulebook_example() -> None:
    zones = (
        "R3.R8.R10.B0.B5.B6.B7.B9.P0.G2.G4.Y0.Y4.Y7/R0.R1.B8.P3.P5.P7.P8.Y1.Y8.Y9.O1.O10/"
        "R2.R5.R6.R7.B3.B4.P1.P2.G6.G7.G8.G9.Y10.O0.O2.O3"
    )
    state = GAME.read_position(
        f"parade stage=over turn=- hands=R4.R9/B1.B2/B10.P4 parade=P6.O4.O5.O6.O7 zones={zones} "
        "ending=sixth-colour left=- kept=-"
    )
    view = GAME.view(state, None)
    text = text_in(sheet(view, NAMES[:3], WIDE))
    assert "0 5 6 7 9=5*" in text
    assert [line.split()[-1] for line in text.split("\n")[1:4]] == ["35", "27", "31"]
    assert "-" in text
    narrow = text_in(sheet(view, NAMES[:3], VIEWPORT))
    assert "0 5 6 7 9" not in narrow
    assert narrow.split("\n")[1].split() == ["Alice", "21", "5*", "0", "6", "3*", "-", "35"]
    assert rule(view) == "P12"
    assert not draw(view, NAMES[:3], VIEWPORT, None).spots


def test_the_relevant_rule_is_named() -> None:
    record: Any = read_record((OURS / "2-players-sixth-colour.record").read_bytes()).whole
    rules = [rule(GAME.view(state, 0)) for state, _ in record.states()]
    assert set(rules) == {"P3", "P5", "P7", "P9", "P11", "P13"}


def test_nothing_is_animated_on_its_own() -> None:
    match = Match(GAME, 2, chance=Seeded(1))
    assert [frame for event in match.events for frame in frames(event, match.view(0))] == []


@pytest.mark.uncounted
def test_a_seats_drawing_reveals_nothing_hidden() -> None:
    def drawn(_: Any, state: Any, seat: int | None) -> object:
        return everything_shown(draw(GAME.view(state, seat), NAMES[:4], VIEWPORT, None))

    for seed in range(5):
        laws.check_all(GAME, 4, GAME.options_type(), random.Random(seed), [drawn])


def test_where_nothing_fits_the_smallest_cards_are_drawn() -> None:
    view = GAME.view(GAME.read_position(EXAMPLE), 0)
    assert everything_shown(draw(view, NAMES[:2], Viewport(30, 3), None)) == everything_shown(
        draw(view, NAMES[:2], Viewport(30, 1), None)
    )


def test_a_spectator_of_a_handwritten_play_sees_no_hand() -> None:
    state = GAME.read_position(EXAMPLE)
    assert "hand" not in text_in(draw(GAME.view(state, None), NAMES[:2], VIEWPORT, None))
    unknown = GAME.read_position(EXAMPLE.replace("R7.G3.Y8.O9.O10", "?.?.?.?.?"))
    assert "hand" not in text_in(draw(GAME.view(unknown, 0), NAMES[:2], VIEWPORT, None))


def test_every_colour_has_its_own_mark_and_picture() -> None:
    assert len(set(SYMBOLS.values())) == len(SYMBOLS) == len(Colour)
    ones = [card for card in DECK if card.value == 1]
    drawn = {tuple(line.plain for line in box(card, LARGE, Viewport(80, 24))) for card in ones}
    assert len(drawn) == len(ones) == len(Colour)
