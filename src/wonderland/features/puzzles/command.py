"""The `wonderland puzzles` command: arguments and execution."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, date, datetime

from rich.cells import cell_len

from wonderland.arguments import language_of, read_count, read_word
from wonderland.bots.puzzle import MOST_STARS, Puzzle, Question
from wonderland.components.formatting import date as format_date
from wonderland.components.formatting import number as format_number
from wonderland.components.formatting import percent
from wonderland.components.game_data import place_of
from wonderland.components.judge import ActionValue
from wonderland.components.reasons import explainer_of
from wonderland.components.text_layout import align_right, wrap_text
from wonderland.components.words import words_of
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.registry import game, game_names
from wonderland.features.puzzles.finder import (
    NUMBER,
    SEED,
    Finder,
    Found,
    assemble,
    count_stars,
    made_with,
)
from wonderland.features.puzzles.model import FILE, Puzzles, dump, games_with_puzzles
from wonderland.features.puzzles.model import puzzles as known
from wonderland.features.puzzles.progress import PuzzleResults, load_progress, save_progress
from wonderland.lab.command_options import (
    INTERRUPTED,
    cluster,
    progress,
    read_workers,
    redirect_cluster_output,
)
from wonderland.lab.executors import Executor, executor
from wonderland.lab.interrupts import Interrupts
from wonderland.lab.labels import count_games, count_puzzles
from wonderland.lab.output_files import refuse_to_overwrite, write_text
from wonderland.terminal.choices import choice_keys, choice_lines, find_choice, no_such_choice
from wonderland.user_folders import data_folder

_ABOUT = """\
Solve the puzzle of the day: a position where one choice is clearly best and a simple rule of thumb gets
it wrong. Choose, then see the win chance after each choice, and why. The puzzle changes at midnight
UTC.

Use --next for another puzzle that suits you, and --theme to practise one thing. Your results, the
streak of days and your rating are kept on this computer.

Use 'make' to find new puzzles. Bots play games, and each position is first checked briefly, then
analysed in depth, on all cores or on a cluster; expect about one puzzle per second and core. The same
seed finds the same puzzles. Press Ctrl-C to stop and keep the puzzles found so far. Puzzles are saved
with the game, or in --out FILE.

  wonderland puzzles
  wonderland puzzles cookies --date 2026-12-24
  wonderland puzzles parade --next --theme majority
  wonderland puzzles make parade --number 500 --seats 2,3,4 --out parade.json
"""

_USAGE = (
    "wonderland puzzles [GAME] [--date DATE] [--next] [--theme THEME]\n"
    "       wonderland puzzles make GAME [--number N] [--seats N,…] [--games N] [--seed SEED] "
    "[--workers N] [--cluster [ADDRESS]] [--out FILE]"
)
_MAKE = "make"
_ONLY_FOR_MAKE = ("number", "seats", "games", "seed", "workers", "cluster", "out")
_NOT_FOR_MAKE = ("date", "next", "theme")
_USUAL_SEATS = (2, 3, 4)
_GAMES = 200
"""Default limit of games to play per puzzle."""
_WIDTH = 80
_RESULTS = "puzzles.json"
"""The file with the player's results, in the folder for data."""
_NAMES = ("Alice", "Bill", "Dinah", "Gryphon", "Lory", "Pat")


def add_puzzles(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland puzzles` to its parser."""
    parser.usage = _USAGE
    parser.description = _ABOUT
    parser.add_argument(
        "words",
        metavar="[make] [GAME]",
        nargs="*",
        help="'make' finds new puzzles; GAME is the name of a game",
    )
    parser.add_argument(
        "--date", metavar="DATE", help="show the puzzle of another day, such as 2026-12-24"
    )
    parser.add_argument(
        "--next", action="store_true", default=None, help="show another puzzle that suits your rating"
    )
    parser.add_argument("--theme", metavar="THEME", help="only puzzles about this, such as majority")
    parser.add_argument("--number", metavar="N", help="with make: number of puzzles (default: 500)")
    parser.add_argument(
        "--seats",
        metavar="N,…",
        help="with make: numbers of players, in equal shares (default: 2,3,4 where possible)",
    )
    parser.add_argument(
        "--games",
        metavar="N",
        help="with make: maximum number of games to play (default: 200 per puzzle)",
    )
    parser.add_argument("--seed", help="with make: any word (default: wonderland)")
    parser.add_argument(
        "--workers", metavar="N", help="with make: number of parallel workers (default: one per core)"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="with make: run on a Ray cluster: HOST:PORT, 'auto', or no value to start one here",
    )
    parser.add_argument(
        "--out", metavar="FILE", help="with make: write to a new file instead of the game's own"
    )
    parser.set_defaults(run=puzzles)


def puzzles(options: argparse.Namespace) -> int:
    """Show the puzzle of the day, or find new puzzles with `make`."""
    words = list(options.words)
    if words[:1] == [_MAKE]:
        return _make(options, words[1:])
    for flag in _ONLY_FOR_MAKE:
        if getattr(options, flag) is not None:
            raise UsageError(
                phrase("--{flag} works only with make: wonderland puzzles make GAME --{flag} …"),
                flag=flag,
            )
    if len(words) > 1:
        raise UsageError(
            phrase("{words} is more than one game. Name only one."), words=quote(" ".join(words))
        )
    if options.date is not None and options.next:
        raise UsageError(phrase("--next and --date can't be combined: choose one."))
    day = _parse_date(options.date)
    names = games_with_puzzles() or game_names()
    name = game(words[0]).info.name if words else names[day.toordinal() % len(names)]
    stock = known(name)
    theme = _parse_theme(stock, options.theme)
    path = data_folder() / _RESULTS
    results = load_progress(path)
    own = results.get(name, PuzzleResults())
    puzzle = own.choose(stock.about(theme), random.Random()) if options.next else stock.of(day, theme)
    say = language_of(options)
    solved = show(name, puzzle, None if options.next else day, say=say)
    if solved is not None:
        is_today = theme is None and day == datetime.now(UTC).date() and not options.next
        own = own.after(puzzle, solved=solved, day=day.toordinal() if is_today else None)
        for line in results_lines(own, say):
            print(line)
        if not save_progress(path, {**results, name: own}):
            print(say("Your results can't be saved in {path}.", path=str(path)), file=sys.stderr)
    return 0


def _parse_theme(stock: Puzzles, text: str | None) -> str | None:
    if text is not None and text not in stock.themes:
        raise UsageError(
            phrase("--theme must be one of {known} for this game, not {text}."),
            known=tuple(stock.themes),
            text=quote(text),
        )
    return text


def results_lines(own: PuzzleResults, say: Language) -> list[str]:
    """What a player has achieved: results, streak and rating."""
    first, player = own.first.values(), own.player
    lines = [
        say("Solved first time: {number} of {total}", number=sum(first), total=len(first)),
        say(
            "Your puzzle rating on this device: {rating} (probably between {low} and {high})",
            rating=format_number(player.rating, say),
            low=format_number(player.rating - 2 * player.deviation, say),
            high=format_number(player.rating + 2 * player.deviation, say),
        ),
    ]
    if own.row.length > 1:
        lines.append(say("Days in a row: {number}", number=own.row.length))
    return lines


def _parse_date(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(
            phrase("--date must be a date such as 2026-12-24, not {text}."), text=quote(text)
        ) from None


# Showing


def show(  # noqa: PLR0913 - the answers and the output are given in tests
    name: str,
    puzzle: Puzzle,
    day: date | None,
    ask: Callable[[str], str] = input,
    tell: Callable[[str], object] = print,
    *,
    say: Language = ENGLISH,
) -> bool | None:
    """Print a puzzle, ask for choices and print the verdict; return whether it was solved."""
    names = _player_names(puzzle.seats, say)
    difficulty = say("Difficulty: {number} of {most}", number=puzzle.stars, most=MOST_STARS)
    parts = [say(game(name).info.title), "" if day is None else format_date(day, say), difficulty]
    tell(" · ".join(part for part in parts if part))
    asked = say("You are {name}. One choice is clearly best. Which one?", name=names[puzzle.seat])
    if len(puzzle.steps) > 1:
        more = say("There are {number} moves to find.", number=len(puzzle.steps))
        asked = say.sentences([asked, more])
    tell(asked)
    question, number = Question(name, puzzle), 0
    while True:
        for event in question.events:
            if text := words_of(name).describe_event(event, names, say):
                tell(text)
        choice = _ask(question, names, ask, tell, say)
        if choice is None:
            return None
        solved = question.is_solved_by(choice.action)
        if not solved or question.is_last:
            for line in verdict(question, choice, names, say):
                tell(line)
            return solved
        tell(say("Well played. The game goes on: what is best now?"))
        number += 1
        question = Question(name, puzzle, number)


def _ask(
    question: Question,
    names: Sequence[str],
    ask: Callable[[str], str],
    tell: Callable[[str], object],
    say: Language,
) -> ActionValue | None:
    """Describe the position and ask until a choice is made; `None` if the player leaves."""
    rules, view = question.game, question.view
    for line in words_of(rules.info.name).describe(view, names, say):
        tell(line)
    choices = choice_keys(rules, question.legal)
    for line in choice_lines(rules, view, choices, say):
        tell(line)
    while True:
        try:
            answer = ask(f"{names[question.puzzle.seat]}: ").strip()
        except EOFError:
            tell("")
            return None
        action = find_choice(rules, choices, answer)
        if action is not None:
            return question.judgement.of(action)
        if answer in ("quit", "q", "exit"):  # as in a game
            return None
        tell(no_such_choice(answer, choices, say, "quit"))


def _player_names(seats: int, say: Language) -> list[str]:
    more = [say("Player {number}", number=number + 1) for number in range(len(_NAMES), seats)]
    return [*_NAMES[:seats], *more]


def verdict(
    question: Question, choice: ActionValue, names: Sequence[str], say: Language = ENGLISH
) -> list[str]:
    """The verdict on a choice: the win probability of every option, and why the best is best."""
    puzzle, game_name = question.puzzle, question.game.info.name
    words, best = words_of(game_name), question.best
    solved = question.is_solved_by(choice.action)
    other = question.tempting() if solved else choice
    lines = [say("That's the best move.") if solved else say("There's a better move.")]
    for value in sorted(question.judgement.action_values, key=lambda value: -value.chance):
        off = round(200 * value.error)
        sure = f"(± {off})" if off else ""
        mark = "*" if value.action == choice.action else " "
        chance = align_right(percent(value.chance, say, 0), cell_len(percent(1, say, 0)))
        first = f"{mark} {chance} {sure:7}  "
        said = words.describe_action(question.view, value.action, say)
        lines += wrap_text(f"{first}{said}", _WIDTH, " " * cell_len(first))
    lines += wrap_text(explainer_of(game_name)(question.view, best, other, names, say), _WIDTH)
    if question.missed_by is not None:
        rule = say("A rule of thumb that fails here: {rule}", rule=say(question.missed_by.says))
        lines += wrap_text(rule, _WIDTH)
    rated = say(
        "Puzzle rating: {rating} (probably between {low} and {high})",
        rating=format_number(puzzle.rating, say),
        low=format_number(puzzle.rating - 2 * puzzle.deviation, say),
        high=format_number(puzzle.rating + 2 * puzzle.deviation, say),
    )
    lines += wrap_text(rated, _WIDTH)
    address = f"/puzzles/{game_name}/{puzzle.id}"
    lines.append(say("In the browser: {address}", address=address))
    return lines


# Making


def _make(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Find puzzles and save them; Ctrl-C keeps those found so far."""
    for flag in _NOT_FOR_MAKE:
        if getattr(options, flag) is not None:
            raise UsageError(
                phrase("--{flag} can't be combined with make: use wonderland puzzles [GAME] --{flag} …"),
                flag=flag,
            )
    if len(words) != 1:
        raise UsageError(
            phrase("puzzles make needs the name of one game: wonderland puzzles make GAME.")
        )
    name = game(words[0]).info.name
    number = _parse_count("number", options.number) or NUMBER
    games = _parse_count("games", options.games) or _GAMES * number
    seed = read_word(options.seed, SEED)
    seats = _parse_seats(name, options.seats)
    workers = read_workers(options.workers)
    if options.out is not None:
        refuse_to_overwrite("--out", options.out)
    target = options.out or str(place_of(FILE, name))
    finder = Finder(name, seats, seed)
    say = language_of(options)
    by = cluster(options.cluster, options.workers)
    with ExitStack() as stack:
        stack.enter_context(redirect_cluster_output(by))
        running: Executor = executor(workers, threads=False) if by is None else by
        found, interrupted = _find_puzzles(finder, number, games, running, say)
    if not found:
        said = say(
            "No puzzles found in {games}. Try more --games, or another --seed.",
            games=count_games(games, say),
        )
        print(said, file=sys.stderr)
        return INTERRUPTED if interrupted else 1
    command = made_with(finder, number, _parse_count("games", options.games))
    stored = assemble(name, found, command)
    write_text(target, dump(stored))
    numbers = count_stars(Puzzles(stored).puzzles)
    shown = say.join_list(f"{'★' * stars} {numbers[stars]}" for stars in range(1, MOST_STARS + 1))
    print(f"{say(game(name).info.title)}: {count_puzzles(len(found), say)} ({shown})")
    return INTERRUPTED if interrupted else 0


def _find_puzzles(
    finder: Finder, number: int, games: int, running: Executor, say: Language
) -> tuple[list[Found], bool]:
    """Collect puzzles until there are enough or Ctrl-C; the flag tells whether it was interrupted."""
    found: list[Found] = []
    with Interrupts().guard(), progress(number, count_puzzles, say) as tell:
        try:
            for puzzle in finder.found(number, games, running):
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
                phrase("--seats must be from {least} to {most} for this game, not {text}."),
                least=possible[0],
                most=possible[-1],
                text=quote(text),
            )
    return found
