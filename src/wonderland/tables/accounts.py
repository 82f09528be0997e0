"""People who want ratings: a name on this server that belongs to a few devices and a recovery code.

A person is one thing on the shelf. Beside it lie pointers: from a device, a code and a name to the
person. A pointer counts only if the person agrees with it, so it does no harm if one is left behind.
Nothing on the shelf opens anything: devices and codes stand there as hashes, that of the code keyed with
the server's key.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable
from typing import NoReturn

import msgspec

from wonderland.engine.errors import NotationError
from wonderland.engine.record import validate_names
from wonderland.tables.fairness import ServerKey
from wonderland.tables.storage.documents import DocumentStore, now
from wonderland.tables.storage.interface import Storage
from wonderland.wire.problems import Refusal

PERSON, NAME, DEVICE, CODE = "person", "person.name", "person.device", "person.code"
"""What people and the pointers to them are on the shelf."""
MOST_PEOPLE = 100_000
MOST_DEVICES = 10
"""Of one person: a further one takes the place of the oldest."""
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's: no letter of it is taken for another, or for a digit."""
_GROUPS, _GROUP = 4, 5
"""Of a code: 20 letters, which are 100 bits."""
_MISREAD = str.maketrans("OIL", "011")


class Device(msgspec.Struct, frozen=True):
    """A device that a person is signed in with, by the hash of its secret."""

    hash: str
    since: int
    """In milliseconds since 1970."""


class Account(msgspec.Struct, frozen=True):
    """Somebody who wants ratings."""

    id: str
    name: str
    made: int
    code: str
    """The keyed hash of the recovery code."""
    devices: tuple[Device, ...]

    def has(self, device: str) -> bool:
        """Whether a device is signed in."""
        return any(each.hash == device for each in self.devices)

    def with_device(self, device: str) -> Account:
        """The same person, signed in there too."""
        if self.has(device):
            return self
        devices = (*self.devices, Device(device, now()))[-MOST_DEVICES:]
        return msgspec.structs.replace(self, devices=devices)

    def without(self, gone: Callable[[str], bool]) -> Account:
        """The same person, signed out of these devices."""
        kept = tuple(each for each in self.devices if not gone(each.hash))
        return msgspec.structs.replace(self, devices=kept)


_written = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(Account).decode


def normalise_name(name: str) -> str:
    """What two names have in common that people would take for one.

    >>> normalise_name("\uff21LICE") == normalise_name("Alice")  # the first letter is a wide one
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def new_code() -> str:
    """A recovery code, in groups that can be read out."""
    groups = ("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def normalise_code(code: str) -> str:
    """A code as somebody wrote it down, without what may differ.

    >>> normalise_code("7k3qm x9tzo il2ab cdefg")
    '7K3QMX9TZ0112ABCDEFG'
    """
    return re.sub(r"[\s-]", "", code).upper().translate(_MISREAD)


class Accounts:
    """Everyone on one server who has a name for the ratings."""

    def __init__(self, storage: Storage, key: ServerKey) -> None:
        self._storage, self._key = storage, key

    @property
    def _shelf(self) -> DocumentStore:
        return self._storage.shelf

    def _hashed(self, code: str) -> str:
        return self._key.keyed_hash("recovery code", normalise_code(code))

    async def known(self, person: str) -> Account | None:
        """The person of this id, if there still is one."""
        body = await self._shelf.get(PERSON, person)
        return None if body is None else _read(body)

    async def of(self, device: str) -> Account | None:
        """Who is signed in with a device."""
        pointer = await self._shelf.get(DEVICE, device) if device else None
        person = await self.known(pointer.decode()) if pointer is not None else None
        return person if person is not None and person.has(device) else None

    async def signed_in(self, device: str) -> Account:
        """The same; `Refusal` if nobody is."""
        person = await self.of(device)
        if person is None:
            raise Refusal("not yours", "This device has no name in the ratings.")
        return person

    async def make(self, name: str, device: str) -> tuple[Account, str]:
        """Somebody new, with a recovery code that is told this once."""
        try:
            validate_names([name])
        except NotationError as error:
            raise Refusal.of("bad request", error) from None
        await self._check_free(device)
        if await self._shelf.count(PERSON) >= MOST_PEOPLE:
            raise Refusal("not now", "There are too many names on this server already.")
        code = new_code()
        hashes = (Device(device, now()),)
        person = Account(secrets.token_hex(10), name, now(), self._hashed(code), hashes)
        # A name points at somebody who is there already: whoever finds it taken can look who it is.
        await self._shelf.put(PERSON, person.id, _written(person))
        if not await self._took_name(person):
            await self._shelf.remove(PERSON, person.id)
            raise Refusal("not now", "The name {name} is taken here: choose another.", name=name)
        await self._shelf.put(CODE, person.code, person.id.encode())
        await self._shelf.put(DEVICE, device, person.id.encode())
        return person, code

    async def _took_name(self, person: Account) -> bool:
        name, own = normalise_name(person.name), person.id.encode()
        while not await self._shelf.swap(NAME, name, None, own):
            was = await self._shelf.get(NAME, name)
            if was is None:
                continue  # it has just become free
            holder = await self.known(was.decode())
            if holder is not None:
                return holder.id == person.id
            if await self._shelf.swap(NAME, name, was, own):
                break
        return True

    async def _check_free(self, device: str) -> None:
        if (person := await self.of(device)) is not None:
            raise Refusal(
                "not now", "This device is signed in as {name}: sign out first.", name=person.name
            )

    async def claim(self, code: str, device: str) -> Account:
        """Sign a device in by a recovery code."""
        hashed = self._hashed(code)
        pointer = await self._shelf.get(CODE, hashed)
        person = await self.known(pointer.decode()) if pointer is not None else None
        if person is None or person.code != hashed:
            raise Refusal("not yours", "Nobody here has this recovery code: look at it again.")
        if not person.has(device):
            await self._check_free(device)
        return await self._change(person, lambda now: now.with_device(device), device)

    async def renew(self, device: str) -> str:
        """A new recovery code in place of the old one, told this once."""
        code = new_code()
        fresh = self._hashed(code)
        person = await self.signed_in(device)
        await self._shelf.put(CODE, fresh, person.id.encode())
        await self._change(person, lambda now: msgspec.structs.replace(now, code=fresh))
        await self._shelf.remove(CODE, person.code)
        return code

    async def sign_out(self, device: str, *, others: bool) -> Account:
        """Sign out a device, or all others of the same person."""
        person = await self.signed_in(device)
        return await self._change(
            person, lambda now: now.without(lambda each: (each != device) == others)
        )

    async def delete(self, device: str) -> None:
        """Take a person away; the device that asks goes last: if this is cut off, it can ask again."""
        person = await self.signed_in(device)
        name = normalise_name(person.name)
        if await self._shelf.get(NAME, name) == person.id.encode():
            await self._shelf.remove(NAME, name)
        await self._shelf.remove(CODE, person.code)
        for each in person.devices:
            if each.hash != device:
                await self._shelf.remove(DEVICE, each.hash)
        await self._shelf.remove(PERSON, person.id)
        await self._shelf.remove(DEVICE, device)

    async def _change(
        self, person: Account, change: Callable[[Account], Account], arriving: str = ""
    ) -> Account:
        """Change what is kept of a person, whoever else does so at the same time; then the pointers."""
        while True:
            body = await self._shelf.get(PERSON, person.id)
            if body is None:
                _gone()
            before = _read(body)
            after = change(before)
            if after == before or await self._shelf.swap(PERSON, person.id, body, _written(after)):
                break
        for each in before.devices:
            if not after.has(each.hash):
                await self._shelf.remove(DEVICE, each.hash)
        if arriving:
            await self._shelf.put(DEVICE, arriving, after.id.encode())
        return after


def _gone() -> NoReturn:
    raise Refusal("not found", "This name has been deleted.")
