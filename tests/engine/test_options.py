"""Options as text: read, written and rejected."""

from __future__ import annotations

import pytest

from wonderland.engine import NotationError, UsageError, game, game_names
from wonderland.engine.options import choice, default_text, flag, read_options, read_pairs, write_options


@pytest.mark.parametrize("name", game_names())
def test_every_default_and_example_round_trips(name: str) -> None:
    the_game = game(name)
    for option in the_game.info.options:
        usual = default_text(the_game, option)
        assert option.read(usual) == getattr(the_game.options_type(), option.name)
        assert usual in option.examples
        for text in option.examples:
            options = read_options(the_game, {option.name: text})
            expected = {} if text == usual else {option.name: text}
            assert write_options(the_game, options) == expected


def test_an_unknown_option_is_reported_with_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match=r"Letters has no option 'colour': its options are duchess, claim"
    ):
        read_options(game("letters"), {"colour": "red"})
    with pytest.raises(UsageError, match=r"Parade has no option 'speed': it has no options"):
        read_options(game("parade"), {"speed": "high"})


def test_an_unknown_value_is_reported_with_the_known_ones() -> None:
    with pytest.raises(NotationError, match=r"claim=never is not known: claim is after or first"):
        choice("claim", ("after", "first"), "…").read("never")
    with pytest.raises(NotationError, match=r"duchess=maybe is not known: duchess is true or false"):
        flag("duchess", "…").read("maybe")
    with pytest.raises(UsageError, match=r"claim=never is not known: claim is after or first"):
        read_options(game("letters"), {"claim": "never"})


def test_a_flag_is_true_or_false() -> None:
    option = flag("duchess", "…")
    assert [option.read("true"), option.read("false")] == [True, False]
    assert [option.write(value) for value in (True, False)] == ["true", "false"]


def test_a_pair_needs_a_value() -> None:
    with pytest.raises(UsageError, match=r".hand-size. is not a name with its value"):
        read_pairs(["hand-size"])
