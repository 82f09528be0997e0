"""Sections of the insights page: each with a summary, charts and a table of figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from statistics import NormalDist

from wonderland.components.formatting import number, percent
from wonderland.engine.registry import game
from wonderland.features.insights import charts
from wonderland.features.insights.charts import ChartPoint, Plot, Scale
from wonderland.features.insights.model import Figure, Histogram, Meeting, OptionEffect, Survey, Variant
from wonderland.features.insights.text import NumberTable, Section, Wording
from wonderland.lab.labels import PLACES

_NARROWEST = 0.02
"""Minimum half-range of a chart of shares, so that tiny differences look tiny."""


class Findings(Wording):
    """Builds all sections for a game in one language."""

    def sections(self) -> Iterator[Section]:
        """Yield the sections in order, leaving out those that don't apply to the game."""
        yield self._order_section()
        yield self._histogram_section(
            "scores", self.say("Scores"), self.say("Final scores of all players.")
        )
        yield self._histogram_section(
            "decisions", self.say("Game length"), self.say("Moves per game, counting all players.")
        )
        yield self._endings_section()
        yield self._skill_section()
        if self.found.variants:
            yield self._variants_section()

    # Turn order

    def _order_section(self) -> Section:
        say, surveys = self.say, list(self.surveys())
        distances = [
            abs(end - 1 / survey.seats)
            for survey in surveys
            for share in survey.order
            for end in (share.low, share.high)
        ]
        reach = max(1.05 * max(distances), _NARROWEST)
        rows = [
            (
                self.players(survey.seats),
                self.level(survey.player),
                say(PLACES[place]),
                *self.share(share),
                percent(1 / survey.seats, say),
            )
            for survey in surveys
            for place, share in enumerate(survey.order)
        ]
        head = (
            say("Players"),
            say("Bots"),
            say("Turn order"),
            say("Wins"),
            say("95% interval"),
            say("Even share"),
        )
        return Section(
            "order",
            say("Does it matter who goes first?"),
            (
                self._largest_imbalance(surveys),
                say("Wins by turn order; the dashed line is an even share."),
            ),
            tuple(self._order_plot(seats, reach) for seats in self.found.seats),
            NumberTable(head, tuple(rows), 3),
            self.levels(),
        )

    def _points(self, survey: Survey, kind: int) -> list[ChartPoint]:
        return [
            ChartPoint(share.value, share.low, share.high, kind, percent(share.value, self.say))
            for share in survey.order
        ]

    def _order_plot(self, seats: int, reach: float) -> Plot:
        by_level = [
            self._points(survey, kind) for kind, survey in enumerate(self.found.with_seats(seats))
        ]
        rows = [
            (self.say(PLACES[place]), [points[place] for points in by_level]) for place in range(seats)
        ]
        scale = Scale(1 / seats - reach, 1 / seats + reach)
        ticks = [(value, percent(value, self.say, 0)) for value in scale.steps(5)]
        return charts.dots(self.players(seats), rows, scale, ticks, 1 / seats)

    def _largest_imbalance(self, surveys: Sequence[Survey]) -> str:
        """Sentence on the largest significant imbalance, preferring those of the strongest level."""
        best = [self.found.with_seats(seats)[0] for seats in self.found.seats]
        for among in (best, surveys):
            number = sum(survey.seats for survey in among)
            clear = [
                (abs(share.value - 1 / survey.seats), survey, place)
                for survey in among
                for place, share in enumerate(survey.order)
                if _is_clear(share, 1 / survey.seats, number)
            ]
            if clear:
                _, survey, place = max(clear, key=lambda each: each[0])
                return self.say(
                    "Biggest gap ({players}): {place} wins {share} ({level}), where an even share "
                    "is {even}.",
                    place=self.say(PLACES[place]),
                    players=self.players(survey.seats),
                    share=percent(survey.order[place].value, self.say),
                    level=self.level(survey.player),
                    even=percent(1 / survey.seats, self.say),
                )
        return self.say("No place in the turn order is clearly better than another.")

    # Scores and lengths

    def _histogram_section(self, what: str, title: str, about: str) -> Section:
        say, surveys = self.say, list(self.surveys())
        most = [self.found.with_seats(seats)[-1] for seats in self.found.seats]
        ends = charts.frequent([_histogram_of(survey, what).counts for survey in most])
        drawn = []
        for survey in most:
            spread = _histogram_of(survey, what)
            mean = say("mean {number}", number=number(spread.mean.value, say, 1))
            title_of = self.players(survey.seats)
            drawn.append(charts.histogram(title_of, mean, spread.counts, ends, spread.mean.value))
        head = (
            say("Players"),
            say("Bots"),
            say("Mean"),
            say("95% interval"),
            say("Lowest"),
            say("Median"),
            say("Highest"),
        )
        return Section(
            what,
            title,
            (about, say("The chart shows {level}.", level=self.level(most[0].player))),
            tuple(drawn),
            NumberTable(head, tuple(self._histogram_row(survey, what) for survey in surveys), 2),
        )

    def _histogram_row(self, survey: Survey, what: str) -> tuple[str, ...]:
        spread, say = _histogram_of(survey, what), self.say
        low, high = (number(end, say, 2) for end in (spread.mean.low, spread.mean.high))
        return (
            self.players(survey.seats),
            self.level(survey.player),
            number(spread.mean.value, say, 2),
            self.between(low, high),
            *(number(each, say) for each in (spread.lowest, spread.median, spread.highest)),
        )

    # Endings

    def _endings_section(self) -> Section:
        say, surveys = self.say, list(self.surveys())
        rows, drawn = [], []
        for survey in surveys:
            named = [(self.ending(each.name), each.share) for each in survey.endings]
            if self.found.can_share:
                named.append((say("Shared win"), survey.shared))
            words = (self.players(survey.seats), self.level(survey.player))
            rows += [(*words, name, *self.share(share)) for name, share in named]
            if survey == self.found.with_seats(survey.seats)[0]:
                each = [(name, share.value, percent(share.value, say)) for name, share in named]
                drawn.append(charts.bars(words[0], each))
        head = (say("Players"), say("Bots"), say("Ending"), say("Share of games"), say("95% interval"))
        best = self.found.with_seats(self.found.seats[0])[0].player
        return Section(
            "endings",
            say("How games end"),
            (say("The chart shows {level}.", level=self.level(best)),),
            tuple(drawn),
            NumberTable(head, tuple(rows), 3),
        )

    # Skill

    def _skill_section(self) -> Section:
        say, meetings = self.say, self.found.meetings
        lowest = min(chain((0.5,), (each.wins.low for each in meetings)))
        scale = Scale(lowest if lowest == 0.5 else max(lowest - 0.02, 0.0), 1.0)
        nearest = [each for each in meetings if each.is_next]
        farthest = [each for each in meetings if not each.is_next]
        drawn = [self._meetings_plot(say("Against the level below"), nearest, scale)]
        if farthest:
            drawn.append(self._meetings_plot(say("Against the lowest level"), farthest, scale))
        rows = [
            (
                self.level(each.stronger),
                self.level(each.weaker),
                number(each.deals, say),
                *self.share(each.wins),
            )
            for each in meetings
        ]
        head = (say("Level"), say("Against"), say("Deals"), say("Wins"), say("95% interval"))
        return Section(
            "skill",
            say("How much does skill matter?"),
            (
                say(
                    "Bot levels head to head: two players, every deal played twice with the seats "
                    "swapped."
                ),
                say("If it were all luck, each would win half the games."),
            ),
            tuple(drawn),
            NumberTable(head, tuple(rows), 2),
        )

    def _meetings_plot(self, title: str, meetings: Sequence[Meeting], scale: Scale) -> Plot:
        rows = []
        for each in meetings:
            names = {"one": self.level(each.stronger), "other": self.level(each.weaker)}
            says = percent(each.wins.value, self.say)
            point = ChartPoint(each.wins.value, each.wins.low, each.wins.high, 0, says)
            rows.append((self.say("{one} against {other}", **names), [point]))
        ticks = [(value, percent(value, self.say, 0)) for value in scale.steps()]
        return charts.dots(title, rows, scale, ticks, 0.5)

    # Variants

    def _variants_section(self) -> Section:
        say, variants = self.say, self.found.variants
        shares = [self._effect_point(change) for each in variants for change in _shares(each)]
        scale = charts.around(shares, 0.0, _NARROWEST)
        rows = [
            (
                self._variant_name(each),
                self._effect_name(change),
                *self._before_and_after(change),
                say("yes") if change.is_clear else say("no"),
            )
            for each in variants
            for change in each.changes
            if change.is_about_something
        ]
        head = (
            say("Variant"),
            say("Measure"),
            say("Standard rules"),
            say("Variant"),
            say("Difference"),
            say("95% interval"),
            say("Clear?"),
        )
        return Section(
            "variants",
            say("What each variant changes"),
            (
                say(
                    "Two players, {level}, {number} games with each rule on the same deals.",
                    level=self.level(variants[0].player),
                    number=number(variants[0].games, say),
                ),
                say("The dots show differences in percentage points."),
                say("A filled dot marks a clear difference from the standard rules."),
            ),
            tuple(self._variant_plot(each, scale) for each in variants),
            NumberTable(head, tuple(rows), 2),
        )

    def _variant_name(self, variant: Variant) -> str:
        """Description of a variant in the game's words."""
        options = {option.name: option for option in game(self.found.game).info.options}
        option = options[variant.option]
        meaning = self.say.capital(self.say(option.meaning))
        if variant.value == "true":
            return meaning
        value, usual = (self.say(option.label(each)) for each in (variant.value, variant.usual))
        return self.say(
            "{meaning}: {value} instead of {usual}", meaning=meaning, value=value, usual=usual
        )

    def _effect_name(self, change: OptionEffect) -> str:
        say = self.say
        match change.kind:
            case "first":
                return say("First player wins")
            case "shared":
                return say("Shared win")
            case "score":
                return say("Points per player")
            case "decisions":
                return say("Moves per game")
            case _:
                return self.ending(change.ending)

    def _effect_point(self, change: OptionEffect) -> ChartPoint:
        difference, kind = change.difference, 0 if change.is_clear else 1
        says = self._percentage_points(difference.value)
        return ChartPoint(difference.value, difference.low, difference.high, kind, says)

    def _variant_plot(self, variant: Variant, scale: Scale) -> Plot:
        rows = [(self._effect_name(each), [self._effect_point(each)]) for each in _shares(variant)]
        ticks = [(value, self._percentage_points(value, 0)) for value in scale.steps(6)]
        notes = []
        for each in variant.changes:
            if not each.is_share:
                before, after, difference, _ = self._before_and_after(each)
                words = {
                    "what": self._effect_name(each),
                    "before": before,
                    "after": after,
                    "difference": difference,
                }
                notes.append(self.say("{what}: {before} → {after} ({difference})", **words))
        return replace(
            charts.dots(self._variant_name(variant), rows, scale, ticks, 0.0), notes=tuple(notes)
        )

    def _percentage_points(self, share: float, digits: int = 1) -> str:
        """A difference between two shares, in percentage points."""
        return number(100 * share, self.say, digits, signed=True)

    def _before_and_after(self, change: OptionEffect) -> tuple[str, ...]:
        say, far = self.say, change.difference
        ends, reach = (change.before, change.after), (far.low, far.value, far.high)
        if change.is_share:
            low, value, high = map(self._percentage_points, reach)
            told = say("{number} percentage points", number=value)
            return (*(percent(each, say) for each in ends), told, self.between(low, high))
        low, value, high = (number(each, say, 2, signed=True) for each in reach)
        return (*(number(each, say, 2) for each in ends), value, self.between(low, high))


def _histogram_of(survey: Survey, what: str) -> Histogram:
    return survey.scores if what == "scores" else survey.decisions


def _is_clear(found: Figure, even: float, number: int) -> bool:
    """Whether a figure differs significantly from `even`, as the most extreme of `number` figures."""
    alone, among = (NormalDist().inv_cdf(1 - 0.025 / each) for each in (1, number))
    half = found.high - found.value if found.value < even else found.value - found.low
    return abs(found.value - even) > half * among / alone


def _shares(variant: Variant) -> list[OptionEffect]:
    return [each for each in variant.changes if each.is_share and each.is_about_something]
