"""The credentials file: what this machine keeps about servers and remote tables.

That is its secret for each server, the seats it holds, and what it needs to verify their shuffles.

Only its owner can read it. It is replaced atomically, so that a crash leaves either the old file or the
new one. Each server gets its own secret, which is useless at any other.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from wonderland.client.shuffle import KeptShuffle
from wonderland.engine.errors import FileProblem
from wonderland.engine.language import phrase
from wonderland.user_folders import data_folder

_MAX_TABLES = 500
_MAX_CONTRIBUTIONS = 20
"""At one table; a device adds one each time that somebody sits down."""


class CredentialsFile(msgspec.Struct, omit_defaults=True):
    """The contents of the file."""

    devices: dict[str, str] = {}
    """The device secret for each server."""
    seats: dict[str, list[int]] = {}
    """The seats held at each table, by its address, most recently used first."""
    name: str = ""
    """The name last used by the owner."""
    shuffles: dict[str, KeptShuffle] = {}
    """What was kept of the shuffle of each table, by its address, most recently used last."""


class Credentials:
    """The credentials file; never cached, as other terminals write it too."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / "client.json"

    def device(self, server: str) -> str:
        """Return the device secret for a server; generate it on first use."""
        known = self._read().devices.get(server)
        if known is not None:
            return known
        with self._editing() as contents:
            return contents.devices.setdefault(server, secrets.token_urlsafe(32))

    def seats(self, address: str) -> list[int]:
        """The seats that this device holds at a table, most recently used first."""
        return self._read().seats.get(address, [])

    def remember_seat(self, address: str, seat: int) -> None:
        """Remember a seat as the most recently used."""
        self._update_seats(address, lambda held: [seat, *(each for each in held if each != seat)])

    def forget(self, address: str, seat: int) -> None:
        """Forget a seat that is no longer held."""
        self._update_seats(address, lambda held: [each for each in held if each != seat])

    def shuffle(self, address: str) -> KeptShuffle | None:
        """What was kept of the shuffle of a table, if this device was there before the end."""
        return self._read().shuffles.get(address)

    def keep_shuffle(
        self, address: str, commitment: str, contribution: str = "", claimed: int | None = None
    ) -> KeptShuffle:
        """Keep the commitment that a table shows, unless an earlier one was kept.

        What this device contributed, or a seat that it takes over, is added.
        """
        with self._editing() as contents:
            kept = contents.shuffles.pop(address, KeptShuffle(commitment))
            added = (*kept.contributions, *([contribution] if contribution else []))
            taken = (*kept.claimed, *([] if claimed is None else [claimed]))
            kept = KeptShuffle(kept.commitment, added[-_MAX_CONTRIBUTIONS:], taken[-_MAX_CONTRIBUTIONS:])
            contents.shuffles[address] = kept
            while len(contents.shuffles) > _MAX_TABLES:
                del contents.shuffles[next(iter(contents.shuffles))]
            return kept

    @property
    def name(self) -> str:
        """The name last used by the owner; empty if unknown."""
        return self._read().name

    def remember_name(self, name: str) -> None:
        """Remember a name."""
        with self._editing() as contents:
            contents.name = name

    def _update_seats(self, address: str, change: Callable[[list[int]], list[int]]) -> None:
        with self._editing() as contents:
            held = change(contents.seats.pop(address, []))
            if held:
                contents.seats[address] = held
            while len(contents.seats) > _MAX_TABLES:  # evict the least recently used, which comes first
                del contents.seats[next(iter(contents.seats))]

    def _read(self) -> CredentialsFile:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=CredentialsFile)
        except FileNotFoundError:
            return CredentialsFile()
        except OSError as error:
            raise FileProblem(
                phrase("{file} can't be read: {reason}."), file=self.path, reason=error.strerror
            ) from None
        except msgspec.MsgspecError:
            raise FileProblem(
                phrase("{file} is damaged. Repair it, or delete it and give up your seats."),
                file=self.path,
            ) from None

    @contextmanager
    def _editing(self) -> Iterator[CredentialsFile]:
        """Read the file, let the caller change its contents, and write it, under an exclusive lock."""
        fresh = self.path.with_name(f".{self.path.name}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise FileProblem(
                phrase("{file} can't be written: {reason}."), file=self.path, reason=error.strerror
            ) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            contents = self._read()
            yield contents
            _write(fresh, msgspec.json.format(msgspec.json.encode(contents)))
            fresh.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise FileProblem(
                phrase("{file} can't be written: {reason}."), file=self.path, reason=error.strerror
            ) from None
        finally:
            os.close(lock)


def _write(path: Path, text: bytes) -> None:
    with suppress(FileNotFoundError):
        path.unlink()
    file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)  # never readable by others
    try:
        os.write(file, text)
        os.fsync(file)
    finally:
        os.close(file)
