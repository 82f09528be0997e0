"""Results as text tables: at most 80 columns wide, and no meaning by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from wonderland.components.formatting import number, percent
from wonderland.components.text_layout import align_left, fit_lines, wrap_text
from wonderland.engine.language import ENGLISH, Language
from wonderland.lab.labels import (
    PLACES,
    bot_name,
    change_labels,
    count_deals,
    count_games,
    ending_name,
    standings_heading,
    summary_heading,
)
from wonderland.lab.standings import PairStanding, TournamentStandings
from wonderland.lab.statistics import Estimate
from wonderland.lab.summary import Comparison, Distribution, Part, Summary, VariantDifference

WIDTH = 80
_GAP = 2
"""The number of blanks between columns."""
Result = Summary | Comparison | TournamentStandings


def console(*, error: bool = False) -> Console:
    """Create a console as wide as the terminal, or 80 columns of plain text for a pipe or file."""
    found = Console(stderr=error, highlight=False)
    if not found.is_terminal:
        found = Console(stderr=error, highlight=False, width=WIDTH, no_color=True)
    return found


def grid(title: str, *columns: str, rows: Iterable[Sequence[str]], plain: bool) -> Table:
    """Create a table; a column whose name starts with a blank holds numbers.

    If it would be wider than a terminal, the headings of numbers are broken into several lines.
    """
    rows = [*rows]
    columns = tuple(_fold_heads(columns, rows))
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None if plain else box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, _GAP, 0, 0),
    )
    for name in columns:
        is_number = name.startswith(" ")
        justify: Literal["left", "right"] = "right" if is_number else "left"
        table.add_column(name.strip(), justify=justify, no_wrap=is_number, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _fold_heads(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the headings of a table, in which those of numbers are no wider than necessary."""
    cells = [max((cell_len(row[column]) for row in rows), default=0) for column in range(len(heads))]
    widths = [max(cell_len(head.strip()), width) for head, width in zip(heads, cells, strict=True)]
    is_wide = sum(widths) + _GAP * (len(widths) - 1) > WIDTH
    for head, width in zip(heads, cells, strict=True):
        if is_wide and head.startswith(" "):
            yield " " + "\n".join(fit_lines(head.strip(), width))
        else:
            yield head


def show(found: Result, on: Console, say: Language = ENGLISH) -> None:
    """Print the results of a simulation or a tournament."""
    for block in _ResultTables(say, plain=not on.is_terminal).blocks(found):
        on.print(block)
        on.print()


def _paragraph(text: str) -> Text:
    return Text("\n".join(wrap_text(text, WIDTH)))


class _ResultTables:
    """Results as tables in one language."""

    __slots__ = ("plain", "say")

    def __init__(self, say: Language, *, plain: bool) -> None:
        self.say = say
        self.plain = plain

    def blocks(self, found: Result) -> Iterator[RenderableType]:
        """Return the headings, tables and notes of a result."""
        match found:
            case Summary():
                return self._summary(found)
            case Comparison():
                return self._comparison(found)
            case TournamentStandings():
                return self._standings(found)

    def _grid(self, *columns: str, rows: Iterable[Sequence[str]]) -> Table:
        return grid("", *columns, rows=rows, plain=self.plain)

    # Simulations

    def _summary(self, found: Summary) -> Iterator[RenderableType]:
        say = self.say
        yield Text(summary_heading(found, say), style="bold")
        yield from self._note_on_interruption(found)
        if not found.games:
            return
        seat, bot, interval = say("Seat"), say("Bot"), f" {say('95% interval')}"
        wins, extremes = f" {say('Wins')}", (say("Lowest"), say("Median"), say("Highest"))
        names = [bot_name(each.bot, say) for each in found.seats]
        rows = list(zip(names, found.seats, strict=True))
        yield self._grid(
            seat,
            bot,
            wins,
            interval,
            rows=[[str(each.seat), name, *self._share(each.wins)] for name, each in rows],
        )
        yield self._grid(
            seat,
            bot,
            f" {say('Mean score')}",
            interval,
            *(f" {each}" for each in extremes),
            rows=[[str(each.seat), name, *self._distribution(each.score)] for name, each in rows],
        )
        if 1 < len(found.by_bot) < len(found.seats):
            parts = [(bot_name(part.name, say), part) for part in found.by_bot]
            yield self._grid(say("Bot, all seats"), wins, interval, rows=self._part_rows(parts))
        places = [(say(place), part) for place, part in zip(PLACES, found.by_order, strict=False)]
        yield self._grid(
            say("Turn order"),
            wins,
            interval,
            f" {say('Advantage')}",
            rows=[
                [*row, self._points(part.share.value - 1 / len(found.seats), _digits(part.share))]
                for (_, part), row in zip(places, self._part_rows(places), strict=True)
            ],
        )
        endings = [(ending_name(found.game, part.name, say), part.share) for part in found.endings]
        endings.append((say("Shared win"), found.shared))
        yield self._grid(
            say("How games end"),
            f" {say('Share of games')}",
            interval,
            rows=[[name, *self._share(share)] for name, share in endings],
        )
        yield self._grid(
            say("Game length"),
            f" {say('Mean')}",
            interval,
            *(f" {each}" for each in extremes),
            rows=[[say("Moves per game"), *self._distribution(found.length)]],
        )

    def _note_on_interruption(self, found: Summary) -> Iterator[RenderableType]:
        say = self.say
        if found.interrupted:
            counts = {"done": number(found.games, say), "asked": count_games(found.asked, say)}
            yield _paragraph(say("Interrupted: these are the results of {done} of {asked}.", **counts))

    def _part_rows(self, parts: Sequence[tuple[str, Part]]) -> list[list[str]]:
        return [[name, *self._share(part.share)] for name, part in parts]

    def _comparison(self, found: Comparison) -> Iterator[RenderableType]:
        say = self.say
        before, after = say("Before"), say("After")
        width = max(map(cell_len, (before, after)))
        for name, side in ((before, found.before), (after, found.after)):
            yield Text(f"{align_left(name, width)}  {summary_heading(side, say)}", style="bold")
        yield from self._note_on_interruption(found.after)
        if not found.after.games:
            return
        labels = change_labels(found, say)
        yield self._grid(
            say("Measure"),
            f" {before}",
            f" {after}",
            f" {say('Difference')}",
            f" {say('95% interval')}",
            say("Clear?"),
            rows=[
                [label, *self._difference(change)]
                for label, change in zip(labels, found.changes, strict=True)
            ],
        )
        yield _paragraph(
            say(
                "“Clear?” says whether the difference is significant, with 95% confidence for all rows "
                "together."
            )
        )

    def _difference(self, change: VariantDifference) -> list[str]:
        say, by = self.say, change.difference
        digits = _digits(by, 100 if change.is_share else 1)
        show = percent if change.is_share else number
        scale = 100 if change.is_share else 1
        return [
            show(change.before, say, digits),
            show(change.after, say, digits),
            *self._signed(by, scale, digits),
            say("yes") if change.is_clear else say("no"),
        ]

    # Tournaments

    def _standings(self, found: TournamentStandings) -> Iterator[RenderableType]:
        say = self.say
        yield Text(standings_heading(found, say), style="bold")
        counts = {"done": number(found.deals, say), "asked": count_deals(found.asked, say)}
        if found.interrupted:
            yield _paragraph(say("Interrupted: these are the results of {done} of {asked}.", **counts))
        if found.stopped_when_clear:
            yield _paragraph(
                say("Stopped early: the result was clear after {done} of {asked}.", **counts)
            )
        if not found.deals:
            return
        interval, wins = f" {say('95% interval')}", f" {say('Wins')}"
        yield self._grid(
            say("Bot"),
            f" {say('Rating')}",
            interval,
            wins,
            interval,
            rows=[
                [bot_name(bot.name, say), *self._mean(bot.rating), *self._share(bot.wins)]
                for bot in found.bots
            ],
        )
        yield self._grid(
            say("Bot A"),
            say("Bot B"),
            f" {say('A wins')}",
            f" {say('B wins')}",
            f" {say('Edge')}",
            interval,
            say("Clear?"),
            rows=[self._pair_row(pair) for pair in found.pairs],
        )
        yield _paragraph(
            say(
                "Edge: A's win rate minus B's, in percentage points, each playing alone against a table "
                "of the other."
            )
        )
        yield _paragraph(say("The interval holds for all pairs together, however long you let it run."))

    def _pair_row(self, pair: PairStanding) -> list[str]:
        say, digits = self.say, _digits(pair.edge)
        return [
            bot_name(pair.one, say),
            bot_name(pair.other, say),
            percent(pair.wins_of_one.value, say, digits),
            percent(pair.wins_of_other.value, say, digits),
            *self._signed(pair.edge, 100, digits),
            say("yes") if pair.is_clear else say("no"),
        ]

    # Cells

    def _interval(self, low: str, high: str) -> str:
        return self.say("{low} to {high}", low=low, high=high)

    def _share(self, estimate: Estimate) -> list[str]:
        """Format a share and its confidence interval, in percent."""
        digits = _digits(estimate)
        low, high = (number(100 * end, self.say, digits) for end in (estimate.low, estimate.high))
        return [percent(estimate.value, self.say, digits), self._interval(low, high)]

    def _mean(self, estimate: Estimate) -> list[str]:
        """Format a mean and its confidence interval."""
        mean, low, high = (
            number(each, self.say, _digits(estimate, 1))
            for each in (estimate.value, estimate.low, estimate.high)
        )
        return [mean, self._interval(low, high)]

    def _distribution(self, spread: Distribution) -> list[str]:
        extremes = (spread.lowest, spread.median, spread.highest)
        return [*self._mean(spread.mean), *(number(each, self.say) for each in extremes)]

    def _signed(self, estimate: Estimate, scale: int, digits: int) -> list[str]:
        """Format a difference and its confidence interval, each with a sign."""
        value, low, high = (
            number(scale * each, self.say, digits, signed=True)
            for each in (estimate.value, estimate.low, estimate.high)
        )
        return [value, self._interval(low, high)]

    def _points(self, share: float, digits: int) -> str:
        """Format a difference of shares in percentage points."""
        return number(100 * share, self.say, digits, signed=True)


def _digits(estimate: Estimate, scale: int = 100) -> int:
    """Number of decimal places that are significant, given the width of the interval."""
    width = scale * (estimate.high - estimate.low)
    return 1 if width >= 0.3 or not width else 2 if width >= 0.03 else 3
