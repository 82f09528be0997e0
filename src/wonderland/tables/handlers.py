"""Command handlers: decide whether a command is allowed, and which log entry it produces.

Every handler takes the current table and returns one `HandlerResult`, or raises a `Refusal` with a
sentence for people. Handlers change nothing, so a result is simply dropped if another process writes its
log entry first.
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
from wonderland.tables.rated_games import check_own_seat, check_rated_seat, check_unrated
from wonderland.tables.table import Table
from wonderland.tables.undo import has_revealed, last_decision
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

_CHAT_SECONDS = 10
_CHAT_LIMIT = 5
"""Rate limit for chat: messages of one seat per `_CHAT_SECONDS`."""
_JOINERS = dict.fromkeys((0x200C, 0x200D))
"""Zero-width (non-)joiners, which some scripts and emoji need."""


@dataclass(frozen=True, slots=True)
class HandlerResult:
    """The log entry to write, and what takes effect once it is committed."""

    entry: log.AnyEntry
    played: AnyMatch | None = None
    luck: FairLuck | None = None
    """The table's chance source after the entry."""
    told: dict[str, str] = field(default_factory=dict)
    """For the sender only, such as the secret of a link."""


@dataclass(slots=True)
class Context:
    """The input of handlers: the table, the server key, and the table's chance source."""

    table: Table
    key: ServerKey
    cached_luck: FairLuck | None = None
    """The chance source at the table's current version, once it has been needed."""

    def luck(self) -> FairLuck:
        """A fork of the chance source at the current version, so that a dropped result has no effect."""
        table = self.table
        if self.cached_luck is None or table.match is None:
            secret = self.key.secret(table.id, table.opened.nonce)
            contributions = [place.contribution for place in table.places]
            begun = table.opened.begun
            draws = [] if table.match is None else _past_draws(table.match, len(begun))
            self.cached_luck = resume(secret, contributions, draws, list(map(str, begun)))
        return self.cached_luck.fork()

    def secret_after(self, match: AnyMatch) -> str:
        """The secret of the shuffle if the match is over, else an empty string."""
        if not isinstance(match.turn, Over) or self.table.opened.given:
            return ""
        return self.key.secret(self.table.id, self.table.opened.nonce).reveal()


def _past_draws(match: AnyMatch, begun: int) -> list[tuple[str, int]]:
    """The label and limit of each chance draw made at this table so far."""
    draws = []
    for state, move in islice(match.record.states(), begun, None):
        turn = match.game.turn(state)
        if move is not None and isinstance(turn, Chance):
            draws.append((turn.label, turn.total))
    return draws


def hash_secret(secret: str) -> str:
    """The hash that is stored in place of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def key_of(device: str, key: str) -> str:
    """The key of a command as stored in the log; it is unique to the device."""
    return hashlib.sha256(f"{device}\0{key}".encode()).hexdigest()[:20]


def decide(  # noqa: PLR0913 - the account is for rated tables only
    context: Context,
    device: str,
    command: ask.AnyCommand,
    key: str,
    now: int,
    *,
    account: Account | None = None,
) -> HandlerResult:
    """Handle a command sent from a device; `key` is its key in the log."""
    table = context.table
    match command:
        case ask.Play(seat=seat, action=notation):
            _check_held(table, device, seat)
            return play(context, seat, notation, key, command.at)
        case ask.Sit():
            return HandlerResult(_sit(table, device, command, key, account))
        case ask.SeatBot(seat=seat, level=level):
            return HandlerResult(_seat_bot(table, device, seat, level, key))
        case ask.Leave(seat=seat):
            return HandlerResult(_leave(table, device, seat, key))
        case ask.Start():
            return _start(context, device, key)
        case ask.Propose():
            return HandlerResult(_propose(table, device, command, key))
        case ask.Answer(seat=seat, agree=agree):
            return HandlerResult(_answer(table, device, seat, key, agree=agree))
        case ask.TakeBack(seat=seat):
            _check_held(table, device, seat)
            if not table.places[seat].level:
                raise Refusal("not now", "No bot plays for this seat.")
            return HandlerResult(log.TakenBack(seat, key=key))
        case ask.Say():
            return HandlerResult(_say(table, device, command, key, now))
        case ask.Silence(off=off):
            _check_host(table, device)
            return HandlerResult(log.Silenced(off, key=key))
        case ask.Link(seat=seat, revoke=revoke):
            return _link(table, device, seat, key, revoke=revoke)
        case ask.Claim(seat=seat, secret=secret):
            _check_taken(table, seat)
            if not secrets.compare_digest(hash_secret(secret), table.places[seat].link or " "):
                raise Refusal("not yours", "This link has been used, or replaced by a newer one.")
            check_own_seat(table, seat, account)
            return HandlerResult(log.Claimed(seat, device, key=key))
        case ask.Rematch(seat=seat):
            _check_held(table, device, seat)
            if table.status != "finished":
                raise Refusal("not now", "There is a rematch when the game is over.")
            if table.next:
                raise Refusal("not now", "The rematch has been laid already.")
            return HandlerResult(log.Followed(rematch_id(table), key=key))
    assert_never(command)


def play(
    context: Context, seat: int, notation: str, key: str = "", at: int | None = None
) -> HandlerResult:
    """Handle a seat's action, and the chance outcomes that follow it."""
    table = context.table
    match = table.match
    if match is None:
        raise Refusal("not now", "The game has not begun.")
    if at is not None and at < table.turn_since.get(seat, table.moved_version):
        raise Refusal("stale", "The table has changed since: look again, then choose.")
    if at is not None and table.places[seat].level:
        raise Refusal("not now", "A bot plays for this seat: take it back first.")
    luck = context.luck()
    try:
        action = match.game.read(notation)
        after = match.after(seat, action, luck)
    except (NotationError, UsageError) as error:
        raise Refusal("bad request", str(error)) from None
    except (GameOver, IllegalAction) as error:
        raise Refusal("illegal", str(error)) from None
    moves = after.moves[len(match.moves) + 1 :]
    added = tuple([match.game.write(move.action) for move in moves])
    entry = log.Played(seat, match.game.write(action), added, context.secret_after(after), key=key)
    return HandlerResult(entry, after, luck)


def _start(context: Context, device: str, key: str) -> HandlerResult:
    table = context.table
    if not table.seats_of(device):
        raise Refusal("not yours", "Only who sits at the table can begin the game.")
    _check_waiting(table)
    missing = [n + 1 for n, place in enumerate(table.places) if place.kind not in ("person", "bot")]
    if missing:
        seats = ", ".join(map(str, missing))
        raise Refusal(
            "not now", "The game can't begin before all seats are taken: {seats} is free.", seats=seats
        )
    luck = context.luck()
    match = table.new_match().fork(luck)
    match.settle()
    match.luck = None
    here = match.moves[len(table.opened.begun) :]
    words = tuple(match.game.write(move.action) for move in here if move.actor is LUCK)
    return HandlerResult(log.Started(words, context.secret_after(match), key=key), match, luck)


def _sit(table: Table, device: str, command: ask.Sit, key: str, account: Account | None) -> log.Sat:
    _check_waiting(table)
    mine = [n for n, place in enumerate(table.places) if device in place.devices]
    kept = [n for n in mine if table.places[n].kind == "reserved"]
    free = [n for n, place in enumerate(table.places) if place.kind == "free"]
    if not kept:
        _check_invited(table, device, command.invitation)
    available = kept + free
    if not available:
        raise Refusal("not now", "All seats are taken.")
    seat = available[0] if command.seat is None else command.seat
    if seat not in available:
        raise Refusal(
            "not now", "Seat {number} is taken, or there is none of that number.", number=seat + 1
        )
    person = check_rated_seat(table, device, account) if table.opened.rated else None
    name = command.name if person is None else person.name
    others = [p.name for n, p in enumerate(table.places) if p.name and n != seat]
    try:
        validate_names([*others, name])
    except NotationError as error:
        raise Refusal.of("bad request", error) from None
    known = "" if person is None else person.id
    return log.Sat(seat, name, device, command.contribution, key=key, person=known)


def _check_invited(table: Table, device: str, invitation: str | None) -> None:
    """Refuse a free seat to anyone but the host, link holders, and everyone at an open table."""
    if device == table.opened.host or table.opened.access == "open":
        return
    if table.opened.access == "bots":
        raise Refusal("not yours", "This table is for its host and bots.")
    if not secrets.compare_digest(hash_secret(invitation or ""), table.opened.invitation):
        raise Refusal("not yours", "To sit here, ask for the link to this table.")


def _seat_bot(table: Table, device: str, seat: int, level: str, key: str) -> log.BotSat:
    _check_host(table, device)
    check_unrated(table)
    _check_waiting(table)
    if seat >= len(table.places) or table.places[seat].kind not in ("free", "bot"):
        raise Refusal(
            "not now", "Seat {number} is taken, or there is none of that number.", number=seat + 1
        )
    return log.BotSat(seat, validate_level(table.opened.game, level), key=key)


def validate_level(game: str, level: str) -> str:
    """Return the name of a bot level as stored; `Refusal` if the game has no such level."""
    try:
        return bot_level(game, level).word
    except UsageError as error:
        raise Refusal.of("bad request", error) from None


def _leave(table: Table, device: str, seat: int, key: str) -> log.Left | log.HandedOver:
    _check_taken(table, seat)
    if table.status == "waiting":
        if device != table.opened.host:
            _check_held(table, device, seat)
        return log.Left(seat, key=key)
    _check_held(table, device, seat)
    if table.status == "finished":
        raise Refusal("not now", "The game is over: there is nothing to leave.")
    if table.places[seat].level:
        raise Refusal("not now", "A bot plays for this seat already.")
    return log.HandedOver(seat, default_level(table.opened.game).word, "left", key=key)


def _propose(table: Table, device: str, command: ask.Propose, key: str) -> log.Proposed:
    seat = command.seat
    _check_held(table, device, seat)
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
    if has_revealed(table.match, moves):  # not saying what: other players may have forgotten it
        raise Refusal("not now", "This can't be taken back: it has shown something that was hidden.")
    return log.Proposed(seat, "undo", moves, key=key)


def _answer(table: Table, device: str, seat: int, key: str, *, agree: bool) -> log.Answered:
    _check_held(table, device, seat)
    if table.proposal is None:
        raise Refusal("not now", "Nothing has been proposed.")
    if seat in table.agreed:
        raise Refusal("not now", "This seat has agreed already.")
    return log.Answered(seat, agree, key=key)


def _say(table: Table, device: str, command: ask.Say, key: str, now: int) -> log.Said:
    seat = command.seat
    _check_held(table, device, seat)
    if table.silent:
        raise Refusal("not now", "The host has switched talking off.")
    if (command.phrase is None) == (command.text is None):
        raise Refusal("bad request", "Say a phrase or a text, not both.")
    since = now - 1000 * _CHAT_SECONDS
    if sum(message.seat == seat and message.time > since for message in table.remarks) >= _CHAT_LIMIT:
        raise Refusal(
            "too many",
            "At most {most} remarks in {seconds} seconds.",
            most=_CHAT_LIMIT,
            seconds=_CHAT_SECONDS,
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
    _check_taken(table, seat)
    if table.places[seat].kind != "person":
        raise Refusal("not now", "There are links to the seats of people only.")
    if not table.holds(device, seat):
        _check_host(table, device)
        if not revoke:  # otherwise a host could look at a hand unnoticed
            raise Refusal("not yours", "A link to another's seat takes it from them: say so (revoke).")
        check_unrated(table)
    elif revoke:
        _check_host(table, device)
    secret = secrets.token_urlsafe(24)
    return HandlerResult(log.Linked(seat, hash_secret(secret), revoke, key=key), told={"secret": secret})


def rematch_id(table: Table) -> str:
    """The id of the rematch table: the same for every player who asks, and unguessable."""
    return hashlib.sha256(f"{table.id}\0{table.opened.nonce}".encode()).hexdigest()[:20]


def _check_held(table: Table, device: str, seat: int) -> None:
    if not table.holds(device, seat):
        raise Refusal("not yours", "Seat {number} is not yours.", number=seat + 1)


def _check_host(table: Table, device: str) -> None:
    if device != table.opened.host:
        raise Refusal("not yours", "Only the host of the table can do that.")


def _check_taken(table: Table, seat: int) -> None:
    if seat >= len(table.places) or table.places[seat].kind == "free":
        raise Refusal("not now", "Nobody sits on seat {number}.", number=seat + 1)


def _check_waiting(table: Table) -> None:
    if table.status != "waiting":
        raise Refusal("not now", "The game has begun already.")
