"""Letters as `wonderland.kernels.kernel` asks for it, on top of the rules in `play.py`."""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.letters.compiled.play import (
        CARDS,
        CHOOSING,
        ENDED,
        STARTING,
        TURNING,
        FastPlay,
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
    from wonderland.games.letters.compiled.play import (
        CARDS,
        CHOOSING,
        ENDED,
        STARTING,
        TURNING,
        FastPlay,
    )
    from wonderland.kernels.kernel import DECISIONS, ENDING, FIRST, LUCK, OVER, SCORES, SEATS, WINNERS
    from wonderland.kernels.simulation import Simulation

COMPILED = cython.compiled
POLICIES = ("dodo", "elephant")  # who never forgets


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
        if self.play.stage == CHOOSING:
            return self.play.seat
        return OVER if self.play.stage == ENDED else LUCK

    def legal(self, seat: int) -> list[int]:
        """What this seat may do now: the spaces whose card it may turn."""
        can: cython.uint = self.play.face_down() if self.turn() == seat else 0
        return [space for space in range(CARDS) if can >> space & 1]

    def chances(self) -> list[tuple[int, int]]:
        """What luck may decide now, each outcome with its weight."""
        if self.play.stage == STARTING:
            return [(seat, 1) for seat in range(self.play.seats)]  # L4
        cards: cython.uint = self.play.possible() if self.play.stage == TURNING else 0
        return [(card, 1) for card in range(CARDS) if cards >> card & 1]

    def apply(self, actor: int, action: cython.int) -> None:  # noqa: ARG002 - the stage says who
        """Carry out an action that is legal, or an outcome that is possible."""
        if self.play.stage == STARTING:
            self.play.stage, self.play.seat = CHOOSING, action
        elif self.play.stage == CHOOSING:
            self.play.stage, self.play.space = TURNING, action
        else:
            self.play.lay_open(action)

    def winners(self) -> int:
        """A bit for each seat that has won."""
        return 1 << self.play.seat if self.play.stage == ENDED else 0

    def scores(self) -> list[int]:
        """How many letters each seat has played."""
        return [self.play.rails[seat] for seat in range(self.play.seats)]

    def ending(self) -> int:
        """How the play ended, by its place in `Packing.ENDINGS`."""
        return self.play.ended

    def play_out(self, policies: Sequence[int]) -> int:
        """Play on to the end, each seat by its policy; gives the number of decisions made."""
        play: FastPlay = self.play
        decisions: cython.int
        in_bits: cython.int = policy_bits(policies)
        play.settle()
        unseen: cython.uint = play.unseen
        with cython.nogil:
            decisions = play.play_on(in_bits)
            play.settle_spaces(unseen ^ play.unseen)
        return decisions

    def simulate(
        self, rows: cython.int[::1], policies: Sequence[int], seed: int, first: int, count: int
    ) -> None:
        """Play this state to the end `count` times, as `wonderland.kernels.kernel` describes it.

        A play that had begun before counts as begun by the seat on turn.
        """
        PlayOuts(self.play, policies).run(rows, seed, first, count)


@cython.final
@cython.cclass
class PlayOuts(Simulation):
    """Play-outs of one position of Letters."""

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
        row[DECISIONS] = self.play.play_on(self.policies)
        row[WINNERS] = 1 << self.play.seat
        row[FIRST] = self.play.began
        row[ENDING] = self.play.ended
        for seat in range(SEATS):
            row[SCORES + seat] = self.play.rails[seat] if seat < 4 else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restore(self) -> cython.void:
        """Go back to the position."""
        self.play.copy(self.home)


def policy_bits(policies: Sequence[int]) -> int:
    """A bit for each seat: whether it is an Elephant."""
    return sum(policy << seat for seat, policy in enumerate(policies))
