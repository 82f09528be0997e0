"""The command `wonderland`: says what can be done, and does it."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Sequence

from wonderland import __version__
from wonderland.commands import arena, coach, insights, join, puzzles, serve, simulate, verify
from wonderland.core.errors import NotationError, WonderlandError
from wonderland.core.options import default_text
from wonderland.core.registry import game, game_names, part

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
_FAULT = 2
_INTERRUPTED = 130
_FULL = (errno.ENOSPC, errno.EDQUOT)
"""How a disk says that nothing more fits."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit code: 0 done, 1 a check failed, 2 what was asked was wrong."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):  # no character may stop a game
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
        return _FAULT
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # whoever was reading has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno not in _FULL:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"wonderland: the output can't be written: {error.strerror}.", file=sys.stderr)
        return _FAULT
    return code


class _Version(argparse.Action):
    """Looks at the kernels only when asked."""

    def __call__(self, *_: object) -> None:
        """Say which version this is, and whether its kernels are compiled."""
        from wonderland.kernels.kernel import description  # noqa: PLC0415 - only what a command needs

        print(f"wonderland {__version__} ({description()})")
        raise SystemExit(0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wonderland", description=_ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show the version and how quick it is"
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    play = commands.add_parser(
        "play",
        help="play a game",
        description="Play a game on the full screen, or with --plain in lines of text.",
        epilog="The levels of bots are dodo, white-rabbit, hatter, cheshire and queen, weakest first, "
        "as far as a game has them. A bot plays where a seat is called so; any other name is a person "
        "at this keyboard. queen@1000 tries each choice 1000 times, queen@0.2s thinks so long. "
        "Options of the game are flags behind its name, as 'wonderland games' lists them: "
        "wonderland play letters --claim first",
    )
    play.add_argument(
        "game", nargs="?", help="a game, as 'wonderland games' lists them; asked for if not given"
    )
    play.add_argument(
        "--seats",
        metavar="NAME,…",
        help="who plays, in order: 'me', other people's names, bots by their level, such as queen, or "
        "just 'bot' (me,bot)",
    )
    play.add_argument(
        "--bots", metavar="LEVEL", help="how well those play that are called just 'bot' (cheshire)"
    )
    play.add_argument("--first", metavar="NAME", help="who begins; luck decides if nobody is named")
    play.add_argument(
        "--seed",
        help="any word: the same word gives the same luck and the same bots, unless they think by the "
        "clock, as Parade's queen does and queen@1000 does not",
    )
    play.add_argument("--record", metavar="FILE", help="keep the game in FILE, after every move")
    play.add_argument("--resume", metavar="FILE", help="go on with the game in FILE, and keep it there")
    play.add_argument(
        "--pace", default="normal", help="how long bots take: slow, normal, fast, none, or seconds"
    )
    play.add_argument("--plain", action="store_true", help="lines of text, for screen readers and pipes")
    play.add_argument("--light", action="store_true", help="dark on light")
    play.set_defaults(run=_play, takes_flags=True)

    replay = commands.add_parser(
        "replay",
        help="look at a recorded game and check it",
        description="Look at a recorded game: step through it or jump, through the eyes of any seat or "
        "with all cards open, and play on from any position against bots, which leaves the record as it "
        "is. Where nobody is at a terminal, the whole game is told and checked.",
    )
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("--at", metavar="N", type=int, help="show the position after N decisions")
    replay.add_argument("--seat", metavar="NAME", help="look through the eyes of this seat")
    replay.add_argument("--plain", action="store_true", help="lines of text, for screen readers")
    replay.add_argument("--light", action="store_true", help="dark on light")
    replay.set_defaults(run=_replay)

    rules = commands.add_parser("rules", help="show the rulebook of a game")
    rules.add_argument("game", help="a game, as 'wonderland games' lists them")
    rules.add_argument("rule", nargs="?", help="only this rule, such as P6")
    rules.set_defaults(run=_rules)

    serve.add(commands)
    join.add(commands)
    coach.add(commands)
    verify.add(commands)
    simulate.add(commands)
    arena.add(commands)
    insights.add(commands)
    puzzles.add(commands)
    solving = commands.add_parser("solve", help="solve a game exactly, where that can be done")
    solving.add_argument("game", help="a game, as 'wonderland games' lists them")
    solving.set_defaults(run=_solve, takes_flags=True)

    listing = commands.add_parser("games", help="list the games with seats, options and defaults")
    listing.set_defaults(run=_games)
    for command in commands.choices.values():
        command.set_defaults(parser=command)  # which knows what could have been meant
    return parser


def _play(options: argparse.Namespace) -> int:
    from wonderland.terminal.play import play  # noqa: PLC0415 - only what a command needs

    return play(options, options.flags)


def _replay(options: argparse.Namespace) -> int:
    from wonderland.terminal.looking import look  # noqa: PLC0415 - only what a command needs

    return look(options)


def _rules(options: argparse.Namespace) -> int:
    from wonderland.terminal import rulebook  # noqa: PLC0415 - only what a command needs

    name = game(options.game).info.name
    text = rulebook.one_rule(name, options.rule) if options.rule else rulebook.rulebook(name)
    rulebook.show(text)
    return 0


def _solve(options: argparse.Namespace) -> int:
    from wonderland.terminal.play import options_in  # noqa: PLC0415 - only what a command needs

    the_game = game(options.game)
    solver = part(options.game, "solve")
    if solver is None:
        solved = [name for name in game_names() if part(name, "solve") is not None]
        raise NotationError(f"{the_game.info.title} can't be solved: {', '.join(solved)} can.")
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
