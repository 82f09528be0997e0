"""Characters of the bots: one for every seat, each with a level, a line and remarks in all languages."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from wonderland.bots import characters as cast
from wonderland.bots import levels
from wonderland.bots.characters import (
    SHARED,
    Character,
    characters,
    difficulty,
    display_name,
    find_character,
    home_level,
    introduce,
    level_in_name,
    name_with_level,
    pick_character,
)
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.company import piece_names
from wonderland.engine import game, game_names
from wonderland.engine.language import ENGLISH
from wonderland.games.letters.bots import company
from wonderland.web.portraits import BOTS, COMPANY

EVERYONE = [each for group in SHARED.values() for each in group]
OCCASIONS = {"setback", "success", "won", "lost"}


def test_every_character_has_a_portrait_and_a_remark_for_each_occasion() -> None:
    assert {each.word for each in EVERYONE} <= {*BOTS, *COMPANY}
    assert all(set(each.remarks) == OCCASIONS for each in EVERYONE)
    said = [text for each in EVERYONE for text in each.remarks.values()]
    assert len(set(said)) == len(said), "nobody repeats anybody"


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != ENGLISH.code])
def test_characters_speak_every_language(code: str) -> None:
    say = load_language(code)
    lines = [text for each in EVERYONE for text in (each.about, *each.remarks.values())]
    assert [line for line in lines if say(line) == line] == []


@pytest.mark.parametrize("name", game_names())
def test_every_level_has_several_characters_of_its_own(name: str) -> None:
    seen: set[str] = set()
    for each in levels(name):
        own = characters(name, each.word)
        assert len(own) >= 3
        assert seen.isdisjoint(one.name for one in own)
        seen |= {one.name for one in own}
        assert all(home_level(name, one.name) == each.word for one in own)


@pytest.mark.parametrize("name", game_names())
def test_levels_are_told_apart_by_their_difficulty(name: str) -> None:
    words = [difficulty(name, each.word) for each in levels(name)]
    assert len(set(words)) == len(words)
    assert (words[0], words[-1]) == ("easiest", "hardest")


@pytest.mark.parametrize("name", game_names())
def test_no_two_bots_at_a_table_share_a_name(name: str) -> None:
    for each in levels(name):
        for rng in (None, random.Random(each.word)):
            taken = ["Alice"]
            for _ in range(1, game(name).info.seats[-1] + 1):
                taken.append(pick_character(name, each.word, taken, rng))
            assert len(set(taken)) == len(taken)
            home = {one.name for one in characters(name, each.word)} - set(piece_names(name))
            assert set(taken[1 : 1 + len(home)]) == home, "those of the level come first"


@pytest.mark.parametrize("name", game_names())
def test_no_bot_is_called_like_a_pawn(name: str) -> None:
    for each in levels(name):
        taken: list[str] = []
        for _ in range(game(name).info.seats[-1]):
            taken.append(pick_character(name, each.word, taken, random.Random(each.word)))
        assert set(taken).isdisjoint(piece_names(name))


def test_a_bot_takes_neither_the_name_nor_the_face_of_a_player() -> None:
    picked = {pick_character("parade", "dodo", ["dormouse", "DODO"]) for _ in range(3)}
    assert picked == {"Flamingo"}
    everyone = [each.name for each in EVERYONE]
    assert pick_character("parade", "queen", everyone) == "Queen 2"
    assert pick_character("parade", "queen", [*everyone, "Queen 2"]) == "Queen 3"


def test_a_name_in_a_record_says_which_bot_played() -> None:
    for name in game_names():
        for each in levels(name):
            for one in EVERYONE:
                written = name_with_level(one.name, difficulty(name, each.word))
                assert level_in_name(name, written) == each.word
    assert level_in_name("parade", "White Rabbit 2") == "white-rabbit"  # as older records name them
    assert level_in_name("parade", "Alice") is None
    assert level_in_name("letters", "Hatter") is None  # nobody's home there


def test_names_of_characters_are_translated_and_others_are_not() -> None:
    german = load_language("de")
    assert display_name("parade", "White Rabbit 2", german) == "Weißes Kaninchen 2"
    assert display_name("parade", "White Rabbit · hardest", german) == "Weißes Kaninchen"
    assert display_name("parade", "Alice", load_language("ja")) == "Alice"


def test_a_character_away_from_home_is_introduced_by_the_level() -> None:
    queen = find_character("parade", "queen")
    assert queen is not None
    assert introduce("parade", "Queen", "queen", ENGLISH) == queen.about
    assert introduce("parade", "Queen", "dodo", ENGLISH) == "Plays whatever comes to mind."
    assert introduce("parade", "Alice", "dodo", ENGLISH) == "Plays whatever comes to mind."


@pytest.fixture
def gryphon(monkeypatch: pytest.MonkeyPatch) -> Iterator[Character]:
    own = Character("Gryphon", "Never looks up.", {"won": "They never execute nobody."})
    monkeypatch.setattr(company, "CHARACTERS", {"queen": (own,)}, raising=False)
    for cached in (cast.characters, cast.everyone):
        cached.cache_clear()
    yield own
    monkeypatch.undo()
    for cached in (cast.characters, cast.everyone):
        cached.cache_clear()


def test_a_game_may_add_characters(gryphon: Character) -> None:
    assert characters("letters", "queen")[0] == gryphon
    assert pick_character("letters", "queen", []) == "Gryphon"
    assert home_level("letters", "Gryphon") == "queen"
    assert find_character("parade", "Gryphon") is None
