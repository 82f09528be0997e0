"""A table: the fold of its log.

`Table.follow` applies the entries one after another; nothing else changes a table. The same entries
give the same table, on every node and after every restart. Entries are trusted: whether a command is
allowed was decided before its entry was written (`handlers.py`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any, Literal, assert_never

import msgspec

from wonderland.engine.errors import (
    GameOver,
    IllegalAction,
    NotationError,
    UsageError,
)
from wonderland.engine.language import phrase
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.outcome import Result
from wonderland.engine.protocol import CHANCE, Over
from wonderland.engine.record import Move, Record, Undone, read_given_chance
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game
from wonderland.tables import entries as log
from wonderland.tables.fairness import past_draws
from wonderland.tables.forfeits import forfeit_result
from wonderland.tables.notices import MAX_NOTICES, notices_after
from wonderland.tables.seats import LastAction, SeatState, bot_name, initial_seat, rated_player
from wonderland.tables.storage.interface import Sitter, StoredEntry, TableIndexRow
from wonderland.tables.stored_log import TableRefused, check_rules, read_stored_entry
from wonderland.wire.commands import Wish
from wonderland.wire.messages import ChatMessage, SeatNotice

_CHAT_HISTORY = 50
"""Number of chat messages that are kept for latecomers."""
_OPENED_TWICE = phrase("the log of table {table} opens it twice.")


class Table:
    """Seats, the match once it has started, chat messages and the open proposal."""

    def __init__(self, opening: StoredEntry) -> None:  # noqa: PLR0915 - one line for each field
        opened = read_stored_entry(opening)
        if not isinstance(opened, log.Opened):
            raise TableRefused(phrase("table {table} has lost its first entry."), table=opening.table)
        self.id = opening.table
        self.opened = opened
        self.version = 0
        self.time = opening.time
        self.places = tuple(map(initial_seat, opened.reserved)) or (SeatState(),) * opened.seats
        self.match: AnyMatch | None = None
        self.status: Literal["waiting", "playing", "finished"] = "waiting"
        self.to_act: tuple[int, ...] = ()
        """The seats whose turn it is."""
        self.proposal: log.Proposed | None = None
        self.agreed: frozenset[int] = frozenset()
        self.declined: tuple[log.Proposed, int] | None = None
        """The last proposal and the seat that declined it, until somebody moves or asks again."""
        self.remarks = tuple(
            ChatMessage(0, one.seat, one.time, one.phrase, one.text, one.name) for one in opened.heard
        )
        self.silent = opened.silent
        self.notices: tuple[SeatNotice, ...] = ()
        """What happened to seats lately."""
        self.forfeit: log.Forfeited | None = None
        """How a rated game ended, if not by the rules."""
        self.next = ""
        """The table of the rematch."""
        self.next_game = ""
        """The game there, if it is another one."""
        self.rematch_by: int | None = None
        """The seat that asked for it."""
        self.opened_time = opening.time
        self.moved: dict[str, str] = {}
        """At a quick match, the tables that players went on to, by device."""
        self.secret = ""
        """The secret of the shuffle, once the game is over."""
        self.moved_version = 0
        """The version at which the match last changed, by a move or an undo."""
        self.turn_since: dict[int, int] = {}
        """For each seat that is to act, the version at which its turn began."""
        self.info_version = 0
        """The version at which anything but the match last changed."""
        self.seats_version = 0
        """The version at which somebody last took or left a seat before the game, or one was removed."""
        self.last_actions: dict[int, LastAction] = {}
        """For each seat, its last action, unless that was taken back."""
        self.undone: tuple[Undone[Any], ...] = ()
        """What was taken back, in the order in which that happened."""
        self.draws: tuple[tuple[str, int], ...] = ()
        """Once anything was taken back: the label and limit of every draw made at this table."""
        self.had_proposal = False
        self.turn_time = opening.time
        """When a turn last began, or a bot took over a seat or gave it back."""
        self.attended_time = opening.time
        """When a person last did something."""
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

    @property
    def result(self) -> Result | None:
        """The result once the game is over, by the rules or by a forfeit."""
        if self.forfeit is not None:
            return forfeit_result(len(self.places), self.forfeit.seats)
        turn = None if self.match is None else self.match.turn
        return turn.result if isinstance(turn, Over) else None

    def people(self) -> list[int]:
        """The seats of people, without those that a bot has taken over."""
        return [n for n, place in enumerate(self.places) if place.kind == "person" and not place.level]

    def sitters(self) -> set[Sitter]:
        """The devices that hold a seat or have one reserved; in a rated game, also as its players."""
        held = [(device, seat) for seat, place in enumerate(self.places) for device in place.devices]
        if self.opened.rated and self.status == "playing":
            held += [(rated_player(device), seat) for device, seat in held]
            held += [(rated_player(each.person), n) for n, each in enumerate(self.places) if each.person]
        return {Sitter(device, self.id, seat) for device, seat in held}

    def row(self, now: int, due: int | None) -> TableIndexRow:
        """Its row in the index."""
        free = sum(place.kind == "free" for place in self.places)
        listed = self.opened.access == "open"
        if self.opened.quick:
            taken = len(self.places) - free
            free = min(free, max(0, self.accepted_numbers().stop - 1 - taken))
            listed = any(place.kind == "person" for place in self.places)
        opened = self.opened
        return TableIndexRow(self.id, opened.game, self.status, listed, free, now, due, opened.source)

    def accepted_numbers(self, *more: Wish) -> range:
        """The numbers of players that everyone at a quick match accepts, and `more` who would join."""
        wishes = [*(place.wish for place in self.places if place.wish is not None), *more]
        fewest = max((wish.fewest for wish in wishes), default=2)
        most = min((wish.most for wish in wishes), default=len(self.places))
        return range(fewest, min(most, len(self.places)) + 1)

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
        given = read_given_chance(rules, opened.given)
        if not opened.begun:
            return Match(rules, names, options, given=given, date=opened.date)
        try:
            moves = [
                Move(CHANCE if made.seat is None else made.seat, rules.read(made.word))
                for made in opened.begun
            ]
            fixed = tuple((label, tuple(words)) for label, words in given.items())
            return Match.resume(Record(rules, names, options, tuple(moves), fixed, opened.date))
        except (GameOver, IllegalAction, NotationError, UsageError) as error:
            raise TableRefused(
                phrase("table {table} can't continue from its first moves: {reason}"),
                rule=error.rule,
                table=self.id,
                reason=error.message,
            ) from None

    def follow(
        self, stored: StoredEntry, entry: log.AnyEntry | None = None, played: AnyMatch | None = None
    ) -> None:
        """Apply the next entry; pass its decoded form and the match after it if they are known."""
        if stored.n != self.version + 1:
            raise TableRefused(
                phrase("entry {number} of table {table} can't follow entry {last}."),
                number=stored.n,
                table=self.id,
                last=self.version,
            )
        entry = entry or read_stored_entry(stored)
        self.version, self.time = stored.n, stored.time
        if entry.key:  # bots and clocks have none
            self.attended_time = stored.time
        if isinstance(entry, log.Sat | log.BotSat | log.Left | log.Moved | log.Trimmed):
            self.seats_version = self.version
        before, status = self.match, self.status
        if new := tuple(notices_after(self, entry, self.version, self.time)):
            self.notices = (*self.notices, *new)[-MAX_NOTICES:]
        restarts_clock = self._restarts_clock(entry)
        self._apply(entry, played)
        if self.match is not None and self.match is not before:
            turn = self.match.turn
            self.to_act = seats_to_act(turn)
            self.status = "finished" if isinstance(turn, Over) else "playing"
            self._update_turns(entry)
        if self.match is not before or restarts_clock:
            self.turn_time = stored.time
        if self.status != status or not isinstance(entry, log.Played) or self.had_proposal:
            self.info_version = self.version
        self.had_proposal = self.proposal is not None
        self.events_after.append(0 if self.match is None else len(self.match.events))

    def _restarts_clock(self, entry: log.AnyEntry) -> bool:
        """Whether an entry restarts the clock without a move; leaving a rated game wins no time."""
        if isinstance(entry, log.TakenBack):
            return bool(self.places[entry.seat].level)
        return isinstance(entry, log.HandedOver | log.Forfeited)

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

    def _apply(self, entry: log.AnyEntry, played: AnyMatch | None) -> None:  # noqa: PLR0915 - one case each
        match entry:
            case log.Sat():
                self._seat_person(entry)
            case log.BotSat(seat=seat, level=level, name=name):
                self._set_seat(seat, SeatState("bot", name or bot_name(self.places, level), level))
            case log.Left(seat=seat):
                self._set_seat(seat, SeatState())
            case log.Trimmed():
                self._trim(entry)
            case log.Moved(seat=seat, table=table):
                self.moved = self.moved | dict.fromkeys(self.places[seat].devices, table)
                self._set_seat(seat, SeatState())
            case log.Started(outcomes=outcomes, secret=secret):
                begun = self.new_match()  # a prepared shuffle has been dealt already
                known = len(begun.moves) - len(self.opened.begun)
                self.match = played or _apply_chance(begun, outcomes[known:])
                self.secret = secret
            case log.Played():
                self._follow_move(entry, played)
            case log.Proposed():
                self.proposal, self.agreed, self.declined = entry, frozenset({entry.seat}), None
                self._settle_proposal()
            case log.Answered(seat=seat, agree=agree):
                self.agreed |= {seat}
                if agree:
                    self._settle_proposal()
                elif self.proposal is not None:
                    self.declined = (self.proposal, seat)
                    self.proposal = None
            case log.HandedOver(seat=seat, level=level, why=why, by=by):
                self._change(seat, kind="person", level=level, why=why, by=by, covered=0)
                if self.proposal is not None:
                    self._settle_proposal()  # a seat played by a bot need not agree
            case log.TakenBack(seat=seat):
                self._change(seat, level="", why="", by=None, covered=0, departed=None)
            case log.Departed(seat=seat):
                self._change(seat, departed=self.time)
            case log.Forfeited(secret=secret):
                self.forfeit, self.secret, self.status = entry, secret, "finished"
                self.to_act, self.turn_since, self.proposal = (), {}, None
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
            case log.Followed(table=table, seat=asked, game=other):
                if not self.next:
                    self.rematch_by, self.next_game = asked, other
                self.next = table
            case log.Opened():
                raise TableRefused(_OPENED_TWICE, table=self.id)
            case _:
                assert_never(entry)

    def _change(self, seat: int, **fields: object) -> None:
        self._set_seat(seat, msgspec.structs.replace(self.places[seat], **fields))

    def _set_seat(self, seat: int, place: SeatState) -> None:
        self.places = (*self.places[:seat], place, *self.places[seat + 1 :])

    def _trim(self, entry: log.Trimmed) -> None:
        """Go on with some of the seats; messages keep the names of their senders."""
        seats = entry.seats
        self.remarks = tuple(
            msgspec.structs.replace(
                message,
                seat=seats.index(message.seat) if message.seat in seats else 0,
                name=message.name or self.places[message.seat].name,
            )
            for message in self.remarks
        )
        self.places = tuple(self.places[seat] for seat in seats)
        self.opened = log.changed(self.opened, begun=entry.begun)

    def _seat_person(self, sat: log.Sat) -> None:
        devices = tuple(dict.fromkeys((*self.places[sat.seat].devices, sat.device)))
        contribution = sat.contribution or None
        place = SeatState(
            "person",
            sat.name,
            devices=devices,
            contribution=contribution,
            person=sat.person,
            portrait=sat.portrait,
            wish=sat.wish,
            since=self.time,
            source=sat.source,
        )
        self._set_seat(sat.seat, place)

    def _apply_played(self, played: log.Played) -> AnyMatch:
        assert self.match is not None  # noqa: S101 - no move comes before the start
        match = self.match.fork()
        match.apply(played.seat, match.game.read(played.action))
        return _apply_chance(match, played.outcomes)

    def _follow_move(self, entry: log.Played, played: AnyMatch | None) -> None:
        seat, place = entry.seat, self.places[entry.seat]
        if self.undone:
            self.draws += tuple(self.new_draws(entry))
        self.match = played or self._apply_played(entry)
        self.proposal, self.agreed, self.declined = None, frozenset(), None
        self.secret = entry.secret
        done = LastAction(
            self.version, entry.action, self.time, self.turn_since.get(seat, self.version - 1)
        )
        self.last_actions = self.last_actions | {seat: done}  # a copy: older tables keep theirs
        if place.kind == "person" and place.level:
            self._change(seat, covered=place.covered + 1)

    def new_draws(self, played: log.Played) -> Iterator[tuple[str, int]]:
        """The draws among the chance outcomes of a move, without those that were revealed before."""
        assert self.match is not None  # noqa: S101 - no move comes before the start
        match = self.match.fork()
        match.apply(played.seat, match.game.read(played.action))
        for word in played.outcomes:
            if (draw := match.next_draw()) is not None:
                yield draw
            match.apply(CHANCE, match.game.read(word))

    def _undo(self, moves: int) -> None:
        """Take back everything after the first `moves` moves."""
        assert self.match is not None  # noqa: S101 - nothing is proposed before the start
        if not self.undone:
            self.draws = tuple(past_draws(self.match, len(self.opened.begun)))
        self.undone += (Undone(moves, tuple(self.match.moves[moves:])),)
        self.last_actions = {}
        self.match = self.match.fork()
        self.match.take_back(moves)

    def _settle_proposal(self) -> None:
        """Carry out the proposal once everyone has agreed, except the player it is about."""
        proposal = self.proposal
        assert proposal is not None  # noqa: S101 - the caller has just set or kept it
        needed = set(self.people()) - ({proposal.about} if proposal.what == "bot" else set())
        if not needed <= self.agreed:
            return
        self.proposal, self.agreed = None, frozenset()
        if proposal.what == "bot":
            self._change(proposal.about, level=proposal.level, why="away", by=proposal.seat, covered=0)
        else:
            self._undo(proposal.about)


def _apply_chance(match: AnyMatch, outcomes: tuple[str, ...]) -> AnyMatch:
    for word in outcomes:
        match.apply(CHANCE, match.game.read(word))
    return match
