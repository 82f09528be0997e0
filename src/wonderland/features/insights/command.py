"""The `wonderland insights` command: arguments and execution."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from rich.console import Console, RenderableType
from rich.text import Text

from wonderland.arguments import language_of, read_count, read_word
from wonderland.components.formatting import date as format_date
from wonderland.components.formatting import number, percent
from wonderland.components.game_data import dump, place_of
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.registry import game, game_names
from wonderland.features.insights.model import (
    FILE,
    Figure,
    Histogram,
    Insights,
    OptionEffect,
    Player,
    Survey,
    Variant,
)
from wonderland.features.insights.model import insights as known
from wonderland.features.insights.survey import GAMES, SEED, Surveyor
from wonderland.lab.command_options import read_workers
from wonderland.lab.labels import PLACES, ending_name
from wonderland.lab.output_files import refuse_to_overwrite, write_text
from wonderland.lab.text_tables import console, grid

_ABOUT = """\
Show what simulations reveal about a game: whether it matters who goes first, scores, game lengths and
endings for each number of players, how much skill matters, and what each variant changes. Every result
has a 95% confidence interval.

Use 'make' to recalculate the insights, which takes a few minutes per game. --games sets how many games
the compiled kernel plays for each number of players; slower simulations play proportionally fewer. The
same seed gives the same results. Results are saved with the game, or in --out FILE.

  wonderland insights parade
  wonderland insights make parade --games 2M --out parade.json
"""

_USAGE = "wonderland insights [make] [GAME] [--games N] [--seed SEED] [--workers N] [--out FILE]"
_MAKE = "make"
_ONLY_FOR_MAKE = ("games", "seed", "workers", "out")


def add_insights(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland insights` to its parser."""
    parser.usage = _USAGE
    parser.description = _ABOUT
    parser.add_argument(
        "words",
        metavar="[make] [GAME]",
        nargs="*",
        help="'make' recalculates the insights; GAME is the name of a game (default: all)",
    )
    parser.add_argument("--games", metavar="N", help="with make: number of games (default: 600_000)")
    parser.add_argument("--seed", help="with make: any word (default: wonderland)")
    parser.add_argument(
        "--workers", metavar="N", help="with make: number of parallel workers (default: one per core)"
    )
    parser.add_argument(
        "--out", metavar="FILE", help="with make: write to a new file instead of the game's own"
    )
    parser.set_defaults(run=insights)


def insights(options: argparse.Namespace) -> int:
    """Print stored insights, or compute new ones with `make`."""
    words = list(options.words)
    is_make = words[:1] == [_MAKE]
    names = _names(words[1:] if is_make else words)
    if is_make:
        return _make(options, names)
    for flag in _ONLY_FOR_MAKE:
        if getattr(options, flag) is not None:
            raise UsageError(
                phrase("--{flag} works only with make: wonderland insights make --{flag} …"), flag=flag
            )
    found = [known(name) for name in names]
    for each in found:
        show(each, console(), language_of(options))
    return 0


def _names(words: Sequence[str]) -> tuple[str, ...]:
    if len(words) > 1:
        raise UsageError(
            phrase("{words} is more than one game. Name one game, or none for all."),
            words=quote(" ".join(words)),
        )
    return tuple(game(word).info.name for word in words) or game_names()


def _make(options: argparse.Namespace, names: Sequence[str]) -> int:
    """Survey the games one after another, saving each result immediately."""
    games = GAMES if options.games is None else read_count("--games", options.games)
    seed = read_word(options.seed, SEED)
    workers = read_workers(options.workers)
    if options.out is not None:
        if len(names) > 1:
            raise UsageError(
                phrase("--out works only with one game: wonderland insights make GAME --out FILE.")
            )
        refuse_to_overwrite("--out", options.out)
    for name in names:
        surveyor = Surveyor(name, games, seed, workers, _print_progress)
        found = surveyor.found(datetime.now(UTC).date().isoformat())
        write_text(options.out or str(place_of(FILE, name)), dump(found))
        show(found, console(), language_of(options))
    return 0


def _print_progress(command: str) -> None:
    print(command, file=sys.stderr)


def show(found: Insights, on: Console, say: Language = ENGLISH) -> None:
    """Print all insights into a game."""
    for block in _Tables(found, say).blocks(plain=not on.is_terminal):
        on.print(block)
        on.print()


_EFFECTS = {
    "first": phrase("First player wins"),
    "shared": phrase("Shared win"),
    "score": phrase("Points per player"),
    "decisions": phrase("Moves per game"),
}


@dataclass(frozen=True, slots=True)
class _Tables:
    """The insights into a game as text tables, in one language."""

    found: Insights
    say: Language

    def blocks(self, *, plain: bool) -> Iterator[RenderableType]:
        """Yield a heading and all tables that apply to the game."""
        say, found = self.say, self.found
        title = say(game(found.game).info.title)
        yield Text(f"{title}, {format_date(date.fromisoformat(found.date), say)}", style="bold")
        yield Text(say("Based on {number} simulated games.", number=number(found.games, say)))
        yield Text(f"{say('Calculated with:')} {found.command}", overflow="fold")
        for games, player in sorted({(each.games, _name(each.player, say)) for each in found.surveys}):
            yield Text(
                say(
                    "{level}: {number} games for each number of players",
                    level=player,
                    number=number(games, say),
                )
            )
        for title, columns, rows in self._tables():
            if lines := list(rows):
                yield grid(title, *columns, rows=lines, plain=plain)

    def _tables(self) -> Iterator[tuple[str, tuple[str, ...], Iterator[list[str]]]]:
        say = self.say
        bots, interval = (say("Players"), say("Bots")), f" {say('95% interval')}"
        wins = f" {say('Wins')}"
        yield (
            say("Does it matter who goes first?"),
            (*bots, say("Turn order"), wins, interval, f" {say('Even share')}"),
            self._order_rows(),
        )
        figures = (say("Lowest"), say("Median"), say("Highest"))
        columns = (*bots, f" {say('Mean')}", interval, *(f" {each}" for each in figures))
        yield say("Scores"), columns, self._histogram_rows("scores")
        yield say("Game length"), columns, self._histogram_rows("decisions")
        share = f" {say('Share of games')}"
        yield say("How games end"), (*bots, say("Ending"), share, interval), self._ending_rows()
        yield (
            say("How much does skill matter?"),
            (say("Level"), say("Against"), f" {say('Deals')}", wins, interval),
            self._skill_rows(),
        )
        before, after = f" {say('Standard rules')}", f" {say('Variant')}"
        change = (f" {say('Difference')}", interval, say("Clear?"))
        for variant in self.found.variants:
            title = say("What changes with {option}", option=f"{variant.option}={variant.value}")
            yield title, (say("Measure"), before, after, *change), self._variant_rows(variant)

    def _share_cells(self, found: Figure) -> list[str]:
        low, high = (percent(end, self.say) for end in (found.low, found.high))
        return [percent(found.value, self.say), self._between(low, high)]

    def _between(self, low: str, high: str) -> str:
        return self.say("{low} to {high}", low=low, high=high)

    def _surveys(self) -> Iterator[tuple[list[str], Survey]]:
        """Yield the surveys, each with the cells that name it."""
        for seats in self.found.seats:
            for survey in self.found.with_seats(seats):
                yield [str(seats), _name(survey.player, self.say)], survey

    def _order_rows(self) -> Iterator[list[str]]:
        for words, survey in self._surveys():
            for place, share in enumerate(survey.order):
                even = percent(1 / survey.seats, self.say)
                yield [*words, self.say(PLACES[place]), *self._share_cells(share), even]

    def _histogram_rows(self, what: str) -> Iterator[list[str]]:
        for words, survey in self._surveys():
            spread: Histogram = getattr(survey, what)
            mean, low, high = (
                number(value, self.say, 2)
                for value in (spread.mean.value, spread.mean.low, spread.mean.high)
            )
            figures = map(str, (spread.lowest, spread.median, spread.highest))
            yield [*words, mean, self._between(low, high), *figures]

    def _ending_rows(self) -> Iterator[list[str]]:
        for words, survey in self._surveys():
            for ending in survey.endings:
                yield [*words, self._ending(ending.name), *self._share_cells(ending.share)]
            if self.found.can_share:
                yield [*words, self.say("Shared win"), *self._share_cells(survey.shared)]

    def _ending(self, name: str) -> str:
        """Name an ending, in the game's words if it has them."""
        return ending_name(self.found.game, name, self.say)

    def _skill_rows(self) -> Iterator[list[str]]:
        for each in self.found.meetings:
            levels = [_name(each.stronger, self.say), _name(each.weaker, self.say)]
            yield [*levels, number(each.deals, self.say), *self._share_cells(each.wins)]

    def _variant_rows(self, variant: Variant) -> Iterator[list[str]]:
        for change in filter(lambda each: each.is_about_something, variant.changes):
            yield [self._effect_name(change), *self._effect_cells(change)]

    def _effect_name(self, change: OptionEffect) -> str:
        known = _EFFECTS.get(change.kind)
        return self._ending(change.ending) if known is None else self.say(known)

    def _effect_cells(self, change: OptionEffect) -> list[str]:
        show, digits, scale = (percent, 1, 100) if change.is_share else (number, 2, 1)
        far = change.difference
        value, low, high = (
            number(scale * each, self.say, digits, signed=True)
            for each in (far.value, far.low, far.high)
        )
        return [
            show(change.before, self.say, digits),
            show(change.after, self.say, digits),
            value,
            self._between(low, high),
            self.say("yes") if change.is_clear else self.say("no"),
        ]


def _name(player: Player, say: Language) -> str:
    name = say(player.name)
    return f"{name}@{player.playouts}" if player.playouts else name
