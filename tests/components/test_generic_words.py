"""Fallbacks for a game with only rules: words, a picture and a rulebook."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from wonderland.components.rulebook import rulebook
from wonderland.components.terminal import Viewport, terminal_ui_of
from wonderland.components.words import GenericWords, words_of
from wonderland.engine import GameFailed, game, game_names, laws, registry
from wonderland.engine.protocol import AnyGame, Seat

NAMES = ("Alice", "Mad Hatter", "Dodo")
TEA = """
from msgspec.structs import replace
from wonderland.games.letters import Letters

class Tea(Letters):
    info = replace(Letters.info, name="tea", title="Tea")

GAME = Tea()
"""


@pytest.fixture
def tea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A fourth game with only rules, and two packages without a game."""
    for name, text in {"tea": TEA, "empty": "", "broken": "import no_such_module"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(text)
    points = [EntryPoint(name, name, registry.HOME) for name in ("tea", "empty", "broken")]
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    registry.refresh()
    yield "tea"
    monkeypatch.undo()
    registry.refresh()


def generic_text(the_game: AnyGame, state: Any, seat: Seat | None) -> object:
    """Return all generic text shown to a seat."""
    words, view = GenericWords(the_game), the_game.view(state, seat)
    legal = () if seat is None else the_game.legal(state, seat)
    return words.describe(view, NAMES), [words.describe_action(view, action) for action in legal]


@pytest.mark.parametrize("name", game_names())
def test_law_7_generic_words_reveal_nothing_hidden(name: str) -> None:
    rules, rng = game(name), random.Random(1)
    words = GenericWords(rules)
    match = laws.check_all(rules, 3, rules.options_type(), rng, [generic_text])
    for event in match.events:
        for seat in (None, 0):
            seen = rules.witness(event, seat)
            assert words.describe_event(seen, NAMES).endswith(".")
    for state, _ in match.record.states():
        for line in words.describe(rules.view(state, 0), NAMES):
            assert 0 < len(line) <= 80


def test_a_view_is_described_field_by_field() -> None:
    parade = game("parade")
    line = (
        "parade stage=play turn=2 hands=R10.B5.G3.Y0.P7/?.?.?.?.? parade=R1.B0.G9.O4.P2.Y8 "
        "zones=-/- ending=- left=- kept=-"
    )
    state, words = parade.read_position(line), GenericWords(parade)
    assert words.describe(parade.view(state, 0), NAMES[:2]) == [
        "Seats: 0 Alice, 1 Mad Hatter",
        "You: Alice",
        "Stage: playing (seat 1, turns left -, ending -)",
        "Hands: R10 B5 P7 G3 Y0 | ? ? ? ? ?",
        "Parade: R1 B0 G9 O4 P2 Y8",
        "Zones: - | -",
        "Pile: 50",
    ]
    assert "You: Alice" not in words.describe(parade.view(state, None), NAMES[:2])
    letters = game("letters")
    found = GenericWords(letters).describe(
        letters.view(letters.start(2, letters.options_type()), 0), NAMES
    )
    assert "Stage: starting" in found
    assert any(line.startswith("Options: ") and "duchess no" in line for line in found)


def test_events_are_described_by_kind() -> None:
    rules, words = game("parade"), GenericWords(game("parade"))
    match = laws.random_match(rules, 2, rules.options_type(), random.Random(2))
    told = [words.describe_event(rules.witness(event, 0), NAMES[:2]) for event in match.events]
    assert told[0] in ("Alice: start chosen.", "Mad Hatter: start chosen.")
    assert any(line.startswith("Card joined (card ") for line in told)
    assert any(line == "Mad Hatter: card drawn (card ?)." for line in told)
    assert told[-1] == match.turn.result.sentence(NAMES[:2])
    assert GenericWords(rules).describe_action(rules.view(match.state, 0), rules.read("G3")) == "G3"


def test_a_game_without_words_or_drawing_uses_generic_ones(tea: str) -> None:
    rules = game(tea)
    assert isinstance(words_of(tea), GenericWords)
    match = laws.check_all(rules, 2, rules.options_type(), random.Random(3))
    view, drawing = match.view(0), terminal_ui_of(tea)
    picture = drawing.draw(view, NAMES[:2], Viewport(80, 24), None)
    assert [line.plain for line in picture.lines] == words_of(tea).describe(view, NAMES[:2])
    assert drawing.sheet(view, NAMES[:2], Viewport(80, 24)).lines == picture.lines
    assert drawing.rule(view) == ""
    assert list(drawing.frames(match.events[0], view)) == []


def test_a_game_without_a_rulebook_says_so(tea: str) -> None:
    assert rulebook(tea).startswith("# Tea\n\nTurn up the letters")
    assert "`RULES.md`" in rulebook(tea)
    assert rulebook("parade", "de") != rulebook("parade", "en") == rulebook("parade")


@pytest.mark.parametrize(
    ("name", "why"), [("broken", "No module named 'no_such_module'"), ("empty", "no attribute 'GAME'")]
)
def test_a_package_without_a_game_is_named(tea: str, name: str, why: str) -> None:
    with pytest.raises(GameFailed, match=f"the game '{name}' can't be loaded from {name}: .*{why}"):
        game(name)
