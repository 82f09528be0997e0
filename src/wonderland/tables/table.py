"""A table: the fold of its log.

`Table.follow` takes the entries one after another; nothing else changes a table. Given the same entries
it is the same table, on every node and after every restart. Entries are taken as they were written:
whether something was allowed was settled before (`deciding.py`).
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

_REMEMBERED = 50
"""How many things that were said are shown to whoever comes later."""


class TableRefused(WonderlandError):  # noqa: N818 - it states what was done, as a player would
    """A table that this program can't go on with: other rules, or entries it does not know."""


class SeatState(Value, frozen=True):
    """A seat with who sits there. `level` is the bot that plays it: its own, or in a person's stead."""

    kind: Literal["free", "reserved", "person", "bot"] = "free"
    name: str = ""
    level: str = ""
    devices: tuple[str, ...] = ()
    contribution: str | None = None
    link: str = ""
    """The hash of the secret of a link to it that has not been used."""
    person: str = ""
    """At a rated table, who sits there in the ratings."""


class Table:
    """Seats, the match once it has begun, and what people have said and proposed."""

    def __init__(self, opening: StoredEntry) -> None:
        opened = _read(opening)
        if not isinstance(opened, log.Opened):
            raise TableRefused(f"the log of table {opening.table} does not begin with its opening.")
        self.id = opening.table
        self.opened = opened
        self.version = 0
        self.time = opening.time
        self.places = tuple(map(_kept, opened.reserved)) or (SeatState(),) * opened.seats
        self.match: AnyMatch | None = None
        self.status: Literal["waiting", "playing", "finished"] = "waiting"
        self.to_act: tuple[int, ...] = ()
        """The seats that are to decide something."""
        self.proposal: log.Proposed | None = None
        self.agreed: frozenset[int] = frozenset()
        self.remarks: tuple[ChatMessage, ...] = ()
        self.silent = False
        self.next = ""
        self.secret = ""
        """The secret of the luck, once the game is over."""
        self.moved = 0
        """The version with which the game last went on, or back."""
        self.turn_since: dict[int, int] = {}
        """For each seat that is to act, the version with which its turn began."""
        self.known_since = 0
        """The version since which nothing has changed but the game itself."""
        self.was_proposed = False
        self.turn_time = opening.time
        """When somebody's turn last began, or a bot took a seat or gave it back."""
        self.events_after = array("I", [0])
        """How many events there had been after each version."""
        self.events_from = 0
        """The version from which on `events_after` is true: an undo takes events away."""
        check_rules(opened, self.id)

    def seats_of(self, device: str) -> list[int]:
        """The seats that a device may act for."""
        return [seat for seat, place in enumerate(self.places) if self.holds(device, seat)]

    def holds(self, device: str, seat: int) -> bool:
        """Whether a device may act for a seat."""
        place = self.places[seat] if seat < len(self.places) else SeatState()
        return place.kind == "person" and device in place.devices

    def people(self) -> list[int]:
        """The seats whose people play themselves."""
        return [n for n, place in enumerate(self.places) if place.kind == "person" and not place.level]

    def sitters(self) -> set[Sitter]:
        """The devices that hold a seat, or for which one is kept."""
        return {
            Sitter(device, self.id, seat)
            for seat, place in enumerate(self.places)
            for device in place.devices
        }

    def row(self, now: int, due: int | None) -> TableIndexRow:
        """What is to be found of it without reading its log."""
        free = sum(place.kind == "free" for place in self.places)
        listed = self.opened.access == "open"
        return TableIndexRow(self.id, self.opened.game, self.status, listed, free, now, due)

    # Following the log

    def after(
        self, entry: StoredEntry, happening: log.AnyEntry | None = None, played: AnyMatch | None = None
    ) -> Table:
        """The table with one entry more; this one stays as it is."""
        table = Table.__new__(Table)
        table.__dict__.update(self.__dict__)
        table.events_after = self.events_after[:]
        table.follow(entry, happening, played)
        return table

    def begin(self) -> AnyMatch:
        """The match as it stands before anything is dealt, or where it is left to go on from."""
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
        self, entry: StoredEntry, happening: log.AnyEntry | None = None, played: AnyMatch | None = None
    ) -> None:
        """Take the next entry; what it says and the match after it may be known already."""
        if entry.n != self.version + 1:
            raise TableRefused(f"entry {entry.n} of table {self.id} can't follow entry {self.version}.")
        happening = happening or _read(entry)
        self.version, self.time = entry.n, entry.time
        before, status = self.match, self.status
        self._take(happening, played)
        if self.match is not None and self.match is not before:
            turn = self.match.turn
            self.to_act = seats_to_act(turn)
            self.status = "finished" if isinstance(turn, Over) else "playing"
            self._renew_turns(happening)
        if self.match is not before or isinstance(happening, log.HandedOver | log.TakenBack):
            self.turn_time = entry.time
        if self.status != status or not isinstance(happening, log.Played) or self.was_proposed:
            self.known_since = self.version
        self.was_proposed = self.proposal is not None
        self.events_after.append(0 if self.match is None else len(self.match.events))

    def _renew_turns(self, happening: log.AnyEntry) -> None:
        """Note whose turn began: a choice that others make at the same time begins no new one."""
        self.moved = self.version
        kept = {} if not isinstance(happening, log.Played) else self.turn_since
        actor = happening.seat if isinstance(happening, log.Played) else None
        self.turn_since = {
            seat: kept[seat] if seat in kept and seat != actor else self.version for seat in self.to_act
        }
        if not isinstance(happening, log.Started | log.Played):
            self.events_from = self.version

    def _take(self, happening: log.AnyEntry, played: AnyMatch | None) -> None:
        match happening:
            case log.Sat():
                self._sit(happening)
            case log.BotSat(seat=seat, level=level):
                self._put(seat, SeatState("bot", self.bot_name(level), level))
            case log.Left(seat=seat):
                self._put(seat, SeatState())
            case log.Started(luck=luck, secret=secret):
                begun = self.begin()  # what was given in advance has come already
                known = len(begun.moves) - len(self.opened.begun)
                self.match = played or _with_luck(begun, luck[known:])
                self.secret = secret
            case log.Played():
                self.match = played or self._after(happening)
                self.proposal, self.agreed, self.secret = None, frozenset(), happening.secret
            case log.Proposed():
                self.proposal, self.agreed = happening, frozenset({happening.seat})
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
                    self._settle_proposal()  # nobody waits for who has left
            case log.TakenBack(seat=seat):
                self._change(seat, level="")
            case log.Said(seat=seat, phrase=phrase, text=text):
                remark = ChatMessage(self.version, seat, self.time, phrase, text)
                self.remarks = (*self.remarks, remark)[-_REMEMBERED:]
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
                assert_never(happening)

    def _change(self, seat: int, **fields: object) -> None:
        self._put(seat, msgspec.structs.replace(self.places[seat], **fields))

    def _put(self, seat: int, place: SeatState) -> None:
        self.places = (*self.places[:seat], place, *self.places[seat + 1 :])

    def _sit(self, sat: log.Sat) -> None:
        devices = tuple(dict.fromkeys((*self.places[sat.seat].devices, sat.device)))
        contribution = sat.contribution or None
        self._put(sat.seat, SeatState("person", sat.name, "", devices, contribution, person=sat.person))

    def _after(self, played: log.Played) -> AnyMatch:
        assert self.match is not None  # noqa: S101 - nobody plays before the start
        match = self.match.fork()
        match.note(played.seat, match.game.read(played.action))
        return _with_luck(match, played.luck)

    def _settle_proposal(self) -> None:
        """Do what was proposed once all people at the table have agreed, but for whom it is about."""
        proposal = self.proposal
        assert proposal is not None  # noqa: S101 - one was made or answered
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
        """A name for a bot of this level that nobody at the table has."""
        taken = {place.name.casefold() for place in self.places}
        names = [title_of(level, number + 1) for number in range(len(self.places) + 1)]
        return next(name for name in names if name.casefold() not in taken)


def title_of(level: str, number: int) -> str:
    """What the first, second … bot of a level is called at a table.

    >>> title_of("white-rabbit", 2)
    'White Rabbit 2'
    """
    title = level.replace("-", " ").title()
    return title if number == 1 else f"{title} {number}"


def _kept(seat: log.Reserved) -> SeatState:
    """A seat as it is when a table is laid."""
    if seat.level:
        return SeatState("bot", seat.name, seat.level)
    return SeatState("reserved", seat.name, "", seat.devices) if seat.name else SeatState()


def _read(entry: StoredEntry) -> log.AnyEntry:
    try:
        happening: log.AnyEntry = log.read_entry(entry.body)
    except msgspec.MsgspecError:
        raise TableRefused(
            f"entry {entry.n} of table {entry.table} can't be read: a newer program wrote it."
        ) from None
    return happening


def _with_luck(match: AnyMatch, luck: tuple[str, ...]) -> AnyMatch:
    for word in luck:
        match.note(LUCK, match.game.read(word))
    return match


def check_rules(opened: log.Opened, table: str) -> None:
    """Refuse a table of other rules: it would silently become another play."""
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
    """The day of a time in milliseconds, as records have it."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()
