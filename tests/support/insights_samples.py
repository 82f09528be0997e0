"""Hypothesis strategies for insights: anything that a file may hold."""

from __future__ import annotations

from hypothesis import strategies as some

from wonderland.engine.registry import game
from wonderland.features.insights.model import (
    VERSION,
    EndingShare,
    Figure,
    Histogram,
    Insights,
    Meeting,
    OptionEffect,
    Player,
    Survey,
    Variant,
)

GAME = "cookies"
"""A game with options."""
PLAYERS = (Player("white-rabbit", "White Rabbit"), Player("queen@500", "Queen"))


def figures(low: float = 0.0, high: float = 1.0) -> some.SearchStrategy[Figure]:
    """Figures whose value lies within their interval."""
    parts = some.integers(0, 10**6).map(lambda part: round(low + (high - low) * part / 10**6, 6))
    return some.tuples(parts, parts, parts).map(
        lambda three: Figure(sorted(three)[1], min(three), max(three))
    )


@some.composite
def spreads(draw: some.DrawFn) -> Histogram:
    counts = draw(
        some.dictionaries(some.integers(-40, 400), some.integers(1, 10**6), min_size=1, max_size=8)
    )
    return Histogram(
        draw(figures(min(counts), max(counts))),
        min(counts),
        draw(some.sampled_from(sorted(counts))),
        max(counts),
        counts,
    )


@some.composite
def surveys(draw: some.DrawFn, player: Player, seats: int, games: int) -> Survey:
    return Survey(
        player=player,
        seats=seats,
        games=games,
        command="wonderland simulate",
        order=tuple(draw(figures()) for _ in range(seats)),
        scores=draw(spreads()),
        decisions=draw(spreads()),
        shared=draw(figures()),
        endings=(EndingShare("all cards played", draw(figures())),),
    )


@some.composite
def changes(draw: some.DrawFn, kind: str) -> OptionEffect:
    most = 1.0 if kind in ("first", "shared", "ending") else 100.0
    before, after = draw(some.floats(0.01, most)), draw(some.floats(0.01, most))
    ending = "all cards played" if kind == "ending" else ""
    return OptionEffect(kind, ending, before, after, draw(figures(-most, most)), draw(some.booleans()))


@some.composite
def insights(draw: some.DrawFn) -> Insights:
    """Insights about one game."""
    seats = draw(some.sets(some.sampled_from(game(GAME).info.seats), min_size=1))
    players = PLAYERS[: draw(some.integers(1, 2))]
    kinds = ("first", "shared", "ending", "score", "decisions")
    return Insights(
        version=VERSION,
        game=GAME,
        rules=game(GAME).info.rules_version,
        date="2026-01-31",
        command="wonderland insights make cookies",
        surveys=tuple(
            draw(surveys(player, number, 1000 - 500 * place))
            for place, player in enumerate(players)
            for number in sorted(seats)
        ),
        meetings=tuple(
            Meeting(PLAYERS[1], PLAYERS[0], 2, 50, 100, "wonderland arena", draw(figures()), is_next)
            for is_next in draw(some.lists(some.booleans(), min_size=1, max_size=3))
        ),
        variants=tuple(
            Variant(
                *(option, usual, value, PLAYERS[1], 2, 30, "wonderland simulate"),
                changes=tuple(draw(changes(kind)) for kind in kinds),
            )
            for option, usual, value in draw(
                some.sets(some.sampled_from([("hand_size", "3", "2"), ("kind_hole", "false", "true")]))
            )
        ),
    )
