"""Taking back: freely alone against bots, with the same shuffle; by agreement between people."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.example_verifier import example
from support.table_players import LocalService, Scenario, open_service, watch
from wonderland.client.shuffle import CheckFailed, check_record
from wonderland.engine import game_names
from wonderland.engine.protocol import CHANCE, Chance
from wonderland.engine.record import Move, Undone
from wonderland.engine.record_reader import AnyMatch, AnyRecord, read_record
from wonderland.features.fairness.verification import check
from wonderland.tables.descriptions import build_record
from wonderland.tables.table import Table
from wonderland.wire import commands as ask


async def play_alone(h: LocalService, game: str, **wanted: Any) -> str:
    name = await h.create_table(game, 2, **({"access": "bots", "bots": {"1": "dodo"}} | wanted))
    await h.alice.sit(name)
    await h.alice.do(name, ask.Start)
    return name


async def take_turns(h: LocalService, name: str, turns: int, rng: random.Random) -> Table:
    """Make decisions for Alice, and wait for the bot after each."""
    for _ in range(turns):
        table = await h.wait_for_bots(name)
        if table.status == "finished":
            break
        match = match_of(table)
        word = match.game.write(rng.choice(match.legal(0)))
        await h.alice.do(name, ask.Play, seat=0, action=word)
    return await h.wait_for_bots(name)


def match_of(table: Table) -> AnyMatch:
    assert table.match is not None
    return table.match


def draws_of(match: AnyMatch) -> dict[str, list[Any]]:
    """What each stream of chance has given."""
    drawn: dict[str, list[Any]] = {}
    for state, move in match.record.states():
        turn = match.game.turn(state)
        if move is not None and isinstance(turn, Chance):
            drawn.setdefault(turn.label, []).append(move.action)
    return drawn


@pytest.mark.parametrize("game", game_names())
def test_alone_anything_can_be_taken_back(game: str, run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_alone(h, game)
        start = await h.wait_for_bots(name)
        refusal = await h.alice.expect_refusal(name, ask.Propose, seat=0, what="undo")
        assert "nothing" in str(refusal)
        state = match_of(start).state
        await take_turns(h, name, 3, random.Random(1))
        for _ in range(3):
            await h.alice.do(name, ask.Propose, seat=0, what="undo")
        table = await h.table(name)
        assert match_of(table).state == state
        assert len(table.undone) == 3
        assert (await take_turns(h, name, 200, random.Random(2))).status == "finished"
        refusal = await h.alice.expect_refusal(name, ask.Propose, seat=0, what="undo")
        assert "during a game" in str(refusal)

    run_scenario(scenario)


@pytest.mark.parametrize("game", game_names())
def test_what_was_revealed_stays_as_it_was(game: str, run_scenario: Callable[[Scenario], None]) -> None:
    """Other choices in the second attempt: each stream still gives what it gave in the first."""

    async def scenario(h: LocalService) -> None:
        longer = 0
        while longer < 3:  # some games are over too soon to tell
            name = await play_alone(h, game)
            table = await take_turns(h, name, 6, random.Random(3))
            if table.status == "finished":
                continue
            first = draws_of(match_of(table))
            for _ in range(5):
                await h.alice.do(name, ask.Propose, seat=0, what="undo")
            second = draws_of(match_of(await take_turns(h, name, 12, random.Random(4))))
            kept = {label: second.get(label, [])[: len(first[label])] for label in first}
            assert kept == {label: first[label][: len(kept[label])] for label in first}
            longer += any(len(second.get(label, ())) > len(first.get(label, ())) for label in second)

    run_scenario(scenario)


def test_the_same_choice_gets_the_same_answer(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_alone(h, "parade")
        await h.wait_for_bots(name)
        before = [move.action for move in match_of(await take_turns(h, name, 1, random.Random(5))).moves]
        for _ in range(3):  # the dodo chooses at random, but not again
            await h.alice.do(name, ask.Propose, seat=0, what="undo")
            table = await take_turns(h, name, 1, random.Random(5))
            assert [move.action for move in match_of(table).moves] == before

    run_scenario(scenario)


@pytest.mark.parametrize("game", game_names())
def test_a_game_with_take_backs_can_be_verified(game: str, tmp_path: Path) -> None:
    async def scene() -> tuple[AnyRecord, str, AnyRecord]:
        rng = random.Random(6)
        async with open_service(tmp_path) as h:
            while True:  # until something was taken back that a draw was part of
                name = await play_alone(h, game)
                while (table := await take_turns(h, name, rng.randint(1, 5), rng)).status != "finished":
                    for _ in range(rng.randint(0, 3) if len(table.undone) < 8 else 0):
                        if match_of(table).decisions > 3:
                            await h.alice.do(name, ask.Propose, seat=0, what="undo")
                    if rng.random() < 0.3:
                        h.tables.evict_idle(-1)  # the chance source is rebuilt from the log
                record = build_record(await h.table(name))
                assert record is not None
                if forged := _with_another_outcome(record):
                    return record, record.text(), forged

    record, text, forged = asyncio.run(scene())
    assert read_record(text).whole.text() == text
    times = len(record.undone)
    assert example.verify(text) == check_record(record).outcomes
    with pytest.raises(example.Unfair):
        example.verify(forged.text())
    assert f"taken back {times} times" in check(record) or times == 1
    with pytest.raises(CheckFailed):  # what was taken back is part of the proof
        check(forged)


def _with_another_outcome(record: AnyRecord) -> AnyRecord | None:
    """The record with another chance outcome among the moves that were taken back first, if any."""
    if not record.undone:
        return None
    undone, line = record.undone[0], record.lines_of_play()[0]
    for place, (state, move) in enumerate(msgspec.structs.replace(record, moves=line).states()):
        turn = record.game.turn(state)
        if place >= undone.kept and move is not None and isinstance(turn, Chance) and turn.total > 1:
            other = next(outcome for outcome in turn.outcomes if outcome != move.action)
            changed = Undone(undone.kept, (*line[undone.kept : place], Move(CHANCE, other)))
            return msgspec.structs.replace(record, undone=(changed, *record.undone[1:]))
    return None


def test_a_table_with_take_backs_is_the_same_after_a_restart(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_service(tmp_path) as h:
            name = await play_alone(h, "letters")
            await take_turns(h, name, 4, random.Random(7))
            for _ in range(2):
                await h.alice.do(name, ask.Propose, seat=0, what="undo")
            live = await take_turns(h, name, 3, random.Random(8))
            h.tables.evict_idle(-1)
            again = await h.table(name)
            assert again is not live
            assert vars(again) | {"match": None} == vars(live) | {"match": None}
            assert match_of(again).moves == match_of(live).moves
            assert match_of(again).revealed == match_of(live).revealed

    asyncio.run(scene())


def test_the_server_says_when_taking_back_can_succeed(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        alone = await play_alone(h, "parade")
        live = await h.tables.get_live_table(alone)
        await h.wait_for_bots(alone)
        assert not watch(h, live, 0).messages[-1]["can_undo"]
        await take_turns(h, alone, 1, random.Random(9))
        assert watch(h, live, 0).messages[-1]["can_undo"]
        assert not watch(h, live, None).messages[-1]["can_undo"]
        await h.alice.do(alone, ask.Leave, seat=0)
        assert not watch(h, live, 0).messages[-1]["can_undo"]
        refusal = await h.alice.expect_refusal(alone, ask.Propose, seat=0, what="undo")
        assert "Take the seat back" in str(refusal)

        together = await h.start_game()
        live = await h.tables.get_live_table(together)
        while len((table := await h.table(together)).to_act) < 2:
            for seat in (0, 1):
                told = watch(h, live, seat).messages[-1]["can_undo"]
                try:
                    await h.player_at(seat).expect_refusal(together, ask.Propose, seat=seat, what="undo")
                except AssertionError:  # it was not refused
                    assert told
            await h.play_moves(together, 1)
        word = match_of(table).game.write(match_of(table).legal(0)[0])
        await h.alice.do(together, ask.Play, seat=0, action=word)
        assert watch(h, live, 0).messages[-1]["can_undo"]

    run_scenario(scenario)


def test_nothing_is_taken_back_at_a_shared_table_without_agreement(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        table = await h.table(name)
        (seat,) = table.to_act
        await h.play_moves(name, 1)
        await h.player_at(1 - seat).do(name, ask.Leave, seat=1 - seat)  # a bot, but not its own seat
        refusal = await h.player_at(seat).expect_refusal(name, ask.Propose, seat=seat, what="undo")
        assert "revealed" in str(refusal)

    run_scenario(scenario)


def test_a_second_click_is_answered_like_the_first(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        table = await h.table(name)
        (seat,) = table.to_act
        one, other, *_ = (match_of(table).game.write(action) for action in match_of(table).legal(seat))
        player, at = h.player_at(seat), table.version
        live = await h.tables.get_live_table(name)
        for key in ("first-click", "second-click", "third-click"):
            click = ask.Play(seat=seat, action=one, at=at, key=key)
            _, version = await h.tables.execute(live, player.device, click)
            assert version == at + 1
        assert live.table.version == at + 1
        refusal = await player.expect_refusal(name, ask.Play, seat=seat, action=other, at=at)
        assert refusal.problem == "stale"
        refusal = await player.expect_refusal(name, ask.Play, seat=seat, action=one)
        assert refusal.problem in ("stale", "illegal"), "it has seen its move: this is another one"

    run_scenario(scenario)


def test_a_choice_that_was_taken_back_can_be_made_again(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_alone(h, "parade")
        table = await h.wait_for_bots(name)
        word = match_of(table).game.write(match_of(table).legal(0)[0])
        for _ in range(2):
            await h.alice.do(name, ask.Play, seat=0, action=word, at=table.version)
            await h.alice.do(name, ask.Propose, seat=0, what="undo")
            table = await h.table(name)
        assert len(table.undone) == 2
        assert [move.actor for move in match_of(table).moves].count(CHANCE) > 0

    run_scenario(scenario)
