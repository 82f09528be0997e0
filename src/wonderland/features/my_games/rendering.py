"""Template contexts of the list of games: rows, statistics, charts and mistakes in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from wonderland.bots.characters import difficulty, display_name
from wonderland.components.formatting import date, number, percent
from wonderland.components.heuristics import heuristics_of
from wonderland.engine.language import Language, phrase
from wonderland.engine.registry import game, ranked_game_names
from wonderland.features.my_games.charts import HEIGHT, WIDTH, LineChart, line_chart
from wonderland.features.my_games.model import (
    MIXED,
    PEOPLE,
    FinishedGame,
    GameFilter,
    Mistake,
    OwnGame,
    SeatReview,
    Tally,
    accuracies,
    mistakes_in,
    moving_average,
    tallies,
    tally,
)

PER_PAGE = 25
_AVERAGED = 10
"""Games in the moving average of accuracy."""
OUTCOMES = {"won": phrase("won"), "shared": phrase("shared the win"), "lost": phrase("lost")}
KINDS = {
    "rated": phrase("rated"),
    "tutorial": phrase("tutorial"),
    "continued": phrase("continued"),
    "imported": phrase("imported"),
}


def shown_names(found: FinishedGame, say: Language) -> list[str]:
    """The names of the players to show: those of bots are translated."""
    return [
        display_name(found.game, name, say) if level else name
        for name, level in zip(found.names, found.levels, strict=True)
    ]


def theme_text(name: str, theme: str, say: Language) -> str:
    """A theme of mistakes in words: the rule of thumb that led there."""
    rules = {rule.key: rule.says for rule in heuristics_of(name)}
    return say(rules[theme]) if theme in rules else say("Other moves, which no rule of thumb suggests.")


def _level_text(name: str, level: str, say: Language) -> str:
    if level == PEOPLE:
        return say("people")
    return say("bots of several levels") if level == MIXED else say(difficulty(name, level))


class GamesPage:
    """The list of a person's games and everything beside it, for one filter."""

    def __init__(
        self,
        games: Sequence[OwnGame],
        reviews: Mapping[str, SeatReview],
        wanted: GameFilter,
        say: Language,
    ) -> None:
        self.all, self.reviews, self.wanted, self.say = games, reviews, wanted, say
        self.games = [own for own in games if wanted.accepts(own, shown_names(own.game, say))]
        self.titles = {name: say(game(name).info.title) for name in ranked_game_names()}

    def context(self, page: int, ratings: Mapping[str, Sequence[int]]) -> dict[str, Any]:
        """The whole template context; pages are numbered from 1."""
        pages = max(1, -(-len(self.games) // PER_PAGE))
        page = min(page, pages)
        shown = self.games[PER_PAGE * (page - 1) : PER_PAGE * page]
        return {
            "total": len(self.all),
            "found": len(self.games),
            "rows": list(map(self.row, shown)),
            "page": page,
            "pages": pages,
            "wanted": self.wanted,
            "query": self.wanted.query(),
            "choices": self.choices(),
            "summary": self._tally_text(tally(self.games)),
            "results": self.results(),
            "levels": self.levels(),
            "accuracy": self.accuracy(),
            "themes": self.themes(),
            "ratings": [self._rating(name, values) for name, values in ratings.items()],
        }

    def row(self, own: OwnGame) -> dict[str, Any]:
        """One game of the list."""
        found, say = own.game, self.say
        names, review = shown_names(found, say), self.reviews.get(found.id)
        accuracy = None if review is None else review.accuracy
        return {
            "id": found.id,
            "title": self.titles[found.game],
            "day": found.day.isoformat(),
            "date": date(found.day, say),
            "outcome": own.outcome,
            "result": self._result(own, names),
            "score": "" if own.seat is None or not found.scores else number(found.scores[own.seat], say),
            "opponents": say.join_list(names[seat] for seat in own.opponents),
            "kind": say(KINDS[found.kind]) if found.kind in KINDS else "",
            "is_imported": found.kind == "imported",
            "accuracy": "" if accuracy is None else number(accuracy, say, 1),
            "mistakes": 0 if review is None else len(review.mistakes),
        }

    def _result(self, own: OwnGame, names: Sequence[str]) -> str:
        say = self.say
        if own.outcome:
            return say.capital(say(OUTCOMES[own.outcome]))
        winners = say.join_list(names[seat] for seat in own.game.winners)
        return say.plural("{who} won.", "{who} shared the win.", len(own.game.winners), who=winners)

    def choices(self) -> dict[str, Any]:
        """What can be chosen in the filter: only what occurs in the games."""
        say = self.say
        levels: dict[str, str] = {}
        for own in self.all:
            levels.setdefault(own.level, _level_text(own.game.game, own.level, say))
        played = {own.game.game for own in self.all}
        return {
            "game": [(name, title) for name, title in self.titles.items() if name in played],
            "result": [(key, say(text)) for key, text in OUTCOMES.items()],
            "level": sorted(levels.items(), key=lambda each: each[1]),
            "seats": sorted({len(own.game.names) for own in self.all}),
        }

    # Statistics

    def _tally_text(self, found: Tally) -> dict[str, str]:
        say = self.say
        return {
            "played": number(found.played, say),
            "won": number(found.won, say),
            "shared": number(found.shared, say),
            "lost": number(found.lost, say),
            "share": percent(found.share, say, 0) if found.played else "",
        }

    def results(self) -> list[dict[str, str]]:
        """Results by game and number of players."""
        groups = tallies(self.games, lambda own: (own.game.game, len(own.game.names)))
        return [
            {
                "name": self.titles[name],
                "group": self.say.plural("{number} player", "{number} players", int(seats)),
            }
            | self._tally_text(found)
            for (name, seats), found in groups.items()
        ]

    def levels(self) -> list[dict[str, str]]:
        """Results by game and level of the opponents."""
        groups = tallies(self.games, lambda own: (own.game.game, own.level))
        return [
            {"name": self.titles[name], "group": _level_text(name, str(level), self.say)}
            | self._tally_text(found)
            for (name, level), found in groups.items()
        ]

    def accuracy(self) -> dict[str, Any] | None:
        """Accuracy over time; `None` before the coach has analysed a game."""
        found, say = accuracies(self.games, self.reviews), self.say
        if not found:
            return None
        values = [value for _, value in found]
        days = [date(own.game.day, say) for own in (found[0][0], found[-1][0])]
        mean = number(fmean(values[-_AVERAGED:]), say, 1)
        return {
            "chart": _chart_context(
                line_chart(values, moving_average(values, _AVERAGED), 10), days, say
            ),
            "says": say.plural(
                "Average accuracy of the last game: {mean}",
                "Average accuracy of the last {number} games: {mean}",
                len(values[-_AVERAGED:]),
                mean=mean,
            ),
        }

    def _rating(self, name: str, values: Sequence[int]) -> dict[str, Any]:
        say = self.say
        return {
            "title": self.titles[name],
            "now": number(values[-1], say),
            "chart": _chart_context(line_chart(values, values, 50), ["", ""], say),
            "says": say.plural("{number} rated game", "{number} rated games", len(values)),
        }

    def themes(self) -> list[dict[str, Any]]:
        """Mistakes by game and theme, the most frequent first."""
        names = {own.game.id: own.game.game for own in self.games}
        found = mistakes_in(self.games, self.reviews)
        groups = Counter((names[each.game], each.theme) for each in found)
        return [
            {
                "game": name,
                "title": self.titles[name],
                "theme": theme,
                "says": theme_text(name, theme, self.say),
                "number": number(count, self.say),
                "lost": percent(_mean_loss(found, names, name, theme), self.say, 0),
            }
            for (name, theme), count in groups.most_common()
        ]


def _mean_loss(found: Sequence[Mistake], names: Mapping[str, str], name: str, theme: str) -> float:
    return fmean(each.lost for each in found if (names[each.game], each.theme) == (name, theme))


def _chart_context(chart: LineChart, ends: Sequence[str], say: Language) -> dict[str, Any]:
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "dots": chart.dots,
        "line": chart.line,
        "low": number(chart.low, say),
        "high": number(chart.high, say),
        "ends": ends,
    }
