"""Letters in notation: words for actions, and whole records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import Match, NotationError, Seeded, read_record
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import CARDS, SPACES, Colour, Letter, Menace
from wonderland.games.letters.rules.notation import read, write
from wonderland.games.letters.rules.state import Action, StartWith, TurnCard

ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from(CARDS),
    st.builds(TurnCard, st.sampled_from(SPACES)),
    st.builds(StartWith, st.integers(min_value=0, max_value=3)),
)


@given(ACTIONS)
def test_every_action_round_trips(action: Action) -> None:
    assert read(write(action)) == action


@pytest.mark.parametrize(
    ("word", "action"),
    [
        ("1", TurnCard(0)),
        ("27", TurnCard(26)),
        ("redA", Letter(Colour.RED, 0)),
        ("GREENe", Letter(Colour.GREEN, 4)),
        ("Hatter", Menace.MAD_HATTER),
        ("king", Menace.KING_OF_HEARTS),
        ("seat4", StartWith(3)),
    ],
)
def test_words_denote_actions(word: str, action: Action) -> None:
    assert read(word) == action


@pytest.mark.parametrize("word", ["0", "28", "012", "1a", "٣", "12.0"])
def test_l2_other_numbers_are_not_spaces(word: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(word)
    assert (
        str(caught.value) == f"{word!r} isn't a space: the spaces are numbered from 1 to 27 (rule L2)."
    )


@pytest.mark.parametrize("word", ["", "red", "redB", "pinkA", "seat0", "seat5", "Mad Hatter", "-1"])
def test_l1_other_words_are_not_cards(word: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(word)
    assert str(caught.value).startswith(f"{word!r} isn't a card: a card is a colour with a letter of")
    assert str(caught.value).endswith("(rule L1).")


@given(st.text(max_size=12))
def test_any_text_is_read_or_rejected(text: str) -> None:
    try:
        action = read(text)
    except NotationError:
        return
    assert read(write(action)) == action


def test_a_turn_is_one_line_of_a_record() -> None:
    match = Match(
        GAME,
        ["Alice", "Hatter"],
        chance=Seeded(1),
        given={"start": [StartWith(1)], "space.12": [CARDS[0]]},
    )
    match.play(1, TurnCard(11))
    text = match.record.text()
    assert text.splitlines()[-2:] == ["Start: seat2", "Hatter: 12 redA"]
    assert read_record(text).whole == match.record
