"""Parade: what the position form asks for, and what it infers."""

from __future__ import annotations

import pytest

from wonderland.components.editor import Form
from wonderland.engine.language import ENGLISH
from wonderland.games.parade.rules.components import DECK
from wonderland.games.parade.rules.position import read_position
from wonderland.games.parade.ui import editor

NAMES = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")
ALL_COLOURS = "R1.B1.P1.G1.Y1.O1"


def form(**facts: str) -> Form:
    return editor.form(facts, NAMES, ENGLISH)


def spread(first: str, parade: int) -> dict[str, str]:
    """Facts with an empty pile: all cards but those in hands are open, these in front of Bill."""
    rest = [str(card) for card in DECK if str(card) not in first.split(".")]
    hand, rest = rest[:4], rest[8:]
    facts = {"hand": ".".join(hand), "parade": ".".join(rest[:parade])}
    return facts | {"zone0": ".".join(rest[parade:]), "zone1": first}


def test_an_empty_form_lists_what_must_be_set() -> None:
    found = form()
    assert [place.key for place in found.places] == ["hand", "parade", "zone0", "zone1"]
    assert found.place("hand").lacks == 5
    assert found.missing == ("Add the parade's cards, from front to end.",)
    assert found.notes == ("56 cards are in the draw pile.",)


def test_the_last_round_is_triggered_by_the_last_player() -> None:
    begun = {"zone1": ALL_COLOURS, "parade": "R2.R3.R4.R5", "hand": "R6.R7.R8.R9.R10"}
    found = form(left="2", **begun)
    assert found.notes == ("46 cards are in the draw pile.", "Bill started the last round.")
    state = read_position(editor.line(found))
    assert editor.line(found).endswith("ending=sixth-colour left=2 kept=-")
    assert [len(hand) for hand in state.hands] == [5, 5]
    late = form(left="1", turn="1", seat="1", **begun)  # Bill has played, Alice plays last
    assert late.place("hand").wanted == 4
    assert [choice.key for choice in late.choices] == ["seats", "seat", "stage", "turn", "left"]


@pytest.mark.parametrize(
    ("first", "ending"),
    [(ALL_COLOURS, "both"), ("R1.B1", "empty-pile")],
    ids=["with colours", "without"],
)
def test_an_empty_pile_triggers_it_with_or_without_the_sixth_colour(first: str, ending: str) -> None:
    facts = spread(first, 5) | {"left": "2", "turn": "1"}
    facts["hand"] += f".{facts['parade'].split('.')[0]}"
    facts["parade"] = facts["parade"].partition(".")[2].partition(".")[2]
    found = form(**facts)
    assert found.notes[0] == "0 cards are in the draw pile."
    assert f"ending={ending} left=2" in editor.line(found)


@pytest.mark.parametrize("ending", ["empty-pile", "both"])
def test_an_ambiguous_trigger_of_the_last_round_is_asked_for(ending: str) -> None:
    found = form(stage="keep", ending=ending, **spread(ALL_COLOURS, 8))
    assert found.value("ending") == ending
    assert (
        read_position(editor.line(found))
        .stage.ending.value.replace(" ", "-")
        .endswith(  # type: ignore[union-attr]
            "empty-pile"
        )
    )
    full = form(stage="keep", zone1=ALL_COLOURS, parade="R2", hand="R6.R7.R8.R9")
    assert full.value("ending") == ""
    assert "ending=sixth-colour" in editor.line(full)
    assert "kept=-/-" in editor.line(full)


def test_too_many_cards_leave_no_pile() -> None:
    facts = spread(ALL_COLOURS, 8)
    found = form(seats="6", **facts)
    assert found.notes == ()
    with pytest.raises(ValueError, match="face down"):
        read_position(editor.line(found))


def test_an_unknown_seat_gets_the_first_hand() -> None:
    assert editor.facts(editor.EXAMPLE, 9)["hand"] == editor.facts(editor.EXAMPLE, 0)["hand"]
    assert editor.facts(editor.EXAMPLE, 1)["hand"] == "?.?.?.?.?"
