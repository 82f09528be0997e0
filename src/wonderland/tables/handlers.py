"""Command handlers: decide whether a command is allowed, and which log entry it produces.

Every handler takes the current table and returns one `HandlerResult`, or raises a `Refusal` with a
sentence for people. Handlers change nothing, so a result is simply dropped if another process writes its
log entry first.
"""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from wonderland.bots import default_level
from wonderland.bots import level as bot_level
from wonderland.bots.characters import pick_character
from wonderland.engine.errors import GameOver, IllegalAction, NotationError, UsageError
from wonderland.engine.protocol import CHANCE, Over
from wonderland.engine.record_reader import AnyMatch
from wonderland.tables import entries as log
from wonderland.tables.accounts import Account
from wonderland.tables.chat import chat_entry
from wonderland.tables.fairness import FairChance, ServerKey, past_draws, resume
from wonderland.tables.forfeits import forfeits_at
from wonderland.tables.invitations import check_invited, rematch_id, rematch_invitation
from wonderland.tables.names import check_table_name
from wonderland.tables.presence import check_stand_in
from wonderland.tables.quick_match import check_wish
from wonderland.tables.rated_games import check_claim, check_rated_seat, check_unrated
from wonderland.tables.spare_seats import may_remove_seat, without_seat
from wonderland.tables.table import Table
from wonderland.tables.undo import check_undo
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal


@dataclass(frozen=True, slots=True)
class HandlerResult:
    """The log entry to write, and what takes effect once it is committed."""

    entry: log.AnyEntry
    played: AnyMatch | None = None
    chance: FairChance | None = None
    """The table's chance source after the entry."""
    told: dict[str, str] = field(default_factory=dict)
    """For the sender only, such as the secret of a link."""
    done_at: int | None = None
    """If nothing is left to do, because the log has the entry already: its version."""


@dataclass(slots=True)
class Context:
    """The input of handlers: the table, the server key, and the table's chance source."""

    table: Table
    key: ServerKey
    cached_chance: FairChance | None = None
    """The chance source at the table's current version, once it has been needed."""

    def fork_chance(self) -> FairChance:
        """A fork of the chance source at the current version, so that a dropped result has no effect."""
        table = self.table
        if self.cached_chance is None or table.match is None:
            secret = self.key.secret(table.id, table.opened.nonce)
            contributions = [place.contribution for place in table.places]
            begun = table.opened.begun
            draws = list(table.draws)
            if table.match is not None and not table.undone:
                draws = list(past_draws(table.match, len(begun)))
            self.cached_chance = resume(secret, contributions, draws, list(map(str, begun)))
        return self.cached_chance.fork()

    def secret_after(self, match: AnyMatch) -> str:
        """The secret of the shuffle if the match is over, else an empty string."""
        if not isinstance(match.turn, Over) or self.table.opened.given:
            return ""
        return self.key.secret(self.table.id, self.table.opened.nonce).reveal()


def hash_secret(secret: str) -> str:
    """The hash that is stored in place of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def key_of(device: str, key: str) -> str:
    """The key of a command as stored in the log; it is unique to the device."""
    return hashlib.sha256(f"{device}\0{key}".encode()).hexdigest()[:20]


def decide(  # noqa: PLR0913 - the last three are for a few commands only
    context: Context,
    device: str,
    command: ask.AnyCommand,
    key: str,
    now: int,
    *,
    account: Account | None = None,
    away: Mapping[int, int] | None = None,
    source: str = "",
) -> HandlerResult:
    """Handle a command sent from a device; `key` is its key in the log.

    `account` and `source` (a hash of the network) are the sender's, for rated tables; `away` says for
    how many milliseconds each absent player has been away, for stand-ins.
    """
    table = context.table
    match command:
        case ask.Play(seat=seat, action=notation):
            _check_held(table, device, seat)
            return play(context, seat, notation, key, command.at)
        case ask.Sit():
            return HandlerResult(log.changed(_sit(table, device, command, key, account), source=source))
        case ask.SeatBot(seat=seat, level=level):
            return HandlerResult(_seat_bot(table, device, seat, level, key))
        case ask.Leave(seat=seat):
            return HandlerResult(_leave(table, device, seat, key, command.at))
        case ask.Start():
            if not table.seats_of(device):
                raise Refusal(Code.NOT_SEATED, "Only seated players can start the game.")
            return start(context, key)
        case ask.Propose():
            return HandlerResult(_propose(table, device, command, key, away or {}))
        case ask.Answer():
            return HandlerResult(_answer(table, device, command, key, away or {}))
        case ask.TakeBack(seat=seat):
            _check_held(table, device, seat)
            if not table.places[seat].level and forfeits_at(table, seat) is None:
                raise Refusal(Code.NO_BOT_IS_PLAYING, "No bot is playing for this seat.")
            return HandlerResult(log.TakenBack(seat, key=key))
        case ask.Say():
            _check_held(table, device, command.seat)
            return HandlerResult(chat_entry(table, command, key, now))
        case ask.Silence(off=off):
            _check_host(table, device)
            return HandlerResult(log.Silenced(off, key=key))
        case ask.Link(seat=seat, revoke=revoke):
            return _link(table, device, seat, key, revoke=revoke)
        case ask.Claim(seat=seat, secret=secret):
            _check_taken(table, seat)
            has_link = secrets.compare_digest(hash_secret(secret), table.places[seat].link or " ")
            check_claim(table, seat, account, has_link=has_link)
            return HandlerResult(log.Claimed(seat, device, key=key))
        case ask.Rematch(seat=seat, game=game):
            _check_held(table, device, seat)
            if table.status != "finished":
                raise Refusal(Code.NOT_OVER, "You can have a rematch once the game is over.")
            following = table.next or rematch_id(table)
            told = {"table": following, "invitation": rematch_invitation(context.key, following)}
            other = "" if game in (None, table.opened.game) else game
            return HandlerResult(log.Followed(following, seat, other, key=key), told=told)
    assert_never(command)


def play(
    context: Context, seat: int, notation: str, key: str = "", at: int | None = None
) -> HandlerResult:
    """Handle a seat's action, and the chance outcomes that follow it."""
    table = context.table
    match = table.match
    if match is None:
        raise Refusal(Code.NOT_STARTED, "The game hasn't started yet.")
    if table.forfeit is not None:
        raise Refusal(Code.GAME_OVER, "The game is already over.")
    if at is not None and (repeated := _find_repeated(table, seat, notation, at)) is not None:
        return repeated
    if at is not None and at < table.turn_since.get(seat, table.moved_version):
        raise Refusal(Code.OUTDATED, "The table changed while you were choosing. Please choose again.")
    if at is not None and table.places[seat].level:
        raise Refusal(Code.BOT_IS_PLAYING, "A bot is playing for this seat. Take the seat back first.")
    if table.places[seat].departed is not None:
        raise Refusal(Code.DEPARTED, "You have left this game. Take your seat back first.")
    chance = context.fork_chance()
    try:
        action = match.game.read(notation)
        after = match.after(seat, action, chance)
    except (NotationError, UsageError) as error:
        raise Refusal.of(Code.INVALID_NOTATION, error, match.game.info.name, match.names) from None
    except (GameOver, IllegalAction) as error:
        raise Refusal.of(Code.ILLEGAL_ACTION, error, match.game.info.name, match.names) from None
    moves = after.moves[len(match.moves) + 1 :]
    added = tuple([match.game.write(move.action) for move in moves])
    entry = log.Played(seat, match.game.write(action), added, context.secret_after(after), key=key)
    return HandlerResult(entry, after, chance)


def _find_repeated(table: Table, seat: int, notation: str, at: int) -> HandlerResult | None:
    """The earlier result if a seat repeats its action before it has seen it: a double click."""
    last = table.last_actions.get(seat)
    if last is None or not last.since <= at < last.version:
        return None
    if notation != last.action or table.places[seat].level:
        return None
    return HandlerResult(log.Played(seat, last.action), done_at=last.version)


def start(context: Context, key: str = "") -> HandlerResult:
    """Handle the start of the game, once every seat is taken."""
    table = context.table
    _check_waiting(table)
    missing = [n + 1 for n, place in enumerate(table.places) if place.kind not in ("person", "bot")]
    if missing:
        raise Refusal(
            Code.SEATS_FREE,
            "Every seat needs a player before the game can start. Still free: {seats}.",
            seats=tuple(missing),
        )
    for seat, place in enumerate(table.places):
        if place.kind == "person" and not place.devices:
            raise Refusal(Code.SEATS_FREE, "Waiting for a player in seat {number}.", number=seat + 1)
    chance = context.fork_chance()
    match = table.new_match().fork(chance)
    match.settle()
    match.chance = None
    here = match.moves[len(table.opened.begun) :]
    words = tuple(match.game.write(move.action) for move in here if move.actor is CHANCE)
    return HandlerResult(log.Started(words, context.secret_after(match), key=key), match, chance)


def _sit(table: Table, device: str, command: ask.Sit, key: str, account: Account | None) -> log.Sat:
    _check_waiting(table)
    mine = [n for n, place in enumerate(table.places) if device in place.devices]
    kept = [n for n in mine if table.places[n].kind == "reserved"]
    free = [n for n, place in enumerate(table.places) if place.kind == "free"]
    if not kept:
        check_invited(table, device, hash_secret(command.invitation or ""))
    available = kept + free
    if table.opened.quick:
        check_wish(table, device, command.wish)
    if not available:
        raise Refusal(Code.SEATS_TAKEN, "All seats are taken.")
    seat = available[0] if command.seat is None else command.seat
    if seat not in available:
        raise Refusal(Code.SEAT_TAKEN, "Seat {number} is taken or doesn't exist.", number=seat + 1)
    person = check_rated_seat(table, account) if table.opened.rated else None
    name = command.name if person is None else person.name
    check_table_name(name, [place.name for n, place in enumerate(table.places) if n != seat])
    return log.Sat(
        seat,
        name,
        device,
        command.contribution,
        key=key,
        person="" if person is None else person.id,
        portrait=command.portrait,
        wish=command.wish if table.opened.quick else None,
    )


def _seat_bot(table: Table, device: str, seat: int, level: str, key: str) -> log.BotSat | log.HandedOver:
    if not (table.opened.earlier and table.seats_of(device)):  # before a rematch, the host may be gone
        _check_host(table, device)
    check_unrated(table)
    _check_waiting(table)
    kind = table.places[seat].kind if seat < len(table.places) else ""
    word = validate_level(table.opened.game, level)
    if kind == "reserved":
        return log.HandedOver(seat, word, "away", key=key)
    if kind not in ("free", "bot"):
        raise Refusal(Code.SEAT_TAKEN, "Seat {number} is taken or doesn't exist.", number=seat + 1)
    return bot_entry(table, seat, word, key)


def bot_entry(table: Table, seat: int, level: str, key: str = "") -> log.BotSat:
    """The entry that seats a bot: a character whose name and face nobody else at the table has."""
    others = [place for number, place in enumerate(table.places) if number != seat]
    taken = {text for place in others for text in (place.name, place.portrait) if text}
    name = pick_character(table.opened.game, level, taken, random.Random(secrets.randbits(64)))
    return log.BotSat(seat, level, name, key=key)


def validate_level(game: str, level: str) -> str:
    """Return the name of a bot level as stored; `Refusal` if the game has no such level."""
    try:
        return bot_level(game, level).word
    except UsageError as error:
        raise Refusal.of(Code.NO_SUCH_LEVEL, error) from None


def forfeit(context: Context, seats: Sequence[int], why: log.Reason) -> HandlerResult:
    """Handle the end of a rated game that some seats forfeit."""
    table = context.table
    secret = context.key.secret(table.id, table.opened.nonce).reveal()
    return HandlerResult(log.Forfeited(tuple(seats), why, secret))


def _leave(
    table: Table, device: str, seat: int, key: str, at: int
) -> log.Left | log.Trimmed | log.HandedOver | log.Departed:
    if may_remove_seat(table, device, seat):
        if at < table.seats_version:  # somebody had the seat then: the second click of a double click
            raise Refusal(
                Code.OUTDATED, "The table changed while you were choosing. Please choose again."
            )
        return without_seat(table, seat, key)
    _check_taken(table, seat)
    place = table.places[seat]
    if table.status == "waiting":
        if device != table.opened.host:
            _check_held(table, device, seat)
        return log.Left(seat, by_host=device not in place.devices and place.kind != "bot", key=key)
    _check_held(table, device, seat)
    if table.status == "finished":
        raise Refusal(Code.GAME_OVER, "The game is already over.")
    if place.level:
        raise Refusal(Code.BOT_IS_PLAYING, "A bot is already playing for this seat.")
    if table.opened.rated:
        if place.departed is not None:
            raise Refusal(Code.DEPARTED, "You have left this game. Take your seat back first.")
        return log.Departed(seat, key=key)
    return log.HandedOver(seat, default_level(table.opened.game).word, "left", key=key)


def _propose(
    table: Table, device: str, command: ask.Propose, key: str, away: Mapping[int, int]
) -> log.Proposed | log.HandedOver:
    seat, about = command.seat, command.about
    _check_held(table, device, seat)
    if command.what == "undo":
        return log.Proposed(seat, "undo", check_undo(table, seat), key=key)
    if about is None or about not in table.people() or about == seat:
        raise Refusal(Code.NOT_FOR_YOURSELF, "You can only let a bot play for another player.")
    check_stand_in(table, about, away.get(about))
    return log.HandedOver(about, default_level(table.opened.game).word, "away", seat, key=key)


def _answer(
    table: Table, device: str, command: ask.Answer, key: str, away: Mapping[int, int]
) -> log.Answered:
    seat, agree = command.seat, command.agree
    _check_held(table, device, seat)
    if table.proposal is None:
        raise Refusal(Code.NO_REQUEST, "There's no request to answer.")
    if seat in table.agreed:
        raise Refusal(Code.ALREADY_AGREED, "This seat has already agreed.")
    if table.proposal.what == "bot" and agree:  # of an older version, which asked before it looked
        check_stand_in(table, table.proposal.about, away.get(table.proposal.about))
    return log.Answered(seat, agree, key=key)


def _link(table: Table, device: str, seat: int, key: str, *, revoke: bool) -> HandlerResult:
    _check_taken(table, seat)
    if table.places[seat].kind != "person":
        raise Refusal(Code.NO_LINK, "Only a seat with a person in it can have a link.")
    if not table.holds(device, seat):
        _check_host(table, device)
        if table.status != "waiting":  # whoever opened the link would see the hand
            raise Refusal(
                Code.ONLY_THE_PLAYER,
                "Once a game has started, only the player can pass their seat on. "
                "If they can't come back, a bot can play for them.",
            )
        if not revoke:  # otherwise a host could look at a hand unnoticed
            raise Refusal(
                Code.CONFIRM_NEEDED,
                "Another player has this seat. Confirm that the new link should take it from them.",
            )
        check_unrated(table)
    elif revoke:
        _check_host(table, device)
    secret = secrets.token_urlsafe(24)
    return HandlerResult(log.Linked(seat, hash_secret(secret), revoke, key=key), told={"secret": secret})


def _check_held(table: Table, device: str, seat: int) -> None:
    if not table.holds(device, seat):
        raise Refusal(Code.SEAT_NOT_YOURS, "Seat {number} isn't yours.", number=seat + 1)


def _check_host(table: Table, device: str) -> None:
    if device != table.opened.host:
        raise Refusal(Code.ONLY_THE_HOST, "Only the host can do that.")


def _check_taken(table: Table, seat: int) -> None:
    if seat >= len(table.places) or table.places[seat].kind == "free":
        raise Refusal(Code.SEAT_FREE, "Nobody is sitting in seat {number}.", number=seat + 1)


def _check_waiting(table: Table) -> None:
    if table.status != "waiting":
        raise Refusal(Code.ALREADY_STARTED, "The game has already started.")
