"""Accounts for ratings: a unique name, the devices signed in to it, and a recovery code.

An account is one document in the store. Pointer documents lead to it from each device, from the recovery
code and from the name. A pointer counts only if the account agrees with it, so a stale one is harmless.
Nothing stored grants access: devices and codes are kept as hashes, and the code's is keyed with the
server key.
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
"""The document kinds of accounts and of the pointers to them."""
MAX_ACCOUNTS = 100_000
MAX_DEVICES = 10
"""Per account; signing in on one more evicts the oldest."""
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter can be mistaken for another or for a digit."""
_GROUPS, _GROUP = 4, 5
"""Groups in a code, and characters in a group: 20 characters, 100 bits."""
_MISREAD_LETTERS = str.maketrans("OIL", "011")


class Device(msgspec.Struct, frozen=True):
    """A signed-in device, by the hash of its secret."""

    hash: str
    since: int
    """When it signed in, in milliseconds since 1970."""


class Account(msgspec.Struct, frozen=True):
    """A player's account."""

    id: str
    name: str
    made: int
    code: str
    """The keyed hash of the recovery code."""
    devices: tuple[Device, ...]

    def has(self, device: str) -> bool:
        """Whether a device is signed in to this account."""
        return any(each.hash == device for each in self.devices)

    def with_device(self, device: str) -> Account:
        """A copy with one more device signed in."""
        if self.has(device):
            return self
        devices = (*self.devices, Device(device, now()))[-MAX_DEVICES:]
        return msgspec.structs.replace(self, devices=devices)

    def without(self, is_gone: Callable[[str], bool]) -> Account:
        """A copy without the devices that `is_gone` selects."""
        kept = tuple(each for each in self.devices if not is_gone(each.hash))
        return msgspec.structs.replace(self, devices=kept)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Account).decode


def normalise_name(name: str) -> str:
    """Return the same text for names that look alike.

    >>> normalise_name("\uff21LICE") == normalise_name("Alice")  # a full-width A
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def new_code() -> str:
    """Generate a recovery code, in groups that are easy to read out."""
    groups = ("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def normalise_code(code: str) -> str:
    """Remove what may differ in a code as it was typed: case, spaces, dashes and misread letters.

    >>> normalise_code("7k3qm x9tzo il2ab cdefg")
    '7K3QMX9TZ0112ABCDEFG'
    """
    return re.sub(r"[\s-]", "", code).upper().translate(_MISREAD_LETTERS)


class Accounts:
    """The accounts of one server."""

    def __init__(self, storage: Storage, key: ServerKey) -> None:
        self._storage, self._key = storage, key

    @property
    def _documents(self) -> DocumentStore:
        return self._storage.documents

    def _hash_code(self, code: str) -> str:
        return self._key.keyed_hash("recovery code", normalise_code(code))

    async def known(self, person: str) -> Account | None:
        """Return the account with this id, or `None`."""
        body = await self._documents.get(PERSON, person)
        return None if body is None else _decode(body)

    async def of(self, device: str) -> Account | None:
        """Return the account that a device is signed in to, or `None`."""
        pointer = await self._documents.get(DEVICE, device) if device else None
        person = await self.known(pointer.decode()) if pointer is not None else None
        return person if person is not None and person.has(device) else None

    async def signed_in(self, device: str) -> Account:
        """Return the account that a device is signed in to; `Refusal` if there is none."""
        person = await self.of(device)
        if person is None:
            raise Refusal("not yours", "This device has no name in the ratings.")
        return person

    async def make(self, name: str, device: str) -> tuple[Account, str]:
        """Create an account; return it with its recovery code, which is shown only this once."""
        try:
            validate_names([name])
        except NotationError as error:
            raise Refusal.of("bad request", error) from None
        await self._check_signed_out(device)
        if await self._documents.count(PERSON) >= MAX_ACCOUNTS:
            raise Refusal("not now", "There are too many names on this server already.")
        code = new_code()
        hashes = (Device(device, now()),)
        person = Account(secrets.token_hex(10), name, now(), self._hash_code(code), hashes)
        # The account is stored before its name, so that a name never points to a missing account.
        await self._documents.put(PERSON, person.id, _encode(person))
        if not await self._reserve_name(person):
            await self._documents.remove(PERSON, person.id)
            raise Refusal("not now", "The name {name} is taken here: choose another.", name=name)
        await self._documents.put(CODE, person.code, person.id.encode())
        await self._documents.put(DEVICE, device, person.id.encode())
        return person, code

    async def _reserve_name(self, person: Account) -> bool:
        name, own = normalise_name(person.name), person.id.encode()
        while not await self._documents.swap(NAME, name, None, own):
            was = await self._documents.get(NAME, name)
            if was is None:
                continue  # it has just been released
            holder = await self.known(was.decode())
            if holder is not None:
                return holder.id == person.id
            if await self._documents.swap(NAME, name, was, own):
                break
        return True

    async def _check_signed_out(self, device: str) -> None:
        if (person := await self.of(device)) is not None:
            raise Refusal(
                "not now", "This device is signed in as {name}: sign out first.", name=person.name
            )

    async def claim(self, code: str, device: str) -> Account:
        """Sign a device in with a recovery code."""
        hashed = self._hash_code(code)
        pointer = await self._documents.get(CODE, hashed)
        person = await self.known(pointer.decode()) if pointer is not None else None
        if person is None or person.code != hashed:
            raise Refusal("not yours", "Nobody here has this recovery code: look at it again.")
        if not person.has(device):
            await self._check_signed_out(device)
        return await self._change(person, lambda now: now.with_device(device), device)

    async def renew(self, device: str) -> str:
        """Replace the recovery code; return the new one, which is shown only this once."""
        code = new_code()
        fresh = self._hash_code(code)
        person = await self.signed_in(device)
        await self._documents.put(CODE, fresh, person.id.encode())
        await self._change(person, lambda now: msgspec.structs.replace(now, code=fresh))
        await self._documents.remove(CODE, person.code)
        return code

    async def sign_out(self, device: str, *, others: bool) -> Account:
        """Sign out a device, or all `others` of the same account."""
        person = await self.signed_in(device)
        return await self._change(
            person, lambda now: now.without(lambda each: (each != device) == others)
        )

    async def delete(self, device: str) -> None:
        """Delete an account; the requesting device goes last, so that it can retry if interrupted."""
        person = await self.signed_in(device)
        name = normalise_name(person.name)
        if await self._documents.get(NAME, name) == person.id.encode():
            await self._documents.remove(NAME, name)
        await self._documents.remove(CODE, person.code)
        for each in person.devices:
            if each.hash != device:
                await self._documents.remove(DEVICE, each.hash)
        await self._documents.remove(PERSON, person.id)
        await self._documents.remove(DEVICE, device)

    async def _change(
        self, person: Account, change: Callable[[Account], Account], arriving: str = ""
    ) -> Account:
        """Change the stored account by compare-and-swap, retrying on conflict, then fix its pointers."""
        while True:
            body = await self._documents.get(PERSON, person.id)
            if body is None:
                _raise_deleted()
            before = _decode(body)
            after = change(before)
            if after == before or await self._documents.swap(PERSON, person.id, body, _encode(after)):
                break
        for each in before.devices:
            if not after.has(each.hash):
                await self._documents.remove(DEVICE, each.hash)
        if arriving:
            await self._documents.put(DEVICE, arriving, after.id.encode())
        return after


def _raise_deleted() -> NoReturn:
    raise Refusal("not found", "This name has been deleted.")
