"""Cookies: what an action is certain to do, whatever cookies are turned up on the way."""

from __future__ import annotations

from typing import Any

from wonderland.games.cookies import GAME
from wonderland.games.cookies.rules.events import CookieTurnedUp, SentOn
from wonderland.games.cookies.rules.rules import certain_step
from wonderland.games.cookies.rules.state import Drawing


def test_c10_the_way_past_the_tea_party_is_certain_when_the_stack_has_one_kind(at: Any) -> None:
    taken = "2.2.2.2.3.3.3.4.4.4.4/5.5"  # a 3 is face up, and the stack has two of 5
    state = at("3.4.2/2.3.5", "16/9", cookies=taken).state
    after, events = certain_step(state, 0, GAME.read("left3"))
    assert after.larder.large[0] == (2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4)
    assert [event for event in events if isinstance(event, CookieTurnedUp)] == [CookieTurnedUp(5)]
    assert SentOn(0, 3) in events  # C16: it stopped on the Cheshire Cat
    assert after.pawns == (5, 8)
    assert after.stage == Drawing(0)
