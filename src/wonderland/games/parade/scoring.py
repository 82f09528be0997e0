"""Counting the points of Parade: P12 to P15."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.core.outcome import Result
from wonderland.core.values import value
from wonderland.games.parade.components import Card, Colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.games.parade.state import Ending


@value
class ColourScore:
    """What one seat's cards of one colour count."""

    cards: tuple[Card, ...]
    majority: bool

    @property
    def points(self) -> int:
        """P12: 1 for each card with the majority; P14: otherwise what is printed."""
        return len(self.cards) if self.majority else sum([card.value for card in self.cards])


@value
class ScoreSheet:
    """One seat's points, colour by colour."""

    colours: tuple[ColourScore, ...]
    """In the order of `Colour`."""

    @property
    def total(self) -> int:
        """The points of all colours."""
        return sum([score.points for score in self.colours])


def score_sheets(zones: Sequence[Sequence[Card]]) -> tuple[ScoreSheet, ...]:
    """The points of every seat, if these cards lie in front of them."""
    piles: list[list[list[Card]]] = [[[] for _ in Colour] for _ in zones]
    for seat, zone in enumerate(zones):
        for card in zone:
            piles[seat][card.colour].append(card)
    scores: list[list[ColourScore]] = [[] for _ in zones]
    for colour in range(len(Colour)):
        counts = [len(seat[colour]) for seat in piles]
        for seat, needed in enumerate(_needed_for_majority(counts)):
            pile = tuple(piles[seat][colour])
            scores[seat].append(ColourScore(pile, majority=len(pile) >= needed))
    return tuple([ScoreSheet(tuple(colours)) for colours in scores])


def _needed_for_majority(counts: Sequence[int]) -> list[int]:
    """How many cards of a colour each seat needs for its majority, where they have so many."""
    if len(counts) == 2:  # P13: two more than the other player
        return [counts[1] + 2, counts[0] + 2]
    return [max(1, *counts)] * len(counts)  # P12: as many as anyone has, and not none


def result_of(zones: Sequence[Sequence[Card]], ending: Ending) -> Result:
    """Who wins with these cards in front of the players, and what decides it (P15)."""
    totals = tuple([sheet.total for sheet in score_sheets(zones)])
    lowest = min(totals)
    leaders = [seat for seat, total in enumerate(totals) if total == lowest]
    fewest = min(len(zones[seat]) for seat in leaders)
    winners = tuple(seat for seat in leaders if len(zones[seat]) == fewest)
    decided = "lowest score"
    if len(leaders) > 1:
        decided = "fewest cards" if len(winners) == 1 else "same score, same number of cards"
    return Result(winners, totals, decided, ending.value)
