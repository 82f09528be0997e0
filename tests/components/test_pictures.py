"""Small pictures that sentences show instead of the names of pieces."""

from __future__ import annotations

import pytest

from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.scene import pictures_of
from wonderland.engine import game_names


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", game_names())
def test_each_piece_has_one_picture_and_a_name_of_its_own(game: str, code: str) -> None:
    in_english, pictures = pictures_of(game, load_language("en")), pictures_of(game, load_language(code))
    assert sorted(pictures.values()) == sorted(in_english.values()), "a translated name is used twice"
    assert len({symbol for symbol, _ in pictures.values()}) == len(pictures)


def test_a_game_may_have_no_pictures() -> None:
    counts = {game: len(pictures_of(game, load_language("en"))) for game in game_names()}
    assert 0 in counts.values()
    assert max(counts.values()) > 0
