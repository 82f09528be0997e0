"""Law 10: a game's kernel agrees with its readable rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wonderland.engine.laws import LawBroken, moves
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import CHANCE, AnyGame, Chance, Over
from wonderland.kernels import kernel as kernels

if TYPE_CHECKING:
    import random

    from wonderland.engine.record_reader import AnyMatch
    from wonderland.kernels.kernel import Kernel, KernelState, Packing


def check_kernel(match: AnyMatch, kernel: Kernel, packing: Packing, rng: random.Random) -> None:
    """Law 10: the kernel has the same states, chance outcomes, legal actions and results, move by move.

    At random points the state is packed and loaded again, since the kernel must not depend on the
    history of a state.
    """
    game, table = match.game, kernel.KernelState()
    is_loaded = False
    for state, move in match.record.states():
        if not is_loaded or rng.random() < 0.1:
            table.load(packing.pack(state))
            is_loaded = True
        _check_state(game, state, table, packing)
        if move is not None:
            actor = kernels.CHANCE if move.actor is CHANCE else move.actor
            table.apply(actor, packing.number(move.action))


def _check_state(game: AnyGame, state: Any, table: KernelState, packing: Packing) -> None:
    """Check that everything the kernel reports matches this state."""
    where = game.write_position(state)
    if (unpacked := packing.unpack(table.words())) != state:
        raise LawBroken(10, f"the kernel has {unpacked} at {where}")
    turn = game.turn(state)
    seats = seats_to_act(turn)
    expected = seats[0] if seats else kernels.CHANCE if isinstance(turn, Chance) else kernels.OVER
    if table.turn() != expected:
        raise LawBroken(10, f"the kernel has {table.turn()} to act, not {expected}, at {where}")
    for seat in seats:
        wanted = sorted(packing.number(action) for action in game.legal(state, seat))
        if sorted(table.legal(seat)) != wanted:
            raise LawBroken(10, f"the kernel allows seat {seat} something else at {where}")
    for _, action in moves(game, state):
        if packing.action(packing.number(action), state) != action:
            raise LawBroken(10, f"the number of {game.write(action)} means something else")
    if isinstance(turn, Chance):
        chances = sorted((packing.number(outcome), weight) for outcome, weight in turn.weighted())
        if sorted(table.chances()) != chances:
            raise LawBroken(10, f"the kernel gives chance outcomes other chances at {where}")
    elif isinstance(turn, Over):
        result = turn.result
        winners = sum(1 << seat for seat in result.winners)
        if (table.winners(), tuple(table.scores())) != (winners, result.scores):
            raise LawBroken(10, f"the kernel counts otherwise at {where}")
        if packing.ENDINGS[table.ending()] != result.ending:
            raise LawBroken(10, f"the kernel has another ending at {where}")
