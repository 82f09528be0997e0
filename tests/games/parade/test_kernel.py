"""Law 10 for Parade: the kernel, in every way it can run, plays the same game as the rules."""

from __future__ import annotations

import random
import re
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from support import kernel_variants
from wonderland.core import Match, NotationError, game, read_record
from wonderland.core.kernel import ROW
from wonderland.core.laws import LawBroken, check_kernel, random_match
from wonderland.core.protocol import FACE_DOWN
from wonderland.games.parade import layout, packing
from wonderland.games.parade.components import DECK, VALUES
from wonderland.games.parade.state import Keeping

PARADE = game("parade")
WAYS = kernel_variants.ways("parade")
RECORDS = sorted((Path(__file__).parents[2] / "records" / "parade").glob("*.record"))
MISTAKES = {
    "the safe cards counted from the wrong value": (
        "lowest(self.present, value)",
        "lowest(self.present, value + 1)",
    ),
    "only lower values leave": ("value <= bit - AT_MOST", "value < bit - AT_MOST"),
    "a colour never leaves": ("self.colours[COLOUR[card]] | self.sets", "self.sets"),
    "the last round has one turn too few": ("self.seats + 1", "self.seats"),
    "the last round is played without the one who began it": (
        "self.turns_left = self.seats + 1",
        "self.turns_left = self.seats + (self.ends != EMPTY_PILE)",
    ),
    "two players need one card more": ("2 * ONE_IN_EACH", "1 * ONE_IN_EACH"),
    "tied majorities go to nobody": ("+ ABOVE - needed)", "+ ABOVE - needed - ONE_IN_EACH)"),
    "no tie-break": ("64 * self.points[seat] + cards", "64 * self.points[seat]"),
    "the sixth colour is forgotten": ("self.ends = SIXTH_COLOUR", "self.ends = 0"),
    "a card taken stays in the parade": ("self.present &= ~leaving", "self.present &= ~0"),
    "the sum of a colour is cut short": ("(zone >> 4) & SUMS", "(zone >> 4) & COUNTS"),
}


def started(seats: int) -> list[int]:
    return packing.pack(PARADE.start(seats, PARADE.options_type()))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_stored_games_are_the_same_in_the_kernel(path: Path, way: str) -> None:
    match = Match.resume(read_record(path.read_bytes()).whole)
    kernel = kernel_variants.kernel("parade", way)
    if "noted" in path.stem:  # it has cards that nobody has seen
        with pytest.raises(NotationError, match="nobody has seen"):
            check_kernel(match, kernel, packing, random.Random(1))
    else:
        check_kernel(match, kernel, packing, random.Random(1))


@pytest.mark.uncounted
@pytest.mark.parametrize("way", WAYS)
@given(seats=st.sampled_from(PARADE.info.seats), seed=st.integers(0, 2**32))
def test_random_plays_are_the_same_in_the_kernel(way: str, seats: int, seed: int) -> None:
    rng = random.Random(seed)
    match = random_match(PARADE, seats, PARADE.options_type(), rng)
    check_kernel(match, kernel_variants.kernel("parade", way), packing, rng)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_copy_of_the_kernel_is_caught(mistake: str) -> None:
    old, new = MISTAKES[mistake]
    mutant = kernel_variants.uncompiled("wonderland.games.parade.kernel", {old: new})
    rng = random.Random(3)
    with pytest.raises((LawBroken, IndexError)):  # noqa: PT012 - not every play shows it
        for play in range(300):
            seats = PARADE.info.seats[play % len(PARADE.info.seats)]
            check_kernel(random_match(PARADE, seats, PARADE.options_type(), rng), mutant, packing, rng)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_is_one(mistake: str) -> None:
    folder = Path(packing.__file__).parent
    texts = [(folder / name).read_text(encoding="utf-8") for name in ("play.py", "kernel.py")]
    assert sum(text.count(MISTAKES[mistake][0]) for text in texts) >= 1


def simulated(way: str, seats: int, policy: int, first: int, count: int) -> array[int]:
    table = kernel_variants.kernel("parade", way).Table()
    table.load(started(seats))
    rows = array("i", [0]) * (ROW * count)
    table.simulate(rows, [policy] * seats, 7, first, count)
    return rows


@pytest.mark.parametrize("policy", [0, 1])
@pytest.mark.parametrize("seats", PARADE.info.seats)
def test_simulated_plays_are_the_same_however_they_run(seats: int, policy: int) -> None:
    first, *others = [simulated(way, seats, policy, 0, 20) for way in WAYS]
    assert all(rows == first for rows in others)
    assert simulated(WAYS[-1], seats, policy, 12, 8) == first[12 * ROW :]


def test_too_little_room_for_the_rows_is_refused() -> None:
    for way in WAYS:
        table = kernel_variants.kernel("parade", way).Table()
        table.load(started(2))
        with pytest.raises(ValueError, match="20 numbers"):
            table.simulate(array("i", [0]) * 19, [0, 0], 1, 0, 2)


@pytest.mark.parametrize("way", WAYS)
@given(seats=st.sampled_from(PARADE.info.seats), seed=st.integers(0, 2**32))
def test_a_play_out_ends_as_the_rules_count(way: str, seats: int, seed: int) -> None:
    table = kernel_variants.kernel("parade", way).Table()
    table.load(started(seats))
    table.seed(seed)
    decisions = table.play_out([seed % 2] * seats)
    state = packing.unpack(table.words())
    result = PARADE.turn(state).result
    assert tuple(table.scores()) == result.scores
    assert table.winners() == sum(1 << seat for seat in result.winners)
    assert decisions >= 3 * seats


def test_what_c_is_told_is_what_python_is_told() -> None:
    types = Path(packing.__file__).with_name("play.pxd").read_text(encoding="utf-8")
    numbers = dict(re.findall(r"^    (\w+) = (-?\w+)$", types, re.MULTILINE))
    numbers |= dict(re.findall(r"#define PARADE_(\w+) (\w+)ULL", types))
    ours = {name: value for name, value in vars(layout).items() if name.isupper()}
    assert {name: int(value, 0) for name, value in numbers.items()} == ours
    assert len(DECK) == 66
    assert len(VALUES) == 11


def test_what_nobody_has_seen_has_no_number() -> None:
    with pytest.raises(NotationError, match="nobody has seen"):
        packing.number(FACE_DOWN)
    match = random_match(PARADE, 2, PARADE.options_type(), random.Random(1))
    states = [state for state, _ in match.record.states()]
    keeping = next(state for state in states if isinstance(state.stage, Keeping))
    hidden = structs.replace(keeping, stage=Keeping(keeping.stage.ending, (FACE_DOWN, None)))
    with pytest.raises(NotationError, match="nobody has seen"):
        packing.pack(hidden)
    unseen = structs.replace(keeping, hands=((FACE_DOWN,) * 4, keeping.hands[1]))
    with pytest.raises(NotationError, match="nobody has seen"):
        packing.pack(unseen)
