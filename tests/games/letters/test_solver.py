"""The solved two-player game: checked against a naive solver and the rules, and its cache."""

from __future__ import annotations

import importlib.util
import random
import sys
from array import array
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wonderland.engine import CHANCE, Chance, Over, laws
from wonderland.engine.errors import UsageError
from wonderland.games.letters import GAME
from wonderland.games.letters.bots import solution
from wonderland.games.letters.bots.solution import Solution, solve
from wonderland.games.letters.compiled import solver
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import Choosing, State
from wonderland.games.letters.ui import solve as solve_module
from wonderland.games.letters.ui.solve import solve_command
from wonderland.kernels.processor import is_modern

MODULE = "wonderland.games.letters.compiled.solver"
SOURCE = Path(solution.__file__).parents[1] / "compiled" / "solver.py"
WAYS = [
    Options(claim=claim, duchess=duchess) for claim in ("after", "first") for duchess in (False, True)
]

needs_speed = pytest.mark.skipif(
    not solution.COMPILED, reason="the solver is not compiled: a whole solution takes minutes"
)
each_way = pytest.mark.parametrize("options", WAYS, ids=lambda way: f"{way.claim}-{way.duchess}")


@pytest.fixture(autouse=True)
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache, so that nothing is left behind or found."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


@cache
def solution_for(options: Options) -> Solution:
    return solve(options)


def from_source() -> Any:
    """The solver as it runs uncompiled."""
    spec = importlib.util.spec_from_file_location("uncompiled_letters_solver", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def solvers() -> dict[str, Any]:
    """The solver in every variant available here."""
    found: dict[str, Any] = {"uncompiled": from_source()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cython", None)
        found["without-cython"] = from_source()
    if solver.COMPILED:
        found["portable"] = solver
    if is_modern() and importlib.util.find_spec(f"{MODULE}_v3"):
        found["v3"] = import_module(f"{MODULE}_v3")
    return found


# A naive solver, for which players are just sets of letters


Side = tuple[frozenset[int], frozenset[int], frozenset[int]]
"""The letters, numbered from 0 to 4, that were never turned, that lie open, that lie face down again."""


class Rest(NamedTuple):
    """Cards never turned besides the two players' letters, and the options."""

    unused: int
    menaces: int
    duchess: int
    claim_first: bool


@cache
def naive_win_probability(mine: Side, theirs: Side, rest: Rest) -> float:
    """Win probability of the player to move."""
    choices = [after(with_turned(mine, letter), theirs, rest) for letter in mine[2]]
    choices += [after(mine, with_turned(theirs, letter), rest) for letter in theirs[2]]
    outcomes = [after(with_turned(mine, letter), theirs, rest) for letter in mine[0]]
    outcomes += [after(mine, with_turned(theirs, letter), rest) for letter in theirs[0]]
    for _ in range(rest.unused):
        outcomes.append(after(mine, theirs, rest._replace(unused=rest.unused - 1)))
    for _ in range(rest.menaces):
        outcomes.append(after(hidden(mine), theirs, rest._replace(menaces=rest.menaces - 1)))
    if rest.duchess:
        outcomes.append(after(hidden(mine), hidden(theirs), rest._replace(duchess=0)))
    if outcomes:
        choices.append(sum(outcomes) / len(outcomes))
    return max(choices)


def after(mine: Side, theirs: Side, rest: Rest) -> float:
    """Win probability of the player whose turn ends like this."""
    mine = with_letters_played(mine)
    if not any(mine):
        return 1
    if rest.claim_first:
        theirs = with_letters_played(theirs)
        if not any(theirs):
            return 0
    return 1 - naive_win_probability(theirs, mine, rest)


def with_turned(side: Side, letter: int) -> Side:
    return side[0] - {letter}, side[1] | {letter}, side[2] - {letter}


def hidden(side: Side) -> Side:
    return side[0], frozenset(), side[2] | side[1]


def with_letters_played(side: Side) -> Side:
    opened = side[1]
    while opened and min(opened) == min(side[0] | opened | side[2]):
        opened -= {min(opened)}
    return side[0], opened, side[2]


def side_of(module: Any, number: int) -> Side:
    letters = list(enumerate(reversed(module.letters_of(number))))
    unturned, opened, down = (
        frozenset(4 - at for at, is_ in letters if is_ == what) for what in range(3)
    )
    return unturned, opened, down


@pytest.mark.uncounted
@pytest.mark.parametrize("name", solvers())
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("duchess", [False, True])
def test_a_naive_solver_agrees(name: str, first: bool, duchess: bool) -> None:
    """Reduced plays: few unused letters and menaces, and players close to the end."""
    module, rng = solvers()[name], random.Random(name)
    most = (2, 2) if module.COMPILED else (0, 0)
    rows = module.WAITING if first else module.SIDES
    values = array("I", bytes(4 * 11 * 14 * rows * module.WAITING))
    its = module.Solver(values, first, duchess)
    for with_duchess, menaces, unused in product(
        range(int(duchess) + 1), range(most[1] + 1), range(most[0] + 1)
    ):
        its.fill(unused, menaces, with_duchess)
    near_the_end = [module.side_number(2, letters) for letters in product(range(3), repeat=3)]
    near_the_end += [module.side_number(3, letters) for letters in product(range(3), repeat=2)]
    for _ in range(300):
        mover, other = rng.sample(near_the_end, 2)
        if module.letters_of(other)[0] == 1 or (first and module.letters_of(mover)[0] == 1):
            continue  # it would have been played
        cards = rng.randint(0, most[0]), rng.randint(0, most[1]), rng.randint(0, int(duchess))
        expected = naive_win_probability(
            side_of(module, mover), side_of(module, other), Rest(*cards, first)
        )
        assert its.best((mover, other, *cards)) == pytest.approx(expected, abs=1e-8)


# The rules themselves


@cache
def exhaustive_win_probability(state: State) -> float:
    """Win probability of the first seat, by exhaustive search of the rules."""
    turn = GAME.turn(state)
    if isinstance(turn, Over):
        return float(0 in turn.result.winners)
    if isinstance(turn, Chance):
        outcomes = [
            exhaustive_win_probability(GAME.apply(state, CHANCE, outcome).state)
            for outcome in turn.outcomes
        ]
        return sum(outcomes) / len(outcomes)
    (seat,) = turn.seats
    choices = [
        exhaustive_win_probability(GAME.apply(state, seat, action).state)
        for action in GAME.legal(state, seat)
    ]
    return max(choices) if seat == 0 else min(choices)


def late_states(options: Options, count: int) -> list[State]:
    """States of random plays in which few cards are face down."""
    found: list[State] = []
    seed = 0
    while len(found) < count:
        match = laws.random_match(GAME, 2, options, random.Random(seed))
        late = [
            state
            for state, _ in match.record.states()
            if isinstance(state.stage, Choosing)
            and len(state.unseen) <= 3
            and len(GAME.legal(state, state.stage.seat)) in range(2, 7)
        ]
        found += late[:1]
        seed += 1
    return found


@pytest.mark.slow
@pytest.mark.uncounted
@needs_speed
@each_way
def test_exhaustive_search_by_the_rules_agrees(options: Options) -> None:
    for state in late_states(options, 3):
        assert isinstance(state.stage, Choosing)
        seat = state.stage.seat
        chances = solution_for(options).win_probabilities(state)
        assert set(chances) == set(GAME.legal(state, seat))
        for action, chance in chances.items():
            expected = exhaustive_win_probability(GAME.apply(state, seat, action).state)
            assert chance == pytest.approx(expected if seat == 0 else 1 - expected, abs=1e-8)
        assert solution_for(options).win_probability(state) == pytest.approx(
            max(chances.values()), abs=1e-9
        )


def play_perfectly(options: Options, rng: random.Random) -> State:
    """Return the end of a play in which the first seat starts and both play perfectly."""
    state: State = GAME.start(2, options)
    while not isinstance(turn := GAME.turn(state), Over):
        if isinstance(turn, Chance):
            number = 0 if turn.label == "start" else rng.randrange(turn.total)
            state = GAME.apply(state, CHANCE, turn.pick(number)).state
            continue
        chances = solution_for(options).win_probabilities(state)
        best = max(chances.values())
        action = rng.choice([action for action, chance in chances.items() if chance == best])
        state = GAME.apply(state, turn.seats[0], action).state
    return state


@pytest.mark.uncounted
@needs_speed
def test_perfect_players_win_as_often_as_the_solution_predicts() -> None:
    options, rng, plays = Options(), random.Random(8), 500
    wins = sum(play_perfectly(options, rng).rails[0] == 5 for _ in range(plays))
    assert abs(wins / plays - solution_for(options).value) < 4 * (0.25 / plays) ** 0.5


@needs_speed
@each_way
def test_the_first_move_has_the_value_of_its_successor(options: Options) -> None:
    its = solution_for(options)
    begun = GAME.apply(GAME.start(2, options), CHANCE, GAME.read("seat1")).state
    chances = its.win_probabilities(begun)
    assert len(chances) == 27
    assert list(chances.values()) == pytest.approx([its.value] * 27, abs=1e-9)
    assert its.win_probability(begun) == its.value
    outcomes = []
    turning = GAME.apply(begun, 0, GAME.read("1")).state
    for card in GAME.turn(turning).outcomes:
        state = GAME.apply(turning, CHANCE, card).state
        outcomes.append(1 - its.win_probability(state))
    assert sum(outcomes) / 27 == pytest.approx(its.value, abs=1e-8)


def test_only_two_player_positions_are_solved() -> None:
    its = Solution(Options(), array("I"), 0)
    for state in (GAME.start(2, Options()), GAME.start(3, Options())):
        with pytest.raises(UsageError, match="two players"):
            its.win_probabilities(state)


# The cache


@needs_speed
def test_a_cached_solution_is_reused_unless_damaged(cache_home: Path) -> None:
    options = Options(claim="first")
    told: list[float] = []
    whole = solve(options, told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    (path,) = (cache_home / "wonderland").iterdir()  # and no unfinished file beside it
    told.clear()
    assert solve(options, told.append).value == whole.value
    assert not told
    content = path.read_bytes()
    for damaged in (b"", content[:-1], content[:5000] + b"!" + content[5001:], b"0000" + content[4:]):
        path.write_bytes(damaged)
        assert solution._read(path, options) is None
    assert solve(options).value == whole.value
    assert path.read_bytes() == content


@needs_speed
def test_it_is_solved_even_if_nothing_can_be_cached(
    cache_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cache_home / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home / "file"))
    assert solve(Options(claim="first")).states == 242 * 242 * 88


def test_without_a_compiler_only_a_cached_solution_is_available(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solution, "COMPILED", False)
    solution._load_cached.cache_clear()
    assert solution.cached_solution(Options(claim="first")) is None
    solution._load_cached.cache_clear()


def test_the_cache_is_in_the_usual_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    path = solution.cache_file(Options(duchess=True))
    assert path is not None
    assert path.parent == Path.home() / ".cache" / "wonderland"
    names = {way: solution.cache_file(way) for way in WAYS}
    assert len(set(names.values())) == 4


@needs_speed
def test_the_command_prints_a_line_per_variant() -> None:
    lines: list[str] = []
    solve_command(["claim=first", "duchess=true"], lines.append)
    assert lines[-1].split()[:4] == ["first", "yes", f"{solution_for(WAYS[3]).value:.6f}", "9,018,856"]


def test_the_command_reports_invalid_arguments() -> None:
    with pytest.raises(UsageError, match="claim=first"):
        solve_command(["quickly"], print)
    with pytest.raises(UsageError, match="no option"):
        solve_command(["speed=high"], print)


@pytest.mark.slow
@needs_speed
def test_without_options_the_command_solves_all_variants_and_warns_if_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solve_module, "COMPILED", False)
    lines: list[str] = []
    solve_command([], lines.append)
    assert any("isn't compiled" in line for line in lines)
    assert [line.split()[:2] for line in lines[-4:]] == [
        ["after", "no"],
        ["after", "yes"],
        ["first", "no"],
        ["first", "yes"],
    ]


def test_without_a_home_folder_nothing_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert solution.cache_file(Options()) is None
    solution._write(None, array("I", [1]))


def test_a_file_that_cannot_be_moved_into_place_leaves_nothing_behind(tmp_path: Path) -> None:
    place = tmp_path / "values"
    place.mkdir()
    solution._write(place, array("I", [1, 2]))
    assert list(tmp_path.iterdir()) == [place]


def test_files_are_the_same_on_big_endian_machines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "byteorder", "big")
    assert solution._convert_byte_order(array("I", [1])) == array("I", [1 << 24])
