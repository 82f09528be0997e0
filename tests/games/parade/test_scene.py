"""Parade in the browser: a scene for every state, a button for every legal action, its marks."""

from __future__ import annotations

import random
from typing import Any

import pytest

from support.html import HtmlChecker
from wonderland.components.scene import SceneContext
from wonderland.engine import Acting, Match, Over, laws
from wonderland.engine.language import ENGLISH
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK
from wonderland.games.parade.rules.events import CardPlayed, CardsTaken
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.state import Keeping, PlayCard
from wonderland.games.parade.ui.scene import scene
from wonderland.games.parade.ui.score_pad import pad
from wonderland.web.rendering import render_scene

NAMES = ("Alice", "Hatter", "Hare", "<Queen>", "Bill", "Dinah")


def page(view: Any, legal: Any, last: Any, seats: int) -> HtmlChecker:
    """Render the scene as a browser gets it."""
    setting = SceneContext(NAMES[:seats], tuple(legal), tuple(last), ENGLISH)
    return HtmlChecker(str(render_scene(GAME, view, setting)))


def check_page(match: Any, seat: int | None, last: Any) -> None:
    """Check what holds for a page in every state."""
    legal = () if seat is None else match.legal(seat)
    seen = [event for event in (GAME.witness(event, seat) for event in last) if event is not None]
    found = page(match.view(seat), legal, seen, len(match.names))
    assert found.wrong == []
    plays = {button["data-play"]: button for button in found.buttons if "data-play" in button}
    assert sorted(plays) == sorted(map(GAME.write, legal))
    for action in legal:
        if isinstance(action, PlayCard):
            check_marks(plays[GAME.write(action)]["data-marks"], match.state.parade, action.card)


def check_marks(marks: Any, parade: Any, card: Any) -> None:
    """Cards marked as taken are taken, and every card of the parade is described."""
    said = dict(word.split(":") for word in marks.split())
    assert list(said) == [str(other) for other in parade]
    leaving, _ = split_parade(parade, card)
    assert [name for name, kind in said.items() if kind == "taken"] == [str(other) for other in leaving]


def test_all_pairs_with_the_fewest_points_are_marked_as_lowest() -> None:
    ties = 0
    for seed in range(20):
        match = laws.random_match(GAME, 2, GAME.options_type(), random.Random(seed))
        while not isinstance(match.state.stage, Keeping):
            match.rewind(len(match.moves) - 1)
        for seat in match.turn.seats:
            setting = SceneContext(NAMES[:2], tuple(match.legal(seat)), (), ENGLISH)
            pairs = scene(match.view(seat), setting)["pairs"]
            points = [pair["points"] for pair in pairs]
            assert [pair["is_lowest"] for pair in pairs] == [each == min(points) for each in points]
            ties += points.count(min(points)) > 1
    assert ties


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_state_of_a_play_renders_for_everyone(seats: int) -> None:
    rng = random.Random(seats)
    match = laws.random_match(GAME, seats, GAME.options_type(), rng)
    again: Any = Match(GAME, seats)
    before = 0
    for move in match.moves:
        again.apply(move.actor, move.action)
        if isinstance(again.turn, Acting):
            last, before = again.events[before:], len(again.events)
            check_page(again, rng.choice([*range(seats), None, *again.turn.seats]), last)
    for seat in (*range(seats), None):
        check_page(again, seat, again.events[before:])
    assert page(GAME.reveal(again.state), (), (), seats).wrong == []


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_finale_reveals_every_kept_card_and_counts_every_point(seats: int) -> None:
    match = laws.random_match(GAME, seats, GAME.options_type(), random.Random(seats))
    names = NAMES[:seats]
    assert isinstance(match.turn, Over)
    setting = SceneContext(names, (), tuple(match.events)[-2:], ENGLISH)
    beats = scene(match.view(0), setting)["finale"]
    kinds = [beat["kind"] for beat in beats]
    assert kinds == sorted(kinds, key=["reveal", "flip", "count"].index)
    assert kinds.count("reveal") == seats
    pieces = {piece for beat in beats for piece in beat.get("pieces", ())}
    assert len(pieces) == 2 * seats
    drawn = str(render_scene(GAME, match.view(0), setting))
    for piece in pieces:
        assert f'data-reveal="{piece}"' in drawn
        assert f'data-piece="{piece}"' in drawn
    totals = [0] * seats
    for beat in beats:
        for seat, points in beat.get("points", ()):
            totals[seat] += points
            assert f'data-stack="{seat}-{beat["figure"]}"' in drawn
    assert tuple(totals) == match.turn.result.scores
    assert scene(match.view(0), SceneContext(names, (), (), ENGLISH))["finale"] == []


def test_the_score_pad_has_every_card_once() -> None:
    colours = pad(ENGLISH)["colours"]
    assert [card["number"] for colour in colours for card in colour["cards"]] == list(map(int, DECK))
    assert {card["value"] for colour in colours for card in colour["cards"]} == set(range(11))


POSITION = (
    "parade stage=play turn=2 hands=R10.B9.P4.G6.O10/?.?.?.?.? parade={parade} zones={zones} "
    "ending=- left=- kept=-"
)


LINE = "Y5.B7.O8.O3.P10.B5"


def context(parade: str, zones: str, last: tuple[Any, ...]) -> dict[str, Any]:
    """Return the template context of a position with two players after some events."""
    line = POSITION.format(parade=parade, zones=zones)
    view = GAME.view(GAME.read_position(line), 0)
    return scene(view, SceneContext(NAMES[:2], (), last, ENGLISH))


@pytest.mark.parametrize(
    ("zones", "taken", "mood"),
    [("R8.G1/-", "R8", "dismayed"), ("R8.R3/-", "R3", "pleased"), ("Y1/-", "Y1", ""), ("Y1/-", "", "")],
)
def test_a_face_shows_what_a_move_cost(zones: str, taken: str, mood: str) -> None:
    cards = tuple(card for card in DECK if str(card) == taken)
    played = CardPlayed(0, next(card for card in DECK if str(card) == "B2"))
    found = context("Y5.B1.O8.O3.P10.B2", zones, (played, *([CardsTaken(0, cards)] if taken else [])))
    assert [player["mood"] for player in found["players"]] == ["", mood]


def test_the_beats_name_what_was_laid_counted_and_taken() -> None:
    played = CardPlayed(0, next(card for card in DECK if str(card) == "B2"))
    taken = CardsTaken(0, tuple(card for card in DECK if str(card) == "R1"))
    assert context("Y5.B7.O8.O3.P10.B2", "R1/-", ())["beats"] is None
    beats = context("Y5.B7.O8.O3.P10.B2", "R1/-", (played,))["beats"]
    assert beats["marks"] == "P10:safe O3:safe Y5:stays B7:stays O8:stays"
    beats = context("Y5.B7.O8.O3.P10.B2", "R1/-", (played, taken))["beats"]
    assert (beats["lay"], beats["card"]["id"], beats["from"]) == ("B2", "B2", "hand-0")
    assert beats["marks"] == "P10:safe O3:safe Y5:stays B7:stays O8:stays R1:taken"


def test_many_taken_cards_lie_in_columns() -> None:
    few, many = context(LINE, "R1.R2/-", ()), context(LINE, "R1.R2.B1.B2.P1.P2.G1.G2/-", ())
    assert [player["in_columns"] for player in few["players"]] == [False, False]
    assert [player["in_columns"] for player in many["players"]] == [False, True]
