"""Parse lines typed at a remote table into commands."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, get_args

from wonderland.bots import default_level
from wonderland.client.game_view import RemoteView
from wonderland.engine.errors import NotationError, UsageError, quote
from wonderland.engine.language import phrase
from wonderland.engine.values import Value
from wonderland.terminal.choices import NO_SUCH_CHOICE, choice_keys, find_choice
from wonderland.wire import commands
from wonderland.wire.commands import LONGEST_TEXT, new_key

HELP = (
    ("start, s", phrase("start the game, once all seats are taken")),
    ("say TEXT", phrase("send a message to everyone at the table")),
    ("undo", phrase("ask the others to let you take back your last move")),
    ("agree, decline", phrase("answer another player's request")),
    ("bot N", phrase("suggest a bot for seat N; before the game, the host adds it (bot N LEVEL)")),
    ("leave", phrase("give up your seat; during a game, a bot stands in, and a rated game is lost")),
    ("back", phrase("come back after leaving, or take over again from the bot that is standing in")),
    ("link", phrase("make a link to your seat for another device")),
    ("rematch", phrase("after the game, play again with the same people")),
    ("verify", phrase("after the game, check the shuffle again, with all details")),
    ("save FILE", phrase("after the game, save its record to a new file")),
    ("who", phrase("show who is in which seat")),
    ("table", phrase("show the table again")),
    ("log", phrase("show again what has happened, as you saw it")),
    ("rules", phrase("show the rulebook")),
    ("quit", phrase("quit for now; you keep your seat")),
)
"""The words that can be typed besides a choice."""

Word: TypeAlias = Literal["help", "quit", "table", "log", "rules", "who", "rematch", "verify"]
"""Words handled locally, without sending a command at once."""


class SaveRecord(Value, frozen=True):
    """Save the record of the game to a file; handled locally."""

    path: str


_SHORT = {"": "help", "h": "help", "?": "help", "q": "quit", "exit": "quit", "s": "start"}
_SHORT |= {"yes": "agree", "no": "decline"}
_AFTER_THE_GAME = {
    "rematch": phrase("You can have a rematch once the game is over."),
    "verify": phrase("You can check the shuffle once the game is over."),
    "save": phrase("You can save the record once the game is over."),
}


def may_play(now: RemoteView, seat: int | None) -> bool:
    """Whether this seat is to act and isn't played by a stand-in bot."""
    return seat is not None and bool(now.legal) and not now.table.seats[seat].level


def read_line(line: str, now: RemoteView, seat: int | None) -> commands.Command | Word | SaveRecord:
    """Parse a line into a command to send, or something to do here; `UsageError` if it is neither."""
    line = line.strip()
    if seat is not None and may_play(now, seat):
        action = find_choice(now.game, choice_keys(now.game, now.legal), line)
        if action is not None:
            return commands.Play(seat=seat, action=now.game.write(action), at=now.version, key=new_key())
    word, _, rest = line.partition(" ")
    word = _SHORT.get(word.lower(), word.lower())
    if seat is None and word not in ("help", "quit", "table", "log", "rules", "who"):
        raise UsageError(
            phrase("You're watching, so you can type: {words}."), words="table, log, rules, who, quit"
        )
    if word in _AFTER_THE_GAME and now.table.status != "finished":
        raise UsageError(_AFTER_THE_GAME[word])
    if word == "save":
        if not rest.strip():
            raise UsageError(
                phrase("Type a file name after save, for example: {example}"),
                example="save tonight.record",
            )
        return SaveRecord(rest.strip())
    if rest and word not in ("say", "bot"):
        raise _unknown_line(line, now, seat)
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
        raise UsageError(
            phrase("Type your message after say, for example: {example}"), example="say hello"
        )
    if len(text) > LONGEST_TEXT:
        raise UsageError(
            phrase("A message can have at most {most} characters; yours has {number}."),
            most=LONGEST_TEXT,
            number=len(text),
        )
    return commands.Say(seat=seat, text=text, at=now.version, key=new_key())


def _bot_command(rest: str, now: RemoteView, seat: int) -> commands.Command:
    number, _, level = rest.partition(" ")
    seats = len(now.table.seats)
    if not (number.isascii() and number.isdigit() and len(number) < 3 and 1 <= int(number) <= seats):
        raise UsageError(
            phrase("Type a seat number from 1 to {last} after bot, for example: {example}"),
            last=seats,
            example="bot 2",
        )
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
        choices = ", ".join(choice_keys(now.game, now.legal))
        return UsageError(NO_SUCH_CHOICE, answer=quote(line), choices=choices, word="help")
    if now.table.status != "waiting" and _is_action(line, now):
        over = now.table.status == "finished"
        return UsageError(phrase("The game is over.") if over else phrase("It isn't your turn."))
    return UsageError(phrase("There's no command {word}. Type help to see them all."), word=quote(line))


def _is_action(line: str, now: RemoteView) -> bool:
    try:
        now.game.read(line)
    except NotationError:
        return line.isdigit()
    return True
