"""Tutorial tables: prepared outcomes that are declared, and an ordinary rematch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from support.table_players import LocalService, Scenario, open_service
from wonderland import cli
from wonderland.components.tutorial import lessons_of
from wonderland.engine.record_reader import read_record
from wonderland.engine.registry import game_names
from wonderland.tables import creation
from wonderland.tables import entries as log
from wonderland.tables.descriptions import build_record, describe_table
from wonderland.tables.undo import can_undo
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal


async def start_tutorial(h: LocalService, game: str) -> str:
    """Start a tutorial, whatever else was requested."""
    name = await h.create_table(game, 4, access="open", clock=60, is_tutorial=True)
    await h.alice.sit(name, 0)
    await h.alice.do(name, ask.Start)
    return name


@pytest.mark.parametrize("game", game_names())
def test_a_tutorial_table_is_created_as_its_game_defines_it(
    run_scenario: Callable[[Scenario], None], game: str
) -> None:
    async def scenario(h: LocalService) -> None:
        table = await h.table(await start_tutorial(h, game))
        shown = describe_table(table)
        assert shown.is_tutorial
        assert (shown.access, shown.clock, shown.commitment) == ("bots", None, "")
        assert [seat.level for seat in shown.seats] == ["", "dodo"]
        assert table.to_act == (0,)
        assert table.match is not None
        assert table.match.given

    run_scenario(scenario)


@pytest.mark.parametrize("game", game_names())
def test_its_record_replays_and_makes_no_fairness_claim(
    run_scenario: Callable[[Scenario], None],
    game: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def scenario(h: LocalService) -> None:
        table = await h.play_moves(await start_tutorial(h, game), seed=5)
        assert (table.status, table.secret) == ("finished", "")
        record = build_record(table)
        assert record is not None
        assert record.shuffle_statement is None
        reading = read_record(record.text())
        assert reading.fault is None
        assert reading.record == record
        (tmp_path / "tutorial.record").write_text(record.text(), encoding="utf-8")

    run_scenario(scenario)
    assert cli.main(["verify", str(tmp_path / "tutorial.record")]) == 2
    said = capsys.readouterr().err
    assert "it has a Given line" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("game", game_names())
def test_it_continues_after_a_restart(tmp_path: Path, game: str) -> None:
    async def begin() -> tuple[str, list[object]]:
        async with open_service(tmp_path) as h:
            name = await start_tutorial(h, game)
            table = await h.play_moves(name, moves=3, seed=1)
            assert table.match is not None
            return name, list(table.match.moves)

    async def go_on(name: str, was: list[object]) -> None:
        async with open_service(tmp_path) as h:
            table = await h.table(name)
            assert table.opened.is_tutorial
            assert table.match is not None
            assert list(table.match.moves)[: len(was)] == was
            assert (await h.play_moves(name, seed=2)).status == "finished"

    name, was = asyncio.run(begin())
    asyncio.run(go_on(name, was))


def test_every_learner_gets_the_same_cards(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        tables = [await h.table(await start_tutorial(h, "parade")) for _ in range(2)]
        views = [table.match.view(0) for table in tables if table.match is not None]
        assert views[0] == views[1]

    run_scenario(scenario)


def test_the_given_outcomes_are_in_the_log_itself(run_scenario: Callable[[Scenario], None]) -> None:
    """A later version may teach with other cards: a tutorial in progress keeps its own."""

    async def scenario(h: LocalService) -> None:
        name = await start_tutorial(h, "parade")
        entries = await h.tables.storage.read(name)
        opened = log.read_entry(entries[0].body)
        assert isinstance(opened, log.Opened)
        assert opened.given["start"] == ("seat1",)
        usual = log.read_entry((await h.tables.storage.read(await h.create_table()))[0].body)
        assert isinstance(usual, log.Opened)
        assert not usual.is_tutorial
        assert not usual.given
        assert b"given" not in log.written(usual)

    run_scenario(scenario)


def test_the_rematch_is_an_ordinary_game(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await start_tutorial(h, "letters")
        await h.play_moves(name, seed=3)
        await h.alice.do(name, ask.Rematch, seat=0)
        following = (await h.table(name)).next
        table = await h.table(following)
        assert not table.opened.is_tutorial
        assert not table.opened.given
        assert table.opened.commitment
        await h.alice.sit(following, 0)
        await h.alice.do(following, ask.Start)
        table = await h.play_moves(following, seed=4)
        assert table.secret

    run_scenario(scenario)


def test_prepared_outcomes_come_again_after_taking_back(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await start_tutorial(h, "letters")
        await h.alice.do(name, ask.Play, seat=0, action="14")
        first = await h.table(name)
        assert first.match is not None
        shown = [move.action for move in first.match.moves]
        await h.alice.do(name, ask.Propose, seat=0, what="undo")
        await h.alice.do(name, ask.Play, seat=0, action="14")
        again = (await h.table(name)).match
        assert again is not None
        assert [move.action for move in again.moves][: len(shown)] == shown

    run_scenario(scenario)


def test_a_game_without_a_tutorial_says_so(
    run_scenario: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(h: LocalService) -> None:
        monkeypatch.setattr(creation, "tutorial_of", lambda _: None)
        with pytest.raises(Refusal, match="no tutorial for Parade"):
            await h.create_table("parade", 2, is_tutorial=True)

    run_scenario(scenario)


EVERY_LESSON = [(game, key) for game in game_names() for key in lessons_of(game)]


@pytest.mark.parametrize(("game", "key"), EVERY_LESSON)
def test_a_lesson_starts_where_it_is_prepared_and_is_played_to_its_end(
    tmp_path: Path, game: str, key: str
) -> None:
    """Also after a restart, and with a record that replays."""

    async def begin() -> str:
        async with open_service(tmp_path) as h:
            name = await h.create_table(game, 4, access="open", is_tutorial=True, topic=key)
            await h.alice.sit(name, 0)
            await h.alice.do(name, ask.Start)
            table = await h.table(name)
            begun = lessons_of(game)[key].setup.first_moves(table.match.game)  # type: ignore[union-attr]
            assert table.opened.topic == key
            assert table.to_act == (0,)
            assert tuple(table.match.moves[: len(begun)]) == tuple(begun)  # type: ignore[union-attr]
            assert not can_undo(table, 0)
            await h.play_moves(name, moves=1, seed=1)
            return name

    async def go_on(name: str) -> None:
        async with open_service(tmp_path) as h:
            table = await h.play_moves(name, seed=2)
            record = build_record(table)
            assert record is not None
            assert read_record(record.text()).fault is None
            await h.alice.do(name, ask.Rematch, seat=0)
            following = await h.table((await h.table(name)).next)
            assert not following.opened.topic
            assert not following.opened.begun

    asyncio.run(go_on(asyncio.run(begin())))


def test_a_topic_matters_in_tutorials_only(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        usual = await h.table(await h.create_table("parade", topic="majorities"))
        assert not usual.opened.topic
        with pytest.raises(Refusal) as refusal:
            await h.create_table("parade", is_tutorial=True, topic="croquet")
        assert refusal.value.problem == "not found"

    run_scenario(scenario)
