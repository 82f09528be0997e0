"""The position editor: every reachable position can be set up, and no form yields an impossible one."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.game_variants import all_variants
from wonderland.components.editor import (
    Editor,
    Filling,
    Form,
    Piece,
    PieceArea,
    add_piece,
    editor_of,
    remove_piece,
)
from wonderland.engine.chance import Seeded
from wonderland.engine.errors import NotationError, UsageError
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import FACE_DOWN, AnyGame, Over
from wonderland.engine.registry import game, game_names
from wonderland.games.parade.rules.state import Keeping
from wonderland.games.parade.rules.view import View as ParadeView

NAMES = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")
EDITED = [name for name in game_names() if editor_of(name) is not None]


def editor(name: str) -> Editor:
    found = editor_of(name)
    assert found is not None
    return found


def fill_form(name: str, facts: dict[str, str]) -> Form:
    return editor(name).form(facts, NAMES, ENGLISH)


def test_every_game_has_an_editor_with_a_valid_example() -> None:
    assert list(game_names()) == EDITED
    for name in EDITED:
        example = editor(name).EXAMPLE
        form = fill_form(name, editor(name).facts(example, 0))
        assert editor(name).line(form) == example
        assert not form.missing
        assert not any(place.lacks for place in form.places)
        assert game(name).legal(game(name).read_position(example), 0)


# Every reachable position can be set up


@cache
def settings_of(name: str) -> list[tuple[int, Any]]:
    return all_variants(name)


def without_chosen_seats(view: Any) -> Any:
    """A view without the seats that have chosen, which can't be entered and change nothing."""
    if not isinstance(view, ParadeView) or not isinstance(view.stage, Keeping):
        return view
    stage = Keeping(view.stage.ending, (None,) * len(view.hands))
    return ParadeView(view.seat, stage, view.hands, view.parade, view.zones, view.pile)


def check_all_seats(name: str, rules: AnyGame, state: Any, seats: int) -> None:
    line = rules.write_position(state)
    for seat in range(seats):
        form = fill_form(name, editor(name).facts(line, seat))
        assert form == fill_form(name, form.facts), "a submitted form comes back unchanged"
        again = editor(name).line(form)
        assert editor(name).line(fill_form(name, editor(name).facts(again, seat))) == again
        assert not any(place.lacks for place in form.places), line
        assert not form.missing, line
        shown = rules.view(rules.read_position(again), seat)
        assert without_chosen_seats(shown) == without_chosen_seats(rules.view(state, seat)), line
        assert rules.view(rules.read_position(again), None).seat is None
        for owner, hand in enumerate(getattr(rules.read_position(again), "hands", ())):
            hidden = getattr(getattr(state, "options", None), "hands", "hidden") == "hidden"
            assert owner == seat or not hidden or set(hand) <= {FACE_DOWN}, "no cards of other players"


@pytest.mark.uncounted
@pytest.mark.parametrize("name", EDITED)
@given(data=st.data())
def test_every_reachable_position_can_be_set_up_from_every_seat(name: str, data: st.DataObject) -> None:
    seats, options = data.draw(st.sampled_from(settings_of(name)))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    match: Any = Match(game(name), seats, options, chance=Seeded(rng.getrandbits(32)))
    while not isinstance(match.turn, Over):
        if rng.random() < 0.08 or getattr(match.turn, "seats", ()) == tuple(range(seats)):
            check_all_seats(name, match.game, match.state, seats)
        seat = rng.choice(seats_to_act(match.turn))
        match.play(seat, rng.choice(match.legal(seat)))
    with pytest.raises(NotationError, match="Nobody has a choice to make"):
        editor(name).facts(match.game.write_position(match.state), 0)


# Any edits keep a form valid


def check_form(name: str, form: Form) -> None:
    assert fill_form(name, form.facts) == form
    laid = Counter(
        (place.pool, place.piece(word).words[0]) for place in form.places for word in place.holds
    )
    copies = {
        (place.pool, piece.words[0]): piece.copies
        for place in form.places
        for row in place.rows
        for piece in row
    }
    assert all(number <= copies[piece] for piece, number in laid.items())
    assert all(place.capacity is None or len(place.holds) <= place.capacity for place in form.places)
    for choice in form.choices:
        assert choice.value in [word for word, _ in choice.options]
    line = editor(name).line(form)
    try:
        state = game(name).read_position(line)
    except NotationError as error:
        assert str(error).endswith(".")  # noqa: PT017 - there may be none
    else:
        for place in form.places:
            assert place.lacks == 0
        seat = int(form.value("seat"))
        assert game(name).view(state, seat).seat == seat
    assert editor(name).line(fill_form(name, editor(name).facts(line, int(form.value("seat"))))) == line


@pytest.mark.parametrize("name", EDITED)
@given(data=st.data())
def test_any_edits_give_a_position_or_one_sentence_of_explanation(
    name: str, data: st.DataObject
) -> None:
    begun = data.draw(st.booleans())
    form = fill_form(name, editor(name).facts(editor(name).EXAMPLE, 1) if begun else {})
    for _ in range(data.draw(st.integers(1, 12))):
        what = data.draw(st.integers(0, 4))
        place = data.draw(st.sampled_from(form.places))
        if what == 0:
            choice = data.draw(st.sampled_from(form.choices))
            word, _ = data.draw(st.sampled_from(choice.options))
            facts = form.facts | {choice.key: word}
        elif what == 1:
            facts = remove_piece(form, place.key, data.draw(st.integers(0, 6)))
        else:
            pieces = [piece for row in place.rows for piece in row]
            facts = add_piece(form, place.key, data.draw(st.sampled_from(pieces)).words[0])
        form = fill_form(name, facts)
        check_form(name, form)


@pytest.mark.parametrize("name", EDITED)
@given(data=st.data())
def test_arbitrary_facts_are_handled(name: str, data: st.DataObject) -> None:
    known = fill_form(name, editor(name).facts(editor(name).EXAMPLE, 0)).facts
    texts = st.text() | st.sampled_from(
        [*known.values(), "-", "_", "?", "1", "left3/walk", "up", "both"]
    )
    given_facts = data.draw(st.dictionaries(st.sampled_from([*known, "more"]), texts))
    check_form(name, fill_form(name, known | given_facts))


@pytest.mark.parametrize("name", EDITED)
@given(data=st.data())
def test_arbitrary_lines_are_handled(name: str, data: st.DataObject) -> None:
    game_name, *words = editor(name).EXAMPLE.split()
    keys = [word.partition("=")[0] for word in words]
    at = data.draw(st.integers(0, len(words) - 1))
    value = data.draw(st.text(st.characters(exclude_categories=("Z", "C"))) | st.sampled_from(words))
    words[at] = f"{keys[at]}={value}"
    try:
        facts = editor(name).facts(" ".join([game_name, *words]), data.draw(st.integers(0, 9)))
    except NotationError:
        return
    check_form(name, fill_form(name, facts))


# Touching pieces


def form_of(**holds: str) -> Form:
    """Build places that share pieces and one that does not: three of b; c in two orientations."""
    piece_a, piece_b = Piece(("a",), ("an a",), {}), Piece(("b",), ("a b",), {}, 3)
    rows = ((piece_a, piece_b), (Piece(("c", "c?"), ("a c", "a c, turned"), {}),))
    filling = Filling(holds)
    filling.place(PieceArea("one", "One", "1", rows, (), "all", wanted=2))
    filling.place(PieceArea("two", "Two", "2", rows, (), "all"))
    filling.place(PieceArea("small", "Small", "s", rows, (), "all", capacity=1))
    filling.place(PieceArea("other", "Other", "o", rows, ()))
    return filling.form()


@pytest.mark.parametrize(
    ("holds", "place", "word", "after"),
    [
        ({}, "one", "a", {"one": "a"}),
        ({"one": "a"}, "one", "a", {"one": ""}),
        ({"one": "a"}, "two", "a", {"one": "", "two": "a"}),
        ({"one": "a"}, "other", "a", {"one": "a", "other": "a"}),
        ({"one": "b.a"}, "one", "b", {"one": "b.a.b"}),
        ({"one": "b.b.a.b"}, "one", "b", {"one": "b.b.a"}),
        ({"one": "b.b", "two": "b"}, "one", "b", {"one": "b.b.b", "two": ""}),
        ({"one": "b.b.b"}, "two", "b", {"one": "b.b", "two": "b"}),
        ({"one": "c"}, "one", "c", {"one": "c?"}),
        ({"one": "c?"}, "one", "c", {"one": ""}),
        ({"one": "c?"}, "two", "c", {"one": "", "two": "c"}),
        ({"small": "a"}, "small", "b", {"small": "b"}),
        ({"small": "b"}, "small", "b", {"small": ""}),
    ],
)
def test_a_touched_piece_moves_to_the_right_place(
    holds: dict[str, str], place: str, word: str, after: dict[str, str]
) -> None:
    found = add_piece(form_of(**holds), place, word)
    assert {key: found[key] for key in after} == after
    unchanged = set(found) - set(after)
    assert all(found[key] == form_of(**holds).facts[key] for key in unchanged)


def test_unknown_pieces_are_rejected_or_ignored() -> None:
    form = form_of(one="a.a.x.b.b.b.b", small="c.b", at="two")
    assert form.pieces_in("one") == ("a", "b", "b", "b")
    assert form.pieces_in("small") == ("c",)
    assert form.pieces_in("nowhere") == ()
    assert (form.at, form_of(at="nowhere").at) == ("two", "one")
    assert [place.lacks for place in form.places] == [-2, 0, 0, 0]
    assert form.value("nothing") == ""
    assert form.place("one").piece("c?").name("c?") == "a c, turned"
    for place, word in (("nowhere", "a"), ("one", "x")):
        with pytest.raises(UsageError):
            add_piece(form, place, word)
    assert remove_piece(form, "one", 1)["one"] == "a.b.b"
    assert remove_piece(form, "one", 9) == form.facts
