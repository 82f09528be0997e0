"""Finds out what simulation says about a game: many plays, levels against levels, variants.

Who plays:

- the strongest level that the game's kernel can play, a great many times;
- the level that people meet unless they choose another, which may think, and so plays fewer games.

How much a level thinks is counted in play-outs and never in seconds: the same seed finds the same.
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
"""How many the kernel plays with each number of players, if nobody says otherwise."""
SEED = "wonderland"
_THOUGHT = 500
"""Play-outs for each action that the strongest level gets at most: a survey has thousands of choices."""
_LONGEST_VALUE = 12
"""Longer values of options, such as whole boards, are written by experts."""
_DIGITS = 6


class Sizes(Value, frozen=True):
    """How much is played of each."""

    kernel: int
    thinking: int
    rules: int
    """Plays of a level that does not think, where no kernel plays any level."""
    deals: int
    variants: int


def sizes(games: int) -> Sizes:
    """All from one number, as a game of some kind costs about so much more time than one of another.

    >>> sizes(600_000)
    Sizes(kernel=600000, thinking=600, rules=3000, deals=500, variants=1500)
    """
    return Sizes(
        games, max(games // 1000, 2), max(games // 200, 2), max(games // 1200, 2), max(games // 400, 2)
    )


def made_with(name: str, games: int, seed: str) -> str:
    """The command that finds out the same again."""
    return f"wonderland insights make {name} --games {games} --seed {seed}"


class Surveyor(Value, frozen=True):
    """Whoever plays all that."""

    game: str
    games: int = GAMES
    seed: str = SEED
    workers: int = 1
    tell: Callable[[str], object] = lambda _: None
    """Is told what is played next."""

    @property
    def sizes(self) -> Sizes:
        """How much is played of each."""
        return sizes(self.games)

    def found(self, date: str) -> Insights:
        """All that there is to say."""
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

    # Plays between equals

    def _surveys(self) -> Iterator[Survey]:
        quick, usual = kernel_level(self.game), default_level(self.game)
        for level in filter(None, (quick if quick != usual else None, usual)):
            for seats in game(self.game).info.seats:
                yield self._survey(level, seats, self._number(level, quick))

    def _number(self, level: Level, quick: Level | None) -> int:
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
        totals = self._played(simulation, games=games).totals[0]
        return Survey(
            player=player,
            seats=seats,
            games=totals.games,
            command=command,
            order=tuple(_share(totals.share_by_order(place)) for place in range(seats)),
            scores=_scores(totals),
            decisions=_spread(totals.lengths, mean(Moments.of(totals.lengths))),
            shared=_figure(proportion(totals.shared, totals.games)),
            endings=tuple(
                EndingShare(name, _figure(proportion(number, totals.games)))
                for name, number in sorted(totals.endings.items(), key=lambda each: (-each[1], each[0]))
            ),
        )

    def _played(self, *simulations: Simulation, games: int) -> Run:
        run = Run(simulations, games, workers=self.workers)
        run.play()
        if run.is_interrupted:
            raise KeyboardInterrupt
        return run

    # Levels against levels

    def _meetings(self) -> Iterator[Meeting]:
        """Each level against the one below it, and against the lowest."""
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
            wins=_within(_mean_of(shares, seats), 0.0, 1.0),
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
        run = self._played(before, after, games=games)
        assert run.differences is not None  # noqa: S101 - of two simulations there are
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
    """The strongest level of a game that its compiled kernel plays, if there is one besides chance."""
    fast = kernel(name) if component(name, "encoding.packing") is not None else None
    known = fast.POLICIES if fast is not None else ()
    found = [level for level in levels(name)[1:] if level.word in known]
    return found[-1] if found else None


def level_with_budget(level: Level) -> Player:
    """A level with an amount of thought that takes not too long, and does not hang on the clock."""
    budget = level.budget
    is_limited = budget.seconds is not None or (budget.playouts or 0) > _THOUGHT
    return Player(f"{level.word}@{_THOUGHT}" if is_limited else level.word, level.name)


def _changes(before: Totals, after: Totals, found: Differences) -> Iterator[OptionEffect]:
    """What differs, and how sure that is; a single way to end can't change."""
    endings = sorted({*before.endings, *after.endings})
    endings = endings if len(endings) > 1 else []
    judged_at_once = 1 - (1 - CONFIDENCE) / (4 + len(endings))

    def change(
        kind: str, of: Callable[[Totals], float], *far: Moments, unit: int = 1, ending: str = ""
    ) -> OptionEffect:
        sure = _together([mean(each, unit) for each in far])
        surer = _together([mean(each, unit, judged_at_once) for each in far])
        one, other = (round(of(each), _DIGITS) for each in (before, after))
        return OptionEffect(kind, ending, one, other, _figure(sure), surer.is_clear_of(0.0))

    yield change("first", _first_wins, found.share_by_order(0), unit=WHOLE_WIN)
    yield change("shared", lambda totals: totals.shared / totals.games, found.shared)
    for name in endings:
        yield change("ending", partial(_ended, name=name), found.ending(name), ending=name)
    yield change("score", _mean_score, *map(found.score, range(before.seats)))
    yield change("decisions", _mean_length, found.length)


def _first_wins(totals: Totals) -> float:
    return mean(totals.share_by_order(0), WHOLE_WIN).value


def _ended(totals: Totals, name: str) -> float:
    return totals.endings[name] / totals.games


def _mean_score(totals: Totals) -> float:
    return mean(Moments.of(_all_scores(totals))).value


def _mean_length(totals: Totals) -> float:
    return mean(Moments.of(totals.lengths)).value


# Numbers


def _figure(found: Estimate) -> Figure:
    """With as many digits as say anything: what a processor adds behind them is not for a file."""
    return Figure(round(found.value, _DIGITS), round(found.low, _DIGITS), round(found.high, _DIGITS))


def _within(found: Estimate, least: float, most: float) -> Figure:
    return _figure(Estimate(found.value, max(found.low, least), min(found.high, most)))


def _share(moments: Moments) -> Figure:
    return _figure(proportion(moments.total / WHOLE_WIN, moments.number))


def _together(found: Sequence[Estimate]) -> Estimate:
    """The mean of several means: its interval is no wider than theirs on average, whatever ties them."""
    number = len(found)
    return Estimate(
        sum(each.value for each in found) / number,
        sum(each.low for each in found) / number,
        sum(each.high for each in found) / number,
    )


def _mean_of(shares: Sequence[float], seats: int) -> Estimate:
    """The mean of one share for each deal, of which a level has a game in every seat."""
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
    return _spread(_all_scores(totals), _together(of_seats))


def _spread(counts: Mapping[int, int], middle: Estimate) -> Histogram:
    numbers = dict(sorted(counts.items()))
    return Histogram(_figure(middle), min(numbers), _median(numbers), max(numbers), numbers)


def _median(counts: Mapping[int, int]) -> int:
    """The lowest value that at least half of all reach or stay below."""
    half, below = sum(counts.values()) / 2, 0
    return next(value for value, times in counts.items() if (below := below + times) >= half)
