"""Cookies: boards at the edge of what C4 and the rulebook allow."""

from __future__ import annotations

import pytest

from wonderland.engine import NotationError
from wonderland.games.cookies.rules.board import board_from_toml, read_board


def file_with(cookies: int) -> str:
    spaces = ['{ kind = "tea party", cookies = 1 }', *['{ kind = "plain", cookies = 2 }'] * 6]
    return f'spaces = [{", ".join(spaces)}, {{ kind = "plain", cookies = {cookies} }}]'


@pytest.mark.parametrize("cookies", [0, 9])
def test_c3_a_space_has_0_to_9_small_cookies(cookies: int) -> None:
    assert board_from_toml(file_with(cookies)).spaces[-1].cookies == cookies


@pytest.mark.parametrize("cookies", [-1, 10])
def test_c3_a_space_has_no_other_number_of_small_cookies(cookies: int) -> None:
    with pytest.raises(NotationError, match=f"space 8 must have .* from 0 to 9, not {cookies}"):
        board_from_toml(file_with(cookies))


def test_c4_of_three_tea_parties_the_second_is_named() -> None:
    with pytest.raises(NotationError, match="but spaces 2 and 4 are"):
        read_board("p1-T1-p1-T1-p1-p1-T1-p1")
