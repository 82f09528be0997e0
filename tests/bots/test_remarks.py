"""Remarks of the bots: few, fitting, and decided by what everyone can see."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from support.game_variants import all_variants
from wonderland.bots.characters import find_character
from wonderland.bots.remarks import Remark, last_remark
from wonderland.components.company import Moment
from wonderland.engine import Match, game, game_names
from wonderland.engine.laws import random_match
from wonderland.engine.protocol import CHANCE, Over
from wonderland.engine.record_reader import AnyMatch
from wonderland.games.cookies.bots import company as cookies
from wonderland.games.cookies.rules import events as baked
from wonderland.games.cookies.rules.state import TakeCookie
from wonderland.games.letters.bots import company as letters
from wonderland.games.letters.rules import events as turned
from wonderland.games.letters.rules.components import Colour as Ink
from wonderland.games.letters.rules.components import Letter
from wonderland.games.parade.bots import company as parade
from wonderland.games.parade.rules.components import Card, Colour
from wonderland.games.parade.rules.events import CardsTaken

CAST = ("Dodo", "Queen", "Walrus", "King", "Duchess", "Hatter")


def remarks_of(match: AnyMatch, bots: dict[int, str]) -> list[tuple[int, Remark]]:
    """Return all remarks in the course of a game, each with the number of its decision."""
    decisions = [n for n, move in enumerate(match.moves) if move.actor is not CHANCE]
    ends = [*decisions[1:], len(match.moves)]
    found = [last_remark(Match.resume(match.record, upto=end), bots) for end in ends]
    return [(number, remark) for number, remark in enumerate(found, start=1) if remark is not None]


@pytest.mark.parametrize("name", game_names())
def test_remarks_are_few_and_in_character(name: str) -> None:
    heard = 0
    for seed in range(4):
        seats, options = next(each for each in all_variants(name) if each[0] > 2)
        match = random_match(game(name), seats, options, random.Random(seed))
        bots = dict(enumerate(CAST[1:seats], start=1))
        remarks = remarks_of(match, bots)
        kinds = [(remark.seat, remark.occasion) for _, remark in remarks]
        assert len(set(kinds)) == len(kinds), "each at most once a game"
        assert 0 not in {seat for seat, _ in kinds}, "people speak for themselves"
        for number, remark in remarks:
            character = find_character(name, bots[remark.seat])
            assert character is not None
            assert remark.text == character.remarks[remark.occasion]
            is_last = number == match.decisions
            assert (remark.occasion in ("won", "lost")) == is_last
        middle = [number for number, _ in remarks if number < match.decisions]
        assert all(after - before >= seats for before, after in pairwise(middle))
        heard += len(middle)
        assert isinstance(match.turn, Over)
        places = match.turn.result.places
        speaker = remarks[-1][1]
        assert (places[speaker.seat] == 1) == (speaker.occasion == "won")
    assert heard, "something remarkable happens now and then"


def test_a_table_without_bots_is_silent() -> None:
    match = random_match(game("parade"), 2, game("parade").options_type(), random.Random(1))
    assert remarks_of(match, {}) == []
    assert last_remark(match, {1: "Bill"}) is None, "no character"
    assert last_remark(Match.resume(match.record, upto=0), {1: "Queen"}) is None


def cards(colour: Colour, *values: int) -> tuple[Card, ...]:
    return tuple(Card.of(colour, value) for value in values)


def test_a_long_line_of_cards_hurts_and_a_majority_pleases() -> None:
    events = [
        None,
        CardsTaken(0, cards(Colour.RED, 1, 2)),
        CardsTaken(1, cards(Colour.RED, 8, 9)),  # 17 points
        CardsTaken(1, cards(Colour.RED, 0)),  # three to two
        CardsTaken(0, cards(Colour.BLUE, 0, 1, 2, 3)),  # nobody else has any
    ]
    assert list(parade.moments(events)) == [
        Moment(2, 1, "setback"),
        Moment(3, 1, "success"),
        Moment(4, 0, "setback"),
    ]


def test_letters_played_and_lost_are_remarkable() -> None:
    two = (Letter(Ink.RED, 0), Letter(Ink.RED, 1))
    events = [
        turned.LettersTurnedDown(two, (3, 4)),  # before anyone turned a card: nobody's fault
        turned.CardTurned(1, 0, two[0]),
        turned.LettersPlayed(1, two, (0, 1)),
        turned.LettersPlayed(1, two[:1], (0,)),
        turned.LettersTurnedDown(two, (3, 4)),
    ]
    assert list(letters.moments(events)) == [Moment(2, 1, "success"), Moment(4, 1, "setback")]


def test_falls_and_rich_cookies_are_remarkable() -> None:
    events = [
        baked.FellIntoHole(0),
        baked.StayedInHole(0),
        baked.CookieTaken(1, 5, TakeCookie.FACE_UP),
        baked.CookieTaken(1, 2, TakeCookie.FACE_UP),
        baked.SmallCookiesTaken(1, 3),
        baked.SmallCookiesTaken(1, 1),
    ]
    assert [(each.event, each.occasion) for each in cookies.moments(events)] == [
        (0, "setback"),
        (1, "setback"),
        (2, "success"),
        (4, "success"),
    ]
