"""Set up a match and its bots from the seats and options of the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from wonderland.bots import Entrant, default_level, entrant, level, levels
from wonderland.bots.characters import (
    LEVEL_SEPARATOR,
    difficulty,
    find_character,
    home_level,
    level_in_name,
    name_with_level,
    pick_character,
)
from wonderland.engine.chance import Seeded
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import ENGLISH, Language, phrase
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
        if seat in bots:
            names[seat] = _character_name(the_game.info.name, seats[seat], bots[seat].level, names)
        elif not name and seats[seat].strip():
            names[seat] = _unique_name(DEFAULT_NAME, names)
    match: AnyMatch = Match(
        the_game,
        names,
        read_options(the_game, read_pairs(options)),
        chance=Seeded(seed),
        given={} if first is None else {"start": [_first_seat(the_game, names, seats, first)]},
        date=date.today().isoformat(),  # noqa: DTZ011 - the player's local date
    )
    return match, bots


def _character_name(game_name: str, word: str, level_word: str, names: Sequence[str]) -> str:
    """Name a bot after the character that was asked for, or one of its level that is free.

    A character that helps out at another level than its own has the level in its name, so that it is
    the same bot when the record is resumed.
    """
    taken = {name.partition(LEVEL_SEPARATOR)[0] for name in names}
    asked = find_character(game_name, word.strip())
    if asked is not None and asked.name not in taken and home_level(game_name, asked.name) == level_word:
        return asked.name
    name = pick_character(game_name, level_word, taken)
    is_at_home = level_in_name(game_name, name) == level_word
    return name if is_at_home else name_with_level(name, difficulty(game_name, level_word))


def _first_seat(the_game: AnyGame, names: Sequence[str], words: Sequence[str], first: str) -> Any:
    """The chance outcome that makes the player with this name, word or number start."""
    wanted = first.strip().casefold()
    for seat, (name, word) in enumerate(zip(names, words, strict=True)):
        level = word.partition("@")[0]  # whatever its thinking time
        if wanted in {
            name.casefold(),
            *(each.strip().casefold() for each in (word, level)),
            str(seat + 1),
        }:
            return the_game.read(f"seat{seat + 1}")
    raise UsageError(
        phrase("{name} can't go first. The players are {names}."),
        name=quote(first),
        names=tuple(names),
    )


def resume_match(record: AnyRecord, seed: str | None) -> tuple[AnyMatch, dict[Seat, Opponent]]:
    """Resume a recorded game; seats named like a bot are played by one."""
    match: AnyMatch = Match.resume(record, chance=Seeded(seed))
    return match, bots_among(match.game.info.name, match.names)


def bots_among(game_name: str, words: Sequence[str], usual: str | None = None) -> dict[Seat, Opponent]:
    """The bots among the seats, by seat."""
    bots: dict[Seat, Opponent] = {}
    for seat, word in enumerate(words):
        if (found := bot_named(game_name, word, usual)) is not None:
            played = level(game_name, found.text.partition("@")[0])
            bots[seat] = Opponent(found.make(), found.budget, played.word)
    return bots


def bot_named(game_name: str, word: str, usual: str | None = None) -> Entrant | None:
    """Parse a bot's name: `bot`, `queen`, `queen@100`, or a character as in records; else `None`.

    A character plays at its own level, unless its name says another: `Hatter · hardest`.
    """
    label, at, budget = word.strip().partition("@")
    name, _, number = label.rpartition(" ")
    if small_number(number) is None or not name:
        name = label
    if name.lower() == BOT:
        name = usual or default_level(game_name).word
    elif not _is_level(game_name, name):
        name = level_in_name(game_name, label) or ""
    return entrant(game_name, f"{name}{at}{budget}") if name else None


def _is_level(game_name: str, name: str) -> bool:
    wanted = name.lower().replace(" ", "-")
    return any(each.word == wanted for each in levels(game_name))


def refuse_bots_of_other_games(the_game: AnyGame, seats: Sequence[str]) -> None:
    """Raise `UsageError` for a bot that only other games have: it isn't meant as a person's name."""
    here = the_game.info.name
    for word in seats:
        if bot_named(here, word) is None and any(bot_named(name, word) for name in game_names()):
            there = tuple(each.word for each in levels(here))
            title = the_game.info.title
            raise UsageError(
                phrase("there is no bot called {name} in {title}. Choose from {known}."),
                name=quote(word.strip()),
                title=title,
                known=there,
            )


def _unique_name(name: str, names: Sequence[str]) -> str:
    """Return the name, with a number appended if it is taken."""
    taken = {other.casefold() for other in names}
    tries = (name if number == 1 else f"{name} {number}" for number in range(1, len(names) + 2))
    return next(name for name in tries if name.casefold() not in taken)


def ask_for_game(
    ask: Callable[[str], str], show: Callable[[str], Any], say: Language = ENGLISH
) -> AnyGame:
    """Let the player choose a game by number or name."""
    names = game_names()
    for number, name in enumerate(names, start=1):
        info = game(name).info
        show(f"{number:>3}  {say.label(say(info.title), say(info.about))}")
    while True:
        answer = ask(f"{say('Which game?')} ").strip().lower()
        chosen = small_number(answer)
        if chosen is not None and 1 <= chosen <= len(names):
            return game(names[chosen - 1])
        for name in names:
            if answer in {name, say(game(name).info.title).lower()}:
                return game(name)
        show(_ask_again(answer, len(names), say))


def _ask_again(answer: str, last: int, say: Language) -> str:
    return say(
        "{answer} isn't on the list. Type a number from 1 to {last}, or a name.",
        answer=quote(answer),
        last=last,
    )


def ask_for_seats(
    the_game: AnyGame, ask: Callable[[str], str], show: Callable[[str], Any], say: Language = ENGLISH
) -> list[str]:
    """Let the player choose how many bots to play against."""
    most = the_game.info.seats[-1] - 1
    while True:
        question = say("How many bots will you play against, 1 to {most}?", most=most)
        answer = ask(f"{question} [1] ").strip() or "1"
        bots = small_number(answer)
        if bots is not None and 1 <= bots <= most:
            return [ME, *[BOT] * bots]
        show(say("Type a number from 1 to {most}.", most=most))


def ask_for_level(
    the_game: AnyGame, ask: Callable[[str], str], show: Callable[[str], Any], say: Language = ENGLISH
) -> str:
    """Let the player choose the level of the bots by number or name."""
    there = levels(the_game.info.name)
    usual = default_level(the_game.info.name)
    for number, each in enumerate(there, start=1):
        show(f"{number:>3}  {say.label(say(each.name), say(each.about))}")
    while True:
        question = f"{say('How strong should the bots be?')} [{say(usual.name)}] "
        answer = ask(question).strip() or usual.word
        chosen = small_number(answer)
        if chosen is not None and 1 <= chosen <= len(there):
            return there[chosen - 1].word
        for each in there:
            if answer.casefold() == say(each.name).casefold():
                return each.word
        if _is_level(the_game.info.name, answer):
            return level(the_game.info.name, answer).word
        show(_ask_again(answer, len(there), say))
