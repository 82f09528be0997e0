"""Scoring in Parade: P12 to P15."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.language import phrase
from wonderland.engine.outcome import Result
from wonderland.engine.values import Value
from wonderland.games.parade.rules.components import Card, Colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Seat
    from wonderland.games.parade.rules.state import Ending


class ColourScore(Value, frozen=True):
    """One seat's score in one colour."""

    cards: tuple[Card, ...]
    majority: bool

    @property
    def points(self) -> int:
        """P12: 1 per card with the majority; P14: otherwise the printed values."""
        return len(self.cards) if self.majority else sum(card.value for card in self.cards)


class ScoreSheet(Value, frozen=True):
    """One seat's points, colour by colour."""

    colours: tuple[ColourScore, ...]
    """In the order of `Colour`."""

    @property
    def total(self) -> int:
        """The sum over all colours."""
        return sum(score.points for score in self.colours)


def score_sheets(zones: Sequence[Sequence[Card]]) -> tuple[ScoreSheet, ...]:
    """Return every seat's score sheet, given the cards in front of each seat."""
    counts, _ = _count_cards(zones)
    return tuple(
        ScoreSheet(
            tuple(
                ColourScore(
                    tuple(card for card in zone if card.colour is colour), majority=count >= threshold
                )
                for colour, count, threshold in zip(Colour, seat_counts, thresholds, strict=True)
            )
        )
        for zone, seat_counts, thresholds in zip(
            zones, counts, _majority_thresholds(counts), strict=True
        )
    )


def totals(zones: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """Return the totals of the score sheets without building them, because playouts need speed."""
    counts, printed = _count_cards(zones)
    return tuple(
        [
            sum(
                [
                    count if count >= threshold else points  # P12, P14
                    for count, points, threshold in zip(
                        seat_counts, seat_printed, thresholds, strict=True
                    )
                ]
            )
            for seat_counts, seat_printed, thresholds in zip(
                counts, printed, _majority_thresholds(counts), strict=True
            )
        ]
    )


def points_with(zones: Sequence[Sequence[Card]], seat: Seat, more: Sequence[Card]) -> int:
    """Return a seat's score with some more cards in its zone, all else unchanged.

    What cards cost is the difference; it can be negative, because they may win a majority.
    """
    changed = list(zones)
    changed[seat] = (*zones[seat], *more)
    return totals(changed)[seat]


def _count_cards(zones: Sequence[Sequence[Card]]) -> tuple[list[list[int]], list[list[int]]]:
    """Return, by seat and colour, the number of cards and the sum of their printed values."""
    counts = [[0] * len(Colour) for _ in zones]
    printed = [[0] * len(Colour) for _ in zones]
    for zone, seat_counts, seat_printed in zip(zones, counts, printed, strict=True):
        for card in zone:
            colour = card.colour
            seat_counts[colour] += 1
            seat_printed[colour] += card.value
    return counts, printed


def _majority_thresholds(counts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return, by seat and colour, the number of cards needed for the majority."""
    if len(counts) == 2:  # P13: two more than the other player
        return [[count + 2 for count in other] for other in reversed(counts)]
    most = [max(1, *colour_counts) for colour_counts in zip(*counts, strict=True)]
    return [most] * len(counts)  # P12: the highest count, but at least one


def result_of(zones: Sequence[Sequence[Card]], ending: Ending) -> Result:
    """Return the result for these final zones: the winners and what decided it (P15)."""
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
