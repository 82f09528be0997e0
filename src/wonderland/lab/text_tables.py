"""Results as text tables: at most 80 columns wide, and no meaning by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from wonderland.engine.registry import game
from wonderland.lab.standings import PairStanding, TournamentStandings
from wonderland.lab.statistics import Estimate
from wonderland.lab.summary import Comparison, Distribution, Part, Summary, VariantDifference

WIDTH = 80


def console(*, error: bool = False) -> Console:
    """Create a console as wide as the terminal, or 80 columns of plain text for a pipe or file."""
    found = Console(stderr=error, highlight=False)
    if not found.is_terminal:
        found = Console(stderr=error, highlight=False, width=WIDTH, no_color=True)
    return found


def grid(title: str, *columns: str, rows: Iterable[Sequence[str]], plain: bool) -> Table:
    """Create a table; a column whose name starts with a blank holds numbers."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None if plain else box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for name in columns:
        is_number = name.startswith(" ")
        table.add_column(name.strip(), justify="right" if is_number else "left", no_wrap=is_number)
    for row in rows:
        table.add_row(*row)
    return table


def show(found: Summary | Comparison, on: Console) -> None:
    """Print the results of a simulation."""
    blocks = _summary_blocks(found, on) if isinstance(found, Summary) else _comparison_blocks(found, on)
    for block in blocks:
        on.print(block)
        on.print()


def summary_heading(found: Summary) -> str:
    """Describe a simulation in one line."""
    what = _game_title(found.game, found.options)
    return f"{what}: {count_text(found.games, 'game')} of {len(found.seats)} seats, seed {found.seed!r}"


def _game_title(name: str, options: Mapping[str, str]) -> str:
    """Title of the game with its options."""
    title = game(name).info.title
    words = ", ".join(f"{name}={value}" for name, value in options.items())
    if len(words) > WIDTH // 3:  # a whole board can be an option
        words = f"other {', '.join(options)}"
    return f"{title} ({words})" if words else title


def count_text(number: int, what: str) -> str:
    """Format a count with its noun.

    >>> count_text(1, "game"), count_text(1000, "game")
    ('1 game', '1,000 games')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def shortfall(found: Summary) -> str | None:
    """Note on an interrupted run, if it was."""
    if not found.interrupted:
        return None
    return f"Interrupted: the result of the first {found.games:,} of {count_text(found.asked, 'game')}."


def _summary_blocks(found: Summary, on: Console) -> Iterator[RenderableType]:
    yield Text(summary_heading(found), style="bold")
    if (word := shortfall(found)) is not None:
        yield Text(word)
    if not found.games:
        return
    plain = not on.is_terminal
    yield grid(
        "",
        "Seat",
        "Bot",
        " Wins",
        " 95 % sure",
        " Score",
        " 95 % sure",
        " Low",
        " Mid",
        " High",
        rows=[
            [
                str(seat.seat),
                seat.bot,
                *format_share(seat.wins),
                *format_mean(seat.score.mean),
                *_range_of(seat.score),
            ]
            for seat in found.seats
        ],
        plain=plain,
    )
    if 1 < len(found.by_bot) < len(found.seats):
        yield grid(
            "", "Bot, all seats", " Wins", " 95 % sure", rows=_part_rows(found.by_bot), plain=plain
        )
    yield grid(
        "",
        "Order of play",
        " Wins",
        " 95 % sure",
        " Advantage",
        rows=[
            [*row, _signed_percent(part.share.value - 1 / len(found.seats), _digits(part.share))]
            for part, row in zip(found.by_order, _part_rows(found.by_order), strict=True)
        ],
        plain=plain,
    )
    yield grid(
        "",
        "How games end",
        " Share",
        " 95 % sure",
        rows=[*_part_rows(found.endings), ["the win is shared", *format_share(found.shared)]],
        plain=plain,
    )
    length = found.length
    yield grid(
        "",
        "Length",
        " Mean",
        " 95 % sure",
        " Low",
        " Mid",
        " High",
        rows=[["decisions", *format_mean(length.mean), *_range_of(length)]],
        plain=plain,
    )


def _comparison_blocks(found: Comparison, on: Console) -> Iterator[RenderableType]:
    yield Text(f"Before  {summary_heading(found.before)}", style="bold")
    yield Text(f"After   {summary_heading(found.after)}", style="bold")
    if (word := shortfall(found.after)) is not None:
        yield Text(word)
    if not found.after.games:
        return
    yield grid(
        "",
        "What changes",
        " Before",
        " After",
        " Difference",
        " 95 % sure",
        "Clear",
        rows=[_difference_row(change) for change in found.changes],
        plain=not on.is_terminal,
    )
    yield Text("Clear: of 20 such tables, luck alone brings a difference like that to one.")


def _difference_row(change: VariantDifference) -> list[str]:
    clear = "clear" if change.is_clear else ""
    one, other, by = change.before, change.after, change.difference
    digits = _digits(by, 100 if change.is_share else 1)
    if change.is_share:
        before, after = percent(one, digits), percent(other, digits)
        by = Estimate(100 * by.value, 100 * by.low, 100 * by.high)
    else:
        before, after = f"{one:.{digits}f}", f"{other:.{digits}f}"
    interval = f"{by.low:+.{digits}f} to {by.high:+.{digits}f}"
    return [change.name, before, after, f"{by.value:+.{digits}f}", interval, clear]


def _part_rows(parts: Sequence[Part]) -> list[list[str]]:
    return [[part.name, *format_share(part.share)] for part in parts]


def format_share(estimate: Estimate) -> list[str]:
    """Format a share and its confidence interval, in percent."""
    digits = _digits(estimate, 100)
    interval = f"{100 * estimate.low:.{digits}f} to {100 * estimate.high:.{digits}f}"
    return [percent(estimate.value, digits), interval]


def format_mean(estimate: Estimate) -> list[str]:
    """Format a mean and its confidence interval."""
    digits = _digits(estimate, 1)
    return [f"{estimate.value:.{digits}f}", f"{estimate.low:.{digits}f} to {estimate.high:.{digits}f}"]


def percent(part: float, digits: int) -> str:
    """Format a share in percent."""
    return f"{100 * part:.{digits}f} %"


def _signed_percent(part: float, digits: int) -> str:
    return f"{100 * part:+.{digits}f} %"


def _digits(estimate: Estimate, scale: int = 100) -> int:
    """Number of decimal places that are significant, given the width of the interval."""
    width = scale * (estimate.high - estimate.low)
    return 1 if width >= 0.3 or not width else 2 if width >= 0.03 else 3


def _range_of(spread: Distribution) -> list[str]:
    return [str(spread.lowest), str(spread.median), str(spread.highest)]


def show_standing(found: TournamentStandings, on: Console) -> None:
    """Print the standings of a tournament."""
    for block in _standing_blocks(found, plain=not on.is_terminal):
        on.print(block)
        on.print()


def standing_heading(found: TournamentStandings) -> str:
    """Describe a tournament in one line."""
    games, deals = count_text(found.games, "game"), count_text(found.deals, "deal")
    title = _game_title(found.game, found.options)
    return f"{title}: {games} of {found.seats} seats on {deals}, seed {found.seed!r}"


def _standing_blocks(found: TournamentStandings, *, plain: bool) -> Iterator[RenderableType]:
    yield Text(standing_heading(found), style="bold")
    if found.interrupted:
        whole = count_text(found.asked, "deal")
        yield Text(f"Interrupted: the result of the first {found.deals:,} of {whole}.")
    if found.stopped_when_clear:
        yield Text(f"It was clear after {found.deals:,} of {count_text(found.asked, 'deal')}.")
    if not found.deals:
        return
    yield grid(
        "",
        "Bot",
        " Rating",
        " 95 % sure",
        " Wins",
        " 95 % sure",
        rows=[[bot.name, *format_mean(bot.rating), *format_share(bot.wins)] for bot in found.bots],
        plain=plain,
    )
    yield grid(
        "",
        "One",
        "Other",
        " One wins",
        " Other wins",
        " Edge",
        " 95 % sure",
        "Clear",
        rows=[_pair_row(pair) for pair in found.pairs],
        plain=plain,
    )
    yield Text(
        "Edge: the wins of one less those of the other, each alone of its kind.\n"
        "Its interval holds for all pairs at once, and however long one plays."
    )


def _pair_row(pair: PairStanding) -> list[str]:
    edge, digits = pair.edge, _digits(pair.edge)
    return [
        pair.one,
        pair.other,
        percent(pair.wins_of_one.value, digits),
        percent(pair.wins_of_other.value, digits),
        _signed_percent(edge.value, digits),
        f"{100 * edge.low:+.{digits}f} to {100 * edge.high:+.{digits}f}",
        "clear" if pair.is_clear else "not yet",
    ]
