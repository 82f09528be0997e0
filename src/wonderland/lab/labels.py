"""Names of games, bots, endings and measured quantities in a language, for tables and plots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from wonderland.components.formatting import number
from wonderland.components.words import EndingNames, words_of
from wonderland.engine.errors import quote
from wonderland.engine.language import Language, phrase
from wonderland.engine.registry import game
from wonderland.lab.standings import TournamentStandings
from wonderland.lab.summary import Comparison, Summary

PLACES = (
    phrase("First player"),
    phrase("Second player"),
    phrase("Third player"),
    phrase("Fourth player"),
    phrase("Fifth player"),
    phrase("Sixth player"),
)
"""Names of the places in the turn order."""
WINNERS = (
    phrase("First player wins"),
    phrase("Second player wins"),
    phrase("Third player wins"),
    phrase("Fourth player wins"),
    phrase("Fifth player wins"),
    phrase("Sixth player wins"),
)
_LONGEST_OPTIONS = 26
"""Longer options, such as a whole board, are not written out."""
_BOT = re.compile(r"(?P<name>.*?)(?P<limit>(?:@\S+)?(?: \d+)?)")


def bot_name(name: str, say: Language) -> str:
    """Translate the name of a level; the limit and the number after it stay as they are.

    >>> from wonderland.engine.language import ENGLISH
    >>> bot_name("Dodo@100 2", ENGLISH)
    'Dodo@100 2'
    """
    found = _BOT.fullmatch(name)
    return name if found is None else say(found["name"]) + found["limit"]


def ending_name(name: str, ending: str, say: Language) -> str:
    """Name an ending of a game, in the game's words if it has them."""
    words = words_of(name)
    return say(words.ENDINGS.get(ending, ending) if isinstance(words, EndingNames) else ending)


def options_text(options: Mapping[str, str], say: Language) -> str:
    """Write options as on the command line; of long ones only the names."""
    text = ", ".join(f"{name}={value}" for name, value in options.items())
    if len(text) > _LONGEST_OPTIONS:
        return say("custom {options}", options=say.join_list(options))
    return text


def summary_heading(found: Summary, say: Language) -> str:
    """Describe a simulation in one line."""
    return say(
        "{title}: {games}, {seats}, seed {seed}",
        title=_game_title(found.game, found.options, say),
        games=count_games(found.games, say),
        seats=_count_seats(len(found.seats), say),
        seed=quote(found.seed),
    )


def standings_heading(found: TournamentStandings, say: Language) -> str:
    """Describe a tournament in one line."""
    return say(
        "{title}: {games}, {deals}, {seats}, seed {seed}",
        title=_game_title(found.game, found.options, say),
        games=count_games(found.games, say),
        deals=count_deals(found.deals, say),
        seats=_count_seats(found.seats, say),
        seed=quote(found.seed),
    )


def _game_title(name: str, options: Mapping[str, str], say: Language) -> str:
    title = say(game(name).info.title)
    return f"{title} ({options_text(options, say)})" if options else title


def count_games(games: int, say: Language) -> str:
    """Format a number of games."""
    return say.plural("{count} game", "{count} games", games, count=number(games, say))


def count_moves(moves: int, say: Language) -> str:
    """Format a number of moves."""
    return say.plural("{count} move", "{count} moves", moves, count=number(moves, say))


def count_puzzles(puzzles: int, say: Language) -> str:
    """Format a number of puzzles."""
    return say.plural("{count} puzzle", "{count} puzzles", puzzles, count=number(puzzles, say))


def count_deals(deals: int, say: Language) -> str:
    """Format a number of deals."""
    return say.plural("{count} deal", "{count} deals", deals, count=number(deals, say))


def _count_seats(seats: int, say: Language) -> str:
    return say.plural("{number} seat", "{number} seats", seats)


def change_labels(found: Comparison, say: Language) -> Iterable[str]:
    """Yield a label for each of the changes, which come in this order."""
    before, after = found.before, found.after
    seats = range(1, len(before.seats) + 1)
    for seat in seats:
        yield say("Seat {number} wins", number=seat)
    yield from map(say, WINNERS[: len(seats)])
    yield say("Shared win")
    for ending in sorted({part.name for part in (*before.endings, *after.endings)}):
        yield ending_name(before.game, ending, say)
    for seat in seats:
        yield say("Score of seat {number}", number=seat)
    yield say("Moves per game")
