"""Checks that nobody chose the luck of a recorded game, for `wonderland verify`.

It is there to catch a server that does not keep its word, so it shares nothing with what servers run:
it reads the statement of a record and makes the numbers of luck on its own, as docs/records.md tells.
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


class CheckFailed(WonderlandError):  # noqa: N818 - it states a fact, as a player would
    """A record that does not keep what its commitment promised."""


def verify(options: argparse.Namespace) -> int:
    """Check each record and say in one line what came of it."""
    codes = {_verified(name) for name in options.files}
    return next((code for code in (FAILED, UNCHECKED) if code in codes), 0)


def _verified(name: str) -> int:
    shown = "standard input" if name == STANDARD_INPUT else name if name.isprintable() else repr(name)
    try:
        reading = _load(name)
        if reading.record is None or reading.fault is not None:
            raise NotationError(f"{shown}, {reading.fault}")  # noqa: TRY301 - said below
        sys.stdout.write(f"{shown}: {check(reading.record)}\n")
    except CheckFailed as failure:
        sys.stdout.write(f"{shown}: FAILED: {failure}\n")
        return FAILED
    except _Uncheckable as error:
        return _complain(f"{shown} can't be checked: {error}")
    except (FileProblem, NotationError) as error:
        return _complain(str(error))
    return 0


def _load(name: str) -> Reading:
    return read_record(sys.stdin.buffer.read()) if name == STANDARD_INPUT else record_files.load(name)


def _complain(sentence: str) -> int:
    sys.stdout.flush()  # what was found so far comes first
    sys.stderr.write(f"wonderland: {sentence}\n")
    return UNCHECKED


class _Uncheckable(WonderlandError):  # noqa: N818 - carries a sentence, never leaves this module
    """A record that can be read but says too little, or too much, to be checked."""


class _Statement(Value, frozen=True):
    """What the Luck line of a record says."""

    table: str
    commitment: str
    secret: bytes
    seats: tuple[bytes, ...]
    """What each seat added; nothing for a bot."""
    begun: int
    """How many moves were made elsewhere, before the table went on from them."""

    @property
    def promised(self) -> str:
        """The commitment that belongs to this secret."""
        said = b"\0".join(
            [b"wonderland commitment", _VERSION.encode(), self.table.encode(), self.secret]
        )
        return hashlib.sha256(said).hexdigest()

    def key(self, begun: Sequence[str]) -> bytes:
        """What all numbers of this play come from, if it went on from these moves."""
        mixed = hmac.new(self.secret, digestmod=hashlib.sha256)
        for word in ("wonderland luck", _VERSION, self.table):
            mixed.update(word.encode() + b"\0")
        for added in self.seats:
            mixed.update(struct.pack("B", len(added)) + added)
        for word in ("begun", *begun) if begun else ():
            mixed.update(word.encode() + b"\0")
        return mixed.digest()


def check(record: AnyRecord) -> str:
    """What can be said of a record whose luck is as promised; raises if it is not."""
    said = _statement_of(record)
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
    checked = _check_outcomes(record, ChanceStreams(said.key(_begun(record, said.begun))), said.begun)
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


def _statement_of(record: AnyRecord) -> _Statement:
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


def _begun(record: AnyRecord, moves: int) -> list[str]:
    """The moves that a table went on from, each with who made it: a seat from 1 on, or luck."""
    return [
        f"{'-' if move.actor is LUCK else move.actor + 1} {record.game.write(move.action)}"
        for move in record.moves[:moves]
    ]


def _check_outcomes(record: AnyRecord, numbers: ChanceStreams, begun: int) -> int:
    """Go through the moves after those and let luck decide again; gives how often it did."""
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
    """The numbers of luck, stream by stream."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self.taken: Counter[str] = Counter()

    def below(self, limit: int, label: str) -> int:
        """The next number of a stream that can be used; none is taken for what is certain."""
        while limit > 1:
            text = label.encode() + struct.pack(">xQ", self.taken[label])
            self.taken[label] += 1
            (number,) = struct.unpack_from(">Q", hmac.new(self._key, text, hashlib.sha256).digest())
            if is_usable(number, limit):
                return int(number % limit)
        return 0


def is_usable(number: int, limit: int) -> bool:
    """Whether a number of 64 bits lies in a full group of `limit` numbers, so that all are as likely.

    >>> [is_usable(number, 6) for number in (0, 2**64 - 5, 2**64 - 4, 2**64 - 1)]
    [True, True, False, False]
    """
    return number - number % limit + limit <= 2**64
