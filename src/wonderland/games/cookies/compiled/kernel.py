"""Cookies behind the interface of `wonderland.kernels.kernel`, on top of `play.py`."""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.cookies.compiled.play import (
        CLIMBING,
        DEALING,
        DRAWING,
        ENDED,
        SPINNING,
        STARTING,
        FastPlay,
    )
    from cython.cimports.wonderland.games.cookies.compiled.policies import (
        play_on,
        white_rabbit,
        winners_of,
    )
    from cython.cimports.wonderland.kernels.kernel import (
        CHANCE,
        DECISIONS,
        ENDING,
        FIRST,
        OVER,
        SCORES,
        SEATS,
        WINNERS,
    )
    from cython.cimports.wonderland.kernels.simulation import PlayoutLoop
else:
    from wonderland.games.cookies.compiled.play import (
        CLIMBING,
        DEALING,
        DRAWING,
        ENDED,
        SPINNING,
        STARTING,
        FastPlay,
    )
    from wonderland.games.cookies.compiled.policies import play_on, white_rabbit, winners_of
    from wonderland.kernels.kernel import CHANCE, DECISIONS, ENDING, FIRST, OVER, SCORES, SEATS, WINNERS
    from wonderland.kernels.simulation import PlayoutLoop

COMPILED = cython.compiled
POLICIES = ("dodo", "white-rabbit")


@cython.final
@cython.cclass
class KernelState:
    """One game as numbers, with its random number generator."""

    play: FastPlay

    def __init__(self) -> None:
        self.play = FastPlay()

    def load(self, words: Sequence[int]) -> None:
        """Load a packed state."""
        self.play.load(words)

    def words(self) -> list[int]:
        """Return the packed state."""
        return self.play.words()

    def seed(self, seed: int, stream: int = 0) -> None:
        """Reseed the random number generator."""
        self.play.reseed(seed & 0xFFFFFFFFFFFFFFFF, stream & 0xFFFFFFFFFFFFFFFF)

    def turn(self) -> int:
        """The seat to move, or `CHANCE`, or `OVER`."""
        if self.play.is_asking():
            return self.play.seat
        return OVER if self.play.stage == ENDED else CHANCE

    def legal(self, seat: int) -> list[int]:
        """Legal actions of a seat."""
        if self.turn() != seat:
            return []
        return [self.play.choice(way) for way in range(self.play.choices())]

    def chances(self) -> list[tuple[int, int]]:
        """Possible chance outcomes with their weights."""
        play: FastPlay = self.play
        pile: cython.ulonglong = play.stack
        if self.turn() != CHANCE:
            return []
        if play.stage == STARTING:
            return [(seat, 1) for seat in range(play.seats)]
        if play.stage in (CLIMBING, SPINNING):
            return [(space, 1) for space in range(play.size)]
        if play.stage in (DEALING, DRAWING):
            pile = play.piles[play.seat]
        counts = [(kind, pile >> (4 * kind) & 15) for kind in range(8)]
        return [(kind, count) for kind, count in counts if count]

    def apply(self, actor: int, action: int) -> None:  # noqa: ARG002 - the stage determines the actor
        """Apply a legal action or a possible chance outcome, without checking it."""
        self.play.apply(action)

    def choose(self) -> int:
        """Return the White Rabbit's action."""
        return white_rabbit(self.play)

    def winners(self) -> int:
        """Winning seats as bits."""
        return winners_of(self.play)

    def scores(self) -> list[int]:
        """Score of each seat."""
        return [self.play.taken[seat] & 255 for seat in range(self.play.seats)]

    def ending(self) -> int:
        """There is only one way a game can end."""
        return 0

    def play_out(self, policies: Sequence[int]) -> int:
        """Play to the end, each seat by its policy, and return the number of decisions."""
        play: FastPlay = self.play
        decisions: cython.int
        in_bits: cython.int = policy_bits(policies)
        with cython.nogil:
            decisions = play_on(play, in_bits)
        return decisions

    def simulate(
        self, rows: cython.int[::1], policies: Sequence[int], seed: int, first: int, count: int
    ) -> None:
        """Play this state to the end `count` times, as specified in `wonderland.kernels.kernel`."""
        PlayOuts(self.play, policies).run(rows, seed, first, count)


@cython.final
@cython.cclass
class PlayOuts(PlayoutLoop):
    """Playouts of one position of Cookies."""

    play: FastPlay
    home: FastPlay
    policies: cython.int

    def __init__(self, play: FastPlay, policies: Sequence[int]) -> None:
        self.play, self.home, self.policies = play, play.clone(), policy_bits(policies)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_out(
        self, seed: cython.ulonglong, stream: cython.ulonglong, row: cython.p_int
    ) -> cython.void:
        """Play once to the end and fill the row."""
        seat: cython.int
        self.play.restart(self.home, seed, stream)
        row[DECISIONS] = play_on(self.play, self.policies)
        row[WINNERS] = winners_of(self.play)
        row[FIRST] = self.play.first
        row[ENDING] = 0
        for seat in range(SEATS):
            row[SCORES + seat] = self.play.taken[seat] & 255 if seat < self.play.seats else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restore(self) -> cython.void:
        """Restore the initial position."""
        self.play.copy(self.home)


def policy_bits(policies: Sequence[int]) -> int:
    """Encode as bits which seats are White Rabbits."""
    return sum(policy << seat for seat, policy in enumerate(policies))
