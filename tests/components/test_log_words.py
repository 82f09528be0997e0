"""What a log repeats of a game: everything, or in a game of memory only what need not be remembered."""

from __future__ import annotations

import pytest

from wonderland.components.words import LogWords, describe_events, describe_past_events, words_of
from wonderland.engine import Match, Seeded, game, game_names

NAMES = ("Alice", "Bill")


def play_at_random(name: str) -> Match:
    """Play half a game, always by the first legal action."""
    match = Match(game(name), 2, chance=Seeded(1))
    while len(match.moves) < 40 and (seats := [seat for seat in range(2) if match.legal(seat)]):
        match.play(seats[0], match.legal(seats[0])[0])
    return match


@pytest.mark.parametrize("name", game_names())
def test_a_log_tells_past_events_as_the_game_wants_them_told(name: str) -> None:
    match, words = play_at_random(name), words_of(name)
    events, view = match.events_seen_by(0), match.view(0)
    told = describe_events(words, events, NAMES)
    assert told
    retold = describe_past_events(words, events, view, NAMES)
    if isinstance(words, LogWords):
        assert retold == [
            line for event in events if (line := words.describe_past_event(event, view, NAMES))
        ]
    else:
        assert retold == told


def test_a_game_of_memory_repeats_less_than_it_told() -> None:
    match, words = play_at_random("letters"), words_of("letters")
    events, view = match.events_seen_by(0), match.view(0)
    assert describe_past_events(words, events, view, NAMES) != describe_events(words, events, NAMES)
