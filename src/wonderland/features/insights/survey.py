"""Compute the insights into a game: simulations, matches between levels, effects of variants.

Games are played by

- the strongest level that the game's kernel supports, many times;
- the default opponent of people, which may search and therefore plays fewer games.

Search budgets are counted in playouts, never in seconds, so that a seed reproduces its results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from wonderland.bots import default_level, levels
from wonderland.components.bots import Level
from wonderland.engine.options import Option, default_text
from wonderland.engine.registry import component, game
from wonderland.engine.values import Value
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
from wonderland.kernels.kernel import kernel
from wonderland.lab.arena import Tournament
from wonderland.lab.game_runner import GameSetup, Simulation
from wonderland.lab.run import Run
from wonderland.lab.statistics import CONFIDENCE, Estimate, mean, proportion
from wonderland.lab.totals import WHOLE_WIN, Differences, Moments, Totals

__all__ = ["GAMES", "Sizes", "Surveyor", "made_with", "sizes"]

GAMES = 600_000
"""Default number of kernel games for each number of players."""
SEED = "wonderland"
_MAX_PLAYOUTS = 500
"""Limit of playouts per action for searching levels: a survey has thousands of decisions."""
_LONGEST_VALUE = 12
"""Options with longer values, such as whole boards, are for experts and not surveyed."""
_DIGITS = 6


class Sizes(Value, frozen=True):
    """Number of games or deals for each part of the survey."""

    kernel: int
    thinking: int
    rules: int
    """Games of a level without search, where the kernel supports no level."""
    deals: int
    variants: int


def sizes(games: int) -> Sizes:
    """Scale all sizes from one number, by roughly how long a game of each kind takes.

    >>> sizes(600_000)
    Sizes(kernel=600000, thinking=600, rules=3000, deals=500, variants=1500)
    """
    return Sizes(
        games, max(games // 1000, 2), max(games // 200, 2), max(games // 1200, 2), max(games // 400, 2)
    )


def made_with(name: str, games: int, seed: str) -> str:
    """Command that reproduces the insights."""
    return f"wonderland insights make {name} --games {games} --seed {seed}"


class Surveyor(Value, frozen=True):
    """Runs all simulations for the insights into one game."""

    game: str
    games: int = GAMES
    seed: str = SEED
    workers: int = 1
    tell: Callable[[str], object] = lambda _: None
    """Progress callback with the command of the next simulation."""

    @property
    def sizes(self) -> Sizes:
        """Number of games or deals for each part of the survey."""
        return sizes(self.games)

    def found(self, date: str) -> Insights:
        """Run the whole survey."""
        return Insights(
            version=VERSION,
            game=self.game,
            rules=game(self.game).info.rules_version,
            date=date,
            command=made_with(self.game, self.games, self.seed),
            surveys=tuple(self._surveys()),
            meetings=tuple(self._meetings()),
            variants=tuple(self._variants()),
        )

    # Games between equal levels

    def _surveys(self) -> Iterator[Survey]:
        quick, usual = kernel_level(self.game), default_level(self.game)
        for level in filter(None, (quick if quick != usual else None, usual)):
            for seats in game(self.game).info.seats:
                yield self._survey(level, seats, self._game_count(level, quick))

    def _game_count(self, level: Level, quick: Level | None) -> int:
        if level == quick:
            return self.sizes.kernel
        return self.sizes.thinking if quick is not None else self.sizes.rules

    def _survey(self, level: Level, seats: int, games: int) -> Survey:
        player = level_with_budget(level)
        command = (
            f"wonderland simulate {self.game} --seats {seats} --bots {player.bot} --games {games} "
            f"--seed {self.seed}"
        )
        self.tell(command)
        simulation = Simulation(GameSetup(self.game, seats), (player.bot,) * seats, self.seed)
        totals = self._run(simulation, games=games).totals[0]
        return Survey(
            player=player,
            seats=seats,
            games=totals.games,
            command=command,
            order=tuple(_share(totals.share_by_order(place)) for place in range(seats)),
            scores=_scores(totals),
            decisions=_histogram(totals.lengths, mean(Moments.of(totals.lengths))),
            shared=_figure(proportion(totals.shared, totals.games)),
            endings=tuple(
                EndingShare(name, _figure(proportion(number, totals.games)))
                for name, number in sorted(totals.endings.items(), key=lambda each: (-each[1], each[0]))
            ),
        )

    def _run(self, *simulations: Simulation, games: int) -> Run:
        run = Run(simulations, games, workers=self.workers)
        run.play()
        if run.is_interrupted:
            raise KeyboardInterrupt
        return run

    # Levels against levels

    def _meetings(self) -> Iterator[Meeting]:
        """Match each level against the next lower one, and against the lowest."""
        lowest, *others = levels(self.game)
        for place, level in enumerate(others):
            yield self._meeting(level, (lowest, *others)[place], is_next=True)
        for level in others[1:]:
            yield self._meeting(level, lowest, is_next=False)

    def _meeting(self, stronger: Level, weaker: Level, *, is_next: bool) -> Meeting:
        players = level_with_budget(stronger), level_with_budget(weaker)
        bots = tuple(player.bot for player in players)
        seats, deals = game(self.game).info.seats[0], self.sizes.deals
        command = (
            f"wonderland arena {self.game} {' '.join(bots)} --seats {seats} --deals {deals} "
            f"--seed {self.seed}"
        )
        self.tell(command)
        setting = GameSetup(self.game, seats)
        tournament = Tournament(setting, bots, deals, self.seed, workers=self.workers)
        tournament.play()
        if tournament.is_interrupted:
            raise KeyboardInterrupt
        shares = [deal.share(0) for deal in tournament.played]
        return Meeting(
            stronger=players[0],
            weaker=players[1],
            seats=seats,
            deals=deals,
            games=tournament.games,
            command=command,
            wins=_clamped_figure(_mean_of(shares, seats), 0.0, 1.0),
            is_next=is_next,
        )

    # Variants

    def _variants(self) -> Iterator[Variant]:
        rules = game(self.game)
        for option in rules.info.options:
            if all(len(value) < _LONGEST_VALUE for value in option.examples):
                usual = default_text(rules, option)
                for value in option.examples:
                    if value != usual:
                        yield self._variant(option, usual, value)

    def _variant(self, option: Option, usual: str, value: str) -> Variant:
        player, games = level_with_budget(default_level(self.game)), self.sizes.variants
        seats = game(self.game).info.seats[0]
        command = (
            f"wonderland simulate {self.game} --seats {seats} --bots {player.bot} --games {games} "
            f"--versus {option.name}={value} --seed {self.seed}"
        )
        self.tell(command)
        before, after = (
            Simulation(GameSetup(self.game, seats, options), (player.bot,) * seats, self.seed)
            for options in ((), ((option.name, value),))
        )
        run = self._run(before, after, games=games)
        assert run.differences is not None  # noqa: S101 - a run of two simulations has them
        return Variant(
            option=option.name,
            usual=usual,
            value=value,
            player=player,
            seats=seats,
            games=games,
            command=command,
            changes=tuple(_changes(run.totals[0], run.totals[1], run.differences)),
        )


def kernel_level(name: str) -> Level | None:
    """Strongest level that the game's compiled kernel supports, except the random one."""
    fast = kernel(name) if component(name, "encoding.packing") is not None else None
    known = fast.POLICIES if fast is not None else ()
    found = [level for level in levels(name)[1:] if level.word in known]
    return found[-1] if found else None


def level_with_budget(level: Level) -> Player:
    """A level with a budget that is affordable and independent of the clock."""
    budget = level.budget
    is_limited = budget.seconds is not None or (budget.playouts or 0) > _MAX_PLAYOUTS
    return Player(f"{level.word}@{_MAX_PLAYOUTS}" if is_limited else level.word, level.name)


def _changes(before: Totals, after: Totals, found: Differences) -> Iterator[OptionEffect]:
    """Effects of a variant with their confidence; a game's only ending can't change."""
    endings = sorted({*before.endings, *after.endings})
    endings = endings if len(endings) > 1 else []
    corrected_confidence = 1 - (1 - CONFIDENCE) / (4 + len(endings))

    def change(
        kind: str, of: Callable[[Totals], float], *differences: Moments, unit: int = 1, ending: str = ""
    ) -> OptionEffect:
        plain = _mean_estimate([mean(each, unit) for each in differences])
        corrected = _mean_estimate([mean(each, unit, corrected_confidence) for each in differences])
        one, other = (round(of(each), _DIGITS) for each in (before, after))
        return OptionEffect(kind, ending, one, other, _figure(plain), corrected.is_clear_of(0.0))

    yield change("first", _first_wins, found.share_by_order(0), unit=WHOLE_WIN)
    yield change("shared", lambda totals: totals.shared / totals.games, found.shared)
    for name in endings:
        yield change("ending", partial(_ending_share, name=name), found.ending(name), ending=name)
    yield change("score", _mean_score, *map(found.score, range(before.seats)))
    yield change("decisions", _mean_length, found.length)


def _first_wins(totals: Totals) -> float:
    return mean(totals.share_by_order(0), WHOLE_WIN).value


def _ending_share(totals: Totals, name: str) -> float:
    return totals.endings[name] / totals.games


def _mean_score(totals: Totals) -> float:
    return mean(Moments.of(_all_scores(totals))).value


def _mean_length(totals: Totals) -> float:
    return mean(Moments.of(totals.lengths)).value


# Numbers


def _figure(found: Estimate) -> Figure:
    """Round to the significant digits, so that files don't depend on the processor."""
    return Figure(round(found.value, _DIGITS), round(found.low, _DIGITS), round(found.high, _DIGITS))


def _clamped_figure(found: Estimate, least: float, most: float) -> Figure:
    return _figure(Estimate(found.value, max(found.low, least), min(found.high, most)))


def _share(moments: Moments) -> Figure:
    return _figure(proportion(moments.total / WHOLE_WIN, moments.number))


def _mean_estimate(found: Sequence[Estimate]) -> Estimate:
    """Mean of several means; averaging the bounds gives a valid interval whatever their correlation."""
    number = len(found)
    return Estimate(
        sum(each.value for each in found) / number,
        sum(each.low for each in found) / number,
        sum(each.high for each in found) / number,
    )


def _mean_of(shares: Sequence[float], seats: int) -> Estimate:
    """Mean win share over deals; in each deal the level plays one game in every seat."""
    unit = WHOLE_WIN * seats
    whole = [round(share * unit) for share in shares]
    return mean(Moments(len(whole), sum(whole), sum(each * each for each in whole)), unit)


def _all_scores(totals: Totals) -> Counter[int]:
    found: Counter[int] = Counter()
    for scores in totals.scores:
        found.update(scores)
    return found


def _scores(totals: Totals) -> Histogram:
    of_seats = [mean(Moments.of(scores)) for scores in totals.scores]
    return _histogram(_all_scores(totals), _mean_estimate(of_seats))


def _histogram(counts: Mapping[int, int], middle: Estimate) -> Histogram:
    numbers = dict(sorted(counts.items()))
    return Histogram(_figure(middle), min(numbers), _median(numbers), max(numbers), numbers)


def _median(counts: Mapping[int, int]) -> int:
    """Smallest value that at least half of the numbers don't exceed."""
    half, below = sum(counts.values()) / 2, 0
    return next(value for value, times in counts.items() if (below := below + times) >= half)
