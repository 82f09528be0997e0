"""Whether a command is carried out, and what the log then says: the rules of sitting at a table.

Every function takes the table as it stands and gives one `Decision`, or raises a `Refusal` with a
sentence. Nothing is changed here, so a decision whose entry somebody else was quicker to write is just
dropped.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from itertools import islice
from typing import assert_never

from wonderland.bots import default_level
from wonderland.bots import level as bot_level
from wonderland.engine.errors import GameOver, IllegalAction, NotationError, UsageError
from wonderland.engine.protocol import LUCK, Chance, Over
from wonderland.engine.record import validate_names
from wonderland.engine.record_reader import AnyMatch
from wonderland.tables import entries as log
from wonderland.tables.accounts import Account
from wonderland.tables.fairness import FairLuck, ServerKey, resume
from wonderland.tables.rated_games import check_own, check_rated_seat, check_unrated
from wonderland.tables.table import Table
from wonderland.tables.undo import has_revealed, last_decision
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

_TALK_SECONDS = 10
_TALK_MOST = 5
"""So many remarks of one seat in so many seconds."""
_JOINERS = dict.fromkeys((0x200C, 0x200D))
"""What can't be seen but joins letters, and emoji to one."""


@dataclass(frozen=True, slots=True)
class HandlerResult:
    """What is to be written, and what follows from it once it is."""

    happening: log.AnyEntry
    played: AnyMatch | None = None
    luck: FairLuck | None = None
    """The table's luck from then on."""
    told: dict[str, str] = field(default_factory=dict)
    """What only the one who asked is told."""


@dataclass(slots=True)
class Context:
    """Where decisions about one table are made: the table, and what goes with it."""

    table: Table
    key: ServerKey
    known: FairLuck | None = None
    """The table's luck since the game began, if it has been needed."""

    def luck(self) -> FairLuck:
        """The table's luck, from where it stands; each decision gets its own."""
        table = self.table
        if self.known is None or table.match is None:
            secret = self.key.secret(table.id, table.opened.nonce)
            contributions = [place.contribution for place in table.places]
            begun = table.opened.begun
            draws = [] if table.match is None else _draws(table.match, len(begun))
            self.known = resume(secret, contributions, draws, list(map(str, begun)))
        return self.known.fork()

    def secret_after(self, match: AnyMatch) -> str:
        """The secret of the luck, if the game is over then."""
        if not isinstance(match.turn, Over) or self.table.opened.given:
            return ""
        return self.key.secret(self.table.id, self.table.opened.nonce).reveal()


def _draws(match: AnyMatch, begun: int) -> list[tuple[str, int]]:
    """What luck has decided here so far: the stream and the number of each draw."""
    draws = []
    for state, move in islice(match.record.states(), begun, None):
        turn = match.game.turn(state)
        if move is not None and isinstance(turn, Chance):
            draws.append((turn.label, turn.total))
    return draws


def hash_secret(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def key_of(device: str, key: str) -> str:
    """The key of a command as the log has it: nobody else's is the same."""
    return hashlib.sha256(f"{device}\0{key}".encode()).hexdigest()[:20]


def decide(  # noqa: PLR0913 - the last is for rated tables only
    desk: Context,
    device: str,
    command: ask.AnyCommand,
    key: str,
    now: int,
    *,
    who: Account | None = None,
) -> HandlerResult:
    """What comes of a command of somebody with this device; `key` is how the log calls it."""
    table = desk.table
    match command:
        case ask.Play(seat=seat, action=word):
            _held(table, device, seat)
            return play(desk, seat, word, key, command.at)
        case ask.Sit():
            return HandlerResult(_sit(table, device, command, key, who))
        case ask.SeatBot(seat=seat, level=level):
            return HandlerResult(_seat_bot(table, device, seat, level, key))
        case ask.Leave(seat=seat):
            return HandlerResult(_leave(table, device, seat, key))
        case ask.Start():
            return _start(desk, device, key)
        case ask.Propose():
            return HandlerResult(_propose(table, device, command, key))
        case ask.Answer(seat=seat, agree=agree):
            return HandlerResult(_answer(table, device, seat, key, agree=agree))
        case ask.TakeBack(seat=seat):
            _held(table, device, seat)
            if not table.places[seat].level:
                raise Refusal("not now", "No bot plays for this seat.")
            return HandlerResult(log.TakenBack(seat, key=key))
        case ask.Say():
            return HandlerResult(_say(table, device, command, key, now))
        case ask.Silence(off=off):
            _host(table, device)
            return HandlerResult(log.Silenced(off, key=key))
        case ask.Link(seat=seat, revoke=revoke):
            return _link(table, device, seat, key, revoke=revoke)
        case ask.Claim(seat=seat, secret=secret):
            _taken(table, seat)
            if not secrets.compare_digest(hash_secret(secret), table.places[seat].link or " "):
                raise Refusal("not yours", "This link has been used, or replaced by a newer one.")
            check_own(table, seat, who)
            return HandlerResult(log.Claimed(seat, device, key=key))
        case ask.Rematch(seat=seat):
            _held(table, device, seat)
            if table.status != "finished":
                raise Refusal("not now", "There is a rematch when the game is over.")
            if table.next:
                raise Refusal("not now", "The rematch has been laid already.")
            return HandlerResult(log.Followed(rematch_id(table), key=key))
    assert_never(command)


def play(desk: Context, seat: int, word: str, key: str = "", at: int | None = None) -> HandlerResult:
    """A seat's action, with what luck adds to it."""
    table = desk.table
    match = table.match
    if match is None:
        raise Refusal("not now", "The game has not begun.")
    if at is not None and at < table.turn_since.get(seat, table.moved):
        raise Refusal("stale", "The table has changed since: look again, then choose.")
    if at is not None and table.places[seat].level:
        raise Refusal("not now", "A bot plays for this seat: take it back first.")
    luck = desk.luck()
    try:
        action = match.game.read(word)
        after = match.after(seat, action, luck)
    except (NotationError, UsageError) as error:
        raise Refusal("bad request", str(error)) from None
    except (GameOver, IllegalAction) as error:
        raise Refusal("illegal", str(error)) from None
    moves = after.moves[len(match.moves) + 1 :]
    added = tuple([match.game.write(move.action) for move in moves])
    happening = log.Played(seat, match.game.write(action), added, desk.secret_after(after), key=key)
    return HandlerResult(happening, after, luck)


def _start(desk: Context, device: str, key: str) -> HandlerResult:
    table = desk.table
    if not table.seats_of(device):
        raise Refusal("not yours", "Only who sits at the table can begin the game.")
    _waiting(table)
    missing = [n + 1 for n, place in enumerate(table.places) if place.kind not in ("person", "bot")]
    if missing:
        seats = ", ".join(map(str, missing))
        raise Refusal(
            "not now", "The game can't begin before all seats are taken: {seats} is free.", seats=seats
        )
    luck = desk.luck()
    match = table.begin().fork(luck)
    match.settle()
    match.luck = None
    here = match.moves[len(table.opened.begun) :]
    words = tuple(match.game.write(move.action) for move in here if move.actor is LUCK)
    return HandlerResult(log.Started(words, desk.secret_after(match), key=key), match, luck)


def _sit(table: Table, device: str, command: ask.Sit, key: str, who: Account | None) -> log.Sat:
    _waiting(table)
    mine = [n for n, place in enumerate(table.places) if device in place.devices]
    kept = [n for n in mine if table.places[n].kind == "reserved"]
    free = [n for n, place in enumerate(table.places) if place.kind == "free"]
    if not kept:
        _invited(table, device, command.invitation)
    open_to = kept + free
    if not open_to:
        raise Refusal("not now", "All seats are taken.")
    seat = open_to[0] if command.seat is None else command.seat
    if seat not in open_to:
        raise Refusal(
            "not now", "Seat {number} is taken, or there is none of that number.", number=seat + 1
        )
    person = check_rated_seat(table, device, who) if table.opened.rated else None
    name = command.name if person is None else person.name
    others = [p.name for n, p in enumerate(table.places) if p.name and n != seat]
    try:
        validate_names([*others, name])
    except NotationError as error:
        raise Refusal.of("bad request", error) from None
    known = "" if person is None else person.id
    return log.Sat(seat, name, device, command.contribution, key=key, person=known)


def _invited(table: Table, device: str, invitation: str | None) -> None:
    """Whether somebody may take a free seat: by the link, or at an open table, or as the host."""
    if device == table.opened.host or table.opened.access == "open":
        return
    if table.opened.access == "bots":
        raise Refusal("not yours", "This table is for its host and bots.")
    if not secrets.compare_digest(hash_secret(invitation or ""), table.opened.invitation):
        raise Refusal("not yours", "To sit here, ask for the link to this table.")


def _seat_bot(table: Table, device: str, seat: int, level: str, key: str) -> log.BotSat:
    _host(table, device)
    check_unrated(table)
    _waiting(table)
    if seat >= len(table.places) or table.places[seat].kind not in ("free", "bot"):
        raise Refusal(
            "not now", "Seat {number} is taken, or there is none of that number.", number=seat + 1
        )
    return log.BotSat(seat, validate_level(table.opened.game, level), key=key)


def validate_level(game: str, level: str) -> str:
    """The word for a level of a game's bots; `Refusal` if it has none of that name."""
    try:
        return bot_level(game, level).word
    except UsageError as error:
        raise Refusal.of("bad request", error) from None


def _leave(table: Table, device: str, seat: int, key: str) -> log.Left | log.HandedOver:
    _taken(table, seat)
    if table.status == "waiting":
        if device != table.opened.host:
            _held(table, device, seat)
        return log.Left(seat, key=key)
    _held(table, device, seat)
    if table.status == "finished":
        raise Refusal("not now", "The game is over: there is nothing to leave.")
    if table.places[seat].level:
        raise Refusal("not now", "A bot plays for this seat already.")
    return log.HandedOver(seat, default_level(table.opened.game).word, "left", key=key)


def _propose(table: Table, device: str, command: ask.Propose, key: str) -> log.Proposed:
    seat = command.seat
    _held(table, device, seat)
    check_unrated(table)
    if table.status != "playing" or table.match is None:
        raise Refusal("not now", "There is nothing to propose when no game goes on.")
    if table.proposal is not None:
        raise Refusal("not now", "Another proposal waits for an answer.")
    if command.what == "bot":
        about = command.about
        if about is None or about not in table.people() or about == seat:
            raise Refusal("bad request", "A bot can be proposed for another person's seat.")
        return log.Proposed(seat, "bot", about, default_level(table.opened.game).word, key=key)
    moves = last_decision(table.match, seat, len(table.opened.begun))
    if moves is None:
        raise Refusal("not now", "There is nothing to take back yet.")
    if has_revealed(table.match, moves):  # what it was is not said: it may have been forgotten
        raise Refusal("not now", "This can't be taken back: it has shown something that was hidden.")
    return log.Proposed(seat, "undo", moves, key=key)


def _answer(table: Table, device: str, seat: int, key: str, *, agree: bool) -> log.Answered:
    _held(table, device, seat)
    if table.proposal is None:
        raise Refusal("not now", "Nothing has been proposed.")
    if seat in table.agreed:
        raise Refusal("not now", "This seat has agreed already.")
    return log.Answered(seat, agree, key=key)


def _say(table: Table, device: str, command: ask.Say, key: str, now: int) -> log.Said:
    seat = command.seat
    _held(table, device, seat)
    if table.silent:
        raise Refusal("not now", "The host has switched talking off.")
    if (command.phrase is None) == (command.text is None):
        raise Refusal("bad request", "Say a phrase or a text, not both.")
    since = now - 1000 * _TALK_SECONDS
    if sum(remark.seat == seat and remark.time > since for remark in table.remarks) >= _TALK_MOST:
        raise Refusal(
            "too many",
            "At most {most} remarks in {seconds} seconds.",
            most=_TALK_MOST,
            seconds=_TALK_SECONDS,
        )
    if command.phrase is not None:
        if command.phrase not in ask.PHRASES:
            known = ", ".join(ask.PHRASES)
            raise Refusal("bad request", "The phrases are: {phrases}.", phrases=known)
        return log.Said(seat, command.phrase, key=key)
    text = " ".join((command.text or "").split())
    if not text or not text.translate(_JOINERS).isprintable():
        raise Refusal("bad request", "A remark is a line of printable text.")
    return log.Said(seat, text=text, key=key)


def _link(table: Table, device: str, seat: int, key: str, *, revoke: bool) -> HandlerResult:
    _taken(table, seat)
    if table.places[seat].kind != "person":
        raise Refusal("not now", "There are links to the seats of people only.")
    if not table.holds(device, seat):
        _host(table, device)
        if not revoke:  # or a host could look into a hand unnoticed
            raise Refusal("not yours", "A link to another's seat takes it from them: say so (revoke).")
        check_unrated(table)
    elif revoke:
        _host(table, device)
    secret = secrets.token_urlsafe(24)
    return HandlerResult(log.Linked(seat, hash_secret(secret), revoke, key=key), told={"secret": secret})


def rematch_id(table: Table) -> str:
    """The name of the table that follows: the same whoever asks for it, and not to be guessed."""
    return hashlib.sha256(f"{table.id}\0{table.opened.nonce}".encode()).hexdigest()[:20]


def _held(table: Table, device: str, seat: int) -> None:
    if not table.holds(device, seat):
        raise Refusal("not yours", "Seat {number} is not yours.", number=seat + 1)


def _host(table: Table, device: str) -> None:
    if device != table.opened.host:
        raise Refusal("not yours", "Only the host of the table can do that.")


def _taken(table: Table, seat: int) -> None:
    if seat >= len(table.places) or table.places[seat].kind == "free":
        raise Refusal("not now", "Nobody sits on seat {number}.", number=seat + 1)


def _waiting(table: Table) -> None:
    if table.status != "waiting":
        raise Refusal("not now", "The game has begun already.")
