"""Letters: what the position form asks for, and what it infers."""

from __future__ import annotations

from wonderland.components.editor import Form, add_piece
from wonderland.engine.language import ENGLISH
from wonderland.games.letters.rules.components import Colour, Letter
from wonderland.games.letters.rules.position import read_position
from wonderland.games.letters.rules.state import EMPTY, TurnedDown
from wonderland.games.letters.ui import editor

NAMES = ("Alice", "Bill", "Dinah", "Gryphon")


def form(**facts: str) -> Form:
    return editor.form(facts, NAMES, ENGLISH)


def test_letters_on_rails_leave_their_spaces() -> None:
    assert form().missing == ()
    (lacking,) = form(rail0="AL").missing
    assert lacking.startswith("Mark 2 more spaces as empty")
    (surplus,) = form(rail0="A", space3="_", space4="_").missing
    assert surplus.startswith("1 space is empty, but its letter isn't on a rail")
    found = form(rail0="A", space3="_", turn="2")
    assert found.missing == ()
    assert read_position(editor.line(found)).spaces[3] is EMPTY


def test_touching_a_letter_turns_it_face_up_then_down_then_removes_it() -> None:
    found = form(space7="Hare")
    for wanted in ("redI", "redI?", ""):
        found = form(**add_piece(found, "space5", "redI"))
        assert "".join(found.pieces_in("space5")) == wanted
        if wanted == "redI?":
            assert read_position(editor.line(found)).spaces[5] == TurnedDown(Letter(Colour.RED, 2))


def test_duplicate_colours_are_replaced() -> None:
    found = form(seats="3", colour0="green", colour1="green", colour2="red")
    assert [found.value(f"colour{seat}") for seat in range(3)] == ["green", "red", "blue"]
    assert "colours=green,red,blue" in editor.line(found)
    assert [len(row) for row in found.place("removed").rows] == [5]  # yellow


def test_four_players_use_all_letters() -> None:
    found = form(seats="4", removed="redA", colour0="yellow")
    assert found.pieces_in("removed") == ()
    assert "colours=yellow,red,blue,green" in editor.line(found)
    read_position(editor.line(found))
