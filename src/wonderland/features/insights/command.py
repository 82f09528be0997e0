"""The `wonderland insights` command: arguments and execution."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from rich.console import Console, RenderableType
from rich.text import Text

from wonderland.arguments import read_count, read_word
from wonderland.components.game_data import dump, place_of
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.registry import game, game_names
from wonderland.features.insights.model import FILE, Figure, Histogram, Insights, OptionEffect, Player
from wonderland.features.insights.model import insights as known
from wonderland.features.insights.survey import GAMES, SEED, Surveyor
from wonderland.lab.command_options import read_workers
from wonderland.lab.output_files import refuse_to_overwrite, write_text
from wonderland.lab.summary import ordinal
from wonderland.lab.text_tables import console, count_text, grid, percent

_ABOUT = """\
Say what simulation has found out about a game: whether it matters who begins, scores, lengths and
endings by the number of players, how much skill matters, and what each variant changes, each with
the interval that holds the truth in 95 of 100 cases.

With 'make' it is found out anew, which takes a few minutes for each game: --games says how many a
game's kernel plays with each number of players, and what takes longer is played less often in
proportion. The same seed finds the same. What was found is kept with the game, or in --out FILE.

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
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "words", metavar="[make] [GAME]", nargs="*", help="find it out anew; one game, or all"
    )
    parser.add_argument("--games", metavar="N", help="with make: how many (600_000)")
    parser.add_argument("--seed", help="with make: any word (wonderland)")
    parser.add_argument(
        "--workers", metavar="N", help="with make: how many play at once (one for each core)"
    )
    parser.add_argument("--out", metavar="FILE", help="with make: a new file, instead of the game's own")
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
            raise UsageError(f"--{flag} is for making insights: wonderland insights make --{flag} …")
    found = [known(name) for name in names]
    for each in found:
        show(each, console())
    return 0


def _names(words: Sequence[str]) -> tuple[str, ...]:
    if len(words) > 1:
        raise UsageError(f"{quote(' '.join(words))} is more than one game: name one, or none for all.")
    return tuple(game(word).info.name for word in words) or game_names()


def _make(options: argparse.Namespace, names: Sequence[str]) -> int:
    """Survey the games one after another, saving each result immediately."""
    games = GAMES if options.games is None else read_count("--games", options.games)
    seed = read_word(options.seed, SEED)
    workers = read_workers(options.workers)
    if options.out is not None:
        if len(names) > 1:
            raise UsageError("--out is for one game: wonderland insights make GAME --out FILE.")
        refuse_to_overwrite("--out", options.out)
    for name in names:
        surveyor = Surveyor(name, games, seed, workers, _print_progress)
        found = surveyor.found(datetime.now(UTC).date().isoformat())
        write_text(options.out or str(place_of(FILE, name)), dump(found))
        show(found, console())
    return 0


def _print_progress(command: str) -> None:
    print(command, file=sys.stderr)


def show(found: Insights, on: Console) -> None:
    """Print all insights into a game."""
    for block in _blocks(found, plain=not on.is_terminal):
        on.print(block)
        on.print()


def _blocks(found: Insights, *, plain: bool) -> Iterator[RenderableType]:
    title = f"{game(found.game).info.title}: {count_text(found.games, 'game')}, {found.date}"
    yield Text(title, style="bold")
    yield Text(f"By {found.command}", overflow="fold")
    levels = sorted({(each.games, _name(each.player)) for each in found.surveys})
    yield Text(
        "Games with each number of players: "
        + ", ".join(f"{number:,} by {name}" for number, name in levels)
    )
    for title, columns, rows in (
        (
            "Who begins",
            ("Players", "Bots", "To play", " Wins", " 95 % sure", " Even"),
            _order_rows(found),
        ),
        ("Scores", ("Players", "Bots", *_HISTOGRAM_COLUMNS), _histogram_rows(found, "scores")),
        ("Decisions", ("Players", "Bots", *_HISTOGRAM_COLUMNS), _histogram_rows(found, "decisions")),
        ("How games end", ("Players", "Bots", "Ending", " Share", " 95 % sure"), _ending_rows(found)),
        (
            "Skill, two players",
            ("Level", "Against", " Deals", " Wins", " 95 % sure"),
            _skill_rows(found),
        ),
        (
            "Variants, two players",
            ("Option", "What", " Usual", " Variant", " Change", " 95 % sure", "Clear"),
            _variant_rows(found),
        ),
    ):
        if lines := list(rows):
            yield grid(title, *columns, rows=lines, plain=plain)


_HISTOGRAM_COLUMNS = (" Mean", " 95 % sure", " Low", " Mid", " High")


def _name(player: Player) -> str:
    return f"{player.name}@{player.playouts}" if player.playouts else player.name


def _share_cells(found: Figure, digits: int = 1) -> list[str]:
    return [
        percent(found.value, digits),
        f"{100 * found.low:.{digits}f} to {100 * found.high:.{digits}f}",
    ]


def _order_rows(found: Insights) -> Iterator[list[str]]:
    for seats in found.seats:
        for survey in found.with_seats(seats):
            for place, share in enumerate(survey.order):
                words = [str(seats), _name(survey.player), ordinal(place + 1)]
                yield [*words, *_share_cells(share), percent(1 / seats, 1)]


def _histogram_rows(found: Insights, what: str) -> Iterator[list[str]]:
    for seats in found.seats:
        for survey in found.with_seats(seats):
            spread: Histogram = getattr(survey, what)
            middle = spread.mean
            yield [
                str(seats),
                _name(survey.player),
                f"{middle.value:.2f}",
                f"{middle.low:.2f} to {middle.high:.2f}",
                *map(str, (spread.lowest, spread.median, spread.highest)),
            ]


def _ending_rows(found: Insights) -> Iterator[list[str]]:
    for seats in found.seats:
        for survey in found.with_seats(seats):
            words = [str(seats), _name(survey.player)]
            for ending in survey.endings:
                yield [*words, ending.name, *_share_cells(ending.share)]
            if found.can_share:
                yield [*words, "the win is shared", *_share_cells(survey.shared)]


def _skill_rows(found: Insights) -> Iterator[list[str]]:
    for each in found.meetings:
        yield [_name(each.stronger), _name(each.weaker), f"{each.deals:,}", *_share_cells(each.wins)]


def _variant_rows(found: Insights) -> Iterator[list[str]]:
    for variant in found.variants:
        for change in filter(lambda each: each.is_about_something, variant.changes):
            yield [f"{variant.option}={variant.value}", _effect_name(change), *_effect_cells(change)]


def _effect_name(change: OptionEffect) -> str:
    words = {
        "first": "1st to play wins",
        "shared": "the win is shared",
        "score": "score",
        "decisions": "decisions",
    }
    return words.get(change.kind, f"ends by {change.ending}")


def _effect_cells(change: OptionEffect) -> list[str]:
    scale, sign = (100, " %") if change.is_share else (1, "")
    digits = 1 if change.is_share else 2
    far = change.difference
    return [
        f"{scale * change.before:.{digits}f}{sign}",
        f"{scale * change.after:.{digits}f}{sign}",
        f"{scale * far.value:+.{digits}f}",
        f"{scale * far.low:+.{digits}f} to {scale * far.high:+.{digits}f}",
        "clear" if change.is_clear else "no",
    ]
