"""The document store: every storage behaves alike and evicts what exceeds its limit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.storages import Backend, addition, append, is_one_sentence, open_storages
from wonderland.tables.storage import documents, postgres_documents, sqlite_documents
from wonderland.tables.storage.documents import MAX_BYTES, USE_PRECISION, Document, DocumentStore
from wonderland.tables.storage.interface import StorageError

Clock = Callable[[int], None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still until it is advanced by some milliseconds."""
    time = 1_700_000_000_000

    def advance(milliseconds: int) -> None:
        nonlocal time
        time += milliseconds

    for module in (documents, sqlite_documents, postgres_documents):
        monkeypatch.setattr(module, "now", lambda: time)
    return advance


KINDS, KEYS = ("record", "person"), ("a", "b", "a b's ü", "0" * 64)
THING = st.tuples(st.sampled_from(KINDS), st.sampled_from(KEYS))
BODY = st.binary(max_size=40)
STEP = st.one_of(
    st.tuples(st.just("put"), THING, BODY),
    st.tuples(st.just("swap"), THING, st.one_of(st.none(), BODY), BODY),
    st.tuples(st.just("swap right"), THING, BODY),
    st.tuples(st.just("remove"), THING),
    st.tuples(st.just("trim"), st.sampled_from(KINDS), st.integers(0, 4)),
)


class Model:
    """The simplest model of a document store: the last document put is the newest."""

    def __init__(self) -> None:
        self.things: dict[tuple[str, str], bytes] = {}

    def store(self, where: tuple[str, str], body: bytes) -> None:
        self.things.pop(where, None)
        self.things[where] = body

    def newest(self, kind: str) -> list[tuple[str, bytes]]:
        return [(key, body) for (of, key), body in reversed(self.things.items()) if of == kind]


async def _do(real: DocumentStore, model: Model, step: tuple[Any, ...]) -> None:
    what, where, *more = step
    match what:
        case "put":
            await real.put(*where, more[0])
            model.store(where, more[0])
        case "swap" | "swap right":
            now = model.things.get(where)
            was, body = (now, more[0]) if what == "swap right" else more
            done = await real.swap(*where, was, body)
            assert done == (was == now)
            if done:
                model.store(where, body)
        case "remove":
            await real.remove(*where)
            model.things.pop(where, None)
        case "trim":
            await real.trim(where, more[0])
            for key, _ in model.newest(where)[more[0] :]:
                del model.things[where, key]


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(STEP, max_size=25))
def test_a_store_returns_what_was_put(
    backend: Backend, clock: Clock, steps: list[tuple[Any, ...]]
) -> None:
    async def main() -> None:
        one, other = backend.storage(), backend.storage()
        model = Model()
        async with open_storages(one, other):
            for kind in KINDS:
                await one.documents.trim(kind, 0)
            for step, use in zip(
                steps, _one_after_another(one.documents, other.documents), strict=False
            ):
                clock(1)
                await _do(use, model, step)
            for kind in KINDS:
                found = [(kept.key, kept.body) for kept in await one.documents.newest(kind)]
                assert found == model.newest(kind)
                assert await other.documents.count(kind) == len(found)
                for key in KEYS:
                    assert await other.documents.get(kind, key) == model.things.get((kind, key))

    asyncio.run(main())


def _one_after_another(*stores: DocumentStore) -> Iterator[DocumentStore]:
    return (stores[n % len(stores)] for n in count())


def test_the_least_recently_used_document_is_evicted_first(backend: Backend, clock: Clock) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            for key in "abcd":
                await storage.documents.put("record", key, b"tea")
                clock(10)
            await storage.documents.put("person", "alice", b"tea")
            clock(USE_PRECISION + 100)
            assert await storage.documents.get("record", "a") == b"tea"
            clock(10)
            await storage.documents.put("record", "e", b"tea")
            await storage.documents.trim("record", 3)
            assert [kept.key for kept in await storage.documents.newest("record")] == ["e", "d", "a"]
            assert await storage.documents.newest("record", most=1) == [
                Document("e", 1_700_000_000_000 + USE_PRECISION + 150, b"tea")
            ]
            assert await storage.documents.count("person") == 1

    asyncio.run(main())


def test_many_documents_are_read_at_once_without_counting_as_used(
    backend: Backend, clock: Clock
) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            for key in "abc":
                await storage.documents.put("record", key, key.encode())
                clock(10)
            await storage.documents.put("person", "d", b"tea")
            clock(USE_PRECISION + 100)
            found = await storage.documents.get_many("record", ["a", "c", "d", "it's", 'a"'])
            assert found == {"a": b"a", "c": b"c"}
            assert await storage.documents.get_many("record", []) == {}
            await storage.documents.trim("record", 2)
            assert [kept.key for kept in await storage.documents.newest("record")] == ["c", "b"]

    asyncio.run(main())


def test_of_concurrent_updates_exactly_one_succeeds(backend: Backend) -> None:
    async def main() -> None:
        nodes = [backend.storage(), backend.storage()]
        async with open_storages(*nodes):
            total = 0
            for round_ in range(10):
                was = await nodes[0].documents.get("person", "alice")
                tries = [
                    node.documents.swap("person", "alice", was, b"%d %d" % (round_, number))
                    for number, node in enumerate(nodes * 2)
                ]
                total += sum(await asyncio.gather(*tries))
            assert total == 10

    asyncio.run(main())


def test_tables_and_documents_are_written_concurrently(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            entries = [append(storage, addition(f"table{n}", 0)) for n in range(30)]
            things = [storage.documents.put("record", str(n), b"x" * 5000) for n in range(30)]
            answers = await asyncio.gather(*entries, *things)
            assert answers[:30] == [True] * 30
            assert await storage.documents.count("record") == 30

    asyncio.run(main())


def test_too_large_a_document_is_rejected(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            await storage.documents.put("record", "a", b"x" * MAX_BYTES)
            for attempt in (
                storage.documents.put("record", "b", b"x" * (MAX_BYTES + 1)),
                storage.documents.swap("record", "b", None, b"x" * (MAX_BYTES + 1)),
            ):
                with pytest.raises(StorageError) as caught:
                    await attempt
                assert is_one_sentence(caught.value)
            assert await storage.documents.count("record") == 1

    asyncio.run(main())


def test_a_broken_store_is_reported(backend: Backend) -> None:
    async def main() -> None:
        storage = backend.storage()
        async with open_storages(storage):
            await backend.execute("ALTER TABLE shelf RENAME TO mice")
            for attempt in (
                storage.documents.get("record", "a"),
                storage.documents.put("record", "a", b"tea"),
            ):
                with pytest.raises(StorageError) as caught:
                    await attempt
                assert is_one_sentence(caught.value)
            assert await append(storage, addition("tea", 0)) is True
        with pytest.raises(StorageError, match="closed"):
            await storage.documents.get("record", "a")

    asyncio.run(main())
