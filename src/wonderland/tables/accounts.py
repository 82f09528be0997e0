"""Accounts for ratings: a unique name, the devices signed in to it, and a recovery code.

An account is one document in the store. Pointer documents lead to it from each device, from the recovery
code and from the name. A pointer counts only if the account agrees with it, so a stale one is harmless.
Nothing stored grants access: devices and codes are kept as hashes, and the code's is keyed with the
server key.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from typing import NoReturn

import msgspec

from wonderland.engine.errors import NotationError
from wonderland.engine.record import validate_names
from wonderland.tables.fairness import ServerKey
from wonderland.tables.moderation import Moderation
from wonderland.tables.names import check_account_name, looks, normalise_name
from wonderland.tables.storage.documents import DocumentStore, now
from wonderland.tables.storage.interface import Storage
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

PERSON, NAME, DEVICE, CODE = "person", "person.name", "person.device", "person.code"
LOOK = "person.look"
"""The document kinds of accounts and of the pointers to them."""
MAX_ACCOUNTS = 100_000
MAX_DEVICES = 10
"""Per account; signing in on one more evicts the oldest."""
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter can be mistaken for another or for a digit."""
_GROUPS, _GROUP = 4, 5
"""Groups in a code, and characters in a group: 20 characters, 100 bits."""
_MISREAD_LETTERS = str.maketrans("OIL", "011")


_DONE = "-"
"""The key of the document that says that all looks are reserved."""


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

    async def find_by_id(self, person: str) -> Account | None:
        """Return the account with this id, or `None`."""
        body = await self._documents.get(PERSON, person)
        return None if body is None else _decode(body)

    async def find_by_device(self, device: str) -> Account | None:
        """Return the account that a device is signed in to, or `None`."""
        return await account_of(self._documents, device)

    async def signed_in(self, device: str) -> Account:
        """Return the account that a device is signed in to; `Refusal` if there is none."""
        person = await self.find_by_device(device)
        if person is None:
            raise Refusal(Code.ACCOUNT_NEEDED, "You don't have a name in the ratings on this device.")
        return person

    async def make(self, name: str, device: str) -> tuple[Account, str]:
        """Create an account; return it with its recovery code, which is shown only this once."""
        try:
            validate_names([name])
        except NotationError as error:
            raise Refusal.of(Code.NAME_NOT_ALLOWED, error) from None
        check_account_name(name)
        await self._check_signed_out(device)
        if await self._documents.count(PERSON) >= MAX_ACCOUNTS:
            raise Refusal(Code.NAMES_FULL, "This server can't take any more names.")
        code = new_code()
        hashes = (Device(device, now()),)
        person = Account(secrets.token_hex(10), name, now(), self._hash_code(code), hashes)
        # The account is stored before its name, so that a name never points to a missing account.
        await self._documents.put(PERSON, person.id, _encode(person))
        if (refusal := await self._reserve_name(person)) is not None:
            await _release_name(self._documents, person)
            await self._documents.remove(PERSON, person.id)
            raise refusal
        await self._documents.put(CODE, person.code, person.id.encode())
        await self._documents.put(DEVICE, device, person.id.encode())
        return person, code

    async def _reserve_name(self, person: Account) -> Refusal | None:
        """Reserve a name and its looks; return why that is impossible, if it is."""
        name = person.name
        if not await self._reserve(NAME, normalise_name(name), person):
            return Refusal(
                Code.NAME_REGISTERED,
                "The name {name} is already taken. Please choose another.",
                name=name,
            )
        for key in _look_keys(name):
            if not await self._reserve(LOOK, key, person):
                return Refusal(
                    Code.NAME_REGISTERED,
                    "The name {name} looks too much like another one. Please choose a different name.",
                    name=name,
                )
        return None

    async def _reserve(self, kind: str, key: str, person: Account) -> bool:
        """Point a name or a look to an account, unless it belongs to another one that exists."""
        own = person.id.encode()
        while not await self._documents.swap(kind, key, None, own):
            was = await self._documents.get(kind, key)
            if was is None:
                continue  # it has just been released
            holder = await self.find_by_id(was.decode())
            if holder is not None:
                return holder.id == person.id
            if await self._documents.swap(kind, key, was, own):
                break
        return True

    async def reserve_looks(self) -> None:
        """Reserve the looks of names taken before there were looks; done once for every database."""
        if await self._documents.get(LOOK, _DONE) is not None:
            return
        for document in await self._documents.newest(PERSON, MAX_ACCOUNTS):
            person = _decode(document.body)
            for key in _look_keys(person.name):
                await self._reserve(LOOK, key, person)
        await self._documents.put(LOOK, _DONE, b"done")

    async def _check_signed_out(self, device: str) -> None:
        if (person := await self.find_by_device(device)) is not None:
            raise Refusal(
                Code.SIGNED_IN, "This device is signed in as {name}. Sign out first.", name=person.name
            )

    async def claim(self, code: str, device: str) -> Account:
        """Sign a device in with a recovery code."""
        hashed = self._hash_code(code)
        pointer = await self._documents.get(CODE, hashed)
        person = await self.find_by_id(pointer.decode()) if pointer is not None else None
        if person is None or person.code != hashed:
            raise Refusal(
                Code.WRONG_RECOVERY_CODE,
                "We don't know this recovery code. Please check it and try again.",
            )
        if await Moderation(self._documents).is_account_banned(person.id):
            raise Refusal(Code.BANNED, "The operator of this server has banned this account.")
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
        await delete_account(self._documents, person, last=device)

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


async def find_account(documents: DocumentStore, name: str) -> Account | None:
    """Return the account with a name, or `None`."""
    pointer = await documents.get(NAME, normalise_name(name))
    body = await documents.get(PERSON, pointer.decode()) if pointer is not None else None
    return None if body is None else _decode(body)


async def account_of(documents: DocumentStore, device: str) -> Account | None:
    """Return the account that a device is signed in to, or `None`."""
    pointer = await documents.get(DEVICE, device) if device else None
    body = await documents.get(PERSON, pointer.decode()) if pointer is not None else None
    person = None if body is None else _decode(body)
    return person if person is not None and person.has(device) else None


async def delete_account(documents: DocumentStore, person: Account, last: str = "") -> None:
    """Delete an account and what points to it; the pointer from the device `last` goes last."""
    await _release_name(documents, person)
    await documents.remove(CODE, person.code)
    for each in person.devices:
        if each.hash != last:
            await documents.remove(DEVICE, each.hash)
    await documents.remove(PERSON, person.id)
    if last:
        await documents.remove(DEVICE, last)


async def _release_name(documents: DocumentStore, person: Account) -> None:
    """Let others have an account's name, and names that look like it."""
    keys = [(NAME, normalise_name(person.name)), *((LOOK, key) for key in _look_keys(person.name))]
    for kind, key in keys:
        if await documents.get(kind, key) == person.id.encode():
            await documents.remove(kind, key)


def _look_keys(name: str) -> list[str]:
    """The document keys of a name's looks, which may be long."""
    return sorted(hashlib.sha256(look.encode()).hexdigest()[:40] for look in looks(name))


def _raise_deleted() -> NoReturn:
    raise Refusal(Code.NO_SUCH_PERSON, "This name has been deleted.")
