"""The `wonderland puzzles` command: arguments and execution."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from textwrap import wrap

from wonderland.arguments import read_count, read_word
from wonderland.components.bots import Budget
from wonderland.components.game_data import dump, place_of
from wonderland.components.judge import ActionValue
from wonderland.components.reasons import explainer_of
from wonderland.components.words import words_of
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import game, game_names
from wonderland.features.puzzles import finder as puzzling
from wonderland.features.puzzles.model import FILE, MOST_STARS, Position, Puzzle, games_with_puzzles
from wonderland.features.puzzles.model import puzzles as known
from wonderland.lab.command_options import INTERRUPTED, progress
from wonderland.lab.interrupts import Interrupts
from wonderland.lab.output_files import refuse_to_overwrite, write_text
from wonderland.lab.text_tables import count_text
from wonderland.terminal.choices import choice_keys, choice_lines, find_choice, no_such_choice

_ABOUT = """\
Show the puzzle of a day: a position in which one choice is clearly best, and a simple rule of thumb
misses it. Choose, and see what each choice is worth, and why. The day is that of Greenwich.

With 'make' new ones are found: bots play, and each position is looked at, first briefly and then
for long. The same seed finds the same. Ctrl-C ends the work and keeps what was found so far. They
are kept with the game, or in --out FILE.

  wonderland puzzles
  wonderland puzzles cookies --date 2026-12-24
  wonderland puzzles make parade --number 60 --seats 2,3,4 --out parade.json
"""

_USAGE = (
    "wonderland puzzles [GAME] [--date DATE]\n"
    "       wonderland puzzles make GAME [--number N] [--seats N,…] [--games N] [--seed SEED] "
    "[--budget N] [--out FILE]"
)
_MAKE = "make"
_ONLY_FOR_MAKE = ("number", "seats", "games", "seed", "budget", "out")
_USUAL_SEATS = (2, 3, 4)
_GAMES = 20
"""Default limit of games to play per puzzle."""
_WIDTH = 80
_NAMES = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")


def add_puzzles(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland puzzles` to its parser."""
    parser.usage = _USAGE
    parser.description = _ABOUT
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("words", metavar="[make] [GAME]", nargs="*", help="find new ones; which game")
    parser.add_argument("--date", metavar="DATE", help="of another day, such as 2026-12-24")
    parser.add_argument("--number", metavar="N", help="with make: how many (60)")
    parser.add_argument(
        "--seats", metavar="N,…", help="with make: for how many players, evenly (2,3,4 if they can)"
    )
    parser.add_argument(
        "--games", metavar="N", help="with make: play so many games at most (20 for each puzzle)"
    )
    parser.add_argument("--seed", help="with make: any word (wonderland)")
    parser.add_argument(
        "--budget", metavar="N", help="with make: how often each choice is tried in the long look"
    )
    parser.add_argument("--out", metavar="FILE", help="with make: a new file, instead of the game's own")
    parser.set_defaults(run=puzzles)


def puzzles(options: argparse.Namespace) -> int:
    """Show the puzzle of the day, or find new puzzles with `make`."""
    words = list(options.words)
    if words[:1] == [_MAKE]:
        return _make(options, words[1:])
    for flag in _ONLY_FOR_MAKE:
        if getattr(options, flag) is not None:
            raise UsageError(f"--{flag} is for making puzzles: wonderland puzzles make GAME --{flag} …")
    if len(words) > 1:
        raise UsageError(f"{quote(' '.join(words))} is more than one game: name one.")
    day = _parse_date(options.date)
    names = games_with_puzzles() or game_names()
    name = game(words[0]).info.name if words else names[day.toordinal() % len(names)]
    return show(name, known(name).of(day), day)


def _parse_date(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--date {quote(text)} is not a date: it is written as 2026-12-24.") from None


# Showing


def show(
    name: str,
    puzzle: Puzzle,
    day: date,
    ask: Callable[[str], str] = input,
    tell: Callable[[str], object] = print,
) -> int:
    """Print a puzzle, ask for a choice and print the verdict."""
    position, words = Position(name, puzzle), words_of(name)
    names = _player_names(puzzle.seats)
    title = position.game.info.title
    tell(f"{title}, {day.isoformat()}. Hardness: {puzzle.stars} of {MOST_STARS}.")
    tell(f"You are {names[puzzle.seat]}. One choice is clearly best: which?")
    for line in words.describe(position.view, names):
        tell(line)
    choices = choice_keys(position.game, position.legal)
    for line in choice_lines(position.game, position.view, choices):
        tell(line)
    while True:
        try:
            answer = ask(f"{names[puzzle.seat]}: ").strip()
        except EOFError:
            tell("")
            return 0
        action = find_choice(position.game, choices, answer)
        if action is not None:
            break
        if answer in ("quit", "q", "exit"):  # as in a game
            return 0
        tell(no_such_choice(answer, choices).replace(", or help", ", or quit"))
    for line in verdict(position, position.judgement.of(action), names):
        tell(line)
    return 0


def _player_names(seats: int) -> list[str]:
    more = [f"Player {number + 1}" for number in range(len(_NAMES), seats)]
    return [*_NAMES[:seats], *more]


def verdict(position: Position, choice: ActionValue, names: Sequence[str]) -> list[str]:
    """The verdict on a choice: the win probability of every option, and why the best is best."""
    puzzle, game_name = position.puzzle, position.game.info.name
    words, best = words_of(game_name), position.best
    solved = position.is_solved_by(choice.action)
    other = position.tempting() if solved else choice
    lines = ["That is best." if solved else "No: there is something better."]
    for worth in sorted(position.judgement.worths, key=lambda worth: -worth.chance):
        off = round(200 * worth.error)
        sure = f" (± {off})" if off else ""
        mark = "*" if worth.action == choice.action else " "
        said = words.offer(position.view, worth.action)
        lines.append(f"{mark} {100 * worth.chance:3.0f} %{sure:8}  {said}")
    lines += wrap(explainer_of(game_name)(position.view, best, other, names, ENGLISH), _WIDTH)
    lines += wrap(f"A rule of thumb that fails here: {position.missed_by.says}", _WIDTH)
    lines.append(f"In the browser: /puzzles/{game_name}/{puzzle.id}")
    return lines


# Making


def _make(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Find puzzles and save them; Ctrl-C keeps those found so far."""
    if options.date is not None:
        raise UsageError("--date is for the puzzle of a day: wonderland puzzles --date …")
    if len(words) != 1:
        raise UsageError("wonderland puzzles make takes one GAME.")
    name = game(words[0]).info.name
    number = _parse_count("number", options.number) or puzzling.NUMBER
    games = _parse_count("games", options.games) or _GAMES * number
    playouts = _parse_count("budget", options.budget)
    seed = read_word(options.seed, puzzling.SEED)
    seats = _parse_seats(name, options.seats)
    if options.out is not None:
        refuse_to_overwrite("--out", options.out)
    target = options.out or str(place_of(FILE, name))
    finder = puzzling.Finder(name, seats, seed, None if playouts is None else Budget(playouts))
    found, interrupted = _find_puzzles(finder, number, games)
    if not found:
        print(f"No puzzle was found in {count_text(games, 'game')}.", file=sys.stderr)
        return INTERRUPTED if interrupted else 1
    command = puzzling.made_with(finder, number, _parse_count("games", options.games))
    write_text(target, dump(puzzling.assign_ids(name, found, command)))
    shown = ", ".join(
        f"{sum(puzzle.stars == stars for puzzle in found)} of {stars}"
        for stars in range(1, MOST_STARS + 1)
    )
    print(f"{count_text(len(found), 'puzzle')} for {game(name).info.title}; by their stars: {shown}.")
    return INTERRUPTED if interrupted else 0


def _find_puzzles(finder: puzzling.Finder, number: int, games: int) -> tuple[list[Puzzle], bool]:
    """Collect puzzles until there are enough or Ctrl-C; the flag tells whether it was interrupted."""
    found: list[Puzzle] = []
    with Interrupts().guard(), progress("puzzles", number) as tell:
        try:
            for puzzle in finder.found(number, games):
                found.append(puzzle)
                tell(len(found))
        except KeyboardInterrupt:
            return found, True
    return found, False


def _parse_count(flag: str, text: str | None) -> int | None:
    return None if text is None else read_count(f"--{flag}", text)


def _parse_seats(name: str, text: str | None) -> tuple[int, ...]:
    possible = game(name).info.seats
    if text is None:
        return tuple(seats for seats in _USUAL_SEATS if seats in possible) or (possible[0],)
    found = tuple(dict.fromkeys(read_count("--seats", word) for word in text.split(",")))
    for seats in found:
        if seats not in possible:
            raise UsageError(
                f"--seats {quote(text)} is not possible: {possible[0]} to {possible[-1]} can play."
            )
    return found
