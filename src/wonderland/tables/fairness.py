"""Fair chance: luck that is fixed before anyone sits down, hidden while they play, and shown at the end.

A server has one key. The secret of a table comes from that key and a nonce, so it is stored nowhere; its
commitment is shown before anyone sits down. Each player's device adds a contribution. Secret and
contributions together give the numbers that luck decides by. At the end the secret is shown in the
record, and `wonderland verify` (which shares no code with this file) checks everything again.

docs/fairness.md says what this promises and what not; docs/records.md has numbers to check against.
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

VERSION = "hmac-1"
"""Raised whenever the same secret would give other numbers."""

LARGEST_LIMIT = 2**32
_NUMBERS = 2**64
_KEY = re.compile(rb"[0-9a-fA-F]{64}")
_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NONCE = re.compile(r"[!-~]{1,128}")
_CONTRIBUTION = re.compile(r"(?:[0-9a-f]{2}){16,32}")
_LONGEST_PATH = 300
_LONGEST_FILE = 1000


class _Hidden:
    """What must not show: not in a text, a log, a traceback or a file."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: hidden>"

    def __getstate__(self) -> NoReturn:  # what copying and pickling ask
        raise TypeError(f"a {type(self).__name__} is never copied or written out")


class Secret(_Hidden):
    """What the luck of a table comes from; `reveal`, at the end of its game, is how to read it."""

    __slots__ = ("_value", "commitment", "table")

    def __init__(self, table: str, value: bytes) -> None:
        if len(value) != 32:
            raise ValueError("a secret has 32 bytes")
        self._value = value
        self.table = _checked_table(table)
        said = f"wonderland commitment\0{VERSION}\0{table}\0".encode()
        self.commitment = hashlib.sha256(said + value).hexdigest()
        """Shown before anyone sits down: no other secret has it, and it tells nothing of this one."""

    def reveal(self) -> str:
        """The secret itself, as 64 hex digits."""
        return self._value.hex()

    def mixed_key(self, contributions: Sequence[str | None], begun: Sequence[str] = ()) -> bytes:
        """The key of the table's luck; `FairLuck` says how it is made."""
        given = [
            b"" if text is None else bytes.fromhex(validate_contribution(text)) for text in contributions
        ]
        seats = b"".join(bytes([len(one)]) + one for one in given)
        said = f"wonderland luck\0{VERSION}\0{self.table}\0".encode()
        moves = "".join(f"{text}\0" for text in ("begun", *begun)).encode() if begun else b""
        return hmac.digest(self._value, said + seats + moves, "sha256")


class ServerKey(_Hidden):
    """The 32 random bytes of a server that the secrets of all its tables come from."""

    __slots__ = ("_value",)

    def __init__(self, value: bytes) -> None:
        if len(value) != 32:
            raise ValueError("the key of a server has 32 bytes")
        self._value = value

    @classmethod
    def from_text(cls, text: str) -> ServerKey:
        """The key that 64 hex digits stand for."""
        value = _key_in(text.encode(errors="replace"))
        del text  # tracebacks can show variables, and most of a mistyped key is a key
        if value is None:
            raise UsageError("the key of a server is 64 hex digits, and what was given is not.")
        return cls(value)

    @classmethod
    def load(cls, path: str | Path) -> ServerKey:
        """The key in a file; if there is no such file, a new key is put there first.

        The new key is whole and on the disk before it gets its name, which only one of several processes
        can give it: the others then read that one's.
        """
        path = Path(path)
        try:
            if not path.exists():
                _put_new_key(path)
            value = _key_in_file(path)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no file can have that name"
            shown = quote(str(path), _LONGEST_PATH)
            raise FileProblem(f"the key in {shown} can't be read or made: {reason}.") from None
        if value is None:
            raise FileProblem(
                f"{quote(str(path), _LONGEST_PATH)} does not hold the key of a server, "
                "which is 64 hex digits."
            )
        return cls(value)

    @property
    def fingerprint(self) -> str:
        """Says which key it is, and nothing about it."""
        return hmac.digest(self._value, b"wonderland fingerprint", "sha256")[:8].hex()

    def keyed_hash(self, what: str, text: str) -> str:
        """The hash of a text that nobody can try out who has not got this key."""
        return hmac.digest(self._value, f"wonderland {what}\0{text}".encode(), "sha256").hex()

    def secret(self, table: str, nonce: str) -> Secret:
        """The secret of a table: always the same for the same nonce, which may be known to all."""
        if not _NONCE.fullmatch(nonce):
            raise ValueError("a nonce is 1 to 128 visible characters of ASCII")
        said = f"wonderland secret\0{_checked_table(table)}\0{nonce}".encode()
        return Secret(table, hmac.digest(self._value, said, "sha256"))


def _checked_table(table: str) -> str:
    if not _TABLE.fullmatch(table):
        raise ValueError(f"{quote(table)} is no table: that is 1 to 64 letters, digits, - and _")
    return table


def _key_in(text: bytes) -> bytes | None:
    digits = text.strip()
    return bytes.fromhex(digits.decode()) if _KEY.fullmatch(digits) else None


def _key_in_file(path: Path) -> bytes | None:
    with path.open("rb") as file:
        return _key_in(file.read(_LONGEST_FILE))


def _put_new_key(path: Path) -> None:
    """Write a key under a name of its own, then give it the right one, unless somebody was quicker."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            os.write(file, f"{secrets.token_hex(32)}\n".encode())
            os.fsync(file)
        finally:
            os.close(file)
        with suppress(FileExistsError):
            os.link(fresh, path)  # unlike renaming, this never takes the place of another
    finally:
        fresh.unlink()
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return  # a system that has no such thing
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class FairLuck(_Hidden):
    """The luck of one table, from its secret and what each player's device added to it.

    The key is HMAC-SHA-256, keyed with the secret, of these bytes one after the other:
    `wonderland luck`, a zero byte, the version, a zero byte, the table, a zero byte; then for each seat
    in order one byte that says how many bytes it contributed (0 for a bot, otherwise 16 to 32), and
    those bytes. Where the table goes on from a play that was `begun` elsewhere there follow `begun`, a
    zero byte, and its moves, each with a zero byte behind it: luck made for one past fits no other.

    Each label has a stream of blocks: block n is HMAC-SHA-256, with that key, of the label in UTF-8, a
    zero byte, and n as 8 bytes, high byte first; n begins at 0. A draw below a limit takes the next
    block, whose first 8 bytes are a number, high byte first. If that is at least the largest multiple of
    the limit that is not above 2**64, the next block is tried; otherwise the draw is the number modulo
    the limit. A draw below 1 takes no block: what is certain uses up no luck.

    Going back in a play does not give blocks back; `resumed` gives the luck of any point of it.
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

    def fork(self) -> FairLuck:
        """The same luck, which can go on by itself."""
        luck = FairLuck.__new__(FairLuck)
        luck._key, luck._used = self._key, self._used.copy()  # noqa: SLF001 - a second constructor
        return luck

    @property
    def used(self) -> dict[str, int]:
        """How many blocks of each label have been taken, those that were tried in vain included."""
        return dict(self._used)

    def below(self, limit: int, label: str) -> int:
        """A number from 0 up to but not including `limit`, each as likely as any other."""
        if not 1 <= limit <= LARGEST_LIMIT:
            raise ValueError(f"the limit is a number from 1 to 2**32, not {quote(limit)}")
        if limit == 1:
            return 0
        number, taken = draw_number(lambda n: self._block(label, n), self._used.get(label, 0), limit)
        self._used[label] = taken
        return number

    def _block(self, label: str, counter: int) -> bytes:
        return hmac.digest(self._key, label.encode() + b"\0" + counter.to_bytes(8, "big"), "sha256")


def draw_number(block: Callable[[int], bytes], counter: int, limit: int) -> tuple[int, int]:
    """The number below `limit` that the blocks from `counter` on give, and the counter after it.

    >>> blocks = [bytes([255] * 32), bytes([0] * 7 + [8] + [0] * 24)]
    >>> draw_number(blocks.__getitem__, 0, 6)  # the first is above the last whole six
    (2, 2)
    """
    refused = _NUMBERS - _NUMBERS % limit
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
) -> FairLuck:
    """The luck that goes on from where these draws (label and limit of each) have been made."""
    luck = FairLuck(secret, contributions, begun=begun)
    for label, limit in draws:
        luck.below(limit, label)
    return luck


def validate_contribution(text: str) -> str:
    """What a player's device adds to the luck; `UsageError` if it is not what it should be."""
    if not _CONTRIBUTION.fullmatch(text):
        raise UsageError("what a player adds to the luck is 32 to 64 hex digits, in pairs: 0-9 a-f.")
    return text


def statement(secret: Secret, contributions: Sequence[str | None], begun: int = 0) -> str:
    """What a record says about its luck. It shows the secret: only for a game that is over.

    `begun` is how many of its first moves were made elsewhere.
    """
    seats = ",".join("-" if text is None else validate_contribution(text) for text in contributions)
    known = f"{VERSION} table={secret.table} commitment={secret.commitment}"
    given = f" begun={begun}" if begun else ""
    return f"{known} secret={secret.reveal()} seats={seats}{given}"
