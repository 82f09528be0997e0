"""The solved two-player game, kept in memory and, for the next time, in a file of the user's cache.

`solver.py` does the work; here stands what its numbers mean for a state of the rules.
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
from wonderland.kernels.kernel import quickest

VERSION = 1
"""Part of the name of each file: raised whenever the values would come out otherwise."""

_solver: Any = quickest("wonderland.games.letters.compiled.solver")
COMPILED: bool = _solver.COMPILED

Progress = Callable[[float], None]
"""Is told how much of the work is done, from 0 to 1."""


class Solution:
    """The chance to win of whoever is on turn, in every position of the two-player game."""

    def __init__(self, options: Options, values: array[int], seconds: float) -> None:
        self.options = options
        self.seconds = seconds
        """How long it took to solve the game, or to read the file."""
        self._values = values
        self._solver = _solver.Solver(values, options.claim == "first", options.duchess)

    @property
    def value(self) -> float:
        """The chance of the player who begins; one player wins each play, so no win is shared."""
        unknown = _solver.side_number(0, [_solver.UNTURNED] * len(WORD))
        return float(self._solver.best((unknown, unknown, *_cards_never_turned(self.options))))

    @property
    def states(self) -> int:
        """How many positions there are."""
        return len(self._values)

    @property
    def memory(self) -> int:
        """How many bytes the values take."""
        return len(self._values) * self._values.itemsize

    def chance(self, state: State) -> float:
        """The chance of the player on turn, if both forget nothing and play as well as can be."""
        return float(self._solver.best(self._position(state)))

    def chances(self, state: State) -> Mapping[TurnCard, float]:
        """The same for each card that the player on turn may turn."""
        position = self._position(state)
        seat = _on_turn(state)
        found: dict[TurnCard, float] = {}
        something_new = float(self._solver.something_new(position))
        for space, lies in enumerate(state.spaces):
            if lies is FACE_DOWN:
                found[TurnCard(space)] = something_new
            elif isinstance(lies, TurnedDown):
                owner = state.options.colours.index(lies.card.colour)
                turned = self._solver.own if owner == seat else self._solver.others
                place = lies.card.place - state.rails[owner]
                found[TurnCard(space)] = float(turned(position, place))
        return found

    def _position(self, state: State) -> tuple[int, ...]:
        """Both sides, and how many cards of each kind were never turned, as the solver counts."""
        seat = _on_turn(state)
        menaces = [card for card in state.unseen if isinstance(card, Menace)]
        letters = [card for card in state.unseen if isinstance(card, Letter)]
        unused = sum(letter.colour not in state.options.colours for letter in letters)
        duchess = self.options.duchess and Menace.DUCHESS in menaces
        sides = (_side(state, seat), _side(state, 1 - seat))
        return (*sides, unused, len(menaces) - duchess, int(duchess))


def _on_turn(state: State) -> int:
    if len(state.rails) != 2 or not isinstance(state.stage, Choosing):
        raise UsageError("only positions of two players are solved, where one is to turn a card (L5).")
    return state.stage.seat


def _side(state: State, seat: int) -> int:
    """How a player stands, as the solver counts."""
    what: dict[Letter, int] = dict.fromkeys(
        [card for card in state.unseen if isinstance(card, Letter)], _solver.UNTURNED
    )
    for lies in state.spaces:
        if isinstance(lies, TurnedDown):
            what[lies.card] = _solver.DOWN
        elif isinstance(lies, FaceUp) and isinstance(lies.card, Letter):
            what[lies.card] = _solver.OPEN
    placed, colour = state.rails[seat], state.options.colours[seat]
    to_come = [what[Letter(colour, place)] for place in range(placed, len(WORD))]
    return int(_solver.side_number(placed, to_come))


def _cards_never_turned(options: Options) -> tuple[int, int, int]:
    """At the start: unused letters, menaces without the Duchess where she counts, and the Duchess."""
    return _solver.MOST_UNUSED, len(Menace) - options.duchess, int(options.duchess)


def solve(options: Options, progress: Progress | None = None, *, afresh: bool = False) -> Solution:
    """The solution for these options; read from its file if it is there, unless wanted `afresh`."""
    start = time.perf_counter()
    path = None if afresh else cache_file(options)
    values = None if path is None else _read(path, options)
    if values is None:
        values = _solved(options, progress)
        seconds = time.perf_counter() - start
        _write(cache_file(options), values)
        return Solution(options, values, seconds)
    return Solution(options, values, time.perf_counter() - start)


def _solved(options: Options, progress: Progress | None) -> array[int]:
    unused, menaces, duchess = _cards_never_turned(options)
    values = array("I", bytes(4 * _how_many(options)))
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


def _how_many(options: Options) -> int:
    """The number of positions."""
    unused, menaces, duchess = _cards_never_turned(options)
    movers = _solver.WAITING if options.claim == "first" else _solver.SIDES
    return int((unused + 1) * (menaces + 1) * (duchess + 1) * movers * _solver.WAITING)


@lru_cache(maxsize=2)
def _kept(duchess: bool, claim: Any) -> Solution | None:  # noqa: FBT001 - an option
    options = Options(duchess=duchess, claim=claim)
    if COMPILED:
        return solve(options)
    path = cache_file(options)
    values = None if path is None else _read(path, options)
    return None if values is None else Solution(options, values, 0.0)


def at_hand(options: Options) -> Solution | None:
    """The solution for these options, kept in memory for those who ask again and again.

    `None` where it would take minutes, because the solver is neither compiled nor has left a file.
    """
    return _kept(options.duchess, options.claim)


# Files


def cache_file(options: Options) -> Path | None:
    """Where the values for these options are kept; `None` where there is no place to keep them."""
    from platformdirs import user_cache_path  # noqa: PLC0415 - slow to import, and rarely needed

    try:
        folder = user_cache_path("wonderland", appauthor=False)
    except RuntimeError:  # the home folder is not known
        return None
    duchess = "-duchess" if options.duchess else ""
    return folder / f"letters-{VERSION}-claim-{options.claim}{duchess}.values"


def _read(path: Path, options: Options) -> array[int] | None:
    """The values in a file; `None` if there is none, or if it is damaged in any way."""
    try:
        text = path.read_bytes()
    except OSError:
        return None
    checksum, values = text[:4], text[4:]
    if len(values) != 4 * _how_many(options) or checksum != _checksum(values):
        return None
    return _in_file_order(array("I", values))


def _write(path: Path | None, values: array[int]) -> None:
    """Keep the values, if that is possible: the file is there whole, or not at all."""
    if path is None:
        return
    content = _in_file_order(array("I", values)).tobytes()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
            try:
                file.write(_checksum(content) + content)
                file.close()
                Path(file.name).replace(path)
            except OSError:
                Path(file.name).unlink(missing_ok=True)


def _in_file_order(values: array[int]) -> array[int]:
    """The bytes of each value are turned where the machine has the highest first."""
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4, "little")
