"""Remarks of the characters: few, at fitting moments, and decided by what everyone can see.

The events are those that a spectator witnesses, so a remark reveals nothing. The same game always gets
the same remarks, so every viewer reads the same, and nothing about them is stored.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from wonderland.bots.characters import find_character
from wonderland.components.company import Moment, Occasion, company_of
from wonderland.engine.outcome import Result
from wonderland.engine.protocol import CHANCE, Over, Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.values import Value


class Remark(Value, frozen=True):
    """What a character says."""

    seat: Seat
    occasion: Occasion
    text: str
    """A translatable message."""


def last_remark(match: AnyMatch, bots: Mapping[Seat, str]) -> Remark | None:
    """Return what one of the bots, given by seat and name, says about the last decision, if anything.

    A character remarks on each kind of occasion once a game at most, and then everyone is silent for a
    round. At the end only one of them speaks: a winner, or else the last of all.
    """
    starts = [match.before_move(n) for n, move in enumerate(match.moves) if move.actor is not CHANCE]
    if not starts:
        return None
    if isinstance(match.turn, Over):
        return _compose(match, bots, *_closing_words(match.turn.result, bots))
    spoken: set[tuple[Seat, Occasion]] = set()
    silent_until = 0
    for moment in _moments(match):
        decision = bisect_right(starts, moment.event)
        key = moment.seat, moment.occasion
        if moment.seat not in bots or key in spoken or decision < silent_until:
            continue
        if decision == len(starts):
            return _compose(match, bots, *key)
        spoken.add(key)
        silent_until = decision + len(match.names)
    return None


def _moments(match: AnyMatch) -> Iterator[Moment]:
    company = company_of(match.game.info.name)
    if company is not None:
        yield from company.moments([match.game.witness(event, None) for event in match.events])


def _closing_words(result: Result, bots: Mapping[Seat, str]) -> tuple[Seat | None, Occasion]:
    winner = next((seat for seat in result.winners if seat in bots), None)
    if winner is not None:
        return winner, "won"
    return max(bots, key=lambda seat: result.places[seat], default=None), "lost"


def _compose(
    match: AnyMatch, bots: Mapping[Seat, str], seat: Seat | None, occasion: Occasion
) -> Remark | None:
    found = None if seat is None else find_character(match.game.info.name, bots[seat])
    if seat is None or found is None or occasion not in found.remarks:
        return None
    return Remark(seat, occasion, found.remarks[occasion])
