"""Captions: each decision in one sentence, with what it cost."""

from __future__ import annotations

import random
from typing import Any

import pytest

from support.game_variants import all_variants
from wonderland.components.captions import sum_up
from wonderland.engine import Match, game, game_names
from wonderland.engine.language import ENGLISH
from wonderland.engine.laws import random_match
from wonderland.engine.protocol import CHANCE, FACE_DOWN
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.events import (
    CardPlayed,
    CookieTaken,
    FellIntoHole,
    PawnMoved,
    SmallCookiesTaken,
    SpinMade,
)
from wonderland.games.cookies.rules.notation import read
from wonderland.games.cookies.rules.state import TakeCookie
from wonderland.games.cookies.ui import captions as cookies
from wonderland.games.letters.rules.components import Colour, Letter
from wonderland.games.letters.rules.events import LettersPlayed
from wonderland.games.letters.ui import captions as letters
from wonderland.games.parade.rules.events import CardDrawn, CardsTaken, LastRoundBegan
from wonderland.games.parade.rules.scoring import totals
from wonderland.games.parade.rules.state import Ending

NAMES = ("Alice", "Bill", "Dinah", "Ada")


def decisions(name: str, seed: int) -> Any:
    """Yield the match after each decision of a random game, with the events of that decision."""
    seats, options = next(each for each in all_variants(name) if each[0] > 2)
    match = random_match(game(name), seats, options, random.Random(seed))
    starts = [n for n, move in enumerate(match.moves) if move.actor is not CHANCE]
    for start, end in zip(starts, [*starts[1:], len(match.moves)], strict=True):
        after = Match.resume(match.record, upto=end)
        yield (
            after,
            [after.game.witness(each, None) for each in after.events[match.before_move(start) :]],
        )


@pytest.mark.parametrize("name", game_names())
def test_every_decision_has_a_caption(name: str) -> None:
    for match, events in decisions(name, 3):
        seen = [event for event in events if event is not None]
        summary = sum_up(name, seen, match.view(None), NAMES, ENGLISH)
        assert summary.caption
        assert len(summary.more) == len(summary.sentences)


def test_a_caption_of_parade_tells_the_change_of_the_score() -> None:
    for match, events in decisions("parade", 5):
        taken = [card for event in events if isinstance(event, CardsTaken) for card in event.cards]
        caption = sum_up("parade", events, match.view(None), NAMES, ENGLISH).caption
        if not taken:
            assert caption.endswith(("took nothing.", "keeps two cards."))
            continue
        seat = next(event.seat for event in events if isinstance(event, CardsTaken))
        zones = list(match.state.zones)
        cost = totals(zones)[seat]
        zones[seat] = tuple(card for card in zones[seat] if card not in taken)
        cost -= totals(zones)[seat]
        assert caption.endswith(f": {cost:+}".replace("-", "\N{MINUS SIGN}"))


def test_captions_of_cookies_tell_where_the_pawn_went_and_what_it_got() -> None:
    play = CardPlayed(1, read("left4"))
    plain, party = (
        PawnMoved(1, 2, 6, Kind.PLAIN, 0, passed=False),
        PawnMoved(1, 9, 0, Kind.TEA_PARTY, 0, passed=False),
    )
    cookie, small = CookieTaken(1, 5, TakeCookie.FACE_UP), SmallCookiesTaken(1, 2)

    def told(*events: Any) -> str | None:
        return cookies.caption(events, None, NAMES, ENGLISH)

    assert told(play, plain) == "Bill played 4 and moved to space 7."
    assert told(play, plain, small) == "Bill played 4 and moved to space 7: +2"
    large = CardPlayed(1, read("left4+1"))
    assert told(large, plain) == "Bill played 4+1 and moved to space 7."
    assert told(party) == "Bill moved to space 1, Tea Party."
    assert told(party, cookie, small) == "Bill moved to space 1, Tea Party: +7"
    assert told(cookie) == "Bill takes the face-up cookie, worth 5."
    assert told(play, plain, FellIntoHole(1)) == "Bill falls down the Rabbit Hole."
    assert told(play, SpinMade(1, 4)) is None, "the card is the news"
    spun = told(SpinMade(1, 4))
    assert spun is not None
    assert "Bill" in spun
    assert "5" in spun


def test_captions_of_letters_count_the_letters_of_the_player() -> None:
    view = random_match(game("letters"), 2, game("letters").options_type(), random.Random(1)).view(None)
    played = LettersPlayed(1, (Letter(Colour.RED, 0), Letter(Colour.RED, 1)), (3, 4))
    caption = letters.caption([played], view, NAMES, ENGLISH)
    assert caption == f"Bill played A-L: {view.rails[1]} of 5"


@pytest.mark.parametrize("captions", [cookies, letters])
def test_nothing_happened_has_no_caption(captions: Any) -> None:
    assert captions.caption((), None, NAMES, ENGLISH) is None


def test_without_a_caption_the_first_sentence_is_shown() -> None:
    events = [LastRoundBegan(1, Ending.EMPTY_PILE), CardDrawn(1, FACE_DOWN)]
    summary = sum_up("parade", events, None, NAMES, ENGLISH)
    assert summary.caption == summary.sentences[0]
    assert summary.more == (False, True)
    assert sum_up("parade", [], None, NAMES, ENGLISH).caption == ""
