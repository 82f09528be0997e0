"""Set up a match and its bots from the seats and options of the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from wonderland.bots import Entrant, default_level, entrant, level, levels
from wonderland.engine.chance import Seeded
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.match import Match
from wonderland.engine.options import read_options, read_pairs
from wonderland.engine.position import small_number
from wonderland.engine.protocol import AnyGame, Seat
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.engine.registry import game, game_names
from wonderland.terminal.session import Opponent

BOT = "bot"
ME = "me"
DEFAULT_NAME = "Alice"


def new_match(  # noqa: PLR0913 - the options of a match, most of them optional
    the_game: AnyGame,
    seats: Sequence[str],
    options: Sequence[str],
    seed: str | None,
    first: str | None = None,
    *,
    usual: str | None = None,
) -> tuple[AnyMatch, dict[Seat, Opponent]]:
    """Create a match for these seats: names of people, `me`, `bot`, or bot levels.

    `first` names the starting player; `usual` is the level of seats called just `bot`.
    """
    bots = bots_among(the_game.info.name, seats, usual)
    names = [
        "" if seat in bots or word.strip().lower() == ME else word.strip()
        for seat, word in enumerate(seats)
    ]
    for seat, name in enumerate(names):
        if not name and (seat in bots or seats[seat].strip()):
            names[seat] = _unique_name(bots[seat].bot.name if seat in bots else DEFAULT_NAME, names)
    match: AnyMatch = Match(
        the_game,
        names,
        read_options(the_game, read_pairs(options)),
        luck=Seeded(seed),
        given={} if first is None else {"start": [_first_seat(the_game, names, seats, first)]},
        date=date.today().isoformat(),  # noqa: DTZ011 - the player's local date
    )
    return match, bots


def _first_seat(the_game: AnyGame, names: Sequence[str], words: Sequence[str], first: str) -> Any:
    """The chance outcome that makes the player with this name, word or number start."""
    wanted = first.strip().casefold()
    for seat, (name, word) in enumerate(zip(names, words, strict=True)):
        if wanted in {name.casefold(), word.strip().casefold(), str(seat + 1)}:
            return the_game.read(f"seat{seat + 1}")
    raise UsageError(f"{quote(first)} can't begin: the players are {', '.join(names)}.")


def resume_match(record: AnyRecord, seed: str | None) -> tuple[AnyMatch, dict[Seat, Opponent]]:
    """Resume a recorded game; seats named like a bot are played by one."""
    match: AnyMatch = Match.resume(record, luck=Seeded(seed))
    return match, bots_among(match.game.info.name, match.names)


def bots_among(game_name: str, words: Sequence[str], usual: str | None = None) -> dict[Seat, Opponent]:
    """The bots among the seats, by seat."""
    bots: dict[Seat, Opponent] = {}
    for seat, word in enumerate(words):
        if (found := bot_named(game_name, word, usual)) is not None:
            bots[seat] = Opponent(found.make(), found.budget)
    return bots


def bot_named(game_name: str, word: str, usual: str | None = None) -> Entrant | None:
    """Parse a bot's name: `bot`, `queen`, `White Rabbit 2`, `queen@100`; `None` for a person."""
    label, at, budget = word.strip().partition("@")
    name, _, number = label.rpartition(" ")
    if small_number(number) is None or not name:
        name = label
    if name.lower() == BOT:
        name = usual or default_level(game_name).word
    elif not _is_level(game_name, name):
        return None
    return entrant(game_name, f"{name}{at}{budget}")


def _is_level(game_name: str, name: str) -> bool:
    wanted = name.lower().replace(" ", "-")
    return any(each.word == wanted for each in levels(game_name))


def refuse_bots_of_other_games(the_game: AnyGame, seats: Sequence[str]) -> None:
    """Raise `UsageError` for a bot that only other games have: it isn't meant as a person's name."""
    here = the_game.info.name
    for word in seats:
        if bot_named(here, word) is None and any(bot_named(name, word) for name in game_names()):
            there = ", ".join(each.word for each in levels(here))
            title = the_game.info.title
            raise UsageError(f"{title} has no bot called {quote(word.strip())}: there are {there}.")


def _unique_name(name: str, names: Sequence[str]) -> str:
    """Return the name, with a number appended if it is taken."""
    taken = {other.casefold() for other in names}
    tries = (name if number == 1 else f"{name} {number}" for number in range(1, len(names) + 2))
    return next(name for name in tries if name.casefold() not in taken)


def ask_for_game(ask: Callable[[str], str], show: Callable[[str], Any]) -> AnyGame:
    """Let the player choose a game by number or name."""
    names = game_names()
    for number, name in enumerate(names, start=1):
        info = game(name).info
        show(f"{number:>3}  {info.title}: {info.about}")
    while True:
        answer = ask("Which game? ").strip().lower()
        chosen = small_number(answer)
        if chosen is not None and 1 <= chosen <= len(names):
            return game(names[chosen - 1])
        if answer in names:
            return game(answer)
        show(f"{quote(answer)} is none of the games; type a number from 1 to {len(names)}, or a name.")


def ask_for_seats(the_game: AnyGame, ask: Callable[[str], str], show: Callable[[str], Any]) -> list[str]:
    """Let the player choose how many bots to play against."""
    most = the_game.info.seats[-1] - 1
    while True:
        answer = ask(f"Against how many bots, 1 to {most}? [1] ").strip() or "1"
        bots = small_number(answer)
        if bots is not None and 1 <= bots <= most:
            return [ME, *[BOT] * bots]
        show(f"{quote(answer)} is not a number from 1 to {most}.")


def ask_for_level(the_game: AnyGame, ask: Callable[[str], str], show: Callable[[str], Any]) -> str:
    """Let the player choose the level of the bots by number or name."""
    there = levels(the_game.info.name)
    usual = default_level(the_game.info.name)
    for number, each in enumerate(there, start=1):
        show(f"{number:>3}  {each.name}: {each.about}")
    while True:
        answer = ask(f"At which level? [{usual.word}] ").strip() or usual.word
        chosen = small_number(answer)
        if chosen is not None and 1 <= chosen <= len(there):
            return there[chosen - 1].word
        if _is_level(the_game.info.name, answer):
            return level(the_game.info.name, answer).word
        show(f"{quote(answer)} is none of the levels; type a number from 1 to {len(there)}, or a name.")
