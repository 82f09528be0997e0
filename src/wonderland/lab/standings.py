"""Standings of a tournament as one value, for tables, JSON and plots."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

from wonderland.engine.values import Value
from wonderland.lab.arena import Pair, Tournament, names_of
from wonderland.lab.confidence_sequence import ConfidenceSequence
from wonderland.lab.ratings import ratings
from wonderland.lab.statistics import CONFIDENCE, Estimate


class BotStanding(Value, frozen=True):
    """Standing of one bot."""

    name: str
    bot: str
    """As written on the command line."""
    rating: Estimate
    wins: Estimate
    """Its share of the wins in games where it had a single seat."""


class PairStanding(Value, frozen=True):
    """Comparison of two bots."""

    one: str
    other: str
    deals: int
    wins_of_one: Estimate
    wins_of_other: Estimate
    edge: Estimate
    """Share of the first minus that of the second; the interval holds for all pairs simultaneously."""
    is_clear: bool


class TournamentStandings(Value, frozen=True, tag="Standing"):
    """Results of a tournament so far."""

    game: str
    seats: int
    options: dict[str, str]
    seed: str
    skipped: int
    asked: int
    deals: int
    games: int
    interrupted: bool
    stopped_when_clear: bool
    confidence: float
    bots: tuple[BotStanding, ...]
    """Best first."""
    pairs: tuple[PairStanding, ...]


def standings_of(tournament: Tournament) -> TournamentStandings:
    """Compute the standings of a tournament."""
    setting = tournament.setting
    names = names_of(setting.game, tournament.bots)
    games = [(game.seats, game.winners) for deal in tournament.played for game in deal.games]
    rated = ratings(len(names), games)
    bots = [
        BotStanding(name, tournament.bots[bot], rated[bot], _win_share(tournament, bot))
        for bot, name in enumerate(names)
    ]
    deals = len(tournament.played) // len(tournament.meetings)
    return TournamentStandings(
        game=setting.game,
        seats=setting.seats,
        options=dict(setting.options),
        seed=tournament.seed,
        skipped=tournament.skip,
        asked=tournament.deals,
        deals=deals,
        games=tournament.games,
        interrupted=tournament.is_interrupted,
        stopped_when_clear=deals < tournament.deals and not tournament.is_interrupted,
        confidence=CONFIDENCE,
        bots=tuple(sorted(bots, key=lambda bot: -bot.rating.value)),
        pairs=tuple(_pair_standing(pair, names) for pair in tournament.pairs),
    )


def _win_share(tournament: Tournament, bot: int) -> Estimate:
    """A bot's share of the wins; its results against all others on a deal count as one observation."""
    by_deal: defaultdict[int, list[float]] = defaultdict(list)
    for deal in tournament.played:
        if bot in deal.meeting:
            by_deal[deal.number].append(deal.share(bot))
    met = sum(bot in meeting for meeting in tournament.meetings)
    evidence = ConfidenceSequence()
    evidence.extend(fmean(shares) for shares in by_deal.values() if len(shares) == met)
    return evidence.estimate()


def _pair_standing(pair: Pair, names: list[str]) -> PairStanding:
    edge = pair.edge.estimate()
    return PairStanding(
        names[pair.one],
        names[pair.other],
        len(pair.edge.numbers),
        pair.shares[0].estimate(),
        pair.shares[1].estimate(),
        Estimate(2 * edge.value - 1, 2 * edge.low - 1, 2 * edge.high - 1),
        pair.edge.is_uneven,
    )
