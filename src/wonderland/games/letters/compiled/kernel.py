"""Letters' implementation of `wonderland.kernels.kernel`, built on the rules in `play.py`."""

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
    from wonderland.games.letters.compiled.play import (
        CARDS,
        CHOOSING,
        ENDED,
        STARTING,
        TURNING,
        FastPlay,
    )
    from wonderland.kernels.kernel import CHANCE, DECISIONS, ENDING, FIRST, OVER, SCORES, SEATS, WINNERS
    from wonderland.kernels.simulation import PlayoutLoop

COMPILED = cython.compiled
POLICIES = ("dodo", "elephant")  # an elephant never forgets


@cython.final
@cython.cclass
class KernelState:
    """A game as numbers, implementing `wonderland.kernels.kernel.KernelState`."""

    play: FastPlay

    def __init__(self) -> None:
        self.play = FastPlay()

    def load(self, words: Sequence[int]) -> None:
        """Load a packed state."""
        self.play.load(words)

    def words(self) -> list[int]:
        """Return the current state, packed."""
        return self.play.words()

    def seed(self, seed: int, stream: int = 0) -> None:
        """Reseed the random numbers."""
        self.play.reseed(seed & 0xFFFFFFFFFFFFFFFF, stream & 0xFFFFFFFFFFFFFFFF)

    def turn(self) -> int:
        """Return the seat to move, `CHANCE`, or `OVER`."""
        if self.play.stage == CHOOSING:
            return self.play.seat
        return OVER if self.play.stage == ENDED else CHANCE

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions: the spaces whose card this seat may turn."""
        can: cython.uint = self.play.face_down() if self.turn() == seat else 0
        return [space for space in range(CARDS) if can >> space & 1]

    def chances(self) -> list[tuple[int, int]]:
        """Return the possible chance outcomes with their weights."""
        if self.play.stage == STARTING:
            return [(seat, 1) for seat in range(self.play.seats)]  # L4
        cards: cython.uint = self.play.possible() if self.play.stage == TURNING else 0
        return [(card, 1) for card in range(CARDS) if cards >> card & 1]

    def apply(self, actor: int, action: cython.int) -> None:  # noqa: ARG002 - implied by the stage
        """Apply a legal action or possible chance outcome, unchecked."""
        if self.play.stage == STARTING:
            self.play.stage, self.play.seat = CHOOSING, action
        elif self.play.stage == CHOOSING:
            self.play.stage, self.play.space = TURNING, action
        else:
            self.play.lay_open(action)

    def winners(self) -> int:
        """Return the winning seat as a bit."""
        return 1 << self.play.seat if self.play.stage == ENDED else 0

    def scores(self) -> list[int]:
        """Return the number of letters each seat has played."""
        return [self.play.rails[seat] for seat in range(self.play.seats)]

    def ending(self) -> int:
        """Return how the game ended, as an index into `Packing.ENDINGS`."""
        return self.play.ended

    def play_out(self, policies: Sequence[int]) -> int:
        """Play to the end, each seat by its policy; return the number of decisions."""
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
        """Play this state out `count` times, writing one row per game.

        In a game that is already under way, the seat to move counts as the start player.
        """
        PlayOuts(self.play, policies).run(rows, seed, first, count)


@cython.final
@cython.cclass
class PlayOuts(PlayoutLoop):
    """Repeated playouts of one position of Letters."""

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
        """Play out once and fill the row."""
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
        """Restore the original position."""
        self.play.copy(self.home)


def policy_bits(policies: Sequence[int]) -> int:
    """Return a bit set of the seats that play as Elephants."""
    return sum(policy << seat for seat, policy in enumerate(policies))
