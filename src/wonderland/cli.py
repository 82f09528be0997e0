"""The `wonderland` command: lists the commands of all packages, and imports only the one that runs."""

from __future__ import annotations

import argparse
import errno
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any, NoReturn

from wonderland import __version__, discovery
from wonderland.arguments import (
    add_game_name,
    language_code,
    language_of,
    options_in,
    requested_language,
    translated_argparse,
)
from wonderland.components.solver import solver_of
from wonderland.engine.errors import UsageError, WonderlandError, quote
from wonderland.engine.language import Language, phrase
from wonderland.engine.options import default_text
from wonderland.engine.registry import game, game_names

_ABOUT = """\
Play, record and study tabletop games set in Wonderland.

  wonderland play                     choose a game and play against bots
  wonderland play parade --seats me,queen,hatter
  wonderland games                    list the games and their options
  wonderland rules letters            read a rulebook
  wonderland serve                    run a server, so that others can play with you
  wonderland host parade              open a table on a server and play there
  wonderland join URL                 join a table by its link
  wonderland replay FILE              step through a recorded game
  wonderland coach FILE               analyse every move of a recorded game
  wonderland verify FILE              verify that a recorded game was shuffled fairly
  wonderland simulate parade --games 1M --seats 4    simulate a million games
  wonderland arena parade queen hatter               find out which bot is stronger
  wonderland insights parade          see what simulations reveal about a game
  wonderland puzzles                  solve the puzzle of the day
  wonderland solve letters            compute the exact value of the two-player game
  wonderland admin backup copy.db     back up a server's tables
"""
_SOLVE = """\
Solve a game exactly and print its value. So far, only two-player Letters can be solved. Game options
come after the name of the game, as flags; without any, every combination is solved.

  wonderland solve letters
  wonderland solve letters --claim first
"""
_GAMES = "List the games, with the number of seats, the options and their defaults."
_ORDER = (
    "play",
    "replay",
    "rules",
    "serve",
    "join",
    "host",
    "coach",
    "verify",
    "simulate",
    "arena",
    "insights",
    "puzzles",
    "solve",
    "games",
)
"""The order of commands in the help; all others come last."""
_EXIT_ERROR = 2
_EXIT_INTERRUPTED = 130
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
"""The error numbers of a full disk or an exceeded quota."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0 success, 1 a check failed, 2 an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):  # an unencodable character must never end a game
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")
    words = sys.argv[1:] if arguments is None else arguments
    try:
        options = _parse(words)
        language_code(options)  # an unknown language must not go unnoticed
    except WonderlandError as error:
        print(f"wonderland: {error.for_terminal(requested_language(words))}", file=sys.stderr)
        return _EXIT_ERROR
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except WonderlandError as error:
        print(f"wonderland: {error.for_terminal(language_of(options))}", file=sys.stderr)
        return _EXIT_ERROR
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return _EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno not in _DISK_FULL:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        say = language_of(options)
        said = say("the output can't be written: {reason}.", reason=error.strerror)
        print(f"wonderland: {said}", file=sys.stderr)
        return _EXIT_ERROR
    return code


def _parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the words of a command line; raise `UsageError` if they can't be."""
    with translated_argparse(words):
        options, flags = _parser(words).parse_known_args(words)
    if not hasattr(options, "run"):
        raise UsageError(
            phrase(
                "this needs a command. Type '{play}' to play a game, or '{help}' to see everything else."
            ),
            play="wonderland play",
            help="wonderland --help",
        )
    if flags and not getattr(options, "takes_flags", False):
        options.parser.reject(flags, requested_language(words))
    options.flags = flags
    return options


class _Version(argparse.Action):
    """`--version`, which loads the kernels only when it is used."""

    def __init__(self, *arguments: Any, words: Sequence[str], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._words = words

    def __call__(self, *_: object) -> None:
        """Print the version, and whether the kernels are compiled, and exit."""
        from wonderland.kernels.kernel import describe_kernels  # noqa: PLC0415 - imports the kernels

        print(f"wonderland {__version__} ({describe_kernels(requested_language(self._words))})")
        raise SystemExit(0)


class HelpFormatter(argparse.HelpFormatter):
    """Wraps paragraphs to the width of the terminal, and keeps indented lines, such as examples."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filled: list[str] = []
        for is_verbatim, group in groupby(text.splitlines(), lambda line: not line or line[0] == " "):
            lines = list(group)
            filled += lines if is_verbatim else wrap(" ".join(lines), width, initial_indent=indent)
        return "\n".join(filled)


class _Parser(argparse.ArgumentParser):
    """A parser with our wording and layout of the help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, add_help=False, formatter_class=HelpFormatter)
        self.add_argument("-h", "--help", action="help", help="show this help and exit")

    def error(self, message: str) -> NoReturn:
        """Report a problem, and where to find help, in one sentence, as every command does."""
        raise UsageError(phrase("{problem}. See '{help}'."), problem=message, help=f"{self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Report an unknown command or action as such, not as a wrong value of an argument."""
        if not action.option_strings and action.choices and value not in action.choices:
            raise UsageError(
                phrase("there is no command called {name}. The commands are {known}.")
                if action.nargs == argparse.PARSER
                else phrase("there is no action called {name}. The actions are {known}."),
                name=quote(value),
                known=", ".join(action.choices),
            )
        super()._check_value(action, value)


class _Command(_Parser):
    """The parser of one command, which adds its arguments only when it is used."""

    add_arguments: Callable[[argparse.ArgumentParser], None]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Import the command, let it add its arguments, and parse them."""
        self.add_arguments(self)
        _add_language(self, default=argparse.SUPPRESS)
        self.set_defaults(parser=self)  # so that errors refer to the help of this command
        return super().parse_known_args(args, namespace)

    def reject(self, words: Sequence[str], say: Language) -> NoReturn:
        """Report words that mean nothing to this command."""
        if any(word.startswith("-") for word in words):
            known = say.join_list(sorted(set(re.findall("--[a-z-]+", self.format_usage()))))
            self.error(
                say(
                    "unknown option: {words}. The options are {known}",
                    words=" ".join(words),
                    known=known,
                )
            )
        self.error(say("too many arguments: {words}", words=" ".join(words)))


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="wonderland", description=_ABOUT)
    parser.add_argument(
        "--version",
        action=_Version,
        words=words,
        nargs=0,
        help="show the version and whether the compiled kernels are in use",
    )
    _add_language(parser, default=None)
    commands = {
        name: (command.help, command.add_arguments) for name, command in discovery.commands().items()
    }
    commands["solve"] = ("solve a game exactly, where possible", _add_solve)
    commands["games"] = ("list the games with their seats, options and defaults", _add_games)
    parser._positionals.title = "commands"  # noqa: SLF001 - a group of our own would follow the options
    parsers = parser.add_subparsers(metavar="COMMAND", parser_class=_Command)
    for name in sorted(commands, key=_listing_order):
        about, add_arguments = commands[name]
        parsers.add_parser(name, help=about).add_arguments = add_arguments
    return parser


def _add_language(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Add `--language`, which may be given before the command or after it."""
    parser.add_argument(
        "--language",
        metavar="CODE",
        default=default,
        help="the language to use: en, de, es, fr, ja or pl (default: from LANGUAGE, LC_ALL, "
        "LC_MESSAGES or LANG)",
    )


def _listing_order(command: str) -> tuple[int, str]:
    return _ORDER.index(command) if command in _ORDER else len(_ORDER), command


def _add_solve(parser: argparse.ArgumentParser) -> None:
    parser.description = _SOLVE
    add_game_name(parser)
    parser.set_defaults(run=_solve, takes_flags=True)


def _add_games(parser: argparse.ArgumentParser) -> None:
    parser.description = _GAMES
    parser.set_defaults(run=_games)


def _solve(options: argparse.Namespace) -> int:
    the_game = game(options.game)
    solver = solver_of(options.game)
    if solver is None:
        raise UsageError(
            phrase("{title} can't be solved. Games that can: {names}."),
            title=the_game.info.title,
            names=tuple(name for name in game_names() if solver_of(name) is not None),
        )
    solver.solve_command(options_in(the_game, options.flags), print, language_of(options))
    return 0


def _games(options: argparse.Namespace) -> int:
    say = language_of(options)
    for name in game_names():
        the_game = game(name)
        info = the_game.info
        seats = {"first": info.seats[0], "last": info.seats[-1], "version": info.rules_version}
        print(f"{info.name}: {say(info.about)}")
        print(f"  {say('{first} to {last} players; rules version {version}', **seats)}")
        for option in info.options:
            usual = say("default: {value}", value=default_text(the_game, option))
            print(f"  {option.name}: {say(option.values)} ({usual})")
            print(f"      {say(option.meaning)}")
            for value, label in option.labels.items():
                if label.replace(", ", ",") not in (value, "no", "yes"):
                    print(f"      {value}: {say(label)}")
        print(f"  {say(info.credits)}\n")
    return 0
