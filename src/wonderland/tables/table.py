"""A table: the fold of its log.

`Table.follow` applies the entries one after another; nothing else changes a table. The same entries
give the same table, on every node and after every restart. Entries are trusted: whether a command is
allowed was decided before its entry was written (`handlers.py`).
"""

from __future__ import annotations

from array import array
from datetime import UTC, datetime
from typing import Literal, assert_never

import msgspec

from wonderland.engine.errors import (
    GameFailed,
    GameOver,
    IllegalAction,
    NotationError,
    UsageError,
    WonderlandError,
)
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.protocol import LUCK, Over
from wonderland.engine.record import Move, Record, read_given_chance
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game
from wonderland.engine.values import Value
from wonderland.tables import entries as log
from wonderland.tables.storage.interface import Sitter, StoredEntry, TableIndexRow
from wonderland.wire.messages import ChatMessage

_CHAT_HISTORY = 50
"""Number of chat messages that are kept for latecomers."""


class TableRefused(WonderlandError):  # noqa: N818 - named for what happened
    """A log that this program can't replay: other rules, or unknown or inconsistent entries."""


class SeatState(Value, frozen=True):
    """A seat and its occupant; `level` is the bot that plays it, possibly in place of a person."""

    kind: Literal["free", "reserved", "person", "bot"] = "free"
    name: str = ""
    level: str = ""
    devices: tuple[str, ...] = ()
    contribution: str | None = None
    link: str = ""
    """The hash of the secret of an unused link to the seat."""
    person: str = ""
    """At a rated table, the player's account id."""


class Table:
    """Seats, the match once it has started, chat messages and the open proposal."""

    def __init__(self, opening: StoredEntry) -> None:
        opened = _read_entry(opening)
        if not isinstance(opened, log.Opened):
            raise TableRefused(f"the log of table {opening.table} does not begin with its opening.")
        self.id = opening.table
        self.opened = opened
        self.version = 0
        self.time = opening.time
        self.places = tuple(map(_initial_seat, opened.reserved)) or (SeatState(),) * opened.seats
        self.match: AnyMatch | None = None
        self.status: Literal["waiting", "playing", "finished"] = "waiting"
        self.to_act: tuple[int, ...] = ()
        """The seats whose turn it is."""
        self.proposal: log.Proposed | None = None
        self.agreed: frozenset[int] = frozenset()
        self.remarks: tuple[ChatMessage, ...] = ()
        self.silent = False
        self.next = ""
        self.secret = ""
        """The secret of the shuffle, once the game is over."""
        self.moved_version = 0
        """The version at which the match last changed, by a move or an undo."""
        self.turn_since: dict[int, int] = {}
        """For each seat that is to act, the version at which its turn began."""
        self.info_version = 0
        """The version at which anything but the match last changed."""
        self.had_proposal = False
        self.turn_time = opening.time
        """When a turn last began, or a bot took over a seat or gave it back."""
        self.events_after = array("I", [0])
        """The number of events after each version."""
        self.events_valid_from = 0
        """The version from which `events_after` is valid: an undo removes events."""
        check_rules(opened, self.id)

    def seats_of(self, device: str) -> list[int]:
        """The seats that a device may act for."""
        return [seat for seat, place in enumerate(self.places) if self.holds(device, seat)]

    def holds(self, device: str, seat: int) -> bool:
        """Whether a device may act for a seat."""
        place = self.places[seat] if seat < len(self.places) else SeatState()
        return place.kind == "person" and device in place.devices

    def people(self) -> list[int]:
        """The seats of people, without those that a bot has taken over."""
        return [n for n, place in enumerate(self.places) if place.kind == "person" and not place.level]

    def sitters(self) -> set[Sitter]:
        """The devices that hold a seat or have one reserved."""
        return {
            Sitter(device, self.id, seat)
            for seat, place in enumerate(self.places)
            for device in place.devices
        }

    def row(self, now: int, due: int | None) -> TableIndexRow:
        """Its row in the index."""
        free = sum(place.kind == "free" for place in self.places)
        listed = self.opened.access == "open"
        return TableIndexRow(self.id, self.opened.game, self.status, listed, free, now, due)

    # Applying entries

    def after(
        self, stored: StoredEntry, entry: log.AnyEntry | None = None, played: AnyMatch | None = None
    ) -> Table:
        """A copy of the table with one more entry applied."""
        table = Table.__new__(Table)
        table.__dict__.update(self.__dict__)
        table.events_after = self.events_after[:]
        table.follow(stored, entry, played)
        return table

    def new_match(self) -> AnyMatch:
        """The match before anything is dealt, or at the position that the table continues from."""
        opened, rules = self.opened, game(self.opened.game)
        names = tuple(place.name for place in self.places)
        options = read_options(rules, opened.options)
        if not opened.begun:
            given = read_given_chance(rules, opened.given)
            return Match(rules, names, options, given=given, date=opened.date)
        try:
            moves = [
                Move(LUCK if made.seat is None else made.seat, rules.read(made.word))
                for made in opened.begun
            ]
            return Match.resume(Record(rules, names, options, tuple(moves), date=opened.date))
        except (GameOver, IllegalAction, NotationError, UsageError) as error:
            raise TableRefused(f"table {self.id} can't go on from its first moves: {error}") from None

    def follow(
        self, stored: StoredEntry, entry: log.AnyEntry | None = None, played: AnyMatch | None = None
    ) -> None:
        """Apply the next entry; pass its decoded form and the match after it if they are known."""
        if stored.n != self.version + 1:
            raise TableRefused(f"entry {stored.n} of table {self.id} can't follow entry {self.version}.")
        entry = entry or _read_entry(stored)
        self.version, self.time = stored.n, stored.time
        before, status = self.match, self.status
        self._apply(entry, played)
        if self.match is not None and self.match is not before:
            turn = self.match.turn
            self.to_act = seats_to_act(turn)
            self.status = "finished" if isinstance(turn, Over) else "playing"
            self._update_turns(entry)
        if self.match is not before or isinstance(entry, log.HandedOver | log.TakenBack):
            self.turn_time = stored.time
        if self.status != status or not isinstance(entry, log.Played) or self.had_proposal:
            self.info_version = self.version
        self.had_proposal = self.proposal is not None
        self.events_after.append(0 if self.match is None else len(self.match.events))

    def _update_turns(self, entry: log.AnyEntry) -> None:
        """Note whose turn began; one of several simultaneous choices restarts nobody else's turn."""
        self.moved_version = self.version
        kept = {} if not isinstance(entry, log.Played) else self.turn_since
        actor = entry.seat if isinstance(entry, log.Played) else None
        self.turn_since = {
            seat: kept[seat] if seat in kept and seat != actor else self.version for seat in self.to_act
        }
        if not isinstance(entry, log.Started | log.Played):
            self.events_valid_from = self.version

    def _apply(self, entry: log.AnyEntry, played: AnyMatch | None) -> None:
        match entry:
            case log.Sat():
                self._seat_person(entry)
            case log.BotSat(seat=seat, level=level):
                self._set_seat(seat, SeatState("bot", self.bot_name(level), level))
            case log.Left(seat=seat):
                self._set_seat(seat, SeatState())
            case log.Started(luck=luck, secret=secret):
                begun = self.new_match()  # a prepared shuffle has been dealt already
                known = len(begun.moves) - len(self.opened.begun)
                self.match = played or _apply_chance(begun, luck[known:])
                self.secret = secret
            case log.Played():
                self.match = played or self._apply_played(entry)
                self.proposal, self.agreed, self.secret = None, frozenset(), entry.secret
            case log.Proposed():
                self.proposal, self.agreed = entry, frozenset({entry.seat})
                self._settle_proposal()
            case log.Answered(seat=seat, agree=agree):
                self.agreed |= {seat}
                if agree:
                    self._settle_proposal()
                else:
                    self.proposal = None
            case log.HandedOver(seat=seat, level=level):
                self._change(seat, level=level)
                if self.proposal is not None:
                    self._settle_proposal()  # a seat played by a bot need not agree
            case log.TakenBack(seat=seat):
                self._change(seat, level="")
            case log.Said(seat=seat, phrase=phrase, text=text):
                message = ChatMessage(self.version, seat, self.time, phrase, text)
                self.remarks = (*self.remarks, message)[-_CHAT_HISTORY:]
            case log.Silenced(off=off):
                self.silent = off
            case log.Linked(seat=seat, secret=hashed, revoked=revoked):
                devices = () if revoked else self.places[seat].devices
                self._change(seat, link=hashed, devices=devices)
            case log.Claimed(seat=seat, device=device):
                devices = tuple(dict.fromkeys((*self.places[seat].devices, device)))
                self._change(seat, link="", devices=devices)
            case log.Followed(table=table):
                self.next = table
            case log.Opened():
                raise TableRefused(f"table {self.id} is opened twice.")
            case _:
                assert_never(entry)

    def _change(self, seat: int, **fields: object) -> None:
        self._set_seat(seat, msgspec.structs.replace(self.places[seat], **fields))

    def _set_seat(self, seat: int, place: SeatState) -> None:
        self.places = (*self.places[:seat], place, *self.places[seat + 1 :])

    def _seat_person(self, sat: log.Sat) -> None:
        devices = tuple(dict.fromkeys((*self.places[sat.seat].devices, sat.device)))
        contribution = sat.contribution or None
        self._set_seat(
            sat.seat, SeatState("person", sat.name, "", devices, contribution, person=sat.person)
        )

    def _apply_played(self, played: log.Played) -> AnyMatch:
        assert self.match is not None  # noqa: S101 - no move comes before the start
        match = self.match.fork()
        match.note(played.seat, match.game.read(played.action))
        return _apply_chance(match, played.luck)

    def _settle_proposal(self) -> None:
        """Carry out the proposal once everyone has agreed, except the player it is about."""
        proposal = self.proposal
        assert proposal is not None  # noqa: S101 - the caller has just set or kept it
        needed = set(self.people()) - ({proposal.about} if proposal.what == "bot" else set())
        if not needed <= self.agreed:
            return
        self.proposal, self.agreed = None, frozenset()
        if proposal.what == "bot":
            self._change(proposal.about, level=proposal.level)
        elif self.match is not None:
            self.match = self.match.fork()
            self.match.rewind(proposal.about)

    def bot_name(self, level: str) -> str:
        """A name for a bot of this level that is not taken at the table."""
        taken = {place.name.casefold() for place in self.places}
        names = [title_of(level, number + 1) for number in range(len(self.places) + 1)]
        return next(name for name in names if name.casefold() not in taken)


def title_of(level: str, number: int) -> str:
    """The name of the first, second … bot of a level at a table.

    >>> title_of("white-rabbit", 2)
    'White Rabbit 2'
    """
    title = level.replace("-", " ").title()
    return title if number == 1 else f"{title} {number}"


def _initial_seat(seat: log.Reserved) -> SeatState:
    """A seat of a newly created table."""
    if seat.level:
        return SeatState("bot", seat.name, seat.level)
    return SeatState("reserved", seat.name, "", seat.devices) if seat.name else SeatState()


def _read_entry(stored: StoredEntry) -> log.AnyEntry:
    try:
        entry: log.AnyEntry = log.read_entry(stored.body)
    except msgspec.MsgspecError:
        raise TableRefused(
            f"entry {stored.n} of table {stored.table} can't be read: a newer program wrote it."
        ) from None
    return entry


def _apply_chance(match: AnyMatch, luck: tuple[str, ...]) -> AnyMatch:
    for word in luck:
        match.note(LUCK, match.game.read(word))
    return match


def check_rules(opened: log.Opened, table: str) -> None:
    """Refuse a table with another rules version: replaying it would silently change the game."""
    try:
        rules = game(opened.game).info
    except (GameFailed, UsageError) as error:
        raise TableRefused(f"table {table} can't be played here: {error}") from None
    if rules.rules_version != opened.rules:
        raise TableRefused(
            f"table {table} was begun under version {opened.rules} of the rules of {rules.title}, "
            f"but this program plays version {rules.rules_version}: finish it with the older program."
        )


def today(now: int) -> str:
    """The UTC date of a time in milliseconds, in ISO format."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
