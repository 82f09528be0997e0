"""Cookies as `wonderland.kernels.kernel` asks for it, on top of the rules in `play.py`."""

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
        DECISIONS,
        ENDING,
        FIRST,
        LUCK,
        OVER,
        SCORES,
        SEATS,
        WINNERS,
    )
    from cython.cimports.wonderland.kernels.simulation import Simulation
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
    from wonderland.kernels.kernel import DECISIONS, ENDING, FIRST, LUCK, OVER, SCORES, SEATS, WINNERS
    from wonderland.kernels.simulation import Simulation

COMPILED = cython.compiled
POLICIES = ("dodo", "white-rabbit")


@cython.final
@cython.cclass
class KernelState:
    """One play in numbers, and its random numbers."""

    play: FastPlay

    def __init__(self) -> None:
        self.play = FastPlay()

    def load(self, words: Sequence[int]) -> None:
        """Go on from this state."""
        self.play.load(words)

    def words(self) -> list[int]:
        """The state now."""
        return self.play.words()

    def seed(self, seed: int, stream: int = 0) -> None:
        """Start the random numbers anew."""
        self.play.reseed(seed & 0xFFFFFFFFFFFFFFFF, stream & 0xFFFFFFFFFFFFFFFF)

    def turn(self) -> int:
        """The seat that may act now, or `LUCK`, or `OVER`."""
        if self.play.is_asking():
            return self.play.seat
        return OVER if self.play.stage == ENDED else LUCK

    def legal(self, seat: int) -> list[int]:
        """What this seat may do now."""
        if self.turn() != seat:
            return []
        return [self.play.choice(way) for way in range(self.play.choices())]

    def chances(self) -> list[tuple[int, int]]:
        """What luck may decide now, each outcome with its weight."""
        play: FastPlay = self.play
        pile: cython.ulonglong = play.stack
        if self.turn() != LUCK:
            return []
        if play.stage == STARTING:
            return [(seat, 1) for seat in range(play.seats)]
        if play.stage in (CLIMBING, SPINNING):
            return [(space, 1) for space in range(play.size)]
        if play.stage in (DEALING, DRAWING):
            pile = play.piles[play.seat]
        counts = [(kind, pile >> (4 * kind) & 15) for kind in range(8)]
        return [(kind, count) for kind, count in counts if count]

    def apply(self, actor: int, action: int) -> None:  # noqa: ARG002 - whose turn it is, is known
        """Carry out an action that is legal, or an outcome that is possible."""
        self.play.apply(action)

    def choose(self) -> int:
        """What the White Rabbit would do."""
        return white_rabbit(self.play)

    def winners(self) -> int:
        """A bit for each seat that has won."""
        return winners_of(self.play)

    def scores(self) -> list[int]:
        """The points of each seat."""
        return [self.play.taken[seat] & 255 for seat in range(self.play.seats)]

    def ending(self) -> int:
        """All plays end alike."""
        return 0

    def play_out(self, policies: Sequence[int]) -> int:
        """Play on to the end, each seat by its policy; gives the number of decisions made."""
        play: FastPlay = self.play
        decisions: cython.int
        in_bits: cython.int = policy_bits(policies)
        with cython.nogil:
            decisions = play_on(play, in_bits)
        return decisions

    def simulate(
        self, rows: cython.int[::1], policies: Sequence[int], seed: int, first: int, count: int
    ) -> None:
        """Play this state to the end `count` times, as `wonderland.kernels.kernel` describes it."""
        PlayOuts(self.play, policies).run(rows, seed, first, count)


@cython.final
@cython.cclass
class PlayOuts(Simulation):
    """Play-outs of one position of Cookies."""

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
        """Play once to the end, and fill the row."""
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
        """Go back to the position."""
        self.play.copy(self.home)


def policy_bits(policies: Sequence[int]) -> int:
    """A bit for each seat: whether it is a White Rabbit."""
    return sum(policy << seat for seat, policy in enumerate(policies))
