"""The `wonderland` command: lists the commands of all packages, and imports only the one that runs."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from wonderland import __version__, discovery
from wonderland.arguments import options_in
from wonderland.components.solver import solver_of
from wonderland.engine.errors import UsageError, WonderlandError
from wonderland.engine.options import default_text
from wonderland.engine.registry import game, game_names

_ABOUT = """\
Tabletop games set in Wonderland, to play, to record and to study.

  wonderland play                     choose a game and play it against bots
  wonderland play parade --seats me,queen,hatter
  wonderland games                    what can be played, and with which options
  wonderland rules letters            the rulebook of a game
  wonderland serve                    tables to play at with others, over the net
  wonderland host parade              lay a table on a server, and play there
  wonderland join URL                 play at the table that a link leads to
  wonderland replay FILE --at 12      look at a recorded game
  wonderland coach FILE               what each decision of a recorded game was worth
  wonderland verify FILE              check that nobody chose the luck of a recorded game
  wonderland simulate parade --games 1M --seats 4    what happens in a million games
  wonderland arena parade queen hatter               which bot is better, and how sure that is
  wonderland insights parade          what simulation says about a game
  wonderland puzzles                  one position a day in which one choice is clearly best
  wonderland solve letters            the exact value of the game for two
"""
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
    options, flags = _parser().parse_known_args(arguments)
    if flags and not getattr(options, "takes_flags", False):
        options.parser.error(f"'{' '.join(flags)}' is not an option here")
    options.flags = flags
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except WonderlandError as error:
        print(f"wonderland: {error}", file=sys.stderr)
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
        print(f"wonderland: the output can't be written: {error.strerror}.", file=sys.stderr)
        return _EXIT_ERROR
    return code


class _Version(argparse.Action):
    """`--version`, which loads the kernels only when it is used."""

    def __call__(self, *_: object) -> None:
        """Print the version, and whether the kernels are compiled, and exit."""
        from wonderland.kernels.kernel import describe_kernels  # noqa: PLC0415 - imports the kernels

        print(f"wonderland {__version__} ({describe_kernels()})")
        raise SystemExit(0)


class _Command(argparse.ArgumentParser):
    """The parser of one command, which adds its arguments only when it is used."""

    add_arguments: Callable[[argparse.ArgumentParser], None]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Import the command, let it add its arguments, and parse them."""
        self.add_arguments(self)
        self.set_defaults(parser=self)  # so that errors show the usage of this command
        return super().parse_known_args(args, namespace)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wonderland", description=_ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show the version and how quick it is"
    )
    commands = {
        name: (command.help, command.add_arguments) for name, command in discovery.commands().items()
    }
    commands["solve"] = ("solve a game exactly, where that can be done", _add_solve)
    commands["games"] = ("list the games with seats, options and defaults", _add_games)
    parsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Command)
    for name in sorted(commands, key=_listing_order):
        about, add_arguments = commands[name]
        parsers.add_parser(name, help=about).add_arguments = add_arguments
    return parser


def _listing_order(command: str) -> tuple[int, str]:
    return _ORDER.index(command) if command in _ORDER else len(_ORDER), command


def _add_solve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="a game, as 'wonderland games' lists them")
    parser.set_defaults(run=_solve, takes_flags=True)


def _add_games(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_games)


def _solve(options: argparse.Namespace) -> int:
    the_game = game(options.game)
    solver = solver_of(options.game)
    if solver is None:
        solvable = [name for name in game_names() if solver_of(name) is not None]
        raise UsageError(f"{the_game.info.title} can't be solved: {', '.join(solvable)} can.")
    solver.solve_command(options_in(the_game, options.flags), print)
    return 0


def _games(_: argparse.Namespace) -> int:
    for name in game_names():
        the_game = game(name)
        info = the_game.info
        print(f"{info.name}: {info.about}")
        print(f"  {info.seats[0]} to {info.seats[-1]} seats; rules version {info.rules_version}")
        for option in info.options:
            print(f"  {option.name}: {option.values} (usually {default_text(the_game, option)})")
            print(f"      {option.meaning}")
        print(f"  {info.credits}\n")
    return 0
