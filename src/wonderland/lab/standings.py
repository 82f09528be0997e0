"""How a tournament stands, as one value: tables show it, JSON holds it, plots draw it."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

from wonderland.engine.values import Value
from wonderland.lab.arena import Pair, Tournament, names_of
from wonderland.lab.confidence_sequence import ConfidenceSequence
from wonderland.lab.ratings import ratings
from wonderland.lab.statistics import CONFIDENCE, Estimate


class BotStanding(Value, frozen=True):
    """How a bot stands."""

    name: str
    bot: str
    """As commands name it."""
    rating: Estimate
    wins: Estimate
    """Its share of the wins where it was alone of its kind."""


class PairStanding(Value, frozen=True):
    """How two bots stand to each other."""

    one: str
    other: str
    deals: int
    wins_of_one: Estimate
    wins_of_other: Estimate
    edge: Estimate
    """The share of the first less that of the second; its interval holds for all pairs at once."""
    is_clear: bool


class TournamentStandings(Value, frozen=True, tag="Standing"):
    """All that a tournament found so far."""

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
    """The best first."""
    pairs: tuple[PairStanding, ...]


def standings_of(tournament: Tournament) -> TournamentStandings:
    """How it stands."""
    setting = tournament.setting
    names = names_of(setting.game, tournament.bots)
    games = [(game.seats, game.winners) for deal in tournament.played for game in deal.games]
    rated = ratings(len(names), games)
    bots = [
        BotStanding(name, tournament.bots[bot], rated[bot], _wins(tournament, bot))
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
        pairs=tuple(_pair(pair, names) for pair in tournament.pairs),
    )


def _wins(tournament: Tournament, bot: int) -> Estimate:
    """Its share of the wins; what it did on the same deal against others is one piece of evidence."""
    by_deal: defaultdict[int, list[float]] = defaultdict(list)
    for deal in tournament.played:
        if bot in deal.meeting:
            by_deal[deal.number].append(deal.share(bot))
    met = sum(bot in meeting for meeting in tournament.meetings)
    evidence = ConfidenceSequence()
    evidence.extend(fmean(shares) for shares in by_deal.values() if len(shares) == met)
    return evidence.estimate()


def _pair(pair: Pair, names: list[str]) -> PairStanding:
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
