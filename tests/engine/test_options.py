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
        UsageError, match=r"Letters has no option 'colour'. Its options are duchess, claim"
    ):
        read_options(game("letters"), {"colour": "red"})
    with pytest.raises(UsageError, match=r"Parade has no options, so 'speed' can't be set"):
        read_options(game("parade"), {"speed": "high"})


def test_an_unknown_value_is_reported_with_the_known_ones() -> None:
    with pytest.raises(
        NotationError, match=r"claim=never isn't possible: claim must be one of after, first"
    ):
        choice("claim", {"after": "later", "first": "sooner"}, "…").read("never")
    with pytest.raises(
        NotationError, match=r"duchess=maybe isn't possible: duchess must be one of false, true"
    ):
        flag("duchess", "…").read("maybe")
    with pytest.raises(
        UsageError, match=r"claim=never isn't possible: claim must be one of after, first"
    ):
        read_options(game("letters"), {"claim": "never"})


@pytest.mark.parametrize("name", game_names())
def test_values_that_are_words_have_labels(name: str) -> None:
    for option in game(name).info.options:
        assert set(option.labels) <= set(option.examples)
        for value in option.examples:
            if value.isalpha():
                assert value in option.labels, (option.name, value)
            assert option.label(value)


def test_a_value_without_a_label_is_shown_as_it_is() -> None:
    option = choice("hand", {"left": "the left hand"}, "…")
    assert [option.label("left"), option.label("2")] == ["the left hand", "2"]


def test_a_flag_is_true_or_false() -> None:
    option = flag("duchess", "…")
    assert [option.read("true"), option.read("false")] == [True, False]
    assert [option.write(value) for value in (True, False)] == ["true", "false"]


def test_a_pair_needs_a_value() -> None:
    with pytest.raises(UsageError, match=r".hand-size. needs a value"):
        read_pairs(["hand-size"])
