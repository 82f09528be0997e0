"""Selection of the kernel variant, and the helpers of an uncompiled one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.components.bots import Budget
from wonderland.engine import game
from wonderland.engine.laws import LawBroken, random_match
from wonderland.kernels import bits, cython_fallback, kernel, laws, processor

SOME_SET = st.integers(0, 2**64 - 1)


@given(members=SOME_SET, how_many=st.integers(0, 64))
def test_the_lowest_members_are_the_lowest(members: int, how_many: int) -> None:
    found = bits.lowest(members, how_many)
    assert found & ~members == 0
    assert bits.count(found) == min(how_many, bits.count(members))
    assert found == 0 or members & ((1 << found.bit_length()) - 1) == found


@given(members=st.integers(1, 2**64 - 1))
def test_the_first_member_is_the_lowest(members: int) -> None:
    assert 1 << bits.first(members) == bits.lowest(members, 1)


def test_a_processor_is_modern_only_if_it_reports_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "cpuinfo"
    monkeypatch.setattr(processor, "_CPUINFO", said)
    ask: Any = processor.is_modern.__wrapped__
    assert not ask()
    said.write_text("model name : old\nflags\t\t: fpu sse2 avx2 bmi1\n")
    assert not ask()
    said.write_text("flags\t\t: fpu avx2 bmi1 bmi2 abm fma movbe\n")
    assert ask()


def test_the_portable_kernel_is_used_on_other_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "is_modern", lambda: False)
    assert kernel.import_fastest("wonderland.games.parade.compiled.kernel").__name__.endswith(".kernel")
    assert "for this processor" not in kernel.describe_kernels()


def test_every_game_reports_its_kernel_variant() -> None:
    found = kernel.kernel("parade")
    assert found is not None
    assert ("not compiled" in kernel.describe_kernels()) != found.COMPILED


def test_the_cython_stand_in_changes_nothing() -> None:
    cython = cython_fallback

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def twice(number: int) -> int:
        with cython.nogil:
            return cython.cast(cython.ulonglong, number) * 2

    assert twice(4) == 8
    assert cython.declare(cython.ulonglong[66], 5) == 5
    assert not cython.compiled


def test_a_playout_budget_is_spent_completely() -> None:
    assert list(Budget(playouts=10).batches(3)) == [10]
    assert list(Budget().batches(3)) == [3]
    assert sum(Budget(playouts=10_000).batches(3)) == 10_000
    assert list(Budget(playouts=0).batches(3)) == [1]


def test_a_time_budget_ends_the_search() -> None:
    assert sum(1 for _ in Budget(seconds=0.0).batches(3)) == 1
    assert sum(Budget(seconds=0.01).batches(3)) > 1


class Crooked:
    """A packing or a table with one thing wrong."""

    def __init__(self, real: Any, **wrong: Any) -> None:
        self.real = real
        self.wrong = wrong

    def __getattr__(self, name: str) -> Any:
        return self.wrong.get(name) or getattr(self.real, name)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"unpack": lambda words: None}, "the kernel has None"),
        ({"turn": lambda: 5}, "has 5 to act"),
        ({"legal": lambda seat: [1]}, "allows seat"),
        ({"action": lambda number, state: None}, "means something else"),
        ({"chances": list}, "other chances"),
        ({"scores": list}, "counts otherwise"),
        ({"ending": lambda: -1}, "another ending"),
    ],
)
def test_law_10_names_the_difference(wrong: dict[str, Any], words: str) -> None:
    the_game, found, packing = game("parade"), kernel.kernel("parade"), kernel.packing("parade")
    match = random_match(the_game, 2, None, random.Random(2))
    crooked: Any = Crooked(found, KernelState=lambda: Crooked(found.KernelState(), **wrong))  # type: ignore[union-attr]
    with pytest.raises(LawBroken, match=words):
        laws.check_kernel(match, crooked, Crooked(packing, **wrong), random.Random(1))  # type: ignore[arg-type]
