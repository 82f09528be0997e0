"""Fair shuffles: fixed before anyone sits down, hidden during the game, and verifiable afterwards.

A server has one key. The secret of a table is derived from that key and a nonce, so it is never stored;
a commitment to it is published before anyone sits down. Each player's device adds a contribution. The
secret and the contributions together determine every chance outcome. At the end the record reveals the
secret, and `wonderland verify` (which shares no code with this module) verifies everything.

docs/fairness.md states what this guarantees and what it doesn't, and specifies it with test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from wonderland.engine.errors import FileProblem, UsageError, quote
from wonderland.engine.language import Message, phrase
from wonderland.engine.protocol import CHANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from wonderland.engine.record_reader import AnyMatch

VERSION = "hmac-1"
"""Incremented whenever the same secret would give different numbers."""

LARGEST_LIMIT = 2**32
_BLOCK_NUMBERS = 2**64
_KEY = re.compile(rb"[0-9a-fA-F]{64}")
_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NONCE = re.compile(r"[!-~]{1,128}")
_CONTRIBUTION = re.compile(r"(?:[0-9a-f]{2}){16,32}")
_MAX_PATH_LENGTH = 300
_MAX_FILE_LENGTH = 1000


class _Hidden:
    """Base of values that must not leak into a text, a log, a traceback or a file."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: hidden>"

    def __getstate__(self) -> NoReturn:  # called by copy and pickle
        raise TypeError(f"a {type(self).__name__} is never copied or written out")


class Secret(_Hidden):
    """The secret of a table's shuffle, which only `reveal` shows, once the game is over."""

    __slots__ = ("_value", "commitment", "table")

    def __init__(self, table: str, value: bytes) -> None:
        if len(value) != 32:
            raise ValueError("a secret must have 32 bytes")
        self._value = value
        self.table = _check_table(table)
        prefix = f"wonderland commitment\0{VERSION}\0{table}\0".encode()
        self.commitment = hashlib.sha256(prefix + value).hexdigest()
        """Published before anyone sits down: it binds the server to this secret without revealing it."""

    def reveal(self) -> str:
        """The secret itself, as 64 hex digits."""
        return self._value.hex()

    def mixed_key(self, contributions: Sequence[str | None], begun: Sequence[str] = ()) -> bytes:
        """The key of the table's chance source; `FairChance` documents its derivation."""
        given = [
            b"" if text is None else bytes.fromhex(validate_contribution(text)) for text in contributions
        ]
        seats = b"".join(bytes([len(one)]) + one for one in given)
        prefix = f"wonderland luck\0{VERSION}\0{self.table}\0".encode()
        moves = "".join(f"{text}\0" for text in ("begun", *begun)).encode() if begun else b""
        return hmac.digest(self._value, prefix + seats + moves, "sha256")


class ServerKey(_Hidden):
    """The 32 random bytes that the secrets of all tables of a server are derived from."""

    __slots__ = ("_value",)

    def __init__(self, value: bytes) -> None:
        if len(value) != 32:
            raise ValueError("a server key must have 32 bytes")
        self._value = value

    @classmethod
    def from_text(cls, text: str) -> ServerKey:
        """Parse a key from 64 hex digits."""
        value = _parse_key(text.encode(errors="replace"))
        del text  # tracebacks can show variables, and a mistyped key gives most of the key away
        if value is None:
            raise UsageError(
                phrase("the server key must be 64 hex digits. Check --key or WONDERLAND_KEY.")
            )
        return cls(value)

    @classmethod
    def load(cls, path: str | Path) -> ServerKey:
        """Read the key from a file, after creating the file with a new key if it is missing.

        A new key is completely on disk before the file gets its name. If several processes do this at
        once, one succeeds and the others read its key.
        """
        path = Path(path)
        try:
            if not path.exists():
                _create_key_file(path)
            value = _read_key_file(path)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or Message(phrase("invalid file name"))
            shown = quote(str(path), _MAX_PATH_LENGTH)
            raise FileProblem(
                phrase("the server key in {file} can't be read or created: {reason}."),
                file=shown,
                reason=reason,
            ) from None
        if value is None:
            raise FileProblem(
                phrase(
                    "{file} doesn't contain a server key, which is 64 hex digits. Choose another file, "
                    "or a new one to create a key."
                ),
                file=quote(str(path), _MAX_PATH_LENGTH),
            )
        return cls(value)

    @property
    def fingerprint(self) -> str:
        """Identifies the key without revealing anything about it."""
        return hmac.digest(self._value, b"wonderland fingerprint", "sha256")[:8].hex()

    def keyed_hash(self, what: str, text: str) -> str:
        """The HMAC of a text, which can't be brute-forced without the key."""
        return hmac.digest(self._value, f"wonderland {what}\0{text}".encode(), "sha256").hex()

    def secret(self, table: str, nonce: str) -> Secret:
        """Derive the secret of a table from a nonce, which may be public."""
        if not _NONCE.fullmatch(nonce):
            raise ValueError("a nonce must be 1 to 128 visible ASCII characters")
        prefix = f"wonderland secret\0{_check_table(table)}\0{nonce}".encode()
        return Secret(table, hmac.digest(self._value, prefix, "sha256"))


def _check_table(table: str) -> str:
    if not _TABLE.fullmatch(table):
        raise ValueError(f"a table id must be 1 to 64 letters, digits, - and _, not {quote(table)}")
    return table


def _parse_key(text: bytes) -> bytes | None:
    digits = text.strip()
    return bytes.fromhex(digits.decode()) if _KEY.fullmatch(digits) else None


def _read_key_file(path: Path) -> bytes | None:
    with path.open("rb") as file:
        return _parse_key(file.read(_MAX_FILE_LENGTH))


def _create_key_file(path: Path) -> None:
    """Write a key to a temporary file, then link it into place unless another process was faster."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            os.write(file, f"{secrets.token_hex(32)}\n".encode())
            os.fsync(file)
        finally:
            os.close(file)
        with suppress(FileExistsError):
            os.link(fresh, path)  # unlike a rename, this never replaces an existing file
    finally:
        fresh.unlink()
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return  # not supported on this system
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class FairChance(_Hidden):
    """The chance source of one table, keyed by its secret and the players' contributions.

    The key is HMAC-SHA-256, keyed with the secret, of these bytes one after the other:
    `wonderland luck`, a zero byte, the version, a zero byte, the table, a zero byte; then, for each seat
    in order, one byte with the length of its contribution (0 for a bot, otherwise 16 to 32) and the
    contribution itself. If the table continues from moves made elsewhere, there follow `begun` and each
    of those moves, all terminated by a zero byte, so that a key is specific to one past.

    Each label has a stream of blocks: block n is HMAC-SHA-256, with that key, of the label in UTF-8, a
    zero byte, and n as 8 big-endian bytes; n starts at 0. A draw below a limit takes the next block and
    reads its first 8 bytes as a big-endian number. If that is at least the largest multiple of the limit
    that is not above 2**64, the next block is tried (rejection sampling); otherwise the draw is the
    number modulo the limit. A draw below 1 is certain and takes no block.

    An undo returns no blocks: what was drawn stays revealed and is not drawn again (`Match.take_back`).
    `resume` gives the source at any point of a match.
    """

    __slots__ = ("_key", "_used")

    def __init__(
        self,
        secret: Secret,
        contributions: Sequence[str | None],
        used: Mapping[str, int] | None = None,
        begun: Sequence[str] = (),
    ) -> None:
        self._key = secret.mixed_key(contributions, begun)
        self._used = dict(used or {})

    def fork(self) -> FairChance:
        """An independent copy at the same point."""
        chance = FairChance.__new__(FairChance)
        chance._key, chance._used = self._key, self._used.copy()  # noqa: SLF001 - a second constructor
        return chance

    @property
    def used(self) -> dict[str, int]:
        """The number of blocks taken per label, including rejected ones."""
        return dict(self._used)

    def below(self, limit: int, label: str) -> int:
        """A uniformly distributed number from 0 up to but not including `limit`."""
        if not 1 <= limit <= LARGEST_LIMIT:
            raise ValueError(f"the limit must be from 1 to 2**32, not {quote(limit)}")
        if limit == 1:
            return 0
        number, taken = draw_number(lambda n: self._block(label, n), self._used.get(label, 0), limit)
        self._used[label] = taken
        return number

    def _block(self, label: str, counter: int) -> bytes:
        return hmac.digest(self._key, label.encode() + b"\0" + counter.to_bytes(8, "big"), "sha256")


def draw_number(block: Callable[[int], bytes], counter: int, limit: int) -> tuple[int, int]:
    """The number below `limit` given by the blocks from `counter` on, and the counter after it.

    >>> blocks = [bytes([255] * 32), bytes([0] * 7 + [8] + [0] * 24)]
    >>> draw_number(blocks.__getitem__, 0, 6)  # the first block is rejected
    (2, 2)
    """
    refused = _BLOCK_NUMBERS - _BLOCK_NUMBERS % limit
    while True:
        number = int.from_bytes(block(counter)[:8], "big")
        counter += 1
        if number < refused:
            return number % limit, counter


def resume(
    secret: Secret,
    contributions: Sequence[str | None],
    draws: Iterable[tuple[str, int]],
    begun: Sequence[str] = (),
) -> FairChance:
    """The chance source of a table after these draws (label and limit of each)."""
    chance = FairChance(secret, contributions, begun=begun)
    for label, limit in draws:
        chance.below(limit, label)
    return chance


def past_draws(match: AnyMatch, begun: int) -> Iterator[tuple[str, int]]:
    """The label and limit of each draw of a match in which nothing was taken back.

    The first `begun` moves were made elsewhere.
    """
    replayed = match.fork()
    replayed.rewind(begun)
    for move in match.moves[begun:]:
        if move.actor is CHANCE and (draw := replayed.next_draw()) is not None:
            yield draw
        replayed.apply(move.actor, move.action)


def validate_contribution(text: str) -> str:
    """Return the contribution of a player's device; `UsageError` if it is malformed."""
    if not _CONTRIBUTION.fullmatch(text):
        raise UsageError(
            phrase(
                "a player's contribution to the shuffle must be 32 to 64 hex digits (0-9 a-f), an "
                "even number."
            )
        )
    return text


def statement(secret: Secret, contributions: Sequence[str | None], begun: int = 0) -> str:
    """The fairness line of a record. It reveals the secret, so the game must be over.

    `begun` is the number of first moves that were made elsewhere.
    """
    seats = ",".join("-" if text is None else validate_contribution(text) for text in contributions)
    known = f"{VERSION} table={secret.table} commitment={secret.commitment}"
    given = f" begun={begun}" if begun else ""
    return f"{known} secret={secret.reveal()} seats={seats}{given}"
