"""Verify a shuffle: recompute every chance outcome of a record, and compare it with what was kept.

The point is to catch a cheating server, so this module shares no code with servers: it reads the
statement in the record and derives the chance outcomes independently, as docs/fairness.md specifies.

`check_record` needs nothing but the record. `verify_shuffle` also compares it with what this device has
kept: the commitment it was shown before the game, what it contributed, and the events that it saw.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from wonderland.engine.errors import WonderlandError, quote
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.match import Match
from wonderland.engine.protocol import CHANCE, START, Chance
from wonderland.engine.record_reader import AnyRecord, read_record
from wonderland.engine.values import Value

_VERSION = "hmac-1"
_SEAT = "(?:-|(?:[0-9a-f]{2}){16,32})"
_STATEMENT = re.compile(
    r"hmac-1 table=(?P<table>[A-Za-z0-9_-]{1,64}) commitment=(?P<commitment>[0-9a-f]{64}) "
    rf"secret=(?P<secret>[0-9a-f]{{64}}) seats=(?P<seats>{_SEAT}(?:,{_SEAT})*)"
    r"(?: begun=(?P<begun>[1-9][0-9]{0,5}))?"
)


class CheckFailed(WonderlandError):  # noqa: N818 - named after the verdict that is printed
    """A record that contradicts its commitment."""


class Uncheckable(WonderlandError):  # noqa: N818 - named after what the record is
    """A record that is readable but says too little, or too much, to be verified."""


class _Statement(Value, frozen=True):
    """The parsed Luck line of a record."""

    table: str
    commitment: str
    secret: bytes
    seats: tuple[bytes, ...]
    """Contribution of each seat; empty for bots."""
    begun: int
    """Number of moves taken over from another game, before this table started."""

    @property
    def promised(self) -> str:
        """The commitment that this secret hashes to."""
        message = b"\0".join(
            [b"wonderland commitment", _VERSION.encode(), self.table.encode(), self.secret]
        )
        return hashlib.sha256(message).hexdigest()

    def key(self, begun: Sequence[str]) -> bytes:
        """Derive the key of all chance outcomes, given the moves taken over from another game."""
        mac = hmac.new(self.secret, digestmod=hashlib.sha256)
        for word in ("wonderland luck", _VERSION, self.table):
            mac.update(word.encode() + b"\0")
        for added in self.seats:
            mac.update(struct.pack("B", len(added)) + added)
        for word in ("begun", *begun) if begun else ():
            mac.update(word.encode() + b"\0")
        return mac.digest()


class ShuffleCheck(Value, frozen=True):
    """What the check of a record has found; that it exists means that nothing was wrong."""

    table: str
    commitment: str
    contributions: tuple[str, ...]
    """What each seat contributed, in hex; empty for bots."""
    outcomes: int
    """The number of chance outcomes that were recomputed."""
    begun: int
    """The number of first moves that were taken over from another game, and can't be checked."""
    taken_back: int
    """How often moves were taken back."""
    is_finished: bool
    is_start_set: bool
    """Whether all that was taken over is the start player, as in a rematch."""

    def describe_beginning(self, say: Language) -> str:
        """Say what was settled before the shuffle: the start player, or moves of another game."""
        if self.is_start_set:
            return say("The first player was set before the shuffle, not drawn, as in a rematch.")
        return say.plural(
            "The first move was taken over from another game.",
            "The first {number} moves were taken over from another game.",
            self.begun,
        )


class KeptShuffle(Value, frozen=True):
    """What a device keeps of a table: what it was shown before the game, and what it contributed."""

    commitment: str
    contributions: tuple[str, ...] = ()
    """Usually one; more if the device holds several seats, or has left and come back."""
    claimed: tuple[int, ...] = ()
    """Seats that this device has taken over from another one, which had contributed."""


class ShuffleVerdict(Value, frozen=True):
    """A verified game, and how much of it this device could compare with what it had kept."""

    check: ShuffleCheck
    has_commitment: bool
    """Whether the device was shown the commitment before the game was over."""
    has_contribution: bool
    """Whether the device's own contribution is in the shuffle."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing had to be taken on trust but the software of this device."""
        return self.has_commitment and self.has_contribution and not self.check.begun

    def summary(self, say: Language = ENGLISH) -> str:
        """Return one sentence or two for players."""
        number = self.check.outcomes
        if not self.has_commitment:
            return say(
                "The shuffle matches the server's secret, but this device wasn't here before the end "
                "of the game, so it can't tell when the secret was chosen."
            )
        if not self.has_contribution:
            return say.plural(
                "Shuffle verified: {number} random outcome matches the code that the table showed.",
                "Shuffle verified: all {number} random outcomes match the code that the table showed.",
                number,
            )
        return say.plural(
            "Shuffle verified: {number} random outcome matches the code that the table showed and what "
            "your device added.",
            "Shuffle verified: all {number} random outcomes match the code that the table showed and "
            "what your device added.",
            number,
        )


def verify_shuffle(
    text: str,
    kept: KeptShuffle | None,
    table: str,
    seat: int | None = None,
    seen: Sequence[Any] = (),
) -> ShuffleVerdict:
    """Verify the record of a finished game at a table with what this device has kept.

    `seat` is the device's own seat, `seen` the events that it witnessed there, in order: all of them, or
    those since moves were last taken back. `CheckFailed` if anything contradicts, `Uncheckable` if no
    commitment was kept and the record has none.
    """
    reading = read_record(text.encode())
    if reading.fault is not None:
        raise CheckFailed(phrase("the record can't be read: {reason}"), reason=reading.fault.message)
    record: AnyRecord = reading.whole
    try:
        checked = check_record(record)
    except Uncheckable as error:
        if kept is None:
            raise
        # A commitment was shown, so there must be a secret that matches it.
        raise CheckFailed(
            phrase("the record can't be checked: {reason}"), reason=error.message
        ) from None
    if checked.table != table:
        raise CheckFailed(
            phrase("the record is from a different table, {other}."), other=quote(checked.table)
        )
    if kept is not None and kept.commitment != checked.commitment:
        raise CheckFailed(
            phrase("the table showed the code {kept} before, but the record has {found}."),
            kept=kept.commitment,
            found=checked.commitment,
        )
    if not checked.is_finished:
        raise CheckFailed(phrase("the game is over, but the record stops before its end."))
    own = "" if seat is None or seat >= len(checked.contributions) else checked.contributions[seat]
    is_own = kept is not None and seat is not None and seat not in kept.claimed
    contributed = kept.contributions if kept is not None and is_own else ()
    if contributed and own not in contributed:
        raise CheckFailed(
            phrase("what your device added for seat {number} isn't in the record of the shuffle."),
            number=(seat or 0) + 1,
        )
    if seen and list(Match.resume(record).events_seen_by(seat))[-len(seen) :] != list(seen):
        raise CheckFailed(phrase("the record shows a different game from the one you saw."))
    return ShuffleVerdict(checked, kept is not None, bool(contributed))


def alarm(failure: CheckFailed, say: Language = ENGLISH) -> str:
    """Return the sentences that players get to read if a shuffle doesn't verify."""
    return say.sentences(
        [
            say(
                "WARNING: THE SHUFFLE OF THIS GAME FAILED THE CHECK. The server, or someone between "
                "it and you, has changed it."
            ),
            say("Reason: {reason}", reason=failure.said(say)),
        ]
    )


def check_record(record: AnyRecord) -> ShuffleCheck:
    """Check that a record follows from its own statement; `CheckFailed` if it doesn't."""
    said = _parse_statement(record)
    if said.promised != said.commitment:
        raise CheckFailed(
            phrase("the secret in the Luck line doesn't match its commitment {commitment}."),
            commitment=said.commitment,
        )
    if len(said.seats) != len(record.names):
        raise CheckFailed(
            phrase("the Luck line is for {seats} seats, but the game has {players} players."),
            seats=len(said.seats),
            players=len(record.names),
        )
    if said.begun > len(record.moves):
        raise CheckFailed(
            phrase(
                "the Luck line says that {begun} moves came from another game, but there are {moves}."
            ),
            begun=said.begun,
            moves=len(record.moves),
        )
    if any(undone.kept < said.begun for undone in record.undone):
        raise CheckFailed(phrase("moves that came from another game were taken back."))
    numbers = ChanceStreams(said.key(_describe_moves(record, said.begun)))
    return ShuffleCheck(
        said.table,
        said.commitment,
        tuple(added.hex() for added in said.seats),
        _check_outcomes(record, numbers, said.begun),
        said.begun,
        len(record.undone),
        record.result is not None,
        said.begun == 1 and _starts_with_start_player(record),
    )


def _starts_with_start_player(record: AnyRecord) -> bool:
    state, _ = next(iter(record.states()))
    turn = record.game.turn(state)
    return isinstance(turn, Chance) and turn.label == START


def _parse_statement(record: AnyRecord) -> _Statement:
    if record.given:
        raise Uncheckable(
            phrase("it has a Given line, so someone chose some of the outcomes in advance.")
        )
    if record.shuffle_statement is None:
        raise Uncheckable(phrase("it has no Luck line, so it doesn't say how it was shuffled."))
    version = record.shuffle_statement.split(" ")[0]
    if version != _VERSION:
        raise Uncheckable(
            phrase("its Luck line has version {version}, but this program only knows {known}."),
            version=quote(version),
            known=_VERSION,
        )
    found = _STATEMENT.fullmatch(record.shuffle_statement)
    if found is None:
        raise Uncheckable(
            phrase("its Luck line must look like this, with hex digits 0-9 a-f: {example}"),
            example=f"{_VERSION} table=… commitment=… secret=… seats=…",
        )
    seats = tuple(bytes.fromhex(word.replace("-", "")) for word in found["seats"].split(","))
    secret, begun = bytes.fromhex(found["secret"]), int(found["begun"] or 0)
    return _Statement(found["table"], found["commitment"], secret, seats, begun)


def _describe_moves(record: AnyRecord, moves: int) -> list[str]:
    """The moves taken over from another game, each after its actor: a seat from 1, or `-` for chance."""
    return [
        f"{'-' if move.actor is CHANCE else move.actor + 1} {record.game.write(move.action)}"
        for move in record.moves[:moves]
    ]


def _check_outcomes(record: AnyRecord, numbers: ChanceStreams, begun: int) -> int:
    """Recompute every chance outcome after the first `begun` moves; return how many there were.

    Lines of play that were taken back are checked too, in the order in which they happened: they used
    up random numbers, and what they revealed must come again.
    """
    checked, seen, done = 0, _Seen(), begun
    lines = record.lines_of_play()
    for line, following in zip(lines, [*record.undone, None], strict=True):
        checked += _check_line(replace(record, moves=line), numbers, seen, done)
        if following is not None:
            seen.add_line(replace(record, moves=line))
            done = following.kept
    return checked


def _check_line(record: AnyRecord, numbers: ChanceStreams, seen: _Seen, done: int) -> int:
    """Check one line of play from its move `done` on."""
    checked, drawn = 0, Counter[str]()
    for place, (state, move) in enumerate(record.states(), start=1):
        turn = record.game.turn(state)
        if move is None or move.actor is not CHANCE or not isinstance(turn, Chance):
            continue
        if place > done:
            expected = seen.outcome(turn, drawn)
            if expected is None:
                possible = seen.possible(turn, drawn)
                expected = possible.pick(numbers.below(possible.total, turn.label))
            if move.action != expected:
                raise _contradiction(record, place, turn, expected)
            checked += 1
        drawn[turn.label] += 1
    return checked


def _contradiction(record: AnyRecord, place: int, turn: Chance[Any], expected: Any) -> CheckFailed:
    write = record.game.write
    return CheckFailed(
        phrase(
            "move {number} ({stream}) is {found}, but the server's secret and what the players "
            "added give {expected}."
        ),
        number=place,
        stream=turn.label,
        found=write(record.moves[place - 1].action),
        expected=write(expected),
    )


class _Seen:
    """What chance had shown, stream by stream, when moves were taken back."""

    def __init__(self) -> None:
        self.streams: dict[str, list[Any]] = {}

    def add_line(self, record: AnyRecord) -> None:
        """Note the outcomes of a line of play; beyond them, a stream stays as it was."""
        shown: dict[str, list[Any]] = {}
        for state, move in record.states():
            turn = record.game.turn(state)
            if move is not None and isinstance(turn, Chance):
                shown.setdefault(turn.label, []).append(move.action)
        for label, outcomes in shown.items():
            self.streams[label] = outcomes + self.streams.get(label, [])[len(outcomes) :]

    def outcome(self, turn: Chance[Any], drawn: Counter[str]) -> Any | None:
        """The outcome that must come again, unless it is no longer possible."""
        for outcome in self.streams.get(turn.label, [])[drawn[turn.label] :][:1]:
            if outcome in turn.outcomes:
                return outcome
        return None

    def possible(self, turn: Chance[Any], drawn: Counter[str]) -> Chance[Any]:
        """The outcomes that can be new: not those seen in another stream of the pool."""
        kept = [
            outcome
            for label, outcomes in self.streams.items()
            if label != turn.label and label.partition(".")[0] == turn.pool
            for outcome in outcomes[drawn[label] :]
        ]
        left = turn.without(kept)
        return left if left.outcomes else turn


class ChanceStreams:
    """Random numbers of a game: one independent stream for each label."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self.taken: Counter[str] = Counter()

    def below(self, limit: int, label: str) -> int:
        """Return the next usable number of a stream; a certain outcome consumes none."""
        while limit > 1:
            text = label.encode() + struct.pack(">xQ", self.taken[label])
            self.taken[label] += 1
            (number,) = struct.unpack_from(">Q", hmac.new(self._key, text, hashlib.sha256).digest())
            if is_usable(number, limit):
                return int(number % limit)
        return 0


def is_usable(number: int, limit: int) -> bool:
    """Whether a 64-bit number is in a complete group of `limit` numbers, so that reduction is unbiased.

    >>> [is_usable(number, 6) for number in (0, 2**64 - 5, 2**64 - 4, 2**64 - 1)]
    [True, True, False, False]
    """
    return number - number % limit + limit <= 2**64
