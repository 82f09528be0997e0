"""Verify that a recorded game was shuffled fairly, for `wonderland verify`.

The point is to catch a cheating server, so this module shares no code with the server: it reads the
statement in the record and derives the chance outcomes independently, as specified in docs/records.md.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import re
import struct
import sys
from collections import Counter
from collections.abc import Sequence

from wonderland.engine.errors import FileProblem, NotationError, WonderlandError, quote
from wonderland.engine.protocol import LUCK, Chance
from wonderland.engine.record_reader import AnyRecord, Reading, read_record
from wonderland.engine.values import Value
from wonderland.terminal import record_files

STANDARD_INPUT = "-"
FAILED = 1
UNCHECKED = 2

_VERSION = "hmac-1"
_SEAT = "(?:-|(?:[0-9a-f]{2}){16,32})"
_STATEMENT = re.compile(
    r"hmac-1 table=(?P<table>[A-Za-z0-9_-]{1,64}) commitment=(?P<commitment>[0-9a-f]{64}) "
    rf"secret=(?P<secret>[0-9a-f]{{64}}) seats=(?P<seats>{_SEAT}(?:,{_SEAT})*)"
    r"(?: begun=(?P<begun>[1-9][0-9]{0,5}))?"
)


class CheckFailed(WonderlandError):  # noqa: N818 - named after the verdict that is printed
    """A record that contradicts its commitment."""


def verify(options: argparse.Namespace) -> int:
    """Check each record and print a one-line verdict; the exit code is that of the worst."""
    codes = {_verify_file(name) for name in options.files}
    return next((code for code in (FAILED, UNCHECKED) if code in codes), 0)


def _verify_file(name: str) -> int:
    shown = "standard input" if name == STANDARD_INPUT else name if name.isprintable() else repr(name)
    try:
        reading = _load(name)
        if reading.record is None or reading.fault is not None:
            raise NotationError(f"{shown}, {reading.fault}")  # noqa: TRY301 - reported below
        sys.stdout.write(f"{shown}: {check(reading.record)}\n")
    except CheckFailed as failure:
        sys.stdout.write(f"{shown}: FAILED: {failure}\n")
        return FAILED
    except _Uncheckable as error:
        return _report_unchecked(f"{shown} can't be checked: {error}")
    except (FileProblem, NotationError) as error:
        return _report_unchecked(str(error))
    return 0


def _load(name: str) -> Reading:
    return read_record(sys.stdin.buffer.read()) if name == STANDARD_INPUT else record_files.load(name)


def _report_unchecked(sentence: str) -> int:
    sys.stdout.flush()  # so that earlier verdicts appear first
    sys.stderr.write(f"wonderland: {sentence}\n")
    return UNCHECKED


class _Uncheckable(WonderlandError):  # noqa: N818 - carries a sentence, never leaves this module
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


def check(record: AnyRecord) -> str:
    """Return the verdict on a fairly shuffled record; raise `CheckFailed` if it wasn't."""
    said = _parse_statement(record)
    if said.promised != said.commitment:
        raise CheckFailed(
            f"the secret in the Luck line does not belong to its commitment {said.commitment}."
        )
    if len(said.seats) != len(record.names):
        raise CheckFailed(f"the Luck line is for {len(said.seats)} seats, but {len(record.names)} play.")
    if said.begun > len(record.moves):
        raise CheckFailed(
            f"the Luck line says that {said.begun} moves were given, but there are {len(record.moves)}."
        )
    checked = _check_outcomes(
        record, ChanceStreams(said.key(_describe_moves(record, said.begun))), said.begun
    )
    so_far = "ok" if record.result else "ok so far, though the game is unfinished"
    added = "what the players added" if any(said.seats) else "nothing else, as no player added anything"
    outcomes = "1 outcome of luck follows" if checked == 1 else f"{checked} outcomes of luck follow"
    return (
        f"{so_far}: {_of_the_beginning(said.begun)}{outcomes} from the secret and {added}; "
        f"compare the commitment with the one shown before the game: {said.commitment}"
    )


def _of_the_beginning(moves: int) -> str:
    if not moves:
        return ""
    first = "first move was" if moves == 1 else f"first {moves} moves were"
    return f"the {first} given, as the table went on from another game; after that "


def _parse_statement(record: AnyRecord) -> _Statement:
    if record.given:
        raise _Uncheckable(
            "it has a Given line, and luck that was given in advance was chosen by somebody."
        )
    if record.luck is None:
        raise _Uncheckable("it has no Luck line, so it does not say where its luck came from.")
    version = record.luck.split(" ")[0]
    if version != _VERSION:
        raise _Uncheckable(
            f"its luck is of version {quote(version)}, and this program knows {_VERSION}."
        )
    found = _STATEMENT.fullmatch(record.luck)
    if found is None:
        raise _Uncheckable(
            f"its Luck line is not '{_VERSION} table=… commitment=… secret=… seats=…' "
            "with hex digits 0-9 a-f."
        )
    seats = tuple(bytes.fromhex(word.replace("-", "")) for word in found["seats"].split(","))
    secret, begun = bytes.fromhex(found["secret"]), int(found["begun"] or 0)
    return _Statement(found["table"], found["commitment"], secret, seats, begun)


def _describe_moves(record: AnyRecord, moves: int) -> list[str]:
    """The moves taken over from another game, each after its actor: a seat from 1, or `-` for chance."""
    return [
        f"{'-' if move.actor is LUCK else move.actor + 1} {record.game.write(move.action)}"
        for move in record.moves[:moves]
    ]


def _check_outcomes(record: AnyRecord, numbers: ChanceStreams, begun: int) -> int:
    """Recompute every chance outcome after the first `begun` moves; return how many there were."""
    checked = 0
    for place, (state, move) in enumerate(record.states(), start=1):
        turn = record.game.turn(state)
        if move is None or move.actor is not LUCK or not isinstance(turn, Chance) or place <= begun:
            continue
        expected = turn.pick(numbers.below(turn.total, turn.label))
        if move.action != expected:
            write = record.game.write
            raise CheckFailed(
                f"move {place} ({turn.label}) is {write(move.action)}, but the secret and what the "
                f"players added give {write(expected)}."
            )
        checked += 1
    return checked


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
