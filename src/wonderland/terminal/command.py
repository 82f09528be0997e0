"""The `wonderland play` command: choose the interface, set up the match, and save the record."""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

from wonderland.arguments import GAME_NAME, language_of, options_in
from wonderland.bots import entrant, levels
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import phrase
from wonderland.engine.options import write_options
from wonderland.engine.protocol import AnyGame, Over
from wonderland.engine.registry import game, game_names
from wonderland.terminal import match_setup, record_files
from wonderland.terminal.plain_text import PlainTable, QuitGame
from wonderland.terminal.session import Session

_EPILOG = """\
Bot levels, from weakest to strongest: dodo, white-rabbit, hatter, cheshire, queen. Not every game has
all of them. A seat named after a level, or after a character such as dormouse, is played by that bot;
any other name is a person at this keyboard. To set how much a bot thinks, add @ and a limit: queen@1000
plays out each choice 1000 times, and queen@0.2s thinks for 0.2 seconds.

Game options come after the name of the game, as flags (see 'wonderland games'):
  wonderland play letters --claim first
"""
PACES = {"slow": 1.5, "normal": 0.7, "fast": 0.2, "none": 0.0}


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland play` to its parser."""
    parser.description = "Play a game in the terminal, full screen or (with --plain) as plain text."
    parser.epilog = _EPILOG
    parser.add_argument("game", nargs="?", help=f"{GAME_NAME}; if omitted, choose from a menu")
    parser.add_argument(
        "--seats",
        metavar="NAME,…",
        help="the players in seat order: 'me', other people's names, a bot level such as queen, or "
        "'bot' (default: me,bot)",
    )
    parser.add_argument(
        "--bots", metavar="LEVEL", help="the level of seats named 'bot' (default: cheshire)"
    )
    parser.add_argument("--first", metavar="NAME", help="the player who goes first (default: random)")
    parser.add_argument(
        "--seed",
        help="any word; the same seed gives the same shuffle and the same bot moves, except for bots "
        "with a time limit (Parade's queen has one, queen@1000 doesn't)",
    )
    parser.add_argument("--record", metavar="FILE", help="save the game to FILE after every move")
    parser.add_argument(
        "--resume", metavar="FILE", help="continue the game saved in FILE, and keep saving it there"
    )
    parser.add_argument(
        "--pace",
        default="normal",
        help="how fast bots play: slow, normal, fast, none, or a number of seconds (default: normal)",
    )
    parser.add_argument(
        "--plain", action="store_true", help="use plain text, for screen readers and pipes"
    )
    parser.add_argument("--light", action="store_true", help="use dark text on a light background")
    parser.set_defaults(run=play, takes_flags=True)


def play(arguments: argparse.Namespace) -> int:
    """Play one or more games; unknown flags are options of the game."""
    table = PlayArguments(arguments, arguments.flags)
    if arguments.plain or not suits_full_screen():
        table.play_plain()
    else:
        table.play_full_screen()
    return 0


def suits_full_screen() -> bool:
    """Whether the terminal supports the full screen and the user hasn't opted out with NO_COLOR."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return terminal and os.environ.get("TERM") != "dumb" and "NO_COLOR" not in os.environ


class PlayArguments:
    """The validated command line, and the sessions started from it."""

    def __init__(self, arguments: argparse.Namespace, flags: list[str]) -> None:
        self.arguments = arguments
        self.say = language_of(arguments)
        self.game: AnyGame | None = game(arguments.game) if arguments.game else None
        self.resumed = None
        if arguments.resume:
            asked = (arguments.game, arguments.seats, arguments.bots, arguments.record, arguments.first)
            if any((*asked, flags)):
                raise UsageError(
                    phrase(
                        "--resume can't be combined with other options: the record already has the "
                        "players and the game."
                    )
                )
            self.resumed = record_files.load(arguments.resume).whole
            self.game = self.resumed.game
            texts = write_options(self.resumed.game, self.resumed.options)
            flags = [f"--{name}={text}" for name, text in texts.items()]
        if arguments.record:
            record_files.refuse_to_overwrite(arguments.record)
        self.options = options_in(self.game, flags)
        self.pace = read_pace(arguments.pace)
        check_level(self.game, arguments.bots)
        self.begun = 0

    @property
    def path(self) -> str | None:
        """File of the current game's record; every further game gets its own file."""
        wanted: str | None = self.arguments.record or self.arguments.resume
        if wanted is None or self.begun <= 1:
            return wanted
        file = Path(wanted)
        return str(file.with_name(f"{file.stem}-{self.begun}{file.suffix}"))

    def session(self, the_game: AnyGame, seats: list[str]) -> Session:
        """Start a new game, or the resumed one."""
        seed = self.arguments.seed
        self.begun += 1
        if self.begun > 1 and seed is not None:
            seed = f"{seed} {self.begun}"  # a different game, but still reproducible
        if self.begun == 1 and self.resumed is not None:
            match, bots = match_setup.resume_match(self.resumed, seed)
        else:
            # options don't apply to another game chosen afterwards
            is_requested = self.game is None or the_game is self.game
            options, first = (self.options, self.arguments.first) if is_requested else ([], None)
            if self.resumed is None:
                match_setup.refuse_bots_of_other_games(the_game, seats)
            match, bots = match_setup.new_match(
                the_game, seats, options, seed, first, usual=self.arguments.bots
            )
        path = self.path
        began = len(match.events) if self.begun == 1 and self.resumed is not None else 0
        session = Session(match, bots, random.Random(seed), began=began, say=self.say)
        if path is not None:
            session.keep = lambda: record_files.save(path, match.record)
            if not isinstance(match.turn, Over):  # rewriting a finished record would lose its Luck line
                session.keep()
        return session

    @property
    def seats(self) -> list[str]:
        """The seats: as requested, or one person and one bot."""
        if self.resumed is not None:
            return list(self.resumed.names)
        wanted: str | None = self.arguments.seats
        return wanted.split(",") if wanted else [match_setup.ME, match_setup.BOT]

    def play_plain(self) -> None:
        """Play one game in plain text."""
        try:
            the_game, seats = self.game, self.seats
            if the_game is None:
                the_game = match_setup.ask_for_game(input, print, self.say)
                if not self.arguments.seats:
                    seats = match_setup.ask_for_seats(the_game, input, print, self.say)
                    usual = self.arguments.bots or match_setup.ask_for_level(
                        the_game, input, print, self.say
                    )
                    seats = [usual if word == match_setup.BOT else word for word in seats]
            PlainTable(self.session(the_game, seats)).play()
        except (EOFError, QuitGame, KeyboardInterrupt) as left:
            print(f"\n{self.say('Goodbye.')}")
            self._tell_path()
            if isinstance(left, KeyboardInterrupt):
                raise

    def play_full_screen(self) -> None:
        """Play on the full screen until the player quits."""
        from wonderland.terminal.app import WonderlandApp  # noqa: PLC0415 - slow to import
        from wonderland.terminal.menu import MenuChoice  # noqa: PLC0415 - the same

        wish = None if self.game is None else MenuChoice(self.game.info.name, tuple(self.seats))
        app = WonderlandApp(
            lambda wish: self.session(game(wish.game), list(wish.seats)),
            wish,
            pace=self.pace,
            light=self.arguments.light,
            seats=tuple(self.seats) if self.arguments.seats else (),
            level=self.arguments.bots,
            say=self.say,
        )
        app.run()
        if app.fault is not None:
            raise app.fault
        if self.begun:
            self._tell_path()

    def _tell_path(self) -> None:
        if self.path:
            print(self.say("The game is saved in {file}.", file=self.path))


def check_level(the_game: AnyGame | None, text: str | None) -> None:
    """Raise `UsageError` if the game has no such bot level, or no game has, if none is chosen."""
    if text is None:
        return
    if the_game is not None:
        entrant(the_game.info.name, text)
    elif not any(match_setup.bot_named(name, text) for name in game_names()):
        there = dict.fromkeys(each.word for name in game_names() for each in levels(name))
        raise UsageError(
            phrase("no game has a bot called {name}. Choose from {known}."),
            name=quote(text),
            known=tuple(there),
        )


def read_pace(text: str) -> float:
    """Parse the pace of bots, a word or a number, into seconds."""
    if text in PACES:
        return PACES[text]
    try:
        pace = float(text)
    except ValueError:
        pace = -1.0
    if not 0 <= pace <= 60:
        raise UsageError(
            phrase("--pace must be {known} or a number of seconds from 0 to 60, not {text}."),
            known=tuple(PACES),
            text=quote(text),
        )
    return pace
