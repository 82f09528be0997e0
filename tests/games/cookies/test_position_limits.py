"""Cookies: positions at the edge of what is possible, where one fact is enough to make them wrong."""

from __future__ import annotations

from typing import Any

import pytest

from wonderland.engine import NotationError

ELEVEN = "1.1.2.2.3.3.4.4.5.5.J"
NOBODY_PLAYED = {"played": "-/-", "last": "-"}
SECOND_PLAYED = {"hands": "3.4.2/2.3.5", "played": "-/1", "pawns": "1/9"}
HOLE = {"hands": "4.2/2.3.5", "played": "1.3/1", "pawns": "14/9", "last": "left3"}


def refused(at: Any, reason: str, **facts: str) -> None:
    with pytest.raises(NotationError, match=reason):
        at(**facts)


@pytest.mark.parametrize("hands", ["3/-", "-/3"])
def test_c6_one_card_is_dealt_too_soon(at: Any, hands: str) -> None:
    facts = NOBODY_PLAYED | {"stage": "start", "turn": "-", "pawns": "1/1", "up": "-"}
    at(**facts, hands="-/-")
    refused(at, r"the cards are dealt later \(rule C6\)", **facts, hands=hands)


@pytest.mark.parametrize("cookies", [{"cookies": "2/-"}, {"small": "1/0"}])
def test_c5_cookies_of_either_size_take_a_turn(at: Any, cookies: dict[str, str]) -> None:
    at(**SECOND_PLAYED)
    refused(at, r"player 1 hasn't had a turn yet, but .*\(rule C5\)", **SECOND_PLAYED | cookies)


def test_c18_a_card_that_walked_gives_no_spins(at: Any) -> None:
    facts = HOLE | {"stage": "climb", "spins": "3", "options": "kind_hole=true"}
    at(**facts)
    refused(at, r"doesn't allow that many spins \(rule C18\)", **facts | {"last": "left3/walk"})


@pytest.mark.parametrize("player", [0, 1])
def test_c19_a_game_is_not_over_while_one_player_has_cards(at: Any, player: int) -> None:
    facts = {"stage": "over", "turn": "-", "pawns": "4/9"}
    at(**facts, hands="-/-", played=f"{ELEVEN}/{ELEVEN}")
    hands, played = ["-", "-"], [ELEVEN, ELEVEN]
    hands[player], played[player] = "J", ELEVEN.removesuffix(".J")
    refused(
        at,
        r"not all cards have been played yet \(rule C19\)",
        **facts,
        hands="/".join(hands),
        played="/".join(played),
    )


def test_c1_large_cookies_may_be_listed_in_any_order(at: Any) -> None:
    state = at("3.4.2/2.3.5", "4/9", cookies="5.2.4/3.2").state
    assert state.larder.large == ((2, 4, 5), (2, 3))
    assert state == at("3.4.2/2.3.5", "4/9", cookies="2.4.5/2.3").state
