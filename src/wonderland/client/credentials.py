"""What this machine remembers of distant tables: its secrets, one for each server, and where it sits.

The file is for its owner alone. It is replaced whole, so that a crash leaves the old one or the new one.
Each server gets a secret of its own: what one of them learns is of no use at another.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from wonderland.engine.errors import FileProblem
from wonderland.user_folders import data_folder

_MOST_TABLES = 500


class CredentialsFile(msgspec.Struct, omit_defaults=True):
    """What the file says."""

    devices: dict[str, str] = {}
    """The secret of this device, for each server."""
    seats: dict[str, list[int]] = {}
    """The seats that are held, for each table by its address, the one last used first."""
    name: str = ""
    """How its owner was last called."""


class Credentials:
    """The file, read anew whenever it is needed: other terminals write it too."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / "client.json"

    def device(self, server: str) -> str:
        """The secret of this device for a server; made when it is first asked for."""
        known = self._read().devices.get(server)
        if known is not None:
            return known
        with self._changing() as kept:
            return kept.devices.setdefault(server, secrets.token_urlsafe(32))

    def seats(self, address: str) -> list[int]:
        """The seats that this device has taken at a table, the one last used first."""
        return self._read().seats.get(address, [])

    def hold(self, address: str, seat: int) -> None:
        """Remember a seat, as the one last used."""
        self._change(address, lambda held: [seat, *(each for each in held if each != seat)])

    def forget(self, address: str, seat: int) -> None:
        """A seat is held no longer."""
        self._change(address, lambda held: [each for each in held if each != seat])

    @property
    def name(self) -> str:
        """How the owner of this machine was last called; empty if that is not known."""
        return self._read().name

    def call(self, name: str) -> None:
        """Remember a name."""
        with self._changing() as kept:
            kept.name = name

    def _change(self, address: str, change: Callable[[list[int]], list[int]]) -> None:
        with self._changing() as kept:
            held = change(kept.seats.pop(address, []))
            if held:
                kept.seats[address] = held
            while len(kept.seats) > _MOST_TABLES:  # the one that was used longest ago stands first
                del kept.seats[next(iter(kept.seats))]

    def _read(self) -> CredentialsFile:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=CredentialsFile)
        except FileNotFoundError:
            return CredentialsFile()
        except OSError as error:
            raise FileProblem(f"{self.path} can't be read: {error.strerror}.") from None
        except msgspec.MsgspecError:
            raise FileProblem(
                f"{self.path} is damaged: move it away, and the seats you hold are lost; or mend it."
            ) from None

    @contextmanager
    def _changing(self) -> Iterator[CredentialsFile]:
        """Read, let it be changed, and write, while no other process does."""
        fresh = self.path.with_name(f".{self.path.name}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise FileProblem(f"{self.path} can't be written: {error.strerror}.") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = self._read()
            yield kept
            _write(fresh, msgspec.json.format(msgspec.json.encode(kept)))
            fresh.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise FileProblem(f"{self.path} can't be written: {error.strerror}.") from None
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
