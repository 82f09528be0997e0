"""Views and events as JSON: they round-trip, and invalid ones are rejected."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wonderland.engine import Match, NotationError, Over, Seeded, game, game_names
from wonderland.engine.match import seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.serialization import encode, encoder_for, from_plain, to_plain

GAMES = [game(name) for name in game_names()]


def matches(the_game: Any, seed: int) -> Any:
    """A random play, at every turn of a seat and at its end."""
    rng = random.Random(seed)
    texts = {option.name: rng.choice(option.examples) for option in the_game.info.options}
    texts.pop("colours", None)  # one for each seat: tested separately
    options = read_options(the_game, texts)
    seats = rng.choice(the_game.info.seats)
    match = Match(the_game, seats, options, chance=Seeded(seed))
    yield match
    while not isinstance(match.turn, Over):
        seat = rng.choice(seats_to_act(match.turn))
        match.play(seat, rng.choice(match.legal(seat)))
        yield match


@pytest.mark.uncounted
@pytest.mark.parametrize("the_game", GAMES, ids=game_names())
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_views_and_events_round_trip(the_game: Any, seed: int) -> None:
    for match in matches(the_game, seed):
        view = match.view(random.Random(len(match.moves)).choice((None, 0, 1)))
        assert from_plain(the_game.view_type, to_plain(view)) == view
    for event in match.events_seen_by(1):
        assert from_plain(the_game.event_type, to_plain(event)) == event


@pytest.mark.parametrize("the_game", GAMES, ids=game_names())
@settings(max_examples=30)
@given(
    seed=st.integers(0, 2**32), junk=st.sampled_from([None, 7, "tea", [], {}, [[1]], {"type": "Tea"}])
)
def test_an_invalid_view_is_rejected(the_game: Any, seed: int, junk: Any) -> None:
    *_, match = matches(the_game, seed)
    found = to_plain(match.view(0))
    with pytest.raises(NotationError):
        from_plain(the_game.view_type, junk)
    key = random.Random(seed).choice([name for name, value in found.items() if value != junk])
    changed = found | {key: junk}
    try:
        from_plain(the_game.view_type, changed)
    except NotationError:
        return
    assert to_plain(from_plain(the_game.view_type, changed)) == changed


def test_the_kind_is_serialized() -> None:
    view = Match(game("parade"), 2, chance=Seeded(1)).view(0)
    assert msgspec.json.decode(encode(view))["type"] == "View"
    assert msgspec.json.decode(encode(view))["stage"]["type"] == "Playing"


def test_a_missing_field_or_text_is_rejected() -> None:
    match = Match(game("parade"), 2, chance=Seeded(1))
    found = to_plain(match.view(0))
    del found["pile"]
    with pytest.raises(NotationError):
        from_plain(game("parade").view_type, found)
    with pytest.raises(NotationError):
        from_plain(game("parade").view_type, to_plain(match.view(0)) | {"parade": ["R11"]})
    with pytest.raises(NotationError):
        from_plain(tuple[int, int], [1, 2, 3])
    assert from_plain(tuple[int, int], [1, 2]) == (1, 2)


def test_a_single_game_encoder_writes_the_same() -> None:
    view = Match(game("parade"), 2, chance=Seeded(1)).view(0)
    assert encoder_for("parade")(view) == encode(view) == encoder_for("parade")(view)
