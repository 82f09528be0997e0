"""Cookies: custom boards, C4, and every way to get one wrong."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import NotationError
from wonderland.games.cookies.rules.board import (
    DEFAULT,
    Board,
    Kind,
    Space,
    board_from_toml,
    board_of,
    read_board,
    write_board,
)

RING = "T1-p2-C1-S3-p1-L2-R1-p3"
TEA, PLAIN = '{ kind = "tea party", cookies = 1 }', '{ kind = "plain", cookies = 2 }'


def toml(*spaces: str, name: str = 'name = "Ours"') -> str:
    return f"{name}\nspaces = [{', '.join(spaces)}]"


def test_c4_the_default_board_matches_the_rules() -> None:
    kinds = [space.kind for space in DEFAULT.spaces]
    assert len(kinds) == 16
    assert kinds.index(Kind.CHESHIRE_CAT) == 2
    assert kinds[5] is Kind.PLAIN
    assert all(kinds.count(kind) == 1 for kind in Kind if kind is not Kind.PLAIN)
    assert {space.cookies for space in DEFAULT.spaces} == {1, 2, 3}


def test_c4_the_default_board_is_one_word() -> None:
    assert read_board("default") is DEFAULT
    assert write_board(DEFAULT) == "default"
    spelled = "T2-p1-C2-p3-p1-p2-S1-p3-p2-L1-p3-p2-p1-R2-p3-p1"
    assert write_board(read_board(spelled)) == "default"


def test_c4_a_ring_is_one_word() -> None:
    board = read_board(RING)
    assert board.spaces[:3] == (
        Space(Kind.TEA_PARTY, 1),
        Space(Kind.PLAIN, 2),
        Space(Kind.CHESHIRE_CAT, 1),
    )
    assert write_board(board) == RING


def test_c4_a_ring_may_start_anywhere() -> None:
    assert write_board(read_board("R1-p3-T1-p2-C1-S3-p1-L2")) == RING


def test_c4_a_file_may_start_anywhere() -> None:
    text = toml(*[PLAIN] * 3, TEA, *['{ kind = "rabbit hole", cookies = 0 }'] * 4)
    assert write_board(board_from_toml(text)) == "T1-R0-R0-R0-R0-p2-p2-p2"


def test_c4_the_example_in_the_rulebook_is_a_board() -> None:
    rulebook = files("wonderland.games.cookies").joinpath("RULES.md").read_text(encoding="utf-8")
    example = re.search(r"```toml\n(.*?)```", rulebook, flags=re.DOTALL)
    word = re.search(r"`(T1-[^`]*)`", rulebook)
    assert example is not None
    assert word is not None
    assert write_board(board_from_toml(example[1])) == word[1]


@pytest.mark.parametrize(("size", "fits"), [(7, False), (8, True), (40, True), (41, False)])
def test_c4_a_board_has_8_to_40_spaces(size: int, fits: bool) -> None:
    spaces = [Space(Kind.TEA_PARTY, 1), *[Space(Kind.PLAIN, 1)] * (size - 1)]
    if fits:
        assert len(board_of(spaces).spaces) == size
    else:
        with pytest.raises(
            NotationError, match=rf"^a board has 8 to 40 spaces, not {size} \(rule C4\)\.$"
        ):
            board_of(spaces)


@pytest.mark.parametrize(
    ("ring", "sentence"),
    [
        ("p1-" * 7 + "p1", "exactly one space must be the Tea Party, but none is (rule C4)."),
        (
            "p1-T1-p1-p1-T2-p1-p1-p1",
            "exactly one space must be the Tea Party, but spaces 2 and 5 are (rule C4).",
        ),
        ("T1-" + "-".join(["R1"] * 7), "at least one space must be plain, but none is (rule C4)."),
        ("T1-p1-x1-p1-p1-p1-p1-p1", "space 3 of the board is 'x1', "),
        ("T1-p1-p1-p12-p1-p1-p1-p1", "space 4 of the board is 'p12', "),
        ("T1-p1-p1-p1-p1-p1-p1-", "space 8 of the board is '', "),
        ("ours.tom", "space 1 of the board is 'ours.tom', "),
        ("T\uff11-p1-p1-p1-p1-p1-p1-p1", "space 1 of the board is 'T\uff11', "),
    ],
)
def test_c4_a_bad_ring_is_rejected_with_the_space_and_the_reason(ring: str, sentence: str) -> None:
    with pytest.raises(NotationError) as raised:
        read_board(ring)
    assert str(raised.value).startswith(sentence)
    assert str(raised.value).endswith(".")


KINDS = "tea party, small cookies, caterpillar, cheshire cat, rabbit hole, plain"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("spaces = [", "it isn't valid TOML: "),
        ("spaces = " + "[" * 100_000, "it isn't valid TOML: "),
        (toml(TEA) + '\nsize = "large"', "it has the key 'size', but a board has only name and spaces."),
        (toml(TEA, name="name = 3"), 'its name must be text, such as name = "Our box".'),
        ('name = "Ours"', "it has no list of spaces, such as spaces = ["),
        ("spaces = 8", "it has no list of spaces, such as spaces = ["),
        (toml(TEA, "3"), "space 2 must look like { kind ="),
        (
            toml(TEA, '{ kind = "plain", cookies = 1, colour = "pink" }'),
            "space 2 has the key 'colour', but a space has only kind and cookies.",
        ),
        (toml(TEA, PLAIN, '{ kind = "plain" }'), "space 3 has no cookies. It must look like { kind"),
        (toml("{ cookies = 1 }"), "space 1 has no kind. It must look like { kind"),
        (
            toml(TEA, '{ kind = "plane", cookies = 1 }'),
            f"space 2 has the unknown kind 'plane'. Choose from {KINDS}.",
        ),
        (
            toml(TEA, "{ kind = [], cookies = 1 }"),
            f"space 2 has the unknown kind []. Choose from {KINDS}.",
        ),
        (
            toml(TEA, '{ kind = "plain", cookies = 10 }'),
            "space 2 must have a whole number of cookies from 0 to 9, not 10.",
        ),
        (
            toml(TEA, '{ kind = "plain", cookies = 1.0 }'),
            "space 2 must have a whole number of cookies from 0 to 9, not 1.0.",
        ),
        (
            toml(TEA, '{ kind = "plain", cookies = true }'),
            "space 2 must have a whole number of cookies from 0 to 9, not True.",
        ),
        (
            toml(TEA, *[PLAIN] * 6, TEA),
            "exactly one space must be the Tea Party, but spaces 1 and 8 are (rule C4).",
        ),
    ],
    ids=lambda value: value[:40],
)
def test_c4_a_bad_file_is_rejected_with_the_space_and_the_reason(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as raised:
        board_from_toml(text)
    assert str(raised.value).startswith(sentence)
    assert str(raised.value).endswith(".")


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000])
def test_c4_a_number_of_thousands_of_digits_is_rejected(number: str) -> None:
    for text in (
        toml(TEA, f'{{ kind = "plain", cookies = {number} }}'),
        toml(TEA, f"{{ kind = {number}, cookies = 1 }}"),
        toml(TEA, number),
    ):
        with pytest.raises(NotationError) as raised:
            board_from_toml(text)
        assert len(str(raised.value)) < 250


def test_c4_a_record_holds_the_ring_itself_and_never_opens_a_file() -> None:
    with pytest.raises(NotationError, match=r"space 1 of the board is 'ours\.toml'"):
        read_board("ours.toml")


SPACES = st.builds(
    Space, st.sampled_from([kind for kind in Kind if kind is not Kind.TEA_PARTY]), st.integers(0, 9)
)


@given(st.lists(SPACES, min_size=6, max_size=38), st.data())
def test_c4_every_board_round_trips(spaces: list[Space], data: st.DataObject) -> None:
    ring = [Space(Kind.TEA_PARTY, 3), *spaces, Space(Kind.PLAIN, 0)]
    start = data.draw(st.integers(0, len(ring) - 1))
    board = board_of([*ring[start:], *ring[:start]])
    assert board == Board(tuple(ring))
    assert read_board(write_board(board)) == board


@given(st.text(max_size=30) | st.text("TSLCRp0123-", max_size=60))
def test_c4_any_text_is_a_board_or_a_notation_error(text: str) -> None:
    try:
        board = read_board(text)
    except NotationError:
        return
    assert read_board(write_board(board)) == board


def test_a_board_describes_its_spaces() -> None:
    board = read_board("T1-p2-C1-S3-p1-L2-p1-p3")
    assert board.has(Kind.CATERPILLAR)
    assert not board.has(Kind.RABBIT_HOLE)
    assert DEFAULT.is_hole(13)
    assert not DEFAULT.is_hole(12)
