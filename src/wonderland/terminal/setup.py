"""Who sits where: turns what was asked for on the command line into a match and its bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from wonderland.bots import Bot, Dodo
from wonderland.core.chance import Seeded
from wonderland.core.errors import NotationError, quoted
from wonderland.core.match import Match
from wonderland.core.options import read_options
from wonderland.core.position import small_number
from wonderland.core.protocol import AnyGame, Seat
from wonderland.core.reading import AnyMatch, AnyRecord
from wonderland.core.registry import game, game_names

BOTS: dict[str, Callable[[], Bot]] = {"bot": Dodo, "dodo": Dodo}
ME = "me"
DEFAULT_NAME = "Alice"


def new_match(
    the_game: AnyGame,
    seats: Sequence[str],
    options: Sequence[str],
    seed: str | None,
    first: str | None = None,
) -> tuple[AnyMatch, dict[Seat, Bot]]:
    """A fresh match for these seats: names of people, `me`, or `bot`; `first` begins, if named."""
    bots = {
        seat: BOTS[word.strip().lower()]()
        for seat, word in enumerate(seats)
        if word.strip().lower() in BOTS
    }
    names = ["" if _is_unnamed(word) else word.strip() for word in seats]
    for seat, word in enumerate(seats):
        if _is_unnamed(word):
            names[seat] = _unused(bots[seat].name if seat in bots else DEFAULT_NAME, names)
    match: AnyMatch = Match(
        the_game,
        names,
        read_options(the_game, _pairs(options)),
        luck=Seeded(seed),
        given={} if first is None else {"start": [_first_seat(the_game, names, seats, first)]},
        date=date.today().isoformat(),  # noqa: DTZ011 - the day where the player is
    )
    return match, bots


def _first_seat(the_game: AnyGame, names: Sequence[str], words: Sequence[str], first: str) -> Any:
    """What luck would have to decide for the player of this name, word or number to begin."""
    wanted = first.strip().casefold()
    for seat, (name, word) in enumerate(zip(names, words, strict=True)):
        if wanted in {name.casefold(), word.strip().casefold(), str(seat + 1)}:
            return the_game.read(f"seat{seat + 1}")
    raise NotationError(f"{quoted(first)} can't begin: the players are {', '.join(names)}.")


def resumed_match(record: AnyRecord, seed: str | None) -> tuple[AnyMatch, dict[Seat, Bot]]:
    """Go on with a record; seats that are named like a bot are played by one."""
    match: AnyMatch = Match.resume(record, luck=Seeded(seed))
    return match, bots_among(match.names)


def bots_among(names: Sequence[str]) -> dict[Seat, Bot]:
    """The seats whose names are those that bots are given: `Dodo`, `Dodo 2`."""
    bots: dict[Seat, Bot] = {}
    for seat, name in enumerate(names):
        word, _, number = name.lower().partition(" ")
        if word in BOTS and (not number or small_number(number) is not None):
            bots[seat] = BOTS[word]()
    return bots


def _is_unnamed(word: str) -> bool:
    return word.strip().lower() in {*BOTS, ME}


def _unused(name: str, names: Sequence[str]) -> str:
    """The name, with a number behind it if it is taken."""
    taken = {other.casefold() for other in names}
    tries = (name if number == 1 else f"{name} {number}" for number in range(1, len(names) + 2))
    return next(name for name in tries if name.casefold() not in taken)


def _pairs(options: Sequence[str]) -> Mapping[str, str]:
    pairs = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise NotationError(f"{quoted(option)} is not a name with its value, such as name=value.")
        pairs[name.replace("-", "_")] = value
    return pairs


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
        show(f"{quoted(answer)} is none of the games; type a number from 1 to {len(names)}, or a name.")


def ask_for_seats(the_game: AnyGame, ask: Callable[[str], str], show: Callable[[str], Any]) -> list[str]:
    """Let the player choose how many bots to play against."""
    most = the_game.info.seats[-1] - 1
    while True:
        answer = ask(f"Against how many bots, 1 to {most}? [1] ").strip() or "1"
        bots = small_number(answer)
        if bots is not None and 1 <= bots <= most:
            return [ME, *["bot"] * bots]
        show(f"{quoted(answer)} is not a number from 1 to {most}.")
