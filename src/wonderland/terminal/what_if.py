"""What if: a play that goes on from a moment of a record, which stays as it is."""

from __future__ import annotations

import random

from wonderland.bots import level
from wonderland.core.branch import branched
from wonderland.core.chance import Seeded
from wonderland.core.match import Match, acting
from wonderland.core.protocol import Seat
from wonderland.core.reading import AnyMatch, AnyRecord
from wonderland.terminal.session import Opponent, Session


def going_on(record: AnyRecord, moment: int, seat: Seat, word: str, seed: str | None = None) -> Session:
    """One person on this seat, and bots of this level on all others; `UsageError` at the end."""
    rng = random.Random(seed)
    match: AnyMatch = Match.resume(branched(record, moment, rng))
    began = len(match.events)
    match = match.fork(Seeded(seed))
    match.settle()
    other = level(record.game.info.name, word)
    bots = {
        each: Opponent(other.make(), other.budget) for each in range(len(match.names)) if each != seat
    }
    return Session(match, bots, rng, began=began)


def proposed_seat(match: AnyMatch, eyes: Seat | None) -> Seat:
    """Whose place one takes, if nothing else is said: whose eyes one looks through, or who is to act."""
    return eyes if eyes is not None else next(iter(acting(match.turn)), 0)
