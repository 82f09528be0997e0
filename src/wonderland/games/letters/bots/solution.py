"""The solved two-player game, cached in memory and in a file in the user's cache folder.

`solver.py` computes the values; this module maps states of the rules to its positions.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
import zlib
from array import array
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from wonderland.engine.errors import UsageError
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import WORD, Letter, Menace
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import Choosing, FaceUp, State, TurnCard, TurnedDown
from wonderland.kernels.kernel import import_fastest

VERSION = 1
"""Part of each cache file's name; increment it whenever the values change."""

_solver: Any = import_fastest("wonderland.games.letters.compiled.solver")
COMPILED: bool = _solver.COMPILED

Progress = Callable[[float], None]
"""Called with the fraction of the work that is done, from 0 to 1."""


class Solution:
    """Win probability of the player to move in every position of the two-player game."""

    def __init__(self, options: Options, values: array[int], seconds: float) -> None:
        self.options = options
        self.seconds = seconds
        """The time it took to solve the game or to read the cache file."""
        self._values = values
        self._solver = _solver.Solver(values, options.claim == "first", options.duchess)

    @property
    def value(self) -> float:
        """Win probability of the start player; every game has exactly one winner."""
        unknown = _solver.side_number(0, [_solver.UNTURNED] * len(WORD))
        return float(self._solver.best((unknown, unknown, *_initial_counts(self.options))))

    @property
    def states(self) -> int:
        """The number of positions."""
        return len(self._values)

    @property
    def memory(self) -> int:
        """The size of the values in bytes."""
        return len(self._values) * self._values.itemsize

    def win_probability(self, state: State) -> float:
        """Win probability of the player to move, if both have perfect memory and play optimally."""
        return float(self._solver.best(self._encode_position(state)))

    def win_probabilities(self, state: State) -> Mapping[TurnCard, float]:
        """Win probability after each card that the player to move may turn."""
        position = self._encode_position(state)
        seat = _seat_to_move(state)
        probabilities: dict[TurnCard, float] = {}
        new_card = float(self._solver.something_new(position))
        for space, content in enumerate(state.spaces):
            if content is FACE_DOWN:
                probabilities[TurnCard(space)] = new_card
            elif isinstance(content, TurnedDown):
                owner = state.options.colours.index(content.card.colour)
                turned = self._solver.own if owner == seat else self._solver.others
                place = content.card.place - state.rails[owner]
                probabilities[TurnCard(space)] = float(turned(position, place))
        return probabilities

    def _encode_position(self, state: State) -> tuple[int, ...]:
        """Encode a state for the solver: both sides, and the number of unturned cards of each kind."""
        seat = _seat_to_move(state)
        menaces = [card for card in state.unseen if isinstance(card, Menace)]
        letters = [card for card in state.unseen if isinstance(card, Letter)]
        unused = sum(letter.colour not in state.options.colours for letter in letters)
        duchess = self.options.duchess and Menace.DUCHESS in menaces
        sides = (_encode_side(state, seat), _encode_side(state, 1 - seat))
        return (*sides, unused, len(menaces) - duchess, int(duchess))


def _seat_to_move(state: State) -> int:
    if len(state.rails) != 2 or not isinstance(state.stage, Choosing):
        raise UsageError(
            "only positions with two players in which a card is to be turned up can be solved (L5)."
        )
    return state.stage.seat


def _encode_side(state: State, seat: int) -> int:
    """Encode a player's side for the solver."""
    status: dict[Letter, int] = dict.fromkeys(
        [card for card in state.unseen if isinstance(card, Letter)], _solver.UNTURNED
    )
    for content in state.spaces:
        if isinstance(content, TurnedDown):
            status[content.card] = _solver.DOWN
        elif isinstance(content, FaceUp) and isinstance(content.card, Letter):
            status[content.card] = _solver.OPEN
    placed, colour = state.rails[seat], state.options.colours[seat]
    to_come = [status[Letter(colour, place)] for place in range(placed, len(WORD))]
    return int(_solver.side_number(placed, to_come))


def _initial_counts(options: Options) -> tuple[int, int, int]:
    """Return the initial numbers of unused letters, of menaces, and of Duchesses if she is special."""
    return _solver.MOST_UNUSED, len(Menace) - options.duchess, int(options.duchess)


def solve(options: Options, progress: Progress | None = None, *, refresh: bool = False) -> Solution:
    """Return the solution for these options, from the cache file unless `refresh` forces a new solve."""
    start = time.perf_counter()
    path = None if refresh else cache_file(options)
    values = None if path is None else _read(path, options)
    if values is None:
        values = _compute_values(options, progress)
        seconds = time.perf_counter() - start
        _write(cache_file(options), values)
        return Solution(options, values, seconds)
    return Solution(options, values, time.perf_counter() - start)


def _compute_values(options: Options, progress: Progress | None) -> array[int]:
    unused, menaces, duchess = _initial_counts(options)
    values = array("I", bytes(4 * _count_positions(options)))
    solver = _solver.Solver(values, options.claim == "first", options.duchess)
    pages = [
        (fewer_unused, fewer_menaces, with_duchess)
        for with_duchess in range(duchess + 1)
        for fewer_menaces in range(menaces + 1)
        for fewer_unused in range(unused + 1)
    ]
    for done, page in enumerate(pages, start=1):
        solver.fill(*page)
        if progress is not None:
            progress(done / len(pages))
    return values


def _count_positions(options: Options) -> int:
    """Return the number of positions."""
    unused, menaces, duchess = _initial_counts(options)
    movers = _solver.WAITING if options.claim == "first" else _solver.SIDES
    return int((unused + 1) * (menaces + 1) * (duchess + 1) * movers * _solver.WAITING)


@lru_cache(maxsize=2)
def _load_cached(duchess: bool, claim: Any) -> Solution | None:  # noqa: FBT001 - an option
    options = Options(duchess=duchess, claim=claim)
    if COMPILED:
        return solve(options)
    path = cache_file(options)
    values = None if path is None else _read(path, options)
    return None if values is None else Solution(options, values, 0.0)


def cached_solution(options: Options) -> Solution | None:
    """Return the solution for these options, from an in-memory cache.

    `None` if it would take minutes, because the solver isn't compiled and there is no cache file.
    """
    return _load_cached(options.duchess, options.claim)


# Cache files


def cache_file(options: Options) -> Path | None:
    """Return the path of the cache file for these options; `None` if there is no cache folder."""
    from platformdirs import user_cache_path  # noqa: PLC0415 - slow to import, and rarely needed

    try:
        folder = user_cache_path("wonderland", appauthor=False)
    except RuntimeError:  # there is no home folder
        return None
    duchess = "-duchess" if options.duchess else ""
    return folder / f"letters-{VERSION}-claim-{options.claim}{duchess}.values"


def _read(path: Path, options: Options) -> array[int] | None:
    """Read the values from a cache file; `None` if it is missing or damaged."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    checksum, values = raw[:4], raw[4:]
    if len(values) != 4 * _count_positions(options) or checksum != _checksum(values):
        return None
    return _convert_byte_order(array("I", values))


def _write(path: Path | None, values: array[int]) -> None:
    """Write the values to the cache atomically; failures are ignored."""
    if path is None:
        return
    content = _convert_byte_order(array("I", values)).tobytes()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
            try:
                file.write(_checksum(content) + content)
                file.close()
                Path(file.name).replace(path)
            except OSError:
                Path(file.name).unlink(missing_ok=True)


def _convert_byte_order(values: array[int]) -> array[int]:
    """Convert between native and little-endian byte order, in place."""
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4, "little")
