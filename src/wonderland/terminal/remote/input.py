"""Parse lines typed at a remote table into commands."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, get_args

from wonderland.bots import default_level
from wonderland.client.game_view import RemoteView
from wonderland.engine.errors import NotationError, UsageError, quote
from wonderland.terminal.choices import choice_keys, find_choice, no_such_choice
from wonderland.wire import commands
from wonderland.wire.commands import LONGEST_TEXT, new_key

HELP = """\
Type the number of a choice, or its notation, and Enter. Other words, at any time:
  start, s         begin the game, when all seats are taken
  say TEXT         say something to everyone at the table
  undo             ask the others to let you take your last decision back
  agree, decline   answer what somebody proposed
  bot N            propose a bot for seat N; before the game, the host gives it one (bot N LEVEL)
  leave            give up your seat; in a game, a bot plays on
  back             play on yourself, where a bot plays for you
  link             make a link to your seat for another device of yours
  rematch          after the end, play again with the same people
  who              who sits where
  table, log       show the table again, tell again what has happened
  rules            show the rulebook
  quit             go; your seat stays yours"""

Word: TypeAlias = Literal["help", "quit", "table", "log", "rules", "who", "rematch"]
"""Words handled locally, without sending a command at once."""
_SHORT = {"": "help", "h": "help", "?": "help", "q": "quit", "exit": "quit", "s": "start"}
_SHORT |= {"yes": "agree", "no": "decline"}


def may_play(now: RemoteView, seat: int | None) -> bool:
    """Whether this seat is to act and isn't played by a stand-in bot."""
    return seat is not None and bool(now.legal) and not now.table.seats[seat].level


def read_line(line: str, now: RemoteView, seat: int | None) -> commands.Command | Word:
    """Parse a line into a command to send or a local word; raise `UsageError` if it is neither."""
    line = line.strip()
    if seat is not None and may_play(now, seat):
        action = find_choice(now.game, choice_keys(now.game, now.legal), line)
        if action is not None:
            return commands.Play(seat=seat, action=now.game.write(action), at=now.version, key=new_key())
    word, _, rest = line.partition(" ")
    word = _SHORT.get(word.lower(), word.lower())
    if seat is None and word not in ("help", "quit", "table", "log", "rules", "who"):
        raise UsageError("You watch: table, log, rules, who and quit are what you can type.")
    if rest and word not in ("say", "bot"):
        raise _unknown_line(line, now, seat)
    if word == "rematch" and now.table.status != "finished":
        raise UsageError("There is a rematch when the game is over.")
    if word in get_args(Word):
        return cast("Word", word)
    assert seat is not None  # noqa: S101 - spectators were handled above
    return _command(word, rest.strip(), now, seat) or _raise_unknown(line, now, seat)


def _command(word: str, rest: str, now: RemoteView, seat: int) -> commands.Command | None:
    at, key = now.version, new_key()
    match word:
        case "start":
            return commands.Start(at=at, key=key)
        case "say":
            return _chat_command(rest, now, seat)
        case "undo":
            return commands.Propose(seat=seat, what="undo", at=at, key=key)
        case "agree" | "decline":
            return commands.Answer(seat=seat, agree=word == "agree", at=at, key=key)
        case "leave":
            return commands.Leave(seat=seat, at=at, key=key)
        case "back":
            return commands.TakeBack(seat=seat, at=at, key=key)
        case "link":
            return commands.Link(seat=seat, at=at, key=key)
        case "bot":
            return _bot_command(rest, now, seat)
        case _:
            return None


def _chat_command(text: str, now: RemoteView, seat: int) -> commands.Say:
    if not text:
        raise UsageError("Say what? Type say and what you want to say, such as say hello.")
    if len(text) > LONGEST_TEXT:
        raise UsageError(f"A remark has at most {LONGEST_TEXT} characters, not {len(text)}.")
    return commands.Say(seat=seat, text=text, at=now.version, key=new_key())


def _bot_command(rest: str, now: RemoteView, seat: int) -> commands.Command:
    number, _, level = rest.partition(" ")
    seats = len(now.table.seats)
    if not (number.isascii() and number.isdigit() and len(number) < 3 and 1 <= int(number) <= seats):
        raise UsageError(f"Type bot and the number of a seat, 1 to {seats}, such as bot 2.")
    about = int(number) - 1
    if now.table.status == "waiting":
        level = level.strip() or default_level(now.table.game).word
        return commands.SeatBot(seat=about, level=level[:40], at=now.version, key=new_key())
    return commands.Propose(seat=seat, what="bot", about=about, at=now.version, key=new_key())


def _raise_unknown(line: str, now: RemoteView, seat: int) -> commands.Command:
    raise _unknown_line(line, now, seat)


def _unknown_line(line: str, now: RemoteView, seat: int | None) -> UsageError:
    """Error for a line that means nothing right now."""
    if may_play(now, seat):
        return UsageError(no_such_choice(line, choice_keys(now.game, now.legal)))
    if now.table.status != "waiting" and _is_action(line, now):
        over = now.table.status == "finished"
        return UsageError("The game is over." if over else "It is not your turn.")
    return UsageError(f"{quote(line)} is no word that is known here; type help.")


def _is_action(line: str, now: RemoteView) -> bool:
    try:
        now.game.read(line)
    except NotationError:
        return line.isdigit()
    return True
