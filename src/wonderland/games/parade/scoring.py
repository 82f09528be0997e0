"""Counting the points of Parade: P12 to P15."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.core.outcome import Result
from wonderland.core.values import Value
from wonderland.games.parade.components import Card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.games.parade.state import Ending


class ColourScore(Value, frozen=True):
    """What one seat's cards of one colour count."""

    cards: tuple[Card, ...]
    majority: bool

    @property
    def points(self) -> int:
        """What they count."""
        return _points(self.cards, majority=self.majority)


class ScoreSheet(Value, frozen=True):
    """One seat's points, colour by colour."""

    colours: tuple[ColourScore, ...]
    """In the order of `Colour`."""

    @property
    def total(self) -> int:
        """The points of all colours."""
        return sum([score.points for score in self.colours])


def score_sheets(zones: Sequence[Sequence[Card]]) -> tuple[ScoreSheet, ...]:
    """The points of every seat, if these cards lie in front of them."""
    piles = [_by_colour(zone) for zone in zones]
    needed = _needed_for_majority(piles)
    return tuple(
        ScoreSheet(
            tuple(
                ColourScore(tuple(pile), majority=len(pile) >= enough)
                for pile, enough in zip(colours, its_needed, strict=True)
            )
        )
        for colours, its_needed in zip(piles, needed, strict=True)
    )


def totals(zones: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """The totals of the score sheets, without the sheets."""
    piles = [_by_colour(zone) for zone in zones]
    sums = []
    for colours, needed in zip(piles, _needed_for_majority(piles), strict=True):
        total = 0
        for pile, enough in zip(colours, needed, strict=True):
            if pile:
                total += _points(pile, len(pile) >= enough)
        sums.append(total)
    return tuple(sums)


def _points(cards: Sequence[Card], majority: bool) -> int:  # noqa: FBT001 - made millions of times
    """P12: 1 for each card with the majority; P14: otherwise what is printed."""
    return len(cards) if majority else sum([card.value for card in cards])


def _by_colour(zone: Sequence[Card]) -> list[list[Card]]:
    piles: list[list[Card]] = [[], [], [], [], [], []]
    for card in zone:
        piles[card.colour].append(card)
    return piles


def _needed_for_majority(piles: Sequence[Sequence[Sequence[Card]]]) -> list[list[int]]:
    """How many cards of each colour each seat needs to have the majority of it."""
    counts = [[len(pile) for pile in colours] for colours in piles]
    if len(counts) == 2:  # P13: two more than the other player
        return [[count + 2 for count in other] for other in reversed(counts)]
    most = [max(1, *its_counts) for its_counts in zip(*counts, strict=True)]
    return [most] * len(counts)  # P12: as many as anyone has, and not none


def result_of(zones: Sequence[Sequence[Card]], ending: Ending) -> Result:
    """Who wins with these cards in front of the players, and what decides it (P15)."""
    scores = totals(zones)
    lowest = min(scores)
    leaders = [seat for seat, score in enumerate(scores) if score == lowest]
    fewest = min(len(zones[seat]) for seat in leaders)
    winners = tuple(seat for seat in leaders if len(zones[seat]) == fewest)
    decided = "lowest score"
    if len(leaders) > 1:
        decided = "fewest cards" if len(winners) == 1 else "same score, same number of cards"
    return Result(winners, scores, decided, ending.value)
