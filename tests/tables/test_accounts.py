"""Rated accounts: a name belongs to one account on every node, and only its code opens it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.storages import Backend, open_storages
from support.table_players import KEY
from wonderland.tables import accounts
from wonderland.tables.accounts import (
    CODE,
    DEVICE,
    NAME,
    PERSON,
    Accounts,
    new_code,
    normalise_code,
)
from wonderland.tables.handlers import hash_secret
from wonderland.tables.names import normalise_name
from wonderland.tables.storage.interface import Storage, StorageError
from wonderland.wire.problems import Refusal

KINDS = (PERSON, NAME, DEVICE, CODE)
ALICE, BILL, DINAH = (hash_secret(name) for name in ("Alice's", "Bill's", "Dinah's"))


async def stored_documents(storage: Storage) -> dict[str, list[tuple[str, bytes]]]:
    return {
        kind: [(each.key, each.body) for each in await storage.documents.newest(kind)] for kind in KINDS
    }


async def refusal_of(attempt: Any) -> str:
    with pytest.raises(Refusal) as caught:
        await attempt
    assert str(caught.value).endswith(".")
    return caught.value.problem


def test_a_code_is_long_and_read_however_it_is_written_down() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    for code in codes:
        assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}", code)
        noted = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
        assert normalise_code(noted) == normalise_code(code)
    assert len(set("".join(map(normalise_code, codes)))) == 32, (
        "every letter comes: 20 of 32 are 100 bits"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "aLICE"), ("Straße", "STRASSE"), ("\uff21lice", "Alice"), ("ﬁsh", "Fish")],
)
def test_confusable_names_are_the_same_name(one: str, other: str) -> None:
    assert normalise_name(one) == normalise_name(other)


def test_one_account_on_several_devices_and_nodes(backend: Backend) -> None:
    async def main() -> None:
        here, there = backend.storage(), backend.storage()
        async with open_storages(here, there):
            near, far = Accounts(here, KEY), Accounts(there, KEY)
            alice, code = await near.make("Alice", ALICE)
            assert (await far.find_by_device(ALICE)) == alice
            assert await far.find_by_device(BILL) is None
            assert await refusal_of(far.make("ALICE", BILL)) == "not now"
            assert await refusal_of(near.make("Alison", ALICE)) == "not now", (
                "a device belongs to one account"
            )
            assert await refusal_of(near.make("A:B", BILL)) == "bad request"
            assert await refusal_of(far.claim(new_code(), BILL)) == "not yours"
            assert (await far.claim(code.lower(), BILL)).name == "Alice"
            assert (await far.claim(code, BILL)) == await near.find_by_device(BILL), (
                "repeating it changes nothing"
            )
            fresh = await far.renew(BILL)
            assert await refusal_of(near.claim(code, DINAH)) == "not yours"
            await near.claim(fresh, DINAH)
            await near.sign_out(DINAH, others=True)
            found = [await far.find_by_device(device) for device in (ALICE, BILL, DINAH)]
            assert [each and each.name for each in found] == [None, None, "Alice"]
            await far.make("Bill", BILL)
            assert await refusal_of(far.claim(fresh, BILL)) == "not now"
            await far.sign_out(DINAH, others=False)
            assert await near.find_by_device(DINAH) is None
            assert await refusal_of(near.delete(DINAH)) == "not yours"
            await near.claim(fresh, DINAH)
            await near.delete(DINAH)
            left = await stored_documents(here)
            assert [len(left[kind]) for kind in KINDS] == [1, 1, 1, 1], "only Bill is left"
            assert await refusal_of(far.claim(fresh, ALICE)) == "not yours"
            assert (await far.make("alice", ALICE))[0].id != alice.id

    asyncio.run(main())


def test_of_two_concurrent_claims_on_a_name_one_succeeds(backend: Backend) -> None:
    async def main() -> None:
        nodes = [backend.storage(), backend.storage()]
        async with open_storages(*nodes):
            for round_ in range(5):
                wishes = [
                    Accounts(node, KEY).make(f"Alice {round_}", hash_secret(f"{round_} {number}"))
                    for number, node in enumerate(nodes * 2)
                ]
                found = await asyncio.gather(*wishes, return_exceptions=True)
                assert sum(not isinstance(each, Refusal) for each in found) == 1, found
            assert await nodes[0].documents.count(PERSON) == 5, "the loser leaves nothing behind"

    asyncio.run(main())


def test_devices_added_concurrently_are_all_kept(backend: Backend) -> None:
    async def main() -> None:
        nodes = [backend.storage(), backend.storage()]
        async with open_storages(*nodes):
            _, code = await Accounts(nodes[0], KEY).make("Alice", ALICE)
            devices = [hash_secret(str(number)) for number in range(accounts.MAX_DEVICES + 2)]
            several = [(Accounts(nodes[n % 2], KEY), device) for n, device in enumerate(devices)]
            await asyncio.gather(*(node.claim(code, device) for node, device in several[:6]))
            assert all([await node.find_by_device(device) for node, device in several[:6]])
            for node, device in several[6:]:
                await node.claim(code, device)
            found = await several[0][0].find_by_device(devices[-1])
            assert found is not None
            assert len(found.devices) == accounts.MAX_DEVICES
            assert await several[0][0].find_by_device(ALICE) is None, "the oldest was evicted"
            assert await nodes[0].documents.count(DEVICE) == accounts.MAX_DEVICES

    asyncio.run(main())


def test_no_secret_is_stored(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            _, code = await Accounts(storage, KEY).make("Alice", hash_secret("the secret of a device"))
            whole = repr(await stored_documents(storage)) + repr(KEY)
            for secret in (
                "the secret",
                code,
                normalise_code(code),
                hash_secret(code),
                hash_secret(normalise_code(code)),
            ):
                assert secret not in whole

    asyncio.run(main())


def test_the_number_of_accounts_is_limited(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "MAX_ACCOUNTS", 1)

    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            known = Accounts(storage, KEY)
            await known.make("Alice", ALICE)
            assert await refusal_of(known.make("Bill", BILL)) == "not now"

    asyncio.run(main())


class CutOff:
    """A document store that fails, as in a power cut, after some changes."""

    def __init__(self, storage: Storage, changes: int) -> None:
        self._documents, self._left = storage.documents, changes

    @property
    def documents(self) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name in ("put", "swap", "remove"):
            self._left -= 1
            if self._left < 0:
                raise StorageError("the power is off.")
        return getattr(self._documents, name)


@pytest.mark.parametrize("changes", range(6))
def test_an_interrupted_deletion_can_be_repeated(in_sqlite: Backend, changes: int) -> None:
    async def main() -> None:
        storage = in_sqlite.storage()
        async with open_storages(storage):
            whole = Accounts(storage, KEY)
            _, code = await whole.make("Alice", ALICE)
            await whole.claim(code, BILL)
            broken: Any = CutOff(storage, changes)
            try:
                await Accounts(broken, KEY).delete(ALICE)
            except StorageError:
                if await whole.find_by_device(ALICE) is not None:
                    await whole.delete(ALICE)
            left = await stored_documents(storage)
            assert [left[kind] for kind in (PERSON, NAME, CODE)] == [[], [], []]
            assert await whole.find_by_device(ALICE) is None
            assert await whole.find_by_device(BILL) is None
            await whole.make("Alice", BILL)

    asyncio.run(main())


def test_a_deleted_accounts_name_is_free(in_sqlite: Backend) -> None:
    async def main() -> None:
        storage = in_sqlite.storage()
        async with open_storages(storage):
            known = Accounts(storage, KEY)
            await storage.documents.put(NAME, "alice", b"nobody any more")
            alice, code = await known.make("Alice", ALICE)
            assert await known.find_by_device(ALICE) == alice
            await storage.documents.remove(PERSON, alice.id)
            assert await refusal_of(known.claim(code, BILL)) == "not yours"
            assert await known.find_by_device(ALICE) is None

    asyncio.run(main())


STEP = st.tuples(
    st.sampled_from(("make", "claim", "old code", "renew", "out", "others out", "delete")),
    st.sampled_from((ALICE, BILL, DINAH)),
    st.sampled_from(("Tea", "TEA", "Hat")),
)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(STEP, max_size=14))
def test_accounts_match_a_simple_model(backend: Backend, steps: list[tuple[str, str, str]]) -> None:
    """Whatever is done, a simple model agrees with the stored documents, and nothing is left over."""

    async def main() -> None:
        one, other = backend.storage(), backend.storage()
        async with open_storages(one, other):
            for kind in KINDS:
                await one.documents.trim(kind, 0)
            model = Model()
            for number, step in enumerate(steps):
                await model.do(Accounts((one, other)[number % 2], KEY), *step)
                for device in (ALICE, BILL, DINAH):
                    found = await Accounts(other, KEY).find_by_device(device)
                    assert (found and normalise_name(found.name)) == model.signed.get(device)
            counts = [await one.documents.count(kind) for kind in KINDS]
            names = len(model.codes)
            assert counts == [names, names, len(model.signed), names]

    asyncio.run(main())


class Model:
    """Where each account is signed in, and its latest code."""

    def __init__(self) -> None:
        self.signed: dict[str, str] = {}
        self.codes: dict[str, str] = {}
        self.old = [new_code()]

    async def do(self, real: Accounts, what: str, device: str, name: str) -> None:
        me, wanted = self.signed.get(device), normalise_name(name)
        tried: dict[str, tuple[bool, Callable[[], Any]]] = {
            "make": (me is None and wanted not in self.codes, lambda: real.make(name, device)),
            "claim": (
                wanted in self.codes and me in (None, wanted),
                lambda: real.claim(self.codes.get(wanted, self.old[0]), device),
            ),
            "old code": (False, lambda: real.claim(self.old[-1], device)),
            "renew": (me is not None, lambda: real.renew(device)),
            "out": (me is not None, lambda: real.sign_out(device, others=False)),
            "others out": (me is not None, lambda: real.sign_out(device, others=True)),
            "delete": (me is not None, lambda: real.delete(device)),
        }
        works, attempt = tried[what]
        if not works:
            await refusal_of(attempt())
            return
        told = await attempt()
        if what == "make":
            self.signed[device], self.codes[wanted] = wanted, told[1]
        elif what == "claim":
            self.signed[device] = wanted
        elif me is not None and what == "renew":
            self.old.append(self.codes[me])
            self.codes[me] = told
        elif what == "out":
            del self.signed[device]
        else:
            gone = {d for d, n in self.signed.items() if n == me and (what == "delete" or d != device)}
            self.signed = {d: n for d, n in self.signed.items() if d not in gone}
            if me is not None and what == "delete":
                self.old.append(self.codes.pop(me))
