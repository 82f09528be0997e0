"""What somebody at a distant table means by a line that they typed."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, get_args

from wonderland.bots import default_level
from wonderland.client import messages as ask
from wonderland.client.seen import Seen
from wonderland.core.errors import NotationError, UsageError, quoted
from wonderland.terminal.choices import chosen, keyed, none_of

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
"""Words that nothing is sent for, or not at once."""
_SHORT = {"": "help", "h": "help", "?": "help", "q": "quit", "exit": "quit", "s": "start"}
_SHORT |= {"yes": "agree", "no": "decline"}
_LONGEST_REMARK = 200


def may_play(now: Seen, seat: int | None) -> bool:
    """Whether this seat is to decide something, and no bot does it."""
    return seat is not None and bool(now.legal) and not now.table.seats[seat].level


def read_line(line: str, now: Seen, seat: int | None) -> ask.Command | Word:
    """What a line means: something to send, or a word; `UsageError` with a sentence if nothing."""
    line = line.strip()
    if seat is not None and may_play(now, seat):
        action = chosen(now.game, keyed(now.game, now.legal), line)
        if action is not None:
            return ask.Play(seat=seat, action=now.game.write(action))
    word, _, rest = line.partition(" ")
    word = _SHORT.get(word.lower(), word.lower())
    if seat is None and word not in ("help", "quit", "table", "log", "rules", "who"):
        raise UsageError("You watch: table, log, rules, who and quit are what you can type.")
    if rest and word not in ("say", "bot"):
        raise _nothing(line, now, seat)
    if word == "rematch" and now.table.status != "finished":
        raise UsageError("There is a rematch when the game is over.")
    if word in get_args(Word):
        return cast("Word", word)
    assert seat is not None  # noqa: S101 - whoever watches has been answered
    return _command(word, rest.strip(), now, seat) or _refuse(line, now, seat)


def _command(word: str, rest: str, now: Seen, seat: int) -> ask.Command | None:
    match word:
        case "start":
            return ask.Start()
        case "say":
            return _say(rest, seat)
        case "undo":
            return ask.Propose(seat=seat, what="undo")
        case "agree" | "decline":
            return ask.Answer(seat=seat, agree=word == "agree")
        case "leave":
            return ask.Leave(seat=seat)
        case "back":
            return ask.TakeBack(seat=seat)
        case "link":
            return ask.Link(seat=seat)
        case "bot":
            return _bot(rest, now, seat)
        case _:
            return None


def _say(text: str, seat: int) -> ask.Say:
    if not text:
        raise UsageError("Say what? Type say and what you want to say, such as say hello.")
    if len(text) > _LONGEST_REMARK:
        raise UsageError(f"A remark has at most {_LONGEST_REMARK} characters, not {len(text)}.")
    return ask.Say(seat=seat, text=text)


def _bot(rest: str, now: Seen, seat: int) -> ask.Command:
    number, _, level = rest.partition(" ")
    seats = len(now.table.seats)
    if not (number.isascii() and number.isdigit() and len(number) < 3 and 1 <= int(number) <= seats):
        raise UsageError(f"Type bot and the number of a seat, 1 to {seats}, such as bot 2.")
    about = int(number) - 1
    if now.table.status == "waiting":
        level = level.strip() or default_level(now.table.game).word
        return ask.SeatBot(seat=about, level=level[:40])
    return ask.Propose(seat=seat, what="bot", about=about)


def _refuse(line: str, now: Seen, seat: int) -> ask.Command:
    raise _nothing(line, now, seat)


def _nothing(line: str, now: Seen, seat: int | None) -> UsageError:
    """What to say of a line that means nothing now."""
    if may_play(now, seat):
        return UsageError(none_of(line, keyed(now.game, now.legal)))
    if now.table.status != "waiting" and _is_action(line, now):
        over = now.table.status == "finished"
        return UsageError("The game is over." if over else "It is not your turn.")
    return UsageError(f"{quoted(line)} is no word that is known here; type help.")


def _is_action(line: str, now: Seen) -> bool:
    try:
        now.game.read(line)
    except NotationError:
        return line.isdigit()
    return True
