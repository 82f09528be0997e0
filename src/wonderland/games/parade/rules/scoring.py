"""Counting the points of Parade: P12 to P15."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.language import phrase
from wonderland.engine.outcome import Result
from wonderland.engine.values import Value
from wonderland.games.parade.rules.components import Card, Colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.games.parade.rules.state import Ending


class ColourScore(Value, frozen=True):
    """What one seat's cards of one colour count."""

    cards: tuple[Card, ...]
    majority: bool

    @property
    def points(self) -> int:
        """P12: 1 for each card with the majority; P14: otherwise what is printed."""
        return len(self.cards) if self.majority else sum(card.value for card in self.cards)


class ScoreSheet(Value, frozen=True):
    """One seat's points, colour by colour."""

    colours: tuple[ColourScore, ...]
    """In the order of `Colour`."""

    @property
    def total(self) -> int:
        """The points of all colours."""
        return sum(score.points for score in self.colours)


def score_sheets(zones: Sequence[Sequence[Card]]) -> tuple[ScoreSheet, ...]:
    """The points of every seat, if these cards lie in front of them."""
    counts, _ = _counted(zones)
    return tuple(
        ScoreSheet(
            tuple(
                ColourScore(
                    tuple(card for card in zone if card.colour is colour), majority=has >= enough
                )
                for colour, has, enough in zip(Colour, its_counts, its_needed, strict=True)
            )
        )
        for zone, its_counts, its_needed in zip(zones, counts, _needed(counts), strict=True)
    )


def totals(zones: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """The totals of the score sheets, without the sheets: every random play asks for them."""
    counts, printed = _counted(zones)
    return tuple(
        [
            sum(
                [
                    has if has >= enough else points  # P12, P14
                    for has, points, enough in zip(its_counts, its_printed, its_needed, strict=True)
                ]
            )
            for its_counts, its_printed, its_needed in zip(counts, printed, _needed(counts), strict=True)
        ]
    )


def _counted(zones: Sequence[Sequence[Card]]) -> tuple[list[list[int]], list[list[int]]]:
    """For each seat and colour: how many cards, and what is printed on them in all."""
    counts = [[0] * len(Colour) for _ in zones]
    printed = [[0] * len(Colour) for _ in zones]
    for zone, its_counts, its_printed in zip(zones, counts, printed, strict=True):
        for card in zone:
            colour = card.colour
            its_counts[colour] += 1
            its_printed[colour] += card.value
    return counts, printed


def _needed(counts: Sequence[Sequence[int]]) -> list[list[int]]:
    """How many cards of each colour each seat needs to have the majority of it."""
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
    decided = phrase("lowest score")
    if len(leaders) > 1:
        shared = phrase("same score, same number of cards")
        decided = phrase("fewest cards") if len(winners) == 1 else shared
    return Result(winners, scores, decided, ending.value)
