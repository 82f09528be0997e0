"""Records of fairly shuffled games, with moves taken back and games continued."""

from __future__ import annotations

import random
from functools import cache

from msgspec.structs import replace

from wonderland.engine import CHANCE, Match, Seeded, game, game_names
from wonderland.engine.match import seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.record import Undone
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.tables.fairness import FairChance, ServerKey, statement

NAMES = ["Alice", "Hatter", "Hare", "Dodo", "Duchess", "Cook"]
SECRET = ServerKey.from_text("5e" * 32).secret("k3v", "nonce-1")

Options = tuple[tuple[str, str], ...]


def can_play(name: str, seats: int, options: Options) -> bool:
    """Whether a game can be played by that many players with these options."""
    try:
        game(name).start(seats, read_options(game(name), dict(options)))
    except ValueError:
        return False
    return True


SETTINGS: list[tuple[str, int, Options]] = [
    (name, seats, ()) for name in game_names() for seats in game(name).info.seats
] + [
    (name, game(name).info.seats[0], ((option.name, text),))
    for name in game_names()
    for option in game(name).info.options
    for text in option.examples
    if can_play(name, game(name).info.seats[0], ((option.name, text),))
]
"""All numbers of players, and all options: name, seats, options."""


def contributions_of(seats: int) -> list[str | None]:
    """Contributions of the seats, of different lengths; the second is a bot."""
    return [None if seat == 1 else f"{seat + 1:02x}" * (16 + 5 * seat % 17) for seat in range(seats)]


@cache
def fair_record(
    name: str, seats: int, options: Options = (), *, begun: int = 0, take_backs: int = 0
) -> AnyRecord:
    """Play a game to its end at random with a fair shuffle; return it with the statement about it.

    The first `begun` moves are taken over from another game; moves are taken back `take_backs` times.
    """
    the_game, added, rng = game(name), contributions_of(seats), random.Random(seats)
    chosen = read_options(the_game, dict(options))
    match: AnyMatch = Match(the_game, NAMES[:seats], chosen, date="2026-11-15")
    other = Seeded(seats)
    while len(match.moves) < begun:
        turn = match.turn
        if acting := seats_to_act(turn):
            match.play(acting[0], rng.choice(match.legal(acting[0])))
        else:
            match.decide(turn.pick(other.below(turn.total, turn.label)))  # type: ignore[union-attr]
    words = [
        f"{'-' if move.actor is CHANCE else move.actor + 1} {the_game.write(move.action)}"
        for move in match.moves
    ]
    match.chance = FairChance(SECRET, added, begun=words)
    match.settle()
    undone = []
    while acting := seats_to_act(match.turn):
        seat = rng.choice(acting)
        match.play(seat, rng.choice(match.legal(seat)))
        decisions = [
            at for at, move in enumerate(match.moves) if move.actor is not CHANCE and at >= begun
        ]
        if len(undone) < take_backs and decisions and rng.random() < 0.3:
            kept = rng.choice(decisions[-6:])
            undone.append(Undone(kept, tuple(match.moves[kept:])))
            match.take_back(kept)
    said = statement(SECRET, added, begun)
    return replace(match.record, shuffle_statement=said, undone=tuple(undone))
