"""Names that could be mistaken for others: refused in the ratings, marked at tables."""

from __future__ import annotations

import asyncio
import ctypes.util
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from support.storages import Backend
from support.table_players import LocalService, Scenario, TablePlayer, open_service
from wonderland.bots.characters import everyone
from wonderland.components.bots import translate_bot
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import game_names
from wonderland.tables.accounts import LOOK, NAME
from wonderland.tables.descriptions import describe_table
from wonderland.tables.names import (
    check_account_name,
    check_table_name,
    is_bot_name,
    look_alikes,
    looks,
    skeleton,
)
from wonderland.terminal.remote.news import names_of, who_is_there
from wonderland.web.table_page import TablePage
from wonderland.wire.problems import Refusal

ScenarioRunner = Callable[[Scenario], None]
ALIKE = [
    ("Alice", "\u0410lice"),  # a Cyrillic A
    ("Alice", "AIice"),  # a capital I
    ("Alice", "A1ice"),
    ("Alice", "ALICE"),
    ("Alice", "\U0001d49c\U0001d4c1\U0001d4be\U0001d4b8\u212f"),  # mathematical letters
    ("Alice", "\uff21lice"),
    ("Bill", "BiII"),
    ("Tom", "Torn"),
    ("Oscar", "0scar"),
    ("Bob", "B\u043eb"),  # a Cyrillic o
    ("\u041c\u0430\u0448\u0430", "\u041ca\u0448a"),  # Masha, with Latin letters in between
    ("Alice", "Al\u034fice"),  # an invisible joiner
    ("Zoë", "Zoe\u0308"),
]
DIFFERENT = [
    ("Alice", "Alicia"),
    ("Bill", "Ball"),
    ("Zoe", "Zoë"),
    ("Ann", "Anna"),
    ("アリス", "アリサ"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_look_alikes(one: str, other: str) -> None:
    assert looks(one) & looks(other)
    assert look_alikes((one, "Dinah", other)) == {0, 2}


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_differ(one: str, other: str) -> None:
    assert not looks(one) & looks(other)
    assert not look_alikes((one, other))


def test_skeletons_are_stable() -> None:
    for one, other in (*ALIKE, *DIFFERENT):
        for name in (one, other):
            assert skeleton(skeleton(name)) == skeleton(name)


@pytest.mark.skipif(ctypes.util.find_library("icui18n") is None, reason="ICU isn't installed")
def test_skeletons_are_those_of_icu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    import confusables  # noqa: PLC0415 # type: ignore[import-not-found] - a script

    expected, _ = confusables.icu_skeletons()
    for code in range(0x21, sys.maxunicode, 37):
        character = chr(code)
        if unicodedata.category(character) in ("Cs", "Cn", "Cf", "Co", "Mn", "Cc"):
            continue
        text = f"a{character}b"
        assert skeleton(text) == expected(text) or not skeleton(character), hex(code)


@pytest.mark.parametrize("name", game_names())
def test_the_names_of_bots_are_refused_in_every_language(name: str) -> None:
    for code in LANGUAGES:
        for character in everyone(name).values():
            called = translate_bot(character.name, load_language(code))
            for variant in (called, called.upper(), f"{called} 2"):
                assert is_bot_name(variant)
                with pytest.raises(Refusal):
                    check_account_name(variant)


@pytest.mark.parametrize(
    "name",
    [
        "host",
        "Server",
        "ADMIN",
        "Admin1",
        "\u0410dmin",
        "Moderator",
        "M0derat0r",
        "a.d.m.i.n",
        "Gastgeber",
        "管理者",
        "\u3164",
        "Al\u034fice",
        "Alice\ufe0f",
        "\u2800\u2800",
        "a\U000e0100b",
    ],
)
def test_reserved_and_invisible_names_are_refused(name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        check_account_name(name)
    assert refusal.value.problem == "bad request"


@pytest.mark.parametrize(
    "name", ["Alice", "The Queen of Hearts", "Moderato", "♠️", "不思議の国", "אליס", "Hosta", "Serverine"]
)
def test_ordinary_names_are_accepted(name: str) -> None:
    check_account_name(name)


def test_a_name_is_taken_with_its_look_alikes(backend: Backend, tmp_path: Path) -> None:
    async def main() -> None:
        async with open_service(tmp_path, backend.storage()) as home:
            people, documents = home.tables.people, home.tables.storage.documents
            await people.make("Alice", "first")
            names, taken = await documents.count(NAME), await documents.count(LOOK)
            for one, other in ALIKE:
                if one == "Alice":
                    with pytest.raises(Refusal):
                        await people.make(other, "second")
            assert (await documents.count(NAME), await documents.count(LOOK)) == (names, taken)
            await people.make("Alicia", "second")
            await people.delete("first")
            await people.make("AIice", "third")

    asyncio.run(main())


def test_older_accounts_keep_their_looks(in_sqlite: Backend, tmp_path: Path) -> None:
    """A database from before there were looks gets them when a server opens it."""

    async def main() -> None:
        async with open_service(tmp_path, in_sqlite.storage()) as old:
            await old.tables.people.make("Alice", "first")
            documents = old.tables.storage.documents
            for document in await documents.newest(LOOK, 100):
                await documents.remove(LOOK, document.key)
        async with open_service(tmp_path, in_sqlite.storage()) as new:
            with pytest.raises(Refusal):
                await new.tables.people.make("AIice", "second")

    asyncio.run(main())


def test_players_who_look_alike_are_told_apart(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        name = await home.create_table(seats=4, access="open")
        for seat, called in enumerate(("Alice", "\u0410lice", "Queen", "\u3164")):
            await TablePlayer(home.tables, f"device {seat}").sit(name, seat, name=called)
        table = await home.table(name)
        page = TablePage(table, None, "", ENGLISH).page().html["seats"]
        for shown in ("Alice (1)", "\u0410lice (2)", "Player 4"):
            assert shown in page
        assert page.count("not a bot") == 1
        info = describe_table(table)
        assert [seat.alike for seat in info.seats] == [True, True, False, True]
        assert [seat.like_bot for seat in info.seats] == [False, False, True, False]
        assert names_of(info)[:2] == ["Alice (1)", "\u0410lice (2)"]
        assert "not a bot" in who_is_there(info, None, None)[2]

    run_scenario(scenario)


def test_a_bot_is_no_person(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        name = await home.create_table(seats=2, bots={"1": "queen"}, access="open")
        await home.alice.sit(name, 0)
        info = describe_table(await home.table(name))
        assert not any(seat.alike or seat.like_bot for seat in info.seats)

    run_scenario(scenario)


@pytest.mark.parametrize(
    "name",
    [
        "Ze\u0301ro",
        "Vi\u1ec7t",
        "\u0e1c\u0e39\u0e49\u0e40\u0e25\u0e48\u0e19",
        "\u05d0\u05b8\u05bc\u0596",
        "\u2660\ufe0f",
    ],
)
def test_marks_of_real_writing_may_be_in_a_name(name: str) -> None:
    check_table_name(name, ["Alice"])


@pytest.mark.parametrize("name", ["Zalgo" + "\u0301" * 5, "a" + "\u0336\u0321\u0347\u0355\u0316\u030a"])
def test_marks_that_would_cover_other_texts_are_refused(name: str) -> None:
    with pytest.raises(Refusal, match="isn't allowed"):
        check_table_name(name, ["Alice"])
